"""Equivalents of `bisect` and `heapq`, for lists: the comparisons of the C code, in its order.

Follows `Modules/_heapqmodule.c` and `Modules/_bisectmodule.c`.  Indices are never negative, heaps at most of
`HEAP_LIMIT` items (beyond it the original makes a heap in another order).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, Self, TypeVar

from symexec.interpreter.equivalents.ends import leave_to_python

HEAP_LIMIT: Final = 2500
T = TypeVar("T", bound="Comparable")


class Comparable(Protocol):
    """What can be less than its like."""

    def __lt__(self, other: Self, /) -> bool:
        """`self < other`."""


def sift_down(heap: list[T], start: int, position: int) -> None:
    """Let the item at `position` go up to its place, not beyond `start`."""
    size = len(heap)
    while position > start:
        parent = (position - 1) >> 1
        less = heap[position] < heap[parent]
        if len(heap) != size:
            leave_to_python("the heap changes its size meanwhile")
        if not less:
            return
        heap[parent], heap[position] = heap[position], heap[parent]
        position = parent


def sift_up(heap: list[T], position: int) -> None:
    """Let the item at `position` go down to the end, smaller children first, and then up to its place."""
    size = len(heap)
    start, limit = position, size >> 1
    while position < limit:
        child = 2 * position + 1
        if child + 1 < size:
            if not heap[child] < heap[child + 1]:
                child = child + 1
            if len(heap) != size:
                leave_to_python("the heap changes its size meanwhile")
        heap[child], heap[position] = heap[position], heap[child]
        position = child
    sift_down(heap, start, position)


def heap_push(heap: list[T], item: T, /) -> None:
    """`heapq.heappush`."""
    heap.append(item)
    sift_down(heap, 0, len(heap) - 1)


def heap_pop(heap: list[T], /) -> T:
    """`heapq.heappop`, of a heap that is not empty."""
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    sift_up(heap, 0)
    return first


def heap_replace(heap: list[T], item: T, /) -> T:
    """`heapq.heapreplace`, of a heap that is not empty."""
    first = heap[0]
    heap[0] = item
    sift_up(heap, 0)
    return first


def heap_push_pop(heap: list[T], item: T, /) -> T:
    """`heapq.heappushpop`."""
    if not heap:
        return item
    size = len(heap)
    less = heap[0] < item
    if len(heap) != size:
        leave_to_python("the heap changes its size meanwhile")
    if not less:
        return item
    first = heap[0]
    heap[0] = item
    sift_up(heap, 0)
    return first


def make_heap(heap: list[T], /) -> None:
    """`heapq.heapify`."""
    at = len(heap) // 2 - 1
    while at >= 0:
        sift_up(heap, at)
        at = at - 1


def bisect_right(a: list[T], x: T, lo: int = 0, hi: int | None = None, *, key: Callable[[T], T] | None = None) -> int:
    """`bisect.bisect_right`."""
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if key is None:
            if x < a[middle]:
                end = middle
            else:
                lo = middle + 1
        elif x < key(a[middle]):
            end = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a: list[T], x: T, lo: int = 0, hi: int | None = None, *, key: Callable[[T], T] | None = None) -> int:
    """`bisect.bisect_left`."""
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if key is None:
            if a[middle] < x:
                lo = middle + 1
            else:
                end = middle
        elif key(a[middle]) < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def insort_right(a: list[T], x: T, lo: int = 0, hi: int | None = None, *, key: Callable[[T], T] | None = None) -> None:
    """`bisect.insort_right`."""
    wanted = x if key is None else key(x)
    a.insert(bisect_right(a, wanted, lo, hi, key=key), x)


def insort_left(a: list[T], x: T, lo: int = 0, hi: int | None = None, *, key: Callable[[T], T] | None = None) -> None:
    """`bisect.insort_left`."""
    wanted = x if key is None else key(x)
    a.insert(bisect_left(a, wanted, lo, hi, key=key), x)
