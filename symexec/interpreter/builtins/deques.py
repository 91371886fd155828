"""`collections.deque`: its methods as functions of the deque and the other arguments."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit, named, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.comparisons import compare_items, equal_items
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.deques import BACKWARD, ITERATOR, change, deque_content, push, take
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.iterate import get_iterator, iterate_all, next_item
from symexec.interpreter.protocol.membership import find
from symexec.values.heap import DequeContent, IteratorContent, ObjectContent
from symexec.values.model import NONE, Constant, Made, Value, boolean

_Method: TypeAlias = Callable[[Machine, DequeContent, Sequence[Value]], Reply]


def _make(machine: Machine, items: list[Value], limit: int | None) -> Made:
    return machine.heap.make(ObjectContent(deque, {}, DequeContent(items, limit)))


def _new(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _make(machine, [], None)
    reply = _initialise(machine, [made, *args], kwargs)
    return reply if isinstance(reply, STOPS) else made


def _initialise(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = named(args, kwargs, ("self", "iterable", "maxlen"))
    content = deque_content(machine, args[0]) if args else misfit(machine)
    if given is None or isinstance(content, Break) or content.items or not isinstance(args[0], Made):
        return misfit(machine)
    limit = constant_of(machine, given.get("maxlen", NONE))
    if limit is not None and (type(limit) is not int or not 0 <= limit < 1 << 31):
        return misfit(machine)
    content.limit = limit
    return _extend(machine, content, [args[0], given["iterable"]]) if "iterable" in given else NONE


def _limited(content: DequeContent, items: list[Value]) -> list[Value]:
    return items if content.limit is None else items[max(len(items) - content.limit, 0) :]


def _pushed(left: bool) -> _Method:
    return lambda machine, content, args: push(machine, args[0], args[1], left) or NONE


def _extended(left: bool) -> _Method:
    def method(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
        same = isinstance(args[1], Made) and isinstance(args[0], Made) and args[1].object_id == args[0].object_id
        if same:  # CPython takes a list of the items first
            for item in tuple(content.items):
                stop = push(machine, args[0], item, left)
                if stop is not None:
                    return stop
            return NONE
        iterator = get_iterator(machine, args[1])
        if isinstance(iterator, STOPS):
            return iterator
        while True:
            each = next_item(machine, iterator)
            if each is None:
                return NONE
            stopped = each if isinstance(each, STOPS) else push(machine, args[0], each, left)
            if stopped is not None:
                return stopped

    return method


_extend: Final = _extended(False)


def _taken(at: int, function: object) -> _Method:
    def method(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
        return take(machine, args[0], at) if content.items else fold(machine, function, (deque(),))

    return method


def _rotate(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    steps = constant_of(machine, args[1]) if len(args) > 1 else 1
    if type(steps) is not int:
        return misfit(machine)

    def turn(items: list[Value]) -> None:
        if items:
            at = -steps % len(items)
            items[:] = items[at:] + items[:at]

    return change(machine, args[0], turn) or NONE


def _clear(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    return change(machine, args[0], list.clear) or NONE


def _reverse(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    return change(machine, args[0], list.reverse) or NONE


def _copy(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    if machine.type_of(args[0]) is not deque:
        return misfit(machine)
    return _make(machine, list(content.items), content.limit)


def _place(machine: Machine, content: DequeContent, wanted: Value) -> int | Raise | Break | None:
    for at, item in enumerate(tuple(content.items)):
        changes = content.changes
        same = equal_items(machine, item, wanted)
        if isinstance(same, STOPS):
            return same
        if content.changes != changes:
            return machine.stop("SX2113", "a deque is changed while it is searched")
        if same:
            return at
    return None


def _count(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    count = 0
    for item in tuple(content.items):
        changes = content.changes
        same = equal_items(machine, item, args[1])
        if isinstance(same, STOPS):
            return same
        if content.changes != changes:
            return machine.stop("SX2113", "a deque is changed while it is searched")
        count += same
    return Constant(count)


def _missing(machine: Machine, function: object, wanted: Value) -> Reply:
    found = copies(machine, [wanted])
    if found is None:
        return machine.stop("SX2116", "the item is not in the deque: it raises")
    return fold(machine, function, (deque(), *found))


def _remove(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = _place(machine, content, args[1])
    if at is None:
        return _missing(machine, deque.remove, args[1])
    taken = at if isinstance(at, STOPS) else take(machine, args[0], at)
    return taken if isinstance(taken, STOPS) else NONE


def _index(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = _place(machine, content, args[1])
    if at is None:
        return _missing(machine, deque.index, args[1])
    return at if isinstance(at, STOPS) else Constant(at)


def _insert(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = constant_of(machine, args[1])
    if type(at) is not int:
        return misfit(machine)
    if content.limit is not None and len(content.items) >= content.limit:
        return fold(machine, deque.insert, (deque(maxlen=0), 0, None))
    return change(machine, args[0], lambda items: items.insert(at, args[2])) or NONE


def _item(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = constant_of(machine, args[1])
    if type(at) is not int:
        return misfit(machine)
    if not -len(content.items) <= at < len(content.items):
        return fold(machine, operator.getitem, (deque(), 0))
    return content.items[at]


def _set_item(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = constant_of(machine, args[1])
    if type(at) is not int:
        return misfit(machine)
    if not -len(content.items) <= at < len(content.items):
        return fold(machine, operator.setitem, (deque(), 0, None))
    before = content.changes
    stop = change(machine, args[0], lambda items: items.__setitem__(at, args[2]))
    if stop is not None:
        return stop
    content.changes = before  # iterators do not notice
    machine.heap.record(lambda: setattr(content, "changes", before + 1))
    return NONE


def _delete_item(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    at = constant_of(machine, args[1])
    if type(at) is not int:
        return misfit(machine)
    if not -len(content.items) <= at < len(content.items):
        return fold(machine, operator.delitem, (deque(), 0))
    taken = take(machine, args[0], at)
    return taken if isinstance(taken, Break) else NONE


def _iterate(kind: type) -> _Method:
    return lambda machine, content, args: machine.heap.make(
        IteratorContent(kind, args[0], 0 if kind is ITERATOR else len(content.items) - 1, removals=content.changes)
    )


def _contains(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    found = find(machine, content.items, args[1])
    return found if isinstance(found, STOPS) else boolean(found)


def _extend_in_place(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    reply = _extend(machine, content, args)
    return reply if isinstance(reply, STOPS) else args[0]


def _add(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
    if machine.type_of(args[0]) is not deque or builtin_base(machine.type_of(args[1])) is not deque:
        return misfit(machine)
    others = iterate_all(machine, args[1])
    if isinstance(others, STOPS):
        return others
    return _make(machine, _limited(content, [*content.items, *others]), content.limit)


def _comparison(index: int) -> _Method:
    def method(machine: Machine, content: DequeContent, args: Sequence[Value]) -> Reply:
        if builtin_base(machine.type_of(args[1])) is not deque:
            return Constant(NotImplemented)
        other = deque_content(machine, args[1])
        return other if isinstance(other, Break) else compare_items(machine, index, content.items, other.items)

    return method


def _rule(least: int, most: int, method: _Method) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, least, most):
            return misfit(machine)
        content = deque_content(machine, args[0])
        return content if isinstance(content, Break) else method(machine, content, args)

    return rule


_NAMES: Final = ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")

DEQUE_RULES: Final[dict[object, Rule]] = {
    deque: _new,
    deque.__init__: _initialise,
    deque.append: _rule(2, 2, _pushed(False)),
    deque.appendleft: _rule(2, 2, _pushed(True)),
    deque.extend: _rule(2, 2, _extend),
    deque.extendleft: _rule(2, 2, _extended(True)),
    deque.pop: _rule(1, 1, _taken(-1, deque.pop)),
    deque.popleft: _rule(1, 1, _taken(0, deque.popleft)),
    deque.rotate: _rule(1, 2, _rotate),
    deque.clear: _rule(1, 1, _clear),
    deque.reverse: _rule(1, 1, _reverse),
    deque.copy: _rule(1, 1, _copy),
    deque.__copy__: _rule(1, 1, _copy),
    deque.count: _rule(2, 2, _count),
    deque.remove: _rule(2, 2, _remove),
    deque.index: _rule(2, 2, _index),
    deque.insert: _rule(3, 3, _insert),
    deque.__len__: _rule(1, 1, lambda machine, content, args: Constant(len(content.items))),
    deque.__getitem__: _rule(2, 2, _item),
    deque.__setitem__: _rule(3, 3, _set_item),
    deque.__delitem__: _rule(2, 2, _delete_item),
    deque.__iter__: _rule(1, 1, _iterate(ITERATOR)),
    deque.__reversed__: _rule(1, 1, _iterate(BACKWARD)),
    deque.__contains__: _rule(2, 2, _contains),
    deque.__iadd__: _rule(2, 2, _extend_in_place),
    deque.__add__: _rule(2, 2, _add),
    **{vars(deque)[name]: _rule(2, 2, _comparison(index)) for index, name in enumerate(_NAMES)},
}
