"""Exception groups, `except*`, notes."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

NOT_YET = {
    "test_notes": "SX2116: the arguments of a builtin function do not fit, or are not interpreted",
}

journal: list[object] = []


class OwnGroup(ExceptionGroup):
    def derive(self, errors):
        journal.append(len(errors))
        return OwnGroup("derived", errors)


GROUPS = {
    "flat": lambda: ExceptionGroup("flat", [ValueError(1), TypeError(2), KeyError(3)]),
    "nested": lambda: ExceptionGroup("outer", [ValueError(1), ExceptionGroup("inner", [TypeError(2), ValueError(3)])]),
    "one_kind": lambda: ExceptionGroup("same", [ValueError(1), ValueError(2)]),
    "other": lambda: ExceptionGroup("other", [KeyError(1)]),
    "bare": lambda: ValueError("bare"),
    "bare_other": lambda: KeyError("bare"),
    "base": lambda: BaseExceptionGroup("base", [KeyboardInterrupt(), ValueError(1)]),
    "own": lambda: OwnGroup("own", [TypeError(1), ValueError(2)]),
    "none": lambda: None,
}


@pytest.mark.parametrize("name", GROUPS)
def test_except_star(name):
    make = GROUPS[name]

    def program(x):
        log = []
        error = make()
        try:
            try:
                log.append("try")
                if error is not None:
                    error.add_note(f"note {x}")
                    raise error
            except* ValueError as group:
                log.append(("values", group, group.exceptions))
            except* (TypeError, OSError) as group:
                log.append(("types", group))
                journal.append(x)
            else:
                log.append("else")
            finally:
                log.append("finally")
        except BaseException as rest:
            log.append(("rest", rest))
        return log

    check(program, (1,), (2,))


@pytest.mark.parametrize("name", ["flat", "nested", "bare", "own", "base"])
def test_rest_leaves(name):
    make = GROUPS[name]

    def program(x):
        journal.append(x)
        try:
            raise make()
        except* ValueError:
            journal.append("handled")

    check(program, (1,), (2,))
    check(program, (1,), conditions=Conditions(handling=lambda: OSError("of the caller")))


@same((1,), (2,))
def test_handlers_raise(x):
    try:
        raise ExceptionGroup("g", [ValueError(x), TypeError(x), KeyError(x)])
    except* ValueError as group:
        journal.append("values")
        raise RuntimeError("from values") from group
    except* TypeError:
        journal.append("types")
        raise
    finally:
        journal.append("finally")


@same((1,), (0,))
def test_split_subgroup_derive(x):
    group = ExceptionGroup("g", [ValueError(x), ExceptionGroup("h", [TypeError(x), KeyError(x)])])
    matched, rest = group.split(TypeError)
    found = group.subgroup(lambda error: isinstance(error, (KeyError, ExceptionGroup)))
    none = group.subgroup(OSError)
    return matched, rest, found, none, group.derive([KeyError(1)]), group.message, group.exceptions, str(group)


@same(("text", []), ("text", [1]), (1, [ValueError()]), ("text", [KeyboardInterrupt()]), ("text", 5))
def test_groups_that_cannot_be_made(message, errors):
    log = []
    for kind in (ExceptionGroup, BaseExceptionGroup):
        try:
            log.append(kind(message, errors))
        except (TypeError, ValueError) as error:
            log.append(error.args)
    return log


@same(([1, 0, "x", 5],), ([1],), ([0, 0],))
def test_collected_errors(items):
    errors, results = [], []
    for item in items:
        try:
            results.append(10 // item)
        except Exception as error:
            errors.append(error)
    try:
        if errors:
            raise ExceptionGroup(f"{len(errors)} failed", errors)
    except* ZeroDivisionError as group:
        results.append(len(group.exceptions))
    except* TypeError as group:
        results.append([str(error) for error in group.exceptions])
    return results


@same(([1, 0],), ([0],), ([3],))
def test_loops_and_except_star(items):
    log = []
    for item in items:
        try:
            log.append(6 // item)
            if item > 2:
                raise ExceptionGroup("big", [ValueError(item)])
        except* ZeroDivisionError as group:
            log.append(group.exceptions[0].args)
        except* ValueError:
            log.append("big")
        else:
            log.append("else")
    return log


@same((1,), (2,))
def test_nested_except_star(x):
    log = []
    try:
        try:
            raise ExceptionGroup("g", [ValueError(x), TypeError(x)])
        except* ValueError:
            try:
                raise ExceptionGroup("in handler", [KeyError(x), OSError(x)])
            except* KeyError:
                log.append("key")
    except* TypeError:
        log.append("type")
    except* OSError as group:
        log.append(group)
    return log


@captured((1,), (0,))
def test_notes(x):
    error = ValueError(x)
    error.add_note("first")
    error.add_note(f"second {x}")
    log = [list(error.__notes__)]
    try:
        error.add_note(5)
    except TypeError as wrong:
        log.append(wrong.args)
    return log


@same((0,), (1,))
def test_notes_added_on_the_way(x):
    try:
        try:
            journal.append(x)
            1 // x
        except ZeroDivisionError as error:
            error.add_note("inner")
            raise
    except ZeroDivisionError as error:
        error.__notes__.append("outer")
        raise


@same((1,), (2,))
def test_notes_that_are_no_list(x):
    error = ValueError(x)
    error.__notes__ = ("tuple",)
    try:
        error.add_note("more")
    except TypeError as wrong:
        return wrong.args, error
    return error


WRONG = """
def program(x):
    try:
        raise ValueError(x)
    except* ExceptionGroup:
        pass
"""


@pytest.mark.parametrize(
    "source", [WRONG, WRONG.replace("ExceptionGroup", "x"), WRONG.replace("ExceptionGroup", "(ValueError, x)")]
)
def test_except_star_of_a_wrong_kind(source):
    namespace: dict[str, object] = {"__name__": __name__}
    exec(compile(source, __file__, "exec"), namespace)
    check(namespace["program"], (1,), ("s",))
