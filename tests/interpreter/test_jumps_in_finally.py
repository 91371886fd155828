"""`return`, `break` and `continue` in `finally` clauses: they swallow what is raised."""

from __future__ import annotations

import warnings

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import check_same, inside_handlers

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)
    from tests.interpreter.jumps_in_finally import (
        finally_break,
        finally_continue,
        finally_return,
        finally_return_print,
        yield_finally_return,
    )

PROGRAMS = [
    (finally_return, [(3,), (0,), (2,), (3,)]),
    (finally_break, [(3,), (0,), (2,), (3,)]),
    (finally_continue, [(3,), (0,), (2,), (3,)]),
    (finally_return_print, [(3,), (0,), (2,), (3,)]),
    (yield_finally_return, [([],)]),
]
NAMES = {"ids": lambda value: getattr(value, "__name__", "")}


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_give_the_same(program, calls):
    check_same(program, calls)
    check_same(program, calls, inside_handlers())


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_with_breaks_give_the_same(program, calls):
    for variant in broken_variants(program):
        check_same(variant, calls)
