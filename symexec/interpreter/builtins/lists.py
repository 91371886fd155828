"""The methods of lists and tuples, as functions of the list or tuple and the other arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit, positional
from symexec.interpreter.builtins.sorting import sort_keys, sort_order, wants_reverse
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.comparisons import equal_items
from symexec.interpreter.protocol.contents import constant_of, list_content, tuple_items
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.lists import (
    drop_index,
    list_append,
    list_extend,
    list_replace,
    replace_slice,
    take_index,
)
from symexec.values.heap import ListContent
from symexec.values.model import NONE, Constant, Value


def _done(stop: Raise | Break | None) -> Reply:
    return NONE if stop is None else stop


def _append(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    return _done(list_append(machine, args[0], args[1]))


def _extend(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    return _done(list_extend(machine, args[0], args[1]))


def _insert(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 3, 3):
        return misfit(machine)
    content, index = list_content(machine, args[0]), constant_of(machine, args[1])
    if isinstance(content, Break):
        return content
    if not isinstance(index, int):
        return misfit(machine)
    length = len(content.items)
    at = min(max(index + length if index < 0 else index, 0), length)
    return _done(replace_slice(machine, args[0], at, at, [args[2]]))


def _pop(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 2):
        return misfit(machine)
    content, index = list_content(machine, args[0]), constant_of(machine, args[1]) if len(args) > 1 else -1
    if isinstance(content, Break):
        return content
    if not isinstance(index, int):
        return misfit(machine)
    length = len(content.items)
    if not length:
        return Raise(IndexError("pop from empty list"))
    at = index + length if index < 0 else int(index)
    if not 0 <= at < length:
        return Raise(IndexError("pop index out of range"))
    return take_index(machine, args[0], at)


def _clear(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    return _done(list_replace(machine, args[0], []))


def _copy(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    content = list_content(machine, args[0])
    return content if isinstance(content, Break) else machine.heap.make(ListContent(list(content.items)))


def _reverse(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    content = list_content(machine, args[0])
    if isinstance(content, Break):
        return content
    return _done(list_replace(machine, args[0], content.items[::-1]))


def _items(machine: Machine, value: Value) -> Sequence[Value] | Break:
    """The items now of a list or tuple."""
    if machine.type_of(value) is tuple:
        return tuple_items(machine, value)
    content = list_content(machine, value)
    return content if isinstance(content, Break) else content.items


def _position(machine: Machine, container: Value, wanted: Value, start: int, stop: int) -> int | Raise | Break | None:
    """The index of the first equal item from `start` on, `None` if there is none before `stop`.

    The container is looked into anew for each item: comparing may change it.
    """
    at = start
    while True:
        items = _items(machine, container)
        if isinstance(items, Break):
            return items
        if at >= min(stop, len(items)):
            return None
        same = equal_items(machine, items[at], wanted)
        if isinstance(same, STOPS):
            return same
        if same:
            return at
        at += 1


def _index(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 4):
        return misfit(machine)
    items = _items(machine, args[0])
    if isinstance(items, Break):
        return items
    bounds: list[int] = []
    for bound in args[2:]:
        number = constant_of(machine, bound)
        if not isinstance(number, int):
            return misfit(machine)
        bounds.append(max(number + len(items), 0) if number < 0 else number)
    start, stop = (bounds + [0, 1 << 62][len(bounds) :])[:2]
    at = _position(machine, args[0], args[1], start, stop)
    if at is None:
        found = copies(machine, args[1:2])
        if found is None:
            return machine.stop("SX2116", "the item is not in the list: it raises")
        if machine.type_of(args[0]) is tuple:
            return fold(machine, tuple.index, ((), *found))
        return fold(machine, list.index, ([], *found))
    return at if isinstance(at, STOPS) else Constant(at)


def _count(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    count, start = 0, 0
    while True:
        at = _position(machine, args[0], args[1], start, 1 << 62)
        if at is None:
            return Constant(count)
        if isinstance(at, STOPS):
            return at
        count, start = count + 1, at + 1


def _remove(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    at = _position(machine, args[0], args[1], 0, 1 << 62)
    if at is None:
        return Raise(ValueError("list.remove(x): x not in list"))
    return at if isinstance(at, STOPS) else _done(drop_index(machine, args[0], at))


def _sort(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = dict(kwargs)
    if len(args) != 1 or set(given) - {"key", "reverse"}:
        return misfit(machine)
    content = list_content(machine, args[0])
    if isinstance(content, Break):
        return content
    reverse = wants_reverse(machine, given.get("reverse"))
    if isinstance(reverse, STOPS):
        return reverse
    before = list(content.items)
    _hide(machine, content, before)  # as CPython does: key functions and comparisons see an empty list
    keys = sort_keys(machine, before, given.get("key"))
    order = keys if isinstance(keys, STOPS) else sort_order(machine, keys, reverse)
    if content.items:
        return machine.stop("SX2117", "the list is changed while it is sorted")
    _show(machine, content, before)
    if isinstance(keys, STOPS):
        return keys
    if isinstance(order, STOPS):
        return (
            machine.stop("SX2117", "a failing sort leaves the list partly sorted")
            if isinstance(order, Raise)
            else order
        )
    return _done(list_replace(machine, args[0], [before[at] for at in order]))


def _hide(machine: Machine, content: ListContent, before: list[Value]) -> None:
    def undo() -> None:
        content.items[:] = before

    content.items.clear()
    machine.heap.record(undo)


def _show(machine: Machine, content: ListContent, before: list[Value]) -> None:
    content.items[:] = before
    machine.heap.record(content.items.clear)


LIST_RULES: Final[dict[object, Rule]] = {
    list.append: _append,
    list.extend: _extend,
    list.insert: _insert,
    list.pop: _pop,
    list.clear: _clear,
    list.copy: _copy,
    list.reverse: _reverse,
    list.index: _index,
    list.count: _count,
    list.remove: _remove,
    list.sort: _sort,
    tuple.index: _index,
    tuple.count: _count,
}
