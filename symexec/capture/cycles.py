"""Which made objects have to be built empty and filled afterwards, because they are part of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symexec.capture.rebuild_bases import can_be_empty
from symexec.errors import InternalError
from symexec.values.heap import CellContent, Heap, parts
from symexec.values.model import Made, Value


def find_cyclic(heap: Heap, values: Sequence[Value]) -> set[int]:
    """One object of each cycle that a depth-first walk from the values comes upon, by their numbers."""
    cyclic: set[int] = set()
    for value in values:
        if isinstance(value, Made):
            _walk(heap, value, cyclic)
    return cyclic


def _walk(heap: Heap, root: Made, cyclic: set[int]) -> None:
    done: set[int] = set()
    open_: set[int] = set()
    stack: list[tuple[Made, Iterator[Value]]] = [(root, parts(heap.content(root)))]
    open_.add(root.object_id)
    while stack:
        made, rest = stack[-1]
        part = next(rest, None)
        if part is None:
            stack.pop()
            open_.discard(made.object_id)
            done.add(made.object_id)
        elif isinstance(part, Made):
            if part.object_id in open_:
                cyclic.add(_cut(heap, [inside for inside, _ in stack], part))
            elif part.object_id not in done:
                open_.add(part.object_id)
                stack.append((part, parts(heap.content(part))))


def _cut(heap: Heap, path: list[Made], start: Made) -> int:
    """One object of the cycle from `start` to the end of `path` that can be built empty."""
    first = next(index for index, made in enumerate(path) if made.object_id == start.object_id)
    for made in path[first:]:
        content = heap.content(made)
        if can_be_empty(content) or isinstance(content, CellContent):
            return made.object_id
    raise InternalError("a cycle of objects none of which can be built empty")
