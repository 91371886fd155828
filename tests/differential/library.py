"""What the standard library and the builtin types offer: containers, iterators, sets, slices, strings, calls, imports,
closures and coroutines; how programs use them, and how the world changes between the calls.
"""

from __future__ import annotations

from tests.differential.grammar import read_rules

PRELUDE = """
import functools
import itertools
import operator
import bisect
import heapq
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque

helpers = types.ModuleType("helpers")
helpers.__dict__.update(rate=3, double=lambda value: (value, value))
sys = __import__("sys")
sys.modules["helpers"] = helpers


def words(error):
    return type(error).__name__, error.args, str(error)


class Await:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        LOG.append("await")
        yield from ()
        return self.value


class Managed:
    def __init__(self, swallow=False):
        self.swallow = swallow

    async def __aenter__(self):
        LOG.append("aenter")
        return await Await(3)

    async def __aexit__(self, kind, error, traceback):
        LOG.append(("aexit", kind and kind.__name__, error and error.args))
        return self.swallow


class Ticks:
    def __init__(self, count):
        self.count = count

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.count is None or self.count <= 0:
            raise StopAsyncIteration
        self.count -= 1
        if self.count == 5:
            raise KeyError("five")
        return await Await(self.count)


def drive(coroutine):
    steps = []
    try:
        while len(steps) < 9:
            steps.append(coroutine.send(None))
    except StopIteration as error:
        return error.value, steps
    finally:
        coroutine.close()


async def adding(one, two=1):
    LOG.append(one)
    return await Await(one) + two


async def ticking(count):
    for value in range(count):
        yield value


def logged(function):
    @functools.wraps(function)
    def wrapper(*values, **named):
        LOG.append((function.__name__, len(values), sorted(named)))
        return function(*values, **named)

    return wrapper


@logged
def joined(one, /, two=2, *rest, three, four=4, **more):
    return one, two, rest, three, four, more


def strict(one, two, /, *, three=3):
    return one, two, three


@functools.lru_cache(maxsize=3)
def cached(value):
    LOG.append("computed")
    return [value]


@functools.singledispatch
def dispatched(value):
    return "object"


@dispatched.register
def _(value: int):
    return "int"


def bank(start):
    total = start

    def add(value):
        nonlocal total
        total += value
        return total

    def show():
        return total

    return add, show


QUEUE = deque([1, 2, 3])
BOUNDED = deque([1, 2], maxlen=2)
ORDER = OrderedDict(a=1, b=2)
GROUPS = defaultdict(list, {"a": [1]})
COUNTER = Counter("aab")
CHAIN = ChainMap({"a": 1}, {"b": 2})
SET = {1, 2, 3}
FROZEN = frozenset([2, 3])
RUNNING = iter([1, 2, 3, 4])
ADD, SHOW = bank(2)
TRIPLE = functools.partial(joined, 1, three=3)
WORDS = "The quick brown"
RAW = bytearray(b"raw")
GETTER = operator.itemgetter(1)
BOTH = operator.attrgetter("x", "y")
VIEW = ORDER.keys()
"""

OBJECTS = ["Point(1, 2)", "Data(1)", "Pair(1, 2)", "QUEUE", "COUNTER", "SHARED_POINT", "deque([1])", "RUNNING"]
LISTS = ["QUEUE", "deque([3, 1, 2])", "BOUNDED", "'xyz'", "b'xyz'", "RAW", "(1, 2, 3)", "SET", "RUNNING", "range(4)",
         "[[1, 2], [3, 4]]", "['b', 'a']", "[(1, 'a'), (2, 'b')]", "list('cab')", "[None, 1]", "VIEW"]  # fmt: skip
DICTS = ["ORDER", "GROUPS", "COUNTER", "CHAIN", "defaultdict(int)", "OrderedDict(b=1, a=2)", "{1: 'a', 2: 'b'}"]
NUMBERS = ["'ab'", "1j", "2", "3", "-2", "b'a'", "None", "''"]

RULES = read_rules("""
== seq
xs   <list>   xs   (*xs,)   ITEMS   [<number>, <number>, <number>]   'abcab'   QUEUE   <text>   RAW
== text
WORDS   'a,b,,c'   '  pad '   str(a)   'Straße'   'x1'   WORDS[::-1]   f'{a}-{b}'   ''   'éa'
== raw
b'a b'   RAW   b''   bytes(3)   WORDS.encode()   bytearray(b'xy')
== set
SET   FROZEN   {1, 2}   set(xs)   {<number>, <number>}   frozenset(<list>)   d.keys()   {1, 2.0, True}
== map
d   ORDER   GROUPS   COUNTER   CHAIN   <dict>   d   OrderedDict(a=<number>, c=<number>)   Counter(xs)
defaultdict(list, a=[<number>])
== queue
QUEUE   BOUNDED   deque(<list>)   deque(xs, 2)   deque(xs, maxlen=<number>)   QUEUE
== small
0   1   2   3   -1   -2   True   a   None   5
== cut
<small>:<small>   :<small>   <small>:   ::<small>   <small>:<small>:<small>   :   ::-1
== callee
joined   strict   combine   TRIPLE   cached   dispatched   early   operator.add   max   len   int
(lambda *r, **k: (r, k))   divmod   logged(abs)   functools.partial(combine, 1, scale=2)
== call
<callee>(<number>)   <callee>(<number>, <number>)   <callee>(<number>, three=<number>)   <callee>(*<seq>)
<callee>(*<seq>, **<map>)   <callee>(<number>, *<seq>, three=1, **{'four': 2})   <callee>(**<map>)   <callee>()
<callee>(<number>, three=1, **{'three': 2})   <callee>(*1)   <callee>(**5)   <callee>(one=<number>)
<callee>(1, 2, 3, 4, 5, three=6, seven=7)   <callee>(**{1: 2})   <callee>(1, two=2, three=3, *(7, 8))
== function
(lambda one: one)   (lambda one: one < 2)   str   abs   early   None   ADD   bool   len
(lambda one, two=1: LOG.append(one) or two)   operator.neg   operator.itemgetter(0)   risky   list
== binary
operator.add   operator.mul   max   (lambda one, two: one)   (lambda one, two: two - one)   divmod   operator.lt
combine   operator.getitem   operator.or_   operator.contains   operator.iadd
== stream
itertools.chain(<seq>, <seq>)   itertools.chain.from_iterable(<seq>)   itertools.islice(<seq>, <small>)
itertools.islice(<seq>, <small>, <small>)   itertools.islice(<seq>, <small>, <small>, <small>)
itertools.accumulate(<seq>)   itertools.accumulate(<seq>, <binary>)   itertools.accumulate(<seq>, initial=<number>)
itertools.takewhile(<function>, <seq>)   itertools.dropwhile(<function>, <seq>)
itertools.filterfalse(<function>, <seq>)   itertools.starmap(<binary>, zip(<seq>, <seq>))
itertools.compress(<seq>, <seq>)   itertools.pairwise(<seq>)   itertools.product(<seq>, <seq>)
itertools.product(<seq>, repeat=2)   itertools.permutations(<seq>, 2)   itertools.combinations(<seq>, <small>)
itertools.combinations_with_replacement(<seq>, 2)   itertools.zip_longest(<seq>, <seq>, fillvalue=<number>)
itertools.repeat(<number>, <small>)   itertools.islice(itertools.count(<number>), 4)
itertools.islice(itertools.count(<number>, <number>), 3)   itertools.islice(itertools.cycle(<seq>), 5)
itertools.tee(<seq>)[0]   ((key, list(group)) for key, group in itertools.groupby(<seq>, <function>))
itertools.groupby(<seq>)   map(<function>, <seq>)   map(<binary>, <seq>, <seq>)   filter(<function>, <seq>)
zip(<seq>, <seq>, strict=True)   zip(<seq>, <stream>)   enumerate(<seq>, <number>)   reversed(<seq>)   iter(<seq>)
iter([1, 2, 3].pop, 1)   sorted(<seq>, key=<function>)   <map>.items()   <map>.values()   reversed(<map>)
(one for one in <seq> if one)   range(<small>, 4)   <set>   iter(<set>)   RUNNING   heapq.merge(<seq>, <seq>)
counted(3)
== value
list(<stream>)[:12]   list(<stream>)[:12]   list(<stream>)[:12]   list(<stream>)[:12]   tuple(<stream>)[:9]
next(<stream>, 'none')   next(<stream>)   sum(<stream>)   max(<stream>)
min(<stream>, key=<function>, default=<number>)   any(<stream>)   all(<stream>)   dict(<stream>)
<number> in <stream>   [*<stream>, 1][:9]   sorted(<stream>)[:9]   functools.reduce(<binary>, <stream>)
functools.reduce(<binary>, <stream>, <number>)   ','.join(<stream>)   Counter(<stream>)   deque(<stream>, 3)
len(list(<stream>)[:20])   <seq>[<cut>]   <seq>[<cut>]   <text>[<cut>]   range(9)[<cut>]   <raw>[<cut>]
<seq>[<small>]   <seq>[slice(<small>, <small>)]   slice(<small>, 3).indices(5)   [1, 2, 3, 4][<cut>]
(1, 2, 3)[<cut>]   <call>   <call>   <call>   <call>   <call>   <call>   <set> | <set>   <set> & <set>
<set> - <set>   <set> ^ <set>   <set> <= <set>   <set> < <set>   <set> == <set>   <set>.union(<seq>)
<set>.isdisjoint(<seq>)   <set>.issubset(<seq>)   <set> | <list>   <set>.intersection(<seq>, <seq>)
<set>.symmetric_difference(<seq>)   <number> in <set>   len(<set>)   {one for one in <seq>}   {*<seq>}   set(<seq>)
frozenset(<set>) == <set>   {<set>: 1}   sorted(<set>)   <set>.difference()   <set>.copy() is <set>   <map>[<key>]
<map>.get(<key>)   <map>.pop(<key>)   <map>.pop(<key>, 'none')   <map>.setdefault(<key>, [])   <map>.popitem()
<map> | <map>   <map> == <map>   <key> in <map>   list(<map>)   list(<map>.items())   len(<map>)   <map>.copy()
dict(<map>)   dict(<map>, a=<number>)   {**<map>, **<map>}   type(<map>)(<map>)   dict.fromkeys(<seq>, <number>)
<map>.keys() & <set>   <map>.items() <= <map>.items()   <map>.keys() - <seq>   <map>.most_common(1)   <map>.total()
<map>.move_to_end('a')   <map>.maps   <map> + <map>   <map>.new_child()   next(iter(<map>))
list(reversed(<map>))[:1]   <map>.default_factory   {one: <number> for one in <seq>}   max(<map>, key=<map>.get)
<map>.elements()   bool(<map>)   <queue>[<small>]   <queue>.popleft()   <queue>.pop()   <queue>.maxlen
<queue> + <queue>   <queue> == <queue>   <queue>.index(<number>)   <queue>.count(<number>)   len(<queue>)
list(<queue>)   <number> in <queue>   <queue>.copy()   <queue> * 2   <queue> < <queue>   list(reversed(<queue>))
xs.index(<number>)   xs.index(<number>, 1)   <seq>.count(<number>)   <seq> + <seq>   <seq> == <seq>   <seq> < <seq>
xs.pop()   xs.pop(<small>)   (<seq> * 2)[:9]   <number> in <seq>   xs.copy() is xs   sorted(<seq>, reverse=<small>)
[*xs, *<seq>]   xs.sort(key=<function>)   xs.remove(<number>)   <text>.split()   <text>.split(',')
<text>.split(None, 1)   <text>.rsplit('a', <small>)   <text>.strip()   <text>.strip('a ')   <text>.upper()
<text>.title()   <text>.swapcase()   <text>.replace('a', <text>)   <text>.replace('a', '', <small>)
<text>.find('a')   <text>.index('q')   <text>.count('a')   <text>.startswith(('T', 'a'))   <text>.endswith(<text>)
<text>.partition(',')   <text>.center(12, '*')   <text>.ljust(<small>)   <text>.zfill(5)   <text>.isdigit()
<text>.encode('ascii')   <text>.join(<seq>)   <text> % (<number>,)   <text> * 2   <text> + <text>   <text> < <text>
<text> in <text>   <text>.casefold()   <text>.expandtabs(<small>)   <text>.splitlines()
<text>.translate({97: 'b'})   <text>.removeprefix('a')   ord(<text>[0])   chr(<number>)   int(<text>)
float(<text>)   <text>[<small>]   len(<text>)   hash(<text>) == 1   '{} {}'.format(<number>, <any>)
'{0[0]} {k:>5}'.format(<seq>, k=<number>)   '{:{}}'.format(<number>, 4)   '%s %r' % (<number>, <text>)
'%(a)s' % <map>   '%5.1f|%d' % (<number>, <number>)   '%x' % <number>   f'{<number>:>{<small>}}'   f'{<number>:.2f}'
f'{<number>=}'   f'{<text>!r:^9}{<any>!s:.3}'   format(<number>, '05')   format(<number>, ',')
format(<text>, '>4')   repr(<number>)   ascii(<text>)   '{x}'.format_map(<map>)   '{}{}'.format(<number>)
'{a.x}'.format(a=p)   str(<raw>, 'ascii')   <raw>.decode()   <raw> + <raw>   <raw>[<small>]   <raw>.hex()
<raw>.split()   <raw> == <raw>   list(<raw>)   bytes(<seq>)   <raw>.find(<small>)   int.from_bytes(<raw>, 'big')
b'%d' % <number>   hex(<number>)   bin(<number>)   int('11', <small>)   round(<number>)   round(<number>, <small>)
divmod(<number>, <number>)   pow(<number>, <small>, 7)   <number>.bit_length()   <number>.real
<number>.is_integer()   <number>.as_integer_ratio()   complex(<number>, 1)   math.isclose(<number>, <number>)
math.sqrt(<number>)   math.prod(<seq>)   math.gcd(12, <number>)   (<number>).conjugate()   float.fromhex('0x1')
(<number>) // (<number>)   (<number>) % (<number>)   ~<number>   <number> & <number>   1 << (<small>)
operator.itemgetter(<small>)(<seq>)   operator.itemgetter(0, <small>)(<seq>)   GETTER(<seq>)   BOTH(p)
operator.attrgetter('x')(p)   operator.attrgetter('x.real')(p)   operator.methodcaller('norm')(p)
operator.methodcaller('count', <number>)(<seq>)   <binary>(<number>, <number>)   <binary>(<seq>, <small>)
operator.length_hint(<seq>)   operator.countOf(<seq>, <number>)   operator.indexOf(<seq>, <number>)
operator.concat(<seq>, <seq>)   operator.truth(<any>)   operator.is_(<any>, <any>)   operator.index(<number>)
operator.setitem(xs, <small>, <number>)   operator.delitem(d, <key>)   operator.not_(<any>)
bisect.bisect(<seq>, <number>)   heapq.nsmallest(2, <seq>)   heapq.heappop(xs)   bisect.insort(xs, <number>)
ADD(<number>)   SHOW()   bank(<number>)[0](<number>)   TRIPLE(<number>)   TRIPLE.keywords   cached(<number>)
cached.cache_info()   dispatched(<any>)   joined.__name__   joined.__wrapped__(1, three=<number>)
functools.partial(<callee>, <number>)(<number>)   functools.partial(<callee>, three=1)(<number>)
sorted(<seq>, key=functools.cmp_to_key(lambda one, two: (one > two) - (one < two)))   drive(adding(<number>))
drive(adding(<number>, <number>))   [1, 2, 3].__getitem__(<small>)   getattr(<seq>, 'count')(<number>)   type(<any>)
isinstance(<any>, (list, str))   xs.__len__()   id(xs) == id(xs)   all(one == one for one in <seq>)
[one for two in [<seq>, <seq>] for one in two][:9]   [i := <number>, i]   sum([[1], [2]], [])   sum(<seq>, <number>)
max(<number>, <number>, key=<function>)   max([], default=<number>)   min()   max(1)   list(zip(*[<seq>, <seq>]))
list(map(None, <seq>))   helpers.rate   helpers.double(<number>)   eval('1')   iter(5)   len(5)   next([])
reversed({1})   5()   'a'.x   None[0]   'a' + 1   [] + ()   -'a'   {}[[]]   {[]}   int('x')   int([])   float('x')
'a'[5]   ()[1]   [1][1.0]   {}.popitem()   [].pop()
== statement
<new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>   <new> = <value>
LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)   LOG.append(<value>)
LOG.append(<value>)   xs[<cut>] = <seq>   xs[<small>] = <value>   del xs[<cut>]   del xs[<small>]   xs += <seq>[:2]
xs *= 1   xs.extend(itertools.islice(<stream>, 3)); del xs[9:]   xs.insert(<small>, <number>)   d.update(<stream>)
d |= <map>   d.update(<map>, b=<number>)   d[<key>] = <value>   del <map>[<key>]   <map>.clear()
<map>[<key>] += <number>   <map>.update(<seq>)   <map>['a'].append(<number>)   <map>[<number>] = <number>
<queue>.append(<number>)   <queue>.appendleft(<number>)   <queue>.extend(<seq>[:2])   <queue>.extendleft(<seq>[:2])
<queue>.rotate(<small>)   <queue>.clear()   <queue>[<small>] = <number>   <queue>.insert(<small>, <number>)
<queue>.remove(<number>)   QUEUE.extend(itertools.islice(<stream>, 3))   del <queue>[<small>]   <queue>.reverse()
SET.add(<number>)   SET.discard(<number>)   SET.remove(<number>)   SET.pop()   SET.update(<seq>)
<new> = <set>; <new> |= <set>   <new> = <set>; <new> -= <set>   RAW += b'a'   RAW[0] = <number>
<new> = <seq>; <new> += <seq>; LOG.append(<new>)   <new>, <new> = <seq>   <new>, *<new>, <new> = <seq>
(<new>, <new>), <new> = <seq>   <new> = <stream>; LOG.append(next(<new>)); LOG.append(list(<new>)[:9])
<new> = <stream>; LOG.append(list(zip(<new>, <new>))[:9])   one = {'k': <value>}; LOG.append(one)
from helpers import missing   from math import floor, nothing   import nowhere.at.all   assert <value>, <value>
print(<value>)   print(*<stream>, sep=<text>)   lines = [<value> for one in <seq> if one]; LOG.append(lines[:9])
== blocks
one, two = itertools.tee(<stream>)
LOG.append((next(one, 1), list(two)[:9], list(one)[:9]))

for one in <stream>:
    LOG.append(one)
    if len(LOG) > 60: break

for one in <stream>:
    if one == <number>: continue
    <block>
    if len(LOG) > 40: break

for one in xs:
    xs.append(one)
    if len(xs) > 9: break

for one in xs:
    xs.remove(one)
    LOG.append(one)

for one in d:
    d[<key>] = one
    LOG.append(one)
    if len(d) > 9: break

for one in d:
    del d[one]

for one in <set>:
    SET.add(<number>)
    LOG.append(one)

for one in <queue>:
    QUEUE.append(one)
    LOG.append(one)

for one, two in <map>.items():
    LOG.append((one, two))
    <map>.pop(one, None)

for one, two in zip(<seq>, <stream>):
    LOG.append(one)
    <block>
    if len(LOG) > 40: break

for position, one in enumerate(xs):
    xs[position] = <value>
    if position > 5: break

for key, group in itertools.groupby(<seq>, <function>):
    LOG.append((key, list(group)))

while <queue>:
    LOG.append(<queue>.popleft())
    break

functions = []
for one in <seq>:
    functions.append(lambda: one)
    if len(functions) > 3: break
LOG.append([each() for each in functions])

def inner(value):
    nonlocal a
    a = value
    return lambda: (a, value)
LOG.append(inner(<number>)())
LOG.append(a)

def inner(value, seen=[]):
    seen.append(value)
    del seen[5:]
    return seen
inner(<number>)
LOG.append(inner(<number>))

def inner(depth):
    return [depth, *inner(depth - 1)] if depth > 0 else [<value>]
LOG.append(inner(2))

def outer():
    count = <number>
    def inner():
        nonlocal count
        count = <value>
        return count
    return inner() , count, inner
LOG.append(outer())

one, two = bank(<number>)
one(<number>)
LOG.append((two(), one))

@logged
def inner(one, *, two=<number>):
    return one, two, b
LOG.append(inner(<number>))
LOG.append(inner(<number>, two=<value>))

async def inner():
    async with Managed(<small>) as one:
        <block>
        LOG.append(<value>)
    return one
LOG.append(drive(inner()))

async def inner():
    found = []
    async for one in Ticks(<small>):
        found.append(one)
        if len(found) > 7: break
    else:
        found.append(<value>)
    return found
LOG.append(drive(inner()))

async def inner():
    return [one async for one in Ticks(<small>) if one], await adding(<number>)
LOG.append(drive(inner()))

async def inner():
    try:
        return await adding(<value>), await adding(<any>)
    except Exception as error:
        LOG.append(words(error))
        return await Await(4)
    finally:
        await adding(1)
LOG.append(drive(inner()))

async def inner():
    return {one: one async for one in ticking(<small>)}
LOG.append(drive(inner()))

async def inner(value):
    return await value
LOG.append(drive(inner(<any>)))

import helpers
LOG.append(helpers.rate)

from helpers import rate as one, double
LOG.append(double(one))

import collections.abc as one
LOG.append(isinstance(xs, one.Sequence))

import os.path
LOG.append(os.path.sep)

try:
    LOG.append(<value>)
except (TypeError, ValueError, KeyError) as error:
    LOG.append(words(error))
except IndexError:
    raise
else:
    <block>

try:
    <new> = <value>
finally:
    LOG.append(<value>)

global GLOBAL
GLOBAL = <value>
LOG.append(GLOBAL)

del a
LOG.append(a)

match <value>:
    case [one, *rest] if rest:
        LOG.append(rest)
    case {'a': one, **rest}:
        LOG.append(rest)
    case str(one) | int(one):
        LOG.append(one)
    case None | True:
        <block>

with contextlib.ExitStack() as stack:
    one = stack.enter_context(g)
    stack.callback(LOG.append, <number>)
    <block>

if (one := <value>) and one is not True:
    LOG.append(one)
""")

BETWEEN = [
    "helpers.rate = helpers.rate + 1",
    "helpers.double = lambda value: value",
    "del helpers.double",
    "del sys.modules['helpers']",
    "sys.modules['helpers'] = tools",
    "sys.modules['helpers'] = None",
    "helpers.__getattr__ = lambda name: name",
    "Await.__await__ = lambda self: iter(())",
    "Await.__await__ = lambda self: 5",
    "Managed.__aexit__ = lambda self, *rest: Await(True)",
    "Managed.__aenter__ = lambda self: Await(self)",
    "del Managed.__aexit__",
    "Ticks.__aiter__ = lambda self: ticking(3)",
    "Ticks.__anext__ = lambda self: 5",
    "adding.__defaults__ = ()",
    "drive = lambda coroutine: coroutine.close()",
    "joined.__wrapped__.__kwdefaults__ = {'four': 4, 'three': 9}",
    "strict.__defaults__ = (2,)",
    "strict.__code__ = (lambda one, two=2, /, three=3: three).__code__",
    "cached.cache_clear()",
    "strict.__qualname__ = joined.__wrapped__.__qualname__ = combine.__qualname__ = 'renamed'",
    "strict.__name__ = joined.__name__ = 'named'",
    "helpers.__name__ = 'renamed'",
    "cached = len",
    "dispatched.register(float, lambda value: 'float')",
    "ADD(3)",
    "ADD.__closure__[0].cell_contents = [1]",
    "ADD, SHOW = bank(7)",
    "QUEUE.append(4)",
    "QUEUE.clear()",
    "QUEUE = deque([1, 2], maxlen=1)",
    "QUEUE = [1, 2]",
    "ORDER['z'] = 1",
    "ORDER.move_to_end('a')",
    "ORDER = {'b': 1, 'a': 2}",
    "GROUPS.default_factory = None",
    "GROUPS.default_factory = int",
    "GROUPS['b'] = 2",
    "COUNTER['c'] -= 1",
    "CHAIN.maps.reverse()",
    "SET.add(9)",
    "SET = [1, 2]",
    "SET = frozenset([1])",
    "FROZEN = {5}",
    "next(RUNNING)",
    "RUNNING = iter('abc')",
    "RUNNING = itertools.islice(itertools.count(), 5)",
    "TRIPLE = functools.partial(TRIPLE, three=8)",
    "TRIPLE.keywords['four'] = 1",
    "TRIPLE = lambda *rest: rest",
    "WORDS = 'other words'",
    "WORDS = b'bytes'",
    "RAW.append(7)",
    "RAW = b'fixed'",
    "GETTER = operator.itemgetter(0)",
    "GETTER = operator.attrgetter('x')",
    "BOTH = operator.attrgetter('y')",
    "VIEW = {1: 2}.keys()",
    "operator = types.SimpleNamespace(add=lambda one, two: 5)",
    "functools = types.SimpleNamespace(reduce=max, partial=lambda *rest, **more: abs)",
    "itertools = types.SimpleNamespace(chain=zip)",
    "list = tuple",
    "dict = OrderedDict",
    "zip = lambda *rest, **more: iter(())",
    "map = filter",
    "sorted = list",
    "iter = lambda *rest: [1, 2]",
    "enumerate = lambda values, start=0: zip('abc', values)",
    "next = lambda *rest: rest",
    "type = isinstance",
    "str = repr",
    "deque = list",
    "Counter = dict",
    "ITEMS = 'ab'",
    "ITEMS = QUEUE",
    "FACTOR = 'factor'",
    "logged = lambda function: function",
    "words = lambda error: type(error)",
]
