"""Descriptors whose methods are Python's: those of the user's classes, `functools.cached_property` and the like.

An ordinary load of one runs its code, so all that is relied on is read in the namespaces of classes.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from symexec.interpreter.machine import Machine, is_weakly_referencable
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    find_in_class,
    look_up,
    rely_on_metaclass,
    rely_on_name,
    rely_on_namespace,
    remember,
)
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.instance_dicts import write_through_dict
from symexec.interpreter.protocol.instances import Owner
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.interpreter.records import ClassRecord, Found, FoundKind
from symexec.values.guard import Is, TypeIs
from symexec.values.model import NONE, Known, Made, Value
from symexec.values.origin import Attribute, Held, Item

_METHODS: Final = ("__get__", "__set__", "__delete__")
_HAS_LOCK: Final = "lock" in vars(cached_property(len))  # up to 3.11


def rely_on_descriptor(machine: Machine, record: ClassRecord, name: str) -> Known | Break:
    """Guard which descriptor the class has under a name, and what its class does with loads, stores and deletes."""
    raw = look_up(record, name).raw
    index = next(at for at, base in enumerate(mro_of(record.type)) if name in names_of(base))
    owner = class_record(machine, mro_of(record.type)[index])
    place = Item(Attribute(owner.origin, "__dict__"), name)
    known = Known(raw, Held(raw) if is_weakly_referencable(raw) else place)
    fact = f"(descriptor {name})"
    if fact in record.facts:
        return known
    if owner.fixed:
        return machine.stop("SX2012", f"{class_name(owner.type)}.{name} can only be read by Python")
    stop = rely_on_metaclass(machine, record) or rely_on_order(machine, record, index)
    stop = stop or rely_on_namespace(machine, record, name)
    if stop is not None:
        return stop
    if isinstance(known.origin, Held):
        machine.guards.add(place, Is(raw))
    kind = class_record(machine, type(raw))
    for method in _METHODS:
        stop = rely_on_name(machine, kind, method)
        if stop is not None:
            return stop
    remember(machine, record, fact)
    return known


def rely_on_order(machine: Machine, record: ClassRecord, index: int) -> Break | None:
    """Guard the first classes of the method resolution order, up to that index."""
    if index == 0 or record.fixed:
        return None
    origin = Attribute(record.origin, "__mro__")
    machine.guards.add(origin, TypeIs(tuple))
    for at, base in enumerate(mro_of(record.type)[: index + 1]):
        machine.guards.add(Item(origin, at), Is(base))
    return None


def method_of(machine: Machine, descriptor: Known, name: str) -> Found:
    """What the descriptor's class has under the name of one of the three methods, guarded already."""
    return look_up(class_record(machine, type(descriptor.value)), name)


def call_get(machine: Machine, record: ClassRecord, name: str, descriptor: Known, owner: Value | None) -> Reply:
    """What the descriptor gives for an instance of the class, or for the class itself."""
    found = method_of(machine, descriptor, "__get__")
    owner_class = Known(record.type, record.origin)
    if type(descriptor.value) is cached_property and isinstance(owner, (Known, Made)):
        return _cached(machine, descriptor, owner, name)
    if found.kind is FoundKind.FUNCTION:
        return _call(machine, found, descriptor, NONE if owner is None else owner, owner_class)
    if found.raw is property.__dict__["__get__"]:
        return _property(machine, descriptor, "fget", (owner,)) if owner is not None else descriptor
    return _opaque(machine, record, name)


def call_set(
    machine: Machine, record: ClassRecord, name: str, descriptor: Known, owner: Owner, value: Value
) -> Raise | Break | None:
    """Let the descriptor set the attribute of an instance of the class."""
    found = method_of(machine, descriptor, "__set__")
    if found.kind is FoundKind.FUNCTION:
        reply = _call(machine, found, descriptor, owner, value)
    elif found.raw is property.__dict__["__set__"]:
        reply = _property(machine, descriptor, "fset", (owner, value))
    else:
        reply = _opaque(machine, record, name)
    return reply if isinstance(reply, STOPS) else None


def call_delete(
    machine: Machine, record: ClassRecord, name: str, descriptor: Known, owner: Owner
) -> Raise | Break | None:
    """Let the descriptor delete the attribute of an instance of the class."""
    found = method_of(machine, descriptor, "__delete__")
    if found.kind is FoundKind.FUNCTION:
        reply = _call(machine, found, descriptor, owner)
    elif found.raw is property.__dict__["__delete__"]:
        reply = _property(machine, descriptor, "fdel", (owner,))
    else:
        reply = _opaque(machine, record, name)
    return reply if isinstance(reply, STOPS) else None


def _call(machine: Machine, found: Found, *args: Value) -> Reply:
    return machine.call(machine, Known(found.raw, Held(found.raw)), args, ())


def _property(machine: Machine, descriptor: Known, name: str, args: tuple[Value, ...]) -> Reply:
    """Call one of the functions of an instance of a subclass of `property`."""
    kind = class_record(machine, type(descriptor.value))
    function: object = property.__dict__[name].__get__(descriptor.value)
    if find_in_class(kind.type, name) is not property.__dict__[name] or function is None:
        return machine.stop("SX2015", f"a {class_name(kind.type)} has no {name} that is known")
    stop = rely_on_name(machine, kind, name)
    return stop or machine.call(machine, Known(function, Attribute(descriptor.origin, name)), args, ())


def _cached(machine: Machine, descriptor: Known, owner: Owner, name: str) -> Reply:
    """What a `functools.cached_property` computes, and puts into the instance's dict, where there is nothing yet."""
    own_name = machine.get_attribute(machine, descriptor, "attrname")
    if isinstance(own_name, STOPS) or constant_of(machine, own_name) != name:
        return machine.stop("SX2012", f"the cached property {name} is under another name than its own")
    if _HAS_LOCK and isinstance(owner, Known):
        return machine.stop("SX2012", f"the cached property {name} is computed under a lock")
    function = machine.get_attribute(machine, descriptor, "func")
    reply = function if isinstance(function, STOPS) else machine.call(machine, function, [owner], ())
    if isinstance(reply, STOPS):
        return reply
    return write_through_dict(machine, owner, name, reply) or reply


def _opaque(machine: Machine, record: ClassRecord, name: str) -> Break:
    kind = class_name(type(look_up(record, name).raw))
    return machine.stop("SX2012", f"{class_name(record.type)}.{name} is a {kind} that only Python can read")
