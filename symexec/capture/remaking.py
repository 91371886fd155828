"""How iterators that a trace made are made again where it ends: by which call, with which arguments.

Only by calls that run no code of the user's: what they go over must be an iterator of the trace itself.  Where no such
call gives the same state, the iterator stays what it is, and the trace ends before it came to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from symexec.capture.makers import CAN_BE_ENDED, make_advanced, make_advanced_backward, make_ended
from symexec.capture.remaking_equivalents import remake_equivalent
from symexec.interpreter.protocol.equivalents import equivalent_of
from symexec.interpreter.protocol.iterators import LIST_REVERSED
from symexec.interpreter.protocol.special import is_among
from symexec.interpreter.protocol.stepping import BACKWARD_KINDS
from symexec.values.heap import (
    CalledContent,
    DictContent,
    GeneratorContent,
    Heap,
    IteratorContent,
    ListContent,
    SetContent,
    TupleContent,
    ViewContent,
    parts,
)
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Fixed

_Call: TypeAlias = tuple[object, tuple[Value, ...]]

_SET: Final[type] = type(iter(set()))


def settle_iterators(heap: Heap, values: Sequence[Value]) -> None:
    """Let each iterator of the trace that the values lead to be the call that makes it again, if there is one."""
    todo, seen = list(values), set[int]()
    while todo:
        value = todo.pop()
        if not isinstance(value, Made) or value.object_id in seen:
            continue
        seen.add(value.object_id)
        content = heap.content(value)
        if isinstance(content, IteratorContent):
            called = _remake(heap, content)
            if called is not None:
                heap.replace(value, called)
                content = called
        todo.extend(parts(content))


def is_iterator(heap: Heap, value: Value) -> bool:
    """Whether the value is an iterator of the trace: `iter()` gives it itself and runs no code."""
    content = heap.content(value) if isinstance(value, Made) else None
    if isinstance(content, CalledContent):
        return hasattr(content.type, "__next__")
    return isinstance(content, (IteratorContent, GeneratorContent))


def _remake(heap: Heap, content: IteratorContent) -> CalledContent | None:
    kind, source, index = content.kind, content.source, content.index
    if source is None:
        return CalledContent(kind, make_ended, (Known(kind, Fixed(kind)),)) if id(kind) in CAN_BE_ENDED else None
    class_ = equivalent_of(heap, source)
    if class_ is not None:
        call = remake_equivalent(heap, class_, source)
        usable = call is not None and all(is_iterator(heap, each) for each in call.iterators)
        return CalledContent(kind, call.function, call.args, call.names) if call is not None and usable else None
    if kind is LIST_REVERSED or kind is reversed:
        fits = kind is reversed or index < length_before_effects(heap, source)
        return CalledContent(kind, reversed, (source,), state=index) if fits else None
    found = _remake_keyed(heap, content, source) or _remake_composed(heap, content, source)
    return None if found is None else CalledContent(kind, *found)


def length_before_effects(heap: Heap, source: Value) -> int:
    """How long a list is when it is iterated over again: before the effects, if it existed before the trace."""
    if isinstance(source, Known) and type(source.value) is list:
        return len(source.value)
    content = heap.content(source) if isinstance(source, Made) else None
    return len(content.items) if isinstance(content, ListContent) else -1


def _remake_keyed(heap: Heap, content: IteratorContent, source: Value) -> _Call | None:
    """Over a dict, a view or a set that is, when it is iterated over again, what it was at first."""
    keys, kind = content.keys, content.kind
    if keys is None:
        return None
    if kind is _SET:
        is_same = isinstance(source, Constant) or _is_same_set(heap, source, content)
        return (make_advanced, (source, Constant(content.index))) if is_same else None
    view = heap.content(source) if isinstance(source, Made) else None
    mapping = view.mapping if isinstance(view, ViewContent) else source
    backward = is_among(kind, BACKWARD_KINDS.values())
    order = keys[::-1] if backward else keys
    entries = heap.content(mapping) if isinstance(mapping, Made) else None
    if isinstance(mapping, Known):
        entries = heap.existing(mapping)
        if not isinstance(mapping.value, dict) or tuple(mapping.value) != order:
            return None
    if not isinstance(entries, DictContent) or tuple(entries.entries) != order or entries.removals != content.removals:
        return None
    return make_advanced_backward if backward else make_advanced, (source, Constant(content.index))


def _is_same_set(heap: Heap, source: Value, content: IteratorContent) -> bool:
    elements = heap.content(source) if isinstance(source, Made) else None
    if not isinstance(elements, SetContent) or elements.removals != content.removals:
        return False
    return elements.history is not None and tuple(elements.items) == content.keys


def _remake_composed(heap: Heap, content: IteratorContent, source: Value) -> _Call | None:
    """An `enumerate`, `zip`, `map` or `filter`: it keeps nothing but what it goes over."""
    kind, index = content.kind, content.index
    if kind is enumerate:
        return (enumerate, (source, Constant(index))) if is_iterator(heap, source) else None
    sources = heap.content(source) if isinstance(source, Made) else None
    if not is_among(kind, (zip, map, filter)) or not isinstance(sources, TupleContent):
        return None
    over = sources.items if kind is zip else sources.items[1:]
    if (kind is zip and index) or not all(is_iterator(heap, each) for each in over):
        return None
    return kind, sources.items
