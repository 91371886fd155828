"""`isinstance` and `issubclass`, by the method resolution order, which is guarded where it may change."""

from __future__ import annotations

from abc import ABCMeta
from types import FunctionType, UnionType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.builtins.abstract import abstract_answer
from symexec.interpreter.machine import Machine, is_class, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    find_in_class,
    loads_plainly,
    rely_on_metaclass,
)
from symexec.interpreter.protocol.contents import tuple_items
from symexec.interpreter.protocol.special import is_among, mro_of, names_of
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.interpreter.protocol.truth import truth
from symexec.values.guard import Is, Length, TypeIs
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Attribute, Held, Item

_CLASS: Final = find_in_class(object, "__class__")


def instance_of(machine: Machine, value: Value, wanted: Value) -> bool | Raise | Break:
    """What `isinstance(value, wanted)` gives."""
    return _any_base(machine, value, machine.type_of(value), wanted, "__instancecheck__")


def subclass_of(machine: Machine, value: Value, wanted: Value) -> bool | Raise | Break:
    """What `issubclass(value, wanted)` gives."""
    class_ = _class(machine, value)
    if isinstance(class_, Break):
        return class_
    return _any_base(machine, value, class_[0], wanted, "__subclasscheck__")


def _tells_its_class(type_: type) -> bool:
    """Whether `value.__class__` is the type itself, for a value of this type (`isinstance` asks for it)."""
    return is_static_type(type_) or (find_in_class(type_, "__class__") is _CLASS and loads_plainly(type_))


def _any_base(machine: Machine, value: Value, type_: type, wanted: Value, check: str) -> bool | Raise | Break:
    """Whether the type of the value (or the value itself) is, or inherits from, one of the wanted ones, of which there
    may be a tuple.

    `check` is the special method by which metaclasses say so.
    """
    if machine.type_of(wanted) is tuple:
        items = tuple_items(machine, wanted)
        if isinstance(items, Break):
            return items
        for item in items:
            answer = _any_base(machine, value, type_, item, check)
            if answer is not False:
                return answer
        return False
    if isinstance(wanted, (Known, Constant)) and type(wanted.value) is UnionType:
        members = wanted.value.__args__
        if isinstance(wanted, Constant):
            return _any_base(machine, value, type_, Constant(members), check)
        machine.type_of(wanted)
        return _any_base(machine, value, type_, Known(members, Attribute(wanted.origin, "__args__")), check)
    found = _class(machine, wanted)
    if isinstance(found, Break):
        return found
    (base,) = found
    if type_ is base and (check == "__instancecheck__" or type(base) is type):
        return True
    own = find_in_class(type(base), check)
    if type(own) is FunctionType and own is not names_of(ABCMeta)[check]:
        return _ask_metaclass(machine, wanted, check, value)
    stop = _rely_on_check(machine, type(base), check)
    if stop is not None:
        return stop
    if find_in_class(type(base), check) is names_of(ABCMeta)[check]:
        return _ask_abstract(machine, type_, base)
    answer = inherits(machine, type_, base)
    if answer is False and check == "__instancecheck__" and not _tells_its_class(type_):
        return machine.stop("SX2118", f"{class_name(type_)} may say that it is of another class")
    return answer


def _ask_metaclass(machine: Machine, wanted: Value, check: str, value: Value) -> bool | Raise | Break:
    """What the metaclass's own method says, as a truth value."""
    method = special_method(machine, wanted, check)
    if isinstance(method, STOPS):
        return method
    if method is None:
        raise InternalError(f"every class has {check}")
    reply = call_special(machine, method, wanted, value)
    return reply if isinstance(reply, STOPS) else truth(machine, reply)


def _ask_abstract(machine: Machine, type_: type, base: type) -> bool | Break:
    answer = abstract_answer(machine, type_, base) if _tells_its_class(type_) else None
    if answer is None:
        return machine.stop("SX2118", f"{class_name(base)} asks code of its own about {class_name(type_)}")
    return answer


def _rely_on_check(machine: Machine, metaclass: type, check: str) -> Break | None:
    """Guard that the metaclass answers as `type` does."""
    plain = find_in_class(metaclass, check)
    if plain is not names_of(type)[check] and plain is not names_of(ABCMeta)[check]:
        return machine.stop("SX2118", f"{class_name(metaclass)} has an opinion on instances and subclasses")
    record = class_record(machine, metaclass)
    if not record.fixed:
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        machine.guards.add(Attribute(record.origin, check), Is(plain))
    return None


def _class(machine: Machine, value: Value) -> tuple[type] | Break:
    """The class that `value` surely is; in a tuple, as asking whether a class is a break could run code."""
    found = value.value if isinstance(value, (Known, Constant)) else None
    if not is_class(found):
        return machine.stop("SX2118", f"a {class_name(machine.type_of(value))} is not a class")
    if isinstance(value, Known) and not isinstance(value.origin, Held) and not machine.identify(value):
        return machine.stop("SX2118", f"{class_name(found)} cannot be recognised again")
    return (found,)


def inherits(machine: Machine, type_: type, base: type) -> bool | Break:
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
