"""Instances of subclasses of builtin types, made and found: what C methods do to them, what their classes override."""

from __future__ import annotations

import pytest

from symexec import stats
from tests.interpreter.test_container_programs import function_of
from tests.support.same import arguments, assert_same


class Stack(list):
    def push(self, item):
        self.append(item)

    def peek(self):
        return self[-1]


class Doubling(list):
    def __init__(self, name, items=()):
        super().__init__(items)
        self.name = name

    def append(self, item):
        list.append(self, item * 2)

    def __len__(self):
        return 100


class Added(list):
    def __add__(self, other):
        return "added"

    __radd__ = __add__


class Half(list):
    def __radd__(self, other):
        return "half"


class Other:
    def __radd__(self, other):
        return ("radd", len(other))

    def __rmul__(self, other):
        return ("rmul", len(other))

    def __eq__(self, other):
        return "equal"

    __hash__ = None


class Missing(dict):
    def __missing__(self, key):
        return key * 2


class Storing(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, value + 1)


class Walking(dict):
    def __iter__(self):
        return iter(["w"])

    def keys(self):
        return ["w"]


class Group(set):
    pass


class Pair(tuple):
    def __new__(cls, a, b):
        return tuple.__new__(cls, (a, b))

    @property
    def total(self):
        return self[0] + self[1]


class Text(str):
    def shout(self):
        return self.upper() + "!"


class Number(int):
    def double(self):
        return self * 2


class Slots(list):
    __slots__ = ("x",)


CLASSES = {
    each.__name__: each
    for each in (Stack, Doubling, Added, Half, Other, Missing, Storing, Walking, Group, Pair, Text, Number, Slots)
}

CAPTURED = [
    (
        "0",
        "s = Stack(); s.push(1); s.push(2); return s, s.peek(), len(s), s[0], list(s), s == [1, 2], bool(s), 1 in s",
    ),
    (
        "0",
        "s = Stack([1, 2]); s += [3]; return s, s + [4], type(s + [4]), s * 2, [0] + s, s[1:], sorted(s), s.pop()",
    ),
    ("0", "s = Stack('abc'); s[0] = 'z'; del s[1]; s.extend('q'); return s, [x for x in s], s < ['z'], s != s"),
    ("0", "s = Stack(); s.append(s); return s"),
    ("0", "s = Stack(); s.me = [s]; s.append(s.me); return s"),
    ("0", "n = Doubling('x', [1]); n.append(4); return n, n.name, len(n), n[1]"),
    (
        "0",
        "d = Missing(); d['a'] = 1; return d, d['a'], d['zz'], d.get('q'), 'zz' in d, list(d), dict(d), d == {'a': 1}",
    ),
    (
        "0",
        "d = Missing(a=1, b=2); d.update({'c': 3}); d.pop('a'); return d, {**d}, d.copy(), list(d.items()), d | {1: 2}",
    ),
    ("0", "d = Missing([('a', 1)]); d.x = 5; return d, d.x"),
    ("0", "e = Storing(a=1); e['b'] = 5; e.update(c=7); return e, e['b']"),
    ("0", "s = Group([1, 2]); s.add(3); s.discard(1); return s, 2 in s, len(s), s == {2, 3}"),
    ("0", "t = Pair(1, 2); a, b = t; return t, t.total, t[0], t == (1, 2), a, b, len(t), t + (3,), t[:], t * 1"),
    (
        "0",
        "t = Text('abc'); return t, t.shout(), t + 'd', len(t), t[0], t == 'abc', 'a' in t, t.upper(), [x for x in t]",
    ),
    ("0", "n = Number(5); return n, n.double(), n + 1, 1 + n, n == 5, n < 6, -n"),
    ("0", "s = Slots([1]); s.x = 4; s.append(s.x); return s, s.x"),
    ("Stack([1, 2])", "a.push(3); return a.peek(), len(a), a[0]"),
    (
        "Stack([1, 2])",
        "a.append(3); a[0] = 9; del a[1]; a.sort(); a.extend([5]); a += [6]; return a, a.pop(), [*a]",
    ),
    (
        "Stack([1, 2])",
        "return a == [1, 2], a + [3], a * 2, sorted(a), list(a), 1 in a, a[1:], a.index(2), a.copy()",
    ),
    ("Stack([1, 2])", "a.name = 'x'; a.append(a.name); return a.name"),
    (
        "Missing(x=1)",
        "a['y'] = 2; return a['x'], a['zz'], a.get('q'), 'x' in a, len(a), list(a.items()), dict(a)",
    ),
    ("Missing(x=1)", "a.update(z=4); a.pop('x'); a.setdefault('p', 1); return a"),
    ("Group([1, 2])", "a.add(3); return 3 in a, len(a), a == {1, 2, 3}"),
    ("Pair(1, 2)", "x, y = a; return a.total, x, y, a[0], len(a), a == (1, 2), list(a), a + (1,), a[:1]"),
    ("Text('abc')", "return a.shout(), a + 'd', len(a), a[0], a == 'abc', 'a' in a"),
    ("Number(5)", "return a.double(), a + 1, 1 + a, a == 5, a < 6"),
    ("Slots([1])", "a.x = 4; a.append(a.x); return a, a.x"),
    ("Stack([1, 2])", "return a + Other(), a * Other(), [1] + Other(), a == Other(), Other() == a"),
    ("Added([1])", "return a + [2], [2] + a, a + 5, a == [1]"),
]

OTHERS = [
    ("Doubling('n', [1])", "a.append(5); return a.name, len(a), a[0]"),
    ("Storing(x=1)", "a['y'] = 2; return a"),
    ("Walking(x=1)", "return dict(a), {**a}, list(a), a | {}, a.copy()"),
    ("Half([1])", "return [2] + a, a + [3]"),
    ("Stack([1])", "return a + (2,)"),
    ("Stack([1])", "return a[5]"),
    ("Stack([1])", "return a.remove(7)"),
    ("Stack([1])", "for x in a:\n    if len(a) < 5: a.push(x)\n  return a"),
    ("Missing(x=1)", "for k in a: a['z'] = 1"),
    ("Group([1])", "return a | {2}, type(a | {2}), a - {1}"),
    ("Pair(1, 2)", "return a < (1, 3), hash(a) == hash((1, 2)), a in {(1, 2): 3}"),
    ("Stack([1])", "a.append = 5; return a.append"),
    ("0", "s = Stack([1]); s.append = 5; return s.append, s"),
    ("0", "return Stack(1)"),
    ("0", "return Stack(x=1)"),
    ("0", "return Pair(1)"),
    ("0", "return Number('x')"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(CAPTURED)))
def test_programs_that_are_captured(number):
    source, body = CAPTURED[number]
    function = function_of(body, 4000 + number)
    function.__globals__.update(CLASSES)
    found = stats(assert_same(function, *[lambda: arguments(eval(source))] * 3))
    assert found.breaks == ()
    assert (found.traces, found.misses, found.fallbacks) == (1, 1, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_programs(number):
    source, body = OTHERS[number]
    function = function_of(body, 5000 + number)
    function.__globals__.update(CLASSES)
    assert_same(function, *[lambda: arguments(eval(source))] * 3)


def push_and_count(a):
    a.append(1)
    return len(a), a[0]


def with_attribute():
    stack = Stack([0])
    stack.append = [].append
    return stack


def test_one_function_meets_many_types():
    makers = [
        lambda: Stack([1, 2]), lambda: [1, 2], lambda: Doubling("x", [3]), with_attribute, lambda: Slots([4]),
        lambda: Stack([5]), with_attribute, lambda: Added([6, 7]),
    ]  # fmt: skip
    assert_same(push_and_count, *[lambda make=make: arguments(make()) for make in [*makers, *makers]])


def test_a_method_that_the_class_gets_later():
    class Late(list):
        pass

    def look(late):
        late.append(2)
        return late[0], len(late), late + [3]

    def calls(change):
        def prepare():
            for name in ("append", "__getitem__", "__len__", "__add__"):
                if name in vars(Late):
                    delattr(Late, name)
            if change:
                setattr(Late, *change)
            return arguments(Late([1]))

        return prepare

    changes = [
        None, ("append", lambda self, item: None), None, ("__getitem__", lambda self, key: "item"), None,
        ("__len__", lambda self: 7), ("__add__", lambda self, other: "sum"), None,
    ]  # fmt: skip
    assert_same(look, *map(calls, changes))
