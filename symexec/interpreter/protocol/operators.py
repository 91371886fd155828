"""Unary and binary operators, by CPython's rules (`Objects/abstract.c`: `binary_op1`, `Objects/typeobject.c`)."""

from __future__ import annotations

import operator
from typing import Final

from symexec.bytecode.ops import Op
from symexec.interpreter.machine import SCALARS, Machine
from symexec.interpreter.outcomes import Reply
from symexec.interpreter.protocol.bases import builtin_base, is_exact
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.overloads import call_binary, call_unary
from symexec.interpreter.protocol.sequences import combine
from symexec.interpreter.protocol.sizes import result_size_stop
from symexec.interpreter.protocol.special import is_among, type_ids
from symexec.values.graph import Kind
from symexec.values.model import Constant, Traced, Value

_SEQUENCE_IDS: Final = type_ids((str, bytes, list, tuple))
_SCALAR_IDS: Final = type_ids(SCALARS)


def binary_operation(machine: Machine, code: int, left: Value, right: Value) -> Reply:
    """What `left op right` or `left op= right` gives; `code` is an index into CPython's `_nb_ops`."""
    left, right = machine.resolve(left), machine.resolve(right)
    chosen = OPERATORS[code % COUNT]
    if isinstance(left, Traced) or isinstance(right, Traced):
        if not _beside_text(machine, left, right):
            in_place = code >= COUNT and isinstance(left, Traced)
            return machine.operate(Kind.CALL, chosen.in_place if in_place else chosen.function, [left, right])
        left, right = machine.specialise(left), machine.specialise(right)
        if isinstance(left, Traced) or isinstance(right, Traced):
            return machine.stop("SX4005", f"a sequence is combined with a number by {chosen.symbol} that is not known")
    if type(left) is Constant and type(right) is Constant:
        if id(type(left.value)) in _SCALAR_IDS and id(type(right.value)) in _SCALAR_IDS:
            stop = result_size_stop(machine, chosen.symbol, left.value, right.value)
            return stop or fold(
                machine, chosen.in_place if code >= COUNT else chosen.function, (left.value, right.value)
            )
    if is_exact(machine.type_of(left)) and is_exact(machine.type_of(right)):
        return combine(machine, chosen, code >= COUNT, left, right)
    return call_binary(machine, chosen, code >= COUNT, left, right)


def base_operation(machine: Machine, code: int, left: Value, right: Value) -> Reply:
    """What the special method for `left op right` of a builtin container type gives, for one or two like it."""
    chosen = OPERATORS[code % COUNT]
    bases = [builtin_base(machine.type_of(value)) for value in (left, right)]
    alike = bases[0] is bases[1] or (is_among(set, bases) and is_among(frozenset, bases))
    if chosen.stem == "mul":
        alike = machine.type_of(right) is int or machine.type_of(left) is int
    if alike or (code >= COUNT and chosen.stem in ("add", "or") and is_among(bases[0] or object, (list, dict))):
        return combine(machine, chosen, code >= COUNT, left, right)
    if chosen.stem in ("add", "mul"):
        return machine.stop("SX2109", f"a {chosen.symbol} that is called by name with another type")
    return Constant(NotImplemented)


def _beside_text(machine: Machine, left: Value, right: Value) -> bool:
    """Whether one operand is a builtin sequence and the other a scalar input of the graph, which no domain combines."""
    if isinstance(left, Traced) and isinstance(right, Traced):
        return False
    traced, other = (left, right) if isinstance(left, Traced) else (right, left)
    return id(machine.type_of(traced)) in _SCALAR_IDS and id(machine.type_of(other)) in _SEQUENCE_IDS


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
    if isinstance(value, Constant) and id(type(value.value)) in _SCALAR_IDS:
        if type(value.value) is bool and name == "__invert__":
            return machine.stop("SX2109", "inverting a bool warns on some Pythons, where it is written")
        return fold(machine, function, (value.value,))
    return call_unary(machine, function, name, value)
