"""`traceback.clear_frames` on what was raised inside the trace, and names of C functions: as `unittest` uses them."""

from __future__ import annotations

import traceback
import unittest

import symexec
from tests.hard.flavours import STRICT
from tests.support import arguments, assert_same

expect = unittest.TestCase().assertRaises


def compiled(function):
    return symexec.compile(function, config=STRICT)


def assert_captured(function, *calls) -> None:
    assert not symexec.stats(assert_same(function, *calls, transform=compiled)).breaks


def raising(number):
    return number / 0


def clearing(number):
    try:
        raising(number)
    except ZeroDivisionError as error:
        return traceback.clear_frames(error.__traceback__), error.args


def asserting(number):
    with expect(ZeroDivisionError) as context:
        raising(number)
    expect(ZeroDivisionError, raising, number)
    return type(context.exception), context.exception.args


def asserting_in_vain(number):
    try:
        with expect(ZeroDivisionError):
            number + 1
    except AssertionError as error:
        return error.args


def test_frames_of_ended_calls() -> None:
    assert_captured(clearing, lambda: arguments(1))
    assert_captured(asserting, lambda: arguments(1))
    assert_captured(asserting_in_vain, lambda: arguments(1))


def test_wrong_arguments_are_refused_as_always() -> None:
    def wrong(number):
        try:
            raising(number)
        except ZeroDivisionError as error:
            for given in ((), (error.__traceback__, 1), (1,)):
                try:
                    traceback.clear_frames(*given)
                except (TypeError, AttributeError) as other:
                    yield type(other), other.args

    assert_same(lambda number: list(wrong(number)), lambda: arguments(1), transform=compiled)


def test_suspended_frames_are_closed() -> None:
    def catching(number):
        try:
            raising(number)
        except ZeroDivisionError as error:
            found = error
        yield found
        yield "not reached, before Python 3.13"

    def run(number):
        generator = catching(number)
        found = next(generator)
        try:
            traceback.clear_frames(found.__traceback__)
        except RuntimeError as error:
            return error.args
        return list(generator)

    assert_same(run, lambda: arguments(1), transform=compiled)


def test_what_left_a_generator_and_was_raised_again() -> None:
    def catching(number):
        try:
            raising(number)
        except ZeroDivisionError as error:
            found = error
        yield found
        yield "more"

    def again(error):
        raise error

    def run(number):
        generator = catching(number)
        found = next(generator)
        try:
            again(found)
        except ZeroDivisionError as error:
            try:
                traceback.clear_frames(error.__traceback__)
            except RuntimeError as refused:
                return refused.args
        return list(generator)

    assert_same(run, lambda: arguments(1), transform=compiled)


def names(function, items):
    own = items.append
    return [len.__name__, function.__name__, items.append.__name__, own.__name__, str.upper.__name__, "".join.__name__,
            int.__add__.__name__, (1).__add__.__name__, dict.fromkeys.__name__]  # fmt: skip


def test_names_of_c_functions() -> None:
    existing = [1].index
    assert_captured(names, lambda: arguments(len, []), lambda: arguments(abs, []), lambda: arguments(len, []))
    assert_captured(names, lambda: arguments(existing, []), lambda: arguments([].count, []))
    assert_captured(names, lambda: arguments((1).__mul__, []), lambda: arguments(str.join, []))
