"""Attribute lookup, writes and deletes: instances, classes, inheritance, slots, `__getattr__` and its like, modules."""

from __future__ import annotations

import types

import pytest

from tests.ladder.both import captured, check, same
from tests.support import arguments

journal: list[object] = []


class Base:
    shared = ["base"]
    number = 1

    def __init__(self, x):
        self.x = x

    def method(self):
        return "base", self.x


class Derived(Base):
    number = 2

    def method(self):
        return "derived", self.x


class Slots:
    __slots__ = ("a", "b", "__weakref__")
    constant = "c"


class Dynamic:
    def __init__(self):
        self.log = []

    def __getattr__(self, name):
        self.log.append(("get", name))
        if name.startswith("no"):
            raise AttributeError(f"none of {name}")
        return name.upper()


class Guarded:
    def __init__(self):
        object.__setattr__(self, "log", [])

    def __getattribute__(self, name):
        log = object.__getattribute__(self, "log")
        if name == "log":
            return log
        log.append(("get", name))
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        self.log.append(("set", name, value))
        if value == "refused":
            raise ValueError(value)
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self.log.append(("del", name))
        object.__delattr__(self, name)


@captured((1,), ("a",))
def test_inheritance(x):
    base, derived = Base(x), Derived([x])
    derived.y = base
    derived.number += 10
    return base.method(), derived.method(), base.number, derived.number, Derived.number, derived.y is base, base.shared


@same((1,), (2,))
def test_class_attribute_is_hidden_and_shown_again(x):
    box = Derived(x)
    log = [box.number]
    box.number = x
    log.append((box.number, Derived.number, vars(box)))
    del box.number
    log.append(box.number)
    Derived.number = "changed"
    log.append((box.number, Derived(0).number))
    del Derived.number
    log.append((box.number, Derived.number))
    return log


@same((1,), (2,))
def test_method_replaced(x):
    box, other = Derived(x), Derived(-x)
    log = [box.method()]
    box.method = lambda: "on the instance"
    log.append((box.method(), other.method()))
    Derived.method = lambda self: ("on the class", self.x)
    log.append((box.method(), other.method()))
    del box.method
    Base.method = None
    log.append((box.method(), Base.method))
    return log


@same(("x",), ("nothing",), ("number",), ("method",), ("__dict__",), ("",), (1,))
def test_by_name(name):
    box = Derived(5)
    log = []
    for act in (
        lambda: getattr(box, name), lambda: getattr(box, name, "default"), lambda: hasattr(box, name),
        lambda: setattr(box, name, "set"), lambda: getattr(box, name), lambda: delattr(box, name),
        lambda: delattr(box, name), lambda: getattr(Derived, name, None),
    ):  # fmt: skip
        try:
            log.append(act())
        except (AttributeError, TypeError) as error:
            log.append(error)
    return [entry for entry in log if not isinstance(entry, types.MethodType)], box


@same((1,), (2,))
def test_missing_attribute_leaves(x):
    box = Base(x)
    box.x = [x]
    print(box.x)
    box.x.append(box.missing)
    return box


@same((Derived(1),), (Base(2),), (Derived(3),))
def test_attributes_of_an_argument(box):
    box.x = [box.x, box.number]
    box.new = box.method()
    try:
        del box.new, box.absent
    except AttributeError as error:
        return error, vars(box)


@same((1,), (2,))
def test_slots(x):
    box = Slots()
    log = []
    box.a = x
    for act in (
        lambda: box.a,
        lambda: box.b,
        lambda: setattr(box, "b", [x]),
        lambda: box.b,
        lambda: delattr(box, "a"),
        lambda: box.a,
        lambda: delattr(box, "a"),
        lambda: setattr(box, "c", 1),
        lambda: box.constant,
        lambda: setattr(box, "constant", 2),
        lambda: box.__dict__,
        lambda: Slots.a.__get__(box),
        lambda: hasattr(box, "a"),
    ):
        try:
            log.append(act())
        except AttributeError as error:
            log.append(error)
    return log, box


@same(("a",), ("no",), ("log",))
def test_getattr_method(name):
    box = Dynamic()
    log = []
    try:
        log.append(box.some)
        log.append(getattr(box, name, "default"))
        log.append(hasattr(box, "nope"))
        box.some = "set"
        log.append(box.some)
        log.append(box.no_more)
    except AttributeError as error:
        log.append(error.args)
    return log, box.log


@same((1,), ("refused",))
def test_all_access_methods(x):
    box = Guarded()
    try:
        box.a = "fine"
        box.b = x
        box.a += "!"
        del box.a
        return box.a
    except (AttributeError, ValueError) as error:
        return error, box


@same((1,), (2,))
def test_dict_of_an_instance(x):
    box = Base(x)
    box.__dict__["y"] = "through the dict"
    log = [box.y, vars(box) is box.__dict__, list(vars(box))]
    box.__dict__.update(x="updated", z=3)
    log.append((box.x, box.z))
    del box.__dict__["x"]
    log.append(hasattr(box, "x"))
    box.__dict__ = {"x": "replaced"}
    log.append((box.x, vars(box), hasattr(box, "y")))
    try:
        box.__dict__ = x
    except TypeError as error:
        log.append(error.args)
    return log, box


@same((1,), (2,))
def test_class_of_an_instance_changes(x):
    box = Base(x)
    first = box.method()
    box.__class__ = Derived
    log = [first, box.method(), type(box) is Derived, isinstance(box, Base), box.number]
    try:
        box.__class__ = int
    except TypeError as error:
        log.append(error.args)
    return log


@same((1,), (2,))
def test_attributes_of_classes(x):
    Base.added = [x]
    Base.shared.append(x)
    Derived.added.append("via derived")
    box = Derived(x)
    setattr(Derived, "late", lambda self: self.added)
    log = [box.added, box.late(), Base.added is Derived.added, "added" in vars(Derived), "late" in vars(Derived)]
    Base.__getattr__ = lambda self, name: ("dynamic", name)
    log.append(box.anything)
    del Base.__getattr__, Base.added
    log.append(hasattr(box, "anything"))
    return log


@pytest.mark.parametrize("value", [5, "text", None, [1], (1,), 1.5, int], ids=repr)
def test_attributes_of_builtin_objects(value):
    def program(x):
        log = []
        for name in ("__class__", "__doc__", "real", "args", "append", "upper", "nothing", "__name__", "__module__"):
            try:
                found = getattr(value, name)
                log.append((name, type(found).__name__))
                setattr(value, name, x)
            except (AttributeError, TypeError) as error:
                log.append(error.args)
        return log

    check(program, (1,), (2,))


def make_module():
    module = types.ModuleType("made")
    module.value = [1]
    module.__getattr__ = lambda name: journal.append(name) or name * 2
    return module


@same(lambda: arguments(make_module(), 1), lambda: arguments(make_module(), 2))
def test_attributes_of_modules(module, x):
    log = [module.value, module.dynamic]
    module.dynamic = x
    module.value = [module.dynamic]
    log.append((module.dynamic, module.value, module.__name__, hasattr(module, "other")))
    del module.dynamic
    log.append(module.dynamic)
    empty = types.ModuleType("empty", "doc")
    try:
        log.append(empty.nothing)
    except AttributeError as error:
        log.append(error)
    return log, journal


@same((1,), (2,))
def test_order_of_diamond(x):
    class A:
        def who(self):
            return ["A"]

    class B(A):
        def who(self):
            return ["B", *super().who()]

    class C(A):
        def who(self):
            return ["C", *super().who()]

        only = "C"

    class D(B, C):
        pass

    return D().who(), [cls.__name__ for cls in D.__mro__], D.only, D().only, isinstance(D(), C), issubclass(D, A)


@same((1,), (2,))
def test_private_names(x):
    class Box:
        __hidden = "class"

        def __init__(self):
            self.__value = x

        def get(self):
            return self.__value, self.__hidden, [n for n in vars(self)]

    box = Box()
    return box.get(), box._Box__value, hasattr(box, "__value"), vars(box)
