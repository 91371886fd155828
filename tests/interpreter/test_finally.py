"""`finally`, `else`, and the name that an `except` clause binds."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers


def h1(x):
    if x:
        raise ValueError(x)
    return 0


def h2(x):
    try:
        return h1(x)
    except ValueError as e:
        raise KeyError(x) from e


def finally_raise(x):
    try:
        try:
            h1(x)
        finally:
            h2(x + 1)
    except KeyError as e:
        return chain(e)


def del_name(x):
    try:
        h1(x)
    except ValueError as e:
        e = 5
    try:
        return e  # noqa: F821
    except UnboundLocalError as u:
        return str(u)


def del_name2(x):
    try:
        h1(x)
    except ValueError as e:
        del e
    return x


def except_name_cell(x):
    try:
        h1(x)
    except ValueError as e:
        f = lambda: e  # noqa: F821
        r = f().args
    try:
        f()
    except NameError as n:
        return r, str(n), type(n), n.name


def else_clause(x):
    try:
        a = h1(x - x)
    except ValueError:
        a = "no"
    else:
        try:
            h1(x)
        except ValueError:
            a = "else"
    finally:
        b = a
    return b


PROGRAMS = [
    (finally_raise, [(3,), (0,), (2,), (3,)]),
    (del_name, [(3,), (0,), (2,), (3,)]),
    (del_name2, [(3,), (0,), (2,), (3,)]),
    (except_name_cell, [(3,), (0,), (2,), (3,)]),
    (else_clause, [(3,), (0,), (2,), (3,)]),
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
