"""Objects of the user's classes as numbers, indexes and containers; what Python raises where they are none."""

from __future__ import annotations

import math
import operator

import pytest

from tests.interpreter.test_lookups import assert_whole, compiled
from tests.support import arguments, assert_same


class Number:
    def __init__(self, value=1):
        self.value = value

    def __index__(self):
        return self.value

    def __int__(self):
        return 7

    def __float__(self):
        return 7.5

    def __complex__(self):
        return 7j

    def __round__(self, digits=None):
        return ("rounded", digits)

    def __floor__(self):
        return "floor"

    def __trunc__(self):
        return 9

    def __divmod__(self, other):
        return (self.value, other)

    def __rdivmod__(self, other):
        return (other, self.value)

    def __pow__(self, other, modulo=None):
        return (self.value, other, modulo)

    def __hash__(self):
        return self.value - 2


class OnlyIndex:
    def __index__(self):
        return 2


class Plain:
    pass


class Wrong:
    def __bool__(self):
        return 1  # noqa: PLE0304 (what it is for)

    def __len__(self):
        return -1  # noqa: PLE0303

    def __index__(self):
        return "x"  # noqa: PLE0305


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


class Generic:
    def __class_getitem__(cls, key):
        return cls, key


class Shrinking:
    def __init__(self, items):
        self.items = items

    def __index__(self):
        self.items.clear()
        return 0


def test_conversions():
    def function(n):
        return int(n), float(n), complex(n), round(n), round(n, 2), round(n, None), math.floor(n), math.trunc(n)

    def operators(n):
        return divmod(n, 3), divmod(8, n), pow(n, 2), pow(n, 2, 5), n**2, hash(n), hash(Number(10**30))

    def by_index(n):
        return int(n), float(n), operator.index(n), hex(n), bin(n), oct(n), chr(n), list(range(n)), range(1, n)

    assert_whole(function, lambda: arguments(Number()))
    assert_whole(operators, lambda: arguments(Number()))
    assert_whole(by_index, lambda: arguments(OnlyIndex()))


def test_indexes():
    def read(n):
        return [10, 20, 30][n], "abc"[n], (1, 2)[n], [1, 2, 3][n:], "abcd"[:n], (1, 2, 3)[::n], range(5)[n]

    def write(items, n):
        items[n] = 5
        items[n:] = [6]
        del items[n]
        return items

    assert_whole(read, lambda: arguments(Number()))
    assert_whole(write, lambda: arguments([1, 2, 3], Number()))

    def shrinking(items):
        return items[Shrinking(items)]

    assert_same(shrinking, *[lambda: arguments([1, 2])] * 3, transform=compiled)


def test_classes_that_are_subscripted():
    assert_whole(lambda: (Generic[int], Generic[1, 2]))
    assert_same(lambda: (list[int], Plain[int]), transform=compiled)


REFUSED = {
    "plain": Plain,
    "wrong": Wrong,
    "text": lambda: Sized("x"),
    "negative": lambda: Sized(-1),
    "huge": lambda: Sized(10**30),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(make):
    def attempts(o):
        found = []
        for attempt in (
            lambda: o(),
            lambda: o[0],
            lambda: operator.setitem(o, 0, 1),
            lambda: operator.delitem(o, 0),
            lambda: len(o),
            lambda: bool(o),
            lambda: -o,
            lambda: o + 1,
            lambda: o < o,
            lambda: [1, 2][o],
            lambda: divmod(o, 1),
            lambda: round(o),
            lambda: int(o),
            lambda: float(o),
        ):
            try:
                found.append(attempt())
            except Exception as error:
                found.append((type(error), str(error)))
        return found

    def subscripts(o):
        try:
            return o[0]
        except TypeError as error:
            first = error.args
        try:
            o[0] = 1
        except TypeError as error:
            second = error.args
        try:
            del o[0]
        except TypeError as error:
            return first, second, error.args

    def called(o):
        try:
            return o(1)
        except TypeError as error:
            return error.args

    for function in (attempts, subscripts, called):
        assert_same(function, *[lambda: arguments(make())] * 3, transform=compiled)
    for function in (subscripts, called):
        assert_whole(function, lambda: arguments(make()))


def test_a_class_that_becomes_callable():
    class Changing:
        pass

    def function(o):
        try:
            return o()
        except TypeError as error:
            return error.args

    again = compiled(function)
    assert [again(Changing()), again(Changing())] == [("'Changing' object is not callable",)] * 2
    Changing.__call__ = lambda self: 1
    assert again(Changing()) == 1
