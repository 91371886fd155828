"""What builtin exception classes, and those that inherit from them, make of their arguments."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


class SuperInit(Exception):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b


class Str(Exception):
    def __str__(self):
        return f"<{self.args}>"

    def __repr__(self):
        return "R"


class StopSub(StopIteration):
    def __init__(self, v, w):
        super().__init__(v)
        self.w = w


class StopInit(StopIteration):
    def __init__(self, v):
        pass


class ExitSub(SystemExit):
    pass


class GenExit(GeneratorExit):
    pass


class NameSub(NameError):
    pass


class AttrSub(AttributeError):
    def __init__(self, m, **k):
        super().__init__(m, **k)
        self.z = 1


class Meta(type):
    def __instancecheck__(c, i):
        return True

    def __subclasscheck__(c, i):
        return True


class MetaExc(Exception, metaclass=Meta):
    pass


class Bool(Exception):
    def __bool__(self):
        return False

    def __len__(self):
        return 0


class CtxExc(Exception):
    def __init__(self, other):
        super().__init__("c")
        self.__context__ = other


class CauseExc(Exception):
    def __init__(self, other):
        super().__init__("c")
        self.__cause__ = other


class CallClass(Exception):
    def __call__(self, *a):
        return a


class InitReturns(Exception):
    def __init__(self):
        return 5  # noqa: PLE0101


class InitRaises(Exception):
    def __init__(self):
        raise KeyError("init")


class ReprRaises(Exception):
    def __str__(self):
        raise KeyError("str")


class Derived(SuperInit):
    pass


def stopsub(x):
    r = []
    class_ = StopSub
    try:
        raise class_(x, 5)
    except StopIteration as e:
        r.append((e.value, e.args, e.w))
    try:
        raise StopInit(x)
    except StopIteration as e:
        r.append((e.value, e.args))
    return r


class It:
    def __init__(self, e):
        self.e = e
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise self.e
        return self.n


def iter_stops(x):
    def g(e):
        r = yield from It(e)
        yield ("r", r)

    r = [list(It(StopSub(x, 1))), list(g(StopSub(x, 1))), list(g(StopIteration)), list(g(StopIteration(1, 2)))]
    return r, [
        outcome(lambda: list(It(ValueError))),
        outcome(lambda: list(It(5))),
        outcome(lambda: list(g(KeyError("k")))),
    ]


def same_stop_twice(x):
    s = StopIteration(x)
    return list(It(s)), list(It(s)), chain(s), s.__traceback__ is None


def class_with_exit(x):
    r = []
    for a in ((), (1,), (1, 2), (None,)):
        try:
            raise SystemExit(*a)
        except SystemExit as e:
            r.append((e.code, e.args))
        try:
            raise ExitSub(*a)
        except SystemExit as e:
            r.append((e.code, e.args))
    try:
        sys.exit()
    except SystemExit as e:
        r.append((e.code, e.args))
    try:
        sys.exit(x)
    except SystemExit as e:
        r.append((e.code, e.args))
    return r


def genexit(x):
    def g():
        try:
            yield 1
        except GeneratorExit as e:
            raise GenExit("mine")

    a = g()
    next(a)
    a.close()

    def h():
        try:
            yield 1
        except GeneratorExit as e:
            raise ValueError("v")

    b = h()
    next(b)
    return outcome(b.close)


def class_with_names(x):
    try:
        raise NameSub("m", name="q")
    except NameError as e:
        r = [(e.name, e.args)]
    try:
        raise NameError("m", nome="q")
    except TypeError as e:
        r.append(str(e))
    try:
        raise AttrSub("m", name="q", obj=3)
    except AttributeError as e:
        r.append((e.name, e.obj, e.args, e.z))
    try:
        raise AttributeError("m", name="q")
    except AttributeError as e:
        r.append((e.name, e.obj, e.args))
    try:
        raise ImportError("m", name="q", path="p")
    except ImportError as e:
        r.append((e.name, e.path, e.msg, e.args))
    return r


def class_with_kw(x):
    r = []
    for c in (ValueError, KeyError, InitReturns, InitRaises, StopIteration, Exception, BaseException, GeneratorExit):
        r.append(outcome(lambda: c(a=1)))
        r.append(outcome(lambda: type(c())))
    return r


def kw_subclass(x):
    return outcome(lambda: Str(a=1)), outcome(lambda: Derived(x, c=1)), outcome(lambda: Derived())


def class_with_meta(x):
    try:
        try:
            raise ValueError(x)
        except MetaExc:
            return "meta"
    except ValueError:
        return "value"


def class_with_bool(x):
    try:
        raise Bool(x)
    except Bool as e:
        return bool(e), not e, (e or 5) == 5


def bool_with(x):
    with suppress(Bool):
        raise Bool(x)
    try:
        try:
            raise Bool(1)
        finally:
            x += 1
    except Bool as e:
        return chain(e)


def ctx_exc(x):
    a = KeyError(1)
    r = []
    try:
        raise CtxExc(a)
    except CtxExc as e:
        r.append(chain(e))
    try:
        try:
            raise TypeError(2)
        except TypeError:
            raise CtxExc(a)
    except CtxExc as e:
        r.append(chain(e))
    try:
        raise CauseExc(a)
    except CauseExc as e:
        r.append(chain(e))
    try:
        raise CauseExc(a) from None
    except CauseExc as e:
        r.append(chain(e))
    return r


def class_with_call(x):
    try:
        raise CallClass(x)
    except CallClass as e:
        return e(1, 2)


def str_raises(x):
    try:
        raise ReprRaises(x)
    except ReprRaises as e:
        try:
            return str(e)
        except KeyError as k:
            return chain(k)


PROGRAMS = [
    (stopsub, [(3,), (0,), (2,), (3,)]),
    (iter_stops, [(3,), (0,), (2,), (3,)]),
    (same_stop_twice, [(3,), (0,), (2,), (3,)]),
    (class_with_exit, [(3,), (0,), (2,), (3,)]),
    (genexit, [(3,), (0,), (2,), (3,)]),
    (class_with_names, [(3,), (0,), (2,), (3,)]),
    (class_with_kw, [(3,), (0,), (2,), (3,)]),
    (kw_subclass, [(3,), (0,), (2,), (3,)]),
    (class_with_meta, [(3,), (0,), (2,), (3,)]),
    (class_with_bool, [(3,), (0,), (2,), (3,)]),
    (bool_with, [(3,), (0,), (2,), (3,)]),
    (ctx_exc, [(3,), (0,), (2,), (3,)]),
    (class_with_call, [(3,), (0,), (2,), (3,)]),
    (str_raises, [(3,), (0,), (2,), (3,)]),
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
