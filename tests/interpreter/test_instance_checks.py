"""`isinstance`, `issubclass` and class patterns with abstract classes."""

from __future__ import annotations

import abc
import collections
import collections.abc as abstract
import contextlib
import enum
import io
import numbers
import os
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest

import symexec
from tests.interpreter.captures import ALWAYS, assert_captured, compiled
from tests.support.run import Factory
from tests.support.same import arguments, assert_same

LOG: list[object] = []
SET_OR_CALLABLE = abstract.Set | abstract.Callable


class Empty:
    pass


class Iterable:
    def __iter__(self):
        return iter(())


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> float: ...


class Square(Shape):
    def area(self) -> float:
        return 1.0


class Table(collections.abc.Mapping):
    def __getitem__(self, key):
        return key

    def __iter__(self):
        return iter("ab")

    def __len__(self):
        return 2


class Registered:
    pass


Shape.register(Registered)


class Unhashable:
    __hash__ = None


class Colour(enum.Enum):
    RED = 1


class Meta(type):
    def __instancecheck__(cls, instance):
        LOG.append(("instance", type(instance).__name__))
        return getattr(instance, "kind", [])

    def __subclasscheck__(cls, subclass):
        LOG.append(("subclass", subclass.__name__))
        return subclass is int


class Kind(metaclass=Meta):
    pass


class Tagged:
    kind = (1,)


class Hooked(abc.ABC):
    @classmethod
    def __subclasshook__(cls, subclass):
        LOG.append(subclass)
        return subclass.__name__.startswith("E")


class Claims:
    """Says that it is something else."""

    @property
    def __class__(self):
        return dict


VALUES = [
    lambda: 1,
    lambda: 2.5,
    lambda: 1j,
    lambda: "a",
    lambda: b"a",
    lambda: None,
    lambda: (1,),
    lambda: [1],
    lambda: {1: 2},
    lambda: {1},
    lambda: frozenset(),
    lambda: range(3),
    lambda: {}.keys(),
    lambda: collections.OrderedDict(),
    lambda: collections.deque(),
    lambda: collections.Counter(),
    lambda: iter([]),
    lambda: (each for each in ()),
    lambda: len,
    lambda: int,
    lambda: Empty(),
    lambda: Iterable(),
    lambda: Square(),
    lambda: Table(),
    lambda: Registered(),
    lambda: Unhashable(),
    lambda: Colour.RED,
    lambda: Fraction(1, 2),
]


def shapes(value: object) -> object:
    return (
        isinstance(value, abstract.Iterable),
        isinstance(value, abstract.Iterator),
        isinstance(value, abstract.Mapping),
        isinstance(value, (int, abstract.Sequence)),
        isinstance(value, SET_OR_CALLABLE),
        isinstance(value, abstract.Hashable),
        isinstance(value, abstract.Sized),
        isinstance(value, abstract.Generator),
        isinstance(value, numbers.Number),
        isinstance(value, numbers.Integral),
        isinstance(value, os.PathLike),
        isinstance(value, io.IOBase),
        isinstance(value, contextlib.AbstractContextManager),
        isinstance(value, Shape),
        issubclass(type(value), abstract.Collection),
        issubclass(type(value), Shape),
    )


def matched(value: object) -> str:
    match value:
        case abstract.Mapping():
            return "mapping"
        case abstract.Sequence():
            return "sequence"
        case numbers.Real():
            return "real"
        case Shape():
            return "shape"
        case _:
            return "other"


def assert_as_far_as_possible(function: Callable[..., object], *calls: Factory) -> None:
    """Where a program under this interpreter always has metaclasses with an opinion, a no is left to Python."""
    if sys.platform == "emscripten":
        assert_same(function, *calls, transform=compiled)
    else:
        assert_captured(function, *calls)


@pytest.mark.parametrize("make", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("function", [shapes, matched])
def test_what_counts_as_an_instance(function: Callable[[object], object], make: Callable[[], object]) -> None:
    assert_as_far_as_possible(function, lambda: arguments(make()))


def test_objects_that_the_trace_makes() -> None:
    def program() -> object:
        values = [Empty(), Iterable(), Square(), [1], {}, (1, []), {1: 2}.items()]
        return [(isinstance(v, abstract.Iterable), isinstance(v, Shape), isinstance(v, abstract.Sized)) for v in values]

    assert_as_far_as_possible(program)


def test_a_class_that_is_registered_later_is_one_from_then_on() -> None:
    class Late(abc.ABC):
        pass

    class Thing:
        pass

    def program(value: object) -> bool:
        return isinstance(value, Late)

    function = compiled(program)
    assert [function(Thing()), function(Thing())] == [False, False]
    assert symexec.stats(function).breaks == ()
    Late.register(Thing)
    assert [function(Thing()), function(Thing())] == [True, True]
    assert symexec.stats(function).breaks == ()


@pytest.mark.parametrize("asked_before", [True, False])
def test_what_the_class_gets_later_makes_no_difference_to_an_answer_that_is_kept(asked_before: bool) -> None:
    def results(transform: Callable[..., Callable[[object], object]]) -> list[object]:
        class Thing:
            pass

        def program(value: object) -> bool:
            return isinstance(value, abstract.Iterable)

        function = transform(program)
        found: list[object] = [isinstance(Thing(), abstract.Iterable)] if asked_before else []
        found += [function(Thing()), function(Thing())]
        Thing.__iter__ = lambda self: iter(())
        found += [function(Thing()), isinstance(Thing(), abstract.Iterable)]
        abstract.Sized.register(type("Other", (), {}))
        found += [function(Thing()), isinstance(Thing(), abstract.Iterable)]
        del Thing.__iter__
        found += [function(Thing()), isinstance(Thing(), abstract.Iterable)]
        abstract.Sized.register(type("Other", (), {}))
        return [*found, function(Thing()), isinstance(Thing(), abstract.Iterable)]

    assert results(compiled) == results(lambda function: function)


def test_a_metaclass_of_the_users_is_asked() -> None:
    def program(value: object) -> object:
        LOG.clear()
        answers = isinstance(value, Kind), isinstance(value, (int, Kind)), issubclass(type(value), Kind)
        return answers, LOG.copy()

    assert_captured(program, lambda: arguments(Tagged()), lambda: arguments(1), lambda: arguments(Empty()))


def test_a_hook_of_the_users_is_not_asked_while_tracing() -> None:
    LOG.clear()

    def program(value: object) -> bool:
        return isinstance(value, Hooked)

    function = symexec.compile(program, config=ALWAYS)
    assert LOG == []
    assert function(Empty()) is True
    assert LOG == [Empty]
    assert function(Empty()) is True
    assert function(1) is False
    assert LOG == [Empty, int]


def test_whoever_claims_another_class() -> None:
    def program(value: object) -> object:
        return isinstance(value, abstract.Mapping), isinstance(value, abstract.Sequence)

    assert_same(program, lambda: arguments(Claims()), transform=compiled)


def test_a_metaclass_that_hashes_in_its_own_way() -> None:
    def results(transform: Callable[..., Callable[[object], object]]) -> list[object]:
        class Hashes(type):
            def __hash__(cls):
                LOG.append("hash")
                return 1

        class Thing(metaclass=Hashes):
            pass

        def program(value: object) -> object:
            LOG.clear()
            return isinstance(value, numbers.Complex), LOG.copy()

        function = transform(program)
        return [function(Thing()), function(Thing()), function(Thing())]

    assert results(compiled) == results(lambda function: function)


def test_what_is_no_class() -> None:
    def program(value: object) -> object:
        try:
            return issubclass(value, abstract.Sized)
        except TypeError as error:
            return error.args

    assert_same(program, lambda: arguments(1), transform=compiled)


def test_classes_that_the_trace_changes() -> None:
    class Thing:
        pass

    def program() -> object:
        Thing.__len__ = lambda self: 1
        first = isinstance(Thing(), abstract.Sized)
        del Thing.__len__
        return first

    assert_same(program, transform=compiled)
