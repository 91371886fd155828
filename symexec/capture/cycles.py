"""Which made objects are part of themselves: some of them have to be built empty and filled afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symexec.values.heap import Heap, parts
from symexec.values.model import Made, Value


def find_cyclic(heap: Heap, values: Sequence[Value]) -> set[int]:
    """All objects on cycles that can be reached from the values, by their numbers.

    These are the strongly connected components of more than one object, and objects that contain themselves.
    """
    components = _Components(heap)
    for value in values:
        if isinstance(value, Made):
            components.walk(value)
    return components.cyclic


class _Components:
    """Tarjan's algorithm with a stack of its own: `_order` numbers objects as they are met, `_low` is the lowest of
    those, still open, that an object leads to."""

    def __init__(self, heap: Heap) -> None:
        self.cyclic: set[int] = set()
        self._heap = heap
        self._order: dict[int, int] = {}
        self._low: dict[int, int] = {}
        self._open: dict[int, None] = {}

    def walk(self, root: Made) -> None:
        if root.object_id in self._order:
            return
        path = [self._enter(root)]
        while path:
            number, rest = path[-1]
            for part in rest:
                if not isinstance(part, Made):
                    continue
                inner = part.object_id
                if inner not in self._order:
                    path.append(self._enter(part))
                    break
                if inner in self._open:
                    self._low[number] = min(self._low[number], self._order[inner])
                    if inner == number:
                        self.cyclic.add(number)
            else:
                path.pop()
                self._leave(number)
                if path:
                    outer = path[-1][0]
                    self._low[outer] = min(self._low[outer], self._low[number])

    def _enter(self, made: Made) -> tuple[int, Iterator[Value]]:
        number = made.object_id
        self._order[number] = self._low[number] = len(self._order)
        self._open[number] = None
        return number, parts(self._heap.content(made))

    def _leave(self, number: int) -> None:
        """Close the component, if this is the first of it that was met."""
        if self._low[number] != self._order[number]:
            return
        members = [self._open.popitem()[0]]
        while members[-1] != number:
            members.append(self._open.popitem()[0])
        if len(members) > 1:
            self.cyclic.update(members)
