"""Operators, truth and comparison."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.pushing import push
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Outcome, Stop
from symexec.interpreter.protocol.comparisons import compare, identical
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.operators import binary_operation, unary_operation
from symexec.interpreter.protocol.truth import truth
from symexec.values.model import Constant, boolean


def _push_boolean(frame: Frame, answer: bool | Stop, invert: bool) -> Outcome | None:
    if isinstance(answer, STOPS):
        return answer
    frame.state.stack.append(boolean(answer is not invert))
    return None


def binary_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`left op right`, in place or not."""
    stack = frame.state.stack
    right = stack.pop()
    return push(frame, binary_operation(machine, instruction.arg, stack.pop(), right))


def unary_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Negation and inversion."""
    return push(frame, unary_operation(machine, instruction.op, frame.state.stack.pop()))


def unary_not(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`not`, of an exact bool."""
    operand = frame.state.stack.pop()
    answer: bool | Stop = operand.value is True if isinstance(operand, Constant) else truth(machine, operand)
    return _push_boolean(frame, answer, True)


def to_bool(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`bool(it)`."""
    return _push_boolean(frame, truth(machine, frame.state.stack.pop()), False)


def compare_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A rich comparison."""
    stack = frame.state.stack
    right = stack.pop()
    return push(frame, compare(machine, instruction.arg, stack.pop(), right))


def is_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`is` and `is not`."""
    stack = frame.state.stack
    right = stack.pop()
    return _push_boolean(frame, identical(machine, stack.pop(), right), bool(instruction.arg))


def contains_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`in` and `not in`."""
    stack = frame.state.stack
    container = stack.pop()
    return _push_boolean(frame, contains(machine, container, stack.pop()), bool(instruction.arg))


HANDLERS = {
    Op.BINARY_OP: binary_op,
    Op.UNARY_NEGATIVE: unary_op,
    Op.UNARY_INVERT: unary_op,
    Op.UNARY_NOT: unary_not,
    Op.TO_BOOL: to_bool,
    Op.COMPARE_OP: compare_op,
    Op.IS_OP: is_op,
    Op.CONTAINS_OP: contains_op,
}
