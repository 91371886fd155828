"""The prefix instructions: accepted, recorded and run before a frame's `RESUME 0`, and nowhere else.

A `MAKE_CELL` in the body (inlined comprehensions, 3.12 on) is an ordinary instruction, and so is a `RESUME` whose
location bits are not 0.
"""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import InternalError
from symexec.interpreter.frame import Frame, SlotState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Outcome
from symexec.values.heap import ABSENT, CellContent
from symexec.values.model import NONE, Known
from symexec.values.origin import Cell, Contents

LOCATION_BITS = 3


def _accept(frame: Frame, instruction: Instruction) -> None:
    if not frame.accepts_prefix:
        raise InternalError(f"{instruction.op.name} after RESUME 0 in {frame.routine.qualified_name}")
    frame.accepted.append(instruction)


def make_cell(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Wrap what the slot holds in a new cell; in the outermost frame's prefix it is the cell that the frame holds."""
    slot = instruction.arg
    found = frame.state.slots[slot]
    home = None
    if frame.accepts_prefix:
        frame.accepted.append(instruction)
        if frame.depth == 0:
            home = slot
            if isinstance(found, Known):
                found = Known(found.value, Contents(Cell(slot, frame.routine.slots[slot])))
    if found is SlotState.UNKNOWN:
        return machine.stop("SX1002", "whether the variable is bound is not known here", "bind it on every path")
    content = CellContent(ABSENT if isinstance(found, SlotState) else found, home)
    frame.state.slots[slot] = machine.heap.make(content)
    return None


def copy_free_vars(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Put the closure's cells into the last slots."""
    _accept(frame, instruction)
    count = instruction.arg
    if count != len(frame.closure):
        raise InternalError(f"COPY_FREE_VARS {count} with a closure of {len(frame.closure)} cells")
    frame.state.slots[len(frame.state.slots) - count :] = frame.closure
    return None


def return_generator(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Go on as the generator does when it is first resumed: with `None` sent."""
    _accept(frame, instruction)
    frame.state.stack.append(NONE)
    return None


def resume(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`RESUME 0` ends the prefix; any other is legal only after it."""
    if instruction.arg & LOCATION_BITS == 0:
        _accept(frame, instruction)
        frame.accepts_prefix = False
    elif frame.accepts_prefix:
        raise InternalError(f"RESUME {instruction.arg} before RESUME 0 in {frame.routine.qualified_name}")
    return None


HANDLERS = {
    Op.MAKE_CELL: make_cell,
    Op.COPY_FREE_VARS: copy_free_vars,
    Op.RETURN_GENERATOR: return_generator,
    Op.RESUME: resume,
}
