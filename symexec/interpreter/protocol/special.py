"""Special methods: looked up on the type, as CPython's slots do, with what the lookup relies on guarded."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Final

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.values.guard import Is, Lacks
from symexec.values.heap import ObjectContent
from symexec.values.model import Known, Value
from symexec.values.origin import Attribute, Fixed, Held, TypeOf

_mro: Final = type.__dict__["__mro__"].__get__
_namespace: Final = type.__dict__["__dict__"].__get__
"""What a type really inherits and holds, whatever its metaclass says."""


def mro_of(type_: type) -> tuple[type, ...]:
    """The method resolution order of `type_`, read without running user code."""
    found: tuple[type, ...] = _mro(type_)
    return found


def names_of(type_: type) -> Mapping[str, object]:
    """The namespace of `type_` itself, read without running user code."""
    found: Mapping[str, object] = _namespace(type_)
    return found


def type_value(machine: Machine, value: Value) -> Known:
    """`type(it)`, as a value."""
    type_ = machine.type_of(value)
    if is_static_type(type_):
        return Known(type_, Fixed(type_))
    if isinstance(value, Known):
        return Known(type_, TypeOf(value.origin))
    return Known(type_, Held(type_))


def find_on_type(type_: type, name: str) -> tuple[type, object] | None:
    """The class in the method resolution order that has `name`, and what it has there."""
    for base in mro_of(type_):
        names = names_of(base)
        if name in names:
            return base, names[name]
    return None


def special_method(machine: Machine, value: Value, name: str) -> Value | Raise | Break | None:
    """The function that `type(value)` has under `name`, to be called with the value first; `None` if it has none.

    A C function comes back as `Known(function, Fixed(function))`.
    """
    type_ = machine.type_of(value)
    found = find_on_type(type_, name)
    base, attribute = found or (None, None)
    if base is None or is_static_type(base):
        stop = None if is_static_type(type_) else _guard_builtin(machine, value, name, base)
        if stop is not None:
            return stop
        return None if base is None else Known(attribute, Fixed(attribute))
    if type(attribute) is not FunctionType:
        return machine.stop("SX2106", f"{type_.__qualname__}.{name} is not a plain function")
    reply = machine.get_attribute(machine, type_value(machine, value), name)
    if not isinstance(reply, STOPS) and not (isinstance(reply, Known) and reply.value is attribute):
        return machine.stop("SX2106", f"{type_.__qualname__}.{name} is not what the type holds")
    return reply


def call_special(machine: Machine, method: Value, value: Value, *args: Value) -> Reply:
    """Call what `special_method` found."""
    return machine.call(machine, method, [value, *args], ())


def is_function(method: Value, function: object) -> bool:
    """Whether `special_method` found this very C function."""
    return isinstance(method, Known) and method.value is function


def _guard_builtin(machine: Machine, value: Value, name: str, base: type | None) -> Break | None:
    """Guard that no class of the user's defines `name` for the type: it is missing, or `base`, a builtin, has it."""
    type_ = machine.type_of(value)
    for each in mro_of(type_):
        content = machine.heap.existing(Known(each, Held(each)))
        if isinstance(content, ObjectContent) and name in content.attributes:
            return machine.stop("SX2106", f"{each.__qualname__}.{name} was read or written in the trace")
    metaclass = type(type_)
    if find_on_type(metaclass, "__getattribute__") != (type, names_of(type)["__getattribute__"]):
        return machine.stop("SX2106", f"the metaclass of {type_.__qualname__} has a __getattribute__")
    owner = type_value(machine, value)
    if base is not None:
        machine.guards.add(Attribute(owner.origin, name), Is(names_of(base)[name]))
    elif find_on_type(metaclass, name) or find_on_type(metaclass, "__getattr__"):
        return machine.stop("SX2106", f"that {type_.__qualname__} has no {name} cannot be guarded")
    else:
        machine.guards.add(owner.origin, Lacks(name))
    return None
