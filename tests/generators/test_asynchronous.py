"""Compiled coroutines and asynchronous generators: programs on asyncio, and the protocol by hand."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import inspect
import sys
import types
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator
from typing import Self

import pytest

import symexec
from tests.generators.scripts import COMPILERS, STRICT, unraisable_errors

Function = Callable[..., object]
is_emscripten = sys.platform == "emscripten"
every_compiler = pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)


def run_loop(coroutine: Coroutine[object, object, object]) -> object:
    """Run a program on a loop of its own; by hand where there can be none, which will do for `sleep(0)`."""
    if not is_emscripten:
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(coroutine)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
    while True:
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value


class Resource:
    def __init__(self, note: list[object]) -> None:
        self.note = note

    async def __aenter__(self) -> float:
        self.note.append("enter")
        await asyncio.sleep(0)
        return 2.0

    async def __aexit__(self, kind: type[BaseException] | None, *rest: object) -> bool:
        await asyncio.sleep(0)
        self.note.append(("exit", kind))
        return kind is LookupError


class Countdown:
    def __init__(self, left: int) -> None:
        self.left = left

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        await asyncio.sleep(0)
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return self.left


class Ready:
    """An awaitable that gives values and then a result."""

    def __init__(self, *values: object) -> None:
        self.values = values

    def __await__(self) -> Generator[object, object, object]:
        sent = []
        for value in self.values:
            sent.append((yield value))
        return sent


async def working(x, note):
    y = x * 2 + 1
    await asyncio.sleep(0)
    y = y * x - 3
    async with Resource(note) as entered:
        y = y * entered + x
        await asyncio.sleep(0)
        y = y * y - 1
        note.append(y)
        if x > 3:
            raise LookupError("left")
        y = y + 1
    y = y * 2 + x
    async for step in Countdown(3):
        y = y + step * x
        note.append(step)
    else:
        y = y - 1
    y = y * 2 + 1
    return y


async def producing(x, note):
    try:
        for step in range(3):
            y = x * step + 1
            await asyncio.sleep(0)
            y = y * 2 + x
            sent = yield y
            note.append(sent)
    except ValueError as error:
        note.append(error.args)
        y = y * 3 + 1
        yield y
    finally:
        y = y * 2 - 1
        await asyncio.sleep(0)
        note.append(y)


async def slow(x, note):
    try:
        y = x * 2 + 1
        await asyncio.sleep(30)
        note.append("not reached")
    except asyncio.CancelledError:
        y = y * 3 + x
        note.append(("cancelled", y))
        await asyncio.sleep(0)
        note.append("cleaned up")
        raise
    finally:
        y = y * 2 + 1
        note.append(y)


def gathering(work: Function, produce: Function, sleep: Function) -> list[object]:
    """Tasks side by side, a timeout, a cancellation, comprehensions; all that comes of it."""
    note: list[object] = []

    async def program() -> None:
        results = await asyncio.gather(*(work(float(n), note) for n in range(6)), return_exceptions=True)
        note.append([repr(result) for result in results])
        note.append([value async for value in produce(2.0, note)])
        note.append({value: value * 2 async for value in produce(3.0, note) if value > 3})
        task = asyncio.ensure_future(sleep(2.0, note))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel("enough")
        try:
            await task
        except asyncio.CancelledError as error:
            note.append(error.args)
        try:
            await asyncio.wait_for(sleep(3.0, note), 0.001)
        except TimeoutError:
            note.append("timeout")
        async for value in produce(4.0, note):
            note.append(value)
            break

    run_loop(program())
    return note


@pytest.mark.skipif(is_emscripten, reason="no loop of its own here")
@every_compiler
def test_programs_on_asyncio(compiler: Callable[[Function], Function]) -> None:
    expected = gathering(working, producing, slow)
    compiled = [compiler(function) for function in (working, producing, slow)]
    for _ in range(4):
        assert gathering(*compiled) == expected
    for function in compiled if "scalars" in compiler.__name__ else []:
        assert symexec.stats(function).operations


def test_the_kinds_of_functions_show() -> None:
    compiled, generator = (symexec.compile(function, config=STRICT) for function in (working, producing))
    for _ in range(3):
        assert inspect.iscoroutinefunction(compiled) and inspect.isasyncgenfunction(generator)
        coroutine = compiled(2.0, [])
        assert inspect.iscoroutine(coroutine) and inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED
        run_loop(coroutine)
        assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CLOSED
        assert inspect.isasyncgen(generator(2.0, []))


def test_a_generator_that_is_made_a_coroutine_function_stays_one() -> None:
    def old_style(x):
        y = x * 2 + 1
        z = yield from asyncio.sleep(0)
        y = y * y + x
        yield from asyncio.sleep(0)
        return y * 2, z

    compiled = symexec.compile(old_style, domains=["scalars"], config=STRICT)
    made = types.coroutine(compiled)

    async def program() -> object:
        return await made(3.0)

    for _ in range(5):
        assert run_loop(program()) == (104.0, None)
    assert made is compiled and symexec.stats(compiled).operations > 3
    symexec.reset(compiled)
    assert run_loop(program()) == (104.0, None)


@every_compiler
def test_coroutines_by_hand(compiler: Callable[[Function], Function]) -> None:
    async def waiting(x, note):
        y = x * 2 + 1
        try:
            got = await Ready(y, y * 2)
            note.append(got)
            y = y * y + 1
            got = await Ready(y)
        except ValueError as error:
            y = y * 3 - 1
            note.append((error.args, await Ready(y, "handling")))
        finally:
            y = y * 2 + x
            note.append(await Ready(y))
        return y * 2

    def run(function: Function, at: int, verb: str) -> list[object]:
        note: list[object] = []
        coroutine = function(3.0, note)
        for number in range(9):
            try:
                if number == at and verb == "throw":
                    note.append(coroutine.throw(ValueError("thrown")))
                elif number == at and verb == "close":
                    note.append(coroutine.close())
                else:
                    note.append(coroutine.send(None if not number else number))
            except BaseException as error:
                note.append((type(error), error.args, type(error.__context__)))
            frame = coroutine.cr_frame
            place = None if frame is None else (frame.f_lineno, frame.f_locals["x"])
            note.append((coroutine.cr_running, type(coroutine.cr_await), place))
        with unraisable_errors() as errors:
            del coroutine, frame
        return [*note, errors]

    compiled = compiler(waiting)
    for verb in ("send", "throw", "close"):
        for at in range(6):
            expected = run(waiting, at, verb)
            for _ in range(2):
                assert run(compiled, at, verb) == expected, (verb, at)


async def steps(generator: AsyncGenerator[object, object], verbs: list[tuple[str, object]]) -> list[object]:
    found: list[object] = []
    for verb, value in verbs:
        try:
            if verb == "asend":
                found.append(await generator.asend(value))
            elif verb == "athrow":
                assert isinstance(value, BaseException)
                found.append(await generator.athrow(type(value)(*value.args)))
            else:
                found.append(await generator.aclose())
        except BaseException as error:
            found.append((type(error), error.args, type(error.__context__), type(error.__cause__)))
        frame = generator.ag_frame
        found.append((generator.ag_running, None if frame is None else (frame.f_lineno, sorted(frame.f_locals))))
    return found


@every_compiler
def test_asynchronous_generators_by_hand(compiler: Callable[[Function], Function]) -> None:
    scripts: list[list[tuple[str, object]]] = []
    for before in range(5):
        start: list[tuple[str, object]] = [("asend", None), *[("asend", n) for n in range(before)]][:before]
        for ending in (
            ("athrow", ValueError("thrown")),
            ("athrow", TypeError("thrown")),
            ("athrow", StopAsyncIteration("thrown")),
            ("athrow", GeneratorExit()),
            ("aclose", None),
        ):
            scripts.append([*start, ending, ("asend", None), ("asend", None), ("aclose", None)])
    compiled = compiler(producing)
    for script in scripts:
        notes: tuple[list[object], list[object]] = ([], [])
        expected = run_loop(steps(producing(2.0, notes[0]), script))
        assert run_loop(steps(compiled(2.0, notes[1]), script)) == expected, script
        assert notes[0] == notes[1], script


def test_a_coroutine_that_nobody_awaits_is_warned_of_as_before() -> None:
    compiled = symexec.compile(working, domains=["scalars"], config=STRICT)
    for _ in range(3):
        run_loop(compiled(2.0, []))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compiled(2.0, [])
            gc.collect()
        assert [str(each.message) for each in caught] == ["coroutine 'working' was never awaited"]


def test_an_asynchronous_context_manager_of_a_compiled_generator() -> None:
    async def scope(x, note):
        y = x * 2 + 1
        await asyncio.sleep(0)
        try:
            yield y
            y = y * 2
        except LookupError as error:
            y = y * 3 + 1
            note.append(error.args)
        finally:
            y = y * y + 1
            note.append(y)

    def use(manager: Callable[..., contextlib.AbstractAsyncContextManager[object]]) -> list[object]:
        note: list[object] = []

        async def program() -> None:
            async with manager(2.0, note) as value:
                note.append(value)
            async with manager(3.0, note) as value:
                raise KeyError(value)

        run_loop(program())
        return note

    expected = use(contextlib.asynccontextmanager(scope))
    compiled = symexec.compile(scope, domains=["scalars"], config=STRICT)
    for _ in range(6):
        assert use(contextlib.asynccontextmanager(compiled)) == expected
    assert symexec.stats(compiled).operations > 4


def test_what_follows_an_asynchronous_loop_is_traced() -> None:
    async def looping(items: AsyncIterator[float], x: float) -> float:
        total = x * 0
        async for item in items:
            total = total + item * x
        total = total * 2 + x
        total = total * total - 1
        return total

    async def numbers() -> AsyncIterator[float]:
        for n in (1.0, 2.0, 3.0):
            await asyncio.sleep(0)
            yield n

    compiled = symexec.compile(looping, domains=["scalars"], config=STRICT)
    for _ in range(8):
        assert run_loop(compiled(numbers(), 2.0)) == run_loop(looping(numbers(), 2.0))
    assert symexec.stats(compiled).operations == 1 + 2 + 4
    assert symexec.stats(compiled).breaks == ()


def test_exception_tracebacks_are_the_same() -> None:
    async def failing(x, note):
        y = x * 2 + 1
        await asyncio.sleep(0)
        y = y * x
        note.append(y)
        return y / (x - x)

    def lines(function: Function) -> list[tuple[str, int]]:
        try:
            run_loop(function(2.0, []))
        except ZeroDivisionError as error:
            found, entry = [], error.__traceback__
            while entry is not None:
                if entry.tb_frame.f_code.co_filename == __file__:
                    found.append((entry.tb_frame.f_code.co_name, entry.tb_lineno))
                entry = entry.tb_next
            return found
        raise AssertionError

    compiled = symexec.compile(failing, domains=["scalars"], config=STRICT)
    expected = lines(failing)
    for _ in range(5):
        assert lines(compiled) == expected
