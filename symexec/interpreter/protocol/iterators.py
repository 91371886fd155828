"""The iterators that builtin containers give: over a content, at its beginning or, reversed, at its end."""

from __future__ import annotations

from collections import deque
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol import deques
from symexec.interpreter.protocol.bases import scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import (
    SET_LIMIT,
    dict_content,
    list_content,
    range_of,
    set_content,
    set_items,
    tuple_items,
    unknown_order,
)
from symexec.interpreter.protocol.object_keys import is_key
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import find_on_type
from symexec.interpreter.protocol.stepping import BACKWARD_KINDS
from symexec.interpreter.protocol.templates import template_iterator
from symexec.values.effect import effect_target
from symexec.values.guard import KeysAre
from symexec.values.heap import IteratorContent, SetContent, TemplateContent, ViewContent
from symexec.values.keys import ObjectKey
from symexec.values.model import Constant, Known, Made, Value

_LIST: Final[type] = type(iter([]))
TUPLE: Final[type] = type(iter(()))
_SET: Final[type] = type(iter(set()))
LIST_REVERSED: Final[type] = type(reversed([]))
_DICT_KINDS: Final[dict[str, type]] = {
    "keys": type(iter({})),
    "values": type(iter({}.values())),
    "items": type(iter({}.items())),
}
_SEQUENCES: Final = (str, bytes, tuple, range)


def base_iterator(machine: Machine, type_: type, value: Value) -> Reply:
    """What `type_.__iter__(value)` gives, of an instance of the builtin type or a subclass of it."""
    plain = scalar_of(machine, value)
    if isinstance(plain, Constant):
        return constant_iterator(machine, plain)
    if type_ is deque:
        held = deques.deque_content(machine, value)
        if isinstance(held, Break):
            return held
        return machine.heap.make(IteratorContent(deques.ITERATOR, value, 0, removals=held.changes))
    if type_ is list:
        content = list_content(machine, value)
        return content if isinstance(content, Break) else make_iterator(machine, _LIST, value)
    if type_ is tuple:
        items = tuple_items(machine, value)
        return items if isinstance(items, Break) else make_iterator(machine, TUPLE, value)
    return keyed_iterator(machine, value, type_)


def make_iterator(machine: Machine, kind: type, source: Value, index: int = 0) -> Made:
    return machine.heap.make(IteratorContent(kind, source, index))


def constant_iterator(machine: Machine, value: Constant) -> Reply:
    found = value.value
    if isinstance(found, _SEQUENCES):
        return make_iterator(machine, type(iter(found)), value)
    if isinstance(found, frozenset):
        return machine.heap.make(IteratorContent(_SET, value, 0, tuple(found)))
    return raise_naming(machine, type(found), lambda name: TypeError(f"'{name}' object is not iterable"))


def keyed_iterator(machine: Machine, value: Value, type_: type) -> Reply:
    """An iterator of a dict, a view or a set, which notices that its source changes."""
    made = machine.heap.content(value) if isinstance(value, Made) else None
    if isinstance(made, TemplateContent):
        return template_iterator(machine, made)
    if type_ is dict or isinstance(made, ViewContent):
        return _over_dict(machine, value, backward=False)
    if type_ in (set, frozenset):
        elements = set_content(machine, value)
        if isinstance(elements, Break):
            return elements
        unordered = elements.history is None or any(isinstance(each, ObjectKey) for each in elements.items)
        if unordered and len(elements.items) > 1:
            return _over_existing(machine, value, elements)
        items = set_items(machine, value)
        if isinstance(items, Break):
            return items
        return machine.heap.make(IteratorContent(_SET, value, 0, tuple(elements.items), elements.removals))
    if type_ is range:
        found = range_of(machine, value)
        return found if isinstance(found, Break) else make_iterator(machine, type(iter(found)), Constant(found))
    if find_on_type(type_, "__iter__") is None and find_on_type(type_, "__getitem__") is None:
        return raise_naming(machine, type_, lambda name: TypeError(f"'{name}' object is not iterable"))
    return machine.stop("SX2112", f"iterating over an object of type {class_name(type_)} is not interpreted")


def _over_existing(machine: Machine, value: Value, content: SetContent) -> Reply:
    """Over a set that existed before and was not changed: its order is guarded."""
    first = machine.heap.first_known(value) if isinstance(value, Known) else None
    original = first.value if first is not None else None
    if first is None or (type(original) is not set and type(original) is not frozenset):
        return unknown_order(machine)
    is_changed = any(effect_target(effect) is first for effect in machine.heap.effects)
    order = tuple(original)
    if is_changed or len(order) > SET_LIMIT or not all(is_key(each) and each == each for each in order):
        return unknown_order(machine)
    machine.guards.add(first.origin, KeysAre(order))
    elements = set_items(machine, value)
    if isinstance(elements, Break):
        return elements
    return machine.heap.make(IteratorContent(_SET, value, 0, order, content.removals))


def reversed_keys(machine: Machine, value: Value) -> Reply:
    """What `reversed` gives for a dict or a view of one."""
    return _over_dict(machine, value, backward=True)


def _over_dict(machine: Machine, value: Value, backward: bool) -> Reply:
    view = machine.heap.content(value) if isinstance(value, Made) else None
    kind, mapping = (view.kind, view.mapping) if isinstance(view, ViewContent) else ("keys", value)
    content = dict_content(machine, mapping, complete=True)
    if isinstance(content, Break):
        return content
    keys = tuple(reversed(content.entries)) if backward else tuple(content.entries)
    kinds = BACKWARD_KINDS if backward else _DICT_KINDS
    return machine.heap.make(IteratorContent(kinds[kind], value, 0, keys, content.removals))
