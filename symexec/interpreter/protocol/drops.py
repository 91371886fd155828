"""Whether a write that drops the value it replaces could run user code (a finalizer, a weak reference's callback)."""

from __future__ import annotations

from typing import Final

from symexec.interpreter.machine import SCALARS, Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name
from symexec.values.model import Known, Value

_HARMLESS: Final = frozenset(map(id, SCALARS | {range, bytearray}))


def may_drop(machine: Machine, value: Value, what: str) -> Break | None:
    """Nothing where dropping `value` is harmless (its type is then guarded); a break where a finalizer could run.

    Values made or traced by the trace are harmless: their first and last references are the trace's own business.
    """
    if not isinstance(value, Known):
        return None
    type_ = type(value.value)
    if id(type_) in _HARMLESS:
        machine.type_of(value)
        return None
    if machine.is_fixed(value.value) and machine.identify(value):
        return None
    if any(domain.claims(value.value) for domain in machine.domains):
        machine.type_of(value)
        return None
    return machine.stop(
        "SX5001",
        f"the write drops what {what} held, an object of type {class_name(type_)}, and its finalizer could run code",
        "the instruction runs as written; the trace goes on after it",
    )
