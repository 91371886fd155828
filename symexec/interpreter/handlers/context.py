"""Context managers: entered and left by their own special methods; exceptions on the way are left to Python."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Raise
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.values.heap import MethodContent
from symexec.values.model import Value


def _find(machine: Machine, owner: Value, name: str) -> Value | Raise | Break:
    found = special_method(machine, owner, name)
    if found is None:
        kind = machine.type_of(owner).__qualname__
        return machine.stop("SX1006", f"an object of type {kind} has no {name}, and Python says so")
    return found


def enter(machine: Machine, frame: Frame, entering: str, leaving: str) -> Outcome | None:
    """Replace the manager on top by its bound method for leaving and what its method for entering gives."""
    manager = frame.state.stack.pop()
    enter_ = _find(machine, manager, entering)
    if isinstance(enter_, STOPS):
        return enter_
    leave = _find(machine, manager, leaving)
    if isinstance(leave, STOPS):
        return leave
    frame.state.stack.append(machine.heap.make(MethodContent(leave, manager)))
    entered = call_special(machine, enter_, manager)
    if isinstance(entered, STOPS):
        return entered
    frame.state.stack.append(entered)
    return None


def before_with(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the manager by its bound `__exit__` and what its `__enter__` gives."""
    return enter(machine, frame, "__enter__", "__exit__")


def load_special(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the owner by a special method of its type and the owner."""
    owner = frame.state.stack.pop()
    found = _find(machine, owner, instruction.name)
    if isinstance(found, STOPS):
        return found
    frame.state.stack += (found, owner)
    return None


HANDLERS = {
    Op.BEFORE_WITH: before_with,
    Op.LOAD_SPECIAL: load_special,
}
