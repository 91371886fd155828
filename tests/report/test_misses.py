"""Guards checked in Python: every kind of check and of origin, on states that meet it and states that do not."""

from __future__ import annotations

import gc
import math
import weakref
from types import CellType

import pytest

from symexec.bytecode import decode
from symexec.report.misses import GuardProbes
from symexec.runtime.reports import Miss
from symexec.values.guard import (
    CellIsEmpty,
    Check,
    ContainsKey,
    Equals,
    Guard,
    Is,
    IsBoundBuiltin,
    IsBoundMethod,
    KeysAre,
    Lacks,
    Length,
    SameAs,
    TypeIs,
)
from symexec.values.origin import (
    Attribute,
    Cell,
    Contents,
    DictKey,
    Fixed,
    Global,
    Globals,
    Held,
    Item,
    Local,
    Origin,
    Stack,
    TypeOf,
)


class Point:
    def __init__(self) -> None:
        self.x = 1

    def move(self) -> None: ...


def state(*slots: object, stack: tuple[object, ...] = (), **names: object) -> Miss:
    routine = decode(state.__code__)
    return Miss(routine, 0, (), dict(enumerate(slots)), stack, {"__builtins__": __builtins__, **names})


def failing(origin: Origin, check: Check, where: Miss) -> str | None:
    return GuardProbes.of([Guard(origin, check)]).first_failing(where)


POINT = Point()
X = Local(0, "x")

CHECKS = [
    (TypeIs(int), [1, -5], [True, 1.0, "1", None]),
    (TypeIs(Point), [POINT], [Point, 1]),
    (Is(POINT), [POINT], [Point(), None]),
    (Is(len), [len], [sum]),
    (Equals(1), [1], [True, 1.0, 2, "1"]),
    (Equals(0.0), [0.0], [-0.0, 0, False]),
    (Equals(math.nan), [math.nan, -math.inf * 0], [0.0, None]),
    (Equals("a"), ["a"], ["b", b"a"]),
    (Equals(None), [None], [0, False]),
    (Equals((3, 4), typed=False), [(3, 4)], [(3,), (3, 5), [3, 4]]),
    (Length(2), [[1, 2], (1, 2), {1, 2}, {1: 1, 2: 2}, "ab"], [[1], "abc", 5]),
    (KeysAre(("a", 1)), [{"a": 0, 1: 0}], [{1: 0, "a": 0}, {"a": 0}, {"a": 0, True: 0}]),
    (ContainsKey("k", True), [{"k": 1}, {"k"}], [{}, {"j": 1}, frozenset()]),
    (ContainsKey("k", False), [{}, {"j": 1}], [{"k": 1}]),
    (Lacks("missing"), [POINT, 1], []),
    (Lacks("x"), [1], [POINT]),
    (IsBoundBuiltin(list.append), [[].append], [[].pop, list.append, POINT, len]),
    (IsBoundMethod(Point.move), [POINT.move, Point().move], [Point.move, POINT, len]),
    (CellIsEmpty(), [CellType()], [CellType(1)]),
]


@pytest.mark.parametrize(("check", "meeting", "others"), CHECKS)
def test_checks(check: Check, meeting: list[object], others: list[object]) -> None:
    for value in meeting:
        assert failing(X, check, state(value)) is None
    for value in others:
        assert failing(X, check, state(value)) == str(Guard(X, check))


ORIGINS = [
    (X, state(POINT)),
    (Cell(0), state(POINT)),
    (Contents(Cell(0)), state(CellType(POINT))),
    (Stack(1), state(stack=(0, POINT))),
    (Global("point"), state(point=POINT)),
    (Item(Globals(), "point"), state(point=POINT)),
    (Attribute(X, "owner"), state(type("Owned", (), {"owner": POINT})())),
    (Item(X, 1), state([0, POINT])),
    (Item(X, 1), state((0, POINT))),
    (Item(X, "k"), state({"k": POINT})),
    (DictKey(X, 1), state({0: 0, POINT: 1})),
    (Held(POINT), state()),
]


@pytest.mark.parametrize(("origin", "where"), ORIGINS)
def test_origins(origin: Origin, where: Miss) -> None:
    assert failing(origin, Is(POINT), where) is None
    other = Point()
    assert failing(origin, Is(other), where) == str(Guard(origin, Is(other)))


def test_builtins_types_and_fixed_objects() -> None:
    assert failing(Global("len"), Is(len), state()) is None
    assert failing(Global("len"), Is(len), state(len=sum)) == "len is <built-in len>"
    assert failing(TypeOf(X), Is(Point), state(POINT)) is None
    assert failing(TypeOf(X), Is(Point), state(1)) == "type(x) is <class Point>"
    assert failing(Fixed(int), Is(int), state()) is None


def test_aliases() -> None:
    same, other = SameAs(Local(1, "y"), True), SameAs(Local(1, "y"), False)
    assert failing(X, same, state(POINT, POINT)) is None and failing(X, other, state(POINT, 1)) is None
    assert failing(X, same, state(POINT, 1)) == "x is y" and failing(X, other, state(POINT, POINT)) == "x is not y"


UNREACHED = [Local(5, "far"), Stack(3), Global("nowhere"), Item(X, 9), Contents(Cell(0)), Attribute(X, "no")]


@pytest.mark.parametrize("origin", UNREACHED)
def test_what_cannot_be_reached_is_a_miss(origin: Origin) -> None:
    assert failing(origin, TypeIs(int), state([])) == str(Guard(origin, TypeIs(int)))


def test_the_first_that_fails_is_named_and_nothing_behind_it_is_read() -> None:
    class Trap:
        @property
        def value(self) -> int:
            raise AssertionError("user code was run")

    guards = [Guard(X, TypeIs(Point)), Guard(Attribute(X, "value"), Equals(1))]
    assert GuardProbes.of(guards).first_failing(state(Trap())) == "type(x) is Point"


def test_objects_are_held_weakly() -> None:
    point = Point()
    probes = GuardProbes.of([Guard(X, Is(point)), Guard(Attribute(Held(point), "x"), Equals(1))])
    alive = weakref.ref(point)
    assert probes.first_failing(state(point)) is None
    del point
    gc.collect()
    assert alive() is None
    assert probes.first_failing(state(POINT)) is not None
