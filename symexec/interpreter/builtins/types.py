"""`isinstance` and `issubclass`, by the method resolution order, which is guarded where it may change."""

from __future__ import annotations

from types import UnionType
from typing import Final

from symexec.interpreter.machine import Machine, is_class, is_static_type
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name, class_record, find_in_class, rely_on_metaclass
from symexec.interpreter.protocol.contents import tuple_items
from symexec.interpreter.protocol.special import is_among, mro_of
from symexec.values.guard import Is, Length, TypeIs
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Attribute, Held, Item

_CLASS: Final = find_in_class(object, "__class__")
_LOAD: Final = find_in_class(object, "__getattribute__")


def instance_of(machine: Machine, value: Value, wanted: Value) -> bool | Break:
    """What `isinstance(value, wanted)` gives."""
    type_ = machine.type_of(value)
    if not is_static_type(type_) and not _tells_its_class(type_):
        return machine.stop("SX2118", f"{class_name(type_)} may say that it is of another class")
    return _any_base(machine, type_, wanted)


def subclass_of(machine: Machine, value: Value, wanted: Value) -> bool | Break:
    """What `issubclass(value, wanted)` gives."""
    class_ = _class(machine, value)
    if isinstance(class_, Break):
        return class_
    return _any_base(machine, class_[0], wanted)


def _tells_its_class(type_: type) -> bool:
    """Whether `value.__class__` is the type itself, for a value of this type (`isinstance` asks for it)."""
    return find_in_class(type_, "__class__") is _CLASS and find_in_class(type_, "__getattribute__") is _LOAD


def _any_base(machine: Machine, type_: type, wanted: Value) -> bool | Break:
    """Whether the type is, or inherits from, one of the wanted ones, of which there may be a tuple."""
    if machine.type_of(wanted) is tuple:
        items = tuple_items(machine, wanted)
        if isinstance(items, Break):
            return items
        for item in items:
            answer = _any_base(machine, type_, item)
            if answer is not False:
                return answer
        return False
    if isinstance(wanted, (Known, Constant)) and type(wanted.value) is UnionType:
        members = wanted.value.__args__
        if isinstance(wanted, Constant):
            return _any_base(machine, type_, Constant(members))
        machine.type_of(wanted)
        return _any_base(machine, type_, Known(members, Attribute(wanted.origin, "__args__")))
    found = _class(machine, wanted)
    if isinstance(found, Break):
        return found
    (base,) = found
    if type_ is base:
        return True
    if type(base) is not type:
        return machine.stop("SX2118", f"the metaclass of {class_name(base)} may have an opinion on its instances")
    return _inherits(machine, type_, base)


def _class(machine: Machine, value: Value) -> tuple[type] | Break:
    """The class that `value` surely is; in a tuple, as asking whether a class is a break could run code."""
    found = value.value if isinstance(value, (Known, Constant)) else None
    if not is_class(found):
        return machine.stop("SX2118", f"a {class_name(machine.type_of(value))} is not a class")
    if isinstance(value, Known) and not isinstance(value.origin, Held) and not machine.identify(value):
        return machine.stop("SX2118", f"{class_name(found)} cannot be recognised again")
    return (found,)


def _inherits(machine: Machine, type_: type, base: type) -> bool | Break:
    """Whether `base` is in the order of `type_`, which may change where the user's classes are in it."""
    order = mro_of(type_)
    if is_static_type(type_):
        return is_among(base, order)
    record = class_record(machine, type_)
    stop = rely_on_metaclass(machine, record)
    if stop is not None:
        return stop
    origin = Attribute(record.origin, "__mro__")
    machine.guards.add(origin, TypeIs(tuple))
    for index, each in enumerate(order):
        if each is base:
            machine.guards.add(Item(origin, index), Is(base))
            return True
    machine.guards.add(origin, Length(len(order)))
    for index, each in enumerate(order):
        machine.guards.add(Item(origin, index), Is(each))
    return False
