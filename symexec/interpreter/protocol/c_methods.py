"""Functions and methods of C that are objects themselves: bound slot wrappers, `__get__` called by name, names.

Gives what they stand for: the function and the arguments of an ordinary call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Final

from symexec.interpreter.machine import Machine, is_process_wide
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.special import names_of
from symexec.values.guard import Equals, TypeIs
from symexec.values.heap import MethodContent
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Attribute, Fixed

BINDERS: Final = tuple(
    names_of(type_)["__get__"] for type_ in (FunctionType, MethodDescriptorType, WrapperDescriptorType)
)
"""What binds functions to objects, called as `function.__get__(instance, owner)`."""

_C_FUNCTIONS: Final = (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
_NAMES: Final[Mapping[int, Callable[[object], object]]] = {
    id(type_): type_.__dict__["__name__"].__get__ for type_ in _C_FUNCTIONS
}


_BINDING_TYPES: Final = (FunctionType, MethodDescriptorType, WrapperDescriptorType)


def c_function_name(machine: Machine, known: Known, name: str) -> Constant | None:
    """The `__name__` of a function or method of C whose type is guarded; `None` for other names and objects."""
    getter = _NAMES.get(id(type(known.value))) if name == "__name__" else None
    if getter is None:
        return None
    own_name: object = getter(known.value)
    if machine.is_fixed(known.value):
        machine.identify(known)
    else:
        machine.guards.add(Attribute(known.origin, name), Equals(own_name))
    return Constant(own_name)


def unwrap(machine: Machine, known: Known, wrapper: MethodWrapperType) -> tuple[Known, Known] | Break:
    """The slot wrapper and the object behind a bound one that existed before the trace, both guarded."""
    bound_to: object = wrapper.__self__
    name: object = wrapper.__name__
    function: object = names_of(type(bound_to)).get(name) if isinstance(name, str) else None
    if type(function) is not WrapperDescriptorType or not is_process_wide(function):
        return machine.stop("SX2021", f"a method of an object of type {class_name(type(bound_to))} is called")
    owner = Known(bound_to, Attribute(known.origin, "__self__"))
    machine.guards.add(known.origin, TypeIs(MethodWrapperType))
    machine.guards.add(owner.origin, TypeIs(type(bound_to)))
    machine.guards.add(Attribute(known.origin, "__name__"), Equals(name))
    return Known(function, Fixed(function)), owner


def bind_by_name(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`function.__get__(instance, owner)` called by name: a method, or the function itself without an instance."""
    if not 2 <= len(args) <= 3 or kwargs or machine.type_of(args[0]) not in _BINDING_TYPES:
        return machine.stop("SX2021", "a function's __get__ is called with arguments that it may refuse")
    function, instance = args[0], machine.resolve(args[1])
    if machine.type_of(instance) is type(None):
        return machine.stop("SX2021", "a function's __get__ is called without an instance")
    if isinstance(function, Known) and type(function.value) is not FunctionType:
        owner: object = getattr(function.value, "__objclass__", None)
        if owner is not object or not machine.identify(function):
            return machine.stop("SX2021", "a C method is bound to an object that it may refuse")
        function = Known(function.value, Fixed(function.value))
    return machine.heap.make(MethodContent(function, instance))
