"""Suspension and delegation: generators and coroutines that the trace made; all others are Python's."""

from __future__ import annotations

from inspect import CO_COROUTINE, CO_ITERABLE_COROUTINE
from types import CoroutineType

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import SUSPENDED
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.control import taken
from symexec.interpreter.handlers.pushing import push
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Finished, Outcome, Raise, Reply, Yield
from symexec.interpreter.protocol.generators import (
    Advance,
    delegate_of,
    generator_content,
    is_iterable_coroutine,
    send,
    suspended_frame,
)
from symexec.interpreter.protocol.iterate import advance, get_iterator
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.raising import is_raised, stop_value
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.values.model import Made, Value


def yield_value(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Suspend the frame here; whoever resumes it pushes what is sent and goes one on."""
    return Yield(frame.state.stack.pop())


def send_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Send the top to the receiver below it: push what that yields, or at its end its result, and leave the loop."""
    stack = frame.state.stack
    value = stack.pop()
    reply = _send(machine, stack[-1], value)
    if isinstance(reply, STOPS):
        return reply
    if isinstance(reply, Finished):
        stack.append(reply.value)
        return taken(instruction)
    stack.append(reply)
    return None


def _send(machine: Machine, receiver: Value, value: Value) -> Advance:
    if isinstance(receiver, Made) and generator_content(machine, receiver) is not None:
        return send(machine, receiver, value)
    if turns_out_none(machine, value):
        return advance(machine, receiver)
    method = machine.get_attribute(machine, receiver, "send")
    if isinstance(method, STOPS):
        return method
    reply = machine.call(machine, method, [value], ())
    if isinstance(reply, Raise) and is_raised(machine, reply, StopIteration):
        return Finished(stop_value(machine, reply))
    return reply


def end_send(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Drop the receiver under the result."""
    stack = frame.state.stack
    stack[-2:] = stack[-1:]
    return None


def get_yield_from_iter(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """What `yield from` iterates over: a generator itself, a coroutine only where that is allowed."""
    value = frame.state.stack.pop()
    generator = generator_content(machine, value)
    if generator is not None and generator.kind is CoroutineType:
        if frame.routine.flags & (CO_COROUTINE | CO_ITERABLE_COROUTINE):
            return push(frame, value)
        return Raise(TypeError("cannot 'yield from' a coroutine object in a non-coroutine generator"))
    return push(frame, get_iterator(machine, value))


def get_awaitable(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """What `await` iterates over: a coroutine that the trace made, or what a user's `__await__` gives."""
    return push(frame, awaitable(machine, frame.state.stack.pop()))


def awaitable(machine: Machine, value: Value) -> Reply:
    """The iterator of what is awaited (`_PyCoro_GetAwaitableIter`)."""
    generator = generator_content(machine, value)
    if generator is not None and isinstance(value, Made):
        if generator.kind is CoroutineType:
            if delegate_of(machine, suspended_frame(machine, value)) is not None:
                return Raise(RuntimeError("coroutine is being awaited already"))
            return value
        if is_iterable_coroutine(machine, value):
            return value
    method = None if generator is not None else special_method(machine, machine.resolve(value), "__await__")
    if isinstance(method, STOPS):
        return method
    if method is None or is_builtin(method):
        return await_natively(machine, "what is awaited is no coroutine of the trace; Python awaits it")
    reply = call_special(machine, method, value)
    if isinstance(reply, STOPS):
        return reply
    found = generator_content(machine, reply)
    if found is None or found.kind is CoroutineType:
        return await_natively(machine, "what __await__ gave is no generator of the trace; Python awaits it")
    return reply


def await_natively(machine: Machine, why: str) -> Break:
    """In the function itself suspension is meant to be Python's; in what is inlined it is in the way."""
    return machine.stop("SX1013" if machine.frames[-1].depth else SUSPENDED, why)


HANDLERS = {
    Op.YIELD_VALUE: yield_value,
    Op.SEND: send_op,
    Op.END_SEND: end_send,
    Op.GET_YIELD_FROM_ITER: get_yield_from_iter,
    Op.GET_AWAITABLE: get_awaitable,
}
