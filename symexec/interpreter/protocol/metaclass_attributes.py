"""What metaclasses give their classes: computed attributes of all classes, properties, methods, plain values.

Knows nothing of what the classes have themselves: callers ask in CPython's order.
"""

from __future__ import annotations

from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    look_up,
    rely_on_metaclass,
    rely_on_name,
    rely_on_namespace,
)
from symexec.interpreter.protocol.descriptors import Pair
from symexec.interpreter.protocol.python_descriptors import rely_on_order
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import ContainsKey
from symexec.values.model import NULL, Constant, Known
from symexec.values.origin import Attribute, Held

_STEADY: Final = frozenset({"__name__", "__qualname__", "__module__", "__doc__", "__mro__", "__bases__"})
"""Computed attributes of classes that give the same object each time, but for a `__doc__` that is a descriptor."""

_getter: Final = property.__dict__["fget"].__get__


def computed_attribute(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """An attribute for which the metaclass has a data descriptor."""
    metaclass = class_record(machine, type(record.type))
    found = look_up(metaclass, name)
    stop = rely_on_metaclass(machine, record)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PROPERTY:
        return _property_value(machine, record, metaclass, name)
    if found.raw is object.__dict__["__class__"]:
        return NULL, Known(metaclass.type, metaclass.origin)
    if found.raw is names_of(type).get(name) and name in _STEADY:
        pair = _steady_value(machine, record, name)
        if pair is not None:
            return pair
    return machine.stop("SX2014", f"{name!r} of {class_name(record.type)} is computed by its metaclass")


def _steady_value(machine: Machine, record: ClassRecord, name: str) -> Pair | None:
    """What C computes of a class; `None` where it would ask a descriptor."""
    own = names_of(record.type).get(name)
    if name == "__doc__" and own is not None and type(own) is not str:
        return None
    value: object = type.__getattribute__(record.type, name)  # the metaclass has a data descriptor of C
    if record.fixed and (value is None or type(value) is str):
        return NULL, Constant(value)
    return NULL, Known(value, Attribute(record.origin, name))


def _property_value(machine: Machine, record: ClassRecord, metaclass: ClassRecord, name: str) -> Pair | Raise | Break:
    getter: object = _getter(look_up(metaclass, name).raw)
    stop = rely_on_name(machine, metaclass, name)
    if stop is None and getter is None:
        stop = machine.stop("SX2015", f"the property {class_name(metaclass.type)}.{name} has no getter")
    if stop is not None:
        return stop
    function = Known(getter, Attribute(Attribute(metaclass.origin, name), "fget"))
    reply = machine.call(machine, function, [Known(record.type, record.origin)], ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def inherited_attribute(machine: Machine, record: ClassRecord, name: str) -> Pair | Raise | Break:
    """An attribute that no class in the order has, and the metaclass has, with no data descriptor."""
    metaclass = class_record(machine, type(record.type))
    found = look_up(metaclass, name)
    known = found.kind in (FoundKind.FUNCTION, FoundKind.PLAIN) and not metaclass.fixed
    if not known or name in record.written or name in metaclass.written:
        return machine.stop("SX2014", f"{name!r} of {class_name(record.type)} is an attribute of its metaclass")
    stop = rely_on_metaclass(machine, record) or rely_on_name(machine, metaclass, name)
    stop = stop or _rely_on_absence(machine, record, name)
    if stop is not None:
        return stop
    if found.kind is FoundKind.PLAIN:
        return NULL, Known(found.raw, Attribute(metaclass.origin, name))
    stop = rely_on_namespace(machine, metaclass, name)
    return stop or (Known(found.raw, Held(found.raw)), Known(record.type, record.origin))


def _rely_on_absence(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    """Guard that no class in the order has the name in its own namespace."""
    order = mro_of(record.type)
    stop = rely_on_order(machine, record, len(order) - 1)
    for base in order:
        owner = class_record(machine, base)
        stop = stop or rely_on_metaclass(machine, owner)
        if stop is not None:
            return stop
        if not owner.fixed:
            machine.guards.add(Attribute(owner.origin, "__dict__"), ContainsKey(name, False))
    return None
