"""Operators on instances of the user's classes: which special method is called, and in which order.

Follows `binary_op1` (`Objects/abstract.c`) and `slot_nb_*` (`Objects/typeobject.c`, `SLOT1BINFULL`).
"""

from __future__ import annotations

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.folding import refusal
from symexec.interpreter.protocol.lists import list_extend
from symexec.interpreter.protocol.operator_table import BinaryOperator
from symexec.interpreter.protocol.special import find_on_type, is_among, mro_of
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.values.model import Constant, Value


def call_binary(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    """`left op right` or `left op= right`, where at least one is an instance of a class of the user's."""
    left_type, right_type, stem = machine.type_of(left), machine.type_of(right), operation.stem
    for value in (left, right):
        stop = _builtin_base_stop(machine, value, stem)
        if stop is not None:
            return stop
    forward, reflected = f"__{stem}__", f"__r{stem}__"
    attempts = [(left, forward, right)]
    if left_type is not right_type:
        attempts.append((right, reflected, left))
        if is_among(left_type, mro_of(right_type)) and _is_overridden(left_type, right_type, reflected):
            attempts.reverse()
    if in_place:
        attempts.insert(0, (left, f"__i{stem}__", right))
    for value, name, other in attempts:
        reply = _attempt(machine, value, name, other)
        if isinstance(reply, STOPS):
            return reply
        if not (isinstance(reply, Constant) and reply.value is NotImplemented):
            return reply
    if in_place and left_type is list and stem == "add":
        extended = list_extend(machine, left, right)
        return left if extended is None else extended
    return refusal(machine, operation.in_place if in_place else operation.function, (left, right))


def call_unary(machine: Machine, function: object, name: str, value: Value) -> Reply:
    """The unary operator that is `function` and has that special method."""
    type_ = machine.type_of(value)
    if is_static_type(type_):
        return refusal(machine, function, (value,))
    method = special_method(machine, value, name)
    if isinstance(method, STOPS):
        return method
    if method is None:
        return refusal(machine, function, (value,))
    if is_builtin(method):
        return machine.stop("SX2109", f"{name} of {class_name(type_)} is not interpreted")
    return call_special(machine, method, value)


def _attempt(machine: Machine, value: Value, name: str, other: Value) -> Reply:
    """What one special method gives, `NotImplemented` where there is none."""
    if is_static_type(machine.type_of(value)):
        return Constant(NotImplemented)  # builtin types know only each other
    method = special_method(machine, value, name)
    if isinstance(method, STOPS):
        return method
    if method is None:
        return Constant(NotImplemented)
    if is_builtin(method):
        return machine.stop("SX2109", f"{name} of {class_name(machine.type_of(value))} is not interpreted")
    reply = call_special(machine, method, value, other)
    return reply if isinstance(reply, STOPS) else machine.resolve(reply)


def _is_overridden(left_type: type, right_type: type, name: str) -> bool:
    """`method_is_overloaded`: whether the right type has a reflected method of its own."""
    mine, theirs = find_on_type(left_type, name), find_on_type(right_type, name)
    return theirs is not None and (mine is None or mine[1] is not theirs[1])


def _builtin_base_stop(machine: Machine, value: Value, stem: str) -> Break | None:
    """A break for what builtin types do with instances of the user's: subclasses of theirs, and formatting."""
    type_ = machine.type_of(value)
    if is_static_type(type_):
        text = isinstance(value, Constant) and isinstance(value.value, (str, bytes))
        if stem == "mod" and text:
            return machine.stop("SX2110", "formatting an object runs its own code")
        if stem == "mul" and (text or is_among(type_, (list, tuple, bytearray))):
            return machine.stop("SX2109", "repeating a sequence by an object runs its __index__")
        if type_ is type:
            return machine.stop("SX2109", "operators on types are not interpreted")
        return None
    for base in mro_of(type_):
        if is_static_type(base) and base is not object and _has_operators(base):
            return machine.stop("SX2109", f"operators on a subclass of {class_name(base)} are not interpreted")
    return None


def _has_operators(base: type) -> bool:
    return any(find_on_type(base, name) for name in ("__add__", "__mul__", "__or__", "__sub__", "__mod__"))
