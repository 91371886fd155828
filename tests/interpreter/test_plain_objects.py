"""`object()` and `types.SimpleNamespace(...)` made in the trace."""

from __future__ import annotations

import types

import pytest

from tests.interpreter.captures import assert_captured, compiled
from tests.support import arguments, assert_same


def test_sentinels():
    def program(entries):
        missing = object()
        found = [entries.get(name, missing) for name in ("a", "b")]
        return [value is missing for value in found], missing is object(), isinstance(missing, object), type(missing)

    assert_captured(program, lambda: arguments({"a": 1}), lambda: arguments({"b": None}))


def test_sentinels_leave_the_trace():
    def program():
        first, second = object(), object()
        return first, {"again": first, "other": [second, second]}

    assert_captured(program)


def test_namespaces():
    def program(n):
        space = types.SimpleNamespace(a=n, b=[n])
        space.c = space.a + 1
        space.b.append(space)
        del space.a
        other = types.SimpleNamespace(**{"x": 1}, y=space)
        return hasattr(space, "a"), vars(other)["x"], other.__dict__, space, other.y is space

    assert_captured(program, lambda: arguments(3), lambda: arguments(3))


def test_namespaces_with_odd_names():
    def program():
        return types.SimpleNamespace(**{"a b": 1, "__class__": 2}).__dict__

    assert_same(program, arguments, arguments, transform=compiled)


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__doc__"])
def test_namespaces_with_names_that_mean_something(name):
    def program():
        space = types.SimpleNamespace(**{name: 2})
        return type(space.__class__), vars(space), getattr(space, name)

    assert_same(program, arguments, arguments, transform=compiled)


def test_attributes_that_plain_objects_cannot_have():
    def program():
        try:
            object().a = 1
        except AttributeError as error:
            first = error.args
        try:
            return types.SimpleNamespace(b=1).a
        except AttributeError as error:
            return first, error.args

    assert_same(program, arguments, arguments, transform=compiled)


def test_texts_and_comparisons():
    def program():
        first, second = types.SimpleNamespace(a=1), types.SimpleNamespace(a=1)
        return first == second, repr(first), first != object(), bool(first), bool(object()), object() == 3

    assert_same(program, arguments, arguments, transform=compiled)


def test_refused_arguments():
    def program(kind):
        try:
            return kind(1, 2)
        except TypeError as error:
            return error.args

    assert_same(program, lambda: arguments(object), lambda: arguments(types.SimpleNamespace), transform=compiled)
