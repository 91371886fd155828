"""Recursion: deep, mutual, through protocols and data, and into the limit."""

from __future__ import annotations

import contextlib
import sys

from tests.ladder.both import captured, same

journal: list[object] = []


@contextlib.contextmanager
def limited(more):
    """A recursion limit a little above the present depth."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + more)
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


@captured((30,), (5,))
def test_plain(n):
    def total(k):
        return 0 if k == 0 else k + total(k - 1)

    return total(n)


@same((150,), (100,))
def test_deeper_than_inlining(n):
    def build(k):
        return [] if k == 0 else [k, build(k - 1)]

    def depth(node):
        return 1 + depth(node[1]) if node else 0

    return depth(build(n)), build(2)


@same((1,), (2,))
def test_endless_is_caught(x):
    def endless(k):
        return endless(k + 1) + x

    try:
        with limited(100):
            endless(0)
    except RecursionError as error:
        return error.args, type(error)


@same((1,), (2,))
def test_endless_with_effects(x):
    calls = []

    def endless():
        calls.append(x)
        try:
            endless()
        finally:
            calls.pop()

    try:
        with limited(100):
            endless()
    except RecursionError:
        journal.append("caught")
    return calls, journal


@same((1,), (2,))
def test_endless_through_protocols(x):
    class Mirror:
        def __getattr__(self, name):
            return getattr(self, name + "x")

        def __eq__(self, other):
            return self == other

        def __len__(self):
            return len(self)

        def __call__(self):
            return self()

    mirror, log = Mirror(), []
    for act in (lambda: mirror.anything, lambda: mirror == x, lambda: len(mirror), mirror):
        try:
            with limited(80):
                act()
        except RecursionError as error:
            log.append(error.args[0].partition(" while")[0])
    return log


@captured((2, 2), (1, 3))
def test_ackermann(m, n):
    def ackermann(a, b):
        if a == 0:
            return b + 1
        if b == 0:
            return ackermann(a - 1, 1)
        return ackermann(a - 1, ackermann(a, b - 1))

    return ackermann(min(m, 2), min(n, 2))


@captured((3,), (2,))
def test_hanoi(n):
    moves = []

    def move(k, source, target, spare):
        if k:
            move(k - 1, source, spare, target)
            moves.append((source, target))
            move(k - 1, spare, target, source)

    move(n, "a", "c", "b")
    return moves


@same(([3, 6, 1, 8, 2],), ([],), ([1, "a"],))
def test_quicksort(items):
    def quicksort(values):
        if len(values) < 2:
            return values
        pivot, *rest = values
        return [*quicksort([v for v in rest if v < pivot]), pivot, *quicksort([v for v in rest if not v < pivot])]

    try:
        return quicksort(items)
    except TypeError as error:
        return error.args


@same((4,), (3,))
def test_queens(n):
    solutions = []

    def place(row, columns):
        if row == n:
            solutions.append(list(columns))
            return
        for column in range(n):
            if all(column != c and abs(column - c) != row - r for r, c in enumerate(columns)):
                columns.append(column)
                place(row + 1, columns)
                columns.pop()

    place(0, [])
    return solutions


@same(({"a": {"b": [1, {"c": 2}]}, "d": "x"},), ({},), ([],))
def test_walk_of_data(data):
    def walk(node, path=()):
        match node:
            case dict():
                for key, value in node.items():
                    yield from walk(value, (*path, key))
            case list():
                for at, value in enumerate(node):
                    yield from walk(value, (*path, at))
            case _:
                yield path, node

    return list(walk(data))


@same((3,), (0,))
def test_error_at_the_bottom_unwinds(n):
    def descend(k):
        journal.append(("down", k))
        try:
            return descend(k - 1) if k else 1 // k
        except ZeroDivisionError as error:
            error.add_note(f"through {k}")
            raise
        finally:
            journal.append(("up", k))

    try:
        descend(n)
    except ZeroDivisionError as error:
        return error, journal
    return descend(n)


def self_made(n):
    """Calls itself by its global name: the compiled function or the one as written."""
    return [n] if n <= 0 else [n, *self_made(n - 1)]


@same((4,), (0,))
def test_through_a_global_name(n):
    return self_made(n), self_made(1)
