"""Exception groups: contexts, notes, what is raised in clauses, subgroups."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import check_same, group_of, inside_handlers, outcome


def eg():
    return ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [ValueError(3), TypeError(4)])])


def group_contexts(x):
    r = []
    try:
        try:
            raise KeyError("ctx")
        except KeyError:
            raise eg() from TypeError("cause")
    except* ValueError as e:
        r.append(group_of(e))
    except* (KeyError, TypeError) as e:
        r.append(group_of(e))
    return r


def group_notes(x):
    r = []
    g = eg()
    g.add_note("n1")
    g.exceptions[0].add_note("leaf")
    try:
        try:
            raise g
        except* ValueError as e:
            e.add_note("added")
            r.append(group_of(e))
            r.append(e.exceptions[0].__notes__)
    except ExceptionGroup as e:
        r.append(group_of(e))
    r.append(group_of(g))
    return r


def group_raise_in(x):
    r = []

    def f():
        try:
            raise eg()
        except* ValueError as e:
            raise TypeError("new") from e

    def g():
        try:
            raise eg()
        except* ValueError as e:
            raise e

    def h():
        try:
            raise eg()
        except* ValueError as e:
            raise
        except* KeyError:
            pass

    def i():
        try:
            raise eg()
        except* (ValueError, KeyError, TypeError) as e:
            raise ExceptionGroup("n", [KeyError(9)])

    def j():
        try:
            raise ValueError(5)
        except* ValueError:
            raise

    def k():
        try:
            raise ValueError(5)
        except* ValueError as e:
            raise e.exceptions[0]

    def l():
        try:
            raise ValueError(5)
        except* KeyError:
            raise TypeError(1)
        finally:
            r.append("fin")

    for q in (f, g, h, i, j, k, l):
        r.append(outcome(q))
    return r


def group_nested_star(x):
    r = []
    try:
        try:
            raise eg()
        except* ValueError as e:
            try:
                raise ExceptionGroup("inner", [KeyError(7)])
            except* KeyError as k:
                r.append(group_of(k))
    except* KeyError as e:
        r.append(group_of(e))
    except* TypeError as e:
        r.append(group_of(e))
    else:
        r.append("else")
    return r


def group_else(x):
    r = []
    try:
        r.append(1)
    except* ValueError:
        r.append("no")
    else:
        r.append("else")
    finally:
        r.append("fin")
    return r


def group_subgroup(x):
    g = eg()
    return [
        group_of(g.subgroup(ValueError)),
        group_of(g.subgroup((KeyError, TypeError))),
        group_of(g.subgroup(lambda e: True)),
        g.subgroup(lambda e: True) is g,
        group_of(g.subgroup(lambda e: False)),
        [group_of(q) for q in g.split(lambda e: isinstance(e, ExceptionGroup) and e.message == "h")],
        g.split(ExceptionGroup)[0] is g,
        group_of(g.derive([KeyError(1)])),
    ]


def group_wrong(x):
    return [
        outcome(lambda: ExceptionGroup("m", [])),
        outcome(lambda: ExceptionGroup("m", [5])),
        outcome(lambda: ExceptionGroup("m")),
        outcome(lambda: ExceptionGroup(5, [KeyError(1)])),
        outcome(lambda: ExceptionGroup("m", [KeyboardInterrupt()])),
        outcome(lambda: type(BaseExceptionGroup("m", [KeyError()])).__name__),
        outcome(lambda: eg().subgroup(5)),
        outcome(lambda: eg().split((5,))),
    ]


def group_raising_test(x):
    def t(e):
        raise KeyError("test")

    return outcome(lambda: eg().split(t)), outcome(lambda: eg().subgroup(t))


class EG2(ExceptionGroup):
    def __new__(cls, m, e, code):
        self = super().__new__(cls, m, e)
        self.code = code
        return self

    def derive(self, e):
        return EG2(self.message, e, self.code)


def group_user(x):
    r = []
    try:
        raise EG2("m", [KeyError(1), ValueError(2)], 7)
    except* KeyError as e:
        r.append((group_of(e), e.code))
    except* ValueError as e:
        r.append((group_of(e), e.code))
    return r


def group_leave(x):
    try:
        raise eg()
    except* ValueError:
        pass


def group_leave2(x):
    try:
        raise eg()
    except* ValueError as e:
        raise TypeError("t") from e


def group_break(x):
    r = []
    for i in range(3):
        try:
            if i == x:
                raise eg()
            if i == 1:
                raise KeyError(i)
        except* ValueError as e:
            r.append(("v", group_of(e)))
        except* LookupError as e:
            r.append(("k", group_of(e)))
        except* TypeError as e:
            r.append(("t", group_of(e)))
    return r


PROGRAMS = [
    (group_contexts, [(3,), (0,), (2,), (3,)]),
    (group_notes, [(3,), (0,), (2,), (3,)]),
    (group_raise_in, [(3,), (0,), (2,), (3,)]),
    (group_nested_star, [(3,), (0,), (2,), (3,)]),
    (group_else, [(3,), (0,), (2,), (3,)]),
    (group_subgroup, [(3,), (0,), (2,), (3,)]),
    (group_wrong, [(3,), (0,), (2,), (3,)]),
    (group_raising_test, [(3,), (0,), (2,), (3,)]),
    (group_user, [(3,), (0,), (2,), (3,)]),
    (group_leave, [(3,), (0,), (2,), (3,)]),
    (group_leave2, [(3,), (0,), (2,), (3,)]),
    (group_break, [(3,), (0,), (2,), (3,)]),
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
