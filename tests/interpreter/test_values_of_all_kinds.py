"""Statements that take any object: what they do with each kind, for calls with one kind after another."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from tests.interpreter.programs import chain, check_same


class Own(Exception):
    pass


def raise_any(x):
    try:
        raise x
    except BaseException as e:
        return chain(e)


def from_any(x):
    try:
        raise Own from x
    except BaseException as e:
        return chain(e)


def catch_any(x):
    try:
        try:
            raise KeyError(1)
        except x:
            return "caught"
    except BaseException as e:
        return chain(e)


def catch_any2(x):
    try:
        try:
            raise KeyError(1)
        except (ValueError, x):
            return "caught"
    except BaseException as e:
        return chain(e)


def catch_star(x):
    try:
        try:
            raise ExceptionGroup("g", [KeyError(1), ValueError(2)])
        except* x as e:
            r = [type(q).__name__ for q in e.exceptions]
    except BaseException as e:
        return chain(e)
    return r


def send_any(x):
    def g():
        a = yield 1
        yield a

    k = g()
    try:
        k.send(x)
    except TypeError as e:
        return chain(e)
    return k.send(x)


def send_any2(x):
    def g():
        a = yield 1
        yield a is None

    def h():
        yield from g()

    k = h()
    next(k)
    return k.send(x)


class Iter:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        return ("next", self.n)


class SIter(Iter):
    def send(self, v):
        return ("send", v)


def send_iter(x):
    def h(i):
        yield from i

    k = h(Iter())
    next(k)
    try:
        r = k.send(x)
    except AttributeError as e:
        r = chain(e)
    k = h(SIter())
    next(k)
    return r, k.send(x)


def throw_any(x):
    def g():
        try:
            yield 1
        except Exception as e:
            yield chain(e)

    k = g()
    next(k)
    try:
        return k.throw(x)
    except BaseException as e:
        return chain(e)


def return_any(x):
    def g():
        return x
        yield

    try:
        next(g())
    except StopIteration as e:
        return e.args, e.value


def return_any2(x):
    def g():
        return x
        yield

    def h():
        r = yield from g()
        return r

    try:
        next(h())
    except StopIteration as e:
        return len(e.args), e.value is x


def stop_any(x):
    class_ = StopIteration
    e = class_(x)
    return e.args, e.value


class Mgr:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *a):
        return self.v


def exit_any(x):
    try:
        with Mgr(x):
            raise KeyError(1)
    except KeyError:
        return "passed"
    return "swallowed"


def with_any(x):
    try:
        with x:
            return 1
    except BaseException as e:
        return chain(e)


def suppress_any(x):
    try:
        with suppress(x):
            raise KeyError(1)
        return "suppressed"
    except BaseException as e:
        return chain(e)


def isinst_any(x):
    try:
        raise KeyError(1)
    except Exception as e:
        try:
            return isinstance(e, x)
        except TypeError as t:
            return chain(t)


def set_any(x):
    e = Own(1)
    r = []
    for n in ("__cause__", "__context__", "__traceback__", "args", "__suppress_context__", "__notes__", "foo"):
        try:
            setattr(e, n, x)
            r.append(n)
        except Exception as t:
            r.append(chain(t))
    return r


def set_cause(x):
    e = Own(1)
    try:
        e.__cause__ = x
    except TypeError as t:
        return chain(t)
    return chain(e)


def set_context(x):
    e = Own(1)
    try:
        e.__context__ = x
    except TypeError as t:
        return chain(t)
    return chain(e)


def set_tb(x):
    e = Own(1)
    try:
        e.__traceback__ = x
    except TypeError as t:
        return chain(t)
    return chain(e)


def set_args(x):
    e = Own(1)
    try:
        e.args = x
    except TypeError as t:
        return chain(t)
    return chain(e)


def set_supp(x):
    e = Own(1)
    try:
        e.__suppress_context__ = x
    except TypeError as t:
        return chain(t)
    return chain(e)


def note_any(x):
    e = Own(1)
    try:
        e.add_note(x)
    except TypeError as t:
        return chain(t)
    return e.__notes__


def assert_any(x):
    try:
        assert x, x
    except AssertionError as e:
        return chain(e)


def filter_any(x):
    try:
        return list(filter(x, [0, 1, None]))
    except Exception as e:
        return chain(e)


def sort_any(x):
    try:
        return sorted([1, 3, 2], key=x), max([1, 2], key=x)
    except Exception as e:
        return chain(e)


class InitRet:
    def __init__(self, v):
        return v  # noqa: PLE0101


def init_any(x):
    try:
        return type(InitRet(x)).__name__
    except Exception as e:
        return chain(e)


def group_any(x):
    try:
        return ExceptionGroup("m", [x]).exceptions
    except Exception as e:
        return chain(e)


def group_any2(x):
    try:
        return ExceptionGroup("m", x).exceptions
    except Exception as e:
        return chain(e)


def await_any(x):
    async def f():
        return await x

    try:
        f().send(None)
    except BaseException as e:
        return chain(e)


def yield_from_any(x):
    def f():
        return (yield from x)

    try:
        return list(f())
    except BaseException as e:
        return chain(e)


def iter_any(x):
    try:
        return [a for a in x]
    except BaseException as e:
        return chain(e)


def genexp_any(x):
    try:
        g = (a for a in x)
    except BaseException as e:
        return chain(e)
    try:
        return list(g)
    except BaseException as e:
        return "later", chain(e)


def unpack_any(x):
    try:
        a, *b = x
        return a, b
    except BaseException as e:
        return chain(e)


def key_any(x):
    d = {1: 2, None: 5, "a": 1}
    try:
        return d[x]
    except BaseException as e:
        return chain(e)


def name_any(x):
    try:
        try:
            raise x
        except Own as e:
            return "own", x is e
        except LookupError as e:
            return "lookup", chain(e)
        finally:
            y = 5
    except BaseException as e:
        return "other", chain(e), y


class Plain:
    pass


VALUES = [
    None,
    int,
    KeyError,
    5,
    KeyError("i"),
    Own,
    Own(3),
    LookupError,
    "s",
    None,
    ValueError,
    (KeyError,),
    (KeyError, Own),
    (),
    (5,),
    [KeyError("in list")],
    [1],
    Plain,
    Plain(),
    True,
    False,
    0,
    StopIteration,
    StopIteration(4),
    Exception,
    ExceptionGroup("g", [KeyError(2)]),
    lambda *a: 3,
    print,
    object,
    type,
    None,
]

PROGRAMS = [
    raise_any,
    from_any,
    catch_any,
    catch_any2,
    catch_star,
    send_any,
    send_any2,
    send_iter,
    throw_any,
    return_any,
    return_any2,
    stop_any,
    exit_any,
    with_any,
    suppress_any,
    isinst_any,
    set_any,
    set_cause,
    set_context,
    set_tb,
    set_args,
    set_supp,
    note_any,
    assert_any,
    filter_any,
    sort_any,
    init_any,
    group_any,
    group_any2,
    await_any,
    yield_from_any,
    iter_any,
    genexp_any,
    unpack_any,
    key_any,
    name_any,
]


def calls():
    """Each value twice, in two orders: what the first traces rely on, the later calls have to keep apart."""
    return [(value,) for value in (*VALUES, *reversed(VALUES))]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_of_all_kinds_are_kept_apart(program):
    check_same(program, calls())


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_of_all_kinds_in_another_order(program):
    values = calls()
    random.Random(program.__name__).shuffle(values)
    check_same(program, values)
