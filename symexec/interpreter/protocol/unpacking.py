"""Unpacking an iterable into names."""

from __future__ import annotations

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.iterate import get_iterator, iterate_all, next_item
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
    return machine.stop("SX2114", f"more than {count} values to unpack: it raises")


def unpack_with_rest(machine: Machine, value: Value, before: int, after: int) -> list[Value] | Raise | Break:
    """The first `before` items, a new list of those between, and the last `after` items."""
    iterator = get_iterator(machine, value)
    if isinstance(iterator, STOPS):
        return _not_iterable(machine, value, iterator)
    items = iterate_all(machine, iterator)
    if isinstance(items, STOPS):
        return items
    if len(items) < before + after:
        message = f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        return Raise(ValueError(message))
    rest = machine.heap.make(ListContent(items[before : len(items) - after]))
    return [*items[:before], rest, *items[len(items) - after :]]


def _not_iterable(machine: Machine, value: Value, stop: Raise | Break) -> Raise | Break:
    if isinstance(stop, Raise) and isinstance(stop.exception, TypeError):  # new, and so about what is iterable
        return Raise(TypeError(f"cannot unpack non-iterable {class_name(machine.type_of(value))} object"))
    return stop
