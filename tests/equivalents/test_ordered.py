"""`bisect` and `heapq`: results, and every comparison in order, also where one fails."""

from __future__ import annotations

import bisect
import heapq
import random

import pytest

import symexec
from symexec.interpreter.equivalents import ordered
from tests.equivalents.beside import Log, Noted, Oops, called, outcome
from tests.support import arguments, assert_same

HEAPS = {
    "heappush": (heapq.heappush, ordered.heap_push, 1),
    "heappop": (heapq.heappop, ordered.heap_pop, 0),
    "heapreplace": (heapq.heapreplace, ordered.heap_replace, 1),
    "heappushpop": (heapq.heappushpop, ordered.heap_push_pop, 1),
    "heapify": (heapq.heapify, ordered.make_heap, 0),
}
BISECTIONS = ["bisect_left", "bisect_right", "insort_left", "insort_right"]


def run(function, values, extra, failing, options=lambda log: {}):
    log = Log(failing, Oops)
    items = [Noted(log, value) for value in values]
    result = outcome(lambda: function(items, *(Noted(log, value) for value in extra), **options(log)))
    return result, repr(items), [str(entry) for entry in log.entries]


@pytest.mark.parametrize("name", HEAPS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16, 33])
def test_heaps(name, count):
    original, equivalent, extra = HEAPS[name]
    random_numbers = random.Random(count)
    for _ in range(8):
        values = [random_numbers.randrange(12) for _ in range(count)]
        if name != "heapify":
            heapq.heapify(values)
        more = [random_numbers.randrange(12) for _ in range(extra)]
        for failing in range(8):
            assert run(equivalent, values, more, failing) == run(original, values, more, failing)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("name", BISECTIONS)
def test_bisections(name, keyed):
    original, equivalent = getattr(bisect, name), getattr(ordered, name)
    for count in range(9):
        values = sorted(each % 5 for each in range(count))
        for wanted in range(-1, 6):
            for bounds in ({}, {"lo": 1}, {"lo": 0, "hi": count // 2}, {"hi": None}):
                for failing in range(4):

                    def options(log, bounds=bounds):
                        return {**bounds, **({"key": called(log, "key", lambda each: each)} if keyed else {})}

                    expected = run(original, values, [wanted], failing, options)
                    assert run(equivalent, values, [wanted], failing, options) == expected


class Task:
    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank < other.rank


def test_they_are_captured():
    def f(values, ranks):
        heap = []
        for value in values:
            heapq.heappush(heap, (value % 3, value))
        found = [heapq.heappop(heap) for _ in range(3)]
        tasks = [Task(rank) for rank in ranks]
        heapq.heapify(tasks)
        heapq.heapify(values)
        values.sort()
        bisect.insort(values, 4)
        return (
            found,
            heap,
            [heapq.heappop(tasks).rank for _ in ranks],
            bisect.bisect(values, 3),
            bisect.bisect_left(values, 3, key=lambda each: each),
            heapq.heappushpop(heap, (9, 9)),
            heapq.heapreplace(heap, (7, 7)),
        )

    compiled = assert_same(f, lambda: arguments([5, 2, 8, 1, 9], [3, 1, 2]))
    assert symexec.stats(compiled).breaks == ()


@pytest.mark.parametrize(
    "expression",
    [
        "heapq.heappop([])",
        "heapq.heappush((), 1)",
        "heapq.heapreplace([], 1)",
        'bisect.bisect([1], "a")',
        "bisect.bisect([1], 1, -1)",
        "bisect.bisect(5, 1)",
        "heapq.heappushpop([], 1)",
        "bisect.insort([], 5)",
        'heapq.heappush([1], "a")',
        "bisect.bisect_left((1, 2), 2)",
        "heapq.nsmallest(2, [3, 1, 2])",
        "heapq.nlargest(1, [1, 5])",
    ],
)
def test_what_else_they_do_is_pythons(expression):
    assert_same(eval(f"lambda: {expression}", {"heapq": heapq, "bisect": bisect}))
