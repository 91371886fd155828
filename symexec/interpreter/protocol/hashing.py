"""How classes hash and compare, as far as it makes their objects keys: by identity, or as a builtin type does.

Nothing here hashes or compares anything.  Knows nothing of containers.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_record, look_up, rely_on_name
from symexec.interpreter.protocol.special import inherits, names_of, type_ids
from symexec.interpreter.records import ClassRecord, FoundKind

KEY_TYPES: Final = frozenset({int, str, float, bytes, bool, type(None)})
"""Exact types of the scalars that are keys."""

_QUIET_TYPES: Final = KEY_TYPES | {complex, tuple, frozenset, range, type(...), type, FunctionType, BuiltinFunctionType}
QUIET_IDS: Final = type_ids(_QUIET_TYPES)
"""The exact types, by identity, whose comparison runs no code that keys of other types would not run."""

_weak_offset: Final = type.__dict__["__weakrefoffset__"].__get__
_IDENTITY_HASH: Final = names_of(object)["__hash__"]
_IDENTITY_EQUALITY: Final = names_of(object)["__eq__"]
_ENUM_HASH: Final = names_of(Enum)["__hash__"]
_BUILTIN_HASHES: Final = type_ids(names_of(type_)["__hash__"] for type_ in (int, str, float, bytes, tuple))
_BUILTIN_EQUALITIES: Final = type_ids(names_of(type_)["__eq__"] for type_ in (int, str, float, bytes, tuple))


def is_enumeration(type_: type) -> bool:
    """Whether the type is an enumeration: its members live as long as it does."""
    return inherits(type_, Enum)


def is_by_identity(machine: Machine, type_: type) -> bool:
    """Whether objects of the type hash by what no code of the program's says, and are equal to none but themselves.

    Nothing is guarded by this.
    """
    record = class_record(machine, type_)
    if not _compares_by(record, (_IDENTITY_EQUALITY,)) or "__hash__" in record.written:
        return False
    hash_ = look_up(record, "__hash__").raw
    return hash_ is _IDENTITY_HASH or (hash_ is _ENUM_HASH and is_enumeration(type_))


def hashes_in_python(machine: Machine, type_: type) -> bool:
    """Whether hashing objects of such a type is the work of Python code, that of enumerations."""
    return look_up(class_record(machine, type_), "__hash__").raw is _ENUM_HASH


def is_like_builtin(machine: Machine, type_: type) -> bool:
    """Whether objects of the type, a subclass, hash and compare as the builtin type.  Nothing is guarded by this."""
    record = class_record(machine, type_)
    if {"__hash__", "__eq__"} & record.written:
        return False
    equality, hash_ = look_up(record, "__eq__").raw, look_up(record, "__hash__").raw
    return id(equality) in _BUILTIN_EQUALITIES and id(hash_) in _BUILTIN_HASHES


def rely_on_hashing(machine: Machine, type_: type) -> Break | None:
    """Guard how objects of the type hash and compare."""
    record = class_record(machine, type_)
    return rely_on_name(machine, record, "__hash__") or rely_on_name(machine, record, "__eq__")


def _compares_by(record: ClassRecord, functions: Iterable[object]) -> bool:
    equality = look_up(record, "__eq__").raw
    return "__eq__" not in record.written and any(equality is function for function in functions)


def types_of(types: Iterable[type]) -> list[type]:
    """The types, each once: they are not hashed."""
    return list({id(type_): type_ for type_ in types}.values())


def are_quiet(machine: Machine, types: Iterable[type]) -> bool:
    """Whether comparing keys of these types runs no code of the program's.  Nothing is guarded by this."""
    return all(id(type_) in QUIET_IDS or _is_quiet(machine, type_) for type_ in types)


def _is_quiet(machine: Machine, type_: type) -> bool:
    record = class_record(machine, type_)
    if _compares_by(record, (_IDENTITY_EQUALITY,)):
        return True
    own = id(look_up(record, "__eq__").raw) in _BUILTIN_EQUALITIES and "__eq__" not in record.written
    return own and (is_enumeration(type_) or _is_plain_tuple(record))


def _is_plain_tuple(record: ClassRecord) -> bool:
    """Whether it is a named tuple, so that nothing notices when an instance goes."""
    return (
        inherits(record.type, tuple)
        and not record.has_dict
        and not _weak_offset(record.type)
        and look_up(record, "__del__").kind is FoundKind.ABSENT
    )


def rely_on_quiet(machine: Machine, types: Iterable[type]) -> Break | None:
    """Guard that comparing keys of these types, which are quiet, runs no code of the program's."""
    for type_ in types:
        stop = rely_on_name(machine, class_record(machine, type_), "__eq__")
        if stop is not None:
            return stop
    return None
