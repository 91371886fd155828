"""`reversed(value)` of builtin containers: iterators that go through the same contents from the end."""

from __future__ import annotations

from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.bases import builtin_base, scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import dict_content, list_content, range_of
from symexec.interpreter.protocol.iterate import LIST_REVERSED
from symexec.interpreter.protocol.special_methods import call_special, special_method
from symexec.interpreter.protocol.stepping import REVERSED_KINDS
from symexec.interpreter.protocol.truth import length_of
from symexec.values.heap import IteratorContent, ViewContent
from symexec.values.model import Constant, Made, Value

_INDEXED: Final = (tuple, str, bytes)


def reverse(machine: Machine, value: Value) -> Reply:
    """What `reversed(value)` gives."""
    value = machine.resolve(value)
    type_ = machine.type_of(value)
    base = builtin_base(type_)
    if base is type_ or type_ is range or _is_view(machine, value):
        return reverse_iterator(machine, type_, value)
    method = special_method(machine, value, "__reversed__")
    if method is None:
        return machine.stop("SX2116", f"reversing an object of type {class_name(type_)} is not interpreted")
    return method if isinstance(method, STOPS) else call_special(machine, method, value)


def _is_view(machine: Machine, value: Value) -> bool:
    return isinstance(value, Made) and isinstance(machine.heap.content(value), ViewContent)


def reverse_iterator(machine: Machine, type_: type, value: Value) -> Reply:
    """What the builtin type gives for an instance of it, or of a subclass."""
    if type_ is range:
        found = range_of(machine, value)
        if isinstance(found, Break):
            return found
        backward = found[::-1]
        return machine.heap.make(IteratorContent(type(iter(backward)), Constant(backward), 0))
    if type_ is list:
        content = list_content(machine, value)
        if isinstance(content, Break):
            return content
        return machine.heap.make(IteratorContent(LIST_REVERSED, value, len(content.items) - 1))
    if any(type_ is each for each in _INDEXED):
        plain = scalar_of(machine, value)
        length = plain if isinstance(plain, Break) else length_of(machine, plain)
        if isinstance(plain, Break) or isinstance(length, STOPS):
            return plain if isinstance(plain, Break) else machine.stop("SX2116", "the length is not known")
        return machine.heap.make(IteratorContent(reversed, plain, length - 1))
    view = machine.heap.content(value) if isinstance(value, Made) else None
    kind, mapping = (view.kind, view.mapping) if isinstance(view, ViewContent) else ("keys", value)
    if type_ is not dict and not isinstance(view, ViewContent):
        return machine.stop("SX2116", f"reversing an object of type {class_name(type_)} is not interpreted")
    entries = dict_content(machine, mapping, complete=True)
    if isinstance(entries, Break):
        return entries
    keys = tuple(reversed(entries.entries))
    return machine.heap.make(IteratorContent(REVERSED_KINDS[kind], value, 0, keys, entries.removals))
