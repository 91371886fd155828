"""Generators: thrown into, closed, delegating, dropped."""

from __future__ import annotations

import sys

import pytest

from tests.interpreter.programs import check_same, check_whole


def handling():
    try:
        yield 1
    except ValueError as e:
        yield ("ctx", type(e.__context__))
        try:
            raise
        except ValueError:
            yield "again"
    yield sys.exception() is None


def handling_apart_from_the_caller():
    g = handling()
    out = [next(g)]
    try:
        1 / 0
    except ZeroDivisionError:
        out.append(g.throw(ValueError("t")))
        out.append(type(sys.exception()))
    out.append(next(g))
    out.append(next(g))
    return out


class Counting:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration("end")
        return self.n


def iterator_of_the_users():
    return list(Counting()), [x for x in Counting()]


def delegating_to_an_iterator():
    def g():
        r = yield from Counting()
        return r

    gg = g()
    out = []
    while True:
        try:
            out.append(next(gg))
        except StopIteration as e:
            return out, e.value


def closing_delegates():
    def inner():
        try:
            while True:
                yield 1
        finally:
            log.append("closed")

    def outer():
        yield from inner()

    log = []
    g = outer()
    next(g)
    g.close()
    return log


def ignores_closing():
    log = []

    def g():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    x = g()
    next(x)
    try:
        x.close()
    except RuntimeError as e:
        return str(e)


def dropped_by_a_loop():
    def g():
        try:
            yield 1
        finally:
            log.append("fin")

    log = []
    for x in g():
        break
    return log


def recursive():
    def g(n):
        if n:
            yield n
            yield from g(n - 1)

    return list(g(5))


def sent_too_early():
    def g():
        x = yield
        yield x

    a = g()
    try:
        a.send(3)
    except TypeError as e:
        return str(e)


def reentered():
    def g():
        yield next(a)

    a = g()
    try:
        next(a)
    except ValueError as e:
        return str(e)


WHOLE = [
    (handling_apart_from_the_caller, [()]),
    (iterator_of_the_users, [()]),
    (delegating_to_an_iterator, [()]),
    (closing_delegates, [()]),
    (dropped_by_a_loop, [()]),
    (recursive, [()]),
    (sent_too_early, [()]),
    (reentered, [()]),
]
PARTLY = [
    (ignores_closing, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
