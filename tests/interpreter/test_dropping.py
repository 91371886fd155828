"""Generators that are dropped unfinished, and those that yield in handlers."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


def drop_overwritten(l):
    def g(n):
        try:
            yield n
        finally:
            l.append(n)

    x = g(1)
    next(x)
    x = g(2)
    l.append("a")
    next(x)
    x = None
    l.append("b")
    y = [g(3), g(4)]
    for q in y:
        next(q)
    q = None
    l.append("c")
    y.clear()
    l.append("d")
    d = {1: g(5)}
    next(d[1])
    d[1] = 0
    l.append("e")
    return l


def drop_more(l):
    def g(n):
        try:
            yield n
        finally:
            l.append(n)

    def helper():
        x = g(10)
        next(x)
        l.append("in")
        return 1

    helper()
    l.append("after")
    t = (g(1),)
    next(t[0])
    del t
    l.append("t")

    class A:
        pass

    a = A()
    a.g = g(2)
    next(a.g)
    del a.g
    l.append("attr")
    a.g = g(3)
    next(a.g)
    a = None
    l.append("obj")
    next(g(4))
    l.append("expr")
    [next(g(5))]
    l.append("expr2")
    z = [g(6)]
    next(z[0])
    z.pop()
    l.append("pop")
    z = [g(7)]
    next(z[0])
    z[:] = []
    l.append("slice")
    s = {g(8)}
    for q in s:
        next(q)
    del q
    s.clear()
    l.append("set")
    return l


def drop_exc(l):
    def g(n):
        try:
            yield n
        finally:
            l.append(n)

    try:
        x = g(1)
        next(x)
        raise ValueError(x)
    except ValueError as e:
        del x
        l.append("h")
    l.append("after")
    return l


def drop_frame_of_exc(l):
    def g(n):
        try:
            yield n
        finally:
            l.append(n)

    def helper():
        x = g(1)
        next(x)
        raise ValueError(5)

    try:
        helper()
    except ValueError as e:
        l.append("h")
    l.append("after")
    return l


def drop_frame_of_exc2(l):
    def g(n):
        try:
            yield n
        finally:
            l.append(n)

    def helper():
        x = g(1)
        next(x)
        raise ValueError(5)

    s = None
    try:
        helper()
    except ValueError as e:
        s = e
        l.append("h")
    l.append("after")
    s = None
    l.append("end")
    return l


def drop_loop(l):
    def g(n):
        try:
            while True:
                yield n
                n += 1
        finally:
            l.append(("f", n))

    for i in g(0):
        if i == 2:
            break
    l.append("x")
    for i in g(5):
        try:
            if i == 6:
                raise KeyError(i)
        except KeyError:
            break
    l.append("y")
    try:
        for i in g(10):
            raise ValueError(i)
    except ValueError:
        l.append("caught")
    l.append("z")
    return l


def drop_zip(l):
    def g(n):
        try:
            while True:
                yield n
                n += 1
        finally:
            l.append(("f", n))

    l.append(list(zip([1, 2], g(0))))
    l.append("x")
    l.append([a for a, b in zip(g(5), [1])])
    l.append("y")
    a, b = zip(g(9), [1, 2])
    l.append("m")
    next(map(lambda q: q, g(20)))
    l.append("n")
    l.append(any(x > 30 for x in g(30)))
    l.append("o")
    l.append(33 in g(31))
    l.append("p")
    return l


def drop_return(l):
    def g(n):
        try:
            while True:
                yield n
                n += 1
        finally:
            l.append(("f", n))

    def first(it):
        for x in it:
            return x

    l.append(first(g(1)))
    l.append("a")

    def second():
        for x in g(3):
            try:
                return x
            finally:
                l.append("fin")

    l.append(second())
    l.append("b")
    return l


def yield_in_handlers(l):
    def g():
        try:
            yield 1
        finally:
            yield "f"
        try:
            raise ValueError(1)
        except ValueError as e:
            yield "e"
            r = yield chain(e)
        else:
            yield "no"
        finally:
            yield "g", r
        with suppress(KeyError):
            yield "w"
            raise KeyError
        with suppress(ValueError):
            yield "w2"

    x = g()
    r = [next(x), next(x), next(x), next(x), x.send(7), next(x), next(x)]
    r.append(outcome(lambda: x.throw(ValueError("z"))))
    return r


def yield_finally_throw(l):
    def g():
        try:
            yield 1
        finally:
            l.append(chain(sys.exception()))
            yield "f"
            l.append(chain(sys.exception()))

    x = g()
    next(x)
    r = [x.throw(KeyError(1))]
    r.append(outcome(lambda: next(x)))
    y = g()
    next(y)
    y.throw(KeyError(2))
    r.append(outcome(lambda: y.throw(ValueError(3))))
    return r, l


def gen_exc_handled_restored(l):
    def g():
        try:
            raise KeyError(1)
        except KeyError:
            yield 1

    x = g()
    next(x)
    l.append(sys.exception() is None)
    try:
        raise  # noqa: PLE0704
    except RuntimeError as e:
        l.append(str(e))
    x.close()
    l.append(sys.exception() is None)
    return l


PROGRAMS = [
    (drop_overwritten, [([],)]),
    (drop_more, [([],)]),
    (drop_exc, [([],)]),
    (drop_frame_of_exc, [([],)]),
    (drop_frame_of_exc2, [([],)]),
    (drop_loop, [([],)]),
    (drop_zip, [([],)]),
    (drop_return, [([],)]),
    (yield_in_handlers, [([],)]),
    (yield_finally_throw, [([],)]),
    (gen_exc_handled_restored, [([],)]),
]

NAMES = {"ids": lambda value: getattr(value, "__name__", "")}


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_give_the_same(program, calls):
    check_same(program, calls)
    check_same(program, calls, inside_handlers())


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_with_breaks_give_the_same(program, calls):
    for variant in broken_variants(program):
        check_same(variant, calls)
