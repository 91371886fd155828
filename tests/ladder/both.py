"""The ladder's one way of testing: a program as written and compiled, side by side, over the same calls, repeated.

It is compiled twice: with numbers as constants under guards, and with numbers as values of the graph.  It does not know
what the programs are about.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
from collections.abc import Callable, Sequence

import symexec
from tests.support import Conditions, arguments, assert_same
from tests.support.run import Arguments, Factory

STRICT = symexec.Config(install="always", strict=True)
ROUNDS = 3  # traces are made in the first calls and used in later ones; behind a break it takes one call more
ROUNDS_OF_NUMBERS = 2
ROUNDS_OF_TABLES = 2

Program = Callable[..., object]
Call = tuple[object, ...] | Factory  # positional arguments, copied for each call; or what makes fresh `arguments(...)`
Test = Callable[[], None]


class NotCapturedError(AssertionError):
    """The program does what it should, but tracing broke."""


def same(*calls: Call, conditions: Conditions = Conditions()) -> Callable[[Program], Test]:
    """Makes a program a test: its `calls`, several times over, show the same as written and compiled."""

    def make_test(program: Program) -> Test:
        def test() -> None:
            check(program, *calls, conditions=conditions)

        return named_after(program, test)

    return make_test


def captured(*calls: Call, conditions: Conditions = Conditions()) -> Callable[[Program], Test]:
    """Makes a program a test: as `same`, and every call runs in one trace from entry to return, without a break."""

    def make_test(program: Program) -> Test:
        def test() -> None:
            check(program, *calls, conditions=conditions)
            check_captured(program, factories_of(calls))

        return named_after(program, test)

    return make_test


def named_after(program: Program, test: Test) -> Test:
    test.__name__ = program.__name__
    test.__module__ = program.__module__
    test.__doc__ = program.__doc__
    return test


def check(program: Program, *calls: Call, graph_numbers: bool = True, conditions: Conditions = Conditions()) -> None:
    """Make `calls`, several times over, on `program` as written and compiled: everything that shows must be equal.

    Without `graph_numbers` numbers are constants only: for tables, where it is other operands that matter.
    """
    factories = factories_of(calls)
    plain = ((), ROUNDS if graph_numbers else ROUNDS_OF_TABLES)
    for domains, rounds in [plain, (("scalars",), ROUNDS_OF_NUMBERS)][: 1 + graph_numbers]:
        transform = functools.partial(symexec.compile, config=STRICT, domains=domains)
        assert_same(program, *factories * rounds, transform=transform, conditions=conditions)


def check_captured(program: Program, factories: Sequence[Factory]) -> None:
    """No call breaks, and there is at most one trace for each of the calls."""
    compiled = symexec.compile(program, config=STRICT, domains=())
    for make in [*factories] * ROUNDS:
        positional, keywords = make()
        with contextlib.redirect_stdout(io.StringIO()):
            compiled(*positional, **keywords)
    stats = symexec.stats(compiled)
    if stats.breaks:
        raise NotCapturedError("; ".join(f"{each.code} at {each.where}: {each.why}" for each in stats.breaks))
    if not 1 <= stats.traces <= len(factories):
        raise NotCapturedError(f"{stats.traces} traces for {len(factories)} calls")


def factories_of(calls: Sequence[Call]) -> list[Factory]:
    return [call if callable(call) else functools.partial(copied, call) for call in calls or [()]]


def copied(positional: tuple[object, ...]) -> Arguments:
    return arguments(*copy.deepcopy(positional))
