"""Class statements inside functions: Python makes the class, with one break for each; what is around them is traced."""

from __future__ import annotations

import builtins

import symexec
from tests.interpreter.captures import ALWAYS, compiled
from tests.support import assert_same
from tests.support.same import arguments


class Meta(type):
    def __new__(mcs, name, bases, namespace, **keywords):
        made = super().__new__(mcs, name, bases, namespace)
        made.given = keywords
        return made

    def __init__(cls, name, bases, namespace, **keywords):
        super().__init__(name, bases, namespace)


class Named:
    def __set_name__(self, owner, name):
        self.name = owner.__name__, name


class Registry:
    found = []

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__()
        cls.found = [*cls.found, cls.__name__, keywords]


def plain(x):
    total = x * 2

    class Local:
        value = total

        def method(self, more=x):
            return __class__.__name__, self.value + more

    return Local().method(), Local.method(Local(), 1), Local.__qualname__


def with_everything(x):
    def decorate(cls):
        cls.decorated = x
        return cls

    @decorate
    class Local(Registry, metaclass=Meta, key=x):
        name = Named()
        count: int = x

        class Inner:
            inner = "inner"

        def above(self):
            return super().__init__()

    made = Local()
    return made.above(), made.name.name, Local.given, Local.decorated, Local.Inner.inner, Local.count


def in_order(x):
    order = []
    order.append("before")

    class Local:
        order.append("inside")
        value = order.append("value")

    order.append("after")
    return order, Local.value, x


def failing(x):
    order = [x]

    class Local:
        order.append("inside")
        value = order.missing

    return Local


def breaks_of(function, *calls):
    return [reason.code for reason in symexec.stats(assert_same(function, *calls, transform=compiled)).breaks]


def call(x):
    return lambda: arguments(x)


def test_one_break_for_each_statement():
    assert breaks_of(plain, call(1))[:1] == ["SX1021"]
    assert set(breaks_of(in_order, call(1))) == {"SX1021"}
    assert "SX1021" in breaks_of(with_everything, call(1))
    assert_same(failing, call(1), transform=compiled)


def another(monkeypatch, where):
    names = []
    original = builtins.__build_class__

    def spy(function, name, *rest, **keywords):
        names.append(name)
        return original(function, name, *rest, **keywords)

    monkeypatch.setitem(where, "__build_class__", spy)
    return names


def test_another_way_to_make_classes(monkeypatch):
    found = symexec.compile(in_order, config=ALWAYS)
    expected = found(1)
    assert found(1) == expected
    with monkeypatch.context() as patch:
        names = another(patch, vars(builtins))
        assert found(1) == expected
        assert names == ["Local"]
    with monkeypatch.context() as patch:
        names = another(patch, globals())
        assert found(1) == expected
        assert names == []
    assert found(1) == expected
