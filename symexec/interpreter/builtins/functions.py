"""Builtin functions about objects: types, attributes, lengths, iterators, numbers and texts."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit, positional
from symexec.interpreter.builtins.types import instance_of, subclass_of
from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.attributes import delete_attribute, set_attribute
from symexec.interpreter.protocol.classes import class_name, class_record, look_up, rely_on_name
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.folding import fold, is_plain
from symexec.interpreter.protocol.formatting import convert_value, format_value
from symexec.interpreter.protocol.overloads import call_unary
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.sizes import result_size_stop
from symexec.interpreter.protocol.special import find_on_type, is_among
from symexec.interpreter.protocol.special_methods import type_value
from symexec.interpreter.protocol.super_attributes import make_super, super_of_frame
from symexec.interpreter.protocol.truth import get_length
from symexec.interpreter.records import FoundKind
from symexec.values.graph import Kind
from symexec.values.model import FALSE, NONE, TRUE, Constant, Traced, Value, boolean


def _len(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return get_length(machine, args[0]) if positional(args, kwargs, 1, 1) else misfit(machine)


def _type(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return machine.stop("SX2116", "making a class is not interpreted")
    return type_value(machine, args[0])


def _build_class(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return machine.stop("SX1021", "a class statement: Python runs its body and makes the class", "define it outside")


def _super(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if (args or kwargs) and not positional(args, kwargs, 2, 2):
        return machine.stop("SX2120", "super() is called with arguments that are not interpreted")
    content = make_super(machine, args[0], args[1]) if args else super_of_frame(machine, machine.frames[-1])
    return content if isinstance(content, STOPS) else machine.heap.make(content)


def _isinstance(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    answer = instance_of(machine, args[0], args[1])
    return answer if isinstance(answer, STOPS) else boolean(answer)


def _issubclass(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    answer = subclass_of(machine, args[0], args[1])
    return answer if isinstance(answer, STOPS) else boolean(answer)


def _callable(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    answer = is_callable(machine, args[0])
    return answer if isinstance(answer, Break) else boolean(answer)


def is_callable(machine: Machine, value: Value) -> bool | Break:
    """What `callable(value)` gives: whether its class has a `__call__`, whatever that is."""
    type_ = machine.type_of(value)
    if is_among(type_, (FunctionType, BuiltinFunctionType, MethodType, type)):
        return True
    if is_static_type(type_):
        return find_on_type(type_, "__call__") is not None
    record = class_record(machine, type_)
    stop = rely_on_name(machine, record, "__call__")
    if stop is not None or "__call__" in record.written:
        return stop or machine.stop("SX2106", f"{class_name(type_)}.__call__ may have been written in the trace")
    return look_up(record, "__call__").kind is not FoundKind.ABSENT


def _name(machine: Machine, value: Value) -> str | None:
    found = constant_of(machine, value)
    return found if isinstance(found, str) else None


def _getattr(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    name = _name(machine, args[1]) if positional(args, kwargs, 2, 3) else None
    if name is None:
        return misfit(machine)
    reply = machine.get_attribute(machine, args[0], name)
    if len(args) == 3 and is_raised(machine, reply, AttributeError):
        return args[2]
    return reply


def _hasattr(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    name = _name(machine, args[1]) if positional(args, kwargs, 2, 2) else None
    if name is None:
        return misfit(machine)
    reply = machine.get_attribute(machine, args[0], name)
    if is_raised(machine, reply, AttributeError):
        return FALSE
    return reply if isinstance(reply, STOPS) else TRUE


def _setattr(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    name = _name(machine, args[1]) if positional(args, kwargs, 3, 3) else None
    if name is None:
        return misfit(machine)
    return set_attribute(machine, args[0], name, args[2]) or NONE


def _delattr(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    name = _name(machine, args[1]) if positional(args, kwargs, 2, 2) else None
    if name is None:
        return misfit(machine)
    return delete_attribute(machine, args[0], name) or NONE


def _vars(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return machine.stop("SX2116", "vars() without an object tells the variables of a frame")
    reply = machine.get_attribute(machine, args[0], "__dict__")
    return fold(machine, vars, (0,)) if is_raised(machine, reply, AttributeError) else reply  # it raises TypeError


def _abs(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    value = machine.resolve(args[0])
    if isinstance(value, Traced):
        return machine.operate(Kind.CALL, abs, [value])
    if isinstance(value, Constant) and is_plain(value.value):
        return fold(machine, abs, (value.value,))
    return call_unary(machine, abs, "__abs__", value)


def _arithmetic(function: object, symbol: str) -> Rule:
    """`divmod`, `pow` or `round`, of constants, or of a traced value that its domain knows."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        values = [machine.resolve(arg) for arg in args]
        if any(isinstance(value, Traced) for value in values):
            return machine.operate(Kind.CALL, function, values, kwargs)
        found, given = copies(machine, values), copies(machine, [value for _, value in kwargs])
        if found is None or given is None:
            return misfit(machine)
        stop = result_size_stop(machine, symbol, found[0], found[1]) if symbol and len(found) == 2 else None
        names = [name for name, _ in kwargs]
        return stop or fold(machine, function, found, dict(zip(names, given, strict=True)))

    return rule


def _hash(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    found = constant_of(machine, args[0]) if positional(args, kwargs, 1, 1) else NOT_CONCRETE
    if not is_plain(found):
        return machine.stop("SX2116", "the hash of an object is not interpreted")
    return fold(machine, hash, (found,))


def _converted(kind: int) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        return convert_value(machine, kind, args[0]) if positional(args, kwargs, 1, 1) else misfit(machine)

    return rule


def _format(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 2):
        return misfit(machine)
    return format_value(machine, args[0], args[1] if len(args) == 2 else None)


def _format_method(type_: type) -> Rule:
    """`type_.__format__` called by name."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        fits = positional(args, kwargs, 2, 2) and machine.type_of(args[0]) is type_
        return format_value(machine, args[0], args[1]) if fits and machine.type_of(args[1]) is str else misfit(machine)

    return rule


def _outside(name: str) -> Rule:
    """A function that reads or writes what is outside the program."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        return machine.stop("SX5101", f"{name}() reads or writes what is outside the program", "it runs as written")

    return rule


def _identity(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return machine.stop("SX5102", "id() tells the address of an object", "compare with `is` instead")


FUNCTION_RULES: Final[dict[object, Rule]] = {
    len: _len,
    type: _type,
    isinstance: _isinstance,
    super: _super,
    builtins.__build_class__: _build_class,
    issubclass: _issubclass,
    callable: _callable,
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    delattr: _delattr,
    vars: _vars,
    abs: _abs,
    operator.abs: _abs,
    divmod: _arithmetic(divmod, ""),
    pow: _arithmetic(pow, "**"),
    round: _arithmetic(round, ""),
    hash: _hash,
    repr: _converted(2),
    ascii: _converted(3),
    format: _format,
    str.__format__: _format_method(str),
    int.__format__: _format_method(int),
    float.__format__: _format_method(float),
    id: _identity,
    print: _outside("print"),
    input: _outside("input"),
    open: _outside("open"),
}
