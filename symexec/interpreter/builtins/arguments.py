"""How rules for builtin functions take their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from symexec.interpreter.machine import NOT_CONCRETE, Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.folding import copied
from symexec.values.model import Traced, Value

Keywords: TypeAlias = Sequence[tuple[str, Value]]
Rule: TypeAlias = Callable[[Machine, Sequence[Value], Keywords], Reply]
"""What a builtin function gives for these arguments."""


def misfit(machine: Machine) -> Break:
    """The break for arguments that the function refuses, or that its rule does not know."""
    return machine.stop("SX2116", "the arguments of a builtin function do not fit, or are not interpreted")


def positional(args: Sequence[Value], kwargs: Keywords, least: int, most: int) -> bool:
    """Whether there are between `least` and `most` arguments, none of them by keyword."""
    return not kwargs and least <= len(args) <= most


def named(args: Sequence[Value], kwargs: Keywords, names: Sequence[str]) -> dict[str, Value] | None:
    """The arguments by the names of the parameters, `None` where there are too many, or of other or repeated names."""
    if len(args) > len(names):
        return None
    found = dict(zip(names, args, strict=False))
    for name, value in kwargs:
        if name not in names or name in found:
            return None
        found[name] = value
    return found


def has_traced(args: Sequence[Value], kwargs: Keywords = ()) -> bool:
    """Whether any argument is a traced value, once resolved by the caller."""
    return any(isinstance(arg, Traced) for arg in args) or any(isinstance(value, Traced) for _, value in kwargs)


def copies(machine: Machine, values: Sequence[Value]) -> list[object] | None:
    """Python objects equal to the values, `None` if any is not wholly made of constants."""
    found: list[object] = []
    for value in values:
        part = copied(machine, value)
        if part is NOT_CONCRETE:
            return None
        found.append(part)
    return found
