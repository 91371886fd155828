"""Unpacking an iterable into names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.length_hints import items_for_list
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import find_on_type, is_among
from symexec.interpreter.protocol.truth import length_of
from symexec.values.heap import ListContent
from symexec.values.model import Value


def unpack(machine: Machine, value: Value, count: int) -> list[Value] | Raise | Break:
    """The `count` items of `value`, first to last; another number of items raises as CPython does."""
    iterator = get_iterator(machine, value)
    if isinstance(iterator, STOPS):
        return _not_iterable(machine, value, iterator)
    items: list[Value] = []
    while len(items) < count:
        item = next_item(machine, iterator)
        if isinstance(item, STOPS):
            return item
        if item is None:
            return Raise(ValueError(f"not enough values to unpack (expected {count}, got {len(items)})"))
        items.append(item)
    extra = next_item(machine, iterator)
    if extra is None:
        return items
    if isinstance(extra, STOPS):
        return extra
    return _too_many(machine, value, count)


def unpack_with_rest(machine: Machine, value: Value, before: int, after: int) -> list[Value] | Raise | Break:
    """The first `before` items, a new list of those between, and the last `after` items."""
    iterator = get_iterator(machine, value)
    if isinstance(iterator, STOPS):
        return _not_iterable(machine, value, iterator)
    items: list[Value] = []
    while len(items) < before:
        item = next_item(machine, iterator)
        if isinstance(item, STOPS):
            return item
        if item is None:
            return _too_few(before + after, len(items))
        items.append(item)
    others = items_for_list(machine, iterator)  # it is asked for its iterator again
    if isinstance(others, STOPS):
        return others
    if len(others) < after:
        return _too_few(before + after, before + len(others))
    rest = machine.heap.make(ListContent(others[: len(others) - after]))
    return [*items, rest, *others[len(others) - after :]]


def _too_few(least: int, got: int) -> Raise:
    return Raise(ValueError(f"not enough values to unpack (expected at least {least}, got {got})"))


def _not_iterable(machine: Machine, value: Value, stop: Raise | Break) -> Raise | Break:
    type_ = machine.type_of(value)
    if is_raised(machine, stop, TypeError) and refuses_iteration(type_):
        return raise_naming(machine, type_, lambda name: TypeError(f"cannot unpack non-iterable {name} object"))
    return stop


def refuses_iteration(type_: type) -> bool:
    """Whether nothing in the type tells how to iterate over its instances; then Python words the error anew."""
    return find_on_type(type_, "__iter__") is None and find_on_type(type_, "__getitem__") is None


def _too_many(machine: Machine, value: Value, count: int) -> Raise | Break:
    """The error for more than `count` values, as the running Python words it for containers and for iterators."""
    if not is_among(machine.type_of(value), (list, tuple, dict)):
        return Raise(ValueError(_OF_ITERATORS.replace("expected 2", f"expected {count}")))
    length = length_of(machine, value)
    if isinstance(length, STOPS):
        return length
    message = _OF_CONTAINERS.replace("expected 2", f"expected {count}").replace("got 3", f"got {length}")
    return Raise(ValueError(message))


def _message(three: Iterable[int]) -> str:
    """What is said where three values are unpacked into two names."""
    try:
        _, _ = three
    except ValueError as error:
        return str(error)
    raise InternalError("three values were unpacked into two names")


_OF_CONTAINERS: Final = _message((1, 2, 3))
_OF_ITERATORS: Final = _message(iter((1, 2, 3)))
