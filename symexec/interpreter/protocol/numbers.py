"""Numbers that objects of the user's classes turn into: `__index__`, `__int__`, `__float__`, `__complex__`."""

from __future__ import annotations

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.values.heap import SliceContent
from symexec.values.model import Constant, Known, Made, Value


def own_result(machine: Machine, value: Value, name: str, *args: Value) -> Reply | None:
    """What a special method gives that the object's class, one of the user's, has in Python; `None` if it has none."""
    if not isinstance(value, (Known, Made)) or is_static_type(machine.type_of(value)):
        return None
    method = special_method(machine, value, name)
    if method is None or isinstance(method, STOPS):
        return method
    return None if is_builtin(method) else call_special(machine, method, value, *args)


def own_number(machine: Machine, value: Value, name: str, type_: type) -> Constant | Raise | Break | None:
    """The number of exactly that type that the class's own method gives; `None` if it has no such method."""
    reply = own_result(machine, value, name)
    if reply is None or isinstance(reply, STOPS):
        return reply
    number = machine.resolve(machine.specialise(reply))
    if isinstance(number, Constant) and type(number.value) is type_:
        return number
    return machine.stop("SX2116", f"{name} of {class_name(machine.type_of(value))} gives no exact {type_.__name__}")


def as_index(machine: Machine, value: Value) -> Value | Raise | Break:
    """The value itself, or what its own `__index__` gives: the int as which it indexes, and bounds slices."""
    if isinstance(value, (Known, Made)) and builtin_base(machine.type_of(value)) is None:
        number = own_number(machine, value, "__index__", int)
        return value if number is None else number
    return value


def as_bounds(machine: Machine, value: Value) -> Value | Raise | Break:
    """The value itself, or a slice with the ints as which its parts bound it, asked for as `PySlice_Unpack` does."""
    content = machine.heap.content(value) if isinstance(value, Made) else None
    if not isinstance(content, SliceContent):
        return value
    found: list[Value] = []
    for part in (content.step, content.start, content.stop):
        number = as_index(machine, part)
        if isinstance(number, STOPS):
            return number
        found.append(number)
    if found[0] is content.step and found[1] is content.start and found[2] is content.stop:
        return value
    return machine.heap.make(SliceContent(found[1], found[2], found[0]))
