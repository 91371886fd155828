"""The texts of objects that format themselves."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field

from tests.interpreter.test_lookups import assert_whole, compiled
from tests.support import arguments, assert_same


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __repr__(self):
        return f"Point({self.x!r}, {self.y!r})"

    def __str__(self):
        return f"<{self.x}>"

    def __format__(self, spec):
        return f"{self.x}[{spec}]"


class OnlyRepr:
    def __repr__(self):
        return "only é"


class NoText:
    def __str__(self):
        return 5  # noqa: PLE0307 (what it is for)

    def __format__(self, spec):
        return 5


class Raising:
    def __repr__(self):
        raise ValueError("no text")


@dataclass
class Data:
    x: object
    y: list = field(default_factory=list)


@dataclass
class Deep(Data):
    z: object = None


class Listing:
    def __init__(self, *items):
        self.items = items

    @reprlib.recursive_repr()
    def __repr__(self):
        return "Listing(" + ", ".join([repr(item) for item in self.items]) + ")"


def make_point():
    return arguments(Point(1, "b"))


def test_methods_of_the_class():
    def conversions(o):
        return repr(o), str(o), f"{o!r} {o!s} {o!a}", ascii(o)

    def formats(o):
        return f"{o}", f"{o:>3}", format(o, "q"), format(o)

    assert_whole(conversions, make_point)
    assert_whole(formats, make_point)
    assert_whole(lambda o: f"{o} {o!r} {o!a} {o!s}", lambda: arguments(OnlyRepr()))


def test_containers_of_the_trace():
    def function(a, b):
        return repr([a, b]), str({"k": a, 2: [b]}), f"{(a,)} {(a, b)} {[]}"

    assert_whole(function, lambda: arguments(Point(1, 2), OnlyRepr()))


def test_containers_that_were_there_before_and_such_that_contain_themselves():
    def existing(items):
        return repr(items)

    def cyclic():
        items = [OnlyRepr()]
        items.append(items)
        return repr(items)

    assert_same(existing, *[lambda: arguments([OnlyRepr(), 1])] * 3, transform=compiled)
    assert_same(cyclic, transform=compiled)


def test_what_a_text_within_another_is():
    def repr_of(self):
        return "marked" if self.busy else self.inside()

    def inside(self):
        self.busy = True
        text = f"{self.items}"
        self.busy = False
        return text

    class Marked:
        def __init__(self):
            self.busy = False
            self.items = [self]

    Marked.inside = compiled(inside)
    Marked.__repr__ = repr_of
    marked = Marked()
    for _ in range(4):
        assert repr(marked) == "[marked]"
        assert repr(marked.items) == "[[...]]"


def test_dataclasses():
    def made():
        return repr(Data(1)), f"{Deep(Data('a'), [1], z=(2,))}"

    def existing(o):
        return repr(o), str(o)

    assert_whole(made)
    assert_whole(existing, lambda: arguments(Data(3)))
    assert_whole(existing, lambda: arguments(Listing(1, Listing())))

    def cyclic():
        data = Data(1)
        data.x = data
        return repr(data)

    assert_same(cyclic, transform=compiled)


def test_what_is_no_text():
    for function in (str, format, lambda o: f"{o}", lambda o: f"{o:3}"):
        assert_same(lambda o, function=function: function(o), *[lambda: arguments(NoText())] * 3, transform=compiled)
    assert_same(lambda o: f"{o:3}", *[lambda: arguments(OnlyRepr())] * 3, transform=compiled)


def test_exceptions_of_texts_are_caught():
    def function(o):
        try:
            return f"{o}"
        except ValueError as error:
            return error.args

    assert_whole(function, lambda: arguments(Raising()))
