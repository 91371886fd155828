"""Appending to a list that existed before does not depend on how long it is, unless the program asks."""

from __future__ import annotations

import pytest

from symexec import stats
from tests.support.same import arguments, assert_same


def collect(items, out):
    for item in items:
        out.append(item * 2)


def collect_more(items, out):
    out += [items[0]]
    out.extend(items)
    out.extend(x for x in ())
    out.extend({"k": 1})
    return out


def collect_twice(items, out):
    out.append(1)
    items.append(2)
    out.append(3)


def look_afterwards(items, out):
    out.append(7)
    first = len(out), out[-1], out[0]
    out.append(8)
    out.insert(0, 9)
    return first, out


def contain_itself(items, out):
    out.append(out)
    out.append([out])


LISTS = [[], [1], [1, 2, 3], list(range(50))]


@pytest.mark.parametrize("function", [collect, collect_twice, contain_itself])
def test_one_trace_serves_lists_of_every_length(function):
    calls = [lambda out=out: arguments([5, 6], list(out)) for out in LISTS]
    found = stats(assert_same(function, *calls))
    assert (found.traces, found.misses, found.breaks) == (1, 1, ())


def test_one_trace_for_each_length_that_is_asked_for():
    calls = [lambda out=out: arguments([5, 6], list(out)) for out in [*LISTS, *LISTS]]
    found = stats(assert_same(look_afterwards, *calls))
    assert (found.traces, found.breaks) == (len(LISTS), ())


def test_extending():
    assert_same(collect_more, *[lambda out=out: arguments([5, 6], list(out)) for out in LISTS])


def test_lists_that_turn_out_to_be_one():
    def both():
        one = [1]
        return arguments(one, one)

    for function in (collect_twice, look_afterwards):
        assert_same(function, lambda: arguments([1], [2]), both, lambda: arguments([1], [2]), both)
        assert_same(function, both, lambda: arguments([1], [2]))
