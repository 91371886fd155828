"""Coroutines that a trace makes and drives."""

from __future__ import annotations

import types

import pytest

from tests.interpreter.programs import check_same, check_whole


class Manager:
    def __init__(self, log, sw=False):
        self.log = log
        self.sw = sw

    async def __aenter__(self):
        self.log.append("aenter")
        return 5

    async def __aexit__(self, t, v, tb):
        self.log.append(("aexit", t))
        return self.sw


class Countdown:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n <= 0:
            raise StopAsyncIteration
        self.n -= 1
        return self.n


def run(c):
    try:
        c.send(None)
    except StopIteration as e:
        return e.value


async def managing(log):
    async with Manager(log) as x:
        log.append(x)
    return log


async def swallowing(log):
    async with Manager(log, True) as x:
        raise ValueError(1)
    return log


async def looping(log):
    async for i in Countdown(3):
        log.append(i)
    else:
        log.append("else")
    return log


async def comprehending(log):
    return [i async for i in Countdown(3) if i]


@types.coroutine
def pause(v):
    r = yield v
    return r


async def pausing(log):
    a = await pause(1)
    return a


def entered_and_left():
    return run(managing([]))


def exit_swallows():
    return run(swallowing([]))


def looped_with_else():
    return run(looping([]))


def comprehension():
    return run(comprehending([]))


def paused():
    c = pausing([])
    x = c.send(None)
    try:
        c.send(9)
    except StopIteration as e:
        return x, e.value


def exit_lets_pass():
    try:
        return run(letting_pass())
    except ValueError as e:
        return e.args


async def letting_pass():
    async with Manager([], False):
        raise ValueError(2)


async def generating():
    yield 1


async def consuming():
    return [x async for x in generating()]


def async_generator():
    return run(consuming())


def closed_and_sent_to():
    c = pausing([])
    c.send(None)
    c.close()
    try:
        c.send(None)
    except RuntimeError as e:
        return str(e)


def thrown_into():
    c = pausing([])
    c.send(None)
    try:
        c.throw(KeyError("k"))
    except KeyError as e:
        return e.args


WHOLE = [
    (entered_and_left, [()]),
    (exit_swallows, [()]),
    (looped_with_else, [()]),
    (comprehension, [()]),
    (paused, [()]),
    (exit_lets_pass, [()]),
    (closed_and_sent_to, [()]),
    (thrown_into, [()]),
]
PARTLY = [
    (async_generator, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
