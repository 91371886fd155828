"""How a step or a protocol ends: outcomes are returned, no Python exception steers the interpreter."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from symexec.bytecode.model import Label
from symexec.errors import BreakReason
from symexec.values.model import Made, Value


@attrs.frozen(eq=False)
class Next:
    """Go on with the instruction that follows."""


@attrs.frozen(eq=False)
class Jump:
    """Go on at the label."""

    label: Label


@attrs.frozen(eq=False)
class Return:
    """The frame returned `value`."""

    value: Value


@attrs.frozen(eq=False)
class Raise:
    """An exception is raised: a new one just as Python would make it, or an exception object of the trace.

    `protocol.raising` tells its type and makes an object of the trace of it.  One that is raised `again` goes on with
    the traceback that it has.
    """

    exception: BaseException | Made
    again: bool = False


@attrs.frozen(eq=False)
class Yield:
    """The frame is suspended after giving `value`."""

    value: Value


@attrs.frozen(eq=False)
class Break:
    """Tracing cannot go on: what is asked is left to Python."""

    reason: BreakReason


@attrs.frozen(eq=False)
class Finished:
    """An iterator has no more items; `value` is what a generator returned."""

    value: Value


Outcome: TypeAlias = Next | Jump | Return | Raise | Yield | Break
"""What a handler returns."""

Stop: TypeAlias = Raise | Break
"""Why a protocol gave no value."""

Reply: TypeAlias = Value | Raise | Break
"""What a protocol function returns."""

STOPS = (Raise, Break)
"""For `isinstance(reply, STOPS)`."""
