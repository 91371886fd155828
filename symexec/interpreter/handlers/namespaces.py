"""Names of annotation scopes in class bodies: from the class's namespace first."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.names import load_name
from symexec.interpreter.handlers.slots import load_deref
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Outcome
from symexec.interpreter.protocol.contents import dict_entry
from symexec.values.heap import Absent
from symexec.values.model import Value


def _from_class(machine: Machine, frame: Frame, name: str) -> Value | Absent | Break:
    """What the dict on top, which is popped, has under the name."""
    mapping = frame.state.stack.pop()
    if machine.type_of(mapping) is not dict:
        return machine.stop("SX1001", f"{name!r} is looked up in a namespace that is no plain dict")
    return dict_entry(machine, mapping, name)


def load_from_dict_or_globals(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace a mapping by what it has under the name, or else by the global or builtin."""
    found = _from_class(machine, frame, instruction.name)
    if isinstance(found, Absent):
        return load_name(machine, frame, instruction)
    if isinstance(found, STOPS):
        return found
    frame.state.stack.append(found)
    return None


def load_from_dict_or_deref(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace a mapping by what it has under the slot's name, or else by what the slot's cell contains."""
    found = _from_class(machine, frame, frame.routine.slots[instruction.arg])
    if isinstance(found, Absent):
        return load_deref(machine, frame, instruction)
    if isinstance(found, STOPS):
        return found
    frame.state.stack.append(found)
    return None


HANDLERS = {
    Op.LOAD_FROM_DICT_OR_GLOBALS: load_from_dict_or_globals,
    Op.LOAD_FROM_DICT_OR_DEREF: load_from_dict_or_deref,
}
