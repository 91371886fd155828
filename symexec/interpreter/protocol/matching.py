"""The steps of `match` statements: CPython's `match_class` and `match_keys` (`Python/ceval.c`), and the flags of types
that say what counts as a sequence or a mapping.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from symexec.bytecode.features import NAME_OF_CLASSES
from symexec.interpreter.builtins.types import instance_of
from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.attributes import get_attribute, get_method
from symexec.interpreter.protocol.calls import call
from symexec.interpreter.protocol.class_attributes import class_attribute
from symexec.interpreter.protocol.classes import class_record, find_in_class, rely_on_metaclass
from symexec.interpreter.protocol.contents import constant_of, dict_entry, tuple_items
from symexec.interpreter.protocol.keys import usable_key
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.refusals import name_in_messages, raise_naming
from symexec.values.guard import HasBits
from symexec.values.heap import Absent, ObjectContent, TupleContent
from symexec.values.keys import ObjectKey
from symexec.values.model import NONE, Constant, Known, Made, Null, Value, boolean
from symexec.values.origin import Attribute, Fixed

SEQUENCE: Final = 1 << 5  # Py_TPFLAGS_SEQUENCE
MAPPING: Final = 1 << 6  # Py_TPFLAGS_MAPPING

_MATCHES_ITSELF: Final = 1 << 22  # _Py_TPFLAGS_MATCH_SELF
_FLAGS: Final = type.__dict__["__flags__"]
_flags_of: Final = type.__dict__["__flags__"].__get__


def has_flag(machine: Machine, subject: Value, flag: int) -> Reply:
    """Whether the type of the subject has `SEQUENCE` or `MAPPING`, which registering it with an abstract class sets."""
    type_ = machine.type_of(subject)
    flags: int = _flags_of(type_)
    record = class_record(machine, type_)
    if not record.fixed:
        if find_in_class(type(type_), "__flags__") is not _FLAGS:
            return machine.stop("SX2014", "a metaclass has __flags__ of its own")
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        machine.guards.add(Attribute(record.origin, "__flags__"), HasBits(flag, flags & flag))
    return boolean(bool(flags & flag))


def match_keys(machine: Machine, subject: Value, keys: Value) -> Reply:
    """The values of a mapping under all the keys, in a tuple, or `None` where one is missing."""
    wanted = tuple_items(machine, keys)
    if isinstance(wanted, Break):
        return wanted
    if not wanted:
        return Constant(())
    getter = None if machine.type_of(subject) is dict else get_method(machine, subject, "get")
    if isinstance(getter, STOPS):
        return getter
    seen: set[Hashable] = set()
    values: list[Value] = []
    for key in wanted:
        plain = usable_key(machine, key)
        if isinstance(plain, Break):
            return plain
        if plain in seen and isinstance(plain, ObjectKey):
            return machine.stop("SX2104", "a mapping pattern has an object twice as a key: it raises")
        if plain in seen:
            return Raise(ValueError(f"mapping pattern checks duplicate key ({plain!r})"))
        seen.add(plain)
        found = dict_entry(machine, subject, plain) if getter is None else _get(machine, getter, key)
        if isinstance(found, Absent):
            return NONE
        if isinstance(found, STOPS):
            return found
        values.append(found)
    return machine.heap.make(TupleContent(tuple(values)))


def _get(machine: Machine, getter: tuple[Value, Value], key: Value) -> Value | Absent | Raise | Break:
    """What the mapping's own `get` gives for a key; absent where it gives back the default, an object made for that."""
    lower, upper = getter
    default = machine.heap.make(ObjectContent(object, {}))
    arguments = [key, default]
    if isinstance(lower, Null):
        found = call(machine, upper, arguments, ())
    else:
        found = call(machine, lower, [upper, *arguments], ())
    if isinstance(found, Made) and found.object_id == default.object_id:
        return Absent()
    return found


def match_class(machine: Machine, subject: Value, class_: Value, count: int, names: Value) -> Reply:
    """The attributes that `count` positional patterns and those by name are matched with, in a tuple; `None` where the
    subject is no instance of the class, or has one of the attributes not.
    """
    type_ = class_.value if isinstance(class_, (Known, Constant)) else None
    if not is_class(type_):
        machine.type_of(class_)
        return Raise(TypeError(f"called match pattern must be a {NAME_OF_CLASSES}"))
    answer = instance_of(machine, subject, class_)
    if isinstance(answer, STOPS):
        return answer
    if not answer:
        return NONE
    keywords = machine.concrete(names)
    if not isinstance(keywords, tuple):
        return machine.stop("SX1001", "the names of a class pattern are not constants")
    matched: list[Value] = []
    asked: list[str] = []
    if count:
        known = class_ if isinstance(class_, Known) else Known(type_, Fixed(type_))
        positional = _positional_names(machine, known, type_, count)
        if isinstance(positional, STOPS):
            return positional
        if positional is None:
            matched.append(subject)
        else:
            asked.extend(positional)
    return _match_attributes(machine, subject, type_, matched, [*asked, *map(str, keywords)])


def _match_attributes(
    machine: Machine, subject: Value, type_: type, matched: list[Value], names: Sequence[str]
) -> Reply:
    seen = set[str]()
    for name in names:
        if name in seen:
            return _repeated(machine, type_, name)
        seen.add(name)
        found = get_attribute(machine, subject, name)
        if is_raised(machine, found, AttributeError):
            return NONE
        if isinstance(found, STOPS):
            return found
        matched.append(found)
    return machine.heap.make(TupleContent(tuple(matched))) if matched else Constant(())


def _positional_names(
    machine: Machine, known: Known, type_: type, count: int
) -> list[str] | Raise | Break | None:
    """The attributes that positional patterns stand for; `None` where a single one matches the subject itself."""
    pair = class_attribute(machine, known, type_, "__match_args__")
    if isinstance(pair, Break):
        return pair
    if isinstance(pair, Raise):
        if not is_raised(machine, pair, AttributeError):
            return pair
        itself = bool(_flags_of(type_) & _MATCHES_ITSELF)
        if count > itself:
            return _too_many(machine, type_, int(itself), count)
        return None
    if not isinstance(pair[0], Null):
        return machine.stop("SX1001", "__match_args__ is a method")
    kind = machine.type_of(pair[1])
    if kind is not tuple:
        got = name_in_messages(machine, kind)
        if isinstance(got, Break):
            return got
        text = f".__match_args__ must be a tuple (got {got})"
        return raise_naming(machine, type_, lambda name: TypeError(name + text))
    items = tuple_items(machine, pair[1])
    if isinstance(items, Break):
        return items
    if count > len(items):
        return _too_many(machine, type_, len(items), count)
    return _names(machine, items[:count])


def _names(machine: Machine, items: Sequence[Value]) -> list[str] | Break:
    names: list[str] = []
    for item in items:
        name = constant_of(machine, item)
        if type(name) is not str:
            return machine.stop("SX1001", "an element of __match_args__ is no string")
        names.append(name)
    return names


def _repeated(machine: Machine, type_: type, name: str) -> Raise | Break:
    text = f"() got multiple sub-patterns for attribute {name!r}"
    return raise_naming(machine, type_, lambda own: TypeError(own + text))


def _too_many(machine: Machine, type_: type, allowed: int, given: int) -> Raise | Break:
    plural = "" if allowed == 1 else "s"
    text = f"() accepts {allowed} positional sub-pattern{plural} ({given} given)"
    return raise_naming(machine, type_, lambda name: TypeError(name + text))
