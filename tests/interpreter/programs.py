"""Programs that are run both ways, and how they are captured: what the tests of whole programs share."""

from __future__ import annotations

import copy

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
