"""Python functions of the standard library that look at frames, which calls inside a trace do not have."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from types import FunctionType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.inlining import function_record
from symexec.interpreter.protocol.raising import is_of_calls
from symexec.values.model import NONE, Known, Value

_clear_frames: Final = traceback.clear_frames
_CODE: Final = traceback.clear_frames.__code__


def call_in_place_of(
    machine: Machine,
    known: Known,
    function: FunctionType,
    args: Sequence[Value],
    kwargs: Sequence[tuple[str, Value]],
) -> Reply | None:
    """What a call of such a function comes to; `None` if it is another, or must be inlined like any other.

    `traceback.clear_frames`: frames of calls inside the trace have ended, or are running and refuse.
    """
    if function is not _clear_frames or function.__code__ is not _CODE:
        return None
    if kwargs or len(args) != 1 or not is_of_calls(machine, args[0]):
        return None
    record = function_record(machine, known, function)
    return record if isinstance(record, Break) else NONE
