"""Instructions that only move values on the stack."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Outcome
from symexec.interpreter.protocol.generators import let_go
from symexec.values.model import NULL, Constant, Made


def nop(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Nothing."""
    return None


def load_const(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the literal."""
    frame.state.stack.append(Constant(instruction.const))
    return None


def push_null(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push NULL."""
    frame.state.stack.append(NULL)
    return None


def pop_top(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Drop the top."""
    value = frame.state.stack.pop()
    if machine.generators and isinstance(value, Made) and value.object_id in machine.generators:
        return let_go(machine, value)
    return None


def copy(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the entry `arg` from the top (1 is the top)."""
    frame.state.stack.append(frame.state.stack[-instruction.arg])
    return None


def swap(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Exchange the top with the entry `arg` from the top."""
    stack = frame.state.stack
    stack[-1], stack[-instruction.arg] = stack[-instruction.arg], stack[-1]
    return None


HANDLERS = {
    Op.NOP: nop,
    Op.END_FOR: nop,
    Op.LOAD_CONST: load_const,
    Op.PUSH_NULL: push_null,
    Op.POP_TOP: pop_top,
    Op.COPY: copy,
    Op.SWAP: swap,
}
