"""Frame variables: locals, cells and free variables, by localsplus slot."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import InternalError
from symexec.interpreter.frame import Frame, SlotState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Raise
from symexec.interpreter.protocol.cells import cell_content, load_cell, store_cell
from symexec.interpreter.protocol.drops import may_drop
from symexec.values.heap import Absent
from symexec.values.model import NULL, Known, Null, Value
from symexec.values.origin import Local


def _not_known(machine: Machine, frame: Frame, slot: int) -> Break:
    name = frame.routine.slots[slot]
    return machine.stop("SX1002", f"whether {name!r} is bound is not known here", "bind it on every path")


def _unbound(name: str) -> Raise:
    return Raise(UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value"))


def load_fast(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push what the slot holds; the cell itself where it holds one."""
    found = frame.state.slots[instruction.arg]
    if isinstance(found, SlotState):
        if found is SlotState.UNBOUND:
            return _unbound(frame.routine.slots[instruction.arg])
        return _not_known(machine, frame, instruction.arg)
    frame.state.stack.append(found)
    return None


def load_fast_and_clear(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push what the slot holds, NULL where it is unbound, and leave it unbound."""
    slots = frame.state.slots
    found = slots[instruction.arg]
    if found is SlotState.UNKNOWN:
        return _not_known(machine, frame, instruction.arg)
    frame.state.stack.append(NULL if isinstance(found, SlotState) else found)
    slots[instruction.arg] = SlotState.UNBOUND
    return None


def store_fast(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Pop into the slot; NULL leaves it unbound."""
    value = frame.state.stack.pop()
    frame.state.slots[instruction.arg] = SlotState.UNBOUND if isinstance(value, Null) else value
    return None


def delete_fast(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Unbind the slot."""
    found = frame.state.slots[instruction.arg]
    if found is SlotState.UNBOUND:
        return _unbound(frame.routine.slots[instruction.arg])
    if isinstance(found, SlotState):
        return _not_known(machine, frame, instruction.arg)
    if frame.depth == 0 and isinstance(found, Known) and isinstance(found.origin, Local):
        stop = may_drop(machine, found, frame.routine.slots[instruction.arg])  # it may be the last reference
        if stop is not None:
            return stop
    frame.state.slots[instruction.arg] = SlotState.UNBOUND
    return None


def _cell(frame: Frame, slot: int) -> Value:
    found = frame.state.slots[slot]
    if isinstance(found, SlotState):
        raise InternalError(f"slot {slot} of {frame.routine.qualified_name} holds no cell")
    return found


def load_deref(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push what the slot's cell contains."""
    slot = instruction.arg
    free = slot >= frame.routine.first_free_slot
    value = load_cell(machine, _cell(frame, slot), frame.routine.slots[slot], free)
    if isinstance(value, STOPS):
        return value
    frame.state.stack.append(value)
    return None


def store_deref(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Pop into the slot's cell."""
    return store_cell(machine, _cell(frame, instruction.arg), frame.state.stack.pop())


def delete_deref(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Empty the slot's cell."""
    slot = instruction.arg
    cell = _cell(frame, slot)
    if isinstance(cell_content(machine, cell).value, Absent):
        free = slot >= frame.routine.first_free_slot
        found = load_cell(machine, cell, frame.routine.slots[slot], free)
        return found if isinstance(found, Raise) else None
    return store_cell(machine, cell, None)


HANDLERS = {
    Op.LOAD_FAST: load_fast,
    Op.LOAD_FAST_AND_CLEAR: load_fast_and_clear,
    Op.STORE_FAST: store_fast,
    Op.DELETE_FAST: delete_fast,
    Op.LOAD_DEREF: load_deref,
    Op.STORE_DEREF: store_deref,
    Op.DELETE_DEREF: delete_deref,
}
