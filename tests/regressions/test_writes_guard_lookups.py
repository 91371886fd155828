"""A store reads what it replaces: before that load, guards say that the class looks attributes up as `object` does."""

from __future__ import annotations

import symexec
from symexec.config import Config


class Plain:
    def __init__(self, x):
        self.x = x


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


def adding(thing):
    thing.x += print() or 5


def storing(thing, value):
    thing.x = value


def deleting(thing):
    del thing.x


def count_lookups(class_, function, *args):
    """How often attributes of the thing are looked up in a call, once its class has a lookup of its own."""
    log = []

    class Thing(class_):
        __slots__ = ()

    compiled = symexec.compile(function, config=Config(strict=True, install="always"), domains=["scalars"])
    for _ in range(2):
        compiled(Thing(1), *args)
    Thing.__getattribute__ = lambda self, name: log.append(name) or object.__getattribute__(self, name)
    compiled(Thing(1), *args)
    return log


def test_a_guard_of_a_store_runs_no_lookup_of_the_class() -> None:
    for class_ in (Plain, Slotted):
        assert count_lookups(class_, adding) == ["x"]
        assert count_lookups(class_, storing, 3) == []
        assert count_lookups(class_, deleting) == []
