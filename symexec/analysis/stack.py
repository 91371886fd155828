"""The stack before each instruction: how deep it is, and where NULLs are or may be.

A view of what `symexec.bytecode.dataflow` finds; it also says what that leaves to its readers: code that is never
reached has no stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import attrs

from symexec.analysis.flow import NOWHERE
from symexec.bytecode.dataflow import FrameShape, trace_shapes
from symexec.bytecode.model import Routine


class StackEntry(Enum):
    """What may be in a stack entry."""

    VALUE = "value"
    NULL = "null"
    EITHER = "either"  # a looked-up method's self, or a slot that was saved bound or not


@attrs.frozen(eq=False, repr=False)
class StackMap:
    """The stack before each instruction.  Entries count from the bottom."""

    shapes: Sequence[FrameShape | None]

    def depth(self, index: int) -> int:
        """How many entries there are before instruction `index`; `NOWHERE` if control never comes to it."""
        shape = self.shapes[index]
        return NOWHERE if shape is None else shape.depth

    def entries(self, index: int) -> tuple[StackEntry, ...]:
        """What the entries are, bottom first; none if control never comes to `index`."""
        shape = self.shapes[index]
        return () if shape is None else tuple(_entry(shape, entry) for entry in range(shape.depth))

    def nulls(self, index: int) -> list[int]:
        """The entries that are NULL or may be."""
        shape = self.shapes[index]
        return [] if shape is None else [entry for entry in range(shape.depth) if shape.may_be_null(entry)]

    @property
    def deepest(self) -> int:
        """The greatest depth before any instruction."""
        return max((shape.depth for shape in self.shapes if shape is not None), default=0)


def _entry(shape: FrameShape, entry: int) -> StackEntry:
    if not shape.may_be_null(entry):
        return StackEntry.VALUE
    return StackEntry.EITHER if shape.may_be_value(entry) else StackEntry.NULL


def compute_stack(routine: Routine, shapes: Sequence[FrameShape | None] | None = None) -> StackMap:
    """The stack of `routine`; `shapes` are those that `trace_shapes` found, if they are at hand.

    Raises `VerifyError` if the routine is not safe to run.
    """
    return StackMap(trace_shapes(routine).shapes() if shapes is None else shapes)
