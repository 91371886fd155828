"""Closure cells: what they contain, existing ones under a guard."""

from __future__ import annotations

from types import CellType

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.drops import may_drop
from symexec.values.effect import SetContents
from symexec.values.guard import CellIsEmpty, Present, SameAs
from symexec.values.heap import ABSENT, Absent, CellContent, Content
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Contents


def cell_content(machine: Machine, cell: Value) -> CellContent:
    """What is known of a cell; an existing one is looked into at its first use."""
    if isinstance(cell, Made):
        content = machine.heap.content(cell)
    elif isinstance(cell, Known) and isinstance(cell.value, CellType):
        content = _existing_content(machine, cell, cell.value)
    else:
        raise InternalError(f"{cell} is not a cell")
    if not isinstance(content, CellContent):
        raise InternalError(f"{content} is not the content of a cell")
    return content


def _existing_content(machine: Machine, known: Known, cell: CellType) -> Content:
    found = machine.heap.existing(known)
    first = machine.heap.first_known(known)
    if found is not None and first is not None:
        if first.origin != known.origin:
            machine.guards.add(known.origin, SameAs(first.origin, True))
        return found
    value: Value | Absent
    try:
        value = Known(cell.cell_contents, Contents(known.origin))
        machine.guards.add(value.origin, Present())
    except ValueError:
        machine.guards.add(known.origin, CellIsEmpty())
        value = ABSENT
    content = CellContent(value)
    machine.heap.adopt(known, content)
    return content


def load_cell(machine: Machine, cell: Value, name: str, free: bool) -> Value | Raise:
    """What the cell contains; an empty one raises as CPython does for a free variable or for a local one."""
    value = cell_content(machine, cell).value
    if not isinstance(value, Absent):
        return value
    if free:
        message = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        return Raise(NameError(message, name=name))
    return Raise(UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value"))


def store_cell(machine: Machine, cell: Value, value: Value | None) -> Break | None:
    """Put `value` into the cell; `None` empties it."""
    content = cell_content(machine, cell)
    old = content.value
    exists = isinstance(cell, Known)
    if exists and isinstance(old, Known):
        stop = may_drop(machine, old, "the cell")
        if stop is not None:
            return stop

    def undo() -> None:
        content.value = old

    content.value = ABSENT if value is None else value
    machine.heap.record(undo)
    if exists or content.home is not None:
        machine.heap.emit(SetContents(cell, value))
    return None
