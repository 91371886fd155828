"""What emitted code cannot make real: a trace that would have to leave it behind ends before it came to be."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final

from symexec.capture.remaking import length_before_effects
from symexec.interpreter.frame import UNREADABLE
from symexec.values.heap import (
    Absent,
    Content,
    ExceptionContent,
    FunctionContent,
    GeneratorContent,
    Heap,
    IteratorContent,
    ObjectContent,
    SetContent,
)
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Globals

_LIST: Final[type] = type(iter([]))
_REPLAYABLE: Final[tuple[type, ...]] = (
    _LIST,
    type(iter(())),
    type(iter(range(0))),
    type(iter("")),
    type(iter(b"")),
)


def find_obstacle(heap: Heap, values: Sequence[Value]) -> str | None:
    """Why one of the values cannot be made real by emitted code; `None` if all can."""
    for value in heap.reachable(values):
        if isinstance(value, Known) and value.value is UNREADABLE:
            return "what belongs to an open with statement stays where it is"
        obstacle = _obstacle(heap, heap.content(value)) if isinstance(value, Made) else None
        if obstacle is not None:
            return obstacle
    return None


def _obstacle(heap: Heap, content: Content) -> str | None:
    match content:
        case ObjectContent(base=ExceptionContent(obstacle=str() as obstacle)):
            return obstacle
        case ObjectContent(type=type_) if type_ is TracebackType:
            return "a traceback is Python's to write"
        case ObjectContent(base=ExceptionContent(args=None)):
            return "the arguments of an exception are not known"
        case GeneratorContent(kind=kind):
            return f"an unfinished {kind.__name__} cannot be rebuilt"
        case IteratorContent(kind=kind, source=source):
            beyond = kind is _LIST and source is not None and content.index > length_before_effects(heap, source)
            if kind not in _REPLAYABLE or source is None or beyond:
                return f"an unfinished {kind.__name__} cannot be rebuilt"
        case SetContent(items=items, history=None) if len(items) > 1:
            return "a set that came of other sets cannot be rebuilt in its order"
        case ObjectContent(base=base) if base is not None:
            return _obstacle(heap, base)
        case FunctionContent(globals=Known(origin=Globals())):
            if any(not isinstance(item, Absent) for item in content.attributes.values()):
                return "a function with attributes of its own cannot be rebuilt"
        case FunctionContent():
            return "a function made in another module cannot be rebuilt"
        case _:
            pass
    return None
