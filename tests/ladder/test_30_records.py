"""Dataclasses, enums, named tuples, attrs classes, simple namespaces: used, made, compared, changed, printed."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import types
import typing

import attrs

from tests.ladder.both import captured, same

journal: list[object] = []


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
    tags: list = dataclasses.field(default_factory=list, compare=False)

    def moved(self, dx):
        return dataclasses.replace(self, x=self.x + dx)


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0

    def __post_init__(self):
        if not isinstance(self.major, int):
            raise TypeError(f"major {self.major!r}")


@dataclasses.dataclass(slots=True, kw_only=True)
class Options:
    name: str
    level: int = 1
    derived: str = dataclasses.field(init=False, default="d")


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


class Permission(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()


Pair = collections.namedtuple("Pair", "left right", defaults=["default"])


class Named(typing.NamedTuple):
    name: str
    count: int = 0

    def more(self):
        return self._replace(count=self.count + 1)


@attrs.define
class Box:
    value: object
    items: list = attrs.field(factory=list)
    positive: int = attrs.field(default=1, validator=attrs.validators.instance_of(int))


@attrs.frozen(order=True)
class Frozen:
    a: int
    b: int = attrs.field(converter=int, default="5")


@captured((1, 2), ("a", "b"))
def test_dataclass(x, y):
    p = Point(x, y)
    q = Point(x, y=y)
    p.tags.append(x)
    q.x = p.y
    return p.x, q.x, p == Point(x, y), p == q, p.tags, q.tags, p != q


@same((1, 2), ("a", "b"))
def test_dataclass_functions(x, y):
    p = Point(x, y, [x])
    log = [
        repr(p),
        dataclasses.asdict(p),
        dataclasses.astuple(p),
        [f.name for f in dataclasses.fields(p)],
        copy.copy(p) == p,
    ]
    try:
        log.append(p.moved(5))
        log.append(Point())
    except TypeError as error:
        log.append(error.args)
    try:
        hash(p)
    except TypeError as error:
        log.append(error.args)
    return log, p


@same((1, 2), (3, 1), ("bad", 0))
def test_frozen_and_ordered(major, minor):
    log = []
    try:
        v = Version(major, minor)
        log.append(
            (
                v < Version(2),
                v == Version(major, minor),
                hash(v) == hash(Version(major, minor)),
                sorted([Version(2), v]),
            )
        )
        v.major = 5
    except (TypeError, dataclasses.FrozenInstanceError) as error:
        log.append(error)
    return log


@same((1,), ("x",))
def test_frozen_error_leaves(x):
    v = Version(1, 2)
    print(v)
    v.extra = x


@same(("n",), (5,))
def test_slots_and_keywords(name):
    o = Options(name=name, level=2)
    o.level += 1
    log = [o, repr(o)]
    for act in (lambda: Options("n"), lambda: setattr(o, "other", 1), lambda: Options(name="a", derived="x")):
        try:
            log.append(act())
        except (TypeError, AttributeError) as error:
            log.append(error.args)
    return log


@captured((1,), ("g",))
def test_enum(value):
    color = Color(value)
    other = Color.RED
    if color is Color.RED:
        answer = "red"
    elif color == Color.GREEN:
        answer = "green"
    return answer, color.value, other.name, color is other, Color["CRIMSON"] is Color.RED


@same((1,), (3,), ("GREEN",))
def test_enum_errors_and_iteration(value):
    log = [
        list(Color),
        len(Color),
        Color.RED in Color,
        str(Color.RED),
        repr(Color.GREEN),
        f"{Color.RED}",
        Color.GREEN.pretty,
    ]
    for act in (
        lambda: Color(value),
        lambda: Color[value],
        lambda: setattr(Color, "RED", 5),
        lambda: Color.RED < Color.GREEN,
    ):
        try:
            log.append(act())
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            log.append(error.args)
    return log, {Color.RED: 1}[Color.CRIMSON], hash(Color.RED) == hash(Color.CRIMSON), dict(Color.__members__)


@same((5,), (1,))
def test_int_enum_and_flags(x):
    both = Permission.R | Permission.W
    log = [
        Level.LOW + x,
        Level.HIGH > x,
        Level(1) is Level.LOW,
        [Level.LOW, Level.HIGH][x % 2],
        f"{Level.LOW}",
        Level.LOW == 1,
    ]
    log.append(
        (Permission.R in both, Permission.X in both, both & ~Permission.R, both.value, bool(both & Permission.X))
    )
    return log, max(Level), sorted(Level, reverse=True), list(both), repr(both)


@same((1,), (2,))
def test_enum_made_inside(x):
    class Local(enum.Enum):
        A = x
        B = enum.auto()

        def double(self):
            return self.value * 2

    return Local.A.double(), [m.name for m in Local], Local(x).name, Local.B.value


@captured((1, 2), ("a", []))
def test_named_tuple(a, b):
    pair = Pair(a, b)
    left, right = pair
    return pair.left, pair[1], left is a, len(pair), pair == (a, b), pair + (1,)


@same((1, 2), ("a", []))
def test_named_tuple_methods(a, b):
    pair = Pair(a)
    log = [pair, pair._replace(right=b), pair._asdict(), Pair._fields, Pair._make([b, a]), repr(pair), pair.right]
    named = Named("n", 1).more()
    log.append(
        (named, named.count, Named(count=2, name=a), sorted([Pair(2, "b"), Pair(1, "a")]), pair[:1], type(pair[:1]))
    )
    for act in (lambda: Pair(), lambda: Pair(1, 2, 3), lambda: setattr(pair, "left", 1), lambda: pair._replace(none=1)):
        try:
            log.append(act())
        except (TypeError, AttributeError, ValueError) as error:
            log.append(error.args)
    return log


@captured((1,), ([2],))
def test_attrs_class(x):
    box = Box(x)
    box.items.append(box.value)
    box.value = "new"
    return box.value, box.items, box.positive


@same((1,), ("bad",), (None,))
def test_attrs_validators_and_converters(x):
    log = []
    for act in (
        lambda: Box(x, positive=x), lambda: Frozen(x, b="7"), lambda: Frozen(1, b=x), lambda: Frozen(2) < Frozen(x),
        lambda: setattr(Frozen(1), "a", 2), lambda: attrs.evolve(Box(x, [1]), value="e"), lambda: Box(),
        lambda: setattr(Box(1), "positive", x), lambda: attrs.asdict(Box(x)), lambda: repr(Frozen(3)),
        lambda: hash(Frozen(1)) == hash(Frozen(1)), lambda: setattr(Box(1), "surplus", 1),
    ):  # fmt: skip
        try:
            log.append(act())
        except (TypeError, ValueError, AttributeError) as error:
            log.append((type(error).__name__, error.args[:1] if not isinstance(error, TypeError) else "type"))
    return log


@same((1,), (2,))
def test_simple_namespace(x):
    space = types.SimpleNamespace(a=x, b=[x])
    space.c = space.a
    space.b.append(space.c)
    del space.a
    return space, repr(space), vars(space), space == types.SimpleNamespace(b=[x, x], c=x), hasattr(space, "a")


@same((1,), (2,))
def test_dataclass_made_inside(x):
    @dataclasses.dataclass
    class Local:
        a: int
        b: list = dataclasses.field(default_factory=lambda: [x])

        def __post_init__(self):
            journal.append(self.a)

    made = Local(x)
    made.b.append(2)
    return made.a, made.b, repr(made).endswith(f"Local(a={x}, b=[{x}, 2])"), made == Local(x), journal


@same((Point(1, 2),), (Point("a", "b", [1]),))
def test_dataclass_argument(p):
    p.x, p.y = p.y, p.x
    p.tags += [p.x]
    q = copy.deepcopy(p)
    q.tags.append("copy")
    return p == q, p.tags, q


class Typed(typing.TypedDict):
    a: int


@same((1,), ("s",))
def test_typing_is_no_operation(x):
    made: Typed = {"a": x}
    number = typing.cast(int, x)
    new = typing.NewType("new", int)
    return (
        Typed(a=x) == made,
        number,
        new(x),
        typing.Optional[int] == (int | None),
        typing.get_origin(list[int]),
        isinstance(x, int | str),
    )
