"""Operators on builtin containers: concatenation, repetition, set algebra, dict union, and formatting with `%`."""

from __future__ import annotations

import operator
from types import UnionType
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import (
    SIZE_LIMIT,
    constant_of,
    dict_content,
    list_content,
    set_items,
    tuple_items,
    unknown_order,
)
from symexec.interpreter.protocol.dicts import dict_update
from symexec.interpreter.protocol.folding import copied, fold, refusal, too_large
from symexec.interpreter.protocol.lists import list_extend, list_replace
from symexec.interpreter.protocol.operator_table import SYMBOLS, BinaryOperator
from symexec.interpreter.protocol.sets import set_assign, set_combine
from symexec.interpreter.protocol.sizes import format_size_stop
from symexec.interpreter.protocol.special import is_among
from symexec.interpreter.protocol.text_formats import percent_format
from symexec.values.heap import DictContent, ListContent, TupleContent
from symexec.values.model import Constant, Known, Value

_SET_OPERATORS: Final = ("|", "&", "-", "^")
_UNITED: Final = (type, type(None), UnionType)
_COUNT_LIMIT: Final = 1 << 62


def combine(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    """`left op right` of builtin objects that are not both scalars."""
    symbol = operation.symbol
    left_type, right_type = _kind(machine, left), _kind(machine, right)
    if symbol == "+":
        if left_type is list and in_place:
            stop = list_extend(machine, left, right)
            return left if stop is None else stop
        if left_type is right_type and left_type in (list, tuple):
            return _concatenate(machine, left, right)
    if symbol == "*" and (left_type in (list, tuple) or right_type in (list, tuple)):
        first = left_type in (list, tuple)
        times = constant_of(machine, right if first else left)
        if isinstance(times, int) and abs(times) < _COUNT_LIMIT:
            return _repeat(machine, left if first else right, times, in_place and first)
    if symbol in _SET_OPERATORS and {left_type, right_type} <= {set, frozenset}:
        return _set_algebra(machine, operation, in_place, left, right)
    if symbol == "|" and is_among(left_type, _UNITED) and is_among(right_type, _UNITED):
        return _union(machine, left, right)
    if symbol == "|" and left_type is dict:
        return _dict_union(machine, in_place, left, right)
    if symbol == "%" and left_type in (str, bytes):
        return _format(machine, left, right)
    return refusal(machine, operation.in_place if in_place else operation.function, (left, right))


def _kind(machine: Machine, value: Value) -> type:
    """The builtin type that the value is treated as."""
    type_ = machine.type_of(value)
    return builtin_base(type_) or (type_ if is_static_type(type_) else object)


def _concatenate(machine: Machine, left: Value, right: Value) -> Reply:
    if _kind(machine, left) is list:
        first, second = list_content(machine, left), list_content(machine, right)
        if isinstance(first, Break):
            return first
        if isinstance(second, Break):
            return second
        if len(first.items) + len(second.items) > SIZE_LIMIT:
            return too_large(machine, len(first.items) + len(second.items))
        return machine.heap.make(ListContent([*first.items, *second.items]))
    mine, others = tuple_items(machine, left), tuple_items(machine, right)
    if isinstance(mine, Break):
        return mine
    if isinstance(others, Break):
        return others
    if not mine and machine.type_of(right) is tuple:
        return right  # the same object, as CPython has it
    if not others and machine.type_of(left) is tuple:
        return left
    if len(mine) + len(others) > SIZE_LIMIT:
        return too_large(machine, len(mine) + len(others))
    return make_tuple(machine, mine + others)


def make_tuple(machine: Machine, items: tuple[Value, ...]) -> Value:
    """A tuple of these items: a constant if they all are."""
    constants = [item.value for item in items if type(item) is Constant]
    if len(constants) == len(items):
        return Constant(tuple(constants))
    return machine.heap.make(TupleContent(items))


def _repeat(machine: Machine, sequence: Value, times: int, in_place: bool) -> Reply:
    if _kind(machine, sequence) is list:
        content = list_content(machine, sequence)
        if isinstance(content, Break):
            return content
        if len(content.items) * times > SIZE_LIMIT:
            return too_large(machine, len(content.items) * times)
        if not in_place:
            return machine.heap.make(ListContent(content.items * times))
        stop = list_replace(machine, sequence, content.items * times)
        return sequence if stop is None else stop
    items = tuple_items(machine, sequence)
    if isinstance(items, Break):
        return items
    if times == 1 and machine.type_of(sequence) is tuple:
        return sequence
    if len(items) * times > SIZE_LIMIT:
        return too_large(machine, len(items) * times)
    return make_tuple(machine, items * times)


def _set_algebra(machine: Machine, operation: BinaryOperator, in_place: bool, left: Value, right: Value) -> Reply:
    if in_place and isinstance(left, Known) and machine.type_of(left) is set:
        combined = set_combine(machine, left, SYMBOLS.index(operation.symbol), right)
        return left if combined is None else combined
    first, second = set_items(machine, left), set_items(machine, right)
    if isinstance(first, Break):
        return first
    if isinstance(second, Break):
        return second
    result = fold(machine, operation.function, (first, second))
    if isinstance(result, STOPS):
        return result
    if _kind(machine, left) is frozenset:
        ordered = isinstance(left, Constant) and isinstance(right, Constant)
        return result if ordered or len(first) + len(second) < 2 else unknown_order(machine)
    if not in_place:
        return result
    elements = set_items(machine, result)
    stop = elements if isinstance(elements, Break) else set_assign(machine, left, set(elements))
    return left if stop is None else stop


def _union(machine: Machine, left: Value, right: Value) -> Reply:
    """`int | None`: a union of builtin types."""
    first, second = machine.concrete(left), machine.concrete(right)
    if first is NOT_CONCRETE or second is NOT_CONCRETE:
        return machine.stop("SX2109", "a union of types that are not builtin ones is not interpreted")
    return fold(machine, operator.or_, (first, second))


def _dict_union(machine: Machine, in_place: bool, left: Value, right: Value) -> Reply:
    if not in_place:
        if _kind(machine, right) is not dict:
            return refusal(machine, operator.or_, (left, right))
        content = dict_content(machine, left, complete=True)
        if isinstance(content, Break):
            return content
        left = machine.heap.make(DictContent(dict(content.entries), complete=True, keys=dict(content.keys)))
    stop = dict_update(machine, left, right)
    return left if stop is None else stop


def _format(machine: Machine, left: Value, right: Value) -> Reply:
    template = machine.concrete(left)
    argument = copied(machine, right)
    if argument is NOT_CONCRETE and isinstance(template, str):
        return percent_format(machine, template, right)
    if argument is NOT_CONCRETE or not isinstance(template, (str, bytes)):
        return machine.stop("SX2110", "formatting an object runs its own code")
    text = template if isinstance(template, str) else template.decode("latin-1")
    stop = format_size_stop(machine, text, argument if isinstance(argument, tuple) else (argument,))
    return stop or fold(machine, operator.mod, (template, argument))
