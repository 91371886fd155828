"""The user's functions of the crux, plain, with the objects they work on. Every `# break` marks the call that runs as
written.

The traced statements lie after it; a maker may rely on nothing else here.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable

from .grid import Grid

try:
    import numpy
except ImportError:
    numpy = None

ARRAYS = os.environ.get("CRUX_ARRAYS", "numpy" if numpy else "grid")
"""Which arrays the subjects work on: "numpy" or "grid"."""
ARRAY_TYPE = numpy.ndarray if ARRAYS == "numpy" else Grid
ELEMENT_TYPE = numpy.dtype(float) if ARRAYS == "numpy" else float


def array(rows: list[list[float]]) -> object:
    return numpy.array(rows, dtype=float) if ARRAYS == "numpy" else Grid(rows)


def full(height: int, width: int, value: float) -> object:
    return array([[value] * width for _ in range(height)])


def overflow_raises() -> contextlib.AbstractContextManager[object]:
    return numpy.errstate(over="raise") if ARRAYS == "numpy" else contextlib.nullcontext()


class Count:
    """A C function that takes any arguments, counts its calls and returns "", without a look at pending signals.

    `"{x[0]}".format` fetches `x[0]`, which is `left.pop(0)`.
    """

    def __init__(self) -> None:
        self.left = [""] * 1000
        counted = type("Counted", (), {"__getitem__": self.left.pop})()
        self.function = functools.partial("{x[0]}".format, x=counted)

    def reset(self) -> None:
        self.left[:] = [""] * 1000

    def calls(self) -> int:
        return 1000 - len(self.left)


ENTERED, EXITED = Count(), Count()


def make_manager() -> object:
    """A fresh context manager of a plain class with counted, uninterruptible `__enter__` and `__exit__`."""
    return Manager()


class Manager:
    def __init__(self) -> None:
        self.total = 0
        self.last = None
        self.finished = 0
        self.caught: object = None

    __enter__ = staticmethod(ENTERED.function)
    __exit__ = staticmethod(EXITED.function)


def loop(items, manager, x):
    try:
        with manager:
            for item in items:
                print(item)  # break
                y = x @ x + item
                manager.total += 1
                manager.last = item
                x = y
    except ValueError as error:
        manager.caught = type(error).__name__, str(error), error.__traceback__
    finally:
        manager.finished += 1
    return x


def loop_over_arrays(items, manager, x):
    try:
        with manager:
            for item in items:
                print(item)  # break
                y = x @ x + item
                manager.total += 1
                x = y
    except ValueError as error:
        manager.caught = type(error).__name__, str(error), error.__traceback__
    return x


def effect_first(items, manager, x):
    for item in items:
        print(item)  # break
        manager.total += 1
        y = x @ x + item
        x = y
    return x


def watched(items, manager, x, look):
    for item in items:
        look()  # break
        y = x @ x + item
        manager.total += 1
        x = y
    del item
    return locals()


def middle_of_a_line(items, manager, x):
    for item in items:
        y = (print(item), x @ x + item)[1]  # break
        manager.total += 1
        x = y
    return x


class Counter:
    n = 0

    def __init__(self) -> None:
        self.n = 0

    def step(self, x):
        self.n += 1
        return x @ x


class Summing(Counter):
    n = 0

    def step(self, x, axis):
        self.n += 1
        return x.sum(axis)


def fresh_step():
    """A function of its own, shared with no other class."""

    def step(self, x):
        self.n += 1
        return x @ x

    return step


def look_at_caller(seen: list[dict[str, object]]) -> Callable[[], None]:
    def look() -> None:
        seen.append(dict(sys._getframe(1).f_locals))

    return look
