"""What types really inherit and hold, whatever their metaclasses say: read without running user code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from symexec.errors import InternalError

_mro: Final = type.__dict__["__mro__"].__get__
_namespace: Final = type.__dict__["__dict__"].__get__


_NOT_A_TUPLE: Final = "tuple.__new__(): " + " is not a subtype of tuple"
_NOT_A_LIST: Final = "list.__new__(): " + " is not a subtype of list"


def message_name(type_: type) -> str:
    """What CPython calls the type in its messages (`tp_name`): for types written in C it may have the module in it.

    Only its own messages tell.
    """
    base, rest = (tuple, _NOT_A_TUPLE) if not inherits(type_, tuple) else (list, _NOT_A_LIST)
    try:
        base.__new__(type_)
    except TypeError as error:
        text = str(error)
        start = len(f"{base.__name__}.__new__(")
        return text[start : start + (len(text) - len(rest)) // 2]
    raise InternalError("a tuple is no list")


def inherits(type_: type, base: type) -> bool:
    """Whether `base` is in the method resolution order of `type_`."""
    return any(each is base for each in mro_of(type_))


def is_among(type_: type, types: Iterable[object]) -> bool:
    """Whether `type_` is one of `types`, by identity: comparing or hashing a class could run its metaclass's code."""
    return any(type_ is each for each in types)


def type_ids(types: Iterable[object]) -> frozenset[int]:
    """The identities of types that are never freed, for quick questions of that kind: `id(type_) in ...`."""
    return frozenset(map(id, types))


def mro_of(type_: type) -> tuple[type, ...]:
    """The method resolution order of `type_`."""
    found: tuple[type, ...] = _mro(type_)
    return found


def names_of(type_: type) -> Mapping[str, object]:
    """The namespace of `type_` itself."""
    found: Mapping[str, object] = _namespace(type_)
    return found


def find_on_type(type_: type, name: str) -> tuple[type, object] | None:
    """The class in the method resolution order that has `name`, and what it has there."""
    for base in mro_of(type_):
        names = names_of(base)
        if name in names:
            return base, names[name]
    return None
