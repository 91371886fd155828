"""Ranges of more items than `len()` can tell are traced like others."""

from __future__ import annotations

import pytest

import symexec
from symexec.interpreter.protocol.contents import count_of
from tests.hard.flavours import STRICT
from tests.support import arguments, assert_same

HUGE = range(10**30)


def compiled(function):
    return symexec.compile(function, domains=["scalars"], config=STRICT)


def loop(step):
    for number in range(0, 10**30 * step, step):
        if abs(number) > 3:
            break
    return number


def ask(items):
    return bool(range(10**30)), list(zip(range(10**30), items)), range(10**30)[5], 7 in range(10**30), not range(-5)


def existing(items):
    return bool(HUGE), [pair for pair in zip(items, HUGE)]


def length(numbers):
    return len(numbers)


class Endless:
    def __len__(self):
        return 10**30


def test_long_ranges() -> None:
    assert_same(loop, lambda: arguments(1), lambda: arguments(1), lambda: arguments(-1), transform=compiled)
    assert_same(ask, lambda: arguments([4, 5]), transform=compiled)
    assert_same(existing, lambda: arguments([4, 5]), transform=compiled)


def test_lengths_that_python_refuses() -> None:
    calls = [lambda n=n: arguments(n) for n in (range(3), range(3), HUGE, HUGE, Endless(), Endless(), range(3))]
    assert_same(length, *calls, transform=compiled)
    assert_same(lambda: bool(Endless()), transform=compiled)


@pytest.mark.parametrize("step", [-7, -3, -2, -1, 1, 2, 3, 7])
def test_counting_as_python_does(step: int) -> None:
    for start in range(-8, 9):
        for stop in range(-8, 9):
            assert count_of(range(start, stop, step)) == len(range(start, stop, step))
