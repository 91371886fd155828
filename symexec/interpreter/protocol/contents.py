"""Looking into containers: what made ones hold, and existing ones, whose facts are guarded as they are read.

Only exact builtin lists, tuples, dicts, sets and frozensets are looked into; everything else is opaque: a break.
Knows nothing of Python's protocols.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.apart import part_from_all_instances, part_from_instances
from symexec.interpreter.protocol.bases import builtin_base, has_own, held_content
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.object_keys import (
    OBJECTS_LIMIT,
    are_harmless,
    dict_keys,
    is_key,
    rely_on_keys,
    set_keys,
)
from symexec.interpreter.protocol.special import is_among, mro_of
from symexec.values.effect import DeleteAttribute, DeleteItem, SetAttribute, SetItem
from symexec.values.guard import ContainsKey, Equals, KeysAre, Length
from symexec.values.heap import (
    ABSENT,
    Absent,
    DictContent,
    ListContent,
    ObjectContent,
    SetContent,
    TupleContent,
)
from symexec.values.keys import ObjectKey, existing_key
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute, DictKey, Globals, Item

SIZE_LIMIT: Final = 100_000
"""Items of a container, or characters of a string, beyond which nothing is computed at trace time."""

SET_LIMIT: Final = OBJECTS_LIMIT
"""Elements of an existing set beyond which its whole content is not guarded."""


def opaque(machine: Machine, value: Value) -> Break:
    """The break for a value that cannot be looked into."""
    name = class_name(machine.type_of(value))
    return machine.stop("SX2101", f"an object of type {name} is not looked into", "use an exact builtin container")


def list_content(machine: Machine, value: Value) -> ListContent | Break:
    """All items of an exact list; of an existing one under a guard on its length."""
    content = list_end(machine, value)
    if isinstance(content, Break) or content.complete:
        return content
    first = owner(machine, value) if isinstance(value, Known) else None
    if first is None or not isinstance(first.value, list):
        raise InternalError("only an existing list is not wholly known")
    items = _existing_items(machine, first, first.value)
    if isinstance(items, Break):
        return items
    content.items[:0] = items
    content.complete = True

    def undo() -> None:
        del content.items[: len(items)]
        content.complete = False

    machine.heap.record(undo)
    return content


def list_end(machine: Machine, value: Value) -> ListContent | Break:
    """What an exact list ends with: at least all that the trace appended to it.  Nothing of it is guarded by this."""
    content = held_content(machine, value, list, lambda: ListContent([], complete=False))
    return content if isinstance(content, (ListContent, Break)) else opaque(machine, value)


def tuple_items(machine: Machine, value: Value) -> tuple[Value, ...] | Break:
    """All items of an exact tuple; of an existing one under a guard on its length."""
    if type(value) is Constant and type(value.value) is tuple:
        return tuple([Constant(item) for item in value.value])
    content = held_content(machine, value, tuple, lambda: _existing_tuple(machine, value))
    if isinstance(content, Break):
        return content
    return content.items if isinstance(content, TupleContent) else opaque(machine, value)


def _existing_tuple(machine: Machine, value: Value) -> TupleContent | Break:
    if not isinstance(value, Known) or not isinstance(value.value, tuple):
        raise InternalError("what is made like a tuple is one")
    items = _existing_items(machine, value, value.value)
    return items if isinstance(items, Break) else TupleContent(tuple(items))


def range_of(machine: Machine, value: Value) -> range | Break:
    """The range that `value` surely is; an existing one under guards on its three numbers."""
    if type(value) is Constant and type(value.value) is range:
        return value.value
    if type(value) is Known and machine.type_of(value) is range and type(value.value) is range:
        found = value.value
        for name, number in (("start", found.start), ("stop", found.stop), ("step", found.step)):
            if type(number) is not int:
                return opaque(machine, value)
            machine.guards.add(Attribute(value.origin, name), Equals(number))
        return found
    return opaque(machine, value)


def count_of(sequence: str | bytes | tuple[object, ...] | range | frozenset[object]) -> int:
    """How many items there are; unlike `len()` it answers for every range."""
    if isinstance(sequence, range):
        first, end, step = sequence.start, sequence.stop, sequence.step
        return max(0, -((first - end) // step) if step > 0 else -((end - first) // -step))
    return len(sequence)


def slice_of(machine: Machine, value: Value) -> slice[object, object, object] | Break:
    """The slice of scalars that `value` surely is; an existing one under guards on its three parts."""
    if type(value) is Constant and type(value.value) is slice:
        return value.value
    if type(value) is Known and machine.type_of(value) is slice and type(value.value) is slice:
        found = value.value
        for name, part in (("start", found.start), ("stop", found.stop), ("step", found.step)):
            if type(part) is not int and part is not None:
                return opaque(machine, value)
            machine.guards.add(Attribute(value.origin, name), Equals(part))
        return found
    return opaque(machine, value)


def dict_content(machine: Machine, value: Value, complete: bool) -> DictContent | Break:
    """What is known of an exact dict; with `complete` all its keys in order, guarded if it existed before."""
    content = held_content(machine, value, dict, lambda: _existing_dict(machine, value))
    if not isinstance(content, DictContent):
        return content if isinstance(content, Break) else opaque(machine, value)
    if complete and isinstance(value, Known) and isinstance(value.value, dict):
        stop = part_from_all_instances(machine, value)
        if stop is None and not content.complete:
            stop = _complete(machine, value, value.value, content)
        if stop is not None:
            return stop
    return content


def _existing_dict(machine: Machine, value: Value) -> DictContent | Break:
    if isinstance(value, Known) and isinstance(value.value, dict) and are_harmless(machine, dict.__iter__(value.value)):
        return DictContent({}, complete=False)
    return machine.stop("SX2102", "the dict has keys whose comparison could run code")


def set_content(machine: Machine, value: Value) -> SetContent | Break:
    """The content of a set or frozenset; of an existing one nothing is guarded by this."""
    base = frozenset if builtin_base(machine.type_of(value)) is frozenset else set
    content = held_content(machine, value, base, lambda: _existing_set(machine, value))
    return content if isinstance(content, (SetContent, Break)) else opaque(machine, value)


def _existing_set(machine: Machine, value: Value) -> SetContent | Break:
    if isinstance(value, Known) and isinstance(value.value, (set, frozenset)):
        elements = frozenset(value.value) if isinstance(value.value, frozenset) else set.copy(value.value)
        if are_harmless(machine, elements):
            return SetContent(elements, None, complete=False)
    return machine.stop("SX2103", "the set has elements whose comparison could run code")


def unknown_order(machine: Machine) -> Break:
    """The break for an order of a set that is not known, or cannot be guarded."""
    why = "the order of a set that existed before, or that came of other sets, is not known"
    return machine.stop("SX2103", why, "iterate over sorted(...)")


def set_items(machine: Machine, value: Value) -> frozenset[Hashable] | set[Hashable] | Break:
    """The elements of an exact set or frozenset of constants; for those who do not ask for their order."""
    if type(value) is Constant and type(value.value) is frozenset:
        return value.value
    content = set_content(machine, value)
    if isinstance(content, Break) or content.complete:
        return content if isinstance(content, Break) else content.items
    first, original = _original_set(machine, value)
    items = content.items
    keys = None if len(original) > SET_LIMIT else set_keys(machine, frozenset(original))
    if keys is None:
        return machine.stop("SX2103", "the set is large or has elements that cannot be guarded")
    machine.guards.add(first.origin, Length(len(original)))
    for element in keys:
        stop = _rely_on_elements(machine, value, element)
        if stop is not None:
            return stop
        machine.guards.add(first.origin, ContainsKey(element, True))
    mine = {each for each in items if each not in original or each in content.removed}
    content.items = frozenset(keys) if isinstance(items, frozenset) else {*(frozenset(keys) - content.removed), *mine}
    content.complete = True

    def undo() -> None:
        content.items = items
        content.complete = False

    machine.heap.record(undo)
    return content.items


def _rely_on_elements(machine: Machine, value: Value, element: Hashable) -> Break | None:
    """Guard that looking for the element in an existing set runs no code."""
    if type(element) is not tuple and not isinstance(element, ObjectKey):
        return None
    first, original = _original_set(machine, value)
    type_ = type(first.value)
    stop = None if is_static_type(type_) else has_own(machine, type_, "__iter__")
    return stop or rely_on_keys(machine, first, frozenset(original), element)


def has_element(machine: Machine, value: Value, element: Hashable) -> bool | Break:
    """Whether a usable key is in an exact set or frozenset, guarded if it existed before."""
    if type(value) is Constant and type(value.value) is frozenset:
        return element in value.value
    content = set_content(machine, value)
    if isinstance(content, Break):
        return content
    if content.complete or (isinstance(element, ObjectKey) and element.is_new):
        return element in content.items
    if element in content.removed:
        return element in content.items
    stop = _rely_on_elements(machine, value, element)
    if stop is not None:
        return stop
    first, original = _original_set(machine, value)
    present = existing_key(element) in original
    machine.guards.add(first.origin, ContainsKey(element, present))
    return present or element in content.items


def set_length(machine: Machine, value: Value) -> int | Break:
    """`len` of an exact set or frozenset."""
    if type(value) is Constant and type(value.value) is frozenset:
        return len(value.value)
    content = set_content(machine, value)
    if isinstance(content, Break):
        return content
    if not content.complete:
        first, original = _original_set(machine, value)
        machine.guards.add(first.origin, Length(len(original)))
    return len(content.items)


def _original_set(machine: Machine, value: Value) -> tuple[Known, set[Hashable] | frozenset[Hashable]]:
    first = machine.heap.first_known(value) if isinstance(value, Known) else None
    if first is None or not isinstance(first.value, (set, frozenset)):
        raise InternalError("only an existing set is not wholly known")
    return first, first.value


def dict_entry(machine: Machine, value: Value, key: Hashable) -> Value | Absent | Break:
    """What an exact dict has under a usable key (see `usable_key`), its presence guarded if it existed before."""
    content = dict_content(machine, value, complete=False)
    if isinstance(content, Break):
        return content
    stop = part_from_instances(machine, value, key) if isinstance(value, Known) else None
    if stop is not None:
        return stop
    found = content.entries.get(key)
    if found is not None:
        return found
    if content.complete:
        return ABSENT
    first = machine.heap.first_known(value) if isinstance(value, Known) else None
    if first is None or not isinstance(first.value, dict):
        raise InternalError("only an existing dict is not wholly known")
    if isinstance(key, ObjectKey) and key.is_new:
        return ABSENT
    stop = rely_on_keys(machine, first, first.value, key)
    if stop is not None:
        return stop
    present = existing_key(key) in first.value
    machine.guards.add(first.origin, ContainsKey(key, present))
    entry: Value | Absent = ABSENT
    if present:
        entry = Known(dict.__getitem__(first.value, existing_key(key)), Item(first.origin, key))
    content.entries[key] = entry
    machine.heap.record(lambda: content.entries.pop(key))
    return entry


def dict_length(machine: Machine, value: Value) -> int | Break:
    """`len` of an exact dict."""
    content = dict_content(machine, value, complete=False)
    stop = part_from_all_instances(machine, value) if isinstance(value, Known) else None
    if isinstance(content, Break):
        return content
    if stop is not None:
        return stop
    if content.complete:
        return len(content.entries)
    first = machine.heap.first_known(value) if isinstance(value, Known) else None
    if first is None or not isinstance(first.value, dict):
        raise InternalError("only an existing dict is not wholly known")
    original = first.value
    machine.guards.add(first.origin, Length(len(original)))
    change = sum((not isinstance(entry, Absent)) - _was_in(original, key) for key, entry in content.entries.items())
    return len(original) + change


def _was_in(original: dict[Hashable, object], key: Hashable) -> bool:
    """Whether a key that was looked for, and so is harmless there, was in the dict before the trace."""
    return not (isinstance(key, ObjectKey) and key.is_new) and existing_key(key) in original


def constant_of(machine: Machine, value: Value) -> object:
    """The Python object that `value` surely is, or `NOT_CONCRETE`; scalar inputs of the graph are specialised on."""
    return machine.concrete(machine.specialise(value))


def owner(machine: Machine, value: Known) -> Known:
    """The value under which an existing object was first looked into: what effects speak of."""
    return machine.heap.first_known(value) or value


def _existing_items(machine: Machine, known: Known, items: list[object] | tuple[object, ...]) -> list[Value] | Break:
    if len(items) > SIZE_LIMIT:
        return machine.stop("SX9101", f"a container of {len(items)} items is not looked into")
    origin = known.origin
    machine.guards.add(origin, Length(len(items)))
    return [Known(item, Item(origin, index)) for index, item in enumerate(items)]


def _fits_its_order(original: dict[Hashable, object]) -> bool:
    """Whether an ordered dict can tell its keys in order: methods of `dict` may have gone past the order."""
    if not is_among(OrderedDict, mro_of(type(original))) or not isinstance(original, OrderedDict):
        return True
    if not all(map(is_key, dict.__iter__(original))):
        return False
    try:
        return len(tuple(OrderedDict.__iter__(original))) == dict.__len__(original)
    except (KeyError, RuntimeError):
        return False


def _complete(machine: Machine, known: Known, original: dict[Hashable, object], content: DictContent) -> Break | None:
    if not _fits_its_order(original):
        return machine.stop("SX2102", "the order of the dict does not fit what it holds, or cannot be known")
    first = owner(machine, known)
    large = len(original) > SIZE_LIMIT
    keys = None if isinstance(first.origin, Globals) or large else dict_keys(machine, first, original)
    if keys is None:
        return machine.stop("SX2102", "the keys of the dict, in order, cannot be guarded")
    entries: dict[Hashable, Value | Absent] = {}
    stored: dict[Hashable, Known | Made] = {
        key: Known(found, DictKey(first.origin, index))
        for index, (key, found) in enumerate(zip(keys, original, strict=True))
        if not isinstance(key, ObjectKey) and type(key) is not type(found)
    }
    machine.guards.add(first.origin, KeysAre(tuple(keys), tuple(map(type, original)) if stored else None))
    for key in keys:
        item = dict.__getitem__(original, existing_key(key))
        entry = content.entries.get(key)
        untouched = isinstance(entry, Known) and entry.value is item
        entries[key] = entry if entry is not None and untouched else Known(item, Item(first.origin, key))
    for effect in machine.heap.effects:  # what the trace did so far, again on the whole dict
        if isinstance(effect, (SetItem, DeleteItem)) and _is_object(effect.container, original):
            if isinstance(effect, SetItem):
                entries[effect.key] = effect.value
            else:
                del entries[effect.key]
                stored.pop(effect.key, None)
        elif isinstance(effect, (SetAttribute, DeleteAttribute)) and _holds(machine, original, effect):
            if isinstance(effect, SetAttribute):
                entries[effect.name] = effect.value
            else:
                del entries[effect.name]
    before, keys_before = content.entries, content.keys

    def undo() -> None:
        content.entries = before
        content.keys = keys_before
        content.complete = False

    content.entries = entries
    content.keys = {**stored, **content.keys}
    content.complete = True
    machine.heap.record(undo)
    return None


def _holds(machine: Machine, namespace: dict[Hashable, object], effect: SetAttribute | DeleteAttribute) -> bool:
    """Whether the dict holds the attribute that is written, of an existing instance."""
    content = machine.heap.existing(effect.owner) if isinstance(effect.owner, Known) else None
    if not isinstance(content, ObjectContent) or content.namespace is None or effect.name in content.attributes:
        return False
    return _is_object(content.namespace, namespace)


def _is_object(value: Value, found: object) -> bool:
    return isinstance(value, Known) and value.value is found
