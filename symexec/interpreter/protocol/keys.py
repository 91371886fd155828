"""Values as keys of dicts and elements of sets: constants, objects that go by identity, tuples of such.

Whatever is a key here can be hashed and compared without running code of the program's.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.bases import SCALAR_BASES, builtin_base, scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import constant_of, tuple_items
from symexec.interpreter.protocol.hashing import (
    hashes_in_python,
    is_by_identity,
    is_like_builtin,
    rely_on_hashing,
)
from symexec.interpreter.protocol.object_keys import is_key, settle
from symexec.interpreter.protocol.raising import as_exception, fields_of
from symexec.interpreter.protocol.special import is_among
from symexec.values.heap import TupleContent
from symexec.values.keys import ObjectKey, runs_code
from symexec.values.model import Constant, Known, Made, Value

_DEPTH_LIMIT: Final = 20


def usable_key(machine: Machine, value: Value, depth: int = 0) -> Hashable | Break:
    """The key that `value` surely is: a constant that equals itself, or an `ObjectKey`, told from all other keys."""
    found = constant_of(machine, value)
    if found is not NOT_CONCRETE and _is_usable(machine, found):
        return found
    value = machine.resolve(value)
    key = _object_key(machine, value, depth) if isinstance(value, (Known, Made)) else None
    if key is not None:
        return key
    name = class_name(machine.type_of(value))
    return machine.stop("SX2104", f"a key of type {name} is not a constant that can be compared", "use a str or an int")


def _is_usable(machine: Machine, value: object) -> bool:
    if type(value) is tuple or type(value) is frozenset:
        return all(_is_usable(machine, item) for item in value)
    if not is_key(value):
        return machine.is_fixed(value)
    return value == value  # a NaN is found by identity alone


def _object_key(machine: Machine, value: Known | Made, depth: int) -> Hashable | Break | None:
    type_ = machine.type_of(value)
    base = builtin_base(type_)
    if base is not None and (type_ is tuple or is_like_builtin(machine, type_)):
        stop = rely_on_hashing(machine, type_)
        if stop is not None:
            return stop
        if base is tuple:
            return _tuple_key(machine, value, depth + 1) if depth < _DEPTH_LIMIT else None
        plain = scalar_of(machine, value) if is_among(base, SCALAR_BASES) else None
        if isinstance(plain, Break):
            return plain
        return plain.value if isinstance(plain, Constant) and _is_scalar(plain.value) else None
    if not is_by_identity(machine, type_):
        return None
    stop = rely_on_hashing(machine, type_)
    if stop is not None:
        return stop
    in_python = hashes_in_python(machine, type_)
    if isinstance(value, Made):
        return ObjectKey(value.object_id, value, in_python)
    known = settle(machine, value)
    return known if isinstance(known, Break) else ObjectKey(id(known.value), known, in_python)


def _is_scalar(value: object) -> bool:
    return is_key(value) and value == value


def _tuple_key(machine: Machine, value: Known | Made, depth: int) -> Hashable | Break:
    items = tuple_items(machine, value)
    if isinstance(items, Break):
        return items
    parts: list[Hashable] = []
    for item in items:
        part = usable_key(machine, item, depth)
        if isinstance(part, Break):
            return part
        parts.append(part)
    if any(isinstance(part, ObjectKey) for part in parts):
        return ObjectKey(tuple(parts), value, any(map(runs_code, parts)))
    return tuple(parts)


def usable_element(machine: Machine, value: Value) -> Hashable | Break:
    """The same for an element of a set, which has nothing but its key: an instance of a subclass is none."""
    key = usable_key(machine, value)
    if not isinstance(key, (Break, ObjectKey)) and isinstance(value, (Known, Made)):
        type_ = machine.type_of(value)
        if type_ is not type(key):
            return machine.stop("SX2104", f"an element of type {class_name(type_)} is not a constant", "use a dict")
    return key


def key_object(value: Value) -> Known | Made | None:
    """What a dict gets as its key where it has none that is equal; `None` for a constant."""
    return value if isinstance(value, (Known, Made)) else None


def element_value(key: Hashable) -> Value:
    """The value that a set has as this element."""
    return key.value if isinstance(key, ObjectKey) else Constant(key)


def raise_key_error(machine: Machine, value: Value, key: Hashable) -> Raise:
    """The `KeyError` of a dict or set for the value, which is this key."""
    if isinstance(value, Constant) or is_among(machine.type_of(value), (int, str, float, bytes, bool, type(None))):
        return Raise(KeyError(key))
    made = as_exception(machine, Raise(KeyError()))
    fields_of(machine, made).args = machine.heap.make(TupleContent((value,)))
    return Raise(made)
