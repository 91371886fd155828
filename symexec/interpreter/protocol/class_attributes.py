"""Attributes of classes themselves: CPython's `type.__getattribute__`."""

from __future__ import annotations

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
    rely_on_name,
    rely_on_plain,
    static_function,
    written_value,
)
from symexec.interpreter.protocol.descriptors import Pair, bound_class_method, class_method
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.instances import note
from symexec.interpreter.protocol.metaclass_attributes import computed_attribute, inherited_attribute
from symexec.interpreter.protocol.python_descriptors import call_get, method_of, rely_on_descriptor
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.interpreter.records import ClassRecord, Found, FoundKind
from symexec.values.effect import SetAttribute
from symexec.values.guard import Is, Lacks
from symexec.values.heap import ABSENT, ObjectContent
from symexec.values.model import NULL, Constant, Known, Value
from symexec.values.origin import Attribute, Fixed, Held

_STORE: Final = names_of(type)["__setattr__"]


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
    if not isinstance(pair, STOPS) and not _is_asked(machine, record, name):
        record.loaded[name] = pair
        machine.heap.record(lambda: record.loaded.pop(name))
    return pair


def _is_asked(machine: Machine, record: ClassRecord, name: str) -> bool:
    """Whether each load may give another object: code of a property's or a descriptor's runs."""
    kinds = look_up(record, name).kind, look_up(class_record(machine, type(record.type)), name).kind
    return kinds[0] in (FoundKind.DATA, FoundKind.DESCRIPTOR) or kinds[1] is FoundKind.PROPERTY


def _load(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    of_metaclass = look_up(class_record(machine, type(record.type)), name)
    if of_metaclass.kind in (FoundKind.GETSET, FoundKind.SLOT, FoundKind.PROPERTY, FoundKind.DATA):
        return computed_attribute(machine, record, name)
    found = look_up(record, name)
    if found.kind is FoundKind.ABSENT and of_metaclass.kind is not FoundKind.ABSENT:
        return inherited_attribute(machine, record, name)
    if found.kind in (FoundKind.DATA, FoundKind.DESCRIPTOR) and of_metaclass.kind is FoundKind.ABSENT:
        return _described(machine, record, name)
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    return _found(machine, record, name, found)


def _described(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """An attribute for which the class has a descriptor that is Python's."""
    metaclass = class_record(machine, type(record.type))
    descriptor = rely_on_descriptor(machine, record, name)
    if isinstance(descriptor, Break):
        return descriptor
    if not metaclass.fixed:
        machine.guards.add(metaclass.origin, Lacks(name))
    if method_of(machine, descriptor, "__get__").kind is FoundKind.ABSENT:
        return NULL, descriptor
    reply = call_get(machine, record, name, descriptor, None)
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _found(machine: Machine, record: ClassRecord, name: str, found: Found) -> Pair | Raise | Break:
    origin = Attribute(record.origin, name)
    match found.kind:
        case FoundKind.ABSENT if find_in_class(type(record.type), "__getattr__") is not ABSENT:
            return _ask_metaclass(machine, record, name)
        case FoundKind.ABSENT:
            text = f"' has no attribute '{name}'"
            kind = record.type
            return raise_naming(machine, kind, lambda own: AttributeError(f"type object '{own}{text}", name=name))
        case FoundKind.CLASS:
            return class_method(record, name), Known(record.type, record.origin)
        case FoundKind.C_CLASS_METHOD if record.fixed:
            return NULL, bound_class_method(record, name)
        case FoundKind.DATA | FoundKind.DESCRIPTOR | FoundKind.C_CLASS_METHOD:
            return machine.stop("SX2012", f"{class_name(record.type)}.{name} can only be read by Python")
        case _:
            raw = static_function(found.raw) if found.kind is FoundKind.STATIC else found.raw
            return NULL, _held(record, raw, origin)


def _ask_metaclass(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """What the fallback gives that enumerations have on some versions; it is guarded already."""
    fallback = find_in_class(type(record.type), "__getattr__")
    args: list[Value] = [Known(record.type, record.origin), Constant(name)]
    reply = machine.call(machine, Known(fallback, Held(fallback)), args, ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _held(record: ClassRecord, raw: object, origin: Attribute) -> Value:
    """What a class has, as a value."""
    if record.fixed and type(raw) in SCALARS:
        return Constant(raw)
    return Known(raw, Fixed(raw) if is_process_wide(raw) else origin)


def set_class_attribute(machine: Machine, owner: Known, type_: type, name: str, value: Value) -> Break | None:
    """Give the class `type_`, which `owner` is, a plain value in place of another, or under a new name."""
    record = class_record(machine, type_)
    metaclass = type(type_)
    plain = find_in_class(metaclass, "__setattr__") is _STORE and find_in_class(metaclass, name) is ABSENT
    if record.fixed or not plain or name.startswith("__"):
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
