"""f-strings: conversion, formatting and joining."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import SIZE_LIMIT, constant_of
from symexec.interpreter.protocol.exceptions import exception_of, exception_text
from symexec.interpreter.protocol.folding import copied, fold, too_large
from symexec.interpreter.protocol.sizes import format_size_stop
from symexec.interpreter.protocol.texts import has_own_text, own_format, own_text
from symexec.values.model import Constant, Made, Value

_CONVERSIONS: Final[tuple[Callable[[object], str], ...]] = (format, str, repr, ascii)


def _formattable(machine: Machine, value: Value) -> object | Break:
    """A concrete object equal to `value`; a break where its text would depend on code of its own or on data."""
    found = copied(machine, value)
    if found is NOT_CONCRETE:
        name = class_name(machine.type_of(value))
        return machine.stop("SX2110", f"the text of an object of type {name} is left to Python")
    return found


def format_value(machine: Machine, value: Value, spec: Value | None) -> Reply:
    """What `format(value, spec)` gives."""
    if isinstance(value, Made) and exception_of(machine, value) is not None and spec is None:
        return exception_text(machine, value, str)
    found = copied(machine, value)
    if found is NOT_CONCRETE and has_own_text(machine, value):
        return own_format(machine, value, Constant("") if spec is None else spec)
    found = _formattable(machine, value)
    if isinstance(found, Break):
        return found
    text = "" if spec is None else constant_of(machine, spec)
    if not isinstance(text, str):
        return machine.stop("SX2110", "a format specification is not a constant")
    if text.endswith("n"):
        return machine.stop("SX2110", "the format n depends on the locale")
    return format_size_stop(machine, text, ()) or fold(machine, format, (found, text))


def convert_value(machine: Machine, kind: int, value: Value) -> Reply:
    """What `str`, `repr` or `ascii` (kinds 1, 2, 3) of `value` gives."""
    if isinstance(value, Made) and exception_of(machine, value) is not None:
        return exception_text(machine, value, _CONVERSIONS[kind])
    if copied(machine, value) is NOT_CONCRETE and has_own_text(machine, value):
        return own_text(machine, value, _CONVERSIONS[kind])
    found = _formattable(machine, value)
    return found if isinstance(found, Break) else fold(machine, _CONVERSIONS[kind], (found,))


def build_string(machine: Machine, pieces: Sequence[Value]) -> Reply:
    """The strings joined."""
    found: list[str] = []
    for piece in pieces:
        text = constant_of(machine, piece)
        if not isinstance(text, str):
            return machine.stop("SX2110", "a piece of an f-string is not a constant")
        found.append(text)
    length = sum(map(len, found))
    return too_large(machine, length) if length > SIZE_LIMIT else Constant("".join(found))
