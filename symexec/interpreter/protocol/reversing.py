"""What the `__reversed__` of builtin containers gives, for them and for instances of subclasses."""

from __future__ import annotations

from collections import deque

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.bases import scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import count_of, list_content, range_of, tuple_items
from symexec.interpreter.protocol.deques import BACKWARD, deque_content
from symexec.interpreter.protocol.iterators import LIST_REVERSED, reversed_keys
from symexec.values.heap import IteratorContent, ViewContent
from symexec.values.model import Constant, Made, Value


def reverse_iterator(machine: Machine, type_: type, value: Value) -> Reply:
    """What `reversed` makes of an instance of the builtin type or of a subclass that overrides nothing of it."""
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
    if type_ is deque:
        held = deque_content(machine, value)
        if isinstance(held, Break):
            return held
        return machine.heap.make(IteratorContent(BACKWARD, value, len(held.items) - 1, removals=held.changes))
    if type_ is tuple:
        items = tuple_items(machine, value)
        if isinstance(items, Break):
            return items
        return machine.heap.make(IteratorContent(reversed, value, len(items) - 1))
    if type_ is dict or (isinstance(value, Made) and isinstance(machine.heap.content(value), ViewContent)):
        return reversed_keys(machine, value)
    plain = scalar_of(machine, value)
    if isinstance(plain, Constant) and isinstance(plain.value, (str, bytes)):
        return machine.heap.make(IteratorContent(reversed, plain, count_of(plain.value) - 1))
    name = class_name(machine.type_of(value))
    return machine.stop("SX2116", f"reversing an object of type {name} is not interpreted")
