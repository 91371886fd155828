"""Stores and deletes of attributes of instances: CPython's `object.__setattr__` and `object.__delattr__`.

What stands in the class decides: data descriptors first, then the instance holds the value itself.
"""

from __future__ import annotations

from types import MemberDescriptorType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.apart import part_from_dicts
from symexec.interpreter.protocol.attribute_errors import no_accessor, refused_write
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    is_quiet,
    look_up,
    rely_on_loads,
    rely_on_name,
    writes_plainly,
)
from symexec.interpreter.protocol.descriptors import hidden, own_attribute
from symexec.interpreter.protocol.exceptions import exception_of, is_field, set_field
from symexec.interpreter.protocol.instance_dicts import delete_through_dict, is_through_dict, write_through_dict
from symexec.interpreter.protocol.instances import Owner, object_content, remove, write
from symexec.interpreter.protocol.python_descriptors import call_delete, call_set, rely_on_descriptor
from symexec.interpreter.protocol.special import names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.heap import ObjectContent
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute, Held

_setter: Final = property.__dict__["fset"].__get__
_deleter: Final = property.__dict__["fdel"].__get__
_owner_of: Final = MemberDescriptorType.__dict__["__objclass__"].__get__


def set_object_attribute(machine: Machine, owner: Owner, type_: type, name: str, value: Value) -> Raise | Break | None:
    """Set an attribute of an instance of exactly `type_`, which is guarded already."""
    record = class_record(machine, type_)
    custom = look_up(record, "__setattr__")
    if custom.kind is not FoundKind.FUNCTION:
        return rely_on_writes(machine, record) or store(machine, owner, record, name, value)
    stop = rely_on_name(machine, record, "__setattr__")
    if stop is not None:
        return stop
    reply = machine.call(machine, Known(custom.raw, Held(custom.raw)), [owner, Constant(name), value], ())
    return reply if isinstance(reply, STOPS) else None


def store(machine: Machine, owner: Owner, record: ClassRecord, name: str, value: Value) -> Raise | Break | None:
    """Set an attribute of an instance of the class, as `object.__setattr__` does."""
    found = look_up(record, name)
    if found.kind in (FoundKind.DATA, FoundKind.DESCRIPTOR):
        return _store_over_descriptor(machine, owner, record, name, value)
    fields = exception_of(machine, owner)
    if fields is not None and is_field(found.raw):
        return rely_on_name(machine, record, name) or set_field(machine, fields, name, value)
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PROPERTY:
        return _set_property(machine, owner, record, name, value)
    if not is_settable(record, name):
        return refused_write(machine, record, name, "set")
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    if found.kind is not FoundKind.SLOT and _is_written_through_dict(machine, first, content):
        return write_through_dict(machine, first, name, value)
    if type(owner) is Known:
        if not is_quiet(record) or not writes_plainly(record.type):
            return machine.stop(
                "SX2015", f"the slot {name!r} of an object of {class_name(record.type)} is set by Python"
            )
        stop = rely_on_loads(machine, record)
        if stop is not None:
            return stop
        if name in record.written and name not in content.attributes:
            return hidden(machine, record, name)
        old = part_from_dicts(machine, first, name) or own_attribute(machine, first, content, record, name)
        if isinstance(old, Break):
            return old
        if content.namespace is not None and found.kind is not FoundKind.SLOT:
            return write_through_dict(machine, first, name, value)
    return write(machine, first, content, name, value)


def _is_written_through_dict(machine: Machine, owner: Owner, content: ObjectContent) -> bool:
    """Whether stores go into the instance's dict: a commit's own stores would run code, or the dict was asked for."""
    return is_through_dict(machine, owner, content) or (type(owner) is Known and not writes_plainly(content.type))


def _store_over_descriptor(
    machine: Machine, owner: Owner, record: ClassRecord, name: str, value: Value
) -> Raise | Break | None:
    """Set an attribute for which the class has a descriptor that is Python's."""
    descriptor = rely_on_descriptor(machine, record, name)
    if isinstance(descriptor, Break):
        return descriptor
    if look_up(record, name).kind is FoundKind.DATA:
        return call_set(machine, record, name, descriptor, owner, value)
    if not record.has_dict:
        return machine.stop("SX2015", f"{name!r} of an object of {class_name(record.type)} cannot be set but by Python")
    return write_through_dict(machine, owner, name, value)


def is_settable(record: ClassRecord, name: str) -> bool:
    """Whether setting `name` makes the instance hold the value: nothing in the class prevents or computes it."""
    found = look_up(record, name)
    kind = found.kind
    if kind is FoundKind.SLOT:  # members of types written in C may be read-only, or convert
        return type(found.raw) is MemberDescriptorType and "__slots__" in names_of(_owner_of(found.raw))
    hides = kind in (FoundKind.GETSET, FoundKind.DATA, FoundKind.PROPERTY)
    return record.has_dict and not hides


def rely_on_writes(machine: Machine, record: ClassRecord, name: str = "__setattr__") -> Break | None:
    """Guard that the class has the `__setattr__` (or `__delattr__`) of `object`."""
    if not writes_plainly(record.type, name):
        return machine.stop("SX2015", f"{class_name(record.type)} has a {name} of its own")
    return rely_on_name(machine, record, name)


def _set_property(machine: Machine, owner: Value, record: ClassRecord, name: str, value: Value) -> Raise | Break | None:
    setter: object = _setter(look_up(record, name).raw)
    if setter is None:
        return no_accessor(machine, record, name, "set")
    origin = Attribute(Attribute(record.origin, name), "fset")
    reply = machine.call(machine, Known(setter, origin), [owner, value], ())
    return reply if isinstance(reply, STOPS) else None


def _delete_property(machine: Machine, owner: Value, record: ClassRecord, name: str) -> Raise | Break | None:
    deleter: object = _deleter(look_up(record, name).raw)
    if deleter is None:
        return no_accessor(machine, record, name, "delete")
    origin = Attribute(Attribute(record.origin, name), "fdel")
    reply = machine.call(machine, Known(deleter, origin), [owner], ())
    return reply if isinstance(reply, STOPS) else None


def delete_object_attribute(machine: Machine, owner: Owner, type_: type, name: str) -> Raise | Break | None:
    """Delete an attribute of an instance of exactly `type_`, which is guarded already."""
    record = class_record(machine, type_)
    custom = look_up(record, "__delattr__")
    if custom.kind is not FoundKind.FUNCTION:
        return rely_on_writes(machine, record, "__delattr__") or discard(machine, owner, record, name)
    stop = rely_on_name(machine, record, "__delattr__")
    if stop is not None:
        return stop
    reply = machine.call(machine, Known(custom.raw, Held(custom.raw)), [owner, Constant(name)], ())
    return reply if isinstance(reply, STOPS) else None


def discard(machine: Machine, owner: Owner, record: ClassRecord, name: str) -> Raise | Break | None:
    """Delete an attribute of an instance of the class, as `object.__delattr__` does."""
    found = look_up(record, name)
    if found.kind is FoundKind.DATA:
        descriptor = rely_on_descriptor(machine, record, name)
        if isinstance(descriptor, Break):
            return descriptor
        return call_delete(machine, record, name, descriptor, owner)
    stop = None if found.kind is FoundKind.DESCRIPTOR else rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PROPERTY:
        return _delete_property(machine, owner, record, name)
    if not is_settable(record, name):
        return refused_write(machine, record, name, "delete")
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    if found.kind is FoundKind.SLOT and (is_quiet(record) and writes_plainly(record.type, "__delattr__")):
        return rely_on_loads(machine, record) or remove(machine, first, content, name, is_slot=True)
    if found.kind is FoundKind.SLOT:
        if type(first) is Made:
            return remove(machine, first, content, name, is_slot=True)
        return _undeletable(machine, record, name)
    through_dict = is_through_dict(machine, first, content) or not writes_plainly(record.type, "__delattr__")
    if through_dict or found.kind is not FoundKind.ABSENT:
        return delete_through_dict(machine, first, record.type, name)
    stop = rely_on_loads(machine, record)
    return stop or remove(machine, first, content, name, is_slot=False)


def _undeletable(machine: Machine, record: ClassRecord, name: str) -> Break:
    return machine.stop("SX2015", f"{name!r} of an object of {class_name(record.type)} cannot be deleted but by Python")
