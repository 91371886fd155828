"""Builtin functions of numbers, given objects of the user's classes: their own special methods are asked.

Everything else is left to the rules for constants.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, positional
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Reply
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.numbers import as_index, own_number, own_result
from symexec.interpreter.protocol.operator_table import OPERATORS, BinaryOperator
from symexec.interpreter.protocol.overloads import call_binary
from symexec.values.model import Constant, Known, Made, Value

_CONVERSIONS: Final = ((int, "__int__"), (float, "__float__"), (complex, "__complex__"))
_UNARY: Final = ((math.floor, "__floor__"), (math.ceil, "__ceil__"), (math.trunc, "__trunc__"))
_INDEXED: Final = (operator.index, hex, oct, bin, chr, range)
_DIVMOD: Final = BinaryOperator("divmod()", divmod, divmod, "divmod")
_POWER: Final = next(each for each in OPERATORS if each.stem == "pow")


def number_rules(others: Mapping[object, Rule]) -> dict[object, Rule]:
    """The rules, each in front of that for constants."""
    rules: dict[object, Rule] = {type_: _conversion(type_, name, others[type_]) for type_, name in _CONVERSIONS}
    rules.update({function: _method(name, others[function]) for function, name in _UNARY})
    rules.update({function: _indexed(others[function]) for function in _INDEXED})
    rules[divmod] = _binary(_DIVMOD, others[divmod])
    rules[pow] = _binary(_POWER, others[pow])
    rules[round] = _rounded(others[round])
    rules[hash] = _hashed(others[hash])
    return rules


def _is_own(machine: Machine, value: Value) -> bool:
    return isinstance(value, (Known, Made)) and not is_static_type(machine.type_of(value))


def _conversion(type_: type, name: str, other: Rule) -> Rule:
    """`int`, `float` or `complex` of an object: its own method, else for the first two its `__index__`."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 1) or not _is_own(machine, args[0]):
            return other(machine, args, kwargs)
        number = own_number(machine, args[0], name, type_)
        if number is None and type_ is not complex:
            number = own_number(machine, args[0], "__index__", int)
            if isinstance(number, Constant) and type_ is float:
                return fold(machine, float, (number.value,))
        return other(machine, args, kwargs) if number is None else number

    return rule


def _method(name: str, other: Rule) -> Rule:
    """A function that is the object's own method."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        reply = own_result(machine, args[0], name) if positional(args, kwargs, 1, 1) else None
        return other(machine, args, kwargs) if reply is None else reply

    return rule


def _indexed(other: Rule) -> Rule:
    """A function that takes the ints as which its arguments index."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        found: list[Value] = []
        for arg in args:
            number = as_index(machine, arg)
            if isinstance(number, STOPS):
                return number
            found.append(number)
        return other(machine, found, kwargs)

    return rule


def _binary(operation: BinaryOperator, other: Rule) -> Rule:
    """`divmod` or `pow`: an operator, if one of the two operands is of a class of the user's."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if positional(args, kwargs, 2, 2) and any(_is_own(machine, arg) for arg in args):
            return call_binary(machine, operation, False, machine.resolve(args[0]), machine.resolve(args[1]))
        if (
            positional(args, kwargs, 3, 3)
            and operation is _POWER
            and not any(_is_own(machine, arg) for arg in args[1:])
        ):
            reply = own_result(machine, args[0], "__pow__", *args[1:])
            if isinstance(reply, Constant) and reply.value is NotImplemented:
                return machine.stop("SX2116", "pow() with three arguments is refused")
            return other(machine, args, kwargs) if reply is None else reply
        return other(machine, args, kwargs)

    return rule


def _rounded(other: Rule) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 2):
            return other(machine, args, kwargs)
        digits = [] if len(args) == 1 or machine.type_of(args[1]) is type(None) else [args[1]]
        reply = own_result(machine, args[0], "__round__", *digits)
        return other(machine, args, kwargs) if reply is None else reply

    return rule


def _hashed(other: Rule) -> Rule:
    """`slot_tp_hash`: an int that fits is the hash as it is, but for -1."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        number = own_number(machine, args[0], "__hash__", int) if positional(args, kwargs, 1, 1) else None
        if not isinstance(number, Constant):
            return other(machine, args, kwargs) if number is None else number
        found = number.value
        if not isinstance(found, int):
            return number
        small = -sys.maxsize - 1 <= found <= sys.maxsize
        return Constant(-2 if found == -1 else found if small else hash(found))

    return rule
