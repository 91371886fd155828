"""`match` in full: every kind of pattern, as written and compiled, and captured."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import enum
import types

import pytest

import symexec
from tests.interpreter.captures import ALWAYS, assert_captured, compiled
from tests.support import assert_same
from tests.support.same import arguments


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


class Plain:
    def __init__(self, value):
        self.value = value


class Sub(Point):
    pass


class Three(Point):
    __match_args__ = ("x", "y", "z")

    @property
    def z(self):
        return self.x * self.y


class Hiding:
    __match_args__ = ("seen", "hidden")
    seen = 1

    @property
    def hidden(self):
        return self.missing


class ListOfNames:
    __match_args__ = ["a"]
    a = 1


class NoNames:
    __match_args__ = (1,)


class Number(int):
    pass


class Own(int):
    __match_args__ = ("real",)


class Twice:
    __match_args__ = ("a", "a")
    a = 1


@dataclasses.dataclass
class Item:
    name: str
    price: float
    tags: list = dataclasses.field(default_factory=list)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Constants:
    ONE = 1
    WORD = "word"
    PAIR = (1, 2)


class Lookup:
    """A mapping by registration, with a `get` in Python."""

    def __init__(self, **given):
        self.given = given
        self.asked = []

    def __len__(self):
        return 5

    def get(self, key, default=None):
        self.asked.append(key)
        return self.given.get(key, default)


collections.abc.Mapping.register(Lookup)


class Row:
    """A sequence by registration."""

    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


collections.abc.Sequence.register(Row)


class Loose:
    """What looks like a sequence, and is none."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return (1, 2)[index]


def classes(value):
    match value:
        case Point(0, 0):
            return "origin"
        case Point(x, y=0):
            return "on x", x
        case Point(x=0, y=y):
            return "on y", y
        case Point(x, y) if x == y:
            return "diagonal", x
        case Point():
            return "point", value
        case Plain(value=Point(a, b)):
            return "plain", a, b
        case Plain(value=v, other=_):
            return "other", v
        case Plain(value=v):
            return v
    return None


def builtin_types(value):
    match value:
        case bool(b):
            return "bool", b
        case int(i) | float(i):
            return "number", i
        case str(s):
            return "str", s
        case bytes() as b:
            return "bytes", b
        case list([first, *rest]):
            return "list", first, rest
        case list() as empty:
            return "empty", empty
        case tuple((a, b)):
            return "pair", a, b
        case tuple(t):
            return "tuple", t
        case dict(d):
            return "dict", d
        case set(s) | frozenset(s):
            return "set", s
        case None:
            return "none"
    return "else"


def sequences(value):
    match value:
        case []:
            return "empty"
        case [1]:
            return "one"
        case [x]:
            return "single", x
        case [1, *rest]:
            return "from one", rest
        case [*init, 9]:
            return "to nine", init
        case [a, *_, b] if a == b:
            return "ends", a
        case (a, [b, [c, *_]], *_):
            return "nested", a, b, c
        case [_, *middle, _]:
            return "middle", middle
    return "else"


def mappings(value):
    match value:
        case {"kind": "circle", "radius": r}:
            return "circle", r
        case {"kind": "square", "side": side, **rest}:
            return "square", side, rest
        case {1: x, 0: y} if x is y:
            return "never"
        case {"a": {"b": [c, *_]}}:
            return "deep", c
        case {"kind": kind, **rest} if not rest:
            return "only", kind
        case {None: x}:
            return "none", x
        case {}:
            return "mapping"
    return "else"


def values(value):
    match value:
        case Colour.RED:
            return "red"
        case Colour.BLUE | Constants.ONE:
            return "blue or one"
        case Constants.WORD as word:
            return word
        case Constants.PAIR:
            return "pair"
        case -1 | 2.5 | 1j | "text" | b"bytes" | True:
            return "literal"
        case (Colour.RED | Colour.BLUE) as colour, *_:
            return colour
    return "else"


def captures(value):
    match value:
        case [Point(x=a) as first, {"k": (1 | 2) as b}] as whole:
            return a, first, b, whole
        case [("go", direction)] | [direction]:
            return direction
        case x:
            return x


def items(value):
    match value:
        case Item("free", 0.0):
            return "free"
        case Item(name, price, [first, *_]):
            return name, price, first
        case Item(name=name):
            return name


POINTS = [Point(0, 0), Point(3, 0), Point(0, 4), Point(2, 2), Point(1, 2), Sub(0, 0), Three(5, 0)]
CASES = [
    (classes, [*POINTS, Plain(Point(1, 2)), Plain(3), 3, None, Point]),
    (builtin_types, [True, 3, 2.5, "s", b"b", [1, 2], [], (1, 2), (1,), {"a": 1}, {1}, frozenset(), None, 1j, int]),
    (sequences, [[], [1], [2], (1, 2, 3), [1, 9], [2, 9], [5, 6, 5], (1, [2, [3, 4]]), [1.5, 2, 3], "ab", b"ab", {1}]),
    (sequences, [range(0), range(1, 4), None, {0: 1}, [2, 3]]),
    (mappings, [{"kind": "circle", "radius": 2}, {"kind": "square", "side": 1, "x": 2}, {"kind": 7}, {}, {"z": 1}]),
    (mappings, [{"a": {"b": [1, 2]}}, {"a": {"b": []}}, {None: 5}, {1: 2}, {"kind": "circle"}, [], "kind", None]),
    (values, [Colour.RED, Colour.BLUE, 1, "word", (1, 2), -1, 2.5, 1j, "text", b"bytes", True, [], None]),
    (values, [(Colour.BLUE, 1), (Colour.RED,), (1, Colour.RED)]),
    (captures, [[Point(1, 2), {"k": 1}], [("go", "n")], ["s"], [Point(1, 2), {"k": 3}], 5]),
    (items, [Item("free", 0.0), Item("a", 1.0, ["t"]), Item("b", 2.0)]),
]


EACH = [
    pytest.param(function, subject, id=f"{function.__name__}-{index}-{place}")
    for index, (function, subjects) in enumerate(CASES)
    for place, subject in enumerate(subjects)
]


@pytest.mark.parametrize(("function", "subject"), EACH)
def test_matches_are_captured(function, subject):
    assert_captured(function, lambda: arguments(subject))


@pytest.mark.parametrize("index", range(len(CASES)))
def test_one_after_the_other(index):
    function, subjects = CASES[index]
    assert_same(function, *[lambda subject=subject: arguments(subject) for subject in subjects], transform=compiled)


def hidden(value):
    match value:
        case Hiding(1, hidden=_):
            return "both"
        case Hiding(seen):
            return seen


def by_keys(value):
    match value:
        case {"a": 1, "b": b}:
            return b
        case {"c": c}:
            return c
    return "else"


def rows(value):
    match value:
        case [a, b]:
            return a, b
        case [*_]:
            return "row"
    return "no sequence"


def numbers(value):
    match value:
        case Number(n):
            return "number", n
        case int(n):
            return "int", n
        case Colour(_value_=n):
            return "colour", n


def test_attributes_that_are_computed_or_not_there():
    assert_same(hidden, lambda: arguments(Hiding()), transform=compiled)


def test_subclasses_of_builtin_types_match_themselves():
    assert_captured(numbers, lambda: arguments(Number(3)), lambda: arguments(4))
    assert_captured(numbers, lambda: arguments(Colour.RED))


def test_registered_mappings_are_asked_by_their_own_get():
    for given in ({"a": 1, "b": 2}, {"a": 2, "c": 3}, {"a": 1, "c": 4}, {}):
        assert_captured(by_keys, lambda given=given: arguments(Lookup(**given)))


def test_missing_keys_are_never_made():
    found = collections.defaultdict(list, a=1)
    assert_same(by_keys, lambda: arguments(found), transform=compiled)
    assert dict(found) == {"a": 1}
    assert_same(by_keys, lambda: arguments(types.MappingProxyType({"c": 1})), transform=compiled)
    assert_same(by_keys, lambda: arguments(collections.Counter("ccd")), transform=compiled)
    assert_same(by_keys, lambda: arguments(collections.OrderedDict(c=1)), transform=compiled)
    assert_same(by_keys, lambda: arguments(collections.ChainMap({"c": 1}, {"a": 1})), transform=compiled)


def test_registered_sequences():
    assert_same(rows, lambda: arguments(Row(1, 2)), lambda: arguments(Row()), transform=compiled)
    assert_captured(rows, lambda: arguments(Loose()))
    assert_same(rows, lambda: arguments(collections.deque([1, 2])), transform=compiled)
    assert_same(rows, lambda: arguments(memoryview(b"ab")), lambda: arguments(bytearray(b"ab")), transform=compiled)


def test_what_counts_as_a_sequence_may_change():
    class Later:
        def __len__(self):
            return 0

    function = symexec.compile(rows, config=ALWAYS)
    later = Later()
    assert [function(later), function(later)] == ["no sequence"] * 2
    assert symexec.stats(function).traces == 1
    collections.abc.Sequence.register(Later)
    assert [function(later), function(later), rows(later)] == ["row"] * 3


def test_what_positional_patterns_stand_for_may_change():
    class Pair:
        __match_args__ = ("a", "b")
        a, b = 1, 2

    def function(value):
        match value:
            case Pair(first):
                return first

    found = symexec.compile(function, config=ALWAYS)
    assert [found(Pair()), found(Pair())] == [1, 1]
    assert symexec.stats(found).breaks == ()
    Pair.__match_args__ = ("b",)
    assert [found(Pair()), found(Pair())] == [2, 2]
    del Pair.__match_args__
    with pytest.raises(TypeError, match=r"Pair\(\) accepts 0 positional sub-patterns \(1 given\)"):
        found(Pair())


def too_many(value):
    match value:
        case Point(1, 2, 3):
            return 1


def not_a_tuple(value):
    match value:
        case ListOfNames(1):
            return 1


def not_a_name(value):
    match value:
        case NoNames(1):
            return 1


def repeated(value):
    match value:
        case Point(1, x=2):
            return 1


def repeated_names(value):
    match value:
        case Twice(1, 1):
            return 1


def plain_takes_none(value):
    match value:
        case Plain(1):
            return 1


def queue_takes_none(value):
    match value:
        case collections.deque(1):
            return 1


def two_numbers(value):
    match value:
        case int(1, 2):
            return 1


def no_class(value):
    match value:
        case no_class.__name__():
            return 1


def twice_the_key(value):
    match value:
        case {Constants.ONE: 1, Colour.RED.value: 1}:
            return 1


def union(value):
    kinds = types.SimpleNamespace(both=int | str)
    match value:
        case kinds.both():
            return 1


ERRORS = [
    (too_many, Point(1, 2)),
    (not_a_tuple, ListOfNames()),
    (not_a_name, NoNames()),
    (repeated, Point(1, 2)),
    (repeated_names, Twice()),
    (plain_takes_none, Plain(1)),
    (queue_takes_none, collections.deque()),
    (two_numbers, 1),
    (no_class, 1),
    (twice_the_key, {1: 1}),
    (union, 1),
]


@pytest.mark.parametrize(("function", "subject"), ERRORS, ids=lambda each: getattr(each, "__name__", "subject"))
def test_errors_are_pythons(function, subject):
    assert_same(function, lambda: arguments(subject), transform=compiled)


def test_matches_in_a_loop_with_effects():
    def function(commands):
        done, place = [], [0, 0]
        for command in commands:
            match command:
                case ["go", ("north" | "south") as way, int(steps)] if steps > 0:
                    place[1] += steps if way == "north" else -steps
                case {"say": str(text), **options}:
                    done.append((text, options))
                case Point(x, y):
                    place[:] = [x, y]
                case ["stop"]:
                    break
                case _:
                    done.append(command)
        return done, place

    commands = [["go", "north", 3], {"say": "hi", "loud": 1}, Point(5, 6), 7, ["go", "south", 2], ["stop"], 1]
    assert_captured(function, lambda: arguments([*commands]))


def test_the_graph_goes_through_matches():
    def function(shape):
        match shape:
            case {"w": w, "h": h}:
                return w * h
            case [float(a), float(b)]:
                return a + b
            case Point(x=x, y=y):
                return x - y

    def calls():
        return [({"w": 2.5, "h": 4.0},), ([1.5, 2.0],), (Point(3.5, 1.0),)]

    found = symexec.compile(function, domains=["scalars"], config=ALWAYS)
    for _ in range(2):
        assert [found(*args) for args in calls()] == [function(*args) for args in calls()]
    assert symexec.stats(found).breaks == ()


class Breaking:
    __match_args__ = ("first", "second")

    def __init__(self, first, second):
        self.a = first
        self.second = second

    @property
    def first(self):
        symexec.graph_break()
        return self.a


def broken(value):
    found = []
    match value:
        case [Breaking(x, 1), *rest] if symexec.graph_break() or len(rest) > 1:
            found.append((x, rest))
        case {"k": Breaking(second=2) as p, **rest} if (symexec.graph_break(), rest)[1]:
            found.append((p, rest))
        case Breaking(a, b) | [Breaking(a, b)]:
            symexec.graph_break()
            found.append((a, b))
        case [*items]:
            for item in items:
                match item:
                    case int(n) if n > 1:
                        symexec.graph_break()
                        found.append(n)
                    case [a, {"z": z}]:
                        found.append(a + z)
                    case _:
                        continue
    symexec.graph_break()
    return found


def test_breaks_in_between():
    subjects = [
        [Breaking(5, 1), 2, 3],
        [Breaking(5, 1), 2],
        [Breaking(5, 2)],
        {"k": Breaking(1, 2), "m": 3},
        {"k": Breaking(1, 2)},
        Breaking(1, 2),
        [1, 2, [3, {"z": 4}], "x", 5],
        "no",
        [],
    ]
    for subject in subjects:
        assert_same(broken, lambda subject=subject: arguments(subject), transform=compiled)
    assert_same(broken, *[lambda subject=subject: arguments(subject) for subject in subjects * 2], transform=compiled)
