"""Programs that are run both ways, and how they are captured: what the tests of whole programs share."""

from __future__ import annotations

import copy
import itertools

import symexec
from symexec.config import Config
from tests.support import Conditions, arguments, assert_same

ALWAYS = Config(strict=True, install="always")


def compile_always(function):
    return symexec.compile(function, config=ALWAYS)


def check_same(program, calls, conditions=Conditions()):
    """The program gives the same both ways, for the calls in this order; a single one is made twice."""
    factories = [lambda call=call: arguments(*copy.deepcopy(call)) for call in calls]
    assert_same(program, *factories, transform=compile_always, conditions=conditions)


def check_whole(program, calls):
    """Each call is one trace from the entry to the return."""
    for call in calls:
        compiled = compile_always(program)
        compiled(*copy.deepcopy(call))
        stats = symexec.stats(compiled)
        assert stats.breaks == ()
        assert stats.traces == 1


def inside_handlers():
    """Calls are made where an exception is being handled, of one class and of another in turn."""
    errors = itertools.cycle([KeyError, LookupError])
    return Conditions(handling=lambda: next(errors)("outside"))


def chain(error):
    """What is known of an exception and of its contexts, at most six of them."""
    found = []
    while error is not None and len(found) < 6:
        cause = type(error.__cause__).__name__
        found.append((type(error).__name__, error.args, error.__suppress_context__, cause))
        error = error.__context__
    return found


def group_of(error):
    """What is known of an exception group, `None` if there is none; of a plain exception its class and arguments."""
    if error is None:
        return None
    if not isinstance(error, BaseExceptionGroup):
        return type(error).__name__, error.args
    members = [group_of(member) for member in error.exceptions]
    notes = getattr(error, "__notes__", None)
    links = chain(error.__context__), chain(error.__cause__), error.__traceback__ is None
    return type(error).__name__, error.message, members, notes, links


def outcome(function):
    """What the function gives, or what is known of what it raises."""
    try:
        return function()
    except BaseExceptionGroup as error:
        return group_of(error)
    except BaseException as error:
        return chain(error)
