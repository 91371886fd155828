"""What every generated program begins with: classes, functions and global values of many kinds; and what calls and the
statements between calls are made of.  It is text: each program has names, classes and functions of its own.
"""

from __future__ import annotations

PRELUDE = """
import contextlib
import collections
import dataclasses
import enum
import math
import types

LOG = []
FACTOR = 3
LIMIT = 2.5
TABLE = {"a": 1, "b": 2.0, 3: "c"}
ITEMS = [1, 2, 3]
NOTHING = None
tools = types.ModuleType("tools")
tools.rate = 2
tools.apply = lambda value: value + 1


class Point:
    scale = 2

    def __init__(self, x, y=1):
        self.x = x
        self.y = y

    def __repr__(self):
        return "<" + type(self).__name__ + ">"

    def norm(self):
        return self.x * self.scale + self.y

    def move(self, dx, dy=1):
        self.x += dx
        self.y = self.y + dy
        return self

    @property
    def both(self):
        return self.x, self.y

    @both.setter
    def both(self, value):
        self.x, self.y = value

    @staticmethod
    def twice(value):
        return value * 2

    @classmethod
    def make(cls, value):
        return cls(value, cls.scale)

    def __add__(self, other):
        if isinstance(other, Point):
            return Point(self.x + other.x, self.y + other.y)
        return NotImplemented


class Child(Point):
    def norm(self):
        return Point.norm(self) + 1

    def move(self, dx, dy=2):
        LOG.append("move")
        return super().move(dx, dy)

    def __eq__(self, other):
        return type(other) is type(self) and self.x == other.x

    def __hash__(self):
        return 7

    def __radd__(self, other):
        return other + self.y


class Slotted:
    __slots__ = ("x", "y")
    scale = 4

    def __init__(self, x, y=1):
        self.x = x
        self.y = y

    def __repr__(self):
        return "<Slotted>"

    def norm(self):
        return self.x - self.y

    move = Point.move

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return (self.x, self.y)[index]


class Loud:
    scale = 1

    def __init__(self, x, y=1):
        self.x = x
        self.y = y

    def __repr__(self):
        return "<Loud>"

    def __eq__(self, other):
        LOG.append("eq")
        return False

    def __hash__(self):
        LOG.append("hash")
        return 1

    def __bool__(self):
        LOG.append("bool")
        return True

    def __add__(self, other):
        LOG.append("add")
        return other

    def __iadd__(self, other):
        LOG.append("iadd")
        self.x = other
        return self

    def __getattr__(self, name):
        LOG.append(name)
        if name.startswith("__"):
            raise AttributeError(name)
        return 5

    def norm(self):
        return self.y

    def move(self, dx, dy=1):
        return self


class Guarded:
    def __init__(self, swallow=False):
        self.swallow = swallow
        self.events = []

    def __repr__(self):
        return "<Guarded>"

    def __enter__(self):
        self.events.append("enter")
        return len(self.events)

    def __exit__(self, kind, error, traceback):
        self.events.append(None if kind is None else kind.__name__)
        return self.swallow


@dataclasses.dataclass
class Data:
    x: object
    y: object = 1
    tags: list = dataclasses.field(default_factory=list)
    scale = 3

    def norm(self):
        return self.x

    def move(self, dx, dy=1):
        self.tags.append(dx)
        return self


Pair = collections.namedtuple("Pair", "x y")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Numbers(list):
    def append(self, value):
        LOG.append("append")
        list.append(self, value)


class Mapping(dict):
    def __missing__(self, key):
        LOG.append("missing")
        return 11


class Whole(int):
    def __add__(self, other):
        return 100


def combine(a, b=1, *rest, scale=2, **more):
    return a * scale + b + len(rest) + len(more)


def fill(values, value):
    values.append(value)
    return len(values)


def pick(table, key):
    return table.get(key, FACTOR)


def early(a):
    if a > 2:
        return a - 1
    for value in ITEMS:
        if value > a:
            return value
    return -a


def risky(a):
    if a == 3:
        raise ValueError("three", a)
    return a / 2


def careful(a):
    try:
        return risky(a)
    except ValueError as error:
        return error.args[1]
    finally:
        LOG.append("careful")


def counted(limit):
    for value in range(limit):
        yield value


def make_adder(step):
    total = step

    def adder(value):
        nonlocal total
        total = total + value
        return total

    return adder


def count_up():
    global FACTOR
    FACTOR = FACTOR + 1
    return FACTOR


ADDER = make_adder(1)
SHARED_LIST = [1, 2.0, 3]
SHARED_DICT = {"a": 1, "b": 2, "z": SHARED_LIST}
SHARED_POINT = Point(1, 2)
SHARED_GUARD = Guarded()


@contextlib.contextmanager
def managed(name, swallow=()):
    LOG.append(("enter", name))
    try:
        yield name
    except swallow as error:
        LOG.append(("swallowed", type(error).__name__, error.args))
    finally:
        LOG.append(("leave", name))


def chain(error):
    found = []
    while error is not None and len(found) < 4:
        same = error.__cause__ is error.__context__
        found.append((type(error).__name__, error.args, error.__suppress_context__, same))
        error = error.__cause__ or error.__context__
    return found


class Refused(ValueError):
    def __init__(self, reason, code=0):
        super().__init__(reason)
        self.code = code

    def __str__(self):
        return f"refused: {self.args[0]} ({self.code})"


class Steps:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count <= 0:
            raise StopIteration(self.count)
        self.count -= 1
        return self.count

    def throw(self, error):
        LOG.append(("thrown", type(error).__name__))
        raise error
"""

ARRAYS = """
import numpy as np

SHARED_ARRAY = np.array([1.0, 2.0, 3.0])
"""

NUMBERS = ["0", "1", "2", "3", "5", "-1", "True", "False", "1.0", "2.5", "0.0", "-0.0", "float('nan')", "10**20", "7"]

LISTS = [
    "[]",
    "[1, 2, 3]",
    "[1.5, 2, True]",
    "[3, 1, 2, 5]",
    "SHARED_LIST",
    "SHARED_LIST",
    "list(range(6))",
    "Numbers([1, 2])",
    "[2, 2]",
    "[1, 2, 3]",
    "[4.0, 1.5]",
]

DICTS = [
    "{}",
    '{"a": 1, "b": 2}',
    '{"b": 2, "a": 1}',
    '{"a": 1.5, 1: 2, "c": 3}',
    "SHARED_DICT",
    "SHARED_DICT",
    'Mapping({"a": 1})',
    'collections.OrderedDict([("a", 1), ("b", 2)])',
    'collections.defaultdict(int, {"a": 4})',
    "TABLE",
]

OBJECTS = [
    "Point(1, 2)",
    "Point(2.5)",
    "Child(1, 2)",
    "Child(3)",
    "Slotted(1, 2)",
    "Loud(2, 3)",
    "Data(1)",
    "Pair(1, 2)",
    "SHARED_POINT",
    "SHARED_POINT",
]

ARRAY_VALUES = [
    "np.array([1.0, 2.0, 3.0])",
    "np.array([1.0, 2.0, 3.0])",
    "np.array([1, 2, 3])",
    "np.arange(4.0).reshape(2, 2)",
    "np.array([])",
    "np.array(2.0)",
    "np.float64(1.5)",
    "np.float32(1.5)",
    "SHARED_ARRAY",
    "SHARED_ARRAY",
    "np.arange(6.0)[::2]",
    "np.array([True, False, True])",
    "np.ones(3, dtype=np.float32)",
    "2.5",
]

GUARDS = ["Guarded()", "Guarded()", "Guarded(True)", "SHARED_GUARD"]

BETWEEN = [
    "FACTOR = 4",
    "FACTOR = 3.0",
    "FACTOR = True",
    "LIMIT = 1",
    "ITEMS.append(4)",
    "ITEMS[0] = 2.5",
    "ITEMS = [5]",
    "ITEMS.reverse()",
    "TABLE['a'] = 7",
    "TABLE['new'] = 7",
    "TABLE = {'b': 1, 'a': 2}",
    "TABLE.pop('a', None); TABLE['a'] = 1",
    "Point.scale = Point.scale + 1",
    "Point.scale = 1.5",
    "Point.norm = lambda self: 7",
    "Child.norm = Point.norm",
    "Child.scale = 9",
    "Point.twice = staticmethod(lambda value: value * 3)",
    "Point.both = 5",
    "Point.x = property(lambda self: 5, lambda self, value: LOG.append('set'))",
    "Point.__setattr__ = lambda self, name, value: LOG.append(name)",
    "Point.__getattr__ = lambda self, name: 13",
    "Point.__getattribute__ = lambda self, name: LOG.append('get') or object.__getattribute__(self, name)",
    "Point.__len__ = lambda self: 0",
    "Point.__bool__ = lambda self: False",
    "Point.__eq__ = lambda self, other: True",
    "Child.__bases__ = (Slotless,) if 'Slotless' in globals() else (Point,)",
    "SHARED_POINT.norm = lambda: 21",
    "SHARED_POINT.extra = 1",
    "SHARED_POINT.__dict__.pop('y', None); SHARED_POINT.y = 3",
    "SHARED_POINT.__class__ = Child",
    "SHARED_POINT.scale = 8",
    "SHARED_POINT.x = [1]",
    "SHARED_LIST.append(SHARED_LIST[0] if SHARED_LIST else 1)",
    "SHARED_LIST[:1] = [True]",
    "SHARED_LIST.clear()",
    "SHARED_DICT['z'] = SHARED_DICT",
    "SHARED_DICT['q'] = 1",
    "SHARED_DICT['a'] = 1.0",
    "SHARED_GUARD.swallow = not SHARED_GUARD.swallow",
    "combine.__defaults__ = (5,)",
    "combine.__defaults__ = None",
    "combine.__kwdefaults__ = {'scale': 3}",
    "combine.__kwdefaults__ = None",
    "early.__code__ = careful.__code__",
    "early = lambda a: a",
    "risky = lambda a: LOG.append('risky') or a",
    "fill = list.append",
    "pick = dict.get",
    "len = lambda values: 3",
    "isinstance = lambda value, kind: True",
    "range = lambda *limits: [1, 2]",
    "print = lambda *values: LOG.append(len(values))",
    "sum = max",
    "tools.rate = tools.rate + 1",
    "tools.apply = lambda value: LOG.append('tool') or value",
    "tools.rate = 'rate'",
    "del tools.apply",
    "tools.__getattr__ = lambda name: abs",
    "ADDER = make_adder(10)",
    "ADDER(5)",
    "ADDER.__closure__[0].cell_contents = 2.5",
    "del LIMIT",
    "Guarded.__exit__ = lambda self, *rest: True",
    "Guarded.__enter__ = lambda self: FACTOR",
    "Numbers.append = lambda self, value: None",
    "Mapping.__missing__ = lambda self, key: key",
    "Loud.__bool__ = lambda self: False",
    "del Loud.__getattr__",
    "Pair.x = 4",
    "Data.__init__ = lambda self, x, y=2: None",
    "Colour = Point",
    "subject.__defaults__ = (2, )",
]

ARRAYS_BETWEEN = [
    "SHARED_ARRAY[0] = 9.0",
    "SHARED_ARRAY = SHARED_ARRAY.astype(int)",
    "SHARED_ARRAY = SHARED_ARRAY[:2]",
    "SHARED_ARRAY.flags.writeable = False",
    "SHARED_ARRAY.shape = (SHARED_ARRAY.size, 1)",
    "SHARED_POINT.x = SHARED_ARRAY",
    "SHARED_LIST[:] = [SHARED_ARRAY, SHARED_ARRAY]",
    "SHARED_DICT['a'] = SHARED_ARRAY",
]
