"""Attributes of classes themselves: CPython's `type.__getattribute__`."""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Final

from symexec.interpreter.machine import SCALARS, Machine, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    look_up,
    rely_on_metaclass,
    rely_on_name,
    static_function,
)
from symexec.interpreter.protocol.descriptors import Pair, bound_class_method, class_method
from symexec.interpreter.records import ClassRecord, Found, FoundKind
from symexec.values.guard import TypeIs
from symexec.values.model import NULL, Constant, Known, Value
from symexec.values.origin import Attribute, Fixed, TypeOf

_NAMES: Final = frozenset({"__name__", "__qualname__", "__module__"})


def identify_class(machine: Machine, record: ClassRecord, known: Known) -> Break | None:
    """Rely on `known` being the class of the record."""
    origin = known.origin
    if origin in record.identified or origin == record.origin:
        return None
    if type(origin) is TypeOf:
        machine.guards.add(origin.base, TypeIs(record.type))
    elif not machine.identify(known):
        return machine.stop("SX2017", f"{class_name(record.type)} cannot be recognised again")
    record.identified.add(origin)
    machine.heap.record(lambda: record.identified.discard(origin))
    return None


def class_attribute(machine: Machine, owner: Known, type_: type, name: str) -> Pair | Raise | Break:
    """An attribute of the class `type_`, which `owner` is."""
    record = class_record(machine, type_)
    stop = identify_class(machine, record, owner)
    if stop is not None:
        return stop
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
