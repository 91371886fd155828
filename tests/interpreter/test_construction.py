"""Calling classes: objects made by a trace are those that Python makes, or Python makes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tests.interpreter.replay import assert_replays, breaks, follows, trace


class Empty:
    pass


class Point:
    kind = "point"

    def __init__(self, x, y=0):
        self.x = x
        self.y = y

    def moved(self, by):
        return Point(self.x + by, self.y)


class Slotted:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class Sub(Point):
    extra = 1


class Counted:
    made = 0

    def __new__(cls, x):
        self = object.__new__(cls)
        self.tag = x
        return self

    def __init__(self, x):
        self.x = x


class Single:
    instance = None

    def __new__(cls):
        return cls.instance


class Other:
    def __new__(cls, x):
        return x


class Finalized:
    def __del__(self):
        pass


class Wrong:
    def __init__(self):
        return 5  # noqa: PLE0101 (what it is for)


class Abstract(ABC):
    @abstractmethod
    def run(self): ...


class Concrete(Abstract):
    def run(self):
        return "ran"


class Meta(type):
    def __call__(cls, *args):
        return "made by the metaclass"


class OfMeta(metaclass=Meta):
    pass


class Locked:
    def __init__(self):
        self.x = 1

    def __setattr__(self, name, value):
        print("set", name)


class Logged:
    def __init__(self, x):
        self.names = ()
        self.x = x

    def __setattr__(self, name, value):
        if name != "names":
            object.__setattr__(self, "names", self.names + (name,))
        object.__setattr__(self, name, value)


@dataclass
class Options:
    rate: float = 0.5
    steps: int = 4
    name: str = field(default="sgd")

    def __post_init__(self):
        self.total = self.rate * self.steps


@dataclass(slots=True)
class Small:
    a: int
    b: int = 2


def test_plain_classes():
    def function(x):
        p = Point(x)
        q = p.moved(2)
        q.z = p.kind
        s = Sub(1, y=x)
        empty = Empty()
        empty.x = s.extra
        return p, q, p is q, s, empty, Slotted(x).a, Slotted(q)

    assert_replays(function, lambda: (3,))


def test_dataclasses():
    def function(x):
        a, b = Options(), Options(x, name="adam")
        small = Small(1)
        small.b = a.total
        return a, b, small, b.total

    assert_replays(function, lambda: (2.0,))


@dataclass(frozen=True)
class Frozen:
    a: object
    b: int = 2
    items: list = field(default_factory=list)

    def with_a(self, a):
        return Frozen(a, self.b, self.items)


@dataclass(kw_only=True)
class Named:
    a: int
    rest: dict = field(default_factory=dict)


def test_frozen_objects_and_classes_with_setattr():
    def function(x):
        f = Frozen(x)
        g = f.with_a(f)
        logged = Logged(x)
        logged.y = 1
        n = Named(a=x)
        n.rest["k"] = n.a
        return f, g, g.items is f.items, logged, n

    assert_replays(function, lambda: (3,))

    def refused(f):
        f.a = 1

    assert trace(refused, Frozen(2)).reason is not None


def test_classes_with_new():
    def function(x):
        return Counted(x), Counted(x).tag

    assert_replays(function, lambda: (3,))

    def single():
        return Single()

    assert trace(single).reason is None
    Single.instance = object.__new__(Single)
    try:
        assert trace(single).reason is None
        assert trace(single).replay([]) is Single.instance
    finally:
        Single.instance = None

    def other(x):
        return Other(x)

    assert_replays(other, lambda: (3,))


def test_concrete_classes_with_abstract_bases():
    def function():
        return Concrete().run()

    assert_replays(function)

    def abstract():
        return Abstract()

    assert breaks(abstract) == "SX2022"


def test_deleted_attributes_of_new_objects():
    def function(x):
        p = Point(x)
        p.z = 1
        del p.x
        p.x = 2
        return p

    assert_replays(function, lambda: (1,))


def test_attributes_that_are_missing():
    def function():
        return Empty().x

    assert breaks(function) == "SX1003"


def test_what_python_makes():
    def finalized():
        return Finalized()

    def wrong():
        return Wrong()

    def excess():
        return Empty(1)


    def locked():
        return Locked()


    assert breaks(finalized) == "SX5002"
    assert breaks(wrong) == "SX1003"
    assert breaks(excess) == "SX1003"
    assert breaks(locked) == "SX5101"


def test_calls_that_the_metaclass_makes():
    def function():
        return OfMeta(), OfMeta(1)

    assert_replays(function)


def test_changes_of_the_class_are_noticed():
    def world():
        class Thing:
            def __init__(self, x):
                self.x = x

        return Thing

    def function(cls):
        return cls(1).x

    changes = {
        "__init__": lambda self, x: setattr(self, "x", 2),
        "__new__": lambda cls, x: 5,
        "__setattr__": lambda self, name, value: None,
        "__del__": lambda self: None,
        "x": property(lambda self: 3, lambda self, value: None),
    }
    for name, value in changes.items():
        cls = world()
        assert follows(function, [cls], lambda: setattr(cls, name, value)) is False
    cls = world()
    assert follows(function, [cls], lambda: setattr(cls, "unrelated", 1)) is True
    assert trace(function, world()).failing([world()]) is not None
