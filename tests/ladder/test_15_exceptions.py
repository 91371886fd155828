"""Raising and handling: every form of `raise`, chaining, notes, classes of the user's, nested handlers, `assert`.

PYTEST_DONT_REWRITE: its asserts are parts of programs.
"""

from __future__ import annotations

import sys
import traceback

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

NOT_YET = {
    "test_user_exception_steers": "SX1001: LOAD_BUILD_CLASS: class bodies and module code run as written",
}

HANDLING = Conditions(handling=lambda: LookupError("of the caller"))
journal: list[object] = []


class AppError(Exception):
    def __init__(self, code, *, detail=None):
        super().__init__(f"code {code}")
        self.code = code
        self.detail = detail

    def __str__(self):
        return f"app error {self.code}"


class RetryError(AppError):
    retries = 3


class Silent(Exception):
    def __init__(self, *args):
        pass  # args are set by __new__


@captured((1,), (0,), (None,))
def test_caught_in_the_same_function(x):
    log = []
    try:
        log.append("try")
        log.append(10 // x)
    except ZeroDivisionError:
        log.append("zero")
    except (TypeError, ValueError) as error:
        log.append(error.args)
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log


FORMS = {
    "class": lambda x: AppError,
    "instance": lambda x: ValueError("text", x),
    "without_arguments": lambda x: KeyError(),
    "own_init": lambda x: AppError(x, detail=[x]),
    "subclass": lambda x: RetryError(x),
    "silent": lambda x: Silent(x, "kept"),
    "no_exception": lambda x: x,
    "class_without_exception": lambda x: dict,
    "none": lambda x: None,
    "builtin_class": lambda x: ZeroDivisionError,
    "stop_iteration": lambda x: StopIteration(x),
    "key_error": lambda x: KeyError(x),
    "os_error": lambda x: OSError(2, "no file", "name"),
    "unicode_error": lambda x: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    "system_exit": lambda x: SystemExit(x),
    "interrupt": lambda x: KeyboardInterrupt(),
    "own_base": lambda x: type("Own", (BaseException,), {"__module__": __name__})(x),
}


@pytest.mark.parametrize("name", FORMS)
def test_raise(name):
    make = FORMS[name]

    def caught(x):
        log = [x]
        try:
            log.append("before")
            raise make(x)
        except Exception as error:
            log.append((type(error), error.args, str(error), vars(error) if hasattr(error, "__dict__") else None))
        finally:
            journal.append(len(log))
        return log

    def leaves(x):
        journal.append(x)
        print("raising", x)
        raise make(x)

    check(caught, (1,), ("k",))
    check(leaves, (1,), ("k",))
    check(leaves, (1,), conditions=HANDLING)


CHAINS = {
    "implicit": lambda e: ValueError("second"),
    "from_it": None,
    "same": lambda e: e,
}


@same((0,), (1,), (0,))
def test_chaining(x):
    try:
        try:
            return 1 // x
        except ZeroDivisionError as error:
            error.add_note("seen")
            raise AppError(x) from error
    except AppError as outer:
        journal.append(outer.__cause__)
        if outer.__cause__.__notes__ == ["seen"]:
            raise RuntimeError("third") from None


@same((0,), (1,))
def test_implicit_context(x):
    try:
        1 // x
    except ZeroDivisionError:
        try:
            [][x]
        except IndexError as inner:
            first = inner.__context__
            try:
                raise KeyError("k")
            except KeyError as innermost:
                return first, innermost.__context__ is inner, innermost, sys.exc_info()[1] is innermost
    return "no error"


@same((0,), (1,), ("s",), conditions=HANDLING)
def test_context_of_the_caller(x):
    log = [str(sys.exc_info()[1])]
    try:
        log.append(1 // x)
    except ZeroDivisionError as error:
        log.append(error.__context__)
    log.append(str(sys.exc_info()[1]))
    return log, 1 // x


@same((0,), (5,), conditions=HANDLING)
def test_bare_raise(x):
    log = []
    try:
        try:
            1 // x
        except ZeroDivisionError as error:
            error.args = ("changed", x)
            raise
    except ZeroDivisionError as error:
        log.append((error.args, error.__context__))
    try:
        raise
    except LookupError as error:
        log.append(error.args)
    return log


@same((1,), (2,))
def test_bare_raise_without_an_exception(x):
    log = [x]
    try:
        raise
    except RuntimeError as error:
        log.append(error.args)
    raise


@same((AppError,), (RetryError,), (ValueError,), (KeyError,))
def test_handlers_are_tried_in_order(kind):
    log = []
    for handlers in ((RetryError, AppError), (ValueError, (KeyError, RetryError)), (Exception, AppError)):
        try:
            try:
                raise kind("x")
            except handlers[0] as error:
                log.append(("first", error))
            except handlers[1]:
                log.append("second")
        except BaseException as error:
            log.append(("none", error.args))
    return log


@same((0,), (1,))
def test_handler_expressions_are_evaluated_only_if_needed(x):
    log = []

    def see(kind):
        log.append(kind.__name__)
        return kind

    try:
        log.append(1 // x)
    except see(ValueError):
        log.append("no")
    except (see(KeyError), see(ArithmeticError)):
        log.append("yes")
    except see(Exception):
        log.append("never")
    return log


@same((0,), (1,))
def test_handler_that_is_no_class(x):
    log = []
    try:
        try:
            log.append(1 // x)
        except "text":
            log.append("never")
    except TypeError as error:
        log.append((error.args, error.__context__))
    return log


@same((0,), (1,))
def test_name_is_unbound_after_the_handler(x):
    error = "outer"
    log = []
    try:
        log.append(1 // x)
    except ZeroDivisionError as error:
        log.append(str(error))
        error = "rebound"
    try:
        log.append(error)
    except UnboundLocalError as unbound:
        log.append(unbound.args)
    return log


@same((0,), (1,))
def test_name_deleted_in_the_handler(x):
    try:
        return 1 // x
    except ZeroDivisionError as error:
        kept = [error]
        del error
    return kept


@same((0,), (2,))
def test_exception_outlives_its_handler(x):
    saved = None
    try:
        journal.append(x)
        1 // x
    except ZeroDivisionError as error:
        saved = error
        journal.append(error)
    if saved is not None:
        saved.add_note("later")
        saved.extra = [x]
        raise saved
    return saved


@same(([5, 0, "x"],), ([0, 0],), ([],))
def test_errors_are_collected_and_raised_later(items):
    errors = []
    for item in items:
        try:
            journal.append(10 // item)
        except Exception as error:
            error.add_note(f"at {len(errors)}")
            errors.append(error)
    if len(errors) > 1:
        errors[1].__cause__ = errors[0]
        raise errors[1]
    return errors


@same((1,), (0,), ("",))
def test_asserts(x):
    log = []
    try:
        assert x, f"no {x!r}"
        assert x == 1, log.append("evaluated") or ("tuple", x)
        log.append("passed")
    except AssertionError as error:
        log.append((error.args, error.__traceback__ is not None))
    print(log)
    assert x, [x]
    assert len(log) == 1
    return log


@same((1,), (2,))
def test_assert_without_a_message(x):
    total = [x]
    total.append(2)
    assert x < 2
    return total


@same((0,), (3,))
def test_nested_functions_raise_and_catch(x):
    log = []

    def low(value):
        log.append("low")
        return 1 // value

    def middle(value):
        try:
            return low(value)
        except ZeroDivisionError as error:
            log.append("middle")
            raise AppError(value, detail=error) from error
        finally:
            log.append("cleanup")

    def high(value):
        try:
            return middle(value)
        except AppError as error:
            return error.code, error.detail.args, error.__cause__ is error.detail

    return high(x), log, low(x)


@captured(([1, 2], 5), ([1, 2], 0), ([], -1))
def test_index_error_is_a_normal_answer(items, at):
    try:
        return items[at]
    except IndexError:
        return "none"


@captured(({"a": 1}, "a"), ({"a": 1}, "b"), ({}, "c"))
def test_key_error_is_a_normal_answer(table, key):
    try:
        value = table[key]
    except KeyError as error:
        return "missing", error.args
    return value


@captured((["1", "x", "3"],), (["", "7"],), ([],))
def test_conversion_errors_in_a_loop(texts):
    numbers, bad = [], []
    for text in texts:
        try:
            numbers.append(int(text))
        except ValueError:
            bad.append(text)
    return numbers, bad


@captured((3,), (12,), (-1,))
def test_user_exception_steers(n):
    class TooBig(Exception):
        pass

    def check(value):
        if value > 10:
            raise TooBig
        if value < 0:
            raise AppError(value, detail="negative")
        return value

    try:
        return check(n) + 1
    except TooBig:
        return "too big"
    except AppError as error:
        return error.code, error.detail, str(error)


@same((1,), (0,))
def test_exception_in_a_handler_and_in_finally(x):
    log = []
    try:
        try:
            try:
                log.append(1 // x)
                raise AppError("one")
            except AppError:
                log.append("handling")
                {}["two"]
            finally:
                log.append("inner finally")
                log.append([][5])
        finally:
            log.append("outer finally")
    except IndexError as error:
        log.append((error.__context__, error.__context__.__context__))
    return log


@same((AppError(1),), (ValueError("v"),))
def test_exception_as_argument(error):
    error.add_note("given")
    try:
        raise error
    except Exception as caught:
        assert caught is error
    raise error.with_traceback(None) from KeyError("cause")


@same(({"a": 1},), ({},))
def test_formatted_traceback(table):
    try:
        return table["a"]
    except KeyError as error:
        lines = traceback.format_exception_only(error)
        entry = traceback.extract_tb(error.__traceback__)[-1]
        return lines, entry.name, entry.line


class Uncooperative(Exception):
    def __new__(cls, *args):
        if args == ("other",):
            return ValueError("of another class")
        if args == ("none",):
            return None
        return super().__new__(cls, *args)

    def __init__(self, *args):
        if args == ("fail",):
            raise KeyError("in init")


@same(("fine",), ("other",), ("none",), ("fail",))
def test_making_the_exception_fails(how):
    log = ["start"]
    try:
        raise Uncooperative(how)
    except Exception as error:
        log.append((type(error), error.args))
    print(log)
    raise Uncooperative(how)


@same((1,), (2,))
def test_cause_of_a_wrong_kind(x):
    for cause in (KeyError, KeyError(x), None, x, "text"):
        try:
            raise AppError(x) from cause
        except (AppError, TypeError) as error:
            journal.append((error, error.__cause__, error.__suppress_context__))
    return len(journal)


@same((0,), (1,))
def test_attributes_of_errors(x):
    log = []
    for action in (
        lambda: x.nothing, lambda: {}[x], lambda: nowhere, lambda: __import__("no_module_of_this_name"),
        lambda: int("z"), lambda: next(iter([])), lambda: open("/nowhere/at/all"),
    ):  # fmt: skip
        try:
            action()
        except Exception as error:
            log.append((error, getattr(error, "name", None), getattr(error, "value", None)))
    return log


@same((0,), (5,))
def test_context_cycle_is_broken(x):
    first, second = ValueError("first"), ValueError("second")
    try:
        try:
            raise first
        except ValueError:
            raise second
    except ValueError:
        try:
            raise first
        except ValueError as error:
            return error.__context__ is second, second.__context__, first.__context__
