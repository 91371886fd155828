"""Which objects the keys of a trace are, and what guards say so; and that looking for them runs no code.

Two keys that stand for objects are equal where the objects are one.  So whichever object is used as a key is told from
all others of its type that were: by its identity, if it is likely to be the same in each call, by comparison with
the others otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Final, cast

from symexec.interpreter.machine import Machine, is_class, is_process_wide, is_weakly_referencable
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.bases import builtin_base, plain_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.hashing import (
    KEY_TYPES,
    QUIET_IDS,
    are_quiet,
    hashes_in_python,
    is_by_identity,
    is_enumeration,
    is_like_builtin,
    rely_on_hashing,
    rely_on_quiet,
    types_of,
)
from symexec.interpreter.protocol.special import inherits, is_among, type_ids
from symexec.values.guard import Is, KeyTypes, SameAs
from symexec.values.heap import ABSENT, Absent, TupleContent
from symexec.values.keys import ObjectKey, runs_code
from symexec.values.model import Known
from symexec.values.origin import DictKey, Fixed, Global, Held, Item, base_of

OBJECTS_LIMIT: Final = 64
"""Keys of an existing container beyond which no object is looked for in it."""

_COMPARED: Final = 3  # objects of one type that are told apart by comparing them, not by what they are
_MOST_COMPARED: Final = 12  # where nothing else is possible
_KEY_IDS: Final = type_ids(KEY_TYPES)


def is_key(value: object) -> bool:
    """Whether `value` is an exact builtin scalar that guards and effects may have as a key."""
    return id(type(value)) in _KEY_IDS


def settle(machine: Machine, known: Known) -> Known | Break:
    """The value that stands for an existing object, whose type is guarded, wherever the trace has it as a key."""
    type_ = type(known.value)
    others = machine.key_objects.setdefault(id(type_), {})
    first = others.get(id(known.value))
    if first is not None:
        if first.origin != known.origin:
            _guard_same(machine, first, known)
        return first
    held = isinstance(known.origin, (Held, Fixed))
    if not held and (_is_lasting(known) or len(others) >= _COMPARED) and machine.identify(known):
        held, known = True, Known(known.value, Held(known.value))
    if not held and len(others) >= _MOST_COMPARED:
        return machine.stop("SX2104", f"a {class_name(type_)} is a key that cannot be recognised again")
    for other in others.values():
        if not (held and isinstance(other.origin, (Held, Fixed))):
            machine.guards.add(known.origin, SameAs(other.origin, False))
    others[id(known.value)] = known
    machine.heap.record(lambda: others.pop(id(known.value)))
    return known


def _guard_same(machine: Machine, first: Known, second: Known) -> None:
    if isinstance(first.origin, (Held, Fixed)):
        first, second = second, first
    if isinstance(second.origin, (Held, Fixed)):
        machine.guards.add(first.origin, Is(first.value))
    else:
        machine.guards.add(second.origin, SameAs(first.origin, True))


def _is_lasting(known: Known) -> bool:
    """Whether the object is likely to be the same in the next call."""
    value, origin = known.value, known.origin
    if is_class(value) or is_among(type(value), (FunctionType, ModuleType)) or is_enumeration(type(value)):
        return True
    while (base := base_of(origin)) is not None:
        origin = base
    return isinstance(origin, (Global, Held, Fixed))


def set_keys(machine: Machine, elements: Iterable[object]) -> list[Hashable] | None:
    """The elements of an existing set that the trace is about to rely on, as keys; `None` where that is impossible.

    The caller guards that these are the elements.
    """
    found: list[Hashable] = []
    for element in elements:
        key = _tuple_key(machine, element, None) if type(element) is tuple else _existing_key(machine, element)
        if isinstance(key, Absent):
            return None
        found.append(key)
    return found


def dict_keys(machine: Machine, first: Known, mapping: Mapping[Hashable, object]) -> list[Hashable] | None:
    """The keys of an existing dict that the trace is about to rely on, likewise: if one is a tuple, all are.

    A number or string that is a member of an enumeration is the plain one.  That comparing runs no code is guarded.
    """
    if all(map(is_key, mapping)):
        return list(mapping)
    found: list[Hashable] = []
    types = types_of(map(type, mapping))
    tuples = len(types) == 1 and types[0] is tuple
    if rely_on_quiet(machine, types_of(map(type, _inside_tuples(mapping))) if tuples else types) is not None:
        return None
    for index, each in enumerate(mapping):
        origin = DictKey(first.origin, index)
        key = _tuple_key(machine, each, origin) if tuples else _existing_key(machine, each)
        if isinstance(key, Absent):
            key = _member_key(machine, each)
        if isinstance(key, Absent):
            return None
        if isinstance(key, ObjectKey) and len(mapping) > OBJECTS_LIMIT:
            return None
        found.append(key)
    return found


def _tuple_key(machine: Machine, found: object, origin: DictKey | None) -> Hashable | Absent:
    """A tuple of constants, or, where the tuple can be reached, of objects too."""
    if type(found) is not tuple:
        return ABSENT
    parts: list[Hashable] = []
    for part in found:
        key = _existing_key(machine, part)
        if isinstance(key, Absent) or key != key or (key == 0 and type(key) is float):
            return ABSENT
        parts.append(key)
    has_objects = any(isinstance(part, ObjectKey) for part in parts)
    if origin is None:
        return ABSENT if has_objects else found
    known = Known(found, origin)
    if machine.heap.existing(known) is None:
        items = [
            part.value if isinstance(part, ObjectKey) else Known(part, Item(origin, index))
            for index, part in enumerate(parts)
        ]
        machine.heap.adopt(known, TupleContent(tuple(items)))
    return ObjectKey(tuple(parts), known, any(map(runs_code, parts))) if has_objects else found


def _existing_key(machine: Machine, key: object) -> Hashable | Absent:
    if is_key(key) or is_process_wide(key):
        return key
    type_ = type(key)
    if not is_by_identity(machine, type_) or not is_weakly_referencable(key) or rely_on_hashing(machine, type_):
        return ABSENT
    known = settle(machine, Known(key, Held(key)))
    return ABSENT if isinstance(known, Break) else ObjectKey(id(key), known, hashes_in_python(machine, type_))


def _member_key(machine: Machine, key: object) -> Hashable | Absent:
    """The number or string that a member of an enumeration is."""
    type_ = type(key)
    base = builtin_base(type_) or object
    if not is_among(base, (int, str)) or not is_enumeration(type_) or not is_like_builtin(machine, type_):
        return ABSENT
    return ABSENT if rely_on_hashing(machine, type_) else plain_of(key, base)


def are_harmless(machine: Machine, keys: Iterable[object]) -> bool:
    """Whether comparing anything with these keys of an existing container runs no code of the program's."""
    types = list(map(type, keys))
    return QUIET_IDS.issuperset(map(id, types)) or are_quiet(machine, types_of(types))


def rely_on_keys(machine: Machine, first: Known, container: Collection[object], key: Hashable) -> Break | None:
    """Guard that looking for the key in an existing container, whose keys are harmless, runs no code."""
    if type(key) is tuple or (isinstance(key, ObjectKey) and type(key.identity) is tuple):
        inside = _inside_tuples(container)
        while inside:
            if not are_harmless(machine, inside):
                return machine.stop("SX2104", "the container has tuples as keys whose comparison could run code")
            inside = _inside_tuples(inside)
    if not isinstance(key, ObjectKey):
        return None
    if len(container) > OBJECTS_LIMIT:
        return machine.stop("SX2104", "an object is looked for in a large container")
    types = types_of(map(type, container))
    stop = rely_on_quiet(machine, types)
    if stop is None:
        machine.guards.add(first.origin, KeyTypes(tuple(sorted(types, key=id)), OBJECTS_LIMIT))
    return stop


def _inside_tuples(keys: Iterable[object]) -> list[object]:
    tuples = [key for key in keys if inherits(type(key), tuple)]
    return [part for each in tuples for part in tuple.__iter__(cast("tuple[object, ...]", each))]
