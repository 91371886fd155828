"""Jumps, loops, and the ends of frames."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import LOOPS, InternalError
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Jump, Outcome, Return
from symexec.interpreter.protocol.comparisons import identical
from symexec.interpreter.protocol.iterate import get_iterator, known_length, next_item
from symexec.interpreter.protocol.truth import get_length, truth
from symexec.values.model import NONE, Constant, Known
from symexec.values.origin import Stack


def taken(instruction: Instruction) -> Jump:
    """The jump to the instruction's label."""
    if instruction.target is None:
        raise InternalError(f"{instruction} has no target")
    return Jump(instruction.target)


def jump(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Go to the label."""
    return taken(instruction)


def pop_jump_if(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Go to the label if the boolean is the wanted one."""
    value = frame.state.stack.pop()
    answer = value.value if isinstance(value, Constant) else truth(machine, value)
    if isinstance(answer, STOPS):
        return answer
    return taken(instruction) if (answer is True) is (instruction.op is Op.POP_JUMP_IF_TRUE) else None


def pop_jump_if_none(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Go to the label if the value is, or is not, `None`."""
    answer = identical(machine, frame.state.stack.pop(), NONE)
    if isinstance(answer, STOPS):
        return answer
    return taken(instruction) if answer is (instruction.op is Op.POP_JUMP_IF_NONE) else None


def get_iter(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the top by its iterator."""
    reply = get_iterator(machine, frame.state.stack.pop())
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


def for_iter(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the next item; at the end drop the iterator and leave the loop."""
    stack = frame.state.stack
    iterator = stack[-1]
    if isinstance(iterator, Known) and isinstance(iterator.origin, Stack) and is_static_type(type(iterator.value)):
        return machine.stop(LOOPS, "the loop goes on over an iterator that existed before the trace")
    length = known_length(machine, iterator)
    if length is not None and length > machine.config.unroll:
        return machine.stop(
            "SX4002",
            f"the loop would be unrolled {length} times, more than Config.unroll",
            "its body is traced by itself; raise Config.unroll to unroll it",
        )
    item = next_item(machine, stack[-1])
    if item is None:
        stack.pop()
        return taken(instruction)
    if isinstance(item, STOPS):
        return item
    stack.append(item)
    return None


def get_len(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the length of the top."""
    reply = get_length(machine, frame.state.stack[-1])
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


def return_value(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """End the frame."""
    return Return(frame.state.stack.pop())


HANDLERS = {
    Op.JUMP: jump,
    Op.JUMP_NO_INTERRUPT: jump,
    Op.POP_JUMP_IF_TRUE: pop_jump_if,
    Op.POP_JUMP_IF_FALSE: pop_jump_if,
    Op.POP_JUMP_IF_NONE: pop_jump_if_none,
    Op.POP_JUMP_IF_NOT_NONE: pop_jump_if_none,
    Op.GET_ITER: get_iter,
    Op.FOR_ITER: for_iter,
    Op.GET_LEN: get_len,
    Op.RETURN_VALUE: return_value,
}
