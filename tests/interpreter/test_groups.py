"""Exception groups: split, matched by `except*`, put together again."""

from __future__ import annotations

import pytest

from tests.interpreter.programs import check_same, check_whole


def described(e):
    if isinstance(e, BaseExceptionGroup):
        return (type(e).__name__, e.message, [described(x) for x in e.exceptions], getattr(e, "__notes__", None))
    return (type(e).__name__, e.args)


def split_by_two_clauses():
    out = []
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [ValueError(3), TypeError(4)])])
    except* ValueError as e:
        out.append(described(e))
    except* (KeyError, TypeError) as e:
        out.append(described(e))
    return out


def rest_goes_on():
    out = []
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError as e:
            out.append(described(e))
    except ExceptionGroup as e:
        out.append(described(e))
    return out


def plain_exception_is_wrapped():
    out = []
    try:
        raise ValueError(5)
    except* ValueError as e:
        out.append(described(e))
    return out


def raised_again_and_anew():
    out = []
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2), TypeError(3)])
        except* ValueError as e:
            raise
        except* KeyError as e:
            raise RuntimeError("new")
    except ExceptionGroup as e:
        out.append(described(e))
    return out


def split_by_methods():
    g = ExceptionGroup("g", [ValueError(1), KeyError(2)])
    g.add_note("nn")
    m, r = g.split(ValueError)
    return described(m), described(r), described(g.subgroup(lambda e: isinstance(e, KeyError))), g.subgroup(TypeError)


def plain_exception_that_nothing_matches():
    try:
        try:
            raise ValueError(1)
        except* TypeError:
            pass
    except ValueError as e:
        return described(e)


def groups_must_not_be_caught():
    try:
        try:
            raise ValueError(1)
        except* ExceptionGroup:
            pass
    except TypeError as e:
        return str(e)


def base_group():
    try:
        raise BaseExceptionGroup("b", [KeyboardInterrupt(1), ValueError(2)])
    except* ValueError as e:
        a = described(e)
    except* KeyboardInterrupt as e:
        b = described(e)
    return a, b


def group_leaves():
    raise ExceptionGroup("g", [ValueError(1), KeyError(2)])


def rest_leaves():
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* ValueError:
        pass


def raised_in_a_clause():
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            1 / 0
    except ExceptionGroup as e:
        return described(e), type(e.exceptions[0].__context__).__name__, e.__context__ is None


class Derived(ExceptionGroup):
    def derive(self, excs):
        return Derived(self.message, excs)


def group_with_derive():
    try:
        raise Derived("x", [ValueError(1), TypeError(2)])
    except* ValueError as e:
        a = type(e)
    except* TypeError as e:
        b = described(e)
    return a, b


WHOLE = [
    (split_by_two_clauses, [()]),
    (rest_goes_on, [()]),
    (plain_exception_is_wrapped, [()]),
    (raised_again_and_anew, [()]),
    (split_by_methods, [()]),
    (plain_exception_that_nothing_matches, [()]),
    (groups_must_not_be_caught, [()]),
    (base_group, [()]),
    (raised_in_a_clause, [()]),
]
PARTLY = [
    (group_leaves, [()]),
    (rest_leaves, [()]),
    (group_with_derive, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
