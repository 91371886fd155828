"""The five hardest cases, each on several calls, everything that shows compared with plain Python; and traces really
made and used: after the first calls no anchor asks for another, and graphs run as often as they should.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable

import pytest

import symexec
from tests.hard.flavours import NUMBERS, Counter, Flavour, every_flavour
from tests.support import Conditions, arguments, assert_same
from tests.support.run import Factory

Function = Callable[..., object]


def compare(flavour: Flavour, function: Function, *calls: Factory, conditions: Conditions = Conditions()) -> None:
    """The calls on the function as written, with operations inlined, and with a backend that is called."""
    for transform in (flavour.compile, flavour.compile_counted(Counter())):
        compiled = assert_same(function, *calls, transform=transform, conditions=conditions)
        assert symexec.stats(compiled).traces, "nothing was traced"


def run(compiled: Function, make: Factory) -> None:
    """One call, whatever comes of it."""
    args, kwargs = make()
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        compiled(*args, **kwargs)


def settle(flavour: Flavour, function: Function, *calls: Factory, warm: int = 4) -> tuple[symexec.Stats, list[int]]:
    """Warm up, then make the calls once more: nothing may be asked for any longer.

    Gives the statistics, and for each call how often a graph was run in it.
    """
    counter = Counter()
    compiled = flavour.compile_counted(counter)(function)
    for _ in range(warm):
        for make in calls:
            run(compiled, make)
    before = symexec.stats(compiled)
    counter.take()
    runs = []
    for make in calls:
        run(compiled, make)
        runs.append(counter.take())
    after = symexec.stats(compiled)
    assert (after.traces, after.misses) == (before.traces, before.misses), "an anchor still asks for traces"
    return after, runs


# -- 1: cells, free variables, nonlocal writes, a break in the middle -------------------------------------------------


def make_closure(start: object) -> tuple[Function, Function]:
    count, last, factor = 0, start, 3.0

    def closure(x, y):
        nonlocal count, last
        total = x + y
        count += 1

        def add(more):
            nonlocal total, last
            total = total * factor + more
            last = more
            return total

        first = add(x)
        symexec.graph_break()
        last = last - total
        second = total + x * factor + first
        total = second - last
        return total, first, add

    def look():
        return count, last, factor

    return closure, look


@every_flavour
def test_1_closure_with_a_break_in_the_middle(flavour: Flavour) -> None:
    closure, look = make_closure(flavour.operand(0.0, 0.0))
    calls = [lambda n=n: arguments(flavour.operand(1.0, n), flavour.operand(n, 2.0)) for n in (1.0, 2.0, 3.0, 4.0)]
    compare(flavour, closure, *calls, conditions=Conditions(watch=[look]))


@every_flavour
def test_1_the_second_call_hits_the_traces(flavour: Flavour) -> None:
    closure, look = make_closure(flavour.operand(0.0, 0.0))
    counter = Counter()
    compiled = flavour.compile_counted(counter)(closure)
    x, y = flavour.operand(1.0, 2.0), flavour.operand(3.0, 4.0)
    for _ in range(2):
        compiled(x, y)
    counter.take()
    before = symexec.stats(compiled)
    compiled(x, y)
    after = symexec.stats(compiled)
    # To the array domain `count` is a constant of each trace, to the scalar domain one more input.
    assert after.misses == before.misses + (flavour is not NUMBERS)
    figures, runs = settle(flavour, make_steady(x)[0], lambda: arguments(x, y))
    assert runs == [2]
    assert figures.traces == 2
    assert figures.misses == 2


def make_steady(start: object) -> tuple[Function, Function]:
    """The same without the count."""
    last, factor = start, 3.0

    def steady(x, y):
        nonlocal last
        total = x + y

        def add(more):
            nonlocal total, last
            total = total * factor + more
            last = more
            return total

        first = add(x)
        symexec.graph_break()
        last = last - total
        second = total + x * factor + first
        total = second - last
        return total, first, add

    def look():
        return last

    return steady, look


# -- 2: a break in a loop in a `with` in a `try` ----------------------------------------------------------------------


class Manager:
    def __init__(self, swallow: bool = False) -> None:
        self.events: list[object] = []
        self.swallow = swallow
        self.total = 0.0

    def __enter__(self):
        self.events.append("enter")
        return self

    def __exit__(self, kind, error, traceback):
        self.events.append("exit" if kind is None else ("exit", kind.__name__, str(error)))
        return self.swallow


def loop(items, manager, x):
    try:
        with manager as entered:
            for item in items:
                print("item")
                x = x / item + x
                entered.total = x
    except (ValueError, ZeroDivisionError) as error:
        manager.events.append((type(error).__name__, error.args, error.__traceback__.tb_lineno))
        x = x - 1.0
    finally:
        manager.events.append("finally")
    return x


def quiet(items, manager, x):
    with manager as entered:
        for item in items:
            symexec.graph_break()
            x = x / item + x
            entered.total = entered.total + x
    return x


@every_flavour
def test_2_loop_in_with_in_try(flavour: Flavour) -> None:
    def call(*values: float, swallow: bool = False, misfit_at: int | None = None) -> Factory:
        def make():
            items = [flavour.operand(value, value) for value in values]
            if misfit_at is not None:
                items[misfit_at] = flavour.misfit()
            return arguments(items, Manager(swallow), flavour.operand(1.0, 2.0))

        return make

    good = call(1.0, 2.0, 3.0, 4.0, 5.0)
    compare(flavour, loop, good, good, good, call(1.0, 2.0, 3.0, misfit_at=1), good, call(), call(7.0))
    compare(flavour, loop, *[call(1.0, 2.0, 3.0, misfit_at=2)] * 4)
    compare(flavour, loop, *[call(1.0, 2.0, 3.0, misfit_at=0, swallow=True)] * 4)


@every_flavour
def test_2_later_iterations_run_the_trace_that_starts_after_the_break(flavour: Flavour) -> None:
    def good():
        return arguments([flavour.operand(float(n), 1.0) for n in range(1, 8)], Manager(), flavour.operand(1.0, 2.0))

    figures, runs = settle(flavour, loop, good)
    assert runs == [7]
    counter = Counter()
    compiled = flavour.compile_counted(counter)(loop)
    taken = []
    for _ in range(5):
        run(compiled, good)
        taken.append(counter.take())
    # A trace serves from the next call on: the frame in which it was made goes on with the code that it has.
    assert taken[0] == 0
    assert taken[-2:] == [7, 7]
    assert all(reason.where.line is not None for reason in figures.breaks)


@every_flavour
def test_2_exit_runs_once(flavour: Flavour) -> None:
    compiled = flavour.compile(loop)
    for _ in range(4):
        manager = Manager()
        with contextlib.redirect_stdout(io.StringIO()):
            compiled([flavour.operand(1.0, 2.0)] * 3, manager, flavour.operand(1.0, 2.0))
        assert manager.events == ["enter", "exit", "finally"]
    for _ in range(4):
        manager = Manager()
        with contextlib.redirect_stdout(io.StringIO()):
            compiled([flavour.operand(1.0, 2.0), flavour.misfit()], manager, flavour.operand(1.0, 2.0))
        assert [event if isinstance(event, str) else event[0] for event in manager.events] == [
            "enter",
            "exit",
            "ValueError" if flavour.name == "numpy" else "ZeroDivisionError",
            "finally",
        ]
    assert symexec.stats(compiled).traces


@every_flavour
def test_2_an_exception_in_the_traced_part_leaves_the_loop(flavour: Flavour) -> None:
    def call(*values: float, misfit: bool) -> Factory:
        def make():
            items = [flavour.operand(value, value) for value in values]
            return arguments([*items, flavour.misfit()] if misfit else items, Manager(), flavour.operand(1.0, 2.0))

        return make

    good, bad = call(1.0, 2.0, 3.0, misfit=False), call(1.0, 2.0, misfit=True)
    compare(flavour, quiet, good, good, good, bad, bad, good)
    compiled = flavour.compile(quiet)
    for make in (good, good, good, bad, bad):
        run(compiled, make)
    assert symexec.stats(compiled).fallbacks == 2 if flavour.name == "scalars" else True


# -- 3: parameters that are cells, unbound cells, locals that come and go ---------------------------------------------


def parameter_and_cell(x, y=2.0, *rest, z, **named):
    def look():
        return x, y, rest, z

    first = x * y + z
    x = first + y
    symexec.graph_break()
    second = x * z - first
    z = second
    symexec.graph_break()
    x = x + z * second
    return look, x, second, named


def unbound_cell(x, late):
    def read():
        return kept

    y = x * 2.0 + 1.0
    symexec.graph_break()
    z = y * y - x
    if late:
        kept = z
        symexec.graph_break()
        y = y + kept * 2.0
        del kept
        symexec.graph_break()
    y = y * z + x
    try:
        return read(), y
    except NameError as error:
        return str(error), y


def deleted_and_bound_again(x, how):
    a = x * 2.0
    b = a + x
    del a
    symexec.graph_break()
    if how:
        a = b * b
        c = a + b
    else:
        c = b - x
    symexec.graph_break()
    b = c * 2.0 + x
    del c
    symexec.graph_break()
    b = b * x + 1.0
    return same(a), b


def same(value):
    """Keeps loads apart: 3.11 and 3.12 fuse two that follow each other, and then report the first one's columns."""
    return value


def loop_variable_left(values, x):
    for value in values:
        x = x + value * value
        symexec.graph_break()
        x = x * 2.0 - value
        del value
    return x, same(value)  # noqa: F821


@every_flavour
def test_3_a_parameter_that_is_also_a_cell(flavour: Flavour) -> None:
    def call(n: float) -> Factory:
        return lambda: arguments(
            flavour.operand(n, 1.0), flavour.operand(2.0, n), n, z=flavour.operand(n, n), extra=flavour.operand(n)
        )

    def short() -> object:
        return arguments(flavour.operand(1.0, 2.0), z=flavour.operand(3.0, 4.0))

    conditions = Conditions(drive=lambda result: (result[0](), result))
    compare(flavour, parameter_and_cell, *map(call, (1.0, 2.0, 1.0, 2.0)), conditions=conditions)
    compare(flavour, parameter_and_cell, *[short] * 4, conditions=conditions)
    _, runs = settle(flavour, parameter_and_cell, short)
    assert runs == [3]


@every_flavour
def test_3_an_unbound_cell_at_the_anchor(flavour: Flavour) -> None:
    calls = [lambda late=late: arguments(flavour.operand(1.0, 2.0), late) for late in (False, True, False, True) * 2]
    compare(flavour, unbound_cell, *calls)
    _, runs = settle(flavour, unbound_cell, *calls[:2])
    assert all(number >= 2 for number in runs)


@every_flavour
def test_3_a_local_deleted_and_bound_again(flavour: Flavour) -> None:
    calls = [lambda how=how: arguments(flavour.operand(1.0, 2.0), how) for how in (True, False, True, False, True)]
    compare(flavour, deleted_and_bound_again, *calls)
    _, runs = settle(flavour, deleted_and_bound_again, *calls[:2])
    assert runs == [4, 4]


@every_flavour
def test_3_a_loop_variable_deleted_in_its_loop(flavour: Flavour) -> None:
    def call() -> object:
        return arguments([flavour.operand(n, 1.0) for n in (1.0, 2.0, 3.0)], flavour.operand(1.0, 2.0))

    compare(flavour, loop_variable_left, *[call] * 4)
    settle(flavour, loop_variable_left, call)


# -- 4: locals() after a trace ----------------------------------------------------------------------------------------


def look_at_locals(x, y):
    def keep():
        return held

    before = x * y
    gone = before + x
    held = gone - y
    del gone
    symexec.graph_break()
    shown = dict(locals())
    after = before * held + x
    before = [after, x]
    again = sorted(locals())
    shown.pop("keep")
    return shown, again, after


def look_in_loop(values, x):
    found = []
    for index, value in enumerate(values):
        y = x * value
        x = y + value
        if index == 1:
            extra = y
        found.append(sorted(locals()))
        found.append({name: entry for name, entry in locals().items() if name not in ("found", "values")})
    return found, x


def look_by_eval(x, y):
    a = x * y + 1.0
    b = a - y
    symexec.graph_break()
    c = eval("a + b")
    d = c * b
    exec("a = 1")
    return a, b, c, d, dir()


def look_at_vars(x, y):
    a = (x + y) * x
    symexec.graph_break()
    b = a * y
    del a
    return vars(), b


@every_flavour
@pytest.mark.parametrize("function", [look_at_locals, look_by_eval, look_at_vars], ids=lambda value: value.__name__)
def test_4_locals_after_a_trace(flavour: Flavour, function: Function) -> None:
    calls = [lambda n=n: arguments(flavour.operand(1.0, n), flavour.operand(n, 2.0)) for n in (1.0, 2.0, 1.0, 2.0)]
    compare(flavour, function, *calls)
    settle(flavour, function, *calls[:2])


@every_flavour
def test_4_locals_in_a_loop(flavour: Flavour) -> None:
    def call() -> object:
        return arguments([flavour.operand(n, 1.0) for n in (1.0, 2.0, 3.0)], flavour.operand(1.0, 2.0))

    assert_same(look_in_loop, *[call] * 4, transform=flavour.compile)


@every_flavour
def test_4_locals_by_a_frame_that_is_looked_at_from_outside(flavour: Flavour) -> None:
    seen: list[dict[str, object]] = []

    def look() -> None:
        import sys

        seen.append({name: entry for name, entry in sys._getframe(1).f_locals.items() if name != "watched"})

    def watched(x, y):
        a = x * y
        b = a + x
        look()
        c = b * a
        del a
        look()
        return c * y - b

    calls = [lambda n=n: arguments(flavour.operand(1.0, n), flavour.operand(n, 2.0)) for n in (1.0, 2.0, 1.0, 2.0)]
    compare(flavour, watched, *calls)


# -- 5: an operation that raises inside the graph ---------------------------------------------------------------------


def raise_late(x, y, log):
    log.append("begun")
    first = x * 2.0
    log.append(first)
    second = first / y + (
        x
        / y
    )  # fmt: skip
    log.append(second)
    return second - first


def raise_inside_helper(x, y, log):
    log.append("begun")
    return divide(x * 2.0, y) + x


def divide(x, y):
    z = x + 1.0
    return z / y


def handle(x, y, log):
    try:
        z = x * 2.0
        log.append(z)
        z = z / y
    except (ValueError, ZeroDivisionError) as error:
        log.append(error.args)
        log.append(repr(error.__context__))
        z = x
    else:
        log.append("fine")
    finally:
        log.append("finally")
    return z + 1.0


def raise_while_handling(x, y, log):
    before = x * 2.0 + x
    try:
        raise KeyError("outer")
    except KeyError:
        log.append(before)
        return (x + 1.0) / y


def raise_after_break(x, y, log):
    z = x * 2.0
    log.append(z)
    symexec.graph_break()
    log.append("after")
    z = z + 1.0
    log.append(z)
    z = z / y
    log.append(z)
    return z


RAISING = [raise_late, raise_inside_helper, handle, raise_while_handling, raise_after_break]


@every_flavour
@pytest.mark.parametrize("function", RAISING, ids=lambda function: function.__name__)
@pytest.mark.parametrize("handling", [None, lambda: LookupError("being handled")], ids=["alone", "in an except block"])
def test_5_an_operation_that_raises_inside_the_graph(
    flavour: Flavour, function: Function, handling: Callable[[], BaseException] | None
) -> None:
    def good() -> object:
        return arguments(flavour.operand(1.0, 2.0), flavour.operand(3.0, 4.0), [])

    def bad() -> object:
        return arguments(flavour.operand(1.0, 2.0), flavour.misfit(), [])

    conditions = Conditions(handling=handling)
    compare(flavour, function, good, good, bad, bad, good, bad, conditions=conditions)
    compare(flavour, function, bad, bad, bad, good, good, good, conditions=conditions)


@every_flavour
def test_5_a_failing_operation_falls_back(flavour: Flavour) -> None:
    compiled = flavour.compile(raise_late)
    good = (flavour.operand(1.0, 2.0), flavour.operand(3.0, 4.0))
    bad = (flavour.operand(1.0, 2.0), 0.0 if flavour is NUMBERS else flavour.operand(0.0, 0.0))
    for _ in range(2):
        compiled(*good, [])
    assert symexec.stats(compiled).fallbacks == 0
    if flavour is NUMBERS:
        for number in range(1, 4):
            log: list[object] = []
            with pytest.raises(ZeroDivisionError):
                compiled(*bad, log)
            assert log == ["begun", 6.0]
            assert symexec.stats(compiled).fallbacks == number
    assert symexec.stats(compiled).traces == 1
