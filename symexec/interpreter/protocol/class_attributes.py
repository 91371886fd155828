"""Attributes of classes themselves: CPython's `type.__getattribute__`."""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import SCALARS, Machine, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    classify,
    find_in_class,
    identify_class,
    look_up,
    rely_on_metaclass,
    rely_on_name,
    rely_on_plain,
    static_function,
    written_value,
)
from symexec.interpreter.protocol.descriptors import Pair, bound_class_method, class_method
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.instances import note
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.interpreter.records import ClassRecord, Found, FoundKind
from symexec.values.effect import SetAttribute
from symexec.values.guard import Is
from symexec.values.heap import ObjectContent
from symexec.values.model import NULL, Constant, Known, Value
from symexec.values.origin import Attribute, Fixed

_STORE: Final = names_of(type)["__setattr__"]
_NAMES: Final = frozenset({"__name__", "__qualname__", "__module__"})


def class_attribute(machine: Machine, owner: Known, type_: type, name: str) -> Pair | Raise | Break:
    """An attribute of the class `type_`, which `owner` is."""
    record = class_record(machine, type_)
    stop = identify_class(machine, record, owner)
    if stop is not None:
        return stop
    if name in record.written:
        written = written_value(machine, record, name)
        if written is not None:
            return written if isinstance(written, Break) else (NULL, written)
    loaded = record.loaded.get(name)
    if loaded is not None:
        return loaded
    pair = _load(machine, record, name)
    if not isinstance(pair, STOPS):
        record.loaded[name] = pair
        machine.heap.record(lambda: record.loaded.pop(name))
    return pair


def _load(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    metaclass = class_record(machine, type(record.type))
    of_metaclass = look_up(metaclass, name)
    if of_metaclass.kind in (FoundKind.GETSET, FoundKind.SLOT, FoundKind.PROPERTY, FoundKind.DATA):
        return _of_metaclass(machine, record, metaclass, name, of_metaclass)
    found = look_up(record, name)
    if found.kind is FoundKind.ABSENT and of_metaclass.kind is not FoundKind.ABSENT:
        return machine.stop("SX2014", f"{name!r} of {class_name(record.type)} is an attribute of its metaclass")
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    return _found(machine, record, name, found)


def _found(machine: Machine, record: ClassRecord, name: str, found: Found) -> Pair | Raise | Break:
    origin = Attribute(record.origin, name)
    match found.kind:
        case FoundKind.ABSENT:
            message = f"type object '{class_name(record.type)}' has no attribute '{name}'"
            return Raise(AttributeError(message, name=name))
        case FoundKind.CLASS:
            return class_method(record, name), Known(record.type, record.origin)
        case FoundKind.C_CLASS_METHOD if record.fixed:
            return NULL, bound_class_method(record, name)
        case FoundKind.DATA | FoundKind.DESCRIPTOR | FoundKind.C_CLASS_METHOD:
            return machine.stop("SX2012", f"{class_name(record.type)}.{name} can only be read by Python")
        case _:
            raw = static_function(found.raw) if found.kind is FoundKind.STATIC else found.raw
            return NULL, _held(record, raw, origin)


def _held(record: ClassRecord, raw: object, origin: Attribute) -> Value:
    """What a class has, as a value."""
    if record.fixed and type(raw) in SCALARS:
        return Constant(raw)
    return Known(raw, Fixed(raw) if is_process_wide(raw) else origin)


def _of_metaclass(
    machine: Machine, record: ClassRecord, metaclass: ClassRecord, name: str, found: Found
) -> Pair | Raise | Break:
    """A computed attribute of all classes: the metaclass, or one of the names."""
    if type(metaclass.type) is type and metaclass.fixed and type(found.raw) is GetSetDescriptorType:
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        if name == "__class__":
            return NULL, Known(metaclass.type, metaclass.origin)
        if name in _NAMES:
            value: object = found.raw.__get__(record.type, metaclass.type)
            if type(value) is str:
                return NULL, Constant(value) if record.fixed else Known(value, Attribute(record.origin, name))
    return machine.stop("SX2014", f"{name!r} of {class_name(record.type)} is computed by its metaclass")


def set_class_attribute(machine: Machine, owner: Known, type_: type, name: str, value: Value) -> Break | None:
    """Give the class `type_`, which `owner` is, a plain value in place of another, or under a new name."""
    record = class_record(machine, type_)
    metaclass = type(type_)
    if record.fixed or find_in_class(metaclass, "__setattr__") is not _STORE or name.startswith("__"):
        return machine.stop("SX2016", f"{name!r} of {class_name(type_)} is set by Python")
    stop = identify_class(machine, record, owner) or rely_on_name(machine, record, name)
    if stop is None and metaclass is not type:
        machine.guards.add(Attribute(class_record(machine, metaclass).origin, "__setattr__"), Is(_STORE))
    found = look_up(record, name)
    if stop is None and found.kind not in (FoundKind.PLAIN, FoundKind.ABSENT):
        stop = machine.stop("SX2016", f"{class_name(type_)}.{name} is a {found.kind.value}, and Python replaces it")
    if stop is None and found.kind is FoundKind.PLAIN:
        stop = may_drop(machine, Known(found.raw, Attribute(record.origin, name)), f"{class_name(type_)}.{name}")
    if stop is None:
        stop = _rely_on_plain_value(machine, value) or _find_reader(machine, type_, name)
    if stop is None:
        _write(machine, record, name, value)
    return stop


def _rely_on_plain_value(machine: Machine, value: Value) -> Break | None:
    """Guard that the value is no descriptor, so that loads through the class and its instances give it as it is."""
    if isinstance(value, Known):
        plain = classify(value.value) is FoundKind.PLAIN
        return rely_on_plain(machine, value.origin, value.value) if plain else _no_descriptors(machine)
    record = class_record(machine, machine.type_of(value))
    for name in ("__get__", "__set__", "__delete__"):
        if look_up(record, name).kind is not FoundKind.ABSENT:
            return _no_descriptors(machine)
        stop = rely_on_name(machine, record, name)
        if stop is not None:
            return stop
    return None


def _no_descriptors(machine: Machine) -> Break:
    return machine.stop("SX2016", "classes are given functions and other descriptors by Python")


def _find_reader(machine: Machine, type_: type, name: str) -> Break | None:
    """A break if the name was read through an existing instance: whether it holds the value itself is not known."""
    for known in machine.heap.looked_into():
        content = machine.heap.existing(known)
        if isinstance(content, ObjectContent) and name in content.attributes and _inherits(content.type, type_):
            return machine.stop("SX2016", f"{name!r} was read through an object of {class_name(content.type)} before")
    return None


def _write(machine: Machine, record: ClassRecord, name: str, value: Value) -> None:
    known = Known(record.type, record.origin)
    content = machine.heap.existing(known)
    if content is None:
        content = ObjectContent(type(record.type), {})
        machine.heap.adopt(known, content)
    if not isinstance(content, ObjectContent):
        raise InternalError("a class has attributes")
    note(machine, content.attributes, name, value)
    for other in machine.classes.values():
        if name not in other.written and _inherits(other.type, record.type):
            _mark_written(machine, other, name)
    machine.heap.emit(SetAttribute(known, name, value))


def _mark_written(machine: Machine, record: ClassRecord, name: str) -> None:
    record.written.add(name)
    machine.heap.record(lambda: record.written.discard(name))


def _inherits(type_: type, base: type) -> bool:
    return any(each is base for each in mro_of(type_))
