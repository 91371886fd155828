"""What is raised and handled: contexts, causes, what is being handled, exceptions of the user's."""

from __future__ import annotations

import sys

import pytest

from tests.interpreter.programs import check_same, check_whole


def contexts_in_a_chain():
    out = []
    try:
        try:
            try:
                raise ValueError(1)
            finally:
                raise KeyError(2)
        except KeyError as e:
            out.append(type(e.__context__))
            raise TypeError(3) from None
    except TypeError as e:
        out += [e.__cause__, type(e.__context__), type(e.__context__.__context__), e.__suppress_context__]
    return out


def raised_twice():
    e1 = ValueError(1)
    try:
        try:
            raise e1
        except ValueError:
            raise e1
    except ValueError as e:
        return e is e1, e.__context__ is None


def context_cycle_is_cut():
    a = ValueError("a")
    b = ValueError("b")
    try:
        try:
            try:
                raise a
            except ValueError:
                raise b
        except ValueError:
            raise a
    except ValueError as e:
        return e is a, e.__context__ is b, b.__context__


def handled_where_nothing_is(x):
    e = sys.exception()
    return e is None, sys.exc_info()


def handled_inside_a_call():
    try:
        raise KeyError("z")
    except KeyError:
        return handled_where_nothing_is(1)[0], type(sys.exc_info()[1]), sys.exc_info()[2] is None


def saved_in_a_loop():
    for i in range(3):
        try:
            if i == 1:
                raise ValueError(i)
        except ValueError as e:
            saved = e
    return saved.args


def break_after_a_handler(lst):
    try:
        lst.append(1)
        raise ValueError("x")
    except ValueError:
        lst.append(2)
    lst.append(3)
    print("break")
    return lst


def break_in_a_handler(lst):
    try:
        lst.append(1)
        raise ValueError("x")
    except ValueError:
        print("in handler", lst)
        lst.append(2)
    return lst


def operating_system_error():
    try:
        raise OSError(2, "x")
    except FileNotFoundError as e:
        return e.errno, e.args


def finally_overrides_return():
    def inner():
        try:
            return 1
        finally:
            raise ValueError

    try:
        inner()
    except ValueError:
        return "ok"


def break_and_finally():
    while True:
        try:
            raise ValueError
        except ValueError:
            break
        finally:
            x = 5
    return x


def wrong_cause():
    try:
        raise ValueError from 5
    except TypeError as e:
        return str(e)


def wrong_exception():
    try:
        raise 5
    except TypeError as e:
        return str(e)


def wrong_class_to_catch():
    try:
        try:
            raise ValueError
        except 5:
            pass
    except TypeError as e:
        return str(e), type(e.__context__)


class Keyed(Exception):
    def __str__(self):
        return "custom!"

    def __init__(self, *, k=3):
        self.k = k


def init_with_keywords():
    try:
        raise Keyed(k=5)
    except Keyed as e:
        return e.k, e.args


def text_of_the_users():
    try:
        raise Keyed
    except Keyed as e:
        return e.k, str(e), f"{e}", [e.args]


def missing_attribute(x):
    try:
        return x.nope
    except AttributeError as e:
        return e.name, str(e)


WHOLE = [
    (contexts_in_a_chain, [()]),
    (raised_twice, [()]),
    (context_cycle_is_cut, [()]),
    (handled_where_nothing_is, [(1,)]),
    (handled_inside_a_call, [()]),
    (saved_in_a_loop, [()]),
    (finally_overrides_return, [()]),
    (break_and_finally, [()]),
    (wrong_cause, [()]),
    (wrong_exception, [()]),
    (wrong_class_to_catch, [()]),
    (init_with_keywords, [()]),
    (missing_attribute, [(3,)]),
]
PARTLY = [
    (break_after_a_handler, [([],)]),
    (break_in_a_handler, [([],)]),
    (operating_system_error, [()]),
    (text_of_the_users, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
