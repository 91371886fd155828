"""Adding slots to a routine, in place: variables for temporaries, a free variable for a state.

Free variables come last, so that a new one moves nothing; new variables move the cells and free variables behind them.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from symexec.bytecode.emission import group_start
from symexec.bytecode.model import Instruction, Label, Routine
from symexec.bytecode.states import SLOT_OPS
from symexec.errors import BytecodeError


def _require_new(routine: Routine, names: Sequence[str]) -> None:
    taken = {*routine.slots}
    for name in names:
        if name in taken:
            raise BytecodeError(f"{routine.qualified_name} already has a slot for {name!r}")
        taken.add(name)


def add_free_variable(routine: Routine, name: str) -> int:
    """Add a last free variable; its slot.  `BytecodeError` if the name is taken."""
    _require_new(routine, (name,))
    routine.freevars = (*routine.freevars, name)
    routine.slots = (*routine.slots, name)
    return len(routine.slots) - 1


def add_variables(routine: Routine, names: Sequence[str]) -> int:
    """Add variables after those there are, unbound on entry; the slot of the first.

    Instructions that name a slot behind them are replaced, with the rest of their groups, by new ones, and labels
    follow; where there are no cells (but parameters) and no free variables, nothing has to be.  `BytecodeError` if a
    name is taken.
    """
    _require_new(routine, names)
    first, count = len(routine.variables), len(names)
    routine.variables = (*routine.variables, *names)
    routine.slots = (*routine.slots[:first], *names, *routine.slots[first:])
    routine.cell_slots = tuple(slot if slot < first else slot + count for slot in routine.cell_slots)
    if len(routine.slots) > first + count:
        _move_slots(routine, first, count)
    return first


def _move_slots(routine: Routine, first: int, count: int) -> None:
    """Renumber slots from `first` on in all instructions."""
    old = routine.instructions
    touched: set[int] = set()
    for index, instruction in enumerate(old):
        if SLOT_OPS[instruction.op.index] and instruction.arg >= first:
            start, group = group_start(old, index), instruction.group
            touched.add(index)
            if start >= 0 and group is not None:
                touched.update(range(start, start + len(group.neutral)))
    replaced: dict[int, Instruction] = {}
    for index in touched:
        instruction = old[index]
        moves = SLOT_OPS[instruction.op.index] and instruction.arg >= first
        arg = instruction.arg + count if moves else instruction.arg
        replaced[id(instruction)] = attrs.evolve(instruction, arg=arg, group=None)
    _move_labels(routine, replaced)
    routine.instructions = [replaced.get(id(instruction), instruction) for instruction in old]


def _move_labels(routine: Routine, replaced: dict[int, Instruction]) -> None:
    """Let labels of replaced instructions name those that took their place."""
    labels: dict[int, Label] = {}
    for instruction in routine.instructions:
        if instruction.target is not None:
            labels[id(instruction.target)] = instruction.target
        if instruction.handler is not None:
            labels[id(instruction.handler.label)] = instruction.handler.label
    if routine.entry_handler is not None:
        labels[id(routine.entry_handler.label)] = routine.entry_handler.label
    for label in labels.values():
        label.instruction = replaced.get(id(label.instruction), label.instruction)
