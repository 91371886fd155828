"""What dicts do: made ones change their content; existing ones get effects as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.made_types import has_plain_keys
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.apart import note_item
from symexec.interpreter.protocol.bases import builtin_base, has_own, may_write
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import dict_content, dict_entry, owner
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.iterate import get_iterator, items_at_hand, next_item
from symexec.interpreter.protocol.keys import key_object, raise_key_error, usable_key
from symexec.interpreter.protocol.length_hints import items_for_list
from symexec.interpreter.protocol.special import find_on_type, is_among, type_ids
from symexec.values.effect import DeleteItem, SetItem
from symexec.values.heap import ABSENT, Absent, DictContent
from symexec.values.keys import ObjectKey, runs_code
from symexec.values.model import Known, Made, Value
from symexec.values.origin import DictKey, Fixed

_SINGLETON_IDS: Final = type_ids((bool, type(None)))


def dict_set(machine: Machine, container: Value, key: Value, value: Value) -> Raise | Break | None:
    """`container[key] = value`, of an exact dict."""
    found = usable_key(machine, key)
    if isinstance(found, Break):
        return found
    return store_entry(machine, container, found, value, key_object(key))


def store_entry(
    machine: Machine, container: Value, key: Hashable, value: Value, given: Known | Made | None = None
) -> Raise | Break | None:
    """`container[key] = value`, of an exact dict and a usable key, which is stored as what is given where it is new."""
    stored = key.value if isinstance(key, ObjectKey) else given if given is not None and _is_kept(given) else None
    content = dict_content(machine, container, complete=False)
    if isinstance(content, Break):
        return content
    stop = _write_entry(machine, container, key, value, stored) if isinstance(container, Known) else None
    if stop is not None:
        return stop
    entries = content.entries
    before = entries.get(key)
    entries[key] = value
    if stored is not None and (before is None or isinstance(before, Absent)):
        content.keys[key] = stored
        machine.heap.record(lambda: content.keys.pop(key))

    def undo() -> None:
        if before is None:
            del entries[key]
        else:
            entries[key] = before

    machine.heap.record(undo)
    return None


def _write_entry(
    machine: Machine, container: Known, key: Hashable, value: Value, stored: Known | Made | None
) -> Break | None:
    """Emit the effect of storing an entry in an existing dict."""
    in_python = runs_code(key)
    if in_python and not is_among(type(container.value), (dict, defaultdict)):
        return machine.stop("SX2104", "hashing a member of an enumeration is Python code, which no commit may run")
    old = may_write(machine, container, "__setitem__") or dict_entry(machine, container, key)
    if isinstance(old, Break):
        return old
    dropped = None if isinstance(old, Absent) or old is value else may_drop(machine, old, "the dict")
    if dropped is not None:
        return dropped
    keys = {} if stored is None else {key: stored}
    entry = machine.heap.make(DictContent({key: value}, complete=True, keys=keys)) if in_python else None
    machine.heap.emit(SetItem(owner(machine, container), key, value, stored, entry))
    note_item(machine, container, key)
    return None


def _is_kept(key: Known | Made) -> bool:
    """Whether it shows which object a key is: not for singletons, and not for keys of another dict, which are as good
    as constants (to reach each by its position would cost more than it is worth).
    """
    if isinstance(key, Made):
        return True
    return id(type(key.value)) not in _SINGLETON_IDS and not isinstance(key.origin, (DictKey, Fixed))


def take_entry(machine: Machine, container: Value, key: Hashable) -> Value | Absent | Break:
    """Remove and give what an exact dict has under a usable key; whoever gets it may drop it."""
    content = dict_content(machine, container, complete=False)
    if isinstance(content, Break):
        return content
    if isinstance(container, Known) and runs_code(key):
        return machine.stop("SX2104", "hashing a member of an enumeration is Python code, which no commit may run")
    old = may_write(machine, container, "__delitem__") or dict_entry(machine, container, key)
    if isinstance(old, (Absent, Break)):
        return old
    content.removals += 1
    stored = content.keys.pop(key, None)
    order = content.order
    if order is not None:
        content.order = [each for each in order if each != key]
    if content.complete:
        machine.heap.record(_remove(content, key))
    else:
        entries = content.entries
        entries[key] = ABSENT
        machine.heap.record(lambda: entries.update({key: old}))

    def undo() -> None:
        content.removals -= 1
        content.order = order
        if stored is not None:
            content.keys[key] = stored

    machine.heap.record(undo)
    if isinstance(container, Known):
        machine.heap.emit(DeleteItem(owner(machine, container), key, key.value if isinstance(key, ObjectKey) else None))
        note_item(machine, container, key)
    return old


def _remove(content: DictContent, key: Hashable) -> Callable[[], None]:
    """Remove an entry of a dict that is wholly known; gives how to put it back where it was."""
    entries = content.entries
    stored, following = _place(entries, key)
    old = entries.pop(stored)

    def undo() -> None:
        after: list[Hashable] = []
        for each in reversed(entries) if following is not ABSENT else ():
            after.append(each)
            if each is following:
                break
        entries[stored] = old
        for each in reversed(after):
            entries[each] = entries.pop(each)

    return undo


def _place(entries: Mapping[Hashable, object], key: Hashable) -> tuple[Hashable, Hashable]:
    """The key object that is stored for a key, and the one after it, `ABSENT` for the last.

    Looked for from both ends, so that removing the first or the last entry is cheap.
    """
    forward, backward = iter(entries), reversed(entries)
    following: Hashable = ABSENT
    for first, last in zip(forward, backward, strict=True):
        if first == key:
            return first, next(forward, ABSENT)
        if last == key:
            return last, following
        following = last
    raise InternalError(f"{key!r} is not in the dict")


def drop_entry(machine: Machine, container: Value, key: Hashable, value: Value) -> Raise | Break | None:
    """`del container[key]`, of an exact dict and a usable key, that of the value."""
    old = dict_entry(machine, container, key)
    if isinstance(old, Break):
        return old
    if isinstance(old, Absent):
        return raise_key_error(machine, value, key)
    if isinstance(container, Known):
        dropped = may_drop(machine, old, "the dict")
        if dropped is not None:
            return dropped
    taken = take_entry(machine, container, key)
    return taken if isinstance(taken, Break) else None


def dict_update(machine: Machine, container: Value, other: Value) -> Raise | Break | None:
    """`container.update(other)`, of an exact dict and a dict or an iterable of pairs."""
    type_ = machine.type_of(other)
    if type_ is not dict and builtin_base(type_) is dict:
        unlike = has_own(machine, type_, "__iter__", "keys", "__getitem__")
        if unlike is not None:
            return unlike
    elif type_ is not dict:
        return _update_from_pairs(machine, container, other, type_)
    content = dict_content(machine, other, complete=True)
    if isinstance(content, Break):
        return content
    for key, entry in tuple(content.entries.items()):
        stop = None if isinstance(entry, Absent) else store_entry(machine, container, key, entry, content.keys.get(key))
        if stop is not None:
            return stop
    return None


def _update_from_pairs(machine: Machine, container: Value, other: Value, type_: type) -> Raise | Break | None:
    if not is_static_type(type_) or find_on_type(type_, "keys") is not None:
        return machine.stop("SX2111", f"updating a dict from an object of type {class_name(type_)} is not interpreted")
    iterator = get_iterator(machine, other)
    if isinstance(iterator, STOPS):
        return iterator
    while True:
        pair = next_item(machine, iterator)
        if pair is None:
            return None
        parts = pair if isinstance(pair, STOPS) else _pair(machine, pair)
        if isinstance(parts, Break):
            return parts
        if isinstance(parts, Raise) or len(parts) != 2:
            return machine.stop("SX2111", "an item to update a dict from is not a pair: it raises")
        stop = dict_set(machine, container, parts[0], parts[1])
        if stop is not None:
            return stop


def _pair(machine: Machine, value: Value) -> list[Value] | Raise | Break:
    """Its items, as `PySequence_Fast` gets them."""
    at_hand = items_at_hand(machine, value)
    if at_hand is not None:
        return at_hand
    iterator = get_iterator(machine, value)
    return iterator if isinstance(iterator, STOPS) else items_for_list(machine, iterator)


def dict_merge(machine: Machine, container: Value, other: Value) -> Raise | Break | None:
    """Add the keyword arguments of `**other` to `container`; a repeated one, or a key that is no string, raises."""
    type_ = machine.type_of(other)
    if type_ is not dict:
        return machine.stop("SX2111", f"keyword arguments from an object of type {class_name(type_)}")
    content, target = dict_content(machine, other, complete=True), dict_content(machine, container, complete=True)
    if isinstance(content, Break):
        return content
    if isinstance(target, Break):
        return target
    for key, entry in tuple(content.entries.items()):
        if key in target.entries or type(key) is not str or not has_plain_keys(machine.heap, content):
            return machine.stop("SX2111", "a keyword argument is repeated or is not a string: it raises")
        stop = None if isinstance(entry, Absent) else store_entry(machine, container, key, entry)
        if stop is not None:
            return stop
    return None


def physical_order(content: DictContent) -> list[Hashable]:
    """The keys in the order of the dict that is under an ordered one."""
    order = [key for key in content.order or () if key in content.entries]
    placed = frozenset(order)
    return [*order, *(key for key in content.entries if key not in placed)]
