"""`async with` and `async for` over objects of the user's, whose special methods give coroutines of the trace."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.context import enter
from symexec.interpreter.handlers.generators import await_natively, awaitable
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Raise, Reply
from symexec.interpreter.protocol.exceptions import require_made
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.values.model import Value


def before_async_with(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the manager by its bound `__aexit__` and what its `__aenter__` gives, to be awaited."""
    return enter(machine, frame, "__aenter__", "__aexit__")


def _call(machine: Machine, value: Value, name: str) -> Reply:
    method = special_method(machine, value, name)
    if isinstance(method, STOPS):
        return method
    if method is None or is_builtin(method):
        kind = machine.type_of(value).__qualname__
        return await_natively(machine, f"{name} of an object of type {kind} is called by Python")
    return call_special(machine, method, value)


def get_aiter(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the top by what its `__aiter__` gives."""
    stack = frame.state.stack
    reply = _call(machine, stack.pop(), "__aiter__")
    if isinstance(reply, STOPS):
        return reply
    found = special_method(machine, reply, "__anext__")
    if found is None or isinstance(found, STOPS) or is_builtin(found):
        return await_natively(machine, "what __aiter__ gave is advanced by Python")
    stack.append(reply)
    return None


def get_anext(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push what the iterator's `__anext__` gives, ready to be awaited."""
    stack = frame.state.stack
    reply = _call(machine, stack[-1], "__anext__")
    found = reply if isinstance(reply, STOPS) else awaitable(machine, reply)
    if isinstance(found, STOPS):
        return found
    stack.append(found)
    return None


def end_async_for(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`StopAsyncIteration` ends the loop; anything else goes on."""
    stack = frame.state.stack
    made = require_made(machine, stack[-1])
    if isinstance(made, Break):
        return made
    if not is_raised(machine, Raise(made), StopAsyncIteration):
        stack.pop()
        return Raise(made, again=True)
    del stack[-2:]
    return None


HANDLERS = {
    Op.BEFORE_ASYNC_WITH: before_async_with,
    Op.GET_AITER: get_aiter,
    Op.GET_ANEXT: get_anext,
    Op.END_ASYNC_FOR: end_async_for,
}
