"""Subscripts: reading, storing and deleting items and slices."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_class, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import scalar_of
from symexec.interpreter.protocol.classes import class_name, class_record, find_in_class
from symexec.interpreter.protocol.contents import (
    dict_entry,
    list_content,
    opaque,
    range_of,
    slice_of,
    tuple_items,
)
from symexec.interpreter.protocol.dicts import dict_set, drop_entry
from symexec.interpreter.protocol.folding import fold, is_plain
from symexec.interpreter.protocol.iterate import get_iterator
from symexec.interpreter.protocol.keys import raise_key_error, usable_key
from symexec.interpreter.protocol.length_hints import items_for_list
from symexec.interpreter.protocol.lists import drop_index, list_replace, replace_slice, store_index
from symexec.interpreter.protocol.numbers import as_bounds, as_index
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.refusals import rely_on_own_names
from symexec.interpreter.protocol.sequences import make_tuple
from symexec.interpreter.protocol.special import mro_of, type_ids
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.interpreter.protocol.truth import get_length
from symexec.values.graph import Kind
from symexec.values.heap import ABSENT, Absent, ListContent
from symexec.values.model import Constant, Known, Traced, Value

__all__ = ["delete_item", "get_item", "get_length", "set_item"]

_INDEXED: Final = (str, bytes, tuple, range)
_READABLE: Final = type_ids((dict, list, tuple, range))


def get_item(machine: Machine, container: Value, key: Value) -> Reply:
    """What `container[key]` gives."""
    container = machine.resolve(container)
    if isinstance(container, Traced):
        return machine.operate(Kind.CALL, operator.getitem, [container, key])
    if isinstance(container, Constant):
        return _constant_item(machine, container, key)
    type_ = machine.type_of(container)
    if id(type_) in _READABLE:
        return base_item(machine, type_, container, key)
    if isinstance(container, Known) and is_class(container.value):
        return _class_item(machine, container, container.value, key)
    return _special_item(machine, "__getitem__", container, key)


def _class_item(machine: Machine, container: Known, type_: type, key: Value) -> Reply:
    """What a class gives: its metaclass is asked first, then its own `__class_getitem__`."""
    method = special_method(machine, container, "__getitem__") if type(type_) is not type else None
    if method is not None:
        return method if isinstance(method, STOPS) else call_special(machine, method, container, key)
    if find_in_class(type_, "__class_getitem__") is ABSENT:
        return machine.stop("SX2115", f"the class {class_name(type_)} is not subscriptable: it raises")
    getter = machine.get_attribute(machine, container, "__class_getitem__")
    return getter if isinstance(getter, STOPS) else machine.call(machine, getter, [key], ())


def base_item(machine: Machine, base: type, container: Value, key: Value) -> Reply:
    """What `base.__getitem__(container, key)` gives, of an instance of the builtin type or a subclass of it."""
    if base is dict:
        return _dict_item(machine, container, key)
    if base is list:
        index = as_index(machine, key)  # its code may change the list
        if isinstance(index, STOPS):
            return index
        content = list_content(machine, container)
        return content if isinstance(content, Break) else _sequence_item(machine, list, container, content.items, index)
    if base is tuple:
        items = tuple_items(machine, container)
        return items if isinstance(items, Break) else _sequence_item(machine, tuple, container, items, key)
    if base is range:
        found = range_of(machine, container)
        return found if isinstance(found, Break) else _constant_item(machine, Constant(found), key)
    plain = scalar_of(machine, container)
    return _constant_item(machine, plain, key) if isinstance(plain, Constant) else opaque(machine, container)


def _constant_item(machine: Machine, container: Constant, key: Value) -> Reply:
    index = _index_of(machine, key)
    if isinstance(index, STOPS):
        return index
    if isinstance(container.value, tuple) and isinstance(index, int):
        try:
            return Constant(container.value[index])
        except IndexError as error:
            return Raise(error.with_traceback(None))
    if not isinstance(container.value, _INDEXED):
        return opaque(machine, container) if not is_plain(container.value) else _raise(machine, container.value, index)
    if isinstance(index, slice) and index == slice(None, None, None) and not isinstance(container.value, range):
        return container
    return fold(machine, operator.getitem, (container.value, index))


def _raise(machine: Machine, value: object, key: object) -> Raise | Break:
    """Python's own error for a subscript that it refuses."""
    reply = fold(machine, operator.getitem, (value, key))
    return reply if isinstance(reply, STOPS) else machine.stop("SX2115", "this subscript is not interpreted")


def _index_of(machine: Machine, key: Value) -> object | Raise | Break:
    """The constant that the key surely is: an int, a slice, or what a sequence refuses."""
    index = as_index(machine, machine.resolve(machine.specialise(key)))
    bounds = index if isinstance(index, STOPS) else as_bounds(machine, index)
    if isinstance(bounds, STOPS):
        return bounds
    key = bounds
    if isinstance(key, Traced):
        return machine.stop("SX4005", f"an index depends on the data of a {class_name(key.type)}")
    found = machine.concrete(key)
    if found is NOT_CONCRETE and machine.type_of(key) is slice and isinstance(key, Known):
        found = slice_of(machine, key)
    if found is NOT_CONCRETE or not is_plain(found):
        name = class_name(machine.type_of(key))
        return machine.stop("SX2115", f"an index of type {name} is not interpreted")
    return found


def _dict_item(machine: Machine, container: Value, key: Value) -> Reply:
    found = usable_key(machine, key)
    if isinstance(found, Break):
        return found
    entry = dict_entry(machine, container, found)
    if not isinstance(entry, Absent):
        return entry
    if machine.type_of(container) is dict:
        return raise_key_error(machine, key, found)
    method = special_method(machine, container, "__missing__")
    if isinstance(method, STOPS):
        return method
    return raise_key_error(machine, key, found) if method is None else call_special(machine, method, container, key)


def _sequence_item(machine: Machine, base: type, container: Value, items: Sequence[Value], key: Value) -> Reply:
    index = _index_of(machine, key)
    if isinstance(index, STOPS):
        return index
    if isinstance(index, int) and abs(index) > sys.maxsize:
        return _raise(machine, base(), index)
    if isinstance(index, int):
        try:
            return items[index]
        except IndexError:
            return Raise(IndexError(f"{class_name(base)} index out of range"))
    if not isinstance(index, slice):
        return _raise(machine, base(), index)
    try:
        part = items[index]
    except (TypeError, ValueError) as error:
        return Raise(error.with_traceback(None))
    if isinstance(part, tuple):
        whole = len(part) == len(items) and index.step in (None, 1) and machine.type_of(container) is tuple
        return container if whole else make_tuple(machine, part)
    return machine.heap.make(ListContent(list(part)))


def _special_item(machine: Machine, name: str, container: Value, *args: Value) -> Reply:
    method = special_method(machine, container, name)
    if isinstance(method, STOPS):
        return method
    type_ = machine.type_of(container)
    if method is None:
        return _refused(machine, name, type_, args[0])
    return call_special(machine, method, container, *args)


_ITEM_FUNCTIONS: Final[dict[str, tuple[object, tuple[object, ...]]]] = {
    "__getitem__": (operator.getitem, ()),
    "__setitem__": (operator.setitem, (0,)),
    "__delitem__": (operator.delitem, ()),
}


def _refused(machine: Machine, name: str, type_: type, key: Value) -> Raise | Break:
    """What Python raises where an object of a class of the user's has no such method.

    Up to 3.13 the words differ where the key is an index, which is asked for first, and may be refused itself.
    """
    if any(is_static_type(base) and base is not object for base in mro_of(type_)):
        return machine.stop("SX2115", f"{class_name(type_)} has no {name}: it raises")
    function, args = _ITEM_FUNCTIONS[name]
    stand_in: object = type(class_name(type_), (), {})()
    index = _sample_key(machine, key)
    if index is NOT_CONCRETE:
        return machine.stop("SX2115", f"{class_name(type_)} has no {name}: it raises")
    stop = rely_on_own_names(machine, class_record(machine, type_))
    reply = stop or fold(machine, function, (stand_in, index, *args))
    return reply if isinstance(reply, STOPS) else machine.stop("SX2115", f"{class_name(type_)} has no {name}")


def _sample_key(machine: Machine, key: Value) -> object:
    """What is taken for an index where the key is, and for none where it is none."""
    value = scalar_of(machine, key)
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value
    return NOT_CONCRETE if find_in_class(machine.type_of(key), "__index__") is not ABSENT else None


def set_item(machine: Machine, container: Value, key: Value, value: Value) -> Raise | Break | None:
    """`container[key] = value`."""
    container = machine.resolve(container)
    if isinstance(container, Traced):
        return machine.stop("SX3004", "a store into a traced value is done by Python, in place")
    type_ = machine.type_of(container)
    if type_ is dict or type_ is list:
        return set_base_item(machine, type_, container, key, value)
    if isinstance(container, Constant):
        return machine.stop("SX2115", f"a store into an object of type {class_name(type_)} is not interpreted")
    reply = _special_item(machine, "__setitem__", container, key, value)
    return reply if isinstance(reply, STOPS) else None


def set_base_item(machine: Machine, base: type, container: Value, key: Value, value: Value) -> Raise | Break | None:
    """`base.__setitem__(container, key, value)`, of an instance of `list`, `dict` or a subclass of it."""
    if base is dict:
        return dict_set(machine, container, key, value)
    return _set_list_item(machine, container, key, value)


def _position(
    machine: Machine, content: ListContent, key: Value, what: str
) -> int | slice[object, object, object] | Raise | Break:
    """The non-negative index, or the slice, that `key` means in the list."""
    index = _index_of(machine, key)
    if isinstance(index, (Raise, Break, slice)):
        return index
    if not isinstance(index, int):
        return _raise(machine, [], index)
    position = index + len(content.items) if index < 0 else int(index)
    if not 0 <= position < len(content.items):
        return Raise(IndexError(f"list {what} index out of range"))
    return position


def _set_list_item(machine: Machine, container: Value, key: Value, value: Value) -> Raise | Break | None:
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    position = _position(machine, content, key, "assignment")
    if isinstance(position, STOPS):
        return position
    if isinstance(position, int):
        return store_index(machine, container, position, value)
    iterator = get_iterator(machine, value)
    if isinstance(iterator, Raise) and is_raised(machine, iterator, TypeError):
        refused = fold(machine, operator.setitem, ([], position, None))  # in words of its own
        return refused if isinstance(refused, STOPS) else iterator
    length = len(content.items)
    values = iterator if isinstance(iterator, STOPS) else items_for_list(machine, iterator)
    if isinstance(values, STOPS):
        return values
    if len(content.items) != length:
        return machine.stop("SX2115", "a list changes its length while what a slice of it becomes is iterated over")
    return _store_slice(machine, container, content, position, values)


def _store_slice(
    machine: Machine,
    container: Value,
    content: ListContent,
    position: slice[object, object, object],
    values: list[Value],
) -> Raise | Break | None:
    """`container[position] = values`, with CPython's rules for steps."""
    try:
        start, stop, step = position.indices(len(content.items))
    except (TypeError, ValueError) as error:
        return Raise(error.with_traceback(None))
    if step == 1:
        return replace_slice(machine, container, start, max(start, stop), values)
    indices = range(start, stop, step)
    if len(indices) != len(values):
        return Raise(
            ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size {len(indices)}")
        )
    for index, value in zip(indices, values, strict=True):
        stopped = store_index(machine, container, index, value)
        if stopped is not None:
            return stopped
    return None


def delete_item(machine: Machine, container: Value, key: Value) -> Raise | Break | None:
    """`del container[key]`."""
    container = machine.resolve(container)
    if isinstance(container, Traced):
        return machine.stop("SX3004", "a deletion from a traced value is done by Python, in place")
    type_ = machine.type_of(container)
    if type_ is dict or type_ is list:
        return delete_base_item(machine, type_, container, key)
    if isinstance(container, Constant):
        return machine.stop("SX2115", f"a deletion from an object of type {class_name(type_)} is not interpreted")
    reply = _special_item(machine, "__delitem__", container, key)
    return reply if isinstance(reply, STOPS) else None


def delete_base_item(machine: Machine, base: type, container: Value, key: Value) -> Raise | Break | None:
    """`base.__delitem__(container, key)`, of an instance of `list`, `dict` or a subclass of it."""
    if base is dict:
        found = usable_key(machine, key)
        return found if isinstance(found, Break) else drop_entry(machine, container, found, key)
    return _delete_list_item(machine, container, key)


def _delete_list_item(machine: Machine, container: Value, key: Value) -> Raise | Break | None:
    content = list_content(machine, container)
    if isinstance(content, Break):
        return content
    position = _position(machine, content, key, "assignment")
    if isinstance(position, STOPS):
        return position
    if isinstance(position, int):
        return drop_index(machine, container, position)
    try:
        start, stop, step = position.indices(len(content.items))
    except (TypeError, ValueError) as error:
        return Raise(error.with_traceback(None))
    if step == 1:
        return replace_slice(machine, container, start, max(start, stop), [])
    deleted = frozenset(range(start, stop, step))
    return list_replace(machine, container, [item for at, item in enumerate(content.items) if at not in deleted])
