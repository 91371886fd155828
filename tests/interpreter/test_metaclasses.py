"""What metaclasses give their classes, and calls that they make; descriptors and computed attributes of classes."""

from __future__ import annotations

import abc
import enum

import attrs
import pytest

from tests.interpreter.test_lookups import Described, assert_whole, compiled
from tests.support import arguments, assert_same


class Meta(type):
    registry = "shared"

    @property
    def title(cls):
        return cls.__name__.lower()

    def make(cls, *args):
        return cls(*args)

    def __len__(cls):
        return 3

    def __getitem__(cls, key):
        return key, cls

    def __contains__(cls, item):
        return item == 1


class OfMeta(metaclass=Meta):
    def __init__(self, x=0):
        self.x = x

    def title_of_class(self):
        return type(self).title


class Calls(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.extra = cls.__name__
        return made


class OfCalls(metaclass=Calls):
    def __init__(self, x, y=2):
        self.x = x
        self.y = y


class Plainly(type):
    def __call__(cls, *args):
        return type.__call__(cls, *args)


class OfPlainly(metaclass=Plainly):
    def __init__(self, x):
        self.x = x


class Shape(abc.ABC):
    """A shape."""

    @abc.abstractmethod
    def area(self): ...

    @property
    def name(self):
        return type(self).__name__


class Square(Shape):
    def area(self):
        return 4


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    @property
    def pretty(self):
        return self.name.title()

    def describe(self):
        return f"{self.name}={self.value}"


@attrs.frozen
class Frozen:
    x: int
    y: int = attrs.field(default=2, validator=attrs.validators.instance_of(int))


def test_attributes_of_metaclasses():
    def function(o):
        return OfMeta.title, OfMeta.make(4).x, OfMeta.registry, len(OfMeta), 1 in OfMeta, o.title_of_class()

    assert_whole(function, lambda: arguments(OfMeta()))


def test_calls_that_metaclasses_make():
    def function():
        return OfCalls(3), OfCalls(1, y=5).extra, OfPlainly(3)

    assert_whole(function)


def test_names_of_classes():
    def function(o):
        cls = type(o)
        return cls.__name__, cls.__qualname__, cls.__module__, cls.__doc__, cls.__mro__, cls.__bases__, o.__doc__

    def without_module(o):
        return type(o).__name__, type(o).__doc__, type(o).__mro__, type(o).__bases__

    for make in (Square, OfMeta, Described, lambda: 5, lambda: Color.RED):
        assert_whole(without_module, lambda make=make: arguments(make()))
        assert_same(function, *[lambda make=make: arguments(make())] * 3, transform=compiled)
    assert_whole(lambda o: (o.name, o.area()), lambda: arguments(Square()))


def test_descriptors_read_through_the_class():
    assert_whole(lambda: (Described.owner, Described.count.name, Described.set_only))


def test_enumerations():
    def function(color):
        return color.name, color.value, color.pretty, color.describe(), color is Color.RED, color == Color.GREEN

    def members():
        return [color.value for color in Color], len(Color), Color.RED in Color, Color["GREEN"], Color(2)

    def texts(color):
        return str(color), f"{color}", f"{color:>12}"

    for color in Color:
        assert_whole(function, lambda color=color: arguments(color))
        assert_whole(texts, lambda color=color: arguments(color))
    assert_whole(members)


def test_attrs_classes_that_are_frozen():
    assert_whole(lambda: (Frozen(1), Frozen(1, 3).y, Frozen(1) == Frozen(1)))


def test_a_metaclass_that_changes():
    class Changing(type):
        def method(cls):
            return 1

    class Base(metaclass=Changing):
        pass

    class Thing(Base):
        pass

    def function():
        return Thing.method()

    again = compiled(function)
    assert [again(), again()] == [1, 1]
    Changing.method = lambda cls: 2
    assert again() == 2
    Base.method = lambda: 3
    assert again() == 3
    del Base.method, Changing.method
    with pytest.raises(AttributeError):
        again()


def test_a_metaclass_that_gets_a_call_of_its_own():
    class Quiet(type):
        pass

    class Thing(metaclass=Quiet):
        pass

    def function():
        return type(Thing()).__name__

    again = compiled(function)
    assert [again(), again()] == ["Thing", "Thing"]
    Quiet.__call__ = lambda cls: "called"
    assert again() == "str"
