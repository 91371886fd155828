"""`item in container`."""

from __future__ import annotations

import operator

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.bases import builtin_base, scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.comparisons import equal_items
from symexec.interpreter.protocol.contents import (
    constant_of,
    dict_entry,
    has_element,
    list_content,
    tuple_items,
)
from symexec.interpreter.protocol.folding import fold, is_plain, refusal
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.keys import usable_key
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.interpreter.protocol.truth import truth
from symexec.values.graph import Kind
from symexec.values.heap import Absent, ViewContent
from symexec.values.model import Constant, Made, Traced, Value


def contains(machine: Machine, container: Value, item: Value) -> bool | Raise | Break:
    """What `item in container` gives, what was consulted for it guarded."""
    container = machine.resolve(container)
    if isinstance(container, Traced):
        reply = machine.operate(Kind.CALL, operator.contains, [container, item])
        return reply if isinstance(reply, STOPS) else truth(machine, reply)
    if isinstance(container, Constant) and type(container.value) is not tuple:
        return _in_constant(machine, container, item)
    type_ = machine.type_of(container)
    base = builtin_base(type_)
    if not is_static_type(type_) or (base is not None and base is not type_):
        return _in_instance(machine, container, item)
    if isinstance(container, Made):
        view = machine.heap.content(container)
        if isinstance(view, ViewContent) and view.kind == "keys":
            return _has_key(machine, view.mapping, item)
    return base_contains(machine, type_, container, item)


def base_contains(machine: Machine, base: type, container: Value, item: Value) -> bool | Raise | Break:
    """What `base.__contains__(container, item)` gives, of an instance of the builtin type or a subclass of it."""
    if base is dict:
        return _has_key(machine, container, item)
    if base is set or base is frozenset:
        return _in_set(machine, container, item)
    if base is list:
        content = list_content(machine, container)
        return content if isinstance(content, Break) else find(machine, content.items, item)
    if base is tuple:
        items = tuple_items(machine, container)
        return items if isinstance(items, Break) else find(machine, items, item)
    plain = scalar_of(machine, container)
    if isinstance(plain, Break):
        return plain
    return _in_constant(machine, plain, item) if isinstance(plain, Constant) else _by_iteration(machine, plain, item)


def find(machine: Machine, items: list[Value] | tuple[Value, ...], wanted: Value) -> bool | Raise | Break:
    """Whether one of the items is, or equals, the wanted one."""
    for item in tuple(items):
        same = equal_items(machine, item, wanted)
        if same is not False:
            return same
    return False


def _in_constant(machine: Machine, container: Constant, item: Value) -> bool | Raise | Break:
    wanted = constant_of(machine, item)
    if not is_plain(wanted) or not is_plain(container.value):
        name = class_name(machine.type_of(item))
        return machine.stop("SX2108", f"looking for a {name} in a constant is not interpreted")
    if type(container.value) is frozenset and wanted != wanted:
        return machine.stop("SX2107", "whether two NaNs in containers are one object is not known here")
    reply = fold(machine, operator.contains, (container.value, wanted))
    return reply if isinstance(reply, STOPS) else truth(machine, reply)


def _has_key(machine: Machine, mapping: Value, item: Value) -> bool | Raise | Break:
    key = usable_key(machine, item)
    if isinstance(key, Break):
        return key
    entry = dict_entry(machine, mapping, key)
    return entry if isinstance(entry, Break) else not isinstance(entry, Absent)


def _in_set(machine: Machine, container: Value, item: Value) -> bool | Raise | Break:
    key = usable_key(machine, item)
    return key if isinstance(key, Break) else has_element(machine, container, key)


def _in_instance(machine: Machine, container: Value, item: Value) -> bool | Raise | Break:
    method = special_method(machine, container, "__contains__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return _by_iteration(machine, container, item)
    reply = call_special(machine, method, container, item)
    return reply if isinstance(reply, STOPS) else truth(machine, reply)


def _by_iteration(machine: Machine, container: Value, item: Value) -> bool | Raise | Break:
    iterator = get_iterator(machine, container)
    if isinstance(iterator, Raise):
        return refusal(machine, operator.contains, (container, item))
    if isinstance(iterator, Break):
        return iterator
    while True:
        each = next_item(machine, iterator)
        if each is None:
            return False
        if isinstance(each, STOPS):
            return each
        same = equal_items(machine, each, item)
        if same is not False:
            return same
