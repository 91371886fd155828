"""Compiled generators and what is around them: threads, tracers, the collector, the end of the interpreter, arrays."""

from __future__ import annotations

import dis
import gc
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

import symexec
from tests.generators import subjects
from tests.generators.scripts import COMPILERS, STRICT, compile_scalars

Function = Callable[..., Iterator[object]]
is_emscripten = sys.platform == "emscripten"
every_compiler = pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)


class Thing:
    def __init__(self, value: float) -> None:
        self.value = value


def holding(thing, x):
    y = thing.value * x + 1
    yield y
    other = Thing(y * 2 - x)
    got = yield other.value
    y = other.value * thing.value + x
    try:
        yield y
    finally:
        y = y * 2 + 1
    yield got


@every_compiler
@pytest.mark.parametrize("taken", range(5))
def test_a_generator_and_what_it_holds_die_at_once(compiler: Callable[[Function], Function], taken: int) -> None:
    compiled = compiler(holding)
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            thing = Thing(2.0)
            generator = compiled(thing, 3.0)
            alive = weakref.ref(thing), weakref.ref(generator)
            for _ in range(taken):
                next(generator, None)
            del thing, generator
            assert [reference() for reference in alive] == [None, None]
    finally:
        gc.enable()


def test_the_compiled_function_dies_with_its_last_generator() -> None:
    def make() -> tuple[weakref.ref[Function], Iterator[object]]:
        def numbers(x):
            y = x * 2 + 1
            yield y
            y = y * y + x
            yield y

        compiled = compile_scalars(numbers)
        for _ in range(3):
            list(compiled(3.0))
        return weakref.ref(compiled), compiled(3.0)

    function, generator = make()
    gc.collect()
    assert list(generator) == [7.0, 52.0]
    del generator
    gc.collect()
    assert function() is None


@pytest.mark.skipif(is_emscripten, reason="no threads here")
@every_compiler
def test_generators_in_threads(compiler: Callable[[Function], Function]) -> None:
    """Some threads make and exhaust generators, others pass one on from thread to thread."""
    compiled = compiler(subjects.accumulating)
    expected = list(subjects.accumulating(2.0, []))
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(lambda: list(compiled(2.0, []))) for _ in range(60)]:
            assert future.result() == expected
        for _ in range(10):
            generator = compiled(2.0, [])
            assert [pool.submit(next, generator).result() for _ in expected] == expected
        shared, given, lock = compiled(2.0, []), [], threading.Lock()

        def take() -> None:
            with lock:
                given.append(next(shared, None))

        for future in [pool.submit(take) for _ in range(8)]:
            future.result()
        assert given == [*expected, *[None] * 4]


@every_compiler
def test_a_tracer_sees_what_it_saw(compiler: Callable[[Function], Function]) -> None:
    def events(function: Function) -> list[tuple[str, str, int]]:
        seen: list[tuple[str, str, int]] = []

        def look(frame: FrameType, event: str, argument: object) -> object:
            if frame.f_code.co_filename != subjects.__file__:
                return None
            seen.append((frame.f_code.co_name, event, frame.f_lineno))
            return look

        generator = function(3.0, [])
        sys.settrace(look)
        try:
            for _ in range(3):
                next(generator)
            generator.throw(ValueError("thrown"))
            generator.close()
        except RuntimeError:
            pass
        finally:
            sys.settrace(None)
        return seen

    for subject in (subjects.guarded, subjects.managed, subjects.delegating):
        compiled = compiler(subject)
        try:
            expected = events(subject)
        except ValueError:
            continue
        for _ in range(4):
            list(compiled(3.0, []))
            assert events(compiled) == expected


@every_compiler
def test_a_tracer_that_comes_and_goes_while_suspended(compiler: Callable[[Function], Function]) -> None:
    compiled, expected = compiler(subjects.guarded), list(subjects.guarded(3.0, []))
    for traced in range(6):
        for _ in range(2):
            found = []
            generator = compiled(3.0, [])
            for number in range(len(expected)):
                sys.settrace((lambda *event: None) if number == traced else None)
                found.append(next(generator))
                sys.settrace(None)
            assert found == expected


PROGRAM = """
    import symexec

    def lasting(x, note):
        y = x * 2 + 1
        try:
            yield y
            yield y + 1
        finally:
            y = y * 2 + 1
            y = y * y - x
            try:
                y = y / (x - x)
            except ZeroDivisionError:
                y = y + 1
            note.write(f"closed with {y}\\n")

    import sys
    compiled = symexec.compile(lasting, domains=["scalars"], config=symexec.Config(strict=True))
    for _ in range(WARM):
        list(compiled(2.0, sys.stderr))
    class Keeper: pass
    kept = compiled(2.0, sys.stderr)
    next(kept)
    keeper = Keeper()
    keeper.self, keeper.kept, keeper.more = keeper, compiled(2.0, sys.stderr), compiled
    next(keeper.kept)
"""


@pytest.mark.skipif(is_emscripten, reason="no processes here")
@pytest.mark.parametrize("warm", [0, 1, 2, 6])
def test_a_generator_that_is_closed_when_the_interpreter_ends(tmp_path: Path, warm: int) -> None:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM).replace("WARM", str(warm)))
    home = str(Path(symexec.__file__).parents[1])
    command = [sys.executable, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home, env={"PYTHONPATH": home})
    assert done.returncode == 0
    assert done.stderr == "closed with 120.0\n" * (warm + 2)


def test_arrays_between_suspensions() -> None:
    np = pytest.importorskip("numpy")

    def filtering(signal, weights):
        state = np.zeros(3)
        for sample in signal:
            state = state * 0.5 + weights * sample
            answer = yield (state * weights).sum()
            if answer is not None:
                weights = weights + answer
        state = state / state.sum()
        return state

    def run(function: Function) -> list[object]:
        generator = function([1.0, 2.0, 3.0], np.array([1.0, 2.0, 3.0]))
        found: list[object] = [next(generator)]
        try:
            found.append(generator.send(None))
            found.append(generator.send(0.25))
            next(generator)
        except StopIteration as stop:
            found += list(stop.value)
        return found

    compiled = symexec.compile(filtering, config=STRICT)
    for _ in range(8):
        assert run(compiled) == run(filtering)
    figures = symexec.stats(compiled)
    assert figures.operations >= 10 and figures.fallbacks == 0
    run(compiled)
    assert symexec.stats(compiled).misses == figures.misses


def test_an_anchor_without_a_trace_is_taken_away() -> None:
    def trivial(n):
        for i in range(n):
            yield -i

    compiled = symexec.compile(trivial, config=STRICT)
    for n in (3, 4, 5, 6):
        assert list(compiled(n)) == [-i for i in range(n)]
    figures = symexec.stats(compiled)
    assert figures.operations == 0 and figures.traces <= 1, "at most one for the return"
    instructions = [each.opname for each in dis.get_instructions(compiled)]
    assert instructions.count("YIELD_VALUE") == 1
    start, end = instructions.index("FOR_ITER"), instructions.index("YIELD_VALUE")
    assert not {"CALL", "LOAD_CONST"} & set(instructions[start:end])


def test_an_explanation_tells_of_what_ran_since() -> None:
    explanation = symexec.explain(subjects.straight, domains=["scalars"])(3.0, [])
    assert explanation.traces == () and "now()" in str(explanation)
    assert list(explanation.result) == list(subjects.straight(3.0, []))
    now = explanation.now()
    assert now.result is explanation.result and now.breaks == ()
    assert [trace.operations for trace in now.traces] == [2, 2, 2, 1]
    assert "is suspended at" in now.traces[0].ending and "now()" not in str(now)
    plain = symexec.explain(holding, domains=["scalars"])
    assert plain(Thing(1.0), 2.0).now().traces == ()


def test_an_explanation_of_a_plain_function_stays() -> None:
    explanation = symexec.explain(lambda x: x + 1)(2)
    assert explanation.now() is explanation


def test_traces_that_are_special_cases_without_a_graph_are_dropped() -> None:
    """Every call is a case of its own: once the budget is spent, the function is what it was."""

    def counting(owner, items):
        owner.value = owner.value + 1
        for item in items:
            owner.value += item
            yield item * 2 + owner.value % 7

    for install in ("profitable", "always"):
        config = symexec.Config(strict=True, install=install)
        compiled, owners = symexec.compile(counting, domains=[], config=config), [Thing(0), Thing(0)]
        for _ in range(20):
            assert list(compiled(owners[0], [1, 2, 3])) == list(counting(owners[1], [1, 2, 3]))
        assert owners[0].value == owners[1].value
        figures = symexec.stats(compiled)
        assert figures.traces <= 1 if install == "profitable" else figures.traces > 8
