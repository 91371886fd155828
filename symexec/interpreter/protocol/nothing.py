"""Whether a value is `None`: the question, and the guard that its answer needs."""

from __future__ import annotations

from types import NoneType

from symexec.interpreter.machine import Machine
from symexec.values.heap import Absent
from symexec.values.model import Constant, Known, Value


def is_none(value: Value | Absent) -> bool:
    """Whether the value is surely `None`, whatever existed before the trace left aside."""
    return isinstance(value, Constant) and value.value is None


def turns_out_none(machine: Machine, value: Value) -> bool:
    """Whether the value is `None`; the answer is guarded where the value existed before the trace."""
    if isinstance(value, Known):
        return machine.type_of(value) is NoneType
    return is_none(value)
