"""Functions that compute annotations (3.14): they look names up in the class first, then as any function does."""

from __future__ import annotations

import pytest

from symexec.bytecode import features
from tests.interpreter.captures import assert_captured, compiled
from tests.support.same import arguments, assert_same

pytestmark = pytest.mark.skipif(not features.HAS_LAZY_ANNOTATIONS, reason="annotations are computed at once")

SOURCE = '''
limit = "global"

def function():
    cell = "cell"

    class Annotated:
        own = "own"
        a: own
        b: limit
        c: cell
        d: len

    class Shadowing:
        cell = limit = "class"
        a: cell
        b: limit

    class Missing:
        a: nowhere

    return Annotated, Shadowing, Missing

def plain(x: limit, y: len = 1) -> None:
    return x

Annotated, Shadowing, Missing = function()

def compute(cls):
    return cls.__annotate__(1)

def compute_plain():
    return plain.__annotate__(1)
'''


@pytest.fixture(scope="module")
def names():
    namespace = {"__name__": "scopes"}
    exec(compile(SOURCE, "<scopes>", "exec", dont_inherit=True), namespace)
    return namespace


@pytest.mark.parametrize("name", ["Annotated", "Shadowing"])
def test_annotations_of_classes(names, name):
    annotate = names[name].__annotate__
    assert_captured(annotate, lambda: arguments(1))
    assert_same(names["compute"], lambda: arguments(names[name]), transform=compiled)


def test_annotations_of_functions(names):
    assert_captured(names["plain"].__annotate__, lambda: arguments(1))
    assert_same(names["compute_plain"], transform=compiled)


def test_names_that_are_not_there(names):
    assert_same(names["Missing"].__annotate__, lambda: arguments(1), lambda: arguments(2), transform=compiled)
