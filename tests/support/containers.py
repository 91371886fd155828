"""Looks into builtin containers, and into what an instance of a subclass of one contains.

Contents are read by the builtin classes' own methods, so that a subclass cannot hide or disturb them.
"""

from __future__ import annotations

import array
import types
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from tests.support.look import Look, Part
from tests.support.plain import plain_text


def numbered(elements: Iterable[object]) -> list[Part]:
    return [(f"[{index}]", element) for index, element in enumerate(elements)]


def items_of(mapping: Mapping[object, object] | Iterable[tuple[object, object]]) -> list[Part]:
    """Keys and values in their order; the value of a plain key is reached by the key's text."""
    parts: list[Part] = []
    pairs = mapping.items() if isinstance(mapping, Mapping) else mapping
    for index, (key, value) in enumerate(pairs):
        if type(key) is str:
            parts.append((f"[{key!r}]", value))
            continue
        text = plain_text(key)
        if text is None:
            parts.append((f".key{index}", key))
            parts.append((f".value{index}", value))
        else:
            parts.append((f"[{text}]", value))
    return parts


def look_into_list(value: object) -> Look:
    return Look("list", numbered(list.__iter__(value)))


def look_into_tuple(value: object) -> Look:
    return Look("tuple", numbered(tuple.__iter__(value)))


def look_into_dict(value: object) -> Look:
    return Look("dict", items_of(dict.items(value)))


def look_into_set(value: object) -> Look:
    return Look("set", numbered(set.__iter__(value)), is_unordered=True)


def look_into_frozenset(value: object) -> Look:
    return Look("frozenset", numbered(frozenset.__iter__(value)), is_unordered=True)


def look_into_deque(value: object) -> Look:
    length = deque.maxlen.__get__(value)
    return Look(f"deque of at most {length}", numbered(deque.__iter__(value)))


def look_into_bytearray(value: object) -> Look:
    return Look(f"bytearray {bytes(value)!r}")


def look_into_array(value: array.array) -> Look:
    return Look(f"array {value.typecode} {array.array.tobytes(value)!r}")


def look_into_memoryview(value: memoryview) -> Look:
    return Look(f"memoryview {value.format} {value.shape} {value.tobytes()!r}", [(".obj", value.obj)])


def look_into_slice(value: slice) -> Look:
    return Look("slice", [(".start", value.start), (".stop", value.stop), (".step", value.step)])


def look_into_proxy(value: types.MappingProxyType[object, object]) -> Look:
    return Look("mappingproxy", items_of(dict(value)))


def look_into_view(value: Iterable[object]) -> Look:
    return Look(type(value).__name__, numbered(value))


# Exact types.  `CONTENTS` below serves their subclasses.
CONTAINERS: Mapping[type, Callable[..., Look]] = {
    list: look_into_list,
    tuple: look_into_tuple,
    dict: look_into_dict,
    set: look_into_set,
    frozenset: look_into_frozenset,
    deque: look_into_deque,
    bytearray: look_into_bytearray,
    array.array: look_into_array,
    memoryview: look_into_memoryview,
    slice: look_into_slice,
    types.MappingProxyType: look_into_proxy,
    type({}.keys()): look_into_view,
    type({}.values()): look_into_view,
    type({}.items()): look_into_view,
}

# What a subclass's instance is, seen as an instance of its builtin base, made by that base alone.
CONTENTS: Mapping[type, Callable[..., object]] = {
    bool: int.__bool__,
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    str: lambda value: str.__getitem__(value, slice(None)),
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    deque: lambda value: deque(deque.__iter__(value), deque.maxlen.__get__(value)),
    bytearray: lambda value: bytearray(bytes(value)),
}
