"""Limits on what is computed at trace time: whether a result of constants would be too large."""

from __future__ import annotations

import re
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.contents import SIZE_LIMIT
from symexec.interpreter.protocol.folding import BITS_LIMIT, too_large

_LONG_NUMBER: Final = re.compile(r"\d{6,}")
_NESTED_FIELD: Final = re.compile(r"\{[^{}]*\{")


def result_size_stop(machine: Machine, symbol: str, left: object, right: object) -> Break | None:
    """A break if `left symbol right`, of exact builtin scalars, would be too large to compute at trace time."""
    size = _operation_bits(symbol, left, right)
    if size > BITS_LIMIT:
        return too_large(machine, size)
    if symbol == "%" and isinstance(left, (str, bytes)):
        text = left if isinstance(left, str) else left.decode("latin-1")
        return format_size_stop(machine, text, (right,) if not isinstance(right, tuple) else right)
    return None


def _operation_bits(symbol: str, left: object, right: object) -> int:
    """About how many bits the integer has, or how many characters the string, that the operation gives."""
    if isinstance(left, int) and isinstance(right, int):
        match symbol:
            case "**":
                return left.bit_length() * right if abs(left) > 1 and right > 0 else 0
            case "<<":
                return left.bit_length() + right if left and right > 0 else 0
            case "*":
                return left.bit_length() + right.bit_length()
            case _:
                pass
        return 0
    if symbol == "*":
        if isinstance(left, (str, bytes)) and isinstance(right, int):
            return len(left) * right
        if isinstance(right, (str, bytes)) and isinstance(left, int):
            return len(right) * left
    return 0


def format_size_stop(machine: Machine, text: str, args: tuple[object, ...]) -> Break | None:
    """A break if a format (of `%`, `str.format` or `format()`) asks for a width that is too large, or may do so."""
    for number in _LONG_NUMBER.findall(text):
        return too_large(machine, int(number[:18]))
    if "*" in text or _NESTED_FIELD.search(text):
        for arg in args:
            if isinstance(arg, int) and abs(arg) > SIZE_LIMIT:
                return too_large(machine, abs(arg))
    return None
