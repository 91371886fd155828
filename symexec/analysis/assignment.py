"""Definite assignment: which slots are bound, unbound or maybe one or the other, and whether they hold cells.

Sets of slots are sets of bits: slot `s` is bit `1 << s`.  Nothing is said of code that is never reached: all sets
are empty there.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag, auto

import attrs

from symexec.analysis.cells import find_cells
from symexec.analysis.flow import Flow
from symexec.bytecode.dataflow import FrameShape, trace_shapes
from symexec.bytecode.model import Routine


class SlotContent(Flag):
    """What a slot may hold."""

    UNBOUND = auto()
    VALUE = auto()
    CELL = auto()


@attrs.frozen(eq=False, repr=False)
class Assignment:
    """The slots before each instruction.  Bound means holding a value or a cell; the cell itself may be empty."""

    shapes: Sequence[FrameShape | None]
    cell_sets: Sequence[int]  # slots that hold a cell if they are bound
    value_sets: Sequence[int]  # slots that hold a value if they are bound

    def bound(self, index: int) -> int:
        """The slots that are bound for certain before instruction `index`."""
        shape = self.shapes[index]
        return 0 if shape is None else shape.bound_mask & ~shape.unbound_mask

    def unbound(self, index: int) -> int:
        """The slots that are unbound for certain."""
        shape = self.shapes[index]
        return 0 if shape is None else shape.unbound_mask & ~shape.bound_mask

    def maybe(self, index: int) -> int:
        """The slots that are bound on some paths and unbound on others."""
        shape = self.shapes[index]
        return 0 if shape is None else shape.unbound_mask & shape.bound_mask

    def cells(self, index: int) -> int:
        """The slots that hold a cell for certain."""
        return self.bound(index) & self.cell_sets[index]

    def values(self, index: int) -> int:
        """The slots that hold a value for certain."""
        return self.bound(index) & self.value_sets[index]

    def content(self, index: int, slot: int) -> SlotContent:
        """All that `slot` may hold before instruction `index`: nothing at all where control never comes."""
        found = SlotContent(0)
        shape = self.shapes[index]
        if shape is None:
            return found
        if shape.may_be_unbound(slot):
            found |= SlotContent.UNBOUND
        if shape.may_be_bound(slot):
            if not self.cell_sets[index] >> slot & 1:
                found |= SlotContent.VALUE
            if not self.value_sets[index] >> slot & 1:
                found |= SlotContent.CELL
        return found


def compute_assignment(
    routine: Routine, shapes: Sequence[FrameShape | None] | None = None, flow: Flow | None = None
) -> Assignment:
    """The assignment of `routine`'s slots; `shapes` (of `trace_shapes`) and `flow` if they are at hand.

    Raises `VerifyError` if the routine is not safe to run.
    """
    shapes = trace_shapes(routine).shapes() if shapes is None else shapes
    cells, values = find_cells(routine, shapes, flow)
    return Assignment(shapes, cells, values)
