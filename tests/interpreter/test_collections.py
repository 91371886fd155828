"""Programs on what `collections` has: deques, default and ordered dicts, counters, chains, named tuples."""

from __future__ import annotations

import collections
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque

import pytest

from symexec import stats
from tests.interpreter.test_container_programs import function_of
from tests.support.same import arguments, assert_same

Point = collections.namedtuple("Point", ["x", "y"])  # noqa: PYI024


class Pair(collections.namedtuple("Base", ["a", "b"])):  # noqa: PYI024
    def total(self):
        return self.a + self.b


class Recent(OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def put(self, key, value):
        self[key] = value
        self.move_to_end(key)


class Bounded(deque):
    def last(self):
        return self[-1]


class Counting(defaultdict):
    def bump(self, key):
        self[key] += 1


NAMES = {
    each.__name__: each
    for each in (
        ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, Point, Pair, Recent, Bounded, Counting,
    )
}  # fmt: skip

CAPTURED = [
    ("0", "d = deque([1, 2]); d.append(4); d.appendleft(0); return d, d.pop(), d.popleft(), len(d), d[0], d[-1], [*d]"),
    ("0", "d = deque(maxlen=2); d.extend([1, 2, 3]); d.appendleft(9); return d, d.maxlen, 9 in d, deque([1, 2], 1)"),
    ("0", "d = deque('abc'); d.rotate(1); d.rotate(-2); d.extendleft('xy'); d.reverse(); d.insert(1, 'q'); return d"),
    ("0", "d = deque('abcd'); d.remove('a'); del d[0]; d[0] = 5; return d, d.count(5), d.index(5), d.copy()"),
    ("0", "d = deque('ab'); return d == deque('ab'), d != deque(), d < deque('b'), d == ['a', 'b'], d + deque([1])"),
    ("0", "q = deque([1])\n  while q:\n    x = q.popleft()\n    if x < 5: q.append(x * 2); q.append(9)\n  return x"),
    ("0", "d = deque([1]); d += [3]; d.extend(d); return d, bool(d), [x for x in d], list(reversed(d)), d.clear(), d"),
    ("0", "d = deque(); d.append(d); return d"),
    ("0", "d = deque([1, 2]); i = iter(d); d[0] = 7; return list(i), next(i, None)"),
    ("0", "d = Bounded([1, 2], 2); d.append(3); d.name = 'n'; return d, d.last(), d.maxlen, list(d), d.name"),
    ("deque([1, 2, 3], 5)", "return a[0], len(a), list(a), sum(a), 2 in a, a == deque([1, 2, 3]), a.maxlen, max(a)"),
    ("0", "d = defaultdict(list); d['a'].append(1); d['b']; return d, dict(d), d.get('q'), d.default_factory is list"),
    ("0", "d = defaultdict(int, {'x': 1}); d['y'] += 5; return d, sorted(d.items()), d.copy(), 'z' in d, len(d)"),
    ("0", "d = defaultdict(lambda: defaultdict(int)); d['a']['b'] += 1; return {k: dict(v) for k, v in d.items()}"),
    ("0", "g = defaultdict(set)\n  for k, v in [('a', 1), ('b', 2), ('a', 3)]: g[k].add(v)\n  return g"),
    ("0", "c = Counting(int); c.bump('a'); c.bump('a'); return c, c['a'], c['n']"),
    ("defaultdict(int, x=1)", "a['x'] += 1; a['y'] += 2; return a, a['x'], len(a)"),
    ("defaultdict(list)", "a['k'].append(5); return a"),
    ("Counting(int)", "a.bump('x'); return a"),
    ("0", "o = OrderedDict(b=1); o['a'] = 2; o.move_to_end('b'); return o, list(o), list(o.items()), o.popitem()"),
    ("0", "o = OrderedDict([('a', 1), ('b', 2)]); o.move_to_end('b', last=False); o.update(c=3); return o, o.copy()"),
    ("0", "o = OrderedDict(a=1, b=2); o.pop('a'); o.setdefault('z', 0); return o, o == {'b': 2, 'z': 0}, o.keys()"),
    ("0", "o = OrderedDict(a=1, b=2); return o == OrderedDict(b=2, a=1), o != OrderedDict(a=1, b=2), o.popitem(False)"),
    ("OrderedDict(a=1, b=2)", "a['c'] = 3; del a['a']; return a['b'], len(a), list(a), a.get('z'), a == {'b': 2}"),
    ("0", "r = Recent(2); r.put('a', 1); r.put('b', 2); r.put('a', 3); return r, r.size, list(r)"),
    ("0", "c = Counter(); c['a'] += 1; return c, c['zz']"),
    ("Counter('abc')", "a['a'] += 2; a['q'] += 1; return a, a['zz'], sum(a.values())"),
    ("0", "m = ChainMap({'a': 1}, {'b': 2}); return m['a'], m['b'], 'c' in m, len(m)"),
    ("0", "u = UserDict(); u['a'] = 1; return u['a'], len(u), 'a' in u, u"),
    ("0", "u = UserList([1]); u.append(2); return u[0], len(u), u"),
    ("0", "p = Point(1, 2); return p, p.x, p.y, p == (1, 2), p._replace(x=5), p._asdict(), [*p], p[0]"),
    ("0", "p = Pair(1, 2); x, y = p; return p, p.total(), p.a, x, y, p + (3,)"),
    ("Point(1, 2)", "x, y = a; return a.x, a[1], a._replace(y=9), x + y, len(a)"),
]

OTHERS = [
    ("deque([1, 2, 3])", "a.append(4); return a, a.popleft(), a.pop(), a.rotate(), a"),
    ("OrderedDict(a=1, b=2)", "a.move_to_end('a'); return list(a), a.popitem(last=False)"),
    ("0", "c = Counter('abca'); c.update('b'); return c, c.most_common(1), c - Counter('a')"),
    ("0", "return deque().pop()"),
    ("0", "return deque([1])[5]"),
    ("0", "d = deque([1, 2])\n  for x in d: d.append(x)"),
    ("0", "return deque([1, 2]).index(9)"),
    ("0", "deque([1, 2]).remove(9)"),
    ("0", "deque([1, 2], 2).insert(0, 9)"),
    ("0", "return deque(maxlen=-1)"),
    ("0", "return deque([1]) + [2]"),
    ("0", "return defaultdict()['x']"),
    ("0", "return defaultdict(5)"),
    ("0", "return OrderedDict().popitem()"),
    ("0", "OrderedDict().move_to_end('k')"),
    ("0", "o = OrderedDict(a=1, b=2)\n  for k in o: o.move_to_end(k)"),
    ("0", "o = OrderedDict(a=1)\n  for k in o: o['z'] = 1"),
    ("0", "return Point(1)"),
    ("Point(1, 2)", "a.x = 5"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(CAPTURED)))
def test_programs_that_are_captured(number):
    source, body = CAPTURED[number]
    function = function_of(body, 6000 + number)
    function.__globals__.update(NAMES)
    found = stats(assert_same(function, *[lambda: arguments(eval(source))] * 3))
    assert found.breaks == ()
    assert (found.traces, found.misses, found.fallbacks) == (1, 1, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_programs(number):
    source, body = OTHERS[number]
    function = function_of(body, 7000 + number)
    function.__globals__.update(NAMES)
    assert_same(function, *[lambda: arguments(eval(source))] * 3)


def test_fields_that_change_places():
    Swapped = collections.namedtuple("Swapped", ["x", "y"])  # noqa: PYI024

    def read():
        return Swapped(1, 2).x

    def calls(swap):
        def prepare():
            if swap:
                Swapped.x, Swapped.y = Swapped.y, Swapped.x
            return arguments()

        return prepare

    assert_same(read, calls(False), calls(True), calls(False), calls(True))


def test_counting_with_the_helper_in_c():
    def count(words):
        found = {}
        collections._count_elements(found, words)
        collections._count_elements(found, words)
        return found

    found = stats(assert_same(count, lambda: arguments(["a", "b", "a"])))
    assert found.breaks == ()
