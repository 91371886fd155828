"""`match`: every kind of pattern, bindings, guards, order of attempts, errors inside patterns."""

from __future__ import annotations

import dataclasses
import enum

import pytest

from tests.ladder.both import captured, check, same
from tests.support import arguments

journal: list[object] = []


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Limits:
    low = 0
    high = 10


@dataclasses.dataclass
class Point:
    x: object
    y: object


class Arguments:
    __match_args__ = ("first", "second")

    def __init__(self, first, second):
        self.first, self.second = first, second


class Logged:
    __match_args__ = ("a", "b")

    def __getattr__(self, name):
        journal.append(name)
        if name == "b":
            raise AttributeError(name)
        return name


class WrongArgs:
    __match_args__ = ["x"]
    x = 1


def everything(value):
    match value:
        case None | True | False:
            return "single", value
        case 0 | -1 | 2.5 | "text" | b"bytes":
            return "literal", value
        case Color.RED:
            return "red"
        case Limits.high:
            return "high"
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [Point(0, y), *rest]:
            return "points", y, rest
        case (1, (2, [*deep])) | (1, deep):
            return "nested", deep
        case ["go", ("north" | "south") as direction, *_]:
            return "go", direction
        case [first, *middle, last] if first == last:
            return "same ends", middle
        case [_, _, *rest]:
            return "long", rest
        case {"kind": "a", "value": int(v) | str(v), **rest}:
            return "mapping", v, rest
        case {"k": {"inner": [x, *_]}}:
            return "deep mapping", x
        case {}:
            return "other mapping", value
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y) if x == y:
            return "diagonal", x
        case Point(x=px):
            return "point", px
        case Arguments("one", second):
            return "arguments", second
        case int(n) | float(n):
            return "number", n
        case str() as s:
            return "str", s
        case _:
            return "nothing", type(value).__name__


VALUES = [
    None,
    True,
    0,
    -1,
    2.5,
    "text",
    b"bytes",
    Color.RED,
    Color.BLUE,
    10,
    [],
    [7],
    [[1]],
    [Point(0, 5), 1, 2],
    (1, (2, [3, 4])),
    (1, 9),
    ["go", "north", "fast"],
    ["go", "west"],
    [1, 2, 1],
    [1, 2, 3],
    {"kind": "a", "value": 1, "more": 2},
    {"kind": "a", "value": None},
    {"k": {"inner": (5, 6)}},
    {},
    {"x": 1},
    Point(0, 0),
    Point(3, 3),
    Point(1, 2),
    Arguments("one", 2),
    Arguments("two", 2),
    42,
    1.5,
    "other",
    b"",
    {1, 2},
    range(2),
    "",
    (),
    object,
]


@pytest.mark.parametrize("start", range(0, len(VALUES), 6))
def test_everything(start):
    check(everything, *((value,) for value in VALUES[start : start + 6]), graph_numbers=False)


@captured((5,), ("a",), ([1, 2],), (None,))
def test_simple(value):
    match value:
        case int():
            result = "int"
        case str(s):
            result = s * 2
        case [a, b]:
            result = a + b
        case _:
            result = "none of them"
    return result


@same(([1, 2, 3],), ([1],), ([],), (5,), ("ab",), (range(2),))
def test_bindings_stay_after_a_failed_case(value):
    first = rest = "unset"
    match value:
        case [first, *rest] if not rest:
            result = "one"
        case [first, 2, *_]:
            result = "two second"
        case [_, *rest]:
            result = "other"
        case _:
            result = "none"
    return result, first, rest


@same((1,), (0,), (5,), ("s",))
def test_guards_have_effects(value):
    log = []

    def guard(name, answer):
        log.append(name)
        return answer

    match value:
        case int(n) if guard("first", n > 2):
            result = "big"
        case n if guard("second", 1 // n if n != "s" else False):
            result = "one"
        case "s" if guard("third", True):
            result = "text"
        case _:
            result = "rest"
    return result, log


@same(lambda: arguments(Logged()), (5,))
def test_attributes_are_asked_in_order(value):
    journal.clear()
    match value:
        case Logged("a", "b"):
            result = "both"
        case Logged(c="c", a="wrong"):
            result = "keywords"
        case Logged(b=_):
            result = "b"
        case Logged(z=z):
            result = z
        case _:
            result = "other"
    return result, list(journal)


@same((Point(1, 2),), (WrongArgs(),), (5,))
def test_patterns_that_raise(value):
    log = []

    def too_many():
        match value:
            case Point(1, 2, 3):
                return "never"
            case int(1, 2):
                return "never"
        return "no match"

    def wrong_args():
        match value:
            case WrongArgs(1):
                return "never"
        return "no match"

    def not_a_class():
        match value:
            case journal.nothing():
                return "never"

    def a_function():
        kind = everything
        match value:
            case kind():
                return "never"

    for attempt in (too_many, wrong_args, not_a_class, a_function):
        try:
            log.append(attempt())
        except (TypeError, AttributeError) as error:
            log.append(error.args)
    return log, too_many()


class Mapping(dict):
    def get(self, key, default=None):
        journal.append(("get", key))
        return super().get(key, default)

    def __getitem__(self, key):
        journal.append(("item", key))
        return super().__getitem__(key)


@same((Mapping(a=1, b=2),), (Mapping(),), ({"a": 1},))
def test_mapping_subclass(value):
    journal.clear()
    match value:
        case {"a": 1, "b": b, **rest}:
            result = "both", b, rest
        case {"a": a}:
            result = "a", a
        case _:
            result = "none"
    return result, list(journal)


def evaluate(node, names):
    match node:
        case int() | float():
            return node
        case str(name):
            return names[name]
        case ("+", left, right):
            return evaluate(left, names) + evaluate(right, names)
        case ("*", *factors):
            product = 1
            for factor in factors:
                product *= evaluate(factor, names)
            return product
        case ("let", str(name), value, body):
            return evaluate(body, {**names, name: evaluate(value, names)})
        case (operator, *_):
            raise NotImplementedError(operator)
    raise TypeError(f"no expression: {node!r}")


@same(
    (("+", 1, ("*", 2, 3, 4)), {}),
    (("let", "x", 5, ("+", "x", "y")), {"y": 1}),
    (("-", 1), {}),
    (("+", "z", 1), {}),
    (([],), {}),
    (None, {}),
)
def test_evaluator(node, names):
    print(node)
    return evaluate(node, names)


@same((["a", "stop", "b"],), ([],), (["skip", "c"],))
def test_in_a_loop(commands):
    done = []
    for command in commands:
        match command:
            case "stop":
                break
            case "skip":
                continue
            case str(x):
                done.append(x)
    else:
        done.append("all")
    return done


@same(([[1, 2], [3, 4]],), ([[1], 2],), ([1, [2]],))
def test_targets_of_every_kind_of_nesting(value):
    match value:
        case [[a, b], [c, d]]:
            result = a, b, c, d
        case [[_], b] | [b, [_]]:
            result = b
    return result
