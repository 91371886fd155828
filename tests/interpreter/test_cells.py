"""Variables shared with functions that a trace makes."""

from __future__ import annotations

import pytest

from tests.interpreter.programs import check_same, check_whole


def changed_by_an_inner_function():
    x = 1

    def g():
        nonlocal x
        x += 1
        return x

    g()
    g()
    return x


def returned_inner_function():
    x = [1]
    f = lambda: x
    x = [2]
    return f


def stored_inner_function(l):
    x = 5
    l.append(lambda: x)
    x = 6
    return len(l)


def inner_function_of_an_inner_function():
    def a():
        return b

    b = 1
    c = lambda: a
    b = 2
    return c


def break_between():
    k = 1
    for i in range(3):
        k += i
        f = lambda: k
    print("x")
    k = 9
    return f()


WHOLE = [
    (changed_by_an_inner_function, [()]),
    (returned_inner_function, [()]),
    (stored_inner_function, [([],)]),
    (inner_function_of_an_inner_function, [()]),
]
PARTLY = [
    (break_between, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
