"""Import statements inside functions."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Outcome
from symexec.interpreter.protocol.imports import import_from, import_name


def import_name_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace level and names by the module."""
    stack = frame.state.stack
    names, level = machine.concrete(stack.pop()), machine.concrete(stack.pop())
    if type(level) is not int:
        return machine.stop("SX1001", "the level of an import is not a constant")
    reply = import_name(machine, frame.globals, instruction.name, names, level)
    if isinstance(reply, STOPS):
        return reply
    stack.append(reply)
    return None


def import_from_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push what the module on top has under the name."""
    reply = import_from(machine, frame.state.stack[-1], instruction.name)
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


HANDLERS = {Op.IMPORT_NAME: import_name_op, Op.IMPORT_FROM: import_from_op}
