"""How a step or a protocol ends: outcomes are returned, no Python exception steers the interpreter."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from symexec.bytecode.model import Label
from symexec.errors import BreakReason
from symexec.values.model import Value


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
    """Python would raise `exception` here: an instance, made by calling the original or by its own rules."""

    exception: BaseException


@attrs.frozen(eq=False)
class Yield:
    """The frame is suspended after giving `value`."""

    value: Value


@attrs.frozen(eq=False)
class Break:
    """Tracing cannot go on: what is asked is left to Python."""

    reason: BreakReason


Outcome: TypeAlias = Next | Jump | Return | Raise | Yield | Break
"""What a handler returns."""

Stop: TypeAlias = Raise | Break
"""Why a protocol gave no value."""

Reply: TypeAlias = Value | Raise | Break
"""What a protocol function returns."""

NEXT = Next()
STOPS = (Raise, Break)
"""For `isinstance(reply, STOPS)`."""
