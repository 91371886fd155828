"""Messages call a class what CPython calls it: C types with their module, and classes as they are named by then."""

from __future__ import annotations

from collections import OrderedDict, deque

import pytest

import symexec
from symexec.config import Config
from tests.support import arguments, assert_same


def told(action, thing):
    try:
        action(thing)
    except (AttributeError, TypeError) as error:
        return error.args


def load(thing):
    return thing.missing


def delete(thing):
    del thing.missing


def ask_length(thing):
    return len(thing)


def loop(thing):
    for _ in thing:
        pass


def call(thing):
    return thing()


def go_back(thing):
    return reversed(thing)


def make_wrongly(thing):
    return type(thing)(1, 2, 3)


def load_from_class(thing):
    return type(thing).lost


def star(thing):
    return [*thing]


def double_star(thing):
    return {**thing}


def unpack(thing):
    one, two = thing
    return one, two


def get_item(thing):
    return thing[1]


def set_item(thing):
    thing[1] = 2


def enter(thing):
    with thing:
        pass


def step(thing):
    return next(thing)


def add(thing):
    return thing + 1


def compare(thing):
    return thing < thing


def negate(thing):
    return -thing


def contain(thing):
    return 1 in thing


def as_index(thing):
    return [1][thing]


def convert(thing):
    return int(thing)


def as_float(thing):
    return float(thing)


def magnitude(thing):
    return abs(thing)


def shape(thing):
    return format(thing, "5")


def spread(thing):
    return max(*thing)


def name_parts(thing):
    return dict(**thing)


def join(thing):
    return "".join([thing])


def await_(thing):
    async def inner():
        await thing

    inner().send(None)


def sort(thing):
    return sorted([thing, thing])


def set_without_setter(thing):
    thing.fixed = 1


def set_slot_method(thing):
    thing.method = 1


ACTIONS = [
    load, delete, ask_length, loop, call, go_back, make_wrongly, load_from_class, star, double_star, unpack,
    set_without_setter, set_slot_method, get_item, set_item, enter, step, add, compare, negate, contain, as_index,
    convert, as_float, magnitude, shape, spread, name_parts, join, await_, sort,
]  # fmt: skip


def compiled_told(action):
    def asked(thing):
        return told(action, thing)

    return asked, symexec.compile(asked, domains=["scalars"], config=Config(strict=True, install="always"))


@pytest.mark.parametrize("action", [load, call])
@pytest.mark.parametrize("thing", [deque([1]), OrderedDict(a=1)], ids=["deque", "OrderedDict"])
def test_types_written_in_c(action, thing) -> None:
    def asked(thing):
        return told(action, thing)

    assert_same(asked, lambda: arguments(thing))


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("slots", [False, True])
def test_classes_that_are_renamed(action, slots: bool) -> None:
    class Plain:
        fixed = property(lambda self: 5)

    class Slotted:
        __slots__ = ("missing",)
        fixed = property(lambda self: 5)

        def method(self):
            return 5

    class_ = Slotted if slots else Plain
    asked, compiled = compiled_told(action)
    for name in (class_.__name__, class_.__name__, "Renamed", "Renamed", "Again"):
        class_.__name__ = name
        class_.__qualname__ = f"a {name}"
        assert compiled(class_()) == asked(class_())


def test_objects_that_are_not_made_as_they_should() -> None:
    class Result:
        pass

    class Wrong:
        def __init__(self):
            return Result()  # noqa: PLE0101

    asked, compiled = compiled_told(lambda class_: class_())
    for name in ("Result", "Result", "Renamed", "Again"):
        Result.__name__ = name
        assert compiled(Wrong) == asked(Wrong)
        assert name in compiled(Wrong)[0]


@pytest.mark.parametrize("length", [49, 50, 51, 100, 101, 201])
@pytest.mark.parametrize("action", ACTIONS)
def test_long_names_are_cut_as_in_python(action, length: int) -> None:
    asked, compiled = compiled_told(action)
    thing = type("N" * length, (), {})()
    for _ in range(3):
        assert compiled(thing) == asked(thing)


def test_a_metaclass_with_names_of_its_own() -> None:
    class Meta(type):
        __name__ = "other"

    class Named(metaclass=Meta):
        pass

    asked, compiled = compiled_told(load)
    for _ in range(3):
        assert compiled(Named()) == asked(Named())


def test_messages_are_told_without_a_break() -> None:
    class Plain:
        pass

    def asked(thing):
        try:
            return thing.missing
        except AttributeError as error:
            return error.args

    compiled = symexec.compile(asked, domains=["scalars"], config=Config(strict=True, install="always"))
    for _ in range(3):
        compiled(Plain())
    assert symexec.stats(compiled).breaks == ()
    assert symexec.stats(compiled).traces == 1


def test_functions_that_are_renamed() -> None:
    def one(value):
        return value

    asked, compiled = compiled_told(lambda function: function(1, 2))
    for name in ("one", "one", "renamed", "again"):
        one.__qualname__ = name
        assert compiled(one) == asked(one)
        assert name in compiled(one)[0]
