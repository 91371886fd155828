"""`bool(value)`, and the length it may be taken from."""

from __future__ import annotations

import sys
from typing import Final

from symexec.interpreter.machine import SCALARS, Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import (
    count_of,
    dict_length,
    list_content,
    range_of,
    set_length,
    tuple_items,
)
from symexec.interpreter.protocol.folding import fold, is_plain
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import type_ids
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.values.graph import Kind
from symexec.values.heap import ViewContent
from symexec.values.model import Constant, Made, Traced, Value

_SCALAR_IDS: Final = type_ids(SCALARS)


def truth(machine: Machine, value: Value) -> bool | Raise | Break:
    """What `bool(value)` gives, what was consulted for it guarded."""
    value = machine.resolve(machine.specialise(value))
    match value:
        case Constant(value=constant):
            if id(type(constant)) in _SCALAR_IDS and constant is not NotImplemented:
                return bool(constant)
        case Traced():
            return machine.stop(
                "SX4001",
                f"a condition depends on the data of a {class_name(value.type)}",
                "the branch runs as written; the trace goes on after it",
            )
        case _:
            pass
    type_ = machine.type_of(value)
    if is_static_type(type_):
        length = builtin_length(machine, value, type_)
        if length is not None:
            return length if isinstance(length, STOPS) else length > 0
    return _instance_truth(machine, value)


def _instance_truth(machine: Machine, value: Value) -> bool | Raise | Break:
    method = special_method(machine, value, "__bool__")
    if isinstance(method, STOPS):
        return method
    if method is not None:
        reply = call_special(machine, method, value)
        if isinstance(reply, STOPS):
            return reply
        answer = machine.resolve(reply)
        if isinstance(answer, Constant) and type(answer.value) is bool:
            return answer.value
        return _refused(machine, bool, "__bool__", answer)
    method = special_method(machine, value, "__len__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return True
    length = _called_length(machine, method, value)
    return length if isinstance(length, STOPS) else length > 0


def length_of(machine: Machine, value: Value) -> int | Raise | Break:
    """What `len(value)` gives, what was consulted for it guarded."""
    value = machine.resolve(value)
    if isinstance(value, Traced):
        reply = machine.operate(Kind.CALL, len, [value])
        if isinstance(reply, STOPS):
            return reply
        if isinstance(reply, Constant) and type(reply.value) is int:
            return reply.value
        return machine.stop("SX4003", "the length of a traced value is not a constant")
    length = builtin_length(machine, value, machine.type_of(value))
    if isinstance(length, int) and length > sys.maxsize:
        return Raise(OverflowError("Python int too large to convert to C ssize_t"))
    if length is not None:
        return length
    type_ = machine.type_of(value)
    method = special_method(machine, value, "__len__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return raise_naming(machine, type_, lambda name: TypeError(f"object of type '{name}' has no len()"))
    return _called_length(machine, method, value)


def get_length(machine: Machine, value: Value) -> Reply:
    """What `len(value)` gives, as a value."""
    length = length_of(machine, value)
    return length if isinstance(length, STOPS) else Constant(length)


def _called_length(machine: Machine, method: Value, value: Value) -> int | Raise | Break:
    reply = call_special(machine, method, value)
    if isinstance(reply, STOPS):
        return reply
    answer = machine.resolve(reply)
    if isinstance(answer, Constant) and type(answer.value) is int and 0 <= answer.value <= sys.maxsize:
        return answer.value
    return _refused(machine, len, "__len__", answer)


def _refused(machine: Machine, function: object, name: str, answer: Value) -> Raise | Break:
    """What Python raises where a special method gives a constant that does not fit."""
    if isinstance(answer, Constant) and is_plain(answer.value):
        stand_in: object = type("object", (), {name: lambda _: answer.value})()
        reply = fold(machine, function, (stand_in,))
        if isinstance(reply, Raise):
            return reply
    return machine.stop("SX4003" if name == "__len__" else "SX4001", f"{name} gave no constant that fits")


def builtin_length(machine: Machine, value: Value, type_: type) -> int | Break | None:
    """The length of an instance of that very builtin type or a subclass of it, `None` for any other type."""
    if type_ is str or type_ is bytes:
        plain = scalar_of(machine, value)
        if isinstance(plain, Break):
            return plain
        value = plain
    if isinstance(value, Constant):
        sized = value.value
        return count_of(sized) if isinstance(sized, (str, bytes, tuple, range, frozenset)) else None
    if type_ is list:
        content = list_content(machine, value)
        return content if isinstance(content, Break) else len(content.items)
    if type_ is tuple:
        items = tuple_items(machine, value)
        return items if isinstance(items, Break) else len(items)
    if type_ is dict:
        return dict_length(machine, value)
    if type_ is set or type_ is frozenset:
        return set_length(machine, value)
    if type_ is range:
        found = range_of(machine, value)
        return found if isinstance(found, Break) else count_of(found)
    if isinstance(value, Made):
        view = machine.heap.content(value)
        if isinstance(view, ViewContent):
            return dict_length(machine, view.mapping)
    return None
