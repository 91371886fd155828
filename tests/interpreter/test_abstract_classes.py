"""`isinstance` and `issubclass` with abstract classes: what they answer is kept, until something is registered."""

from __future__ import annotations

import abc
import collections.abc
import numbers

import pytest

import symexec
from tests.interpreter.captures import assert_captured, compiled
from tests.support import arguments, assert_same


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def twice(self):
        return self.area() * 2


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Row(collections.abc.Sequence):
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


class Sized:
    def __len__(self):
        return 1


class Store(collections.abc.MutableMapping):
    def __init__(self):
        self.entries = {}

    def __getitem__(self, key):
        return self.entries[key]

    def __setitem__(self, key, value):
        self.entries[key] = value

    def __delitem__(self, key):
        del self.entries[key]

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)


VALUES = (1, 1.5, "text", b"", [], (), {}, set(), frozenset(), None, len, range(3), Sized(), Row(1), iter([]))
KINDS = (
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Mapping,
    collections.abc.Set,
    collections.abc.Iterable,
    collections.abc.Iterator,
    collections.abc.Hashable,
    collections.abc.Sized,
    collections.abc.Callable,
    collections.abc.Collection,
    numbers.Number,
    numbers.Integral,
    Shape,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_instances_of_abstract_classes(kind, value):
    def program(value):
        return isinstance(value, kind), issubclass(type(value), kind)

    assert_captured(program, lambda: arguments(value), lambda: arguments(value))


def test_made_objects_and_alternatives():
    def program(n):
        row, square = Row(1, n), Square(n)
        known = isinstance(row, (Shape, collections.abc.Sequence)), isinstance(square, (int, Shape))
        return known, square.twice(), isinstance([n], collections.abc.Iterable), isinstance(n, numbers.Integral)

    assert_captured(program, lambda: arguments(3), lambda: arguments(3))


def test_mixin_methods_of_abstract_containers():
    def program():
        store = Store()
        store["a"] = 1
        store.setdefault("b", []).append(2)
        store.update(c=3)
        first = store.pop("a")
        row = Row(1, 2, 3)
        return first, store.get("z", 9), "b" in store, 5 in row, list(reversed(row))

    assert_captured(program)


def test_what_is_registered_later_is_an_instance():
    class Late(abc.ABC):
        pass

    class Thing:
        pass

    def program(value):
        return isinstance(value, Late), issubclass(Thing, Late)

    found = compiled(program)
    thing = Thing()
    assert [found(thing), found(thing)] == [(False, False)] * 2
    assert symexec.stats(found).breaks == ()
    Late.register(Thing)
    assert [found(thing), found(thing)] == [(True, True)] * 2


def test_what_other_classes_register_does_not_matter():
    class First(abc.ABC):
        pass

    class Second(First):
        pass

    class Thing:
        pass

    def program(value):
        return isinstance(value, First)

    found = compiled(program)
    assert not found(Thing())
    Second.register(Thing)
    assert found(Thing())
    assert found(Thing())


def test_hooks_of_the_program_are_not_run_while_tracing():
    asked = []

    class Hooked(abc.ABC):
        @classmethod
        def __subclasshook__(cls, other):
            asked.append(other)
            return other is int

    def program(value):
        return isinstance(value, Hooked)

    found = compiled(program)
    assert found(1)
    assert asked == [int]
    assert found(1)
    assert not found("text")
    assert not found("text")
    assert asked == [int, str]


def test_classes_that_claim_to_be_others():
    class Disguised:
        __class__ = property(lambda self: int)

    def program(value):
        return isinstance(value, numbers.Integral), isinstance(value, collections.abc.Sized)

    assert_same(program, lambda: arguments(Disguised()), lambda: arguments(Disguised()), transform=compiled)


def test_a_hook_that_a_class_gets_later_is_asked():
    class Late(abc.ABC):
        pass

    class Thing:
        pass

    def program(value):
        return isinstance(value, Late)

    Late.register(Thing)
    found = compiled(program)
    assert [found(Thing()), found(Thing())] == [True, True]
    assert symexec.stats(found).breaks == ()
    Late.__subclasshook__ = classmethod(lambda cls, other: False)
    assert [found(Thing()), program(Thing())] == [False, False]
