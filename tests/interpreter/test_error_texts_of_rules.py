"""What the interpreter raises by rules of its own: each error is caught inside the trace, and told in full.

The statements run in one function each, as written and compiled; type, arguments, text and `name` are compared.
"""

from __future__ import annotations

import abc
import collections
import enum
import functools
import itertools
import math
import operator
import string
import types
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import symexec
from tests.support import arguments, assert_same

ALWAYS = symexec.Config(install="always", strict=True)


class Plain:
    def __init__(self, size=1):
        self.size = size

    def method(self):
        return self.size


class Slotted:
    __slots__ = ("x", "y")


class HalfSlotted(Slotted):
    pass


class Guarded:
    __slots__ = ("x",)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


class Propertied:
    @property
    def only_read(self):
        return 1

    only_written = property(None, lambda self, value: None)
    nothing = property()

    @property
    def failing(self):
        return self.absent


class Meta(type):
    @property
    def of_meta(cls):
        return 1

    nothing = property()


class WithMeta(metaclass=Meta):
    pass


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass(frozen=True)
class Frozen:
    x: int = 1


@dataclass
class Needy:
    x: int
    y: int


class Base(abc.ABC):
    @abc.abstractmethod
    def one(self): ...


class TwoMissing(Base):
    @abc.abstractmethod
    def two(self): ...


class Colour(enum.Enum):
    RED = 1


class BadLength:
    def __init__(self, answer):
        self.answer = answer

    def __len__(self):
        return self.answer


class BadTruth:
    def __bool__(self):
        return three


class BadIndex:
    def __index__(self):
        return text


class BadText:
    def __str__(self):
        return three

    def __repr__(self):
        return three

    def __format__(self, spec):
        return three


class BadInit:
    def __init__(self):
        return three  # noqa: PLE0101 - that is what is tested


class BadIterator:
    def __iter__(self):
        return 3


class BadContains:
    def __contains__(self, item):
        raise LookupError(item)


class Failing:
    def __iter__(self):
        raise LookupError("from within")


class Refusing:
    def __iter__(self):
        raise TypeError("from within")


class NoIteration:
    __iter__ = None


class NoHash:
    __hash__ = None


class Adder:
    def __add__(self, other):
        return NotImplemented

    def __lt__(self, other):
        return NotImplemented


class Answering:
    def __getattr__(self, name):
        raise AttributeError(name)


class Outer:
    class Inner:
        pass


class Words(dict):
    pass


class Numbers(list):
    pass


def positional(a, b, /, c, *, d):
    return a, b, c, d


def generator():
    received = yield 1
    yield received


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


def raises_stop():
    yield 1
    raise StopIteration(3)


three = 3
text = "no"
plain = Plain()
slotted = Slotted()
half = HalfSlotted()
guarded = Guarded()
propertied = Propertied()
point = Point(1, 2)
words = {"a": 1}
numbers = [1, 2]
module = types.ModuleType("a_module")

OF_ATTRIBUTES = r"""
plain.absent
Plain().absent
plain.absent()
del plain.absent
del Plain().absent
Plain.absent
del Plain.absent
plain.method.absent
Plain.method.absent
plain.method.absent = 1
(lambda: 1).absent
del (lambda: 1).absent
slotted.x
Slotted().x
del slotted.x
del Slotted().x
slotted.z
slotted.z = 1
Slotted().z = 1
del slotted.z
del Slotted().z
half.z
half.x
del half.z
guarded.x
guarded.z = 1
Guarded().z = 1
propertied.only_read = 1
Propertied().only_read = 1
del propertied.only_read
del Propertied().only_read
propertied.only_written
Propertied().only_written
propertied.nothing
propertied.nothing = 1
del propertied.nothing
propertied.failing
Propertied().failing
WithMeta.nothing
WithMeta.nothing = 1
WithMeta.of_meta = 1
WithMeta.absent
Frozen().x = 2
del Frozen().x
Frozen().z = 2
point.x = 1
point.absent
Point(1).absent
Point(1).z = 1
del point.x
Colour.BLUE
Colour.RED.absent
Colour.RED.value = 1
Colour(5)
Colour["BLUE"]
Answering().absent
module.absent
del module.absent
(1).absent
(1).absent = 2
(1).real = 2
del (1).real
"text".absent
"text".upper.absent
"text".absent = 1
[].absent
[].absent = 1
del [].absent
[].append = 1
{}.absent
numbers.absent
numbers.absent = 1
words.absent
None.absent
None.absent = 1
().absent
(1.5).absent
b"".absent
(1j).imag = 1
range(3).absent
range(3).start = 1
slice(1).absent
{1}.absent
Numbers().absent
Words().absent
len.absent
len.absent = 1
int.absent
int.absent = 1
del int.absent
list.append = 1
generator().absent
iter([]).absent
Outer.Inner.absent
Outer.Inner().absent
getattr(plain, "absent")
getattr(plain, 3)
getattr(plain)
setattr(plain, 3, 4)
delattr(plain, "absent")
hasattr(plain, 3)
object().absent
object().absent = 1
object.__getattribute__(plain, "absent")
object.__setattr__(slotted, "z", 1)
object.__delattr__(plain, "absent")
super(Plain, plain).absent
super(Plain, 3)
super(3, plain)
super()
functools.partial(len).absent
types.SimpleNamespace(a=1).absent
del types.SimpleNamespace(a=1).absent
ValueError(1).absent
del ValueError(1).args
ValueError(1).args = 3
vars(3)
vars(slotted)
operator.attrgetter("absent")(plain)
operator.attrgetter("size.absent")(plain)
operator.methodcaller("absent")(plain)
operator.itemgetter("absent")(words)
operator.itemgetter(5)(numbers)
"""

OF_CALLS = r"""
plain()
(3)()
None()
"text"()
[]()
numbers()
Plain(1, 2)
Plain(wide=1)
Slotted(1)
Slotted(x=1)
Slotted(1, x=1)
Point()
Point(1, 2, 3)
Point(1, z=3)
Needy()
Needy(1)
Needy(1, 2, 3)
Needy(1, 2, z=3)
Base()
TwoMissing()
BadInit()
positional()
positional(1)
positional(1, 2)
positional(1, 2, 3)
positional(1, 2, 3, 4)
positional(a=1, b=2, c=3, d=4)
positional(1, 2, 3, c=3, d=4)
positional(1, 2, 3, e=4)
positional(*3)
positional(**3)
positional(**{1: 2})
positional(1, 2, d=1, **{"d": 2})
positional(1, *5)
plain.method(1)
plain.method(x=1)
Plain.method()
(lambda x: x)()
(lambda: 1)(1)
(lambda *, x: x)()
len()
len(1, 2)
len(3)
len(x=1)
len(plain)
len(generator())
isinstance(1, 3)
isinstance(1)
issubclass(1, int)
issubclass(int, 3)
isinstance(1, (int, 3))
isinstance("", (int, 3))
isinstance(1, int | 3)
callable()
int("x")
int([])
int(None)
int("x", 3)
int(plain)
float("x")
float([])
float(plain)
complex("x")
str(1, 2)
bytes("text")
bytes(-1)
bool(1, 2)
list(3)
list(1, 2)
tuple(3)
dict(3)
dict([3])
dict([(1, 2, 3)])
dict([[1, 2], 5])
dict(1, 2)
set(3)
set([[]])
frozenset(3)
range("a")
range()
range(1, 2, 0)
range(1.5)
slice()
abs("x")
abs(plain)
divmod(1, 0)
divmod(1, "x")
pow(0, -1)
pow(1, "x")
pow(2, 3, 0)
round("x")
round(plain)
chr(-1)
chr("x")
ord("ab")
ord(3)
hash([])
hash({})
hash(NoHash())
repr()
repr(BadText())
str(BadText())
format(BadText())
f"{BadText()}"
f"{BadText()!r}"
format(plain, "5")
format(1, "x y")
format("a", "d")
format([], "5")
format(1, 2)
format(None, "5")
sum(3)
sum(["a"])
sum(["a"], "")
sum([1], [])
min()
min([])
min(3)
max([], key=len)
max(1, "x")
max([1], default=1, other=2)
min(1, 2, default=3)
sorted(3)
sorted([1, "x"])
sorted([1], 2)
[1, "x"].sort()
[3].sort(1)
sorted([1], key=3)
reversed(3)
reversed({1})
enumerate(3)
enumerate([], "x")
zip(3)
zip([], 3)
list(zip([1], [1, 2], strict=True))
list(zip([1, 2], [1], strict=True))
list(zip([1], [1], [1, 2], strict=True))
list(zip([1, 2], [1, 2], [1], strict=True))
map()
map(len)
map(len, 3)
list(map(3, [1]))
filter(len, 3)
filter(None)
any(3)
all(3)
iter(3)
iter(3, 4)
iter(BadIterator())
iter(NoIteration())
next(3)
next([])
next(iter([]))
next(iter([]), 1, 2)
functools.reduce(len, [])
functools.reduce(len, 3)
functools.partial()
functools.partial(3)
functools.partial(len, 1, 2)(3)
itertools.islice([1], -1)
itertools.chain(3).__next__()
list(itertools.chain([1], 3))
itertools.repeat()
collections.deque(3)
collections.deque([], -1)
collections.OrderedDict(3)
collections.defaultdict(3)
operator.add(1, "x")
operator.itemgetter()
operator.index("x")
types.SimpleNamespace(1, 2)
"""

OF_OPERATORS = r"""
1 + "x"
"x" + 1
[] + 1
[] + ()
() + []
plain + 1
1 + plain
plain + plain
plain - plain
plain @ plain
plain ** 2
plain // 2
plain << 1
plain & 1
Adder() + 1
Adder() + Adder()
1 + Adder()
-plain
+plain
~plain
-"x"
~1.5
1 / 0
1 // 0
1 % 0
1.5 / 0
1.5 % 0
1 << -1
2 ** "x"
"x" * "y"
[] * 1.5
[1] * plain
plain * [1]
"%d" % "x"
"%s %s" % 1
"%s" % (1, 2)
"%q" % 1
"%(a)s" % 1
"%(a)s" % {}
"{}".format()
"{a}".format()
"{0.absent}".format(1)
"{0[5]}".format([])
"{:d}".format("x")
"{!x}".format(1)
"{} {1}".format(1, 2)
"{".format()
plain < plain
plain < 1
1 < plain
1 < "x"
"x" >= 1
[] < ()
None < None
[1] < ["x"]
(1,) < ("x",)
Adder() < Adder()
{} < {}
1j < 2j
1 in 3
1 in plain
1 in "x"
1 in NoIteration()
1 in BadContains()
[] in {}
[] in {1}
[] in set()
not BadTruth()
bool(BadTruth())
bool(BadLength(-1))
bool(BadLength("x"))
len(BadLength(-1))
len(BadLength("x"))
len(BadLength(1.5))
len(BadLength(1 << 100))
numbers[BadIndex()]
numbers[1.5]
numbers["x"]
numbers[None]
numbers[plain]
numbers[1, 2]
numbers["x":]
numbers[::0]
numbers[5]
numbers[-5]
numbers[1 << 100]
numbers[5] = 1
numbers["x"] = 1
numbers[::2] = [1, 2, 3]
numbers[1:2] = 3
numbers[::0] = []
del numbers[5]
del numbers["x"]
[1][5]
[1]["x"]
[1][5] = 1
del [1][5]
(1,)[5]
(1,)["x"]
(1,)[0] = 1
del (1,)[0]
"x"[5]
"x"["x"]
"x"[0] = 1
b"x"[5]
range(3)[5]
range(3)["x"]
range(3)[0] = 1
words["b"]
words[1]
words[[]]
words[{}]
words[[]] = 1
del words["b"]
del words[[]]
{}["b"]
{}[[]]
{}[[]] = 1
{}[(1, [])]
{[]: 1}
{[]}
{1: 2, [1]: 3}
del {}["b"]
{1}[0]
{1}[0] = 1
del {1}[0]
None[0]
(3)[0]
(3)[0] = 1
del (3)[0]
plain[0]
plain[0] = 1
del plain[0]
len[0]
Plain[0]
int[0]
generator()[0]
point[5]
point[0] = 1
slice(1)[0]
a, b = 1
a, b = [1]
a, b = [1, 2, 3]
a, b = (1,)
a, b = (1, 2, 3)
a, b = iter([1])
a, b = iter([1, 2, 3])
a, b = {1: 2}
a, b = {1, 2, 3}
a, b = "x"
a, b = plain
a, b = generator()
a, b = range(5)
a, *b, c = 1
a, *b, c = [1]
a, *b, c = iter([1])
a, *b = plain
[*3]
[*plain]
(*None,)
{*3}
{**3}
{**[(1, 2)]}
{**None}
{**plain}
[1].extend(3)
numbers.extend(plain)
for x in 3: pass
for x in plain: pass
for x in Plain: pass
for x in NoIteration(): pass
yielded = list(raises_stop())
with 3: pass
with plain: pass
with Plain: pass
raise 3
raise None
raise "text"
raise plain
raise Plain
raise ValueError from 3
raise
undefined
del undefined
local; local = 1
assert False
assert False, "text"
assert plain.size == 2, (1, 2)
import absent_module_of_nobody
from sys import absent
import sys.absent
"""

OF_METHODS = r"""
[].pop()
[1].pop(5)
[1].pop("x")
numbers.pop(5)
[].remove(1)
numbers.remove(7)
[].index(1)
numbers.index(7)
numbers.index(1, 1)
[].insert(1)
[].insert("x", 1)
[].append()
[].append(1, 2)
[].append(x=1)
[].extend()
[].count()
[].sort(1)
[].sort(reverse="x")
[].reverse(1)
[].copy(1)
{}.pop("a")
{}.pop()
{}.pop([])
words.pop("b")
{}.popitem()
{}.get()
{}.get([])
words.get([])
{}.setdefault()
{}.setdefault([], 1)
{}.update(3)
{}.update([3])
{}.update([(1, 2, 3)])
{}.update(1, 2)
{}.fromkeys(3)
dict.fromkeys([[]])
dict.fromkeys(3)
{}.keys(1)
{}.items().absent
set().pop()
set().remove(1)
{1}.remove(2)
{1}.remove([])
set().add([])
set().add()
set().update(3)
set().discard([])
{1} | 3
{1} | [1]
{1}.union(3)
frozenset().add(1)
"x".join(3)
"x".join(Failing())
functools.reduce(len, Failing())
functools.reduce(len, Refusing())
"x".join(Refusing())
"x".join([1])
"x".join(["a", 1])
"x".join("a", "b")
"x".join()
b"x".join(["a"])
"x".index("y")
"x".index(3)
"x".split("")
"x".split(3)
"x".replace("a")
"x".replace(1, 2)
"x".startswith(3)
"x".startswith([1])
"x".center()
"x".center("a")
"x".zfill("a")
"x".encode("ascii", 3)
"\xff".encode("ascii")
"x".translate(3)
"x".partition("")
"x".partition(3)
"x".count()
"x".strip(3)
"x".expandtabs("x")
b"\xff".decode("ascii")
b"x".index(b"y")
(1,).index(2)
().count()
(1).bit_length(1)
(1).to_bytes(0, "big")
(300).to_bytes(1, "big")
int.from_bytes(3, "big")
(1.5).as_integer_ratio(1)
float("nan").as_integer_ratio()
float.fromhex("x")
range(3).index(5)
range(3).index("x")
slice(1).indices("x")
slice(1).indices(-1)
collections.deque().pop()
collections.deque().popleft()
collections.deque([1]).remove(2)
collections.deque([1]).index(2)
collections.deque([1])[5]
collections.deque([1])[5] = 1
del collections.deque([1])[5]
collections.deque([1])["x"]
collections.deque([1], 1).insert(0, 1)
collections.deque().rotate("x")
collections.OrderedDict().popitem()
collections.OrderedDict().pop("a")
collections.OrderedDict(a=1).move_to_end("b")
collections.OrderedDict()["a"]
del collections.OrderedDict()["a"]
collections.defaultdict()["a"]
collections.defaultdict(None)["a"]
collections.Counter("aab").absent
collections.Counter("aab").fromkeys("a")
Numbers([1])[5]
Numbers().pop()
Numbers()["x"]
Words()["a"]
Words().pop("a")
del Words()["a"]
Words(a=1).popitem(1)
generator().send(1)
generator().send()
generator().throw()
generator().throw(3)
generator().throw(ValueError("x"))
generator().throw(ValueError, "x")
generator().close(1)
g = stubborn(); next(g); g.close()
g = generator(); next(g); next(g); next(g)
g = generator(); list(g); next(g)
g = raises_stop(); next(g); next(g)
d = {1: 2}\nfor k in d: d[k + 1] = 1
d = {1: 2, 2: 3}\nfor k in d: del d[k]
d = {1, 2}\nfor k in d: d.add(k + 5)
d = collections.deque([1])\nfor k in d: d.append(1)
d = collections.OrderedDict(a=1)\nfor k in d: d["b"] = 1
match 3:\n    case plain(): pass
match plain:\n    case Plain(1): pass
match point:\n    case Point(1, 2, 3): pass
match point:\n    case Point(1, x=1): pass
math.sqrt(-1)
math.sqrt("x")
math.factorial(-1)
math.log(0)
math.gcd(1.5)
string.Template("$a").substitute()
"""


def statements():
    for text in (OF_ATTRIBUTES, OF_CALLS, OF_OPERATORS, OF_METHODS):
        yield from text.strip().splitlines()


MODULES = (collections, functools, itertools, math, operator, string, types)

CAPTURED = r"""
plain.absent
Plain().absent
Plain.absent
del Plain().absent
Slotted().x
del Slotted().x
slotted.z = 1
Slotted().z = 1
del Slotted().z
Propertied().only_read = 1
propertied.only_read = 1
del Propertied().only_read
propertied.nothing
propertied.failing
point.x = 1
Point(1).z = 1
"text".absent = 1
None.absent = 1
(1).real = 2
module.absent
Frozen().x = 2
super(Plain, plain).absent
plain()
Plain(1, 2)
positional(1, 2, 3)
len(plain)
[1][5]
{}["b"]
{**3}
numbers[1 << 100]
functools.reduce(len, 3)
"x".join(3)
iter(3, 4)
"""


TOLD = "return type(error), error.args, str(error)"


def program(statement, told=TOLD + ", getattr(error, 'name', '-')"):
    """A function that runs the statement and tells what it raises."""
    body = "\n".join("        " + line for line in statement.split(r"\n"))
    lines = [
        "def program():",
        "    try:",
        body,
        "    except Exception as error:",
        f"        {told}",
    ]
    namespace = {**globals(), **{module.__name__: module for module in MODULES}}
    exec("\n".join(lines), namespace)
    return namespace["program"]


def compiled(function):
    return symexec.compile(function, config=ALWAYS)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("statement", list(statements()))
def test_error_is_caught_and_told_in_full(statement):
    assert_same(program(statement), *(arguments,) * 3, transform=compiled)


@pytest.mark.parametrize("statement", CAPTURED.strip().splitlines())
def test_error_is_raised_and_caught_in_the_trace(statement):
    found = assert_same(program(statement, TOLD), *(arguments,) * 3, transform=compiled)
    assert symexec.stats(found).breaks == ()
    assert symexec.stats(found).traces
