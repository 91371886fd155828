"""Functions that the program makes again at each call: a trace takes any with the same code, and what else tells them
apart (globals, defaults, cells, whose cells they are) is looked at.
"""

from __future__ import annotations

import types
from collections.abc import Callable

import symexec
from tests.hard.flavours import NUMBERS
from tests.support import Conditions, arguments, assert_same

Function = Callable[..., object]
SCALE = 2.0


def settled(function: Function, *calls: Callable[[], object], conditions: Conditions = Conditions()) -> symexec.Stats:
    """The same as plain Python, and no anchor asks for more after the first two rounds of calls."""
    assert_same(function, *calls * 3, transform=NUMBERS.compile, conditions=conditions)
    compiled = NUMBERS.compile(function)
    for _ in range(2):
        for make in calls:
            args, kwargs = make()
            compiled(*args, **kwargs)
    before = symexec.stats(compiled)
    for make in calls:
        args, kwargs = make()
        compiled(*args, **kwargs)
    after = symexec.stats(compiled)
    assert after.misses == before.misses
    assert after.traces
    return after


def called_on_both_sides_of_a_break(x, y):
    total = x + y

    def add(more):
        nonlocal total
        total = total * 3.0 + more
        return total

    first = add(x)
    symexec.graph_break()
    second = add(y) - first
    symexec.graph_break()
    return add(second), total, add


def test_an_inner_function_called_before_and_after_breaks() -> None:
    figures = settled(called_on_both_sides_of_a_break, lambda: arguments(1.0, 2.0), lambda: arguments(3.0, 4.0))
    assert figures.traces == 3


def apply(function, x):
    return function(x) * 2.0 + function(x + 1.0)


def test_lambdas_as_arguments() -> None:
    figures = settled(apply, *[lambda n=n: arguments(lambda v: v * n + SCALE, 3.0) for n in (1.0, 2.0, 4.0)])
    assert (figures.traces, figures.misses) == (1, 1)


def test_functions_that_differ_in_defaults() -> None:
    def make(by, plus):
        def scaled(v, by=by, *, plus=plus):
            return v * by + plus

        return scaled

    figures = settled(
        apply,
        lambda: arguments(make(2.0, 0.5), 3.0),
        lambda: arguments(make(3.0, 0.25), 3.0),
        lambda: arguments(make(4, 1), 3),
    )
    assert figures.traces <= 3


def test_functions_that_differ_in_their_globals() -> None:
    def scaled(v):
        return v * SCALE

    elsewhere = types.FunctionType(scaled.__code__, {"SCALE": 5.0, "__builtins__": __builtins__}, "scaled")
    assert_same(
        apply,
        *[lambda: arguments(scaled, 3.0), lambda: arguments(elsewhere, 3.0)] * 3,
        transform=NUMBERS.compile,
    )


def test_a_disabled_copy_is_left_alone() -> None:
    def scaled(v):
        return v * SCALE

    compiled = NUMBERS.compile(apply)
    for _ in range(3):
        assert compiled(scaled, 3.0) == 20.0
    assert symexec.stats(compiled).breaks == ()
    disabled = symexec.disable(scaled)
    assert disabled.__code__ is scaled.__code__
    for _ in range(3):
        assert compiled(disabled, 3.0) == 20.0
    assert {reason.code for reason in symexec.stats(compiled).breaks} == {"SX2004"}


def whose_cell(function, x):
    count = x

    def own():
        nonlocal count
        count = count + 1.0
        return count

    symexec.graph_break()
    used = own if function is None else function
    first = used() * 2.0
    second = own() + used() - count
    return first, second, count, own


def test_a_function_of_another_call_has_cells_of_its_own() -> None:
    older: list[Function] = []

    def remembering(x, from_before):
        result = whose_cell(older[-1] if from_before else None, x)
        older.append(result[-1])
        return result[:-1]

    plain = [remembering(1.0, before) for before in (False, False, True, True, False, True)]
    older.clear()
    compiled = NUMBERS.compile(whose_cell)
    found = []
    for before in (False, False, True, True, False, True):
        result = compiled(older[-1] if before else None, 1.0)
        older.append(result[-1])
        found.append(result[:-1])
    assert found == plain
    assert symexec.stats(compiled).traces >= 2


def two_functions(first, second, x):
    return first(x) - second(x), first is second


def test_two_of_them_may_be_one() -> None:
    def make(by):
        return lambda v: v * by

    def same() -> object:
        function = make(2.0)
        return arguments(function, function, 3.0)

    def different() -> object:
        return arguments(make(2.0), make(5.0), 3.0)

    settled(two_functions, same, different, same, different)


def test_a_function_whose_code_was_replaced() -> None:
    def scaled(v):
        return v * 2.0

    def shifted(v):
        return v + 2.0

    compiled = NUMBERS.compile(apply)
    for _ in range(3):
        assert compiled(scaled, 3.0) == 20.0
    scaled.__code__ = shifted.__code__
    for _ in range(3):
        assert compiled(scaled, 3.0) == 16.0


def test_a_compiled_function_made_anew_is_inlined_as_it_was_written() -> None:
    def scaled(v):
        return v * 2.0 + 1.0

    inner = NUMBERS.compile(scaled)
    figures = settled(apply, lambda: arguments(inner, 3.0))
    assert figures.breaks == ()
