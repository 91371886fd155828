"""Iteration: builtin iterators over contents, advanced one item at a time, and the user's own.

Iterators see what happens to their source meanwhile, exactly as CPython's do.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import GeneratorType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.equivalents.made_by_iter import Indexed
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Finished, Raise, Reply
from symexec.interpreter.protocol import deques
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import (
    SIZE_LIMIT,
    count_of,
    list_content,
    tuple_items,
)
from symexec.interpreter.protocol.equivalents import advance_equivalent, equivalent_of, make_equivalent
from symexec.interpreter.protocol.folding import too_large
from symexec.interpreter.protocol.generators import Advance, generator_content, send
from symexec.interpreter.protocol.iterators import (
    LIST_REVERSED,
    TUPLE,
    base_iterator,
    constant_iterator,
    keyed_iterator,
    make_iterator,
)
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.raising import is_raised, stop_value
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.interpreter.protocol.stepping import (
    NextItem,
    exhaust,
    items_of,
    move,
    next_of_deque,
    next_of_keys,
    step,
)
from symexec.interpreter.protocol.truth import length_of, truth
from symexec.values.graph import Kind
from symexec.values.heap import (
    IteratorContent,
    ListContent,
    TupleContent,
)
from symexec.values.model import NONE, Constant, Known, Made, Traced, Value


class _Indexed:
    """Something that is iterated over by index."""

    def __getitem__(self, index: int) -> int:
        return index


_INDEXED: Final[type] = type(iter(_Indexed()))
_MOST_ITEMS: Final = 2 * SIZE_LIMIT  # that one trace goes through, whatever becomes of them
_SEQUENCES: Final = (str, bytes, tuple, range)


def get_iterator(machine: Machine, value: Value) -> Reply:
    """What `iter(value)` gives."""
    value = machine.resolve(value)
    if isinstance(value, Constant):
        return constant_iterator(machine, value)
    if isinstance(value, Traced):
        return _traced_iterator(machine, value)
    type_ = machine.type_of(value)
    if isinstance(value, Made) and isinstance(machine.heap.content(value), IteratorContent):
        return value
    generator = generator_content(machine, value)
    if generator is not None:
        if generator.kind is GeneratorType:
            return value
        return Raise(TypeError("'coroutine' object is not iterable"))
    base = builtin_base(type_)
    if base is None and is_static_type(type_):
        return keyed_iterator(machine, value, type_)
    return base_iterator(machine, type_, value) if base is type_ else _user_iterator(machine, value, type_)


def _traced_iterator(machine: Machine, value: Traced) -> Reply:
    """Over what the domain tells the length of: its items are those that its indexing by integers gives."""
    if isinstance(length_of(machine, value), STOPS):
        name = class_name(value.type)
        return machine.stop("SX4004", f"iterating over a {name} is not captured: its length is not known", "index it")
    return make_iterator(machine, TUPLE if issubclass(value.type, tuple) else _INDEXED, value)


def _next_indexed(machine: Machine, content: IteratorContent, source: Traced) -> NextItem:
    length = length_of(machine, source)
    if isinstance(length, STOPS):
        return length
    if content.index >= length:
        return exhaust(machine, content)
    item = machine.operate(Kind.CALL, operator.getitem, [source, Constant(content.index)])
    return item if isinstance(item, STOPS) else step(machine, content, item)


def _user_iterator(machine: Machine, value: Value, type_: type) -> Reply:
    method = special_method(machine, value, "__iter__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return _by_index(machine, value, type_)
    reply = call_special(machine, method, value)
    if isinstance(reply, STOPS) or _content(machine, reply) or generator_content(machine, reply):
        return reply
    if isinstance(reply, (Constant, Traced)) or is_static_type(machine.type_of(reply)):
        return machine.stop("SX2112", f"what {class_name(type_)}.__iter__ gave is not interpreted as an iterator")
    advance = special_method(machine, reply, "__next__")
    if isinstance(advance, STOPS):
        return advance
    if advance is None:
        return raise_naming(
            machine, machine.type_of(reply), lambda name: TypeError(f"iter() returned non-iterator of type '{name}'")
        )
    return reply


def _by_index(machine: Machine, value: Value, type_: type) -> Reply:
    """An iterator over an object of the user's that has no `__iter__`."""
    method = special_method(machine, value, "__getitem__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return raise_naming(machine, type_, lambda name: TypeError(f"'{name}' object is not iterable"))
    return make_equivalent(machine, Indexed, [value])


def _content(machine: Machine, value: Value) -> IteratorContent | None:
    content = machine.heap.content(value) if isinstance(value, Made) else None
    return content if isinstance(content, IteratorContent) else None


def next_item(machine: Machine, iterator: Value) -> Value | Raise | Break | None:
    """The next item of an iterator, which is advanced; `None` if there is none (any more)."""
    item = advance(machine, iterator)
    return None if isinstance(item, Finished) else item


def advance(machine: Machine, iterator: Value) -> Advance:
    """As `next_item`; at the end of a generator, with what it returned."""
    reply = step_iterator(machine, iterator)
    if isinstance(reply, Raise) and is_raised(machine, reply, StopIteration):
        return Finished(stop_value(machine, reply))
    return reply


def step_iterator(machine: Machine, iterator: Value) -> Advance:
    """As `advance`; what ends with a `StopIteration` of the user's, raises it."""
    machine.items += 1
    if machine.items > _MOST_ITEMS:
        return machine.stop("SX9001", f"more than {_MOST_ITEMS} items are gone through", "loop over fewer in one call")
    if isinstance(iterator, Made) and generator_content(machine, iterator) is not None:
        return send(machine, iterator, NONE)
    if _content(machine, iterator) is None:
        return _user_next(machine, iterator)
    item = _builtin_next(machine, iterator)
    return Finished(NONE) if item is None else item


def _builtin_next(machine: Machine, iterator: Value) -> NextItem:
    content = _content(machine, iterator)
    if content is None:
        raise InternalError("a builtin iterator without a content")
    source = content.source
    if source is None:
        return None
    if isinstance(source, Traced):
        return _next_indexed(machine, content, source)
    equivalent = equivalent_of(machine.heap, source)
    if equivalent is not None:
        return advance_equivalent(machine, equivalent, source)
    if content.keys is not None:
        return next_of_keys(machine, content, source, content.keys)
    of_kind = _ADVANCE.get(content.kind)
    if of_kind is not None:
        return of_kind(machine, content, source)
    index = content.index
    if type(source) is Constant:
        sequence = source.value
        if isinstance(sequence, _SEQUENCES):
            if index >= count_of(sequence):
                return exhaust(machine, content)
            return step(machine, content, Constant(sequence[index]))
        raise InternalError(f"an iterator over {source}")
    items = items_of(machine, source)
    if isinstance(items, Break):
        return items
    return step(machine, content, items[index]) if index < len(items) else exhaust(machine, content)


def _next_enumerated(machine: Machine, content: IteratorContent, source: Value) -> NextItem:
    item = next_item(machine, source)
    if item is None or isinstance(item, STOPS):
        return item
    return step(machine, content, machine.heap.make(TupleContent((Constant(content.index), item))))


def _sources(machine: Machine, source: Value) -> tuple[Value, ...]:
    content = machine.heap.content(source) if isinstance(source, Made) else None
    if not isinstance(content, TupleContent):
        raise InternalError("the source of a zip, map or filter is a made tuple")
    return content.items


def _advance_all(machine: Machine, iterators: tuple[Value, ...]) -> list[Value] | Raise | Break | None:
    items: list[Value] = []
    for iterator in iterators:
        item = next_item(machine, iterator)
        if item is None or isinstance(item, STOPS):
            return item
        items.append(item)
    return items


def _next_zipped(machine: Machine, content: IteratorContent, source: Value) -> NextItem:
    iterators = _sources(machine, source)
    items: list[Value] = []
    for position, iterator in enumerate(iterators):
        item = next_item(machine, iterator)
        if item is None and content.index:
            return _uneven(machine, iterators, position)
        if item is None or isinstance(item, STOPS):
            return item
        items.append(item)
    return machine.heap.make(TupleContent(tuple(items))) if items else None


def _uneven(machine: Machine, iterators: tuple[Value, ...], ended: int) -> NextItem:
    """What a strict zip does when the iterator at that position has no item: none of the others may have one."""
    if ended:
        return _mismatch(ended, "shorter")
    for position, iterator in enumerate(iterators[1:], 1):
        item = next_item(machine, iterator)
        if item is not None:
            return item if isinstance(item, STOPS) else _mismatch(position, "longer")
    return None


def _mismatch(position: int, how: str) -> Raise:
    others = " " if position == 1 else "s 1-"
    return Raise(ValueError(f"zip() argument {position + 1} is {how} than argument{others}{position}"))


def _next_mapped(machine: Machine, content: IteratorContent, source: Value) -> NextItem:
    function, *iterators = _sources(machine, source)
    items = _advance_all(machine, tuple(iterators))
    if items is None or isinstance(items, STOPS):
        return items
    return machine.call(machine, function, items, ())


def _next_filtered(machine: Machine, content: IteratorContent, source: Value) -> NextItem:
    function, iterator = _sources(machine, source)
    while True:
        item = next_item(machine, iterator)
        if item is None or isinstance(item, STOPS):
            return item
        verdict = item
        if not turns_out_none(machine, function):
            reply = machine.call(machine, function, [item], ())
            if isinstance(reply, STOPS):
                return reply
            verdict = reply
        wanted = truth(machine, verdict)
        if isinstance(wanted, STOPS):
            return wanted
        if wanted:
            return item


def _next_reversed(machine: Machine, content: IteratorContent, source: Value) -> NextItem:
    index = content.index
    if isinstance(source, Constant) and isinstance(source.value, _SEQUENCES):
        item: Value | None = Constant(source.value[index]) if index >= 0 else None
    else:
        items = items_of(machine, source)
        if isinstance(items, Break):
            return items
        item = items[index] if 0 <= index < len(items) else None
    if item is None:
        return exhaust(machine, content)
    move(machine, content, index - 1)
    return item


_ADVANCE: Final[dict[type, Callable[[Machine, IteratorContent, Value], NextItem]]] = {
    enumerate: _next_enumerated,
    zip: _next_zipped,
    map: _next_mapped,
    filter: _next_filtered,
    reversed: _next_reversed,
    LIST_REVERSED: _next_reversed,
    deques.ITERATOR: next_of_deque,
    deques.BACKWARD: lambda machine, content, source: next_of_deque(machine, content, source, backward=True),
}


def _user_next(machine: Machine, iterator: Value) -> Advance:
    if isinstance(iterator, Constant) or is_static_type(machine.type_of(iterator)):
        name = class_name(machine.type_of(iterator))
        return machine.stop("SX2112", f"advancing an existing {name} is left to Python", "iterate over a list instead")
    method = special_method(machine, iterator, "__next__")
    if isinstance(method, STOPS):
        return method
    if method is None or is_builtin(method):
        return machine.stop("SX2112", f"advancing a {class_name(machine.type_of(iterator))} is not interpreted")
    return call_special(machine, method, iterator)


def items_at_hand(machine: Machine, value: Value) -> list[Value] | Break | None:
    """The items of a list or tuple that was looked into; `None` for anything else, which has to be iterated over."""
    if not isinstance(value, (Made, Known)):
        return None
    content = machine.heap.content(value) if isinstance(value, Made) else machine.heap.existing(value)
    if not isinstance(content, (ListContent, TupleContent)):
        return None
    items = list_content(machine, value) if isinstance(content, ListContent) else tuple_items(machine, value)
    if isinstance(items, Break):
        return items
    return list(items.items if isinstance(items, ListContent) else items)


def iterate_all(machine: Machine, value: Value) -> list[Value] | Raise | Break:
    """All items that iterating over `value` gives; its length is not asked for."""
    found = items_at_hand(machine, value)
    if found is not None:
        return found
    iterator = get_iterator(machine, value)
    return iterator if isinstance(iterator, STOPS) else all_of_iterator(machine, iterator)


def all_of_iterator(machine: Machine, iterator: Value) -> list[Value] | Raise | Break:
    """All items that advancing an iterator gives."""
    length = known_length(machine, iterator)
    if length is not None and length > SIZE_LIMIT:
        return too_large(machine, length)
    found: list[Value] = []
    while True:
        item = next_item(machine, iterator)
        if item is None:
            return found
        if isinstance(item, STOPS):
            return item
        if len(found) >= SIZE_LIMIT:
            return too_large(machine, len(found))
        found.append(item)


def known_length(machine: Machine, iterator: Value) -> int | None:
    """How many items a builtin iterator has left at most, where that is known."""
    content = _content(machine, iterator)
    if content is None:
        return None
    source = content.source
    if source is None:
        return 0
    if content.keys is not None:
        return len(content.keys) - content.index
    if content.kind is enumerate:
        return known_length(machine, source)
    if content.kind in (zip, map, filter):
        lengths = [known_length(machine, each) for each in _sources(machine, source)[content.kind is not zip :]]
        known = [length for length in lengths if length is not None]
        return min(known, default=None)
    if content.kind in (reversed, LIST_REVERSED):
        return content.index + 1
    if isinstance(source, Constant):
        return count_of(source.value) - content.index if isinstance(source.value, _SEQUENCES) else None
    if isinstance(source, Traced):
        length = length_of(machine, source)
        return None if isinstance(length, STOPS) else length - content.index
    items = items_of(machine, source)
    return None if isinstance(items, Break) else max(len(items) - content.index, 0)
