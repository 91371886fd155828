"""Descriptions tell apart what differs, and run none of the described objects' own methods."""

from __future__ import annotations

import array
import collections
import enum
import functools
import itertools
import re
import types
import weakref

import pytest

from tests.support.describe import describe
from tests.support.look import Scope

SCOPE = Scope()


def lines(value: object) -> tuple[str, ...]:
    return describe(SCOPE, value=value)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Number(int):
    pass


class Text(str):
    __slots__ = ()


def two_cells():
    a = b = 1
    return [lambda: (a, b)]


DIFFERENT = [
    (1, True),
    (1, 1.0),
    (0.0, -0.0),
    (1, Number(1)),
    (Number(1), Number(2)),
    ("a", Text("a")),
    (Text("a"), Text("b")),
    ("1", 1),
    (b"a", bytearray(b"a")),
    (bytearray(b"a"), bytearray(b"b")),
    ((1,), [1]),
    ({1: 2}, {1: 3}),
    ({1: 2}, {True: 2}),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({1, 2}, {1, 3}),
    ({1}, frozenset({1})),
    (frozenset({1}), frozenset({1.0})),
    (range(3), range(4)),
    (slice(1), slice(2)),
    (collections.deque([1]), collections.deque([1], 3)),
    (collections.OrderedDict(a=1), {"a": 1}),
    (collections.defaultdict(list), collections.defaultdict(dict)),
    (array.array("i", [1]), array.array("l", [1])),
    (memoryview(b"a"), memoryview(b"b")),
    (Color.RED, Color.BLUE),
    (int, float),
    (len, repr),
    ([].append, [1].append),
    (functools.partial(max, 1), functools.partial(max, 2)),
    (iter([1, 2]), iter([1, 3])),
    (zip([1], strict=True), zip([2], strict=True)),
    (re.compile("a"), re.compile("b")),
    (types.SimpleNamespace(a=1), types.SimpleNamespace(a=2)),
    (lambda x=1: x, lambda x=2: x),
    (property(len), property(repr)),
    (ValueError(1), ValueError(2)),
    (ExceptionGroup("g", [ValueError(1)]), ExceptionGroup("g", [ValueError(2)])),
    (OSError(1, "a"), OSError(2, "a")),
    (StopIteration(1), StopIteration(2)),
    (10**5000, 10**5000 + 1),
    ({}.keys(), {}.values()),
]


@pytest.mark.parametrize("index", range(len(DIFFERENT)))
def test_different_values_have_different_descriptions(index: int) -> None:
    left, right = DIFFERENT[index]
    assert lines(left) != lines(right)
    assert lines(left) == lines(left)
    assert lines(right) == lines(right)


def test_identity_relations_show() -> None:
    inner = [1]
    assert lines([inner, inner]) != lines([[1], [1]])
    assert lines([inner, inner])[-1] == "value[1]: same object as value[0]"


def test_cycles_end() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert lines(loop) == ("value: list", "value[0]: same object as value")


def test_deep_structures_need_no_recursion() -> None:
    deep: list[object] = []
    for _ in range(20_000):
        deep = [deep]
    assert len(lines(deep)) == 20_001


def test_order_of_sets_of_objects_does_not_count() -> None:
    class Element:
        def __init__(self, name):
            self.name = name

        def __hash__(self):
            return id(self) >> 4

    made = []
    for _ in range(20):
        made.append({Element(name) for name in "abcdef"})
    assert len({lines(elements) for elements in made}) == 1


def test_cells_are_told_apart() -> None:
    [function] = two_cells()
    text = "\n".join(lines(function))
    assert "value.closure['a'].contents: int 1" in text
    assert "value.closure['b']: cell" in text


def test_no_method_of_the_described_objects_runs() -> None:
    def fail(*arguments):
        raise AssertionError("a method of the described object ran")

    namespace = {
        name: fail
        for name in ("__eq__", "__hash__", "__repr__", "__str__", "__getattribute__", "__len__", "__iter__", "__bool__")
    }
    namespace["__dict__"] = namespace["__class__"] = property(fail)
    for base in (object, list, dict, set, str, int, float, tuple, ValueError, collections.deque):
        hostile = type("Hostile", (base,), namespace)
        value = base.__new__(hostile)
        assert lines(value)[0].startswith(("value: instance of", "value: exception"))


def test_other_peoples_objects_are_opaque() -> None:
    assert lines(pytest.mark) == ("value: instance of _pytest.mark.structures.MarkGenerator, opaque",)
    assert lines(pytest.raises) == ("value: function _pytest.raises.raises",)


def test_weak_references_and_iterators() -> None:
    class Target:
        pass

    target = Target()
    assert "value()" in lines(weakref.ref(target))[1]
    assert lines(weakref.ref(Target()))[1] == "value(): None"
    assert lines(itertools.count(1)) == lines(itertools.count(1))


def test_suspended_generators_show_where() -> None:
    def generate():
        yield 1
        yield 2

    fresh, started = generate(), generate()
    next(started)
    assert lines(fresh) != lines(started)
