"""Calls of every shape, and the making of functions."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import CO_COROUTINE
from types import CodeType

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import SUSPENDED, InternalError
from symexec.interpreter.frame import UNREADABLE, Frame
from symexec.interpreter.handlers.pushing import pop_many
from symexec.interpreter.machine import Machine
from symexec.interpreter.made_types import has_plain_keys
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Raise
from symexec.interpreter.protocol.calls import call
from symexec.interpreter.protocol.contents import dict_content
from symexec.interpreter.protocol.exceptions import require_made
from symexec.interpreter.protocol.generators import wrap_stop
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.length_hints import items_for_tuple
from symexec.interpreter.protocol.operators import unary_positive
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.unpacking import refuses_iteration
from symexec.values.heap import Absent, FunctionContent, ListContent, TupleContent
from symexec.values.model import Constant, Known, Made, Null, Value

DEFAULTS, KEYWORD_DEFAULTS, ANNOTATIONS, CLOSURE, ANNOTATE = 1, 2, 4, 8, 16


def _pop_callable(stack: list[Value]) -> tuple[Value, tuple[Value, ...]]:
    """The callable and its self, if any, from the two entries under a call's arguments."""
    upper, lower = stack.pop(), stack.pop()
    if isinstance(lower, Null):
        return upper, ()
    if isinstance(upper, Null):
        return lower, ()
    return lower, (upper,)


def _call(machine: Machine, frame: Frame, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Outcome | None:
    function, own = _pop_callable(frame.state.stack)
    if any(isinstance(value, Known) and value.value is UNREADABLE for value in (function, *own)):
        return machine.stop("SX1007", "the with statement was entered before the trace began; Python leaves it")
    reply = call(machine, function, [*own, *args], kwargs)
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


def call_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Positional arguments only."""
    return _call(machine, frame, pop_many(frame.state.stack, instruction.arg), ())


def call_kw(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The last arguments are named by a constant tuple."""
    names = frame.state.stack.pop()
    if not isinstance(names, Constant) or not isinstance(names.value, tuple):
        raise InternalError("the names of keyword arguments are a constant tuple")
    args = pop_many(frame.state.stack, instruction.arg)
    split = len(args) - len(names.value)
    kwargs = [(str(name), value) for name, value in zip(names.value, args[split:], strict=True)]
    return _call(machine, frame, args[:split], kwargs)


def call_function_ex(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`f(*positional, **keywords)`."""
    keywords, positional = frame.state.stack.pop(), frame.state.stack.pop()
    kwargs: list[tuple[str, Value]] = []
    if not isinstance(keywords, Null):
        found = _keywords(machine, keywords)
        if isinstance(found, STOPS):
            return found
        kwargs = found
    args = items_for_tuple(machine, positional)
    if is_raised(machine, args, TypeError) and refuses_iteration(machine.type_of(positional)):
        return machine.stop("SX2111", "what stands after * is no iterable: it raises")
    if isinstance(args, STOPS):
        return args
    return _call(machine, frame, args, kwargs)


def _keywords(machine: Machine, value: Value) -> list[tuple[str, Value]] | Raise | Break:
    content = dict_content(machine, value, complete=True)
    if isinstance(content, STOPS):
        return content
    found: list[tuple[str, Value]] = []
    if not has_plain_keys(machine.heap, content):
        return machine.stop("SX2111", "keyword arguments whose names are not exact strings")
    for key, item in content.entries.items():
        if not isinstance(key, str):
            return Raise(TypeError("keywords must be strings"))
        if not isinstance(item, Absent):
            found.append((key, item))
    return found


def make_function(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A function of a constant code object and the frame's globals."""
    code = frame.state.stack.pop()
    if not isinstance(code, Constant) or not isinstance(code.value, CodeType):
        return machine.stop("SX1001", "a function is made of a code object that is not a constant")
    content = FunctionContent(code.value, frame.globals, code.value.co_name, code.value.co_qualname)
    frame.state.stack.append(machine.heap.make(content))
    return None


def set_function_attribute(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Give the new function its defaults, keyword defaults, annotations or closure."""
    function, attribute = frame.state.stack.pop(), frame.state.stack.pop()
    if not isinstance(function, Made):
        return machine.stop("SX1001", "the function was made before the trace began; Python finishes it")
    content = machine.heap.content(function)
    if not isinstance(content, FunctionContent):
        raise InternalError("only a function gets attributes so")
    frame.state.stack.append(function)
    match instruction.arg:
        case 4:
            content.annotations = attribute
        case 16:
            content.annotate = attribute
        case 2:
            keywords = _keywords(machine, attribute)
            if isinstance(keywords, STOPS):
                return keywords
            content.keyword_defaults = dict(keywords)
        case flag:
            items = iterate_all(machine, attribute)
            if isinstance(items, STOPS):
                return items
            if flag == DEFAULTS:
                content.defaults = tuple(items)
            else:
                content.closure = tuple(items)
    return None


def call_intrinsic_1(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The intrinsics that occur in ordinary functions."""
    value = frame.state.stack.pop()
    if instruction.name == "LIST_TO_TUPLE" and isinstance(value, Made):
        content = machine.heap.content(value)
        if isinstance(content, ListContent):
            frame.state.stack.append(machine.heap.make(TupleContent(tuple(content.items))))
            return None
    if instruction.name == "UNARY_POSITIVE":
        reply = unary_positive(machine, value)
        if isinstance(reply, STOPS):
            return reply
        frame.state.stack.append(reply)
        return None
    if instruction.name == "STOPITERATION_ERROR":
        return stop_iteration_error(machine, frame, value)
    if instruction.name == "ASYNC_GEN_WRAP" and frame.depth == 0:
        return machine.stop(SUSPENDED, "the asynchronous generator is suspended")
    return machine.stop("SX1001", f"the intrinsic {instruction.name} is not interpreted yet")


def stop_iteration_error(machine: Machine, frame: Frame, value: Value) -> Outcome | None:
    """`StopIteration` that leaves a generator becomes a `RuntimeError`; anything else stays as it is."""
    made = require_made(machine, value)
    if isinstance(made, Break):
        return made
    if is_raised(machine, Raise(made), StopIteration):
        made = wrap_stop(machine, made, "coroutine" if frame.routine.flags & CO_COROUTINE else "generator")
    frame.state.stack.append(made)
    return None


HANDLERS = {
    Op.CALL: call_op,
    Op.CALL_KW: call_kw,
    Op.CALL_FUNCTION_EX: call_function_ex,
    Op.MAKE_FUNCTION: make_function,
    Op.SET_FUNCTION_ATTRIBUTE: set_function_attribute,
    Op.CALL_INTRINSIC_1: call_intrinsic_1,
}
