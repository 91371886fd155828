"""Ready-made managers of `contextlib`."""

from __future__ import annotations

import contextlib
import io
import sys
from contextlib import ContextDecorator, ExitStack, closing, contextmanager, nullcontext, suppress

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


class M:
    def __init__(self, l, how=None, enter=None):
        self.l = l
        self.how = how
        self.enter = enter

    def __enter__(self):
        self.l.append("enter")
        if self.enter:
            raise self.enter
        return self

    def __exit__(self, t, v, tb):
        self.l.append(("exit", t and t.__name__, chain(v), tb is None, chain(sys.exception())))
        if isinstance(self.how, BaseException):
            raise self.how
        if self.how == "reraise":
            raise
        if self.how == "raise_v":
            raise v
        return self.how


@contextmanager
def simple(l, n):
    l.append(("in", n))
    try:
        yield n
    finally:
        l.append(("out", n, chain(sys.exception())))


def suppressing(l):
    with suppress(KeyError, ValueError):
        raise KeyError(1)
    with suppress(LookupError):
        with suppress(ValueError):
            raise IndexError(2)
        l.append("no")

    def f():
        with suppress():
            raise ValueError(3)

    def g():
        with suppress(KeyError):
            try:
                raise ValueError(1)
            finally:
                {}["k"]
        return "kept"

    return outcome(f), outcome(g), l


def suppress_loop(l):
    for i in range(4):
        with suppress(ValueError):
            if i % 2:
                raise ValueError(i)
            l.append(i)
    return l


def suppress_leave(l):
    with suppress(KeyError):
        l.append(1)
        raise ValueError(2)


def suppress_group(l):
    def f():
        with suppress(KeyError):
            raise ExceptionGroup("g", [KeyError(1), ValueError(2)])

    return outcome(f)


def exitstack(l):
    with ExitStack() as s:
        a = s.enter_context(simple(l, 1))
        b = s.enter_context(M(l))
        s.callback(l.append, "cb")
        s.push(lambda t, v, tb: l.append(t and t.__name__))
        s.callback(lambda *a, **k: l.append((a, k)), 1, k=2)
    return l


def exitstack_raises(l):
    def f():
        with ExitStack() as s:
            s.enter_context(simple(l, 1))
            s.callback(lambda: {}["k"])
            s.enter_context(M(l, ValueError("m")))
            raise TypeError("t")

    return outcome(f), l


def exitstack_swallow(l):
    with ExitStack() as s:
        s.enter_context(M(l, True))
        s.enter_context(simple(l, 1))
        raise TypeError("t")
    return l


def exitstack_popall(l):
    with ExitStack() as s:
        s.enter_context(simple(l, 1))
        t = s.pop_all()
    l.append("still")
    t.close()
    return l


class CD(ContextDecorator):
    def __init__(self, l):
        self.l = l

    def __enter__(self):
        self.l.append("cd")
        return self

    def __exit__(self, *a):
        self.l.append(a[0] and a[0].__name__)
        return True


def context_decorator(l):
    @CD(l)
    def f(x):
        return 1 // x

    return f(1), f(0), l


class Cl:
    def __init__(self, l):
        self.l = l

    def close(self):
        self.l.append(chain(sys.exception()))


def closing_managers(l):
    def f():
        with closing(Cl(l)) as c:
            raise ValueError(1)

    def gen():
        try:
            yield 1
        finally:
            l.append("gclosed")

    with closing(gen()) as g:
        l.append(next(g))
    return outcome(f), l


def null_context_raises(l):
    def f():
        with nullcontext(5) as x:
            raise ValueError(x)

    return outcome(f)


def redirect(l):

    s = io.StringIO()
    with contextlib.redirect_stdout(s):
        print("hidden")
    l.append(s.getvalue())
    return l


def tb_in_exit(l):
    class T:
        pass

    with M(l, True) as m:
        raise ValueError(1)
    return l


def gen_with(l):
    def g():
        with simple(l, 1):
            yield 1
            with M(l, True):
                yield 2
                raise ValueError(3)
            yield 4

    l.append(list(g()))
    x = g()
    next(x)
    next(x)
    l.append(x.throw(KeyError("t")))
    x.close()
    y = g()
    next(y)
    next(y)
    l.append(outcome(lambda: y.close()))
    return l


PROGRAMS = [
    (suppressing, [([],)]),
    (suppress_loop, [([],)]),
    (suppress_leave, [([],)]),
    (suppress_group, [([],)]),
    (exitstack, [([],)]),
    (exitstack_raises, [([],)]),
    (exitstack_swallow, [([],)]),
    (exitstack_popall, [([],)]),
    (context_decorator, [([],)]),
    (closing_managers, [([],)]),
    (null_context_raises, [([],)]),
    (redirect, [([],)]),
    (tb_in_exit, [([],)]),
    (gen_with, [([],)]),
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
