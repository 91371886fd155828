"""Exceptions in comprehensions and generator expressions, and those of attributes."""

from __future__ import annotations

import sys

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


def comp_var(x):
    i = 5
    try:
        r = [1 // (i - x) for i in range(5)]
    except ZeroDivisionError:
        r = "z"
    return i, r


def comp_var2(x):
    i = 5
    try:
        r = {i: [j // (i - x) for j in range(2)] for i in range(5)}
    except ZeroDivisionError:
        r = "z"
    return i, r


def comp_unbound(x):
    try:
        [1 // (i - x) for i in range(5)]
    except ZeroDivisionError:
        pass
    try:
        return i
    except NameError as e:
        return str(e), type(e)


def comp_cell(x):
    i = 7

    def f():
        return i

    try:
        r = [(lambda: i)() // (i - x) for i in range(5)]
    except ZeroDivisionError as e:
        r = chain(e)
    return i, f(), r


def comp_walrus(x):
    try:
        r = [(y := i) // (i - x) for i in range(5)]
    except ZeroDivisionError as e:
        r = y
    return r, y


def genexp(x):
    g = (1 // (i - x) for i in range(5))
    r = []
    for _ in range(7):
        try:
            r.append(next(g))
        except (ZeroDivisionError, StopIteration) as e:
            r.append(chain(e))
    return r


def genexp_eager(x):
    def bad():
        raise KeyError(1)

    try:
        g = (i for i in bad())
    except KeyError:
        return "eager"
    return "lazy"


def genexp_noniter(x):
    try:
        g = (i for i in x)
    except TypeError as e:
        return "eager", str(e)
    try:
        return list(g)
    except TypeError as e:
        return "lazy", str(e)


class P:
    @property
    def bad(self):
        raise AttributeError("inner")

    @property
    def worse(self):
        return self.nothing

    @property
    def key(self):
        raise KeyError("k")


class PG(P):
    def __getattr__(self, n):
        return ("got", n)


class PR:
    def __getattr__(self, n):
        raise AttributeError("ga " + n)


class PK:
    def __getattr__(self, n):
        raise KeyError(n)


def prop(x):
    return [
        outcome(lambda: P().bad),
        outcome(lambda: P().worse),
        outcome(lambda: P().key),
        outcome(lambda: PG().bad),
        outcome(lambda: PG().worse),
        outcome(lambda: PG().key),
        outcome(lambda: PR().q),
        outcome(lambda: PK().q),
        hasattr(P(), "bad"),
        hasattr(PR(), "q"),
        getattr(P(), "bad", 1),
        getattr(PR(), "q", 2),
        outcome(lambda: hasattr(P(), "key")),
        outcome(lambda: getattr(PK(), "z", 3)),
    ]


def prop_name2(x):
    try:
        P().worse
    except AttributeError as e:
        return e.name, type(e.obj)


def prop_name3(x):
    try:
        PR().q
    except AttributeError as e:
        return e.name, type(e.obj)


def prop_name4(x):
    try:
        getattr(PR(), "q")
    except AttributeError as e:
        return e.name, type(e.obj)


def prop_name5(x):
    try:
        x.q
    except AttributeError as e:
        return e.name, e.obj, str(e)


def prop_name6(x):
    e = AttributeError("mine", name="n0")

    class Q:
        pass

    try:
        raise e
    except AttributeError as f:
        return f.name, f.obj


def getattr_ctx(x):
    try:
        PG().bad
    except AttributeError:
        pass
    try:
        try:
            {}["k"]
        except KeyError:
            return PG().bad, chain(sys.exception())
    finally:
        pass


PROGRAMS = [
    (comp_var, [(3,), (0,), (2,), (3,)]),
    (comp_var2, [(3,), (0,), (2,), (3,)]),
    (comp_unbound, [(3,), (0,), (2,), (3,)]),
    (comp_cell, [(3,), (0,), (2,), (3,)]),
    (comp_walrus, [(3,), (0,), (2,), (3,)]),
    (genexp, [(3,), (0,), (2,), (3,)]),
    (genexp_eager, [(3,), (0,), (2,), (3,)]),
    (genexp_noniter, [(3,), (0,), (2,), (3,)]),
    (prop, [(3,), (0,), (2,), (3,)]),
    (prop_name2, [(3,), (0,), (2,), (3,)]),
    (prop_name3, [(3,), (0,), (2,), (3,)]),
    (prop_name4, [(3,), (0,), (2,), (3,)]),
    (prop_name5, [(3,), (0,), (2,), (3,)]),
    (prop_name6, [(3,), (0,), (2,), (3,)]),
    (getattr_ctx, [(3,), (0,), (2,), (3,)]),
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
