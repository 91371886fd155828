"""Coroutines driven by hand: awaitables, managers, loops, what is thrown into them."""

from __future__ import annotations

import sys
import types
from contextlib import asynccontextmanager

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


class AM:
    def __init__(self, l, how=None):
        self.l = l
        self.how = how

    async def __aenter__(self):
        self.l.append("aenter")
        await pause(0)
        return 5

    async def __aexit__(self, t, v, tb):
        self.l.append(("aexit", t and t.__name__, chain(v), chain(sys.exception())))
        await pause(1)
        if isinstance(self.how, BaseException):
            raise self.how
        return self.how


class AI:
    def __init__(self, n, e=None):
        self.n = n
        self.e = e

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n <= 0:
            raise self.e or StopAsyncIteration
        self.n -= 1
        await pause(self.n)
        return self.n


class Aw:
    def __init__(self, v):
        self.v = v

    def __await__(self):
        try:
            r = yield self.v
        except ValueError as e:
            return ("caught", chain(e))
        return (self.v, r)


class AwIter:
    def __await__(self):
        return iter([1, 2])


class AwBad:
    def __await__(self):
        return 5


class AwCoro:
    def __await__(self):
        return zero()


class AwNone:
    pass


async def zero():
    return 0


@types.coroutine
def pause(v):
    r = yield v
    return r


def drive(c, *script):
    out = []
    it = iter(script)
    try:
        out.append(("y", c.send(None)))
        while True:
            step = next(it, None)
            if isinstance(step, BaseException):
                out.append(("t", c.throw(step)))
            else:
                out.append(("y", c.send(step)))
    except BaseException as e:
        out.append(chain(e) if not isinstance(e, StopIteration) else ("stop", e.value))
    return out


def async_with(l):
    async def f(how):
        async with AM(l, how) as x:
            l.append(x)
            raise ValueError(1)
        return "after"

    return drive(f(None)), drive(f(True)), drive(f(KeyError("k"))), l


def async_with_throw(l):
    async def f(how):
        async with AM(l, how) as x:
            await pause("body")
        return "after"

    return (
        drive(f(None), None, KeyError("k")),
        drive(f(True), None, KeyError("k")),
        drive(f(True), KeyError("k")),
        drive(f(True), None, None, KeyError("k")),
        l,
    )


def async_for(l):
    async def f(n, e=None):
        async for i in AI(n, e):
            l.append(i)
            if i == 1:
                try:
                    continue
                finally:
                    l.append("c")
        else:
            l.append("else")
        return "end"

    return drive(f(3)), drive(f(2, ValueError("v"))), drive(f(2), ValueError("q")), drive(f(1, StopIteration(5))), l


def async_break(l):
    async def f(n):
        async for i in AI(n):
            try:
                if i == 1:
                    break
                l.append(i)
            finally:
                l.append(("f", i))
        return i

    return drive(f(4)), l


def awaitables(l):
    async def f(a):
        return await a

    return [
        drive(f(Aw(1))),
        drive(f(Aw(1)), "sent"),
        drive(f(Aw(1)), ValueError("t")),
        drive(f(Aw(1)), KeyError("t")),
        drive(f(zero())),
    ]


def awaitables2(l):
    async def f(a):
        return await a

    return [drive(f(AwIter()))]


def awaitables3(l):
    async def f(a):
        return await a

    return [drive(f(AwBad()))]


def awaitables4(l):
    async def f(a):
        return await a

    return [drive(f(AwCoro()))]


def awaitables5(l):
    async def f(a):
        return await a

    return [drive(f(AwNone())), drive(f(5)), drive(f(None))]


def await_twice(l):
    async def f():
        c = zero()
        a = await c
        try:
            await c
        except RuntimeError as e:
            return chain(e)

    return drive(f())


def await_running(l):
    async def g():
        return await c2

    c2 = None

    async def f():
        return await x

    x = f()
    return drive(x)


def await_gen(l):
    def g():
        yield 1

    async def f():
        return await g()

    return drive(f())


def async_comp(l):
    async def f():
        return [x async for x in AI(3) if x], {x: await zero() async for x in AI(2)}, [await pause(i) for i in range(2)]

    return drive(f(), 1, 2, 3, 4, 5, 6, 7, 8)


def async_exc(l):
    async def g():
        try:
            await pause(1)
        finally:
            l.append(chain(sys.exception()))
            await pause("fin")

    async def f():
        try:
            await g()
        except ValueError as e:
            l.append(chain(e))
            await pause("h")
            raise KeyError("out")

    return drive(f(), ValueError("in"), None, None), l


def coro_close(l):
    async def g():
        try:
            await pause(1)
        finally:
            l.append("closed")

    c = g()
    c.send(None)
    c.close()
    return l, outcome(lambda: c.send(None)), outcome(lambda: c.throw(KeyError(1))), c.close()


def coro_stop(l):
    async def g():
        raise StopIteration(3)

    async def h():
        raise StopAsyncIteration(3)

    def gg():
        raise StopAsyncIteration(4)
        yield

    return drive(g()), drive(h()), outcome(lambda: list(gg()))


def coro_ignored(l):
    async def g():
        try:
            await pause(1)
        except GeneratorExit:
            await pause(2)

    c = g()
    c.send(None)
    return outcome(c.close)


def asynccm(l):
    @asynccontextmanager
    async def cm():
        l.append("in")
        try:
            yield 1
        finally:
            l.append("out")

    async def f():
        async with cm() as x:
            l.append(x)

    return drive(f()), l


PROGRAMS = [
    (async_with, [([],)]),
    (async_with_throw, [([],)]),
    (async_for, [([],)]),
    (async_break, [([],)]),
    (awaitables, [([],)]),
    (awaitables2, [([],)]),
    (awaitables3, [([],)]),
    (awaitables4, [([],)]),
    (awaitables5, [([],)]),
    (await_twice, [([],)]),
    (await_running, [([],)]),
    (await_gen, [([],)]),
    (async_comp, [([],)]),
    (async_exc, [([],)]),
    (coro_close, [([],)]),
    (coro_stop, [([],)]),
    (coro_ignored, [([],)]),
    (asynccm, [([],)]),
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
