"""At the limit of recursion a compiled function runs wherever the plain one does."""

from __future__ import annotations

import sys

import symexec
from tests.hard.flavours import STRICT


def descend(depth, function):
    return function(1.5) if depth == 0 else descend(depth - 1, function)


def leaf(x):
    return x * 2.0 + 1.0


def deepest(function) -> int:
    """How deep below here the function can be called."""
    low, high = 1, 2 * sys.getrecursionlimit()
    while low < high:
        middle = (low + high + 1) // 2
        try:
            descend(middle, function)
            low = middle
        except RecursionError:
            high = middle - 1
    return low


def test_the_first_call_has_no_room_to_trace() -> None:
    depth = deepest(leaf)
    compiled = symexec.compile(leaf, domains=["scalars"], config=STRICT)
    if sys.implementation.cache_tag == "cpython-311":  # there calling any C function counts, as sys.gettrace
        depth -= 1
    for level in range(depth, depth - 8, -1):
        assert descend(level, compiled) == 4.0
    assert [compiled(2.0), compiled(3.0)] == [5.0, 7.0]
    assert symexec.stats(compiled).traces


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


def test_runaway_recursion_goes_as_deep(monkeypatch) -> None:
    def frames(function, n) -> tuple[int, int] | int:
        try:
            return function(n)
        except RecursionError as error:
            entry, found = error.__traceback__, 0
            while entry is not None:
                found += entry.tb_frame.f_code.co_name == "count"
                entry = entry.tb_next
            return found, 0

    expected = [frames(count, n) for n in (10, 500, 10**6)]
    compiled = symexec.compile(count, domains=["scalars"], config=STRICT)
    monkeypatch.setitem(globals(), "count", compiled)
    found = [frames(compiled, n) for n in (10, 500, 10**6)]
    assert found[:2] == expected[:2]
    assert isinstance(found[2], tuple)
    assert abs(found[2][0] - expected[2][0]) <= 2
