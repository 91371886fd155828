"""CPU time of this process: what other programs on the machine do counts less than on a wall clock."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time


def time_calls(calls: int, function: Callable[..., object], *arguments: object) -> float:
    """Seconds that `calls` calls take together."""
    turns = range(calls)
    start = process_time()
    for _ in turns:
        function(*arguments)
    return process_time() - start


def time_fresh(turns: int, prepare: Callable[[], Callable[[], object]]) -> float:
    """Seconds that what `prepare` gives takes, once after each of `turns` preparations; those are not counted."""
    total = 0.0
    for _ in range(turns):
        run = prepare()
        gc.collect()
        start = process_time()
        run()
        total += process_time() - start
    return total


def least(repeats: int, measure: Callable[[], float]) -> float:
    """The least of some measurements: disturbances only ever add."""
    return min(measure() for _ in range(repeats))


def calls_in(seconds: float, function: Callable[..., object], *arguments: object) -> int:
    """About how many calls take that long; at least one."""
    calls = 1
    while True:
        taken = time_calls(calls, function, *arguments)
        if taken >= seconds / 4:
            return max(1, round(calls * seconds / taken))
        calls *= 2
