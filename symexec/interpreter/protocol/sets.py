"""What sets do: made ones change their content; existing ones get effects as well.

Elements are constants or `ObjectKey`s.
"""

from __future__ import annotations

from collections.abc import Hashable

from symexec.interpreter.machine import Machine
from symexec.interpreter.made_types import are_exact
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import (
    dict_content,
    has_element,
    owner,
    set_content,
    set_items,
    set_length,
)
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.keys import usable_element
from symexec.values.effect import AddToSet
from symexec.values.heap import SetContent
from symexec.values.keys import runs_code
from symexec.values.model import Constant, Known, Value


def set_add(machine: Machine, container: Value, value: Value) -> Raise | Break | None:
    """`container.add(value)`, of an exact set."""
    element = usable_element(machine, value)
    return element if isinstance(element, Break) else add_element(machine, container, element)


def add_element(machine: Machine, container: Value, element: Hashable) -> Raise | Break | None:
    """`container.add(element)`, of an exact set and a usable key."""
    content = set_content(machine, container)
    if isinstance(content, Break):
        return content
    present = has_element(machine, container, element)
    if present is not False:
        return None if present is True else present
    if isinstance(container, Known):
        if runs_code(element):
            return machine.stop("SX2104", "hashing a member of an enumeration is Python code, which no commit may run")
        machine.heap.emit(AddToSet(owner(machine, container), element))
    _remember(machine, content)
    if isinstance(content.items, set):
        content.items.add(element)
    _tell(content, "add", element)
    return None


def set_discard(machine: Machine, container: Value, element: Hashable) -> bool | Break:
    """Remove a usable key from an exact set; whether it was there."""
    content = set_content(machine, container)
    if isinstance(content, Break):
        return content
    present = has_element(machine, container, element)
    if present is not True:
        return present
    if isinstance(container, Known):
        return machine.stop("SX2103", "removing from an existing set is left to Python, which keeps its order")
    _remember(machine, content)
    content.removals += 1
    if isinstance(content.items, set):
        content.items.discard(element)
    _tell(content, "discard", element)
    return True


def _tell(content: SetContent, step: str, argument: Hashable) -> None:
    if content.history is not None:
        content.history.append((step, argument))


def set_update(machine: Machine, container: Value, iterable: Value) -> Raise | Break | None:
    """`container.update(iterable)`, of an exact set."""
    type_ = machine.type_of(iterable)
    base = builtin_base(type_)
    if base is set or base is frozenset or type_ is dict:
        return _merge(machine, container, iterable, base or dict)
    iterator = get_iterator(machine, iterable)
    if isinstance(iterator, STOPS):
        return iterator
    while True:
        item = next_item(machine, iterator)
        if item is None:
            return None
        stop = item if isinstance(item, STOPS) else set_add(machine, container, item)
        if stop is not None:
            return stop


def _merge(machine: Machine, container: Value, iterable: Value, type_: type) -> Raise | Break | None:
    """Add all of a set or dict at once, as CPython does: the order that results depends on it."""
    if isinstance(container, Known):
        return machine.stop("SX2103", "adding many at once to an existing set is left to Python, which orders it")
    found: dict[Hashable, object] | set[Hashable] | frozenset[Hashable]
    if type_ is dict:
        mapping = dict_content(machine, iterable, complete=True)
        if isinstance(mapping, Break):
            return mapping
        if not are_exact(machine.heap, mapping):
            return machine.stop("SX2104", "keys of a dict that are instances of subclasses become elements of a set")
        found = {**mapping.entries}
    else:
        elements = set_items(machine, iterable)
        if isinstance(elements, Break):
            return elements
        found = elements
    content = set_content(machine, container)
    if isinstance(content, Break):
        return content
    _remember(machine, content)
    if isinstance(content.items, set):
        content.items.update(found)
    if isinstance(iterable, Constant) and isinstance(found, frozenset):
        _tell(content, "update", found)
    elif found:
        content.history = None
    return None


def set_clear(machine: Machine, container: Value) -> Raise | Break | None:
    """`container.clear()`, of an exact set."""
    stop = set_assign(machine, container, set())
    content = set_content(machine, container)
    if isinstance(content, SetContent) and stop is None:
        content.history = []  # a cleared set is as a new one
    return stop


def set_assign(machine: Machine, container: Value, result: set[Hashable]) -> Raise | Break | None:
    """Give a made set other elements."""
    content = set_content(machine, container)
    if isinstance(content, Break):
        return content
    if isinstance(container, Known):
        if not result and set_length(machine, container) == 0:
            return None
        return machine.stop("SX2103", "replacing the elements of an existing set is left to Python, which orders it")
    _remember(machine, content)
    content.removals += 1
    content.history = None
    content.items = result
    return None


def _remember(machine: Machine, content: SetContent) -> None:
    """Tell how to go back to what the set is now."""
    history, removals = content.history, content.removals
    count = 0 if history is None else len(history)
    items = set(content.items) if history is None else set()

    def undo() -> None:
        content.removals = removals
        if history is not None:
            content.go_back(history, count)
        else:
            content.history = None
            content.items = items

    machine.heap.record(undo)
