"""Whether a write that drops the value it replaces could run user code (a finalizer, a weak reference's callback)."""

from __future__ import annotations

from typing import Final

from symexec.interpreter.machine import SCALARS, Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import dict_content, list_content, tuple_items
from symexec.values.heap import Absent, ListContent
from symexec.values.model import Known, Value

_SMALL: Final = 8  # items of a container that are looked at
_HARMLESS: Final = frozenset(map(id, SCALARS | {range, bytearray}))


def may_drop(machine: Machine, value: Value, what: str, depth: int = 2) -> Break | None:
    """Nothing where dropping `value` is harmless (its type is then guarded); a break where a finalizer could run.

    Values made or traced by the trace are harmless: their first and last references are the trace's own business.
    So are small containers of harmless values, nested up to `depth`.
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
    items = _items(machine, value, type_) if depth else None
    if items is not None:
        stops = (may_drop(machine, item, what, depth - 1) for item in items)
        return next((stop for stop in stops if stop is not None), None)
    return machine.stop(
        "SX5001",
        f"the write drops what {what} held, an object of type {class_name(type_)}, and its finalizer could run code",
        "the instruction runs as written; the trace goes on after it",
    )


def _items(machine: Machine, value: Known, type_: type) -> list[Value] | None:
    """What a small builtin container holds, `None` for anything else."""
    held = value.value
    if (type_ is list or type_ is tuple or type_ is dict) and isinstance(held, (list, tuple, dict)):
        if len(held) > _SMALL:
            return None
        if type_ is dict:
            entries = dict_content(machine, value, complete=True)
            if isinstance(entries, Break):
                return None
            return [entry for entry in entries.entries.values() if not isinstance(entry, Absent)]
        items = list_content(machine, value) if type_ is list else tuple_items(machine, value)
        if isinstance(items, Break):
            return None
        return list(items.items if isinstance(items, ListContent) else items)
    return None
