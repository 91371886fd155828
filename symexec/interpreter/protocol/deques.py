"""What deques hold and do.  One that existed before the trace is read only."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.bases import held_content
from symexec.interpreter.protocol.contents import SIZE_LIMIT, opaque
from symexec.interpreter.protocol.folding import too_large
from symexec.values.guard import Equals, Length
from symexec.values.heap import DequeContent
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Attribute, Item

ITERATOR: Final[type] = type(iter(deque()))
BACKWARD: Final[type] = type(reversed(deque()))


def deque_content(machine: Machine, value: Value) -> DequeContent | Break:
    """All items of a deque; of an existing one under guards on its length and limit."""
    content = held_content(machine, value, deque, lambda: _existing(machine, value))
    return content if isinstance(content, (DequeContent, Break)) else opaque(machine, value)


def _existing(machine: Machine, value: Value) -> DequeContent | Break:
    if not isinstance(value, Known) or not isinstance(value.value, deque):
        raise InternalError("what is made like a deque is one")
    found, origin = value.value, value.origin
    if len(found) > SIZE_LIMIT:
        return too_large(machine, len(found))
    machine.guards.add(origin, Length(len(found)))
    machine.guards.add(Attribute(origin, "maxlen"), Equals(found.maxlen))
    return DequeContent([Known(item, Item(origin, at)) for at, item in enumerate(deque.__iter__(found))], found.maxlen)


def change(machine: Machine, value: Value, how: Callable[[list[Value]], None]) -> Break | None:
    """Change the items of a deque that the trace made; what is above its limit has to be dropped by `how`."""
    content = deque_content(machine, value)
    if isinstance(content, Break):
        return content
    if not isinstance(value, Made):
        return machine.stop("SX2101", "a deque that existed before is changed by Python")
    before = list(content.items)
    how(content.items)
    content.changes += 1

    def undo() -> None:
        content.items[:] = before
        content.changes -= 1

    machine.heap.record(undo)
    return None


def push(machine: Machine, value: Value, item: Value, left: bool) -> Break | None:
    """`append` or `appendleft`, on a deque that the trace made."""
    content = deque_content(machine, value)
    if isinstance(content, Break):
        return content
    if content.limit is not None:
        limit = content.limit

        def keep(items: list[Value]) -> None:
            items.insert(0 if left else len(items), item)
            if len(items) > limit:
                del items[-1 if left else 0]

        return change(machine, value, keep)
    if not isinstance(value, Made):
        return machine.stop("SX2101", "a deque that existed before is changed by Python")
    if len(content.items) >= SIZE_LIMIT:
        return too_large(machine, len(content.items) + 1)
    content.items.insert(0 if left else len(content.items), item)
    content.changes += 1

    def undo() -> None:
        del content.items[0 if left else -1]
        content.changes -= 1

    machine.heap.record(undo)
    return None


def take(machine: Machine, value: Value, at: int) -> Value | Break:
    """Remove and give an item of a deque that the trace made."""
    content = deque_content(machine, value)
    if isinstance(content, Break):
        return content
    if not isinstance(value, Made):
        return machine.stop("SX2101", "a deque that existed before is changed by Python")
    at = at if at >= 0 else at + len(content.items)
    item = content.items.pop(at)
    content.changes += 1

    def undo() -> None:
        content.items.insert(at, item)
        content.changes -= 1

    machine.heap.record(undo)
    return item
