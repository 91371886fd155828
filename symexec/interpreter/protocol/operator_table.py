"""The binary operators: how they are written, what does them, and what their special methods are called."""

from __future__ import annotations

import operator
from typing import Final

import attrs


@attrs.frozen
class BinaryOperator:
    """An operator: how it is written, the functions that do it, and the stem of its special methods (`__add__`)."""

    symbol: str
    function: object
    in_place: object
    stem: str


OPERATORS: Final = (
    BinaryOperator("+", operator.add, operator.iadd, "add"),
    BinaryOperator("&", operator.and_, operator.iand, "and"),
    BinaryOperator("//", operator.floordiv, operator.ifloordiv, "floordiv"),
    BinaryOperator("<<", operator.lshift, operator.ilshift, "lshift"),
    BinaryOperator("@", operator.matmul, operator.imatmul, "matmul"),
    BinaryOperator("*", operator.mul, operator.imul, "mul"),
    BinaryOperator("%", operator.mod, operator.imod, "mod"),
    BinaryOperator("|", operator.or_, operator.ior, "or"),
    BinaryOperator("**", operator.pow, operator.ipow, "pow"),
    BinaryOperator(">>", operator.rshift, operator.irshift, "rshift"),
    BinaryOperator("-", operator.sub, operator.isub, "sub"),
    BinaryOperator("/", operator.truediv, operator.itruediv, "truediv"),
    BinaryOperator("^", operator.xor, operator.ixor, "xor"),
)
"""By their index in CPython's `_nb_ops`; the in-place ones follow in the same order."""

COUNT: Final = len(OPERATORS)
SYMBOLS: Final = tuple(operation.symbol for operation in OPERATORS)
