"""What lists do: made ones change their content; existing ones get effects as well, slice stores where need be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.bases import may_write
from symexec.interpreter.protocol.contents import SIZE_LIMIT, list_content, list_end, owner
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.folding import too_large
from symexec.interpreter.protocol.iterate import get_iterator, iterate_all, next_item
from symexec.interpreter.protocol.length_hints import ask_length
from symexec.interpreter.protocol.special import is_among
from symexec.values.effect import Append, DeleteItem, SetItem, SetSlice
from symexec.values.heap import ListContent
from symexec.values.model import Known, Made, Value

_FEW: Final = 32  # items that are appended one by one, so that the length of the list need not be known


def list_append(machine: Machine, container: Value, value: Value) -> Raise | Break | None:
    """`container.append(value)`, of an exact list."""
    content = list_end(machine, container)
    if isinstance(content, Break):
        return content
    items = content.items
    if len(items) >= SIZE_LIMIT:
        return too_large(machine, len(items) + 1)
    items.append(value)
    machine.heap.record(items.pop)
    if isinstance(container, Known):
        machine.heap.emit(Append(owner(machine, container), value))
    return None


def list_extend(machine: Machine, container: Value, iterable: Value) -> Raise | Break | None:
    """`container.extend(iterable)`, of an exact list."""
    content = list_end(machine, container)
    if isinstance(content, Break):
        return content
    if is_among(machine.type_of(iterable), (list, tuple)):
        values = iterate_all(machine, iterable)
        if isinstance(values, STOPS):
            return values
        if len(values) > _FEW or content.complete:
            content = list_content(machine, container)
            if isinstance(content, Break):
                return content
            return replace_slice(machine, container, len(content.items), len(content.items), values)
        stops = (list_append(machine, container, value) for value in values)
        return next((stop for stop in stops if stop is not None), None)
    if _is_same(machine, container, iterable):
        return _extend_by_itself(machine, container)
    iterator = get_iterator(machine, iterable)
    if isinstance(iterator, STOPS):
        return iterator
    asked = ask_length(machine, iterable)
    if asked is not None:
        return asked
    while True:  # one by one: what is iterated over may look at the list
        item = next_item(machine, iterator)
        if item is None:
            return None
        stop = item if isinstance(item, STOPS) else list_append(machine, container, item)
        if stop is not None:
            return stop


def _is_same(machine: Machine, container: Value, iterable: Value) -> bool:
    """Whether a list is extended by itself: then CPython does not ask for an iterator, whatever its class says."""
    if isinstance(container, Made):
        return isinstance(iterable, Made) and container.object_id == iterable.object_id
    return isinstance(container, Known) and isinstance(iterable, Known) and container.value is iterable.value


def _extend_by_itself(machine: Machine, container: Value) -> Raise | Break | None:
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    return replace_slice(machine, container, len(content.items), len(content.items), content.items)


def list_replace(machine: Machine, container: Value, values: Sequence[Value]) -> Raise | Break | None:
    """`container[:] = values`, of an exact list."""
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    return replace_slice(machine, container, 0, len(content.items), values)


def replace_slice(
    machine: Machine, container: Value, start: int, stop: int, values: Sequence[Value]
) -> Raise | Break | None:
    """`container[start:stop] = values`, of an exact list, with `0 <= start <= stop <= len(container)`."""
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    items = content.items
    old, new = items[start:stop], list(values)
    if len(items) + len(new) > SIZE_LIMIT:
        return too_large(machine, len(items) + len(new))
    if isinstance(container, Known):
        unwritable = may_write(machine, container, "__setitem__")
        if unwritable is not None:
            return unwritable
        kept = {id(value) for value in new}
        for value in old:
            dropped = None if id(value) in kept else may_drop(machine, value, "the list")
            if dropped is not None:
                return dropped
        machine.heap.emit(SetSlice(owner(machine, container), start, stop, tuple(new)))
    items[start:stop] = new
    _record_slice(machine, content, start, start + len(new), old)
    return None


def _record_slice(machine: Machine, content: ListContent, start: int, stop: int, old: list[Value]) -> None:
    def undo() -> None:
        content.items[start:stop] = old

    machine.heap.record(undo)


def store_index(machine: Machine, container: Value, index: int, value: Value) -> Raise | Break | None:
    """`container[index] = value`, of an exact list with `0 <= index < len(container)`."""
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    old = content.items[index]
    if isinstance(container, Known):
        dropped = may_write(machine, container, "__setitem__")
        dropped = dropped or (None if old is value else may_drop(machine, old, "the list"))
        if dropped is not None:
            return dropped
        machine.heap.emit(SetItem(owner(machine, container), index, value))
    content.items[index] = value
    _record_slice(machine, content, index, index + 1, [old])
    return None


def take_index(machine: Machine, container: Value, index: int) -> Value | Raise | Break:
    """Remove and give the item at `0 <= index < len(container)` of an exact list; whoever gets it may drop it."""
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    unwritable = may_write(machine, container, "__delitem__")
    if unwritable is not None:
        return unwritable
    old = content.items.pop(index)
    _record_slice(machine, content, index, index, [old])
    if isinstance(container, Known):
        machine.heap.emit(DeleteItem(owner(machine, container), index))
    return old


def drop_index(machine: Machine, container: Value, index: int) -> Raise | Break | None:
    """`del container[index]`, of an exact list with `0 <= index < len(container)`."""
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    if isinstance(container, Known):
        dropped = may_drop(machine, content.items[index], "the list")
        if dropped is not None:
            return dropped
    taken = take_index(machine, container, index)
    return taken if isinstance(taken, STOPS) else None
