"""Attributes of instances, existing and made: CPython's `object.__getattribute__`, `__setattr__` and `__delattr__`.

What stands in the class decides: data descriptors first, then what the instance holds, then the rest.
"""

from __future__ import annotations

from types import FunctionType, GetSetDescriptorType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import SCALARS, Machine, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.apart import part_from_dicts
from symexec.interpreter.protocol.attribute_errors import no_accessor
from symexec.interpreter.protocol.bases import named_field
from symexec.interpreter.protocol.classes import (
    class_function,
    class_name,
    class_record,
    is_generic,
    is_quiet,
    look_up,
    rely_on_loads,
    rely_on_metaclass,
    rely_on_name,
    rely_on_namespace,
    rely_on_no_fallback,
    static_function,
    written_value,
)
from symexec.interpreter.protocol.exceptions import exception_of, get_field, is_field
from symexec.interpreter.protocol.instance_dicts import instance_dict, is_through_dict, read_through_dict
from symexec.interpreter.protocol.instances import (
    Owner,
    note,
    object_content,
    read,
    read_over_builtin,
    read_over_method,
)
from symexec.interpreter.protocol.missing import missing, missing_slot
from symexec.interpreter.protocol.python_descriptors import call_get, method_of, rely_on_descriptor
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import Is, Present
from symexec.values.heap import ABSENT, Absent, MethodContent, ObjectContent
from symexec.values.model import NULL, Constant, Known, Made, Null, Value
from symexec.values.origin import Attribute, Fixed, Held, Past

_getter: Final = property.__dict__["fget"].__get__
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
    """An attribute of an instance of exactly `type_`, which is guarded already: `slot_tp_getattr_hook`."""
    record = class_record(machine, type_)
    if is_generic(record):
        pair = generic_attribute(machine, owner, record, name)
    else:
        pair = _ask(machine, owner, record, "__getattribute__", name)
    if not is_raised(machine, pair, AttributeError) or record.fixed:
        return pair
    fallback = look_up(record, "__getattr__")
    if fallback.kind is FoundKind.ABSENT:
        return rely_on_no_fallback(machine, record) or pair
    return _ask(machine, owner, record, "__getattr__", name)


def _ask(machine: Machine, owner: Owner, record: ClassRecord, method: str, name: str) -> Pair | Raise | Break:
    """What the class's own `__getattribute__` or `__getattr__` gives for a name."""
    found = look_up(record, method)
    if found.kind is not FoundKind.FUNCTION:
        return machine.stop("SX2011", f"{class_name(record.type)} looks up attributes in a way of its own")
    stop = rely_on_name(machine, record, method)
    if stop is not None:
        return stop
    reply = machine.call(machine, Known(found.raw, Held(found.raw)), [owner, Constant(name)], ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def generic_attribute(machine: Machine, owner: Owner, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """What `object.__getattribute__` gives for an instance of the class: `_PyObject_GenericGetAttrWithDict`."""
    found = look_up(record, name)
    if found.kind in (FoundKind.DATA, FoundKind.DESCRIPTOR):
        return _described(machine, owner, record, name, found.kind)
    fields = exception_of(machine, owner)
    if fields is not None and is_field(found.raw):
        value = rely_on_name(machine, record, name) or get_field(machine, fields, name)
        return value if isinstance(value, Break) else (NULL, value)
    stop = rely_on_loads(machine, record) if is_quiet(record) else None
    if stop is not None:
        return stop
    field = named_field(machine, owner, record.origin, name, found.raw)
    if field is not None:
        return rely_on_name(machine, record, name) or (NULL, field)
    if found.kind is FoundKind.GETSET or name == "__dict__":
        return _computed(machine, owner, record, name, found.raw)
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PROPERTY:
        return _property_value(machine, owner, record, name, found.raw)
    if not record.has_dict and found.kind is not FoundKind.SLOT and name not in record.written:
        return _from_class(machine, owner, record, name)
    if record.fixed and found.kind is FoundKind.SLOT:
        return _member(machine, owner, record, name)
    return _of_instance(machine, owner, record, name, found.kind)


def _of_instance(
    machine: Machine, owner: Owner, record: ClassRecord, name: str, kind: FoundKind
) -> Pair | Raise | Break:
    """An attribute that the instance may hold itself, or else its class has."""
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    if kind is FoundKind.SLOT and not is_quiet(record):
        own = _past_class(machine, first, content, record, name)
    elif kind is not FoundKind.SLOT and is_through_dict(machine, first, content):
        own = hidden(machine, record, name) if name in record.written else read_through_dict(machine, first, name)
        if isinstance(own, Absent):
            return rely_on_namespace(machine, record, name) or _from_class(machine, first, record, name)
    elif name in record.written:
        return _over_written(machine, owner, record, name)
    else:
        stop = part_from_dicts(machine, first, name)
        own = stop or own_attribute(machine, first, content, record, name)
    if isinstance(own, Break):
        return own
    return _from_class(machine, first, record, name) if isinstance(own, Absent) else (NULL, own)


def _past_class(
    machine: Machine, owner: Owner, content: ObjectContent, record: ClassRecord, name: str
) -> Value | Absent | Break:
    """What is in a slot of an instance whose class would do something of its own if the slot were empty."""
    seen = content.attributes.get(name)
    if seen is not None or type(owner) is not Known:
        return ABSENT if seen is None else seen
    try:
        loaded: object = _load(owner.value, name)
    except AttributeError:
        return machine.stop("SX2014", f"an empty slot {name!r} of an object of {class_name(record.type)} is not known")
    value = Known(loaded, Past(owner.origin, name))
    machine.guards.add(value.origin, Present())
    note(machine, content.attributes, name, value)
    return value


def _described(machine: Machine, owner: Owner, record: ClassRecord, name: str, kind: FoundKind) -> Pair | Raise | Break:
    """An attribute for which the class has a descriptor that is Python's."""
    descriptor = rely_on_descriptor(machine, record, name)
    if isinstance(descriptor, Break):
        return descriptor
    if name in record.written:
        return hidden(machine, record, name)
    getter = method_of(machine, descriptor, "__get__").kind
    if (kind is FoundKind.DESCRIPTOR or getter is FoundKind.ABSENT) and record.has_dict:
        own = read_through_dict(machine, owner, name)
        if isinstance(own, Break):
            return own
        if not isinstance(own, Absent):
            return NULL, own
    if getter is FoundKind.ABSENT:
        return NULL, descriptor
    reply = call_get(machine, record, name, descriptor, owner)
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _over_written(machine: Machine, owner: Owner, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """An attribute that the trace may have given another value in the class."""
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    own = content.attributes.get(name)
    if own is not None and not isinstance(own, Absent):
        return NULL, own
    written = hidden(machine, record, name) if type(first) is Known else written_value(machine, record, name)
    if written is None:
        return _from_class(machine, first, record, name)
    return written if isinstance(written, Break) else (NULL, written)


def hidden(machine: Machine, record: ClassRecord, name: str) -> Break:
    return machine.stop("SX2016", f"whether an object of {class_name(record.type)} hides {name!r} is not known")


def own_attribute(
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
        case FoundKind.C_METHOD if type(owner) is Known and machine.is_fixed(found.raw):
            return read_over_builtin(machine, owner, content, name, found.raw)
        case FoundKind.C_METHOD | FoundKind.C_CLASS_METHOD if type(owner) is Known:
            return read_through_dict(machine, owner, name)
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
        case FoundKind.ABSENT:
            return missing(machine, record.type, name)
        case FoundKind.SLOT:
            return missing_slot(machine, record, name)
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
        content = machine.heap.content(owner) if isinstance(owner, Made) else None
        held = content.attributes.get(name) if isinstance(content, ObjectContent) else None
        if held is not None and not isinstance(held, Absent):
            return NULL, held
        return machine.stop("SX2014", f"{class_name(record.type)}.{name} is not known of a new object")
    try:
        loaded: object = _load(owner.value, name)
    except AttributeError as error:
        return Raise(AttributeError(*error.args, name=name))
    origin = Attribute(owner.origin, name)
    machine.guards.add(origin, Present())
    return NULL, Known(loaded, origin)


def class_method(record: ClassRecord, name: str) -> Known:
    """The function that a class method wraps, its identity being guarded."""
    function = class_function(look_up(record, name).raw)
    return Known(function, Held(function))


def bound_class_method(record: ClassRecord, name: str) -> Known:
    """A class method of a builtin type, bound to it (a new object each time; this one is as good as any)."""
    bound: object = type.__getattribute__(record.type, name)
    return Known(bound, Fixed(bound))


def _computed(machine: Machine, owner: Owner, record: ClassRecord, name: str, raw: object) -> Pair | Raise | Break:
    """A computed attribute of C: the class, the dict, or one that is known to give the same object each time."""
    if raw is _CLASS:
        stop = rely_on_metaclass(machine, record)
        if stop is None and type(owner) is Known and not record.fixed:
            load = Attribute if is_generic(record) else Past
            machine.guards.add(load(owner.origin, name), Is(record.type))
        return stop or (NULL, Known(record.type, record.origin))
    if name == "__dict__" and record.has_dict:
        namespace = instance_dict(machine, owner)
        return namespace if isinstance(namespace, Break) else (NULL, namespace)
    if id(raw) in _STEADY and type(owner) is Known and record.fixed and type(raw) is GetSetDescriptorType:
        reply = object_content(machine, owner)
        if isinstance(reply, Break):
            return reply
        first, content = reply
        own = read(machine, first, content, name)
        return missing(machine, record.type, name) if isinstance(own, Absent) else (NULL, own)
    return machine.stop("SX2014", f"{class_name(record.type)}.{name} is computed by C code that is not known")


def _property_value(
    machine: Machine, owner: Value, record: ClassRecord, name: str, raw: object
) -> Pair | Raise | Break:
    getter: object = _getter(raw)
    origin = Attribute(Attribute(record.origin, name), "fget")
    if getter is None:
        return no_accessor(machine, record, name, "get")
    reply = machine.call(machine, Known(getter, origin), [owner], ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def is_unbound(pair: Pair) -> bool:
    """Whether the pair is a function and its self, not `NULL` and an attribute."""
    return not isinstance(pair[0], Null)
