"""Attributes of instances, existing and made: CPython's `object.__getattribute__`, `__setattr__` and `__delattr__`.

What stands in the class decides: data descriptors first, then what the instance holds, then the rest.
"""

from __future__ import annotations

from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import SCALARS, Machine, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import (
    class_function,
    class_name,
    class_record,
    look_up,
    rely_on_loads,
    rely_on_metaclass,
    rely_on_name,
    rely_on_namespace,
    static_function,
    writes_plainly,
    written_value,
)
from symexec.interpreter.protocol.exceptions import exception_of, get_field, is_field, set_field
from symexec.interpreter.protocol.instances import (
    Owner,
    missing,
    object_content,
    read,
    read_over_method,
    remove,
    write,
)
from symexec.interpreter.protocol.special import names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import Is
from symexec.values.heap import Absent, MethodContent, ObjectContent
from symexec.values.model import NULL, Constant, Known, Null, Value
from symexec.values.origin import Attribute, Fixed, Held

_getter: Final = property.__dict__["fget"].__get__
_setter: Final = property.__dict__["fset"].__get__
_owner_of: Final = MemberDescriptorType.__dict__["__objclass__"].__get__
_load: Final = object.__getattribute__
_CLASS: Final = object.__dict__["__class__"]
_STEADY: Final = frozenset(
    id(FunctionType.__dict__[name])
    for name in ("__name__", "__qualname__", "__code__", "__defaults__", "__kwdefaults__")
) | {id(BaseException.__dict__["args"])}
"""Computed attributes of C, by identity, that give the same object each time."""

Pair = tuple[Value, Value]
"""What LOAD_METHOD pushes: a function and its self, or `NULL` and the attribute."""


def object_attribute(machine: Machine, owner: Owner, type_: type, name: str) -> Pair | Raise | Break:
    """An attribute of an instance of exactly `type_`, which is guarded already."""
    record = class_record(machine, type_)
    stop = rely_on_loads(machine, record)
    if stop is not None:
        return stop
    found = look_up(record, name)
    fields = exception_of(machine, owner)
    if fields is not None and is_field(found.raw):
        value = rely_on_name(machine, record, name) or get_field(machine, fields, name)
        return value if isinstance(value, Break) else (NULL, value)
    if found.kind is FoundKind.GETSET:
        return _computed(machine, owner, record, name, found.raw)
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PROPERTY:
        return _property_value(machine, owner, record, name, found.raw)
    if name in record.written:
        return _over_written(machine, owner, record, name)
    if not record.has_dict and found.kind is not FoundKind.SLOT:
        return _from_class(machine, owner, record, name)
    if record.fixed and found.kind is FoundKind.SLOT:
        return _member(machine, owner, record, name)
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    own = _own(machine, first, content, record, name)
    if isinstance(own, Break):
        return own
    return _from_class(machine, first, record, name) if isinstance(own, Absent) else (NULL, own)


def _over_written(machine: Machine, owner: Owner, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """An attribute that the trace may have given another value in the class."""
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    own = content.attributes.get(name)
    if own is not None and not isinstance(own, Absent):
        return NULL, own
    written = _hidden(machine, record, name) if type(first) is Known else written_value(machine, record, name)
    if written is None:
        return _from_class(machine, first, record, name)
    return written if isinstance(written, Break) else (NULL, written)


def _hidden(machine: Machine, record: ClassRecord, name: str) -> Break:
    return machine.stop("SX2016", f"whether an object of {class_name(record.type)} hides {name!r} is not known")


def _own(
    machine: Machine, owner: Owner, content: ObjectContent, record: ClassRecord, name: str
) -> Value | Absent | Break:
    """What the instance itself holds under a name; where it makes no difference, what a load of it gives."""
    seen = content.attributes.get(name)
    if seen is not None:
        return seen
    found = look_up(record, name)
    match found.kind:
        case FoundKind.ABSENT | FoundKind.SLOT | FoundKind.PLAIN | FoundKind.STATIC:
            return read(machine, owner, content, name)
        case FoundKind.FUNCTION:
            method = MethodContent(Known(found.raw, Held(found.raw)), owner)
            return read_over_method(machine, owner, content, name, method)
        case FoundKind.CLASS:
            method = MethodContent(class_method(record, name), Known(record.type, record.origin))
            return read_over_method(machine, owner, content, name, method)
        case FoundKind.C_METHOD | FoundKind.C_CLASS_METHOD if type(owner) is Known:
            return machine.stop("SX2014", f"whether an object of {class_name(record.type)} hides {name!r} is not known")
        case FoundKind.C_METHOD | FoundKind.C_CLASS_METHOD:
            return read(machine, owner, content, name)
        case _:
            raise InternalError(f"a {found.kind.value} comes before what the instance holds")


def _from_class(machine: Machine, owner: Value, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """What the class gives where the instance holds nothing under the name."""
    found = look_up(record, name)
    origin = Attribute(record.origin, name)
    if found.kind in (FoundKind.FUNCTION, FoundKind.STATIC) and not (type(owner) is Known and record.has_dict):
        stop = rely_on_namespace(machine, record, name)
        if stop is not None:
            return stop
    match found.kind:
        case FoundKind.ABSENT | FoundKind.SLOT:
            return missing(record.type, name)
        case FoundKind.FUNCTION:
            return Known(found.raw, Held(found.raw)), owner
        case FoundKind.CLASS:
            return class_method(record, name), Known(record.type, record.origin)
        case FoundKind.STATIC | FoundKind.PLAIN:
            raw = static_function(found.raw) if found.kind is FoundKind.STATIC else found.raw
            return (NULL, Known(raw, origin)) if not record.fixed else _of_builtin(machine, record, name, raw)
        case FoundKind.C_METHOD:
            return Known(found.raw, Fixed(found.raw) if is_process_wide(found.raw) else origin), owner
        case FoundKind.C_CLASS_METHOD if record.fixed:
            return NULL, bound_class_method(record, name)
        case _:
            return machine.stop("SX2012", f"{class_name(record.type)}.{name} can only be read by Python")


def _of_builtin(machine: Machine, record: ClassRecord, name: str, raw: object) -> Pair | Break:
    """A plain value in the namespace of a builtin type, read through an instance."""
    if type(raw) in SCALARS:
        return NULL, Constant(raw)
    if is_process_wide(raw):
        return NULL, Known(raw, Fixed(raw))
    return machine.stop("SX2014", f"{class_name(record.type)}.{name} is not a constant")


def _member(machine: Machine, owner: Owner, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """A member of an instance of a builtin type: nothing in the trace writes it."""
    if type(owner) is not Known:
        return machine.stop("SX2014", f"{class_name(record.type)}.{name} is not known of a new object")
    try:
        loaded: object = _load(owner.value, name)
    except AttributeError:
        return missing(record.type, name)
    return NULL, Known(loaded, Attribute(owner.origin, name))


def class_method(record: ClassRecord, name: str) -> Known:
    """The function that a class method wraps, its identity being guarded."""
    function = class_function(look_up(record, name).raw)
    return Known(function, Held(function))


def bound_class_method(record: ClassRecord, name: str) -> Known:
    """A class method of a builtin type, bound to it (a new object each time; this one is as good as any)."""
    bound: object = type.__getattribute__(record.type, name)
    return Known(bound, Fixed(bound))


def _computed(machine: Machine, owner: Owner, record: ClassRecord, name: str, raw: object) -> Pair | Raise | Break:
    """A computed attribute of C: the class, or one that is known to give the same object each time."""
    if raw is _CLASS:
        stop = rely_on_metaclass(machine, record)
        if stop is None and type(owner) is Known and not record.fixed:
            machine.guards.add(Attribute(owner.origin, name), Is(record.type))
        return stop or (NULL, Known(record.type, record.origin))
    if id(raw) in _STEADY and type(owner) is Known and record.fixed and type(raw) is GetSetDescriptorType:
        reply = object_content(machine, owner)
        if isinstance(reply, Break):
            return reply
        first, content = reply
        own = read(machine, first, content, name)
        return missing(record.type, name) if isinstance(own, Absent) else (NULL, own)
    return machine.stop("SX2014", f"{class_name(record.type)}.{name} is computed by C code that is not known")


def _property_value(
    machine: Machine, owner: Value, record: ClassRecord, name: str, raw: object
) -> Pair | Raise | Break:
    getter: object = _getter(raw)
    origin = Attribute(Attribute(record.origin, name), "fget")
    if getter is None:
        return machine.stop("SX2015", f"the property {class_name(record.type)}.{name} has no getter")
    reply = machine.call(machine, Known(getter, origin), [owner], ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


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
    stop = rely_on_loads(machine, record) or rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    found = look_up(record, name)
    fields = exception_of(machine, owner)
    if fields is not None and is_field(found.raw):
        return set_field(machine, fields, name, value)
    if found.kind is FoundKind.PROPERTY:
        return _set_property(machine, owner, record, name, value)
    if not is_settable(record, name):
        return machine.stop("SX2015", f"{name!r} of an object of {class_name(record.type)} cannot be set but by Python")
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    if type(owner) is Known:
        if name in record.written and name not in content.attributes:
            return _hidden(machine, record, name)
        old = _own(machine, first, content, record, name)
        if isinstance(old, Break):
            return old
    return write(machine, first, content, name, value)


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


def _set_property(
    machine: Machine, owner: Value, record: ClassRecord, name: str, value: Value
) -> Raise | Break | None:
    setter: object = _setter(look_up(record, name).raw)
    if setter is None:
        return machine.stop("SX2015", f"the property {class_name(record.type)}.{name} has no setter")
    origin = Attribute(Attribute(record.origin, name), "fset")
    reply = machine.call(machine, Known(setter, origin), [owner, value], ())
    return reply if isinstance(reply, STOPS) else None


def delete_object_attribute(machine: Machine, owner: Owner, type_: type, name: str) -> Raise | Break | None:
    """Delete an attribute of an instance of exactly `type_`, which is guarded already."""
    record = class_record(machine, type_)
    stop = rely_on_loads(machine, record) or rely_on_writes(machine, record, "__delattr__")
    if stop is None:
        stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    kind = look_up(record, name).kind
    if not is_settable(record, name) or kind not in (FoundKind.ABSENT, FoundKind.SLOT):
        return machine.stop("SX2015", f"{name!r} of an object of {class_name(type_)} cannot be deleted but by Python")
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    return remove(machine, first, content, name)


def is_unbound(pair: Pair) -> bool:
    """Whether the pair is a function and its self, not `NULL` and an attribute."""
    return not isinstance(pair[0], Null)
