"""Coroutines, asynchronous generators, context managers and comprehensions, driven by a plain runner without a loop."""

from __future__ import annotations

import types

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

journal: list[object] = []


@types.coroutine
def pause(value):
    received = yield value
    return received


def run(coroutine, answers=()):
    """Drives it to the end; gives its result and what it paused with.  An exception among the answers is thrown."""
    paused, answers = [], iter(answers)
    step = lambda: coroutine.send(None)
    while True:
        try:
            paused.append(step())
        except StopIteration as stop:
            return stop.value, paused
        answer = next(answers, None)
        if isinstance(answer, BaseException):
            step = lambda answer=answer: coroutine.throw(answer)
        else:
            step = lambda answer=answer: coroutine.send(answer)


class Manager:
    def __init__(self, log, swallow=False):
        self.log, self.swallow = log, swallow

    async def __aenter__(self):
        self.log.append("enter")
        return await pause("entering")

    async def __aexit__(self, kind, error, trace):
        self.log.append(("exit", kind))
        await pause("leaving")
        return self.swallow


class Countdown:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if not self.n:
            raise StopAsyncIteration
        self.n -= 1
        await pause(("next", self.n))
        return self.n


class Awaitable:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        received = yield ("awaiting", self.value)
        return self.value, received


async def ticks(n, log):
    try:
        for i in range(n):
            await pause(("tick", i))
            received = yield i
            log.append(received)
    finally:
        log.append("ticks end")


@same((3,), (0,))
def test_await(n):
    async def work(k):
        journal.append(k)
        first = await pause(k)
        if k:
            return [first, await work(k - 1)]
        return await Awaitable("end")

    return run(work(n), "abcdef"), journal


@captured((3,), (1,))
def test_await_of_what_never_pauses(n):
    async def double(x):
        return x * 2

    async def work():
        total = 0
        for i in range(n):
            total += await double(i)
        return total

    try:
        work().send(None)
    except StopIteration as stop:
        return stop.value


@same((True,), (False,))
def test_async_with(swallow):
    log = []

    async def work():
        async with Manager(log) as got, Manager(log, swallow) as more:
            log.append((got, more))
            raise KeyError("inside")
        log.append("after")
        return "returned"

    try:
        return run(work(), ["one", "two"]), log
    except KeyError as error:
        return error.args, log


@same((3,), (0,))
def test_async_for(n):
    async def work():
        seen = []
        async for i in Countdown(n):
            if i == 1:
                continue
            seen.append(i)
        else:
            seen.append("else")
        return seen, [i async for i in Countdown(n) if i], {i: await pause(i) async for i in Countdown(n)}

    return run(work())


@same((3,), (1,))
def test_async_generator(n):
    log = []

    async def work():
        seen = []
        made = ticks(n, log)
        async for i in made:
            seen.append(i)
            if i == 1:
                break
        await made.aclose()
        other = ticks(n, log)
        await other.__anext__()
        try:
            seen.append(await other.asend("sent"))
            seen.append(await other.athrow(ValueError("thrown")))
        except (ValueError, StopAsyncIteration) as error:
            seen.append(error)
        return seen

    return run(work()), log


@same((0,), (1,))
def test_exceptions_out_of_coroutines(x):
    async def fail():
        await pause("before")
        return 1 // x

    async def work():
        try:
            return await fail()
        except ZeroDivisionError as error:
            error.add_note("seen")
            journal.append(error)
            raise
        finally:
            journal.append(await pause("cleanup"))

    return run(work(), ["go", "cleaned"])


@same((1,), (2,))
def test_throw_into_a_coroutine(x):
    log = []

    async def work():
        try:
            await pause("waiting")
        except ValueError as error:
            log.append(error)
            return await pause("recovered")
        finally:
            log.append("finally")

    log.append(run(work(), [ValueError("v"), x]))
    stopped = work()
    stopped.send(None)
    stopped.close()
    unstarted = work()
    unstarted.close()
    return log


@same((1,), (None,), ([],))
def test_what_cannot_be_awaited(x):
    log = []

    async def awaits():
        return await x

    async def loops():
        async for _ in x:
            pass

    async def enters():
        async with x:
            pass

    for work in (awaits, loops, enters):
        try:
            log.append(run(work()))
        except (TypeError, AttributeError) as error:
            log.append(error.args)
    return log


@same((1,), (2,))
def test_coroutine_is_used_twice(x):
    async def work():
        return x

    made = work()
    log = [run(made)]
    try:
        run(made)
    except RuntimeError as error:
        log.append(error.args)
    return log, made.cr_frame, type(made).__name__


async def own_coroutine(n, log):
    """Is compiled itself."""
    log.append("start")
    total = 0
    for i in range(n):
        total += await pause(i)
        log.append(total)
    async with Manager(log):
        async for i in Countdown(n):
            total += i
    return total // (n - 2)


ANSWERS = {
    "all": lambda: [10, 20, 30, 40],
    "throw": lambda: [10, ValueError("thrown")],
    "wrong": lambda: ["wrong type"],
}


@pytest.mark.parametrize("name", ANSWERS)
def test_compiled_coroutine(name):
    answers = ANSWERS[name]
    check(own_coroutine, (3, []), (2, []), (0, []), conditions=Conditions(drive=lambda made: run(made, answers())))


async def own_async_generator(n, log):
    """Is compiled itself."""
    for i in range(n):
        try:
            log.append((yield i + await pause(i)))
        finally:
            log.append("step")


def collect(made):
    async def work():
        seen = []
        async for item in made:
            seen.append(item)
        return seen

    return run(work(), [5, 6, 7])


def test_compiled_async_generator():
    check(own_async_generator, (2, []), (0, []), (3, [1]), conditions=Conditions(drive=collect))


@same((3,), (0,))
def test_scheduler(n):
    log = []

    async def worker(name, steps):
        for i in range(steps):
            log.append((name, i))
            await pause(None)
        return name

    tasks = [worker("a", n), worker("b", n + 1), worker("c", 1)]
    results = []
    while tasks:
        task = tasks.pop(0)
        try:
            task.send(None)
        except StopIteration as stop:
            results.append(stop.value)
        else:
            tasks.append(task)
    return log, results
