"""Unary and binary operators, by CPython's rules (`Objects/abstract.c`: `binary_op1`, `Objects/typeobject.c`).

Comparison, identity and membership are defined beside it and offered here as well.
"""

from __future__ import annotations

import operator
from typing import Final

from symexec.bytecode.ops import Op
from symexec.interpreter.machine import SCALARS, Machine, is_static_type
from symexec.interpreter.outcomes import Reply
from symexec.interpreter.protocol.comparisons import compare, identical
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.overloads import call_binary, call_unary
from symexec.interpreter.protocol.sequences import combine
from symexec.interpreter.protocol.sizes import result_size_stop
from symexec.values.graph import Kind
from symexec.values.model import Constant, Traced, Value

__all__ = [
    "OPERATORS",
    "binary_operation",
    "compare",
    "contains",
    "identical",
    "unary_operation",
    "unary_positive",
]


def binary_operation(machine: Machine, code: int, left: Value, right: Value) -> Reply:
    """What `left op right` or `left op= right` gives; `code` is an index into CPython's `_nb_ops`."""
    left, right = machine.resolve(left), machine.resolve(right)
    chosen = OPERATORS[code % COUNT]
    if type(left) is Constant and type(right) is Constant:
        if type(left.value) in SCALARS and type(right.value) in SCALARS:
            stop = result_size_stop(machine, chosen.symbol, left.value, right.value)
            return stop or fold(
                machine, chosen.in_place if code >= COUNT else chosen.function, (left.value, right.value)
            )
    elif isinstance(left, Traced) or isinstance(right, Traced):
        in_place = code >= COUNT and isinstance(left, Traced)
        return machine.operate(Kind.CALL, chosen.in_place if in_place else chosen.function, [left, right])
    if is_static_type(machine.type_of(left)) and is_static_type(machine.type_of(right)):
        return combine(machine, chosen, code >= COUNT, left, right)
    return call_binary(machine, chosen, code >= COUNT, left, right)


_UNARY: Final[dict[Op, tuple[object, str]]] = {
    Op.UNARY_NEGATIVE: (operator.neg, "__neg__"),
    Op.UNARY_INVERT: (operator.invert, "__invert__"),
}


def unary_operation(machine: Machine, op: Op, value: Value) -> Reply:
    """What `-value` or `~value` gives."""
    function, name = _UNARY[op]
    return _unary(machine, function, name, value)


def unary_positive(machine: Machine, value: Value) -> Reply:
    """What `+value` gives."""
    return _unary(machine, operator.pos, "__pos__", value)


def _unary(machine: Machine, function: object, name: str, value: Value) -> Reply:
    value = machine.resolve(value)
    if isinstance(value, Traced):
        return machine.operate(Kind.CALL, function, [value])
    if isinstance(value, Constant) and type(value.value) in SCALARS:
        if type(value.value) is bool and name == "__invert__":
            return machine.stop("SX2109", "inverting a bool warns on some Pythons, where it is written")
        return fold(machine, function, (value.value,))
    return call_unary(machine, function, name, value)
