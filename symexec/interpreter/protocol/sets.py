"""What sets do: made ones change their content; existing ones get effects as well.

Elements are constants or `ObjectKey`s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

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
)
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.keys import element_value, usable_element
from symexec.interpreter.protocol.operator_table import COUNT, SYMBOLS
from symexec.values.effect import AddToSet, CombineSet
from symexec.values.heap import SetContent
from symexec.values.keys import ObjectKey, runs_code
from symexec.values.model import Constant, Known, Made, Value

_AND, _OR, _SUBTRACT, _XOR = (SYMBOLS.index(symbol) for symbol in "&|-^")
_COMBINE: Final[Mapping[int, Callable[[set[Hashable], AbstractSet[Hashable]], set[Hashable]]]] = {
    _AND: lambda left, right: left & right,
    _OR: lambda left, right: left | right,
    _SUBTRACT: lambda left, right: left - right,
    _XOR: lambda left, right: {*(left - right), *(right - left)},
}


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
        stop = _emit(machine, container, _XOR, {element}, _just(machine, element))  # as `discard`; `-=` may resize
        if stop is not None:
            return stop
    _remember(machine, content)
    content.removals += 1
    if isinstance(container, Known):
        content.removed |= {element}
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
    if isinstance(container, Known) and type_ is not dict:
        return set_combine(machine, container, _OR, iterable)
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
    if isinstance(container, Known):
        stop = set_combine(machine, container, _AND, Constant(frozenset()))  # which leaves the table of a new set
    else:
        stop = set_assign(machine, container, set())
    content = set_content(machine, container)
    if isinstance(content, SetContent) and stop is None:
        content.history = []  # a cleared set is as a new one
    return stop


def set_combine(machine: Machine, container: Value, code: int, other: Value) -> Raise | Break | None:
    """`container op= other`, of an existing exact set and another one; `code` is the operator's index."""
    content, others = set_content(machine, container), set_items(machine, other)
    mine = others if code == _OR else set_items(machine, container)
    if isinstance(content, Break):
        return content
    if isinstance(others, Break):
        return others
    if isinstance(mine, Break):
        return mine
    result = _COMBINE[code](set(content.items), others)
    gone = content.items - result
    stop = _emit(machine, container, code, {*gone, *others}, _as_it_is(machine, other))
    if stop is not None:
        return stop
    _remember(machine, content)
    content.removals += 1 if gone else 0
    content.removed |= gone
    content.history = None
    content.items = result
    return None


def _emit(machine: Machine, container: Value, code: int, elements: set[Hashable], other: Value | Break) -> Break | None:
    """The effect, if dropping and moving the elements runs no code."""
    if isinstance(other, Break):
        return other
    if not isinstance(container, Known) or machine.type_of(container) is not set:
        return machine.stop("SX2103", "removing from an instance of a subclass of set is left to Python")
    if machine.type_of(other) is not set and machine.type_of(other) is not frozenset:
        return machine.stop("SX2103", "a set is combined with an instance of a subclass")
    for element in elements:
        stop = may_drop(machine, element_value(element), "the set")
        if stop is not None or runs_code(element):
            return stop or machine.stop("SX2104", "hashing a member of an enumeration is Python code")
    machine.heap.emit(CombineSet(owner(machine, container), code + COUNT, other))
    return None


def _just(machine: Machine, element: Hashable) -> Value:
    if isinstance(element, ObjectKey):
        return machine.heap.make(SetContent({element}, [("add", element)]))
    return Constant(frozenset({element}))


def _as_it_is(machine: Machine, other: Value) -> Value | Break:
    """The other set as it is now: a made one may still change before the effects are committed."""
    if not isinstance(other, Made):
        return other
    content = set_content(machine, other)
    if isinstance(content, Break):
        return content
    if content.history is None and len(content.items) > 1:
        return machine.stop("SX2103", "an existing set is combined with one whose order is not known")
    history = content.history
    return machine.heap.make(SetContent(set(content.items), None if history is None else list(history)))


def set_assign(machine: Machine, container: Value, result: set[Hashable]) -> Raise | Break | None:
    """Give a made set other elements."""
    content = set_content(machine, container)
    if isinstance(content, Break):
        return content
    if isinstance(container, Known):
        return machine.stop("SX2103", "replacing the elements of an existing set is left to Python, which orders it")
    _remember(machine, content)
    content.removals += 1
    content.history = None
    content.items = result
    return None


def _remember(machine: Machine, content: SetContent) -> None:
    """Tell how to go back to what the set is now."""
    history, removals, removed = content.history, content.removals, content.removed
    count = 0 if history is None else len(history)
    items = set(content.items) if history is None else set()

    def undo() -> None:
        content.removals, content.removed = removals, removed
        if history is not None:
            content.go_back(history, count)
        else:
            content.history = None
            content.items = items

    machine.heap.record(undo)
