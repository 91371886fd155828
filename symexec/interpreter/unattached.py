"""What a machine has in place of what its translator gives it, before and after there is one."""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from symexec.errors import InternalError
from symexec.interpreter.frame import Frame
from symexec.interpreter.outcomes import Outcome, Reply
from symexec.values.model import Value

if TYPE_CHECKING:
    from symexec.interpreter.machine import Machine


def as_written(function: FunctionType) -> CodeType | None:
    """No function is known to be compiled."""
    return None


def not_running(frame: Frame) -> Outcome:
    """Nobody is there to run frames."""
    raise InternalError(f"no translator is attached to run {frame.routine.qualified_name}")


def cannot_call(
    machine: Machine, function: Value, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """Nobody is there to call."""
    raise InternalError(f"no translator is attached to call {function}")


def cannot_get(machine: Machine, owner: Value, name: str) -> Reply:
    """Nobody is there to look attributes up."""
    raise InternalError(f"no translator is attached to get {name} of {owner}")
