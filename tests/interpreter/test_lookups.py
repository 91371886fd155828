"""Attribute lookups that run Python code: descriptors, `__getattr__`, `__getattribute__`, `__setattr__`, `__dict__`.

Each function runs as written and compiled, and the compiled one has no break.
"""

from __future__ import annotations

import functools
import types

import pytest

import symexec
from tests.support import arguments, assert_same

ALWAYS = symexec.Config(install="always", strict=True)


def compiled(function):
    return symexec.compile(function, config=ALWAYS)


def assert_whole(function, *calls):
    """The same as written and compiled, in one trace to the return."""
    found = assert_same(function, *(calls or (arguments,)) * 3, transform=compiled)
    assert symexec.stats(found).breaks == ()
    assert symexec.stats(found).traces


class Typed:
    """A data descriptor that keeps its value in the instance's dict."""

    def __init__(self, kind):
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return instance.__dict__.get(self.name, self.kind())

    def __set__(self, instance, value):
        instance.__dict__[self.name] = self.kind(value)

    def __delete__(self, instance):
        del instance.__dict__[self.name]


class Through:
    """A data descriptor that keeps its value under another name."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name)

    def __set__(self, instance, value):
        setattr(instance, self.name, value + 1)

    def __delete__(self, instance):
        delattr(instance, self.name)


class NonData:
    def __get__(self, instance, owner):
        return (instance is None, owner)


class SetOnly:
    def __set__(self, instance, value):
        instance.__dict__["set_only"] = [value]


class Described:
    size = Typed(int)
    count = Through()
    owner = NonData()
    set_only = SetOnly()

    def __init__(self):
        self.count = 3

    @functools.cached_property
    def ten(self):
        return self.count * 10


class Inheriting(Described):
    pass


@pytest.mark.parametrize("make", [Described, Inheriting])
def test_descriptors(make):
    def get(o):
        return o.count, o.owner, o.size

    def write(o):
        o.size = "5"
        o.count = 10
        return o.size, o.count, o.__dict__["_size"]

    def delete(o):
        o.size = 5
        del o.count
        del o.size
        return hasattr(o, "_count"), o.size

    def hides(o):
        o.__dict__["owner"] = 1
        o.__dict__["count"] = 2
        return o.owner, o.count

    def only(o):
        o.set_only = 5
        return o.set_only

    for function in (get, write, delete, hides, only):
        assert_whole(function, lambda: arguments(make()))


def test_descriptors_of_made_objects():
    def function():
        o = Described()
        o.count += 1
        o.size = 7
        return o.count, o, o.__dict__, o.owner

    def cached():
        o = Described()
        return o.ten + o.ten, o, vars(o)

    assert_whole(function)
    assert_whole(cached)


def test_what_a_cached_property_computed_is_read():
    def make():
        o = Described()
        assert o.ten == 40
        return arguments(o)

    assert_whole(lambda o: o.ten, make)
    assert_same(lambda o: o.ten + o.ten, lambda: arguments(Described()), transform=compiled)


def test_a_descriptor_that_is_replaced():
    class Holder:
        value = NonData()

    class Other:
        def __get__(self, instance, owner):
            return "other"

    def function(o):
        return o.value

    again = compiled(function)
    assert [again(Holder()) for _ in range(3)] == [(False, Holder)] * 3
    Holder.value = Other()
    assert again(Holder()) == "other"
    Other.__set__ = lambda *_: None
    o = Holder()
    o.__dict__["value"] = "hidden"
    assert again(o) == "other"
    del Other.__set__
    assert again(o) == "hidden"
    del Holder.value
    assert again(o) == "hidden"
    with pytest.raises(AttributeError):
        again(Holder())


class Fallback:
    def __init__(self):
        self.entries = {"x": 1}

    def __getattr__(self, name):
        return self.entries[name]

    def method(self):
        return self.entries

    @property
    def prop(self):
        return self.x


class Interceptor:
    def __init__(self):
        self.n = 1

    def __getattribute__(self, name):
        if name == "magic":
            return 42
        return object.__getattribute__(self, name)

    def method(self):
        return self.n


class Both(Interceptor):
    __slots__ = ("slot",)

    def __getattr__(self, name):
        return name


def test_fallbacks():
    def function(o):
        o.y = 2
        return o.x, o.entries, o.method(), o.prop, o.y

    def made():
        o = Fallback()
        return o.x, o

    assert_whole(function, lambda: arguments(Fallback()))
    assert_whole(made)


def test_own_lookups():
    def function(o):
        o.k = o.magic + o.n
        return o.k, o.method(), o.__class__, o.__dict__

    def in_slot(o):
        o.m = o.slot
        return o.m, o.n, o.method()

    def make():
        both = Both()
        both.slot = 5
        return arguments(both)

    assert_whole(function, lambda: arguments(Interceptor()))
    assert_whole(function, lambda: arguments(Both()))
    assert_whole(in_slot, make)


class Logged:
    def __init__(self):
        self.log = []

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != "log":
            self.log.append(name)

    def __delattr__(self, name):
        self.log.append(name)
        object.__delattr__(self, name)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        object.__setattr__(self, "a", 1)


def test_stores_and_deletes_of_the_class():
    def function(o):
        o.x = 1
        o.y = 2
        del o.x
        return o.log, o.y

    def made():
        o = Logged()
        o.x = 1
        return o

    def slots():
        o = Slotted()
        o.b = 2
        del o.a
        return o, hasattr(o, "a")

    assert_whole(function, lambda: arguments(Logged()))
    assert_whole(made)
    assert_whole(slots)


def test_deleting_a_property():
    class Held:
        def __init__(self):
            self.v = 1

        @property
        def value(self):
            return self.v

        @value.deleter
        def value(self):
            del self.v

    def function(o):
        before = o.value
        del o.value
        return before, hasattr(o, "v")

    assert_whole(function, lambda: arguments(Held()))


class Plain:
    kind = "plain"

    def __init__(self, x=1):
        self.x = x

    def method(self):
        return self.x


def test_dicts_of_instances():
    def read(o):
        return o.__dict__, o.__dict__["x"], "y" in vars(o), len(vars(o)), list(o.__dict__.items())

    def write(o):
        o.y = 2
        o.__dict__["z"] = o.y + o.__dict__["y"]
        o.__dict__["method"] = 5
        o.x += 1
        del o.__dict__["y"]
        return o.z, o.method, o.x, hasattr(o, "y"), list(o.__dict__)

    def update(o):
        o.__dict__.update(x=3, w=4)
        return o.x, o.w

    def made():
        o = Plain(4)
        d = o.__dict__
        d["y"] = o.x
        o.z = len(d)
        del o.x
        return o, d, d is o.__dict__, vars(o) is d, sorted(d)

    def cyclic():
        o = Plain(4)
        o.__dict__["me"] = o
        return o.me, o.me.__dict__

    for function in (read, write, update):
        assert_whole(function, lambda: arguments(Plain()))
        assert_whole(function, lambda: arguments(types.SimpleNamespace(x=1)))
    assert_whole(made)
    assert_whole(cyclic)


def test_a_dict_that_is_an_instances_own():
    def by_key(o, d):
        d["x"] = 5
        return o.x

    def by_attribute(o, d):
        o.x = 5
        return d["x"]

    def whole(o, d):
        o.y = 5
        return len(d), list(d)

    def new(o, d):
        o.q = 5
        d["r"] = 6
        return d.get("q"), hasattr(o, "r")

    def make_alias():
        o = Plain()
        return arguments(o, o.__dict__)

    def make_apart():
        return arguments(Plain(), {"x": 1})

    def make_similar():
        return arguments(Plain(), {"x": 1, "y": 2})

    for function in (by_key, by_attribute, whole, new):
        for calls in (
            (make_apart, make_apart, make_alias, make_similar, make_alias),
            (make_alias, make_alias, make_apart, make_similar, make_apart),
        ):
            assert_same(function, *calls, transform=compiled)
    for function in (by_key, by_attribute, whole, new):
        assert_whole(function, make_apart)


def test_after_a_break_the_dict_is_still_the_instances_own():
    def function(o):
        d = o.__dict__
        symexec.graph_break()
        d["x"] = 7
        o.w = 1
        return o.x, d["w"], len(d)

    assert_same(function, *[lambda: arguments(Plain())] * 4, transform=compiled)


def test_what_is_read_and_not_used_is_there():
    def attribute(o):
        o.x
        return 1

    def whether(o):
        return hasattr(o, "x")

    def method(o):
        o.method
        return 1

    def in_module(module):
        module.x
        return 1

    def of_name():
        PROBE  # noqa: F821
        return 1

    def without(make):
        o = make()
        del o.x
        return arguments(o)

    for function, make in (
        (attribute, Plain),
        (whether, Plain),
        (method, Plain),
        (in_module, lambda: types.SimpleNamespace(x=1)),
    ):
        with_it = lambda make=make: arguments(make())
        assert_same(function, with_it, with_it, lambda make=make: without(make), transform=compiled)
    module, again = types.ModuleType("m"), compiled(in_module)
    module.x = 1
    assert [again(module), again(module)] == [1, 1]
    del module.x
    with pytest.raises(AttributeError):
        again(module)
    globals()["PROBE"], again = 1, compiled(of_name)
    assert [again(), again()] == [1, 1]
    del globals()["PROBE"]
    with pytest.raises(NameError):
        again()


def test_an_empty_cell_is_not_read():
    def make(value):
        held = value

        def function():
            held
            return 1

        def empty():
            nonlocal held
            del held

        return function, empty

    function, empty = make(5)
    again = compiled(function)
    assert [again(), again()] == [1, 1]
    empty()
    with pytest.raises(NameError):
        again()


def test_bound_methods_are_compared():
    def function(a, b):
        method = a.method
        return method == a.method, method != a.method, a.method == b.method, method is a.method, [method] == [a.method]

    def made():
        a = Plain()
        return a.method == a.method, a.method == Plain().method, a.method.__self__ is a, a.method.__func__

    assert_whole(function, lambda: arguments(Plain(), Plain()))
    assert_whole(made)
    both = Plain()
    again = compiled(function)
    for args in ((both, Plain()), (both, Plain()), (both, both), (both, Plain()), (both, both)):
        assert again(*args) == function(*args)


def module_with_fallback():
    module = types.ModuleType("with_fallback")
    source = """
asked = []
here = 5
def __getattr__(name):
    asked.append(name)
    if name.startswith("lazy"):
        return name.upper()
    raise AttributeError(f"nothing like {name}")
"""
    exec(source, module.__dict__)
    return module


def test_modules_that_compute_attributes():
    def program(module):
        found = module.here, module.lazy_one, module.lazy_two, getattr(module, "other", 3), hasattr(module, "lazy")
        try:
            module.absent
        except AttributeError as error:
            return found, error.args, module.asked

    assert_whole(program, lambda: arguments(module_with_fallback()))


def test_attributes_that_a_module_gets_and_loses():
    def program(module):
        return module.lazy, module.here

    found = symexec.compile(program, config=ALWAYS)
    module = module_with_fallback()
    assert [found(module), found(module)] == [("LAZY", 5)] * 2
    module.lazy = "eager"
    assert [found(module), found(module)] == [("eager", 5)] * 2
    del module.lazy
    module.__getattr__ = lambda name: 7
    assert [found(module), found(module)] == [(7, 5)] * 2
    del module.__getattr__
    with pytest.raises(AttributeError, match="module 'with_fallback' has no attribute 'lazy'"):
        found(module)
