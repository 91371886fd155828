"""Methods of generators and coroutines that the trace made."""

from __future__ import annotations

from collections.abc import Sequence
from types import CoroutineType, GeneratorType
from typing import Final

from symexec.bytecode.features import CLOSE_GIVES_RESULT, THROW_WARNS
from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import STOPS, Break, Finished, Raise, Reply
from symexec.interpreter.protocol.contents import tuple_items
from symexec.interpreter.protocol.exceptions import (
    exception_of,
    is_exception_class,
    require_made,
    set_field,
)
from symexec.interpreter.protocol.generators import Advance, close, generator_content, send, throw
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.raising import fields_of, is_traceback, raise_stop
from symexec.interpreter.protocol.special import mro_of
from symexec.values.model import NONE, Constant, Known, Made, Value


def _generator(machine: Machine, args: Sequence[Value]) -> Made | Break:
    if args and isinstance(args[0], Made) and generator_content(machine, args[0]) is not None:
        return args[0]
    return machine.stop("SX2112", "a generator that existed before the trace is advanced by Python")


def _result(machine: Machine, reply: Advance) -> Reply:
    return raise_stop(machine, reply.value) if isinstance(reply, Finished) else reply


def _send(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _generator(machine, args)
    if isinstance(made, Break):
        return made
    return _result(machine, send(machine, made, args[1])) if positional(args, kwargs, 2, 2) else misfit(machine)


def _next(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _generator(machine, args)
    if isinstance(made, Break):
        return made
    return _result(machine, send(machine, made, NONE)) if positional(args, kwargs, 1, 1) else misfit(machine)


def _iter(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return args[0] if positional(args, kwargs, 1, 1) else misfit(machine)


def _close(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _generator(machine, args)
    if isinstance(made, Break):
        return made
    reply = close(machine, made) if positional(args, kwargs, 1, 1) else misfit(machine)
    return reply if isinstance(reply, STOPS) or CLOSE_GIVES_RESULT else NONE


def _throw(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _generator(machine, args)
    if isinstance(made, Break):
        return made
    if not positional(args, kwargs, 2, 2 if THROW_WARNS else 4):
        return misfit(machine)
    thrown = _thrown(machine, args[1], args[2] if len(args) > 2 else NONE, args[3] if len(args) > 3 else NONE)
    return thrown if isinstance(thrown, STOPS) else _result(machine, throw(machine, made, Raise(thrown)))


def _thrown(machine: Machine, type_: Value, value: Value, traceback: Value) -> Made | Raise | Break:
    """The exception that `throw(type, value, traceback)` throws (`_gen_throw`, `PyErr_NormalizeException`)."""
    if not turns_out_none(machine, traceback) and not is_traceback(machine, traceback):
        return Raise(TypeError("throw() third argument must be a traceback object"))
    found = machine.resolve(type_)
    if isinstance(found, Made) and exception_of(machine, found) is not None:
        if not turns_out_none(machine, value):
            return Raise(TypeError("instance exception may not have a separate value"))
        return found
    if not isinstance(found, (Known, Constant)) or not is_class(found.value):
        return machine.stop("SX1008", "what is thrown is no exception of the trace")
    exception = _normalised(machine, found, found.value, value)
    if isinstance(exception, Made) and not turns_out_none(machine, traceback):
        return set_field(machine, fields_of(machine, exception), "__traceback__", traceback) or exception
    return exception


def _normalised(machine: Machine, class_: Value, type_: type, value: Value) -> Made | Raise | Break:
    if not is_exception_class(type_):
        return machine.stop("SX1008", "what is thrown is no exception of the trace")
    fields = exception_of(machine, value)
    if fields is not None and isinstance(value, Made):
        if any(base is type_ for base in mro_of(machine.made_type(value))):
            return value
        return machine.stop("SX1008", "an exception is thrown as one of another class")
    args: Sequence[Value] = () if turns_out_none(machine, value) else (value,)
    if machine.type_of(value) is tuple:
        items = tuple_items(machine, value)
        if isinstance(items, Break):
            return items
        args = items
    reply = machine.call(machine, class_, args, ())
    return reply if isinstance(reply, STOPS) else require_made(machine, reply)


_of_generator: Final = GeneratorType.__dict__
_of_coroutine: Final = CoroutineType.__dict__

SUSPENSION_RULES: Final[dict[object, Rule]] = {
    _of_generator["send"]: _send,
    _of_generator["throw"]: _throw,
    _of_generator["close"]: _close,
    _of_generator["__next__"]: _next,
    _of_generator["__iter__"]: _iter,
    _of_coroutine["send"]: _send,
    _of_coroutine["throw"]: _throw,
    _of_coroutine["close"]: _close,
}
