"""Methods in compiled code: traces with effects are really taken, and existing objects are what they are reached by."""

from __future__ import annotations

import sys

import symexec


class Counter:
    def __init__(self):
        self.count = 0

    def bump(self):
        self.count = self.count + 1
        return self.count

    @classmethod
    def same(cls, value=0):
        return value


def frames_of(function, *args):
    """The names of the Python functions that a call runs."""
    names = []

    def note(frame, event, argument):
        if event == "call":
            names.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return names


def test_a_method_with_effects_is_inlined_and_committed():
    def function(counter):
        return counter.bump()

    compiled = symexec.compile(function, config=symexec.Config(install="always"))
    assert [compiled(Counter()), compiled(Counter())] == [1, 1]
    assert frames_of(function, Counter()) == ["function", "bump"]
    counter = Counter()
    assert frames_of(compiled, counter) == ["function"]
    assert counter.count == 1


def test_two_ways_that_reached_one_object_while_tracing():
    """Small integers are shared: a default and an argument that were the same object need not be so again."""

    def function(counter, x):
        return [counter.same(x), counter.same()]

    compiled = symexec.compile(function, config=symexec.Config(install="always"))
    counter = Counter()
    assert [compiled(counter, x) for x in (0, 0, 1, 2, 0)] == [[0, 0], [0, 0], [1, 0], [2, 0], [0, 0]]


def test_bound_c_methods_are_what_python_makes():
    def function(items):
        append = items.append
        return append

    compiled = symexec.compile(function, config=symexec.Config(install="always"))
    for items in ([], [1]):
        append = compiled(items)
        assert type(append) is type([].append)
        append(5)
        assert items[-1] == 5
