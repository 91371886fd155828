"""The state of a frame at an anchor, as values for the translator, from what the anchor's hook was handed."""

from __future__ import annotations

from collections.abc import Sequence
from types import CellType, FunctionType

from symexec.bytecode.model import Routine
from symexec.interpreter.frame import FrameState, Slot, SlotState
from symexec.values.model import Known, Value
from symexec.values.origin import Cell, Local, Stack

ENTRY = -1  # the position before the prefix


def closure_values(routine: Routine, function: FunctionType) -> tuple[Value, ...]:
    """The function's closure cells, reached through the slots that `COPY_FREE_VARS` puts them into."""
    first = routine.first_free_slot
    cells = enumerate(function.__closure__ or (), first)
    return tuple(Known(cell, Cell(slot, routine.slots[slot])) for slot, cell in cells)


def entry_state(routine: Routine, arguments: Sequence[object]) -> FrameState:
    """The state before the prefix, given what the parameters' slots hold."""
    slots: list[Slot] = [SlotState.UNBOUND] * len(routine.slots)
    for slot, value in enumerate(arguments):
        slots[slot] = Known(value, Local(slot, routine.slots[slot]))
    return FrameState(ENTRY, slots, [])


def contents_of(value: object) -> object:
    """What a parameter's slot stands for: the cell's contents if the prefix has wrapped it.  `ValueError` if empty."""
    return value.cell_contents if isinstance(value, CellType) else value


def anchor_state(
    routine: Routine, index: int, depth: int, readable: Sequence[int], handed: Sequence[object]
) -> FrameState:
    """The state before the instruction at `index`: stack entries first, then the readable slots."""
    slots: list[Slot] = [SlotState.UNKNOWN] * len(routine.slots)
    stack: list[Value] = [Known(value, Stack(entry)) for entry, value in enumerate(handed[:depth])]
    cells = {*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))}
    for slot, value in zip(readable, handed[depth:], strict=True):
        name = routine.slots[slot]
        holds_cell = slot in cells and isinstance(value, CellType)
        slots[slot] = Known(value, Cell(slot, name) if holds_cell else Local(slot, name))
    return FrameState(index, slots, stack)
