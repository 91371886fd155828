"""`super()` in every kind of method, as written and compiled, and captured."""

from __future__ import annotations

import abc
import enum

import pytest

import symexec
from tests.interpreter.captures import ALWAYS, assert_captured, compiled
from tests.support import assert_same
from tests.support.same import arguments


class Base:
    tag = "base"

    def __init__(self, value):
        self.value = value
        self.log = ["base"]

    def name(self):
        return "base", self.value

    def add(self, *args, **kwargs):
        return args, kwargs, self.value

    @classmethod
    def of(cls, value):
        return cls(value)

    @classmethod
    def kind(cls):
        return cls.tag, cls.__name__

    @staticmethod
    def twice(value):
        return value * 2

    @property
    def double(self):
        return self.value * 2

    def __getitem__(self, key):
        return self.value, key

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None


class Left(Base):
    tag = "left"

    def __init__(self, value):
        super().__init__(value)
        self.log.append("left")

    def name(self):
        return "left", super().name()

    def __getitem__(self, key):
        return "left", super().__getitem__(key)


class Right(Base):
    tag = "right"

    def __init__(self, value):
        super().__init__(value + 1)
        self.log.append("right")

    def name(self):
        return "right", super().name()

    @property
    def double(self):
        return super().double + 1

    @classmethod
    def kind(cls):
        return "right", super().kind()


class Both(Left, Right):
    """The usual diamond."""

    tag = "both"

    def __init__(self, value):
        super().__init__(value * 10)
        self.log.append("both")

    def name(self):
        return "both", super().name()

    def add(self, *args, **kwargs):
        return super().add(0, *args, more=1, **kwargs)

    @classmethod
    def of(cls, value):
        made = super().of(value)
        made.log.append("of")
        return made

    @classmethod
    def kind(cls):
        return super().kind(), super().tag

    @staticmethod
    def twice(value):
        return super(Both, Both).twice(value) + 1

    def static(self):
        return super().twice(3)

    @property
    def double(self):
        return super().double + 1

    @property
    def plain(self):
        return super().tag

    def __eq__(self, other):
        return super().__eq__(other)

    def bound(self):
        method = super().name
        return method(), method()

    def kept(self):
        above = super()
        return above.name(), above.tag, above.__self__ is self, above.__thisclass__ is Both, above.__self_class__

    def further(self):
        return super(Left, self).name(), super(Right, self).name(), super(Both, type(self)).twice(2)

    def unbound(self):
        return super(Both, type(self)).name(self)

    def nested(self):
        def inner():
            return super(Both, self).name()

        return inner(), [super(Both, self).tag for _ in range(2)]

    def own_class(self):
        return __class__, super().__class__


class Made:
    def __new__(cls, *args):
        made = super().__new__(cls)
        made.args = args
        return made

    def __init__(self, *args):
        super().__init__()
        self.count = len(args)


class MadeBelow(Made):
    def __new__(cls, first, *args):
        return super().__new__(cls, *args)

    def __init__(self, first, *args):
        super().__init__(*args)
        self.first = first

    def __setattr__(self, name, value):
        super().__setattr__(name, [value])


class Abstract(abc.ABC):
    @abc.abstractmethod
    def run(self):
        return "abstract"


class Concrete(Abstract):
    def run(self):
        return super().run() + " no more"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

    def above(self):
        return super().__add__(1)

    @classmethod
    def first(cls):
        return cls.LOW


class Meta(type):
    def describe(cls):
        return "meta", cls.__name__


class SubMeta(Meta):
    def describe(cls):
        return "sub", super().describe()


class WithMeta(metaclass=SubMeta):
    pass


class Mixin:
    def name(self):
        return "mixin", super().name()


class Mixed(Mixin, Both):
    pass


class CellSelf(Base):
    def name(self):
        first = super().name()
        later = lambda: self
        return first, super().name(), later() is self


class Rebound(Base):
    def name(self, other):
        self = other
        return super().name()


class Optional(Base):
    def missing(self):
        return getattr(super(), "nothing", "default"), hasattr(super(), "name"), hasattr(super(), "nothing")


class AttributeOnly(Base):
    def __init__(self):
        pass

    def value_of(self):
        return super().value


def both():
    return arguments(Both(2))


METHODS = ["name", "add", "static", "bound", "kept", "further", "unbound", "nested", "own_class"]


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    assert_captured(getattr(Both, name), both)


@pytest.mark.parametrize("name", ["double", "plain"])
def test_properties(name):
    assert_captured(getattr(Both, name).fget, both)


def test_methods_with_arguments():
    assert_captured(Both.add, lambda: arguments(Both(1), 2, 3, key=4))
    assert_captured(Both.__getitem__, lambda: arguments(Both(1), "key"))
    assert_captured(Both.__eq__, lambda: arguments(Both(1), Both(1)), lambda: arguments(Both(1), Left(10)))


def make(value):
    found = Both(value)
    return found, found.log, found.name(), found.double


def make_plain(value):
    return Made(value, 1), MadeBelow(value, 2, 3)


def by_class(value):
    return Both.of(value), Both.kind(), Left.kind(), Both.twice(value)


def with_metaclass():
    return WithMeta.describe()


def others(mixed, concrete):
    return mixed.name(), concrete.run()


def test_objects_are_made():
    assert_captured(make, lambda: arguments(3))
    assert_captured(make_plain, lambda: arguments(3))


def test_class_methods():
    assert_captured(by_class, lambda: arguments(3))
    assert_same(with_metaclass, transform=compiled)


def test_mixins_and_abstract_classes():
    assert_captured(others, lambda: arguments(Mixed(1), Concrete()))


def test_self_in_a_cell_or_bound_anew():
    assert_captured(CellSelf.name, lambda: arguments(CellSelf(1)))
    assert_captured(Rebound.name, lambda: arguments(Rebound(1), Rebound(2)))
    assert_same(Rebound.name, lambda: arguments(Rebound(1), 3), transform=compiled)


def test_what_is_not_there():
    assert_captured(Optional.missing, lambda: arguments(Optional(1)))
    assert_same(AttributeOnly.value_of, lambda: arguments(AttributeOnly()), transform=compiled)


def test_numbers_with_methods():
    assert_same(Level.above, lambda: arguments(Level.LOW), transform=compiled)


class Deleted(Base):
    def name(self):
        value = self.value
        del self
        return super().name(), value

    def no_first(*args):
        return super().name()

    def keyword(self, /, **kwargs):
        return super().add(**kwargs)


def test_errors_are_pythons():
    assert_same(Deleted.name, lambda: arguments(Deleted(1)), transform=compiled)
    assert_same(Deleted.no_first, lambda: arguments(Deleted(1)), transform=compiled)
    assert_captured(Deleted.keyword, lambda: arguments(Deleted(1), a=2))
    assert_same(Both.name, lambda: arguments(Left(1)), transform=compiled)


def test_super_may_be_another():
    def outer():
        def super(*args):
            return Both(5)

        class Inner(Base):
            def name(self):
                return super().name()

        return Inner

    found = outer()
    assert_captured(found.name, lambda: arguments(found(1)))


def test_escaping():
    class Kept(Base):
        def above(self):
            return super()

    method = symexec.compile(Kept.above, config=ALWAYS)
    for value in (1, 2):
        kept = Kept(value)
        above = method(kept)
        assert type(above) is super and above.__self__ is kept and above.name() == ("base", value)
    assert symexec.stats(method).breaks == ()


def chain():
    class A:
        def name(self):
            return "A"

    class B(A):
        pass

    class C(B):
        def name(self):
            return "C" + super().name()

    return A, B, C


def test_classes_may_change_afterwards():
    def check(change):
        a, b, c = chain()
        method = symexec.compile(c.name, config=ALWAYS)
        assert [method(c()), method(c())] == ["CA", "CA"]
        assert symexec.stats(method).traces == 1
        assert symexec.stats(method).breaks == ()
        change(a, b, c)
        expected = c().name()
        assert expected != "CA"
        assert [method(c()), method(c())] == [expected] * 2

    class Other:
        def name(self):
            return "other"

    def replace(a, b, c):
        a.name = lambda self: "new"

    def put_between(a, b, c):
        b.name = lambda self: "between"

    def put_static(a, b, c):
        a.name = staticmethod(lambda: "static")

    def put_class_method(a, b, c):
        a.name = classmethod(lambda cls: cls.__name__)

    def other_base(a, b, c):
        c.__bases__ = (Other,)

    def base_further_up(a, b, c):
        b.__bases__ = (Other,)

    def wrap(a, b, c):
        original = a.name
        a.name = lambda self: original(self) + "!"

    for change in (replace, put_between, put_static, put_class_method, other_base, base_further_up, wrap):
        check(change)


class Broken(Both):
    def name(self):
        symexec.graph_break()
        first = super().name()
        symexec.graph_break()
        found = [first, (super().name(), symexec.graph_break(), super().tag)]
        for index in range(3):
            symexec.graph_break()
            found.append((super().add(index), super().double))
        return found


def test_breaks_in_between():
    assert_same(Broken.name, lambda: arguments(Broken(3)), transform=compiled)


def test_what_a_metaclass_has_is_not_what_instances_have():
    class Truthful(type):
        def __bool__(cls):
            return True

    class Root(metaclass=Truthful):
        pass

    class False_(metaclass=Truthful):
        def __bool__(self):
            return False

    class Below(Root):
        pass

    def function(value):
        return "yes" if value else "no"

    found = symexec.compile(function, config=ALWAYS)
    assert [found(Below()), found(Below()), found(Root())] == ["yes"] * 3
    assert symexec.stats(found).breaks == ()
    Below.__bases__ = (False_,)
    assert [found(Below()), function(Below())] == ["no"] * 2
