"""Compiled generators driven in every way: what shows is what shows of the generator as written."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable

import pytest

import symexec
from tests.generators import subjects
from tests.generators.scripts import COMPILERS, NEXT, STRICT, scripts, transcript
from tests.generators.subjects import SUBJECTS, Subject


def operands() -> tuple[object, ...]:
    return 3.0, []


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.__name__)
def test_everything_at_every_suspension(subject: Subject) -> None:
    compiled = [compiler(subject) for compiler in COMPILERS]
    for script in scripts(4):
        expected = transcript(subject, script, operands)
        for function in compiled:
            assert transcript(function, script, operands) == expected, script
    assert symexec.stats(compiled[0]).operations and symexec.stats(compiled[2]).operations


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.__name__)
def test_traces_are_used(subject: Subject) -> None:
    """Once the ordinary course was traced nothing is asked for any longer."""
    compiled = COMPILERS[0](subject)
    script = [NEXT] * 8
    for _ in range(16):
        transcript(compiled, script, operands)
    before = symexec.stats(compiled)
    assert before.operations
    transcript(compiled, script, operands)
    after = symexec.stats(compiled)
    assert (before.traces, before.misses) == (after.traces, after.misses)


def test_the_kind_of_function_shows() -> None:
    for subject in (subjects.straight, subjects.accumulating, subjects.managed):
        compiled = COMPILERS[0](subject)
        for _ in range(3):
            assert inspect.isgeneratorfunction(compiled)
            generator = compiled(2.0, [])
            assert inspect.isgenerator(generator)
            assert inspect.getgeneratorstate(generator) == inspect.GEN_CREATED
            assert generator.__name__ == subject.__name__ and generator.__qualname__ == subject.__qualname__
            next(generator)
            assert inspect.getgeneratorstate(generator) == inspect.GEN_SUSPENDED
            generator.close()
            assert inspect.getgeneratorstate(generator) == inspect.GEN_CLOSED


def gone_through(function: Subject, *args: object) -> tuple[list[object], object]:
    """What a generator gives, and what it returns."""
    generator, given = function(*args), []
    while True:
        try:
            given.append(next(generator))
        except StopIteration as stop:
            return given, stop.value


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)
def test_recursion(compiler: Callable[[Subject], Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    tree: object = 1.0
    for _ in range(60):
        tree = (tree, 2.0)
    notes: tuple[list[object], list[object]] = ([], [])
    expected = gone_through(subjects.walking, tree, notes[0])
    compiled = compiler(subjects.walking)
    monkeypatch.setattr(subjects, "walking", compiled)
    for _ in range(4):
        notes[1].clear()
        assert gone_through(compiled, tree, notes[1]) == expected
        assert notes[0] == notes[1]
    assert symexec.stats(compiled).traces


def test_recursion_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def descending(x, note):
        y = x * 2 + 1
        yield y
        yield from subjects.walking(y - x, note)

    compiled = COMPILERS[0](descending)
    monkeypatch.setattr(subjects, "walking", compiled)
    for _ in range(3):
        with pytest.raises(RecursionError):
            list(compiled(1.0, None))


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)
def test_a_generator_that_resumes_itself(compiler: Callable[[Subject], Subject]) -> None:
    def run(function: Subject) -> tuple[list[object], list[object]]:
        note: list[object] = []
        generator = function(3.0, note)
        note.append(generator)
        return list(generator), note[1:]

    expected = run(subjects.resumed_by_itself)
    assert expected[1] == [("generator already executing",)]
    compiled = compiler(subjects.resumed_by_itself)
    for _ in range(5):
        assert run(compiled) == expected


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)
def test_delegating_to_compiled_generators(
    compiler: Callable[[Subject], Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {script: transcript(subjects.delegating, script, operands) for script in scripts(6)}
    compiled = compiler(subjects.delegating)
    monkeypatch.setattr(subjects, "straight", compiler(subjects.straight))
    monkeypatch.setattr(subjects, "guarded", compiler(subjects.guarded))
    for script, lines in expected.items():
        assert transcript(compiled, script, operands) == lines, script


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.__name__)
def test_an_exception_is_being_handled_outside(compiler: Callable[[Subject], Subject]) -> None:
    """What the caller handles shows inside as it does in plain Python, and is its own again outside."""

    def run(function: Subject) -> list[str]:
        try:
            raise ArithmeticError("outside")
        except ArithmeticError:
            return transcript(function, [NEXT] * 7, operands)

    for subject in (subjects.handling, subjects.guarded, subjects.failing, subjects.managed):
        expected, compiled = run(subject), compiler(subject)
        for _ in range(5):
            assert run(compiled) == expected


def test_a_context_manager_of_a_compiled_generator() -> None:
    def scope(x, note):
        y = x * 2 + 1
        note.append(y)
        try:
            yield y
            y = y * y + 1
        except LookupError as error:
            y = y * 3 - 1
            note.append(error.args)
        finally:
            y = y * 2 + 1
            note.append(y)

    def use(manager: Callable[..., contextlib.AbstractContextManager[object]]) -> list[object]:
        note: list[object] = []
        with manager(2.0, note) as value:
            note.append(value)
        with manager(3.0, note) as value:
            raise KeyError(value)
        try:
            with manager(4.0, note) as value:
                raise TypeError(value)
        except TypeError as error:
            note.append((error.args, error.__context__))
        return note

    expected = use(contextlib.contextmanager(scope))
    compiled = symexec.compile(scope, domains=["scalars"], config=STRICT)
    for _ in range(8):
        assert use(contextlib.contextmanager(compiled)) == expected
    assert symexec.stats(compiled).operations > 4


def test_suspensions_are_no_breaks() -> None:
    compiled = COMPILERS[0](subjects.straight)
    for _ in range(6):
        list(compiled(3.0, []))
    figures = symexec.stats(compiled)
    assert figures.breaks == () and figures.fallbacks == 0
    assert figures.traces == 4 and figures.operations == 7


def test_a_generator_function_cannot_be_traced_whole() -> None:
    with pytest.raises(symexec.ArgumentError, match="straight is a generator or coroutine function"):
        symexec.trace(subjects.straight)(3.0, [])
    with pytest.raises(symexec.ArgumentError, match="straight is a generator or coroutine function"):
        symexec.compile(subjects.straight, fullgraph=True)


def test_code_that_the_program_gives_to_a_function_stays() -> None:
    def other(x, note):
        yield "other"

    compiled = COMPILERS[0](subjects.straight)
    generators = [compiled(3.0, []) for _ in range(2)]
    next(generators[0])
    compiled.__code__ = other.__code__
    assert list(compiled(3.0, [])) == ["other"]
    assert list(generators[1]) == list(subjects.straight(3.0, []))
    assert compiled.__code__ is other.__code__ and list(compiled(3.0, [])) == ["other"]
