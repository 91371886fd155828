"""Where builtin iterators stand, and how they go on: each step can be undone.

Iterators over dicts, views and sets notice that their source changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final, TypeAlias

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import dict_content, owner, set_content
from symexec.interpreter.protocol.deques import deque_content
from symexec.interpreter.protocol.keys import element_value
from symexec.interpreter.protocol.special import is_among
from symexec.values.heap import (
    Absent,
    DictContent,
    IteratorContent,
    ListContent,
    ObjectContent,
    TupleContent,
    ViewContent,
)
from symexec.values.keys import ObjectKey
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import DictKey

NextItem: TypeAlias = Value | Raise | Break | None
"""An item, `None` at the end, or why there is neither."""


BACKWARD_KINDS: Final[Mapping[str, type]] = {
    "keys": type(reversed({})),
    "values": type(reversed({}.values())),
    "items": type(reversed({}.items())),
}
"""The types of what `reversed` makes of a dict's views; their `keys` are in that order."""


def items_of(machine: Machine, source: Value) -> list[Value] | tuple[Value, ...] | Break:
    """The items of a list or tuple that was looked into."""
    content = machine.heap.content(source) if isinstance(source, Made) else None
    if isinstance(source, Known):
        content = machine.heap.existing(source)
    if isinstance(content, ObjectContent):
        content = content.base
    if isinstance(content, (ListContent, TupleContent)):
        return content.items
    return machine.stop("SX2112", "the source of an iterator is not a list or tuple")


def move(machine: Machine, content: IteratorContent, index: int) -> None:
    """Set the position."""
    before = content.index

    def undo() -> None:
        content.index = before

    content.index = index
    machine.heap.record(undo)


def step(machine: Machine, content: IteratorContent, item: Value) -> Value:
    """Go one on, over `item`."""
    move(machine, content, content.index + 1)
    return item


def exhaust(machine: Machine, content: IteratorContent) -> NextItem:
    """There is no next item, and never will be again."""
    before = content.source

    def undo() -> None:
        content.source = before

    content.source = None
    machine.heap.record(undo)
    return None


def next_of_keys(
    machine: Machine, content: IteratorContent, source: Value, keys: tuple[Hashable, ...]
) -> Value | Raise | Break | None:
    """The next of a dict's, view's or set's, unless its size changed meanwhile."""
    index = content.index
    if isinstance(source, Constant) or builtin_base(machine.type_of(source)) in (set, frozenset):
        items = set_content(machine, source) if not isinstance(source, Constant) else None
        if isinstance(items, Break):
            return items
        if items is not None and len(items.items) != len(keys):
            return Raise(RuntimeError("Set changed size during iteration"))
        if items is not None and items.removals != content.removals:
            return machine.stop("SX2113", "elements of a set were replaced while it is iterated over")
        if index >= len(keys):
            return exhaust(machine, content)
        return step(machine, content, _element(machine, source, keys, index))
    view = machine.heap.content(source) if isinstance(source, Made) else None
    kind, mapping = (view.kind, view.mapping) if isinstance(view, ViewContent) else ("keys", source)
    entries = dict_content(machine, mapping, complete=True)
    if isinstance(entries, Break):
        return entries
    if len(entries.entries) != len(keys):
        if machine.type_of(mapping) is not dict:
            return machine.stop("SX2113", "a mapping is changed while it is iterated over")
        return Raise(RuntimeError("dictionary changed size during iteration"))
    if entries.removals != content.removals:
        return machine.stop("SX2113", "keys of a dict were replaced while it is iterated over")
    if index >= len(keys):
        return exhaust(machine, content)
    position = len(keys) - 1 - index if is_among(content.kind, BACKWARD_KINDS.values()) else index
    return step(machine, content, _entry(machine, (kind, mapping), entries, keys[index], position))


def _element(machine: Machine, source: Value, keys: tuple[Hashable, ...], index: int) -> Value:
    """The element itself: of an existing set whose order is guarded, the object that it has."""
    key = keys[index]
    first = machine.heap.first_known(source) if isinstance(source, Known) else None
    if first is None or len(keys) < 2 or isinstance(key, ObjectKey):
        return element_value(key)
    return Known(key, DictKey(first.origin, index))


def _entry(machine: Machine, view: tuple[str, Value], content: DictContent, key: Hashable, index: int) -> Value:
    kind, mapping = view
    entry = content.entries[key]
    if isinstance(entry, Absent):
        raise InternalError("a dict that is wholly known has an absent key")
    if kind == "values":
        return entry
    key_object = key_value(machine, mapping, content, key, index)
    return key_object if kind == "keys" else machine.heap.make(TupleContent((key_object, entry)))


def next_of_deque(machine: Machine, content: IteratorContent, source: Value, backward: bool = False) -> NextItem:
    """The next of a deque's, unless it was changed meanwhile."""
    held = deque_content(machine, source)
    if isinstance(held, Break):
        return held
    if held.changes != content.removals:
        return Raise(RuntimeError("deque mutated during iteration"))
    index = content.index
    if not 0 <= index < len(held.items):
        return exhaust(machine, content)
    item = held.items[index]
    move(machine, content, index - 1 if backward else index + 1)
    return item


def key_value(machine: Machine, mapping: Value, content: DictContent, key: Hashable, index: int) -> Value:
    """The key number `index` of a dict that is wholly known; the very object, where the dict existed before."""
    stored = content.keys.get(key)
    if stored is not None or isinstance(key, ObjectKey):
        return stored or element_value(key)
    if isinstance(mapping, Known) and not content.removals:
        first = owner(machine, mapping)
        if isinstance(first.value, dict) and index < len(first.value):
            return Known(key, DictKey(first.origin, index))
    return Constant(key)
