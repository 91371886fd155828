"""Which objects the keys of a trace are, and what guards say so; and that looking for them runs no code.

Two keys that stand for objects are equal where the objects are one.  So whichever object is used as a key is told from
all others of its type that were: by its identity, if it is likely to be the same in each call, by comparison with
the others otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from types import FunctionType, ModuleType
from typing import Final, cast

from symexec.interpreter.machine import Machine, is_class, is_process_wide, is_weakly_referencable
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.hashing import (
    KEY_TYPES,
    QUIET_IDS,
    are_quiet,
    hashes_in_python,
    is_by_identity,
    is_enumeration,
    rely_on_hashing,
    rely_on_quiet,
    types_of,
)
from symexec.interpreter.protocol.special import inherits, is_among, type_ids
from symexec.values.guard import Is, KeyTypes, SameAs
from symexec.values.keys import ObjectKey
from symexec.values.model import Known
from symexec.values.origin import Fixed, Global, Held, base_of

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


def existing_keys(machine: Machine, keys: Iterable[object], tuples: bool) -> list[Hashable] | None:
    """The keys of an existing container that the trace is about to rely on, as keys; `None` where that is impossible.

    With `tuples` plain ones are possible.  The caller guards that these are the keys.
    """
    found: list[Hashable] = []
    for key in keys:
        each = _existing_key(machine, key, tuples)
        if each is None:
            return None
        found.extend(each)
    return found


def _existing_key(machine: Machine, key: object, tuples: bool) -> tuple[Hashable] | None:
    if is_key(key) or is_process_wide(key):
        return (key,)
    if type(key) is tuple:
        parts = [_existing_key(machine, part, tuples) for part in key] if tuples else [None]
        return None if any(part is None or isinstance(part[0], ObjectKey) for part in parts) else (key,)
    type_ = type(key)
    if not is_by_identity(machine, type_) or not is_weakly_referencable(key) or rely_on_hashing(machine, type_):
        return None
    known = settle(machine, Known(key, Held(key)))
    if isinstance(known, Break):
        return None
    return (ObjectKey(id(key), known, hashes_in_python(machine, type_)),)


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
