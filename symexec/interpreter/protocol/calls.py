"""Calls, by the kind of callable: words of a domain, builtins, Python functions, classes, methods, callable objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Final, TypeAlias

from symexec.errors import InternalError
from symexec.interpreter.equivalents.ends import leave_to_python
from symexec.interpreter.machine import SCALARS, Machine, is_class, is_process_wide
from symexec.interpreter.marks import graph_break, is_disabled
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.attributes import traced_method
from symexec.interpreter.protocol.builtin_calls import call_builtin
from symexec.interpreter.protocol.c_methods import BINDERS, bind_by_name, unwrap
from symexec.interpreter.protocol.classes import class_name, class_record, look_up, rely_on_name
from symexec.interpreter.protocol.construction import (
    call_base_new,
    call_object_delattr,
    call_object_getattribute,
    call_object_init,
    call_object_new,
    call_object_setattr,
    call_type_call,
    construct,
)
from symexec.interpreter.protocol.contents import dict_content, tuple_items
from symexec.interpreter.protocol.exception_calls import call_exception_method, construct_builtin_exception
from symexec.interpreter.protocol.exceptions import is_exception_class
from symexec.interpreter.protocol.frame_functions import call_in_place_of
from symexec.interpreter.protocol.getters import PLACEHOLDER, call_called, getter_of
from symexec.interpreter.protocol.inlining import inline_existing, inline_made
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import names_of
from symexec.interpreter.protocol.subclasses import made_by
from symexec.interpreter.records import FoundKind
from symexec.values.graph import Kind, target_name
from symexec.values.guard import IsBoundMethod, TypeIs
from symexec.values.heap import Absent, CalledContent, FunctionContent, MethodContent
from symexec.values.model import Constant, Known, Made, Null, Traced, Value
from symexec.values.origin import Attribute, Fixed, Held

Keywords: TypeAlias = Sequence[tuple[str, Value]]

_C_METHODS: Final = frozenset(map(id, (MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType)))
_UNKNOWN: Final = "if it is pure, call it in a Python function that is marked with symexec.allow_in_graph"
_OBJECT_CALLS: Final[Mapping[int, Callable[[Machine, Sequence[Value], Keywords], Reply]]] = {
    id(object.__new__): call_object_new,
    id(object.__init__): call_object_init,
    id(object.__setattr__): call_object_setattr,
    id(object.__delattr__): call_object_delattr,
    id(object.__getattribute__): call_object_getattribute,
    id(names_of(type)["__call__"]): call_type_call,
    **{id(binder): bind_by_name for binder in BINDERS},
}


def call(machine: Machine, function: Value, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`function(*args, **kwargs)`."""
    match function:
        case Known(value=target):
            if type(target) is FunctionType:
                return _call_function(machine, function, target, args, kwargs)
            return _call_known(machine, function, target, args, kwargs)
        case Made():
            return _call_made(machine, function, args, kwargs)
        case Constant(value=constant):
            if is_process_wide(constant) and type(constant) not in SCALARS:
                return _call_known(machine, Known(constant, Fixed(constant)), constant, args, kwargs)
            return _call_object(machine, function, type(constant), args, kwargs)
        case Traced():
            return machine.operate(Kind.METHOD, "__call__", [function, *args], kwargs)
        case Null():
            raise InternalError("NULL is called")


def _call_function(
    machine: Machine, known: Known, function: FunctionType, args: Sequence[Value], kwargs: Keywords
) -> Reply:
    if id(function) not in machine.functions:
        if function is graph_break:
            return machine.stop("SX1000", _message(machine, args, kwargs))
        if function is leave_to_python:
            return machine.stop("SX2116", _message(machine, args, kwargs))
        if is_disabled(function):
            return machine.stop("SX2004", f"{function.__qualname__} is disabled", "it always runs as written")
        if any(domain.handles(function) for domain in machine.domains):
            return _operate(machine, known, args, kwargs)
    if args and type(args[0]) is Traced:
        name = traced_method(known, args[0])
        if name is not None:
            return machine.operate(Kind.METHOD, name, args, kwargs)
    reply = call_in_place_of(machine, known, function, args, kwargs)
    return inline_existing(machine, known, function, args, kwargs) if reply is None else reply


def _message(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> str:
    """What a `graph_break` call says."""
    for value in [*args, *(value for _, value in kwargs)]:
        message = machine.concrete(value)
        if isinstance(message, str) and message:
            return message
    return "graph_break() was called"


def _operate(machine: Machine, known: Known, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """A word of a domain's vocabulary."""
    if not machine.identify(known):
        return machine.stop("SX2017", f"{target_name(known.value)} cannot be recognised again")
    return machine.operate(Kind.CALL, known.value, args, kwargs)


def _call_known(machine: Machine, known: Known, target: object, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if any(domain.handles(target) for domain in machine.domains):
        return _operate(machine, known, args, kwargs)
    if type(target) is BuiltinFunctionType or id(type(target)) in _C_METHODS:
        return _call_c_function(machine, known, target, args, kwargs)
    if is_class(target):
        reply = _call_c_class(machine, known, target, args, kwargs)
        return construct(machine, known, target, args, kwargs) if reply is None else reply
    if type(target) is MethodType:
        return _call_bound(machine, known, target, args, kwargs)
    if type(target) is partial:
        return _call_partial(machine, known, target, args, kwargs)
    getter = getter_of(machine, known)
    if getter is not None:
        return getter if isinstance(getter, Break) else call_called(machine, getter, args, kwargs)
    if type(target) is MethodWrapperType:
        behind = unwrap(machine, known, target)
        return behind if isinstance(behind, Break) else call(machine, behind[0], [behind[1], *args], kwargs)
    value = machine.resolve(known)
    if type(value) is not Known:
        return call(machine, value, args, kwargs)
    return _call_object(machine, known, machine.type_of(known), args, kwargs)


def _call_c_function(machine: Machine, known: Known, target: object, args: Sequence[Value], kwargs: Keywords) -> Reply:
    name = target_name(target)
    if not machine.is_fixed(target) or not machine.identify(known):
        return machine.stop("SX2018", f"{name} is a C function that is bound to an object", "call it as a method")
    if args and id(type(target)) in _C_METHODS:
        owner = machine.resolve(args[0])
        method = traced_method(known, owner)
        if method is not None:
            return machine.operate(Kind.METHOD, method, [owner, *args[1:]], kwargs)
    base = made_by(target)
    if base is not None:
        return call_base_new(machine, args, kwargs, base)
    object_call = _OBJECT_CALLS.get(id(target))
    if object_call is not None:
        return object_call(machine, args, kwargs)
    reply = call_builtin(machine, target, args, kwargs) or call_exception_method(machine, target, args, kwargs)
    if reply is None:
        return machine.stop("SX2020", f"{name} is a C function that the trace does not know", _UNKNOWN)
    return reply


def _call_c_class(
    machine: Machine, known: Known, target: type, args: Sequence[Value], kwargs: Keywords
) -> Reply | None:
    """A builtin type; `None` if its calls are nobody's."""
    if not class_record(machine, target).fixed:
        return None
    machine.identify(known)
    if is_exception_class(target):
        return construct_builtin_exception(machine, target, args, kwargs)
    return call_builtin(machine, target, args, kwargs)


def _call_bound(machine: Machine, known: Known, method: MethodType, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """A bound method that existed before the trace."""
    function: object = method.__func__
    if type(function) is not FunctionType:
        return machine.stop("SX2021", f"a method of an object of type {class_name(type(function))} is called")
    machine.guards.add(known.origin, IsBoundMethod(function))
    bound_to = Known(method.__self__, Attribute(known.origin, "__self__"))
    return call(machine, Known(function, Held(function)), [bound_to, *args], kwargs)


def _call_partial(
    machine: Machine, known: Known, target: partial[object], args: Sequence[Value], kwargs: Keywords
) -> Reply:
    """A `functools.partial` that existed before the trace."""
    origin = known.origin
    machine.guards.add(origin, TypeIs(partial))
    if any(argument is PLACEHOLDER for argument in target.args):
        return machine.stop("SX2021", "a partial with placeholders is called")
    given = tuple_items(machine, Known(target.args, Attribute(origin, "args")))
    if isinstance(given, Break):
        return given
    content = dict_content(machine, Known(target.keywords, Attribute(origin, "keywords")), complete=True)
    if isinstance(content, Break):
        return content
    merged = {str(name): value for name, value in content.entries.items() if not isinstance(value, Absent)}
    merged.update(kwargs)
    function = Known(target.func, Attribute(origin, "func"))
    return call(machine, function, [*given, *args], tuple(merged.items()))


def _call_made(machine: Machine, function: Made, args: Sequence[Value], kwargs: Keywords) -> Reply:
    content = machine.heap.content(function)
    if isinstance(content, FunctionContent):
        return inline_made(machine, function, content, args, kwargs)
    if isinstance(content, CalledContent):
        return call_called(machine, content, args, kwargs)
    if isinstance(content, MethodContent):
        return call(machine, content.function, [content.owner, *args], kwargs)
    return _call_object(machine, function, machine.made_type(function), args, kwargs)


def _call_object(machine: Machine, owner: Value, type_: type, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """An object whose class, guarded already, has a `__call__` written in Python."""
    record = class_record(machine, type_)
    found = look_up(record, "__call__")
    if found.kind is FoundKind.ABSENT and "__call__" not in record.written:
        stop = rely_on_name(machine, record, "__call__")
        return stop or raise_naming(machine, type_, lambda name: TypeError(f"'{name}' object is not callable"))
    if found.kind is not FoundKind.FUNCTION:
        return machine.stop("SX2021", f"calls of an object of type {class_name(type_)} are not traced")
    stop = rely_on_name(machine, record, "__call__")
    if stop is not None:
        return stop
    return call(machine, Known(found.raw, Held(found.raw)), [owner, *args], kwargs)
