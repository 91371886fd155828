"""Managers that are generators, used well and badly."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


@contextmanager
def simple(l, n):
    l.append(("in", n))
    try:
        yield n
    finally:
        l.append(("out", n, chain(sys.exception())))


@contextmanager
def catching(l):
    try:
        yield
    except ValueError as e:
        l.append(chain(e))


@contextmanager
def replacing():
    try:
        yield
    except ValueError as e:
        raise KeyError("r") from e


@contextmanager
def contextless():
    try:
        yield
    except ValueError as e:
        raise KeyError("r") from None


@contextmanager
def never():
    if 0:
        yield


@contextmanager
def raising_before():
    raise ValueError("before")
    yield


@contextmanager
def yield_again():
    try:
        yield 1
    except ValueError:
        yield 2


@contextmanager
def yield_after():
    yield 1
    yield 2


@contextmanager
def returning():
    try:
        yield 1
    except ValueError:
        return


@contextmanager
def stopping():
    try:
        yield 1
    except ValueError:
        raise StopIteration(4)


@contextmanager
def reraising():
    try:
        yield 1
    except ValueError as e:
        raise e


@contextmanager
def runtime():
    try:
        yield 1
    except StopIteration as e:
        raise RuntimeError("mine") from e


def cm_plain(l):
    with simple(l, 1) as a, simple(l, 2) as b:
        l.append(a + b)

    def f():
        with simple(l, 1) as a, simple(l, 2) as b:
            raise ValueError(a)

    return outcome(f), l


def cm_leave(l):
    with simple(l, 1) as a:
        raise ValueError(a)


def cm_leave2(l):
    with simple(l, 1) as a:
        with simple(l, 2):
            l.append(5)
            {}[5]


def cm_catch(l):
    with catching(l):
        raise ValueError(1)

    def f():
        with catching(l):
            raise TypeError(2)

    return outcome(f), l


def cm_replace(l):
    def f(cm):
        with cm():
            raise ValueError(1)
        return "went on"

    return [
        outcome(lambda: f(cm))
        for cm in (replacing, contextless, yield_again, yield_after, returning, stopping, reraising)
    ]


def cm_misuse(l):
    def f(cm):
        with cm():
            l.append("body")
        return "went on"

    return [outcome(lambda: f(cm)) for cm in (never, raising_before, yield_again, yield_after, returning, stopping)], l


def cm_stop(l):
    def f(cm):
        with cm():
            raise StopIteration(7)
        return "went on"

    return [outcome(lambda: f(cm)) for cm in (replacing, returning, runtime, reraising)], outcome(
        lambda: f(lambda: simple(l, 1))
    )


def cm_stop_gen(l):
    def f(cm):
        with cm():
            yield 1
            raise StopIteration(7)

    return outcome(lambda: list(f(lambda: simple(l, 1)))), outcome(lambda: list(f(runtime)))


def cm_twice(l):
    c = simple(l, 1)
    with c:
        pass

    def f():
        with c:
            pass

    return outcome(f), l


def cm_nested_same(l):
    c = simple(l, 1)

    def f():
        with c:
            with c:
                pass

    return outcome(f), l


@simple([], 5)
def decorated(x):
    return x + 1


def cm_decorator(x):
    return decorated(2)


@contextmanager
def deco(l):
    l.append("d")
    yield
    l.append("e")


def cm_decorator2(l):
    @deco(l)
    def f(x):
        l.append(x)
        return x

    return f(1), f(2), l


PROGRAMS = [
    (cm_plain, [([],)]),
    (cm_leave, [([],)]),
    (cm_leave2, [([],)]),
    (cm_catch, [([],)]),
    (cm_replace, [([],)]),
    (cm_misuse, [([],)]),
    (cm_stop, [([],)]),
    (cm_stop_gen, [([],)]),
    (cm_twice, [([],)]),
    (cm_nested_same, [([],)]),
    (cm_decorator, [(3,), (0,), (2,), (3,)]),
    (cm_decorator2, [([],)]),
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
