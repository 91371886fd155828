"""Instances of subclasses of builtin types: what they hold as such, beside their attributes.

A made one has it in `ObjectContent.base`.  An existing one is read only if its class has the builtin type's own methods
for that: then guards and loads on it run C code alone.  Knows nothing of what the containers do.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from inspect import FullArgSpec
from typing import Final

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name, class_record, look_up, rely_on_name
from symexec.interpreter.protocol.special import mro_of, names_of, type_ids
from symexec.values.guard import Equals, Is, SameAs
from symexec.values.heap import Content, DequeContent, ObjectContent, ScalarContent, TupleContent
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute, Origin

CONTAINERS: Final = (list, tuple, dict, set, frozenset, deque)
SCALAR_BASES: Final = (int, float, complex, str, bytes)
_BASE_IDS: Final = type_ids((*CONTAINERS, *SCALAR_BASES))
_CONTAINER_IDS: Final = type_ids(CONTAINERS)
_SCALAR_IDS: Final = type_ids(SCALAR_BASES)
_EXACT_IDS: Final = _BASE_IDS | type_ids((bool,))

_WITH_ZEROS: Final = type_ids((float, complex))
_PLAIN: Final[Mapping[int, Callable[[object], object]]] = {
    **{id(type_): type_.__dict__["__pos__"] for type_ in (int, float, complex)},
    id(str): str.__dict__["__str__"],
    id(bytes): lambda value: bytes.__dict__["__getitem__"](value, slice(None)),
}
"""The exact builtin number or string that an instance of a subclass is; runs no code of its class."""

_FIELD: Final[type] = type(FullArgSpec.__dict__["args"])  # a field of a named tuple
_LIMIT: Final = names_of(deque)["maxlen"]
_limit_of: Final[Callable[[object], object]] = deque.__dict__["maxlen"].__get__
_parts_of_field: Final = _FIELD.__dict__["__reduce__"]

_READING: Final[Mapping[int, tuple[str, ...]]] = {
    id(list): ("__len__", "__getitem__"),
    id(tuple): ("__len__", "__getitem__"),
    id(dict): ("__len__", "__getitem__", "__contains__", "__iter__"),
    id(set): ("__len__", "__contains__"),
    id(frozenset): ("__len__", "__contains__"),
    id(deque): ("__len__", "__getitem__"),
}
"""The special methods, by the type's identity, that guards and loads call."""

_RELIED_ON: Final = (
    "__len__", "__getitem__", "__contains__", "__iter__", "__setitem__", "__delitem__", "__eq__", "keys", "get",
)  # fmt: skip
_OWN: Final = frozenset(
    id(names_of(type_)[name])
    for type_ in (*CONTAINERS, *SCALAR_BASES, OrderedDict, defaultdict)
    for name in _RELIED_ON
    if name in names_of(type_)
)
"""Those that the builtin types themselves have, by identity."""


def builtin_base(type_: type) -> type | None:
    """The builtin container or scalar type that instances of the type are made like, the type itself included."""
    return next((base for base in mro_of(type_) if id(base) in _BASE_IDS), None)


def is_subclass_of(type_: type, base: type) -> bool:
    """Whether the type is not the builtin type `base` itself, but inherits from it."""
    return type_ is not base and builtin_base(type_) is base


def has_own(machine: Machine, type_: type, *names: str) -> Break | None:
    """Guard that the type has the builtin types' own methods under the names; a break where it has not."""
    record = class_record(machine, type_)
    for name in names:
        if id(look_up(record, name).raw) not in _OWN or name in record.written:
            why = f"{class_name(type_)} has a {name} of its own"
            return machine.stop("SX2101", why, "use an exact builtin container")
        stop = rely_on_name(machine, record, name)
        if stop is not None:
            return stop
    return None


def held_content(
    machine: Machine, value: Value, base: type, make: Callable[[], Content | Break]
) -> Content | Break | None:
    """What a value holds as an object of the builtin container type `base`; `None` where it is none.

    What an existing object holds is `make()` when it is first looked into.
    """
    if type(value) is Made:
        content = machine.heap.content(value)
        if type(content) is not ObjectContent:
            return content
        return content.base if builtin_base(content.type) is base else None
    if type(value) is not Known:
        return None
    type_ = machine.type_of(value)
    if type_ is base:
        found = existing_content(machine, value)
        if found is None:
            made = make()
            if isinstance(made, Break):
                return made
            found = made
            machine.heap.adopt(value, found)
        return found
    if builtin_base(type_) is not base:
        return None
    return has_own(machine, type_, *_READING[id(base)]) or _held_by_instance(machine, value, type_, make)


def _held_by_instance(
    machine: Machine, value: Known, type_: type, make: Callable[[], Content | Break]
) -> Content | Break | None:
    found = existing_content(machine, value)
    if found is None:
        found = ObjectContent(type_, {})
        machine.heap.adopt(value, found)
    if not isinstance(found, ObjectContent):
        return None
    content = found
    if content.base is None:
        base = make()
        if isinstance(base, Break):
            return base
        content.base = base

        def undo() -> None:
            content.base = None

        machine.heap.record(undo)
    return content.base


def existing_content(machine: Machine, known: Known) -> Content | None:
    """What is known of an existing object; that it is the one that was looked into before is guarded."""
    content = machine.heap.existing(known)
    if content is not None:
        first = machine.heap.first_known(known)
        if first is not None and first.origin is not known.origin and first.origin != known.origin:
            machine.guards.add(known.origin, SameAs(first.origin, True))
    return content


def named_field(machine: Machine, owner: Value, class_origin: Origin, name: str, raw: object) -> Value | None:
    """What the attribute `raw` of its class tells of a made instance: the item of a named tuple, a deque's `maxlen`."""
    content = machine.heap.content(owner) if isinstance(owner, Made) else None
    if raw is _LIMIT and isinstance(content, ObjectContent) and isinstance(content.base, DequeContent):
        return Constant(content.base.limit)
    if raw is _LIMIT and isinstance(owner, Known):
        return Known(_limit_of(owner.value), Attribute(owner.origin, name))
    if type(raw) is not _FIELD or not isinstance(content, ObjectContent) or not isinstance(content.base, TupleContent):
        return None
    index, text = _parts_of_field(raw)[1]
    items = content.base.items
    if type(index) is not int or type(text) is not str or not 0 <= index < len(items):
        return None
    machine.guards.add(Attribute(class_origin, name), Is(raw))
    return items[index]


def may_write(machine: Machine, container: Value, name: str) -> Break | None:
    """A break unless an item of an existing container is written by the builtin type's own method of that name."""
    if type(container) is not Known or id(type(container.value)) in _CONTAINER_IDS:
        return None
    return has_own(machine, machine.type_of(container), name)


def is_exact(type_: type) -> bool:
    """Whether it is a type of C code that inherits from no other builtin container or number but `int`."""
    base = builtin_base(type_)
    return is_static_type(type_) and (base is None or (base is type_ and base is not deque) or type_ is bool)


def plain_of(value: object, base: type) -> object:
    """The exact builtin number or string that an instance of a subclass of the type `base` is."""
    return _PLAIN[id(base)](value)


def scalar_of(machine: Machine, value: Value) -> Value | Break:
    """For an instance of a subclass of a builtin number or string what it is as such; others as they are.

    Of an existing one under a guard on its value.
    """
    if type(value) is Made:
        content = machine.heap.content(value)
        base = content.base if isinstance(content, ObjectContent) else None
        return base.value if isinstance(base, ScalarContent) else value
    if type(value) is not Known:
        return value
    type_ = type(value.value)
    if id(type_) in _EXACT_IDS:
        return machine.specialise(value)
    base_type = builtin_base(type_)
    if base_type is None or id(base_type) not in _SCALAR_IDS:
        return value
    machine.type_of(value)
    stop = has_own(machine, type_, "__eq__")
    if stop is not None:
        return stop
    plain = plain_of(value.value, base_type)
    if id(base_type) in _WITH_ZEROS and (plain != plain or plain == 0):
        return machine.stop("SX2101", f"the value of a {class_name(type_)} is not guarded")
    machine.guards.add(value.origin, Equals(plain, typed=False))
    return Constant(plain)
