"""Classes that do something of their own where Python asks: descriptors, lookups, operators, conversions, metaclasses,
subclasses of builtin types; how programs use them, and how they change between the calls.
"""

from __future__ import annotations

from tests.differential.grammar import read_rules

PRELUDE = """
import functools
import operator


def words(error):
    return type(error).__name__, error.args, str(error)


class Field:
    def __init__(self, default=None):
        self.default = default

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self.default
        LOG.append(("get", self.name))
        return instance.__dict__.get(self.name, self.default)

    def __set__(self, instance, value):
        LOG.append(("set", self.name))
        if value == 3:
            raise ValueError("three is refused", value)
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        del instance.__dict__[self.name]


class Once:
    def __init__(self, function):
        self.function = function

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value


class Common:
    scale = 2

    def __init__(self, x, y=1):
        self.x = x
        self.y = y

    def __repr__(self):
        return "<" + type(self).__name__ + ">"

    def norm(self):
        return self.x

    def move(self, dx, dy=1):
        self.x = dx
        return self

    def both(self):
        return self.x, self.y

    @staticmethod
    def twice(value):
        return (value, value)

    @classmethod
    def make(cls, value):
        return cls(value)


class Described(Common):
    x = Field(5)
    y = Field()

    @Once
    def once(self):
        LOG.append("once")
        return [self.y]

    @property
    def fixed(self):
        return self.x

    @functools.cached_property
    def cached(self):
        LOG.append("cached")
        return self.y

    @property
    def failing(self):
        raise AttributeError("failing", self.scale)


class Fallback(Common):
    def __getattr__(self, name):
        if name in ("extra", "fixed"):
            return name
        raise AttributeError(f"no {name}")

    @property
    def failing(self):
        return self.missing


class Watched(Common):
    def __getattribute__(self, name):
        if name == "extra":
            return 8
        if name != "__dict__":
            LOG.append(name)
        return super().__getattribute__(name)


class Writing(Common):
    def __setattr__(self, name, value):
        if name == "extra":
            raise AttributeError("not extra")
        LOG.append(("write", name))
        super().__setattr__(name, value)

    def __delattr__(self, name):
        LOG.append(("delete", name))
        object.__delattr__(self, name)


class Storing(Common):
    def __setattr__(self, name, value):
        self.__dict__[name] = (value,)

    def __getattr__(self, name):
        try:
            return self.__dict__["_" + name]
        except KeyError as error:
            raise AttributeError(name) from error


class Meta(type):
    scale = 6
    counter = 0

    def __call__(cls, *values, **named):
        made = super().__call__(*values, **named)
        cls.counter += 1
        return made

    def __len__(cls):
        return 4

    def __getattr__(cls, name):
        if name == "extra":
            return "meta"
        raise AttributeError(name)

    def __contains__(cls, value):
        return value == 1

    def __instancecheck__(cls, instance):
        return instance == 2 or type.__instancecheck__(cls, instance)

    @property
    def fixed(cls):
        return cls.__name__


class Governed(Common, metaclass=Meta):
    pass


class Left(Common):
    def norm(self):
        LOG.append("left")
        return super().norm()

    def move(self, dx, dy=2):
        return super().move(dx, dy=dy)

    tag = "left"


class Right(Common):
    def __init__(self, x, y=4, **more):
        super().__init__(x, y)
        self.__dict__.update(more)

    def norm(self):
        return super(Right, self).norm()

    tag = "right"


class Diamond(Left, Right):
    @property
    def fixed(self):
        return super().tag

    @classmethod
    def make(cls, value):
        return super().make(value)


class Vector(Common):
    def __add__(self, other):
        LOG.append("add")
        if isinstance(other, Vector):
            return Vector(self.x, other.x)
        if isinstance(other, int):
            return Vector(self.x, other)
        return NotImplemented

    def __radd__(self, other):
        LOG.append("radd")
        return NotImplemented if other == 2 else Vector(other)

    def __iadd__(self, other):
        if other == 1:
            return NotImplemented
        self.y = other
        return self

    def __sub__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return "rsub", other

    def __mul__(self, other):
        return other

    def __eq__(self, other):
        if isinstance(other, Vector):
            return self.x == other.x
        return NotImplemented

    def __lt__(self, other):
        LOG.append("lt")
        return NotImplemented if not isinstance(other, Vector) else self.x < other.x

    def __ge__(self, other):
        return "ge"

    def __neg__(self):
        return Vector(self.y, self.x)

    def __abs__(self):
        return self.y

    def __call__(self, *values, **named):
        return len(values), sorted(named), self.x

    def __contains__(self, value):
        return value

    def __bool__(self):
        return self.x == 1

    def __matmul__(self, other):
        raise ZeroDivisionError("matmul", other)

    def __pow__(self, other, modulus=None):
        return other, modulus

    def __divmod__(self, other):
        return NotImplemented

    def __round__(self, digits=None):
        return digits

    def __len__(self):
        return self.y


class Scaled(Vector):
    def __radd__(self, other):
        LOG.append("scaled")
        return self

    def __rmul__(self, other):
        return Scaled(self.x)

    def __gt__(self, other):
        LOG.append("gt")
        return 1

    __hash__ = None


class Keyed(Common):
    def __eq__(self, other):
        LOG.append("keyed eq")
        return isinstance(other, Keyed) and self.x == other.x or other == "a"

    def __hash__(self):
        LOG.append("keyed hash")
        return hash("a") if self.y == 1 else self.y


class Shown(Common):
    def __format__(self, text):
        LOG.append(("format", text))
        return text or "none"

    def __str__(self):
        return f"shown {self.x}" if self.y == 1 else self.y

    def __index__(self):
        return self.x

    def __int__(self):
        return self.y

    def __float__(self):
        return 1.5

    def __bytes__(self):
        return b"shown"


class Sequence(Common):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        LOG.append(index)
        if isinstance(index, slice):
            return index.start, index.stop, index.step
        if index == 3:
            raise IndexError(index)
        return (self.x, self.y, 7)[index]

    def __setitem__(self, index, value):
        LOG.append((index, value))

    def __delitem__(self, index):
        raise KeyError(index)

    def __reversed__(self):
        return "reversed"


class Looped(Common):
    def __iter__(self):
        LOG.append("iter")
        yield self.x
        yield self.y

    def __contains__(self, value):
        return value is self.x

    def keys(self):
        return ["x", "y"]

    def __getitem__(self, key):
        return getattr(self, key)


class Stack(list):
    scale = 1
    x = 2
    y = 3

    def __init__(self, *values):
        super().__init__(values)
        self.note = len(values)

    def append(self, value):
        super().append(value)
        self.note += 1

    def top(self):
        return self[-1]

    def __contains__(self, value):
        return True


class Table(dict):
    scale = 1

    def __missing__(self, key):
        self[key] = key
        return key

    def __setitem__(self, key, value):
        LOG.append(key)
        super().__setitem__(key, value)

    def get(self, key, default=4):
        return super().get(key, default)


class Count(int):
    x = 1
    y = 2
    scale = 3

    def __new__(cls, value=0, *rest):
        return super().__new__(cls, value)

    def __add__(self, other):
        return Count(super().__add__(other))

    __radd__ = __add__

    def norm(self):
        return self * 2

    def __eq__(self, other):
        LOG.append("count eq")
        return int.__eq__(self, other)

    __hash__ = int.__hash__


class Name(str):
    x = "x"
    scale = 2

    def norm(self):
        return self.upper()

    def __getitem__(self, index):
        return Name(super().__getitem__(index))


class Row(tuple):
    __slots__ = ()
    scale = 1

    def __new__(cls, x, y=1):
        return tuple.__new__(cls, (x, y))

    x = property(lambda self: self[0])

    @property
    def y(self):
        return self[1]

    def norm(self):
        return len(self)


class Other:
    def __new__(cls, x, y=1):
        return Point(x, y) if x == 1 else object.__new__(cls)

    def __init__(self, x, y=2):
        self.x, self.y = y, x


class Base:
    __slots__ = ()
    registry = []

    def __init_subclass__(cls, /, **named):
        Base.registry.append((cls.__name__, sorted(named)))

    def __class_getitem__(cls, item):
        return item, cls.__name__


class Slots(Base, flag=1):
    __slots__ = ("x", "y", "__dict__", "__weakref__")
    scale = 9

    def __init__(self, x, y=None):
        self.x = x
        if y is not None:
            self.y = y

    norm = Point.norm


class Partial(Common):
    add = functools.partialmethod(Common.move, 9)
    call = Vector(1, 2)
    builtin = len
    printed = str
    bound = [1].append


@dataclasses.dataclass(frozen=True, order=True)
class Frozen:
    x: object
    y: object = 1
    scale = 2

    def norm(self):
        return self.x


@dataclasses.dataclass(slots=True, weakref_slot=True)
class Compact:
    x: object
    y: object = dataclasses.field(default=2, repr=False, compare=False)
    z: object = dataclasses.field(init=False)

    def __post_init__(self):
        self.z = self.y

    def norm(self):
        return self.z


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3

    def norm(self):
        return self.value + 1


class Bits(enum.Flag):
    A = 1
    B = 2


@functools.total_ordering
class Ordered(Common):
    def __eq__(self, other):
        return isinstance(other, Ordered) and self.x == other.x

    def __lt__(self, other):
        if not isinstance(other, Ordered):
            return NotImplemented
        return self.x < other.x


class Reasoned(Exception):
    def __init__(self, reason, *more, code=1):
        super().__init__(reason, *more)
        self.code = code

    def __str__(self):
        return f"{self.code} {self.args}"


WATCHED = Watched(1, 2)
DESCRIBED = Described(1, 2)
VECTOR = Vector(1, 2)
STACK = Stack(1, 2)
SLOTS = Slots(1, 2)
"""

NAMES = ["Common", "Described", "Fallback", "Watched", "Writing", "Storing", "Governed", "Left", "Right", "Diamond",
         "Vector", "Scaled", "Keyed", "Shown", "Sequence", "Looped", "Stack", "Count", "Row", "Other", "Slots",
         "Partial", "Frozen", "Compact", "Ordered"]  # fmt: skip

OBJECTS = [
    *[f"{name}(1, 2)" for name in NAMES],
    *[f"{name}(3)" for name in NAMES],
    "Keyed('a')", "Shown(1, 1)", "Shown(2, 'text')", "Shown(1.5, 2.5)", "Table(a=1)", "Name('abc')", "Level.LOW",
    "Level.HIGH", "Bits.A", "Governed", "Base", "WATCHED", "DESCRIBED", "VECTOR", "STACK", "SLOTS", "WATCHED",
    "DESCRIBED", "VECTOR", "STACK", "SLOTS", "SHARED_POINT", "Point(1, 2)",
]  # fmt: skip
LISTS = ["STACK", "Stack(1, 2)", "Row(1, 2)", "[VECTOR, VECTOR]", "[Vector(2), Vector(1)]", "[Ordered(2), Ordered(1)]"]
LISTS += ["Sequence(1, 2)", "Looped(1, 2)", "[Keyed(1), 'a']", "[Frozen(2), Frozen(1, 3)]"]
DICTS = ["Table(a=1)", "Table({'b': 2})", "{Keyed('a'): 1, 'a': 2}", "Looped(1, 2)", "{VECTOR.x: VECTOR}"]
DICTS += ["{Frozen(1): 1, 1: 2}", "{Level.LOW: 5, 'a': 1}"]
NUMBERS = ["Count(3)", "Count(0)", "Level.LOW", "Level.HIGH", "Shown(1, 1)", "Vector(1, 2)", "Bits.B"]

RULES = read_rules("""
== it
p   q   <object>   <made>   p   q   WATCHED   DESCRIBED   VECTOR   SLOTS   STACK
== made
<class>(<number>, <number>)   <class>(<number>)   <class>(<any>, y=<number>)   type(p)(<number>)
== class
Common   Described   Fallback   Watched   Writing   Storing   Governed   Left   Right   Diamond   Vector   Scaled
Keyed   Shown   Sequence   Looped   Stack   Count   Row   Other   Slots   Partial   Frozen   Compact   Ordered
Point   Child   Pair   Data   Colour   Level   Reasoned   Table   Name
== name
x   y   x   y   scale   extra   fixed   once   cached   failing   tag   norm   z   note
== operator
+   -   *   /   //   %   @   &   |   ^   ==   !=   <   >   <=   >=   +   ==   <
== update
+=   -=   *=   |=   /=   @=   +=
== unary
-   +   ~   not -
== convert
str   repr   int   float   bool   abs   len   hash   list   tuple   iter   reversed   round
== text
''   '>5'   'x'   '.2f'   '5d'
== value
<it>.<name>   <it>.<name>   getattr(<it>, '<name>')   getattr(<it>, '<name>', 'none')   <it>.norm()
<it>.move(<number>)   <it>.both()   <it>.add()   <it>.call(<number>, k=1)   <it>.builtin   <it>.printed(<number>)
type(<it>).<name>   type(<it>).make(<number>)   <class>.<name>   <class>.make(<number>)   <class>.__name__
<it> <operator> <it>   <it> <operator> <number>   <number> <operator> <it>   <it> <operator> <any>   <unary><it>
<convert>(<it>) is None   str(<it>)   repr(<it>)   format(<it>, <text>)   f'{<it>}'   f'{<it>!r:>9}'   f'{<it>:>4}'
f'{<number>!s:5}'   '%s' % (<it>,)   '%d' % (<it>,)   '{0.x} {0}'.format(<it>)   int(<it>)   float(<it>)
bool(<it>)   len(<it>)   abs(<it>)   divmod(<it>, <number>)   pow(<it>, <number>, 5)   round(<it>, 1)
[5, 6, 7][<it>]   (5, 6, 7)[<it>:]   range(<it>)[0:1]   operator.index(<it>)   <it>[<index>]   <it>[<index>:<index>]
<it>[<index>, ...]   <it>['x']   list(<it>)   [*<it>]   tuple(<it>)[:3]   dict(**<it>)   dict(<it>)   combine(*<it>)
combine(**<it>)   <any> in <it>   <it> in <list>   <it> in <dict>   <dict>[<it>]   <dict>.get(<it>, 'none')
{<it>: 1}   {<it>, <number>} == {<number>}   <it>(<number>)   <it>(*<list>, k=<number>)   callable(<it>)
isinstance(<it>, <class>)   isinstance(<it>, (<class>, <class>))   issubclass(type(<it>), <class>)
issubclass(<class>, <class>)   hasattr(<it>, '<name>')   <it>.__dict__   vars(<it>).get('<name>')
<it>.__dict__['<name>']   <it>.__class__.__name__   <it>.__class__ is <class>   super(<class>, <it>).norm()
super(<class>, <it>).<name>   Common.norm(<it>)   <class>.norm(<it>)   object.__getattribute__(<it>, '<name>')
<it>.__eq__(<it>)   <it>.__class__.__mro__[1].__name__   sorted([<it>, <it>])[0]   min(<it>, <it>)
max([<it>, <it>], key=lambda one: one.x)   sum([<number>, <it>])   sum([<it>], <it>)   <it> is <it>   <it> and <it>
[<it>] == [<it>]   (<it>, 1) < (<it>, 2)   <it> == <it>   <it> != <it>   [<it>].index(<it>)
[<it>, <number>].count(<number>)   <class>[<number>]   <class>.__len__   len(<class>)   <number> in <class>
<class>.LOW   Level(<number>)   Colour(<number>)   Level['<name>']   Bits.A | Bits(<number>)   Level.HIGH.norm()
Colour.RED.value + <number>   dataclasses.replace(<it>, x=<number>)   dataclasses.astuple(<it>)
dataclasses.asdict(<it>)   <it>._replace(x=<number>)   <it>._asdict()   Pair(*<list>)   Pair._make(<list>)
next(iter(<it>))   next(<it>, 1)   list(reversed(<it>))   list(zip(<it>, <it>))   list(enumerate(<it>, <number>))
<it>.top()   <it>.upper()   <it>.append   functools.reduce(lambda one, two: one + two, [<it>, <it>, <number>])
any(<it>)   str(Reasoned(<number>, <number>, code=<number>))   repr(Reasoned(<number>))   Reasoned(<number>).args
(lambda *, k: k)(**{'k': <it>})   (lambda one, /, two=2: (one, two))(<it>, **<dict>)
== statement
<new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>
LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)
<it>.<name> = <value>   <it>.<name> = <any>   <it>.<name> = <number>   <it>.<name> <update> <number>
del <it>.<name>   setattr(<it>, '<name>', <number>)   delattr(<it>, '<name>')   <it>.__dict__['<name>'] = <number>
<it>.__dict__.update(x=<number>)   <it>.__dict__ = {'x': <number>, 'y': 1}   del <it>.__dict__['<name>']
<it>.__dict__.pop('<name>', None)   object.__setattr__(<it>, '<name>', <number>)   <it>.__class__ = <class>
<class>.<name> = <number>   <new> = <it>; <new> <update> <it>   p <update> <it>   <it>[<index>] = <value>
<it>[<index>:] = <list>   del <it>[<index>]   <it>[<key>] <update> <number>   <it>.append(<number>)
<it>.update(a=<number>)   <it>.insert(0, <number>)   <new> = <it>.norm; LOG.append(<new>())
<new> = <class>.norm; LOG.append(<new>(<it>))   <new> = <it>.<name>; <it>.<name> = <number>; LOG.append(<it>.<name>)
<new>, <new> = <it>   <new>, *<new> = <it>   print(<it>)
== blocks
for one in <it>:
    LOG.append(one)
    if len(LOG) > 60: break

for one in <it>:
    <it>.append(one)
    if len(LOG) > 60 or len(p) > 9: break
    LOG.append(one)

for one in [p, q, p, <it>]:
    LOG.append(one.<name>)
    <block>

for one in [p, q, <number>]:
    one.<name> = <number>
    LOG.append(one == <it>)

if <it>:
    <block>
else:
    <block>

if <it> <operator> <it>:
    <block>

while <it> <operator> <number>:
    <block>
    break

try:
    raise Reasoned(<number>, code=<it>)
except Reasoned as error:
    LOG.append(error.code)
    LOG.append(str(error))

try:
    raise <it>
except TypeError as error:
    LOG.append(words(error))

try:
    LOG.append(<value>)
except (TypeError, AttributeError) as error:
    LOG.append(words(error))
else:
    <block>

try:
    LOG.append(<value>)
except <class>:
    LOG.append('caught')

with <it> as one:
    <block>

match <it>:
    case <class>(x=<new>):
        LOG.append(<new>)
    case Pair(1, other) | [other, *_]:
        LOG.append(other)

match <it>:
    case {'x': one, **more}:
        LOG.append((one, more))
    case int() | str():
        <block>

class Local(<class>):
    def norm(self):
        return super().norm(), a
LOG.append(Local(<number>).norm())

def inner(one=<it>):
    return one.<name>, a
LOG.append(inner())
LOG.append(inner(q))
""")

BETWEEN = [
    "Field.__get__ = lambda self, instance, owner=None: 44",
    "Field.__set__ = lambda self, instance, value: LOG.append(value)",
    "del Field.__set__",
    "Once.__set__ = lambda self, instance, value: LOG.append('once set')",
    "Described.x = 3",
    "Described.y.default = 4",
    "vars(Described)['x'].default = 17",
    "del Described.x",
    "DESCRIBED.__dict__['once'] = 5",
    "DESCRIBED.__dict__['y'] = 50",
    "DESCRIBED.__dict__.clear()",
    "Described.fixed = property(lambda self: 6, lambda self, value: LOG.append(value))",
    "Fallback.__getattr__ = lambda self, name: (name, 1)",
    "del Fallback.__getattr__",
    "Common.__getattr__ = lambda self, name: 'common'",
    "Common.__setattr__ = lambda self, name, value: self.__dict__.update({name: 1})",
    "Common.__eq__ = lambda self, other: True",
    "Common.__bool__ = lambda self: False",
    "Common.__iter__ = lambda self: iter([1, 2])",
    "Common.__enter__ = lambda self: 5; Common.__exit__ = lambda self, *rest: True",
    "Common.__call__ = lambda self, *rest: rest",
    "Common.__index__ = lambda self: 1",
    "Common.norm = lambda self: 'normal'",
    "Common.norm = property(lambda self: lambda: 8)",
    "Common.norm = staticmethod(lambda *rest: rest)",
    "Common.scale = property(lambda self: self.y)",
    "Common.__init__ = lambda self, x, y=7: self.__dict__.update(x=y, y=x)",
    "Common.extra = 3",
    "del Common.scale",
    "Watched.__getattribute__ = object.__getattribute__",
    "Watched.__getattribute__ = lambda self, name: 12",
    "WATCHED.__class__ = Common",
    "WATCHED.__class__ = Writing",
    "DESCRIBED.__class__ = Fallback",
    "VECTOR.__class__ = Scaled",
    "VECTOR.__class__ = Common",
    "VECTOR.__dict__ = {'x': 1.5}",
    "VECTOR.__dict__['__add__'] = 5",
    "Writing.__setattr__ = object.__setattr__",
    "del Writing.__setattr__",
    "Meta.__call__ = type.__call__",
    "Meta.__call__ = lambda cls, *rest: rest",
    "Meta.__len__ = lambda cls: 0",
    "Meta.fixed = 8",
    "del Meta.__instancecheck__",
    "Left.__bases__ = (Right,)",
    "Diamond.__bases__ = (Right, Left)",
    "Right.tag = 7",
    "del Left.norm",
    "Right.norm = lambda self: 'right'",
    "Vector.__add__ = lambda self, other: 61",
    "del Vector.__add__",
    "del Vector.__iadd__",
    "Vector.__radd__ = lambda self, other: 62",
    "Vector.__bool__ = lambda self: 5",
    "del Vector.__bool__",
    "Vector.__lt__ = lambda self, other: False",
    "Vector.__eq__ = object.__eq__",
    "Vector.__call__ = Common.norm",
    "Scaled.__radd__ = Vector.__radd__",
    "del Scaled.__radd__",
    "Scaled.__add__ = lambda self, other: 'scaled'",
    "Keyed.__hash__ = lambda self: 1.5",
    "Keyed.__hash__ = None",
    "Keyed.__eq__ = lambda self, other: False",
    "Shown.__format__ = lambda self, text: 5",
    "Shown.__str__ = object.__str__",
    "Shown.__repr__ = lambda self: 'repr'",
    "Shown.__index__ = lambda self: True",
    "Shown.__index__ = lambda self: 1.0",
    "del Shown.__int__",
    "Sequence.__getitem__ = lambda self, index: [9, 8][index]",
    "Sequence.__iter__ = lambda self: iter('ab')",
    "Sequence.__len__ = lambda self: -1",
    "Sequence.__contains__ = None",
    "Looped.__iter__ = None",
    "Looped.__iter__ = lambda self: 5",
    "Looped.keys = lambda self: ['y']",
    "Stack.append = list.append",
    "Stack.__len__ = lambda self: 1",
    "Stack.__getitem__ = lambda self, index: 'item'",
    "Stack.__iter__ = lambda self: iter('ab')",
    "STACK.append(5)",
    "STACK.note = 8",
    "del Stack.__init__",
    "Table.__missing__ = lambda self, key: 'missing'",
    "Table.__getitem__ = lambda self, key: 'got'",
    "del Table.get",
    "Count.__add__ = int.__add__",
    "Count.__index__ = lambda self: 2",
    "Count.__bool__ = lambda self: False",
    "Name.__str__ = lambda self: 'name'",
    "Row.x = 5",
    "Row.__new__ = lambda cls, x, y=1: x",
    "Row.__getitem__ = lambda self, index: index",
    "Other.__new__ = lambda cls, *rest: 5",
    "SLOTS.z = 4",
    "del SLOTS.x",
    "SLOTS.__dict__['x'] = 7",
    "Slots.x = 5",
    "Partial.add = 5",
    "Partial.call = lambda self, *rest, k: k",
    "Frozen.__eq__ = lambda self, other: True",
    "Frozen.__lt__ = lambda self, other: 3",
    "Compact.__post_init__ = lambda self: None",
    "Compact.norm = property(lambda self: lambda: 3)",
    "Level.norm = lambda self: 'level'",
    "Ordered.__lt__ = lambda self, other: False",
    "Ordered.__gt__ = lambda self, other: 'gt'",
    "Reasoned.__str__ = Exception.__str__",
    "Reasoned.__init__ = lambda self, *rest, code=4: None",
    "Reasoned = ValueError",
    "words = lambda error: type(error)",
    "Vector, Common = Common, Vector",
    "Child.__bases__ = (Left,)",
    "type(SHARED_POINT).norm = Common.norm",
    "repr = str",
    "Common.__name__ = Point.__name__ = Vector.__name__ = Described.__name__ = 'Renamed'",
    "Slots.__name__ = Slots.__qualname__ = 'Other'",
    "getattr = lambda one, name, default=None: name",
    "super = lambda *rest: Point",
]
