"""`attrgetter`, `itemgetter`, `methodcaller` and `partial`, existing and made in the trace, called and handed out."""

from __future__ import annotations

import functools  # for the expressions
import operator
from functools import partial

import pytest

import symexec
from tests.support import arguments, assert_same


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def moved(self, by, *, twice=False):
        return self.x + by * (2 if twice else 1), self.y

    @property
    def far(self):
        return Point(self.x * 10, self.y * 10)

    def __getattr__(self, name):
        return name


class Plain:
    def __init__(self, x, inner=None):
        self.x, self.inner = x, inner


def scaled(factor, value, *, plus=0):
    return factor * value + plus


GET_X = operator.attrgetter("x")
GET_DEEP = operator.attrgetter("inner.x", "x")
GET_FIRST = operator.itemgetter(0)
GET_SOME = operator.itemgetter("a", "b")
GET_SLICE = operator.itemgetter(slice(1, None))
MOVED = operator.methodcaller("get", "a", 5)
SPLIT = operator.methodcaller("split", sep=",")
DOUBLE = partial(scaled, 2, plus=1)
NAMES = {**globals(), "functools": functools}

CAPTURED = {
    "made attrgetter": "operator.attrgetter('x')(p)",
    "made dotted attrgetter": "operator.attrgetter('inner.x', 'x')(p)",
    "existing attrgetter": "GET_X(p), GET_DEEP(p)",
    "existing itemgetter": "GET_FIRST(xs), GET_SOME(d), GET_SLICE(xs)",
    "made itemgetter": "operator.itemgetter(1, 0)(xs), operator.itemgetter('a')(d)",
    "existing methodcaller": "MOVED(d), SPLIT('a,b')",
    "made methodcaller": "operator.methodcaller('get', 'z', xs)(d)",
    "sorted by": "sorted([(2, 'a'), (1, 'b')], key=operator.itemgetter(0)), sorted([p], key=GET_X) == [p]",
    "mapped": "list(map(operator.attrgetter('x'), [p, p]))",
    "existing partial": "DOUBLE(3), DOUBLE(3, plus=4)",
    "made partial": "partial(scaled, 3)(4), partial(scaled, plus=1)(2, 3), partial(scaled, 3, plus=1)(4, plus=2)",
    "partial of partial": "partial(partial(scaled, 3), plus=1)(4)",
    "partial of lambda": "partial(lambda *a, **k: (a, k), 1, b=2)(3, c=4)",
    "parts of a partial": "(lambda q: (q.func is scaled, q.args))(partial(scaled, 3, plus=1))",
    "types": "type(partial(scaled)), type(operator.itemgetter(1))",
    "reduce": "functools.reduce(partial(lambda k, a, b: a + b * k, 2), xs)",
}


def function_of(expression):
    return eval(f"lambda p, xs, d: ({expression})", NAMES)


def inputs():
    return arguments(Plain(1, Plain(2)), [5, 6, 7], {"a": 1, "b": 2})


@pytest.mark.parametrize("expression", CAPTURED.values(), ids=CAPTURED)
def test_they_are_called_in_the_trace(expression):
    compiled = assert_same(function_of(expression), inputs)
    assert [str(reason) for reason in symexec.stats(compiled).breaks] == []


@pytest.mark.parametrize(
    "expression",
    [
        "operator.attrgetter('none')(p)", "operator.attrgetter('x')(p, p)", "operator.attrgetter()",
        "operator.attrgetter(5)", "operator.itemgetter(9)(xs)", "operator.itemgetter('z')(d)",
        "operator.itemgetter()", "operator.methodcaller(1)", "operator.methodcaller('pop')(p)", "partial()",
        "partial(5)", "partial(scaled)()", "partial(scaled, 1).keywords", "partial(scaled, 1).other",
        "operator.itemgetter(0).other", "operator.attrgetter('far.x')(Point(1, 2))",
        "operator.attrgetter('nothing')(Point(1, 2))", "operator.methodcaller('moved', 1, twice=True)(Point(1, 2))",
        "GET_X(*xs)", "DOUBLE()",
    ],
)  # fmt: skip
def test_what_else_they_do_is_pythons(expression):
    assert_same(function_of(expression), inputs)


@pytest.mark.parametrize(
    ("expression", "use"),
    [
        ("partial(scaled, xs[0], plus=1)", lambda made: (made(2), made.args, made.keywords, made.func is scaled)),
        ("partial(scaled, 2)", lambda made: made(3)),
        ("operator.itemgetter(1)", lambda made: made("abc")),
        ("operator.attrgetter('x', 'inner.x')", lambda made: made(Plain(1, Plain(2)))),
        ("operator.methodcaller('split', sep=',')", lambda made: made("a,b")),
    ],
)
def test_they_are_handed_out(expression, use):
    compiled = symexec.compile(function_of(expression))
    for _ in range(2):
        positional, _named = inputs()
        made = compiled(*positional)
        assert type(made) is type(function_of(expression)(*positional))
        assert use(made) == use(function_of(expression)(*positional))
    assert symexec.stats(compiled).breaks == ()


def test_another_getter_is_another_trace():
    @symexec.compile
    def f(get, p):
        return get(p)

    p = Plain(1, Plain(2))
    getters = [operator.attrgetter("x"), operator.attrgetter("inner"), operator.itemgetter(0)]
    for _ in range(2):
        assert f(getters[0], p) == 1
        assert f(getters[1], p) is p.inner
        assert f(getters[2], (7,)) == 7
