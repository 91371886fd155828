"""`assert_same`: a function as written and transformed, side by side, over the same calls.

Everything that shows must be equal: results (type, structure, identity relations), exceptions (arguments, notes,
chain, traceback positions), changes of arguments, globals, cells and classes, output, warnings and their order.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Sequence

from tests.support.run import Arguments, Conditions, Factory, Program, Record, program_of, run_calls
from tests.support.state import take_snapshot

Transformer = Callable[..., Callable[..., object]]

SHOWN_LINES = 120  # of a difference
SHOWN_CHARACTERS = 400  # of a line


def arguments(*positional: object, **keywords: object) -> Arguments:
    """The arguments of one call, for the factories that `assert_same` takes."""
    return positional, keywords


def default_transformer(function: Callable[..., object]) -> Callable[..., object]:
    return importlib.import_module("symexec").compile(function)


def assert_same(
    function: Callable[..., object],
    *calls: Factory,
    transform: Transformer = default_transformer,
    conditions: Conditions = Conditions(),
) -> Callable[..., object]:
    """Run `calls` on `function` and on `transform(function)`, both from the same state, and compare all that shows.

    Each call is a zero-argument factory that makes fresh `(args, kwargs)`; `arguments` builds them.  A single one is
    called twice, none means two calls without arguments.  Globals, cells, classes and whatever else the function can
    reach are put back before the second side runs, and after it.  Returns the transformed function.
    """
    factories = calls * 2 if len(calls) == 1 else calls or (arguments, arguments)
    program = program_of(function, factories, conditions)
    snapshot = take_snapshot(program.reach)
    start = state_lines(program)
    try:
        expected = run_calls(program, function, factories)
        put_back(program, snapshot.restore, start, "running the function as written")
        transformed = transform(function)
        check_unchanged(program, start, "the transformer itself changed the program's state")
        found = run_calls(program, transformed, factories)
        difference = first_difference(expected, found)
        if difference is not None:
            put_back(program, snapshot.restore, start, "running the transformed function")
            again = first_difference(expected, run_calls(program, function, factories))
            raise AssertionError(report(function, difference, is_stable=again is None))
    finally:
        snapshot.restore()
    return transformed


def state_lines(program: Program) -> list[str]:
    describer = program.describer()
    program.describe_state(describer)
    return describer.lines


def put_back(program: Program, restore: Callable[[], None], start: list[str], after: str) -> None:
    restore()
    check_unchanged(program, start, f"the state could not be put back after {after}")


def check_unchanged(program: Program, start: list[str], complaint: str) -> None:
    now = state_lines(program)
    if now != start:
        raise AssertionError(f"{complaint}:\n{difference_text(start, now, 'before', 'after')}")


def first_difference(expected: Record, found: Record) -> str | None:
    """The difference in the first call that shows one, or `None`."""
    for index, (left, right) in enumerate(zip(expected.calls, found.calls, strict=True)):
        if left != right:
            return f"call {index}:\n{difference_text(left, right, 'as written', 'transformed')}"
    if expected.end != found.end:
        return f"what the calls share:\n{difference_text(expected.end, found.end, 'as written', 'transformed')}"
    return None


def difference_text(left: Sequence[str], right: Sequence[str], left_name: str, right_name: str) -> str:
    lines = list(difflib.unified_diff(left, right, left_name, right_name, n=2, lineterm=""))
    more = [f"... and {len(lines) - SHOWN_LINES} lines more"] if len(lines) > SHOWN_LINES else []
    return "\n".join([*(line[:SHOWN_CHARACTERS] for line in lines[:SHOWN_LINES]), *more])


def report(function: object, difference: str, *, is_stable: bool) -> str:
    name = getattr(function, "__qualname__", repr(function))
    doubt = "" if is_stable else "\n(but the function as written does not agree with itself in two runs)"
    return f"{name} differs in {difference}{doubt}"
