"""Attributes: what a trace reads and writes is what Python does, and its guards miss when that changes."""

from __future__ import annotations

import types
from typing import NamedTuple

import pytest

from tests.interpreter.replay import assert_replays, breaks, follows, trace


class Point:
    """An instance dictionary, class attributes, methods of every kind."""

    scale = 2
    label = "point"

    def __init__(self, x, y=0):
        self.x = x
        self.y = y

    def total(self):
        return self.x + self.y

    def scaled(self, by=None):
        return (self.x * self.scale, by)

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, value):
        self.x = value // 2

    @classmethod
    def name(cls):
        return cls.label

    @staticmethod
    def plus(a, b):
        return a + b


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a

    def get(self):
        return self.a


class Both(Slotted):
    """Slots and a dictionary."""

    extra = "default"


class Pair(NamedTuple):
    left: object
    right: object


def points():
    return Point(3, 4), Point(5)


def fresh_class():
    class Fresh:
        shared = 10

        def __init__(self):
            self.x = 1

        def method(self):
            return self.x

        @property
        def prop(self):
            return self.x

        @classmethod
        def of_class(cls):
            return cls.shared

        @staticmethod
        def static(value):
            return value

    return Fresh


def read_instance(p, q):
    return p.x, q.x, p.y + q.y


def read_through_class(p, q):
    return p.scale, p.label, q.scale + 1


def call_methods(p, q):
    return p.total(), q.total(), p.scaled(), q.scaled(by=1), p.name(), p.plus(1, 2), p.double


def bind_methods(p, q):
    first, second, of_class, static = p.total, q.total, p.name, p.plus
    return first(), second(), of_class(), static(3, 4)


def through_the_class(p, q):
    return Point.total(p), Point.scale, Point.name(), Point.plus(1, 2), Point.__name__, p.__class__ is Point


def write_instance(p, q):
    p.x = 10
    p.z = p.x + 1
    q.y = p.z
    del p.y
    return p.z + q.y


def write_property(p, q):
    p.double = 50
    return p.x, p.double


def shadow_class_attribute(p, q):
    before = p.scale
    p.scale = before + 1
    return before, p.scale, q.scale, p.scaled()


def shadow_method(p, q):
    p.total = q.total
    return p.total(), q.total()


@pytest.mark.parametrize(
    "function",
    [
        read_instance,
        read_through_class,
        call_methods,
        bind_methods,
        through_the_class,
        write_instance,
        write_property,
        shadow_class_attribute,
        shadow_method,
    ],
)
def test_plain_instances(function):
    assert_replays(function, points)


def test_the_same_object_twice():
    def function(p, q):
        p.x = 7
        return q.x

    def make():
        p = Point(1)
        return p, p

    assert_replays(function, make)
    assert trace(function, *make()).failing([Point(1), Point(1)]) is not None


def test_slots():
    def function(s, both):
        s.b = s.a + 1
        both.a = s.b
        both.own = both.extra
        return s.get(), s.b, both.get(), both.own

    assert_replays(function, lambda: (Slotted(1), Both(2)))


def test_an_unset_slot_and_a_deleted_one():
    def function(s):
        del s.a
        s.a = 5
        return s.a

    assert_replays(function, lambda: (Slotted(1),))

    def unset(s):
        return s.b

    assert breaks(unset, Slotted(1)) == "SX1003"


def test_a_missing_attribute_is_an_error():
    def function(p):
        return p.missing

    reason = trace(function, Point(1)).reason
    assert reason.code == "SX1003"
    assert "AttributeError" in reason.why


def test_a_slot_of_another_class():
    class Foreign:
        a = Slotted.a
        left = Pair.left

    def slot(o):
        return o.a

    def field(o):
        return o.left

    assert breaks(slot, Foreign()) == "SX2012"
    assert breaks(field, Foreign()) == "SX2012"


def test_named_tuple_fields():
    def function(pair):
        return pair.left, pair.right

    assert_replays(function, lambda: (Pair(1, "two"),))


def test_function_attributes():
    def counted():
        return 0

    def function(f):
        f.calls = f.calls + 1
        return f.calls, f.__name__

    def make():
        counted.calls = 3
        return (counted,)

    assert_replays(function, make)


def test_bound_methods_that_existed():
    def function(method):
        return method(), method.__self__.x, method.__func__(method.__self__)

    assert_replays(function, lambda: (Point(3, 4).total,))
    other = Point(3, 4)
    assert trace(function, other.total).failing([other.scaled]) is not None


def test_attributes_of_new_functions_and_slices():
    def function(a):
        def inner():
            return 1

        inner.note = a
        return inner.__name__, inner.note, inner()

    assert_replays(function, lambda: (1,))


def test_module_attributes():
    module = types.ModuleType("module")
    module.value = 5
    module.helper = lambda x: x + 1

    def function(m):
        m.value = m.helper(m.value)
        m.fresh = "new"
        return m.value, m.fresh

    def make():
        module.value = 5
        vars(module).pop("fresh", None)
        return (module,)

    assert_replays(function, make)


def test_a_module_and_the_globals_of_its_functions_are_one():
    module = types.ModuleType("module")
    exec("counter = 0\ndef bump():\n    global counter\n    counter += 1\n    return counter\n", vars(module))

    def function(m):
        first = m.bump()
        m.counter = 10
        return first, m.bump(), m.counter

    def make():
        module.counter = 0
        return (module,)

    assert_replays(function, make)


class Child(Point):
    @property
    def double(self):
        return "child"


CHANGES = {
    "instance value": (lambda o: o.x, lambda c, o: setattr(o, "x", 9), True),
    "instance value, consulted": (lambda o: o.x + 1, lambda c, o: setattr(o, "x", 9), False),
    "instance type": (lambda o: o.x, lambda c, o: setattr(o, "__class__", type("Other", (c,), {})), False),
    "class value": (lambda o: o.shared, lambda c, o: setattr(c, "shared", 11), True),
    "class value, consulted": (lambda o: o.shared + 1, lambda c, o: setattr(c, "shared", 11), False),
    "class value shadowed": (lambda o: o.shared, lambda c, o: setattr(o, "shared", 12), True),
    "class value becomes a property": (
        lambda o: o.shared,
        lambda c, o: setattr(c, "shared", property(lambda self: 1)),
        False,
    ),
    "instance value hidden by a property": (
        lambda o: o.x,
        lambda c, o: setattr(c, "x", property(lambda self: 1)),
        False,
    ),
    "method replaced": (lambda o: o.method(), lambda c, o: setattr(c, "method", lambda self: 2), False),
    "method replaced, bound": (lambda o: o.method, lambda c, o: setattr(c, "method", lambda self: 2), False),
    "method shadowed": (lambda o: o.method(), lambda c, o: setattr(o, "method", lambda: 2), False),
    "method shadowed by another's": (lambda o: o.method(), lambda c, o: setattr(o, "method", c().method), False),
    "method's code": (
        lambda o: o.method(),
        lambda c, o: setattr(c.method, "__code__", (lambda self: 3).__code__),
        False,
    ),
    "property replaced": (lambda o: o.prop, lambda c, o: setattr(c, "prop", property(lambda self: 2)), False),
    "property deleted": (lambda o: o.prop, lambda c, o: delattr(c, "prop"), False),
    "class method replaced": (
        lambda o: o.of_class(),
        lambda c, o: setattr(c, "of_class", classmethod(lambda cls: 2)),
        False,
    ),
    "class method taken from another class": (
        lambda o: o.of_class(),
        lambda c, o: setattr(c, "of_class", type("Other", (c,), {"shared": 99}).of_class),
        False,
    ),
    "class method kept bound": (
        lambda o: o.of_class,
        lambda c, o: setattr(c, "of_class", staticmethod(c.of_class)),
        False,
    ),
    "class method shadowed": (lambda o: o.of_class(), lambda c, o: setattr(o, "of_class", lambda: 2), False),
    "static method replaced": (
        lambda o: o.static(1),
        lambda c, o: setattr(c, "static", staticmethod(lambda v: 2)),
        False,
    ),
    "static method becomes a method": (lambda o: o.static, lambda c, o: setattr(c, "static", lambda *a: 2), True),
    "__getattr__ appears": (lambda o: o.x, lambda c, o: setattr(c, "__getattr__", lambda self, name: 1), False),
    "__getattribute__ appears": (
        lambda o: o.x,
        lambda c, o: setattr(c, "__getattribute__", lambda self, name: 1),
        False,
    ),
    "instance value deleted": (lambda o: o.x, lambda c, o: delattr(o, "x"), False),
    "class's own value": (lambda o: o.__class__.shared, lambda c, o: setattr(c, "shared", 11), True),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_noticed(name):
    function, change, holds = CHANGES[name]
    cls = fresh_class()
    owner = cls()
    assert follows(function, [owner], lambda: change(cls, owner)) is holds


@pytest.mark.parametrize("slots", [True, False])
def test_a_method_and_a_static_method_of_one_function(slots):
    """Through the class both look the same; where no instance dictionary is looked into, the namespace is."""

    def world():
        def shared(*args):
            return len(args)

        class Base:
            if slots:
                __slots__ = ()
            method = shared
            static = staticmethod(shared)

        class Thing(Base):
            if slots:
                __slots__ = ()

        return Base, Thing, shared

    def new(cls, old):
        thing = cls()
        return thing.method(1), thing.static(1), thing.static

    def existing(cls, old):
        return old.method(1), old.static(1), old.static

    for function in (new, existing):
        for change in (
            lambda: setattr(Base, "method", staticmethod(shared)),
            lambda: setattr(Base, "static", shared),
            lambda: setattr(Base, "static", lambda *args: 0),
            lambda: setattr(Thing, "static", shared),
            lambda: setattr(Thing, "method", staticmethod(shared)),
        ):
            Base, Thing, shared = world()
            assert follows(function, [Thing, Thing()], change) is False


def test_guards_run_no_code_of_the_user():
    """A descriptor put into the class afterwards is noticed before it would run."""
    cls = fresh_class()
    owner = cls()
    ran = []

    class Spy:
        def __get__(self, instance, owner):
            if instance is not None:
                ran.append(instance)
            return self

        def __set__(self, instance, value):
            ran.append(instance)

    def function(o):
        return o.x, o.shared, o.method, o.prop

    traced = trace(function, owner)
    assert traced.reason is None
    for name in ("x", "shared", "method", "prop"):
        before = cls.__dict__.get(name)
        setattr(cls, name, Spy())
        assert traced.failing([owner]) is not None
        if before is None:
            delattr(cls, name)
        else:
            setattr(cls, name, before)
    assert traced.failing([owner]) is None
    assert ran == []


def test_tracing_runs_no_code_of_the_user():
    ran = []

    class Meta(type):
        def __getattribute__(cls, name):
            ran.append(name)
            return type.__getattribute__(cls, name)

        def __hash__(cls):
            ran.append("hash")
            return 1

        def __eq__(cls, other):
            ran.append("eq")
            return cls is other

    class Loud(metaclass=Meta):
        value = 1

        @property
        def __class__(self):
            ran.append("class")
            return int

        def __getattr__(self, name):
            ran.append(name)
            return 2

    class Descriptor:
        def __get__(self, instance, owner):
            ran.append("get")
            return 1

    class Holder:
        lazy = Descriptor()

    loud, holder = Loud(), Holder()
    del ran[:]

    def read(o):
        return o.value

    def write(o):
        o.value = 2

    def delete(o):
        del o.value

    def method(o):
        return o.value()

    def called(o):
        return o()

    for function in (read, write, delete, method, called):
        assert trace(function, loud).reason is not None
        assert trace(function, Loud).reason is not None

    def lazy(o):
        return o.lazy

    assert trace(lazy, holder).reason is None
    assert ran == []


def test_what_only_python_can_read_breaks():
    class Guarded:
        def __setattr__(self, name, value):
            print("set", name)

    def write(o):
        o.x = 1

    def documentation(o):
        return o.__doc__

    assert breaks(write, Guarded()) == "SX5101"
    assert breaks(documentation, Point(1)) == "SX2013"
    assert breaks(write, Pair(1, 2)) == "SX1003"


def test_dropping_what_could_have_a_finalizer_breaks():
    def function(o):
        o.x = 1

    assert breaks(function, Point(Point(1))) == "SX5001"
    assert breaks(function, Point([Point(1)])) == "SX5001"
    assert_replays(function, lambda: (Point("text"),))


def test_an_instance_without_finalizer_is_not_taken_for_one_with():
    def function(o):
        o.x = 1

    traced = trace(function, Point("text"))
    assert traced.failing([Point(Point(1))]) is not None


def test_rollback_forgets_what_was_read_and_guarded():
    def function(p, q):
        p.x = 10
        p.missing()
        return p.x

    traced = trace(function, *points())
    assert traced.reason is not None
    assert [str(guard) for guard in traced.machine.guards.guards if "missing" in str(guard)] == []
    assert len(traced.machine.heap.effects) == 1
    record = traced.machine.classes[id(Point)]
    assert "x" in record.facts
    assert "missing" not in record.facts


def test_metaclasses_without_lookups_of_their_own():
    from abc import ABC, abstractmethod

    class Layer(ABC):
        factor = 3

        def __init__(self, x):
            self.x = x

        @abstractmethod
        def forward(self): ...

    class Scale(Layer):
        def forward(self):
            return self.x * self.factor

    def function(layer):
        return layer.forward(), Scale(4).forward(), layer.factor

    assert_replays(function, lambda: (Scale(2),))

    class Meta(type):
        pass

    class Made(metaclass=Meta):
        value = 1

    def read(o):
        return o.value

    owner = Made()
    assert follows(read, [owner], lambda: setattr(Meta, "value", property(lambda cls: 1))) is False
    del Meta.value
    assert follows(read, [owner], lambda: setattr(Made, "__class__", type("Other", (type,), {}))) is False


class Counter:
    total = 0
    names = ()

    def bump(self):
        type(self).total += 1
        return self.names


class SubCounter(Counter):
    pass


class OwnCounter(Counter):
    total = 100


def counters():
    Counter.total, OwnCounter.total = 0, 100
    vars(SubCounter)
    if "total" in vars(SubCounter):
        del SubCounter.total
    return Counter(), SubCounter(), OwnCounter()


def test_writes_to_classes():
    def on_the_class(a, b, c):
        Counter.total += 1
        Counter.fresh = "new"
        first = Counter.total, SubCounter.total, OwnCounter.total, Counter().total, SubCounter().total
        Counter.total = Counter.total + 1
        return first, Counter.total, SubCounter.fresh

    def through_instances(a, b, c):
        a.bump()
        b.bump()
        c.bump()
        return Counter.total, SubCounter.total, OwnCounter.total

    for function in (on_the_class, through_instances):
        traced = trace(function, *counters())
        assert traced.reason is None, traced.reason
        plain, state = function(*counters()), (Counter.total, vars(SubCounter).get("total"), OwnCounter.total)
        vars(Counter).get("fresh") and delattr(Counter, "fresh")
        again = counters()
        assert traced.failing(again) is None, traced.failing(again)
        assert traced.replay(again) == plain
        assert (Counter.total, vars(SubCounter).get("total"), OwnCounter.total) == state
        vars(Counter).get("fresh") and delattr(Counter, "fresh")


def test_writes_to_classes_that_python_does():
    def seen_through_an_instance(a, b, c):
        first = a.total
        Counter.total = 5
        return first

    def read_through_an_instance(a, b, c):
        Counter.total = 5
        return a.total

    def method(a, b, c):
        Counter.bump = len

    def function(a, b, c):
        Counter.total = lambda self: 1

    def special(a, b, c):
        Counter.__len__ = 5

    for each in (seen_through_an_instance, read_through_an_instance, method, function, special):
        assert breaks(each, *counters()) == "SX2016"


def test_enumerations():
    import enum

    class Mode(enum.Enum):
        TRAIN = 1
        TEST = 2

    def function(mode):
        return mode is Mode.TRAIN, Mode.TEST

    traced = trace(function, Mode.TRAIN)
    assert traced.reason is None, traced.reason
    assert traced.failing([Mode.TRAIN]) is None
    assert traced.replay([Mode.TRAIN]) == (True, Mode.TEST)
    assert traced.failing([Mode.TEST]) is not None


def test_simple_namespaces():
    def function(config):
        config.rate = config.rate * 2
        return config.rate

    assert_replays(function, lambda: (types.SimpleNamespace(rate=3),))


def test_the_type_of_a_bound_c_method():
    def function(items):
        append = items.append
        return type(append), type(items.__len__)

    assert_replays(function, lambda: ([],))


def test_writes_to_a_base_and_classes_in_between():
    """A class that comes to have the name itself is not taken for one that inherits what the trace wrote."""

    class Base:
        level = 1

    class Middle(Base):
        pass

    class Last(Middle):
        pass

    def function():
        Base.level = 5
        return Last.level, Last().level

    traced = trace(function)
    assert traced.reason is None, traced.reason
    assert traced.failing([]) is None
    assert traced.replay([]) == (5, 5)
    Middle.level = 7
    assert traced.failing([]) is not None
    assert function() == (7, 7)
