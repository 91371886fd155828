"""`with` statements: what their special methods raise, give and see."""

from __future__ import annotations

import sys

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


class Falsy:
    def __init__(self, l):
        self.l = l

    def __bool__(self):
        self.l.append("bool")
        return False


class RaisingBool:
    def __bool__(self):
        raise KeyError("bool")


class NoEnter:
    def __exit__(self, *a):
        pass


class NoExit:
    def __enter__(self):
        pass


class ClassExit:
    l = []

    @classmethod
    def __enter__(cls):
        return cls

    @staticmethod
    def __exit__(t, v, tb):  # noqa: PYI036
        return t is KeyError


class BadExit:
    def __enter__(self):
        return self

    def __exit__(self):  # noqa: PLE0302, PYI036
        return True


class PropEnter:
    @property
    def __enter__(self):
        return lambda: "prop"

    @property
    def __exit__(self):  # noqa: PLE0302, PYI036
        return lambda *a: True


def with_reraise(l):
    def f():
        with M(l, "reraise"):
            raise ValueError(1)

    def g():
        with M(l, "raise_v"):
            raise ValueError(2)

    def h():
        with M(l, "reraise"):
            pass

    return outcome(f), outcome(g), outcome(h), l


def with_reraise_leave(l):
    with M(l, "reraise"):
        raise ValueError(1)


def with_reraise_leave2(l):
    with M(l, "raise_v"):
        raise ValueError(1)


def with_pass_leave(l):
    with M(l):
        raise ValueError(1)


def with_enter_raises(l):
    def f():
        with M(l, True, KeyError(1)):
            l.append("no")

    return outcome(f), l


def with_falsy(l):
    def f():
        with M(l, Falsy(l)):
            raise ValueError(1)

    def g():
        with M(l, RaisingBool()):
            raise ValueError(2)

    return outcome(f), outcome(g), l


def with_truthy(l):
    for how in (1, "x", [], [0], None, 0.0, ()):
        try:
            with M(l, how):
                raise ValueError(how)
            l.append("swallowed")
        except ValueError:
            l.append("passed")
    return l


def with_return(l):
    def f():
        with M(l, True):
            return 1

    def g():
        with M(l, KeyError("e")):
            return 1

    def h():
        for i in range(3):
            with M(l):
                if i == 0:
                    continue
                if i == 1:
                    break
        return i

    return f(), outcome(g), h(), l


def with_wrong(l):
    def a():
        with NoEnter():
            pass

    def b():
        with NoExit():
            pass

    def c():
        with 5:
            pass

    def d():
        with BadExit():
            raise ValueError(1)

    def e():
        with BadExit():
            pass

    return [outcome(f) for f in (a, b, c, d, e)]


def with_bad_exit(l):
    def d():
        with BadExit():
            raise ValueError(1)

    def e():
        with BadExit():
            pass

    return [outcome(f) for f in (d, e)]


def with_class_exit(l):
    def a():
        with ClassExit():
            raise KeyError(1)
        return "ok"

    def b():
        with ClassExit() as c:
            raise ValueError(1)

    def c():
        with PropEnter() as p:
            raise ValueError(p)
        return "prop"

    return [outcome(f) for f in (a, b, c)]


def with_instance_exit(l):
    m = M(l)
    m.__exit__ = lambda *a: True

    def f():
        with m:
            raise ValueError(1)

    return outcome(f)


def with_exit_raises(l):
    def w1():
        with M(l, KeyError("exit")):
            raise ValueError(1)

    return outcome(w1), l


PROGRAMS = [
    (with_reraise, [([],)]),
    (with_reraise_leave, [([],)]),
    (with_reraise_leave2, [([],)]),
    (with_pass_leave, [([],)]),
    (with_enter_raises, [([],)]),
    (with_falsy, [([],)]),
    (with_truthy, [([],)]),
    (with_return, [([],)]),
    (with_wrong, [([],)]),
    (with_bad_exit, [([],)]),
    (with_class_exit, [([],)]),
    (with_instance_exit, [([],)]),
    (with_exit_raises, [([],)]),
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
