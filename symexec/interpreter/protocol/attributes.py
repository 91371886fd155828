"""Attributes of every kind of value: loads, stores and deletes, by what the owner is."""

from __future__ import annotations

from types import FunctionType, MethodType, ModuleType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import SCALARS, Machine, is_class, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.attribute_errors import refused_by_builtin
from symexec.interpreter.protocol.attribute_writes import delete_object_attribute, set_object_attribute
from symexec.interpreter.protocol.c_methods import c_function_name
from symexec.interpreter.protocol.class_attributes import class_attribute, set_class_attribute
from symexec.interpreter.protocol.classes import class_name, class_record, find_in_class, look_up
from symexec.interpreter.protocol.descriptors import Pair, is_unbound, object_attribute
from symexec.interpreter.protocol.getters import called_attribute
from symexec.interpreter.protocol.missing import leave_load, missing
from symexec.interpreter.protocol.modules import module_attribute, set_module_attribute
from symexec.interpreter.protocol.super_attributes import super_attribute
from symexec.interpreter.protocol.templates import template_attribute
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.graph import Kind
from symexec.values.heap import (
    ABSENT,
    Absent,
    CalledContent,
    FunctionContent,
    InterpolationContent,
    MethodContent,
    ObjectContent,
    SliceContent,
    SuperContent,
    TemplateContent,
)
from symexec.values.model import NULL, Constant, Known, Made, Null, Traced, Value
from symexec.values.origin import Attribute, Fixed

_load: Final = object.__getattribute__


def get_attribute(machine: Machine, owner: Value, name: str) -> Reply:
    """`owner.name`."""
    pair = get_method(machine, owner, name)
    if isinstance(pair, STOPS):
        return pair
    if is_unbound(pair):
        return machine.heap.make(MethodContent(pair[0], pair[1]))
    return pair[1]


def get_method(machine: Machine, owner: Value, name: str) -> Pair | Raise | Break:
    """What LOAD_METHOD pushes: a function and the self to call it with, or `NULL` and `owner.name`."""
    pair = _load_method(machine, owner, name)
    return leave_load(machine, pair) if type(pair) is Raise else pair


def _load_method(machine: Machine, owner: Value, name: str) -> Pair | Raise | Break:
    if type(owner) is Known:
        if type(owner.value) is not ModuleType and _is_looked_into(machine, owner):
            return object_attribute(machine, owner, type(owner.value), name)
        value = machine.resolve(owner)
        if type(value) is Known:
            return _of_known(machine, value, name)
    else:
        value = owner
    match value:
        case Traced():
            return _of_traced(machine, value, name)
        case Made():
            return _of_made(machine, value, name)
        case Constant():
            return _of_constant(machine, value, name)
        case _:
            raise InternalError("NULL has no attributes")


def _is_looked_into(machine: Machine, owner: Known) -> bool:
    """Whether the object's attributes were looked into under the same origin: its type is guarded then."""
    first = machine.heap.first_known(owner)
    if first is None or (first is not owner and first.origin != owner.origin):
        return False
    return type(machine.heap.existing(owner)) is ObjectContent


def _of_known(machine: Machine, owner: Known, name: str) -> Pair | Raise | Break:
    value = owner.value
    if type(value) is ModuleType:
        reply = module_attribute(machine, owner, name)
        return reply if isinstance(reply, STOPS) else (NULL, reply)
    if is_class(value):
        return class_attribute(machine, owner, value, name)
    type_ = machine.type_of(owner)
    if type(value) is MethodType:
        function = Known(value.__func__, Attribute(owner.origin, "__func__"))
        return _of_method(machine, function, Known(value.__self__, Attribute(owner.origin, "__self__")), name)
    own_name = c_function_name(machine, owner, name)
    return object_attribute(machine, owner, type_, name) if own_name is None else (NULL, own_name)


def _of_method(machine: Machine, function: Value, bound_to: Value, name: str) -> Pair | Raise | Break:
    """An attribute of a bound method: its own two, or else what its function has (its documentation as well)."""
    if name == "__func__":
        return NULL, function
    if name == "__self__":
        return NULL, bound_to
    if name != "__doc__" and find_in_class(MethodType, name) is not ABSENT:
        return machine.stop("SX2014", f"{name!r} of a bound method is not known")
    reply = get_attribute(machine, function, name)
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _of_traced(machine: Machine, owner: Traced, name: str) -> Pair | Raise | Break:
    """A method of the type, to be called on the traced value; anything else is asked of the domain."""
    record = class_record(machine, owner.type)
    found = look_up(record, name)
    if found.kind in (FoundKind.FUNCTION, FoundKind.C_METHOD):
        return _type_function(record, name, found.raw), owner
    if found.raw is object.__dict__["__class__"]:
        return NULL, Known(record.type, record.origin)
    reply = machine.operate(Kind.ATTRIBUTE, name, [owner])
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _type_function(record: ClassRecord, name: str, raw: object) -> Known:
    return Known(raw, Fixed(raw) if is_process_wide(raw) else Attribute(record.origin, name))


def traced_method(function: Known, owner: Value) -> str | None:
    """The method's name, if `function` is what the type of the traced value `owner` has under it."""
    if type(owner) is not Traced:
        return None
    origin = function.origin
    if type(origin) is Attribute:
        name = origin.name
    else:
        name = getattr(function.value, "__name__", "") if is_process_wide(function.value) else ""
    return name if name and find_in_class(owner.type, name) is function.value else None


def _of_made(machine: Machine, owner: Made, name: str) -> Pair | Raise | Break:
    content = machine.heap.content(owner)
    match content:
        case ObjectContent(type=type_):
            return object_attribute(machine, owner, type_, name)
        case MethodContent(function=function, owner=bound_to):
            if machine.made_type(owner) is not MethodType and name not in ("__self__", "__name__"):
                return machine.stop("SX2014", f"{name!r} of a bound C function is not known")
            return _of_method(machine, function, bound_to, name)
        case FunctionContent():
            return _of_made_function(machine, content, name)
        case TemplateContent() | InterpolationContent():
            found = template_attribute(machine, content, name)
            if found is None:
                return object_attribute(machine, owner, content.kind, name)
            return found if isinstance(found, STOPS) else (NULL, found)
        case SuperContent():
            return super_attribute(machine, content, name)
        case CalledContent():
            reply = called_attribute(machine, content, name)
            return reply if isinstance(reply, STOPS) else (NULL, reply)
        case SliceContent() if name in ("start", "stop", "step"):
            return NULL, {"start": content.start, "stop": content.stop, "step": content.step}[name]
        case _:
            return object_attribute(machine, owner, machine.made_type(owner), name)


def _of_made_function(machine: Machine, content: FunctionContent, name: str) -> Pair | Raise | Break:
    if name == "__name__":
        return NULL, Constant(content.name)
    if name == "__qualname__":
        return NULL, Constant(content.qualified_name)
    if find_in_class(FunctionType, name) is not ABSENT:
        return machine.stop("SX2014", f"{name!r} of a new function is not known")
    found = content.attributes.get(name, ABSENT)
    return missing(machine, FunctionType, name) if isinstance(found, Absent) else (NULL, found)


def _of_constant(machine: Machine, owner: Constant, name: str) -> Pair | Raise | Break:
    value = owner.value
    if is_process_wide(value) and type(value) not in SCALARS:
        return _of_known(machine, Known(value, Fixed(value)), name)
    record = class_record(machine, type(value))
    if not record.fixed:
        return machine.stop("SX2014", f"attributes of a constant of type {class_name(record.type)} are not known")
    found = look_up(record, name)
    if found.kind not in (FoundKind.GETSET, FoundKind.SLOT) or found.raw is object.__dict__["__class__"]:
        return object_attribute(machine, owner, record.type, name)
    try:
        loaded: object = _load(value, name)
    except AttributeError:
        return missing(machine, record.type, name)
    if type(loaded) in SCALARS:
        return NULL, Constant(loaded)
    return machine.stop("SX2014", f"{class_name(record.type)}.{name} is not a constant")


def set_attribute(machine: Machine, owner: Value, name: str, value: Value) -> Raise | Break | None:
    """`owner.name = value`."""
    target = machine.resolve(owner)
    if isinstance(target, Made):
        content = machine.heap.content(target)
        if isinstance(content, ObjectContent):
            return set_object_attribute(machine, target, content.type, name, value)
        if isinstance(content, FunctionContent) and find_in_class(FunctionType, name) is ABSENT:
            _set_function_attribute(machine, content, name, value)
            return None
    elif isinstance(target, Known):
        if type(target.value) is ModuleType:
            return set_module_attribute(machine, target, name, value)
        if is_class(target.value):
            return set_class_attribute(machine, target, target.value, name, value)
        return set_object_attribute(machine, target, machine.type_of(target), name, value)
    return _cannot_write(machine, target, name, "set")


def _set_function_attribute(machine: Machine, content: FunctionContent, name: str, value: Value) -> None:
    before = content.attributes
    content.attributes = {**before, name: value}

    def undo() -> None:
        content.attributes = before

    machine.heap.record(undo)


def delete_attribute(machine: Machine, owner: Value, name: str) -> Raise | Break | None:
    """`del owner.name`."""
    target = machine.resolve(owner)
    if isinstance(target, Made):
        content = machine.heap.content(target)
        if isinstance(content, ObjectContent):
            return delete_object_attribute(machine, target, content.type, name)
    elif isinstance(target, Known):
        if type(target.value) is ModuleType:
            return set_module_attribute(machine, target, name, None)
        if not is_class(target.value):
            return delete_object_attribute(machine, target, machine.type_of(target), name)
    return _cannot_write(machine, target, name, "delete")


def _cannot_write(machine: Machine, owner: Value, name: str, action: str) -> Raise | Break:
    if isinstance(owner, Null):
        raise InternalError("NULL has no attributes")
    type_ = machine.type_of(owner)
    record = class_record(machine, type_)
    if record.fixed and not isinstance(owner, Traced):
        return refused_by_builtin(machine, record, name, action)
    return machine.stop("SX2016", f"the attribute {name!r} of a {class_name(type_)} is written by Python")
