"""Objects of the program die by reference counts alone, as in plain Python, also after a call that was traced."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator

import pytest

import symexec

STRICT = symexec.Config(strict=True)


class Thing:
    def __init__(self, value: float) -> None:
        self.value = value
        self.things: list[object] = []


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def whole(thing, x):
    return thing.value * x + 1.0


def broken(thing, x):
    y = thing.value * x
    symexec.graph_break()
    return y + thing.value


def writing(thing, x):
    thing.things.append(x * 2.0)
    thing.other = [thing.value - x]
    return thing.value + x


def looping(thing, x):
    for value in [thing, thing]:
        x = x + value.value
        symexec.graph_break()
        x = x * value.value - 1.0
    return x


def raising(thing, x):
    y = x + thing.value
    return y / (thing.value - thing.value) + y


def made(thing, x):
    class_of = Thing(x * 2.0)
    class_of.things.append(thing)
    return class_of.value + thing.value


FUNCTIONS = [whole, broken, writing, looping, raising, made]


def released(call: Callable[[Thing], object]) -> bool:
    """Whether the thing given to `call` is gone once the call has ended and nobody else refers to it."""
    thing = Thing(2.5)
    reference = weakref.ref(thing)
    try:
        call(thing)
    except ZeroDivisionError:
        pass
    del thing
    return reference() is None


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_arguments_of_a_compiled_function_die_after_each_call(function: Callable[..., object]) -> None:
    compiled = symexec.compile(function, domains=["scalars"], config=STRICT)
    assert [released(lambda thing: compiled(thing, 4.0)) for _ in range(5)] == [True] * 5
    assert symexec.stats(compiled).traces


def test_arguments_die_when_tracing_was_refused() -> None:
    compiled = symexec.compile(broken, domains=["scalars"], fullgraph=True)

    def refused(thing: Thing) -> None:
        with pytest.raises(symexec.GraphBreakError):
            compiled(thing, 4.0)

    assert released(refused)

    def not_traced(thing: Thing) -> None:
        with pytest.raises(symexec.GraphBreakError):
            symexec.trace(broken)(thing, 4.0)

    assert released(not_traced)


def test_a_captured_call_keeps_its_arguments_no_longer_than_it_lives() -> None:
    def captured(thing: Thing) -> None:
        assert symexec.trace(whole)(thing, 4.0)(thing, 4.0) == 11.0

    assert released(captured)


def test_a_compiled_function_and_what_it_closes_over_die_with_their_last_reference() -> None:
    def make() -> tuple[weakref.ref[Thing], weakref.ref[Callable[..., object]]]:
        thing = Thing(2.5)

        def closing(x):
            y = thing.value * x
            symexec.graph_break()
            return y + thing.value

        compiled = symexec.compile(closing, domains=["scalars"], config=STRICT)
        for _ in range(3):
            assert compiled(4.0) == 12.5
        assert symexec.stats(compiled).traces == 2
        return weakref.ref(thing), weakref.ref(compiled)

    thing, compiled = make()
    assert compiled() is None
    assert thing() is None


def test_a_class_that_was_used_by_traces_dies_when_the_program_drops_it() -> None:
    def make() -> tuple[weakref.ref[type], Callable[..., object]]:
        class Local:
            factor = 2.0

            def scaled(self, x):
                return x * self.factor

        def using(owner, x):
            return owner.scaled(x) + owner.factor

        compiled = symexec.compile(using, domains=["scalars"], config=STRICT)
        for _ in range(3):
            assert compiled(Local(), 4.0) == 10.0
        assert symexec.stats(compiled).traces == 1
        return weakref.ref(Local), compiled

    reference, compiled = make()
    gc.collect()  # a class is part of cycles of its own
    assert reference() is None
    assert symexec.stats(compiled).traces == 1
