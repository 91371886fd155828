"""A trace may start where a dead variable still holds something, give it a value and delete it: it is deleted then."""

from __future__ import annotations

import gc
import sys
import weakref

import symexec
from tests.generators.scripts import STRICT

SEEN: list[object] = []


class Thing:
    pass


def look() -> None:
    frame = sys._getframe(1)
    SEEN.append(sorted(frame.f_locals))
    thing = SEEN[0]
    SEEN.append(isinstance(thing, weakref.ref) and thing() is None)


def deleting(x):
    held = Thing()
    SEEN.append(weakref.ref(held))
    symexec.graph_break()
    held = None
    y = x * 2 + 1
    y = y * y - x
    del held
    look()
    return y


def test_a_variable_that_a_trace_deletes_is_deleted() -> None:
    compiled = symexec.compile(deleting, domains=["scalars"], config=STRICT)
    for function in (deleting, *[compiled] * 6):
        SEEN.clear()
        assert function(3.0) == 46.0
        gc.collect()
        assert SEEN[1:] == [["x", "y"], True]
    assert symexec.stats(compiled).operations == 4
