"""Operators on instances of the user's classes: which special method is called, and in which order.

Follows `binary_op1` (`Objects/abstract.c`) and `slot_nb_*` (`Objects/typeobject.c`, `SLOT1BINFULL`).
"""

from __future__ import annotations

from collections import deque
from typing import Final

from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.bases import SCALAR_BASES, builtin_base, scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.folding import fold, refusal
from symexec.interpreter.protocol.lists import list_extend
from symexec.interpreter.protocol.operator_table import OPERATORS, BinaryOperator
from symexec.interpreter.protocol.sequences import combine
from symexec.interpreter.protocol.sizes import result_size_stop
from symexec.interpreter.protocol.special import find_on_type, is_among, mro_of, names_of
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, is_function, special_method
from symexec.interpreter.protocol.text_formats import percent_format
from symexec.values.model import Constant, Value

_SEQUENCES: Final = (list, tuple, str, bytes)
_OF_SEQUENCES: Final = ("add", "mul", "rmul", "iadd", "imul")
_NOT_IMPLEMENTED: Final = Constant(NotImplemented)


def call_binary(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    """`left op right` or `left op= right`, where at least one is an instance of a class of the user's."""
    left_type, right_type, stem = machine.type_of(left), machine.type_of(right), operation.stem
    if stem == "mod" and left_type is str and builtin_base(right_type) is not str:
        template = constant_of(machine, left)
        if isinstance(template, str):
            return percent_format(machine, template, right)
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
    return _as_sequences(machine, operation, in_place, left, right)


def _as_sequences(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    """What is tried last: concatenation and repetition, by the type on the left or, to repeat, on the right."""
    bases = [builtin_base(machine.type_of(value)) for value in (left, right)]
    if operation.stem == "add" and is_among(bases[0] or object, _SEQUENCES):
        if in_place and bases[0] is list:
            stop = list_extend(machine, left, right)
            return left if stop is None else stop
        if bases[0] is bases[1]:
            return _of_pair(machine, operation, in_place, left, right)
    if operation.stem == "mul":
        for value, times in ((left, right), (right, left)):
            base = builtin_base(machine.type_of(value))
            if base is not None and is_among(base, _SEQUENCES) and machine.type_of(times) is int:
                return _of_pair(machine, operation, in_place and value is left, value, times)
    return refusal(machine, operation.in_place if in_place else operation.function, (left, right))


def _of_pair(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    plain, second = scalar_of(machine, left), machine.resolve(right)
    if isinstance(plain, Constant) and isinstance(plain.value, (str, bytes)):
        second_plain = scalar_of(machine, second)
        if not isinstance(second_plain, Constant):
            return machine.stop("SX2109", f"{operation.symbol} of strings that are not constants")
        stop = result_size_stop(machine, operation.symbol, plain.value, second_plain.value)
        return stop or fold(machine, operation.function, (plain.value, second_plain.value))
    return plain if isinstance(plain, Break) else combine(machine, operation, in_place, left, right)


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
    base = builtin_base(type_)
    if base is not None and is_among(base, SCALAR_BASES) and is_function(method, names_of(base).get(name)):
        return call_special(machine, method, value)
    if is_builtin(method):
        return machine.stop("SX2109", f"{name} of {class_name(type_)} is not interpreted")
    return call_special(machine, method, value)


def _attempt(machine: Machine, value: Value, name: str, other: Value) -> Reply:
    """What one special method gives, `NotImplemented` where there is none, or one that is no operator of numbers."""
    method = special_method(machine, value, name)
    if isinstance(method, STOPS):
        return method
    if method is None:
        return _NOT_IMPLEMENTED
    if not is_builtin(method):
        reply = call_special(machine, method, value, other)
        return reply if isinstance(reply, STOPS) else machine.resolve(reply)
    type_ = machine.type_of(value)
    base = builtin_base(type_)
    if base is None and is_static_type(type_):
        return _NOT_IMPLEMENTED  # what knows only its like
    if base is not None and is_among(base, _SEQUENCES) and name.strip("_") in _OF_SEQUENCES:
        return _NOT_IMPLEMENTED
    if base is not None and is_function(method, names_of(base).get(name)):
        if is_among(base, SCALAR_BASES):
            return _of_scalars(machine, base, name, value, other)
        if base is deque and not is_static_type(machine.type_of(other)):
            return machine.stop("SX2109", f"a deque and a {class_name(machine.type_of(other))} are combined")
        return call_special(machine, method, value, other)
    return machine.stop("SX2109", f"{name} of {class_name(type_)} is not interpreted")


def _of_scalars(machine: Machine, base: type, name: str, value: Value, other: Value) -> Reply:
    """What the special method of a builtin number type gives for an instance of a subclass, or beside one."""
    plain, second = scalar_of(machine, value), scalar_of(machine, machine.resolve(other))
    for each in (plain, second):
        if isinstance(each, Break):
            return each
    if not isinstance(plain, Constant) or base is str or base is bytes:
        return machine.stop("SX2109", f"{name} of {class_name(machine.type_of(value))} is not interpreted")
    if not isinstance(second, Constant):
        return _NOT_IMPLEMENTED
    symbol = next((each.symbol for each in OPERATORS if name.strip("_").removeprefix("r") == each.stem), "")
    stop = result_size_stop(machine, symbol, plain.value, second.value)
    return stop or fold(machine, names_of(base)[name], (plain.value, second.value))


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
    forward, reflected = (find_on_type(type_, name) for name in (f"__{stem}__", f"__r{stem}__"))
    if is_among(builtin_base(type_) or object, _SEQUENCES) and stem in _OF_SEQUENCES:
        own = [found is not None and not is_static_type(found[0]) for found in (forward, reflected)]
        if any(own) and not (own[0] and (own[1] or reflected is None)):
            return machine.stop("SX2109", f"{class_name(type_)} has only one of __{stem}__ and __r{stem}__")
    return None
