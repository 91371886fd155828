"""Programs on builtin containers, as written and compiled, side by side: results, errors, changes of the arguments.

Each is one body of a function of `a` (and `b`), called three times with fresh arguments.  Those under `CAPTURED` become
one trace; those under `RAISING` end in an error that Python raises itself; the rest must only do the same.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable

import pytest

from symexec import compile as compile_function
from symexec import stats
from tests.support.same import arguments, assert_same

CAPTURED = [
    # lists that existed before
    ("[1, 2, 3]", "a.append(4); return a"),
    ("[1, 2, 3]", "return a.pop(0), a"),
    ("[1, 2, 3]", "a.insert(1, 9); a.insert(-1, 8); a.insert(100, 7); return a"),
    ("[3, 1, 2]", "a.sort(key=lambda v: -v); return a"),
    ("[3, 1, 2]", "a.sort(key=lambda v: len(a)); return a"),
    ("[3, 1, 2]", "a.reverse(); a.remove(1); return a"),
    ("[3, 1, 2]", "a.clear(); return a, len(a)"),
    ("[3, 1, 2]", "a.extend([4, 5]); a += (6,); a *= 2; return a"),
    ("[3, 1, 2]", "a.extend(a); return a"),
    ("[3, 1, 2]", "a[0] = 5; a[-1] = 6; return a"),
    ("[3, 1, 2]", "a[0], a[1] = a[1], a[0]; return a"),
    ("[3, 1, 2, 4]", "del a[0]; del a[::2]; return a"),
    ("[3, 1, 2, 4]", "a[1:3] = [7, 8, 9]; a[::2] = [5, 6, 7]; return a"),
    ("[3, 1, 2, 4]", "a[1:1] = a; return a"),
    ("[3, 1, 2]", "for i, v in enumerate(a):\n    if i < 2: a.append(v)\n  return a"),
    ("[3, 1, 2]", "r = []\n  for v in a:\n    r.append(v)\n    if len(a) < 6: a.append(v)\n  return r, a"),
    ("[3, 1, 2]", "it = iter(a); next(it); a.pop(); return list(it), list(it)"),
    ("[1]", "a += a; a.append(a); return len(a)"),
    ("[1, 2, 3]", "return a[True:], a[None:2], a[::-1], a[5:1], a[-1], a[1:] + [0]"),
    ("[1, 2, 3]", "x, *y = a; (p, q), r = a[:2], y; return x, y, p, q, r"),
    ("[1, 2, 3]", "return sum(a), max(a), min(a, key=lambda v: -v), sorted(a, reverse=True), list(reversed(a))"),
    ("[1, 2, 3]", "return list(zip(a, 'ab')), dict(enumerate(a, 5)), list(map(lambda x, y: x + y, a, a)), set(a)"),
    ("[1, 2, 3]", "return [x for x in a if x % 2], {x: [x] for x in a}, {*a}, (*a, 0), [*a, *a]"),
    ("[1, 2, 3]", "return a == [1, 2, 3], a < [1, 3], a != [1], a is a, 2 in a, 9 not in a, not a, bool(a)"),
    ("[1, 2, 3]", "return f'{a}{a!r:>12}', '%s' % a, '{}'.format(a), ','.join(map(str, a)), str(a)"),
    ("[1, 2, 3]", "f = a.append; f(4); return a, a.index(2), a.count(1), a.copy() is a"),
    ("[]", "return a or 1, a and 1, a * 3, [*a], a == [], max(a, default=3), any(a), all(a), sorted(a)"),
    ("[1]", "b = []; b.append(a); a.append(1); return b"),
    ("[[1, 2], [3]]", "return [x for r in a for x in r], a[0][1], [len(r) for r in a]"),
    # dicts that existed before
    ("{'x': 1}", "a['y'] = 2; a['x'] = 3; return a, list(a)"),
    ("{'x': 1, 'y': 2}", "del a['x']; a['x'] = 3; return list(a), len(a), 'x' in a"),
    ("{'x': 1, 'y': 2}", "return a.pop('x'), a.pop('q', None), a.popitem(), a"),
    ("{'x': 1, 'y': 2}", "return a.setdefault('x', 5), a.setdefault('z', 6), a"),
    ("{'x': 1}", "a.update({'x': 7, 'q': 8}); a.update([('r', 1)]); a.update(z=3); a |= {'w': 0}; return a"),
    ("{'x': 1, 'y': 2}", "a.clear(); return a"),
    ("{'x': 1, 'y': 2}", "for k in a: a[k] = 5\n  return a"),
    ("{'x': 1, 'y': 2}", "for k in list(a): del a[k]\n  return a"),
    ("{'x': 1, 'y': 2}", "v = a.values(); a['z'] = 3; return list(v), len(v), list(a.items())"),
    ("{'x': 1, 'y': 2}", "a.pop('x'); a['x'] = 4; a['q'] = 2; del a['y']; return list(a.items())"),
    ("{'x': 1, 'y': [2]}", "return a.get('x'), a.get('z'), a['y'][0], {**a, 'x': 9}, a == {'x': 1, 'y': [2]}"),
    ("{'n': {'m': 1}}", "a['n']['m'] += 1; a['n']['k'] = a; return a['n']['m'], a['n']['k'] is a"),
    ("{'k': []}", "a['k'].append(1); a.setdefault('l', []).append(2); return a"),
    ("{'a': 1}", "return (lambda a, **k: (a, k))(**a, b=2)"),
    ("[{}, 'a b'.join('c d')]", "a[0][a[1]] = 1; return a, next(iter(a[0])) is a[1], a[0].popitem()[0] is a[1]"),
    ("'a b'.join('c d')", "d = {a: 1}; e = {**d, 'x': 2}; return d, list(e)[0] is a, next(iter(d.copy())) is a"),
    # sets that existed before
    ("{1, 2}", "a.add(3); a.add(1); return 3 in a, len(a), a == {1, 2, 3}, sorted(a)"),
    # made by the program
    ("None", "return a is None, not a, a == 1, [a] == [None]"),
    ("None", "s = {1}; s.add(2); s.discard(1); return s, len(s), 2 in s"),
    ("None", "s = set(); s.update([3, 1], (2,)); return s, sorted(s), s >= {1}"),
    ("None", "return {16, 1, 8}, [x for x in {3, 1, 2}], {x % 3 for x in range(10)}"),
    ("None", "l = []; l.append(l); return len(l), l[0] is l"),
    ("None", "l = [1]; m = [l, l]; m[0].append(2); return m, m[0] is m[1]"),
    ("None", "l = []\n  for i in range(500): l.append(i)\n  return len(l), l[-1]"),
    ("None", "d = {}\n  for i in range(500): d[i] = i\n  return len(d), list(d)[-1]"),
    ("None", "x = 1; x += 2; x *= 3; x //= 2; x **= 2; x %= 7; x <<= 2; x |= 8; x &= 15; x ^= 3; return x"),
    ("None", "x = [1]; y = x; x += 'ab'; x = x + [2]; return x, y"),
    ("None", "z = zip([1, 2], [3, 4]); return next(z), list(z), list(z), next(z, None)"),
    ("[1, 2]", "return list(zip(a, 'ab', strict=True)), list(zip(strict=True)), list(zip(a, strict=False))"),
    ("[1, 2]", "return isinstance(a, int | list), isinstance(a, str | None), isinstance(None, int | None)"),
    ("[int | str, 1]", "return isinstance(a[1], a[0]), isinstance(None, a[0]), issubclass(bool, a[0])"),
    ("None", "l = [1, 2, 3]; e = enumerate(l); next(e); l[1] = 9; return list(e)"),
    ("None", "l = [1, 2, 3]; r = reversed(l); l.pop(); l.pop(); return list(r)"),
    ("None", "return {1: 2, True: 3}, {(1, 2): 3}[1, 2], {int: 1}[type(5)], dict.fromkeys('ab', 0)"),
    ("None", "return '%s/%d' % ('a', 3), f'{3.14159:.2f}', '{:>5}'.format('x'), 'a-b'.split('-'), 'b' in 'abc'"),
    ("(1, [2], 'z')", "a[1].append(3); return a, a[:1], a + () is a, tuple(a) is a, a[::-1], hash(a[2]) == hash('z')"),
    ("range(4)", "return list(a), len(a), a[1], 2 in a, a[1:], sum(a), a == range(4)"),
    ("slice(1, 2)", "return [1, 2, 3][a], 'abc'[a]"),
    ("2.5", "return a + 1, -a, a // 1, int(a), round(a), str(a), a == 2.5, divmod(a, 2), abs(-a)"),
    ("'ab'", "return a + 'c', a[0], len(a), a.upper(), a * 2, 'a' in a, a < 'b', list(a), a.encode()"),
]

RAISING = [
    ("[]", "return a.pop()"),
    ("[1]", "return a[5]"),
    ("[1]", "return a['x']"),
    ("[1]", "a[5] = 1"),
    ("[1]", "del a[3]"),
    ("[1]", "a.remove(7)"),
    ("[1]", "a.index(7)"),
    ("[1, 2, 3]", "a[::2] = [7]"),
    ("[1]", "return a + (1,)"),
    ("[1]", "return a * 1.5"),
    ("[1]", "return a < 3"),
    ("[1]", "return -a"),
    ("[1, 2]", "x, y, z = a"),
    ("[1, 2, 3]", "x, y = a"),
    ("[]", "x, *y = a"),
    ("[1]", "return {a: 1}"),
    ("[1]", "return hash(a)"),
    ("[1, 'a']", "return sorted(a)"),
    ("[]", "return max(a)"),
    ("{'x': 1}", "return a['z']"),
    ("{'x': 1}", "del a['z']"),
    ("{'x': 1}", "return a.pop('q')"),
    ("{}", "return a.popitem()"),
    ("{'x': 1}", "for k in a: a['z'] = 1"),
    ("{'x': 1, 'y': 2}", "k = iter(a); next(k); del a['y']; return next(k)"),
    ("{'x': 1}", "return a < a"),
    ("{'x': 1}", "return (lambda **k: k)(x=2, **a)"),
    ("{1: 1}", "return (lambda **k: k)(**a)"),
    ("{1}", "a.remove(9)"),
    ("None", "s = {1, 2}\n  for x in s: s.add(7)"),
    ("None", "return len(a), iter(a)"),
    ("None", "return 1 + 'a'"),
    ("None", "return 1 / 0"),
    ("None", "return int('x')"),
    ("None", "return '%d' % 'a'"),
    ("None", "return dict([('a',)])"),
    ("None", "return ''.join([1])"),
    ("None", "return next(iter([]))"),
    ("[1, 2]", "return list(zip(a, 'a', strict=True))"),
    ("[1, 2]", "return list(zip(a, a, 'abc', strict=True))"),
    ("[1, 2]", "return isinstance(a, int | 'x')"),
    ("range(10**30)", "return len(a)"),
]

OTHERS = [
    ("{1, 2, 3}", "return [x for x in a], max(a), sum(a)"),
    ("{1, 2}", "a.discard(1); a |= {5}; return a"),
    ("{3, 1}", "b = a | {7}; return b, list(b), a & {1}, a - {1}"),
    ("{'x': 1}", "return a.setdefault, [].append"),
    ("{'x': 1}", "return a.keys() == {'x'}, a.keys() | {'y'}"),
    ("[1, 2]", "return iter(a), enumerate(a), zip(a), map(str, a)"),
    ("[3, 'a']", "try: a.sort()\n  except TypeError: pass\n  return a"),
    ("iter([1, 2])", "return next(a), list(a)"),
    ("None", "n = float('nan'); return [n] == [n], [n] == [float('nan')], n in [n], {n: 1}"),
    ("None", "return ~True, id(a) == id(a), [1] is [1]"),
    ("None", "return [i for i in range(3)], sum(x * x for x in range(4)), any(x > 1 for x in [1, 2])"),
]


@pytest.fixture(scope="module", autouse=True)
def _everything_is_imported():
    """What the first compiled call imports is not to be taken for what a program changes."""
    compile_function(len_of)([])


def len_of(items):
    return len(items)


def function_of(body: str, number: int) -> Callable[..., object]:
    """The function of that body, with source lines for tracebacks."""
    source, filename = f"def program(a):\n  {body}\n", f"<program {number}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace: dict[str, Callable[..., object]] = {}
    exec(compile(source, filename, "exec"), namespace)
    return namespace["program"]


def run(kind: int, number: int, program: tuple[str, str]) -> Callable[..., object]:
    source, body = program
    return assert_same(function_of(body, 1000 * kind + number), *[lambda: arguments(eval(source))] * 3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(CAPTURED)))
def test_programs_that_are_captured(number):
    found = stats(run(0, number, CAPTURED[number]))
    assert found.breaks == ()
    assert (found.traces, found.misses, found.fallbacks) == (1, 1, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(RAISING)))
def test_programs_that_raise(number):
    run(1, number, RAISING[number])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_programs(number):
    run(2, number, OTHERS[number])


SERIES = [
    ("return [x + 1 for x in a]", ["[1, 2]", "[1, 2, 3]", "[1.0]", "(1,)", "[]", "[1, 2]"]),
    ("return a[0]", ["[1, 2]", "[]", "{0: 5}", "'x'", "(3,)", "range(3)"]),
    ("return list(a.items())", ["{'a': 1}", "{'b': 1}", "{'a': 2}", "{}", "{'b': 1, 'a': 2}", "{1: 2}", "{True: 2}"]),
    ("return a.get('x', 0) + 1", ["{}", "{'x': 1}", "{'y': 2}", "{'x': 2.5}", "{'x': True}"]),
    ("return 'x' in a, len(a)", ["{}", "{'x': 1}", "['x']", "'xyz'", "{'x'}", "set()", "('y',)", "{1: 2}"]),
    ("return a == 1, a is True, a + 1, {1: 'i'}.get(a)", ["1", "True", "1.0", "0.0", "-0.0", "0"]),
    ("a[0].append(1); return len(a[1])", ["[[], []]", "[[]] * 2", "[[], []]"]),
    ("a[0]['k'] = 1; return len(a[1])", ["[{}, {}]", "[{}] * 2"]),
    ("a[0].add(1); return 1 in a[1], len(a[1])", ["[set(), set()]", "[set()] * 2", "[{1}, {1}]"]),
    ("return a[0] is a[1], a[0] == a[1]", ["[[], []]", "[[]] * 2", "[1, 1]", "[None] * 2", "[float('nan')] * 2"]),
    ("return a[0] in a[1:]", ["[1, 1]", "[float('nan')] * 2", "[float('nan'), float('nan')]", "[1, True]", "[[], []]"]),
    ("return a[a[0]]", ["[1, 5]", "[0, 5]", "[-1, 5]", "[9, 5]", "['x']", "[True, 5]"]),
    ("return 5 if a else 6", ["[]", "[0]", "None", "0", "''", "{}", "len", "int", "0.0", "range(0)"]),
    ("return sorted(a), max(a)", ["[3, 1]", "['b', 'a']", "[1, 'a']", "(2,)", "{2: 3, 1: 1}"]),
    ("return isinstance(a, (int, str)), type(a) is int", ["1", "True", "'x'", "2.5", "None", "[]"]),
    ("return f'{a:>5}', str(a), '%s' % (a,)", ["1", "'x'", "2.5", "True", "-0.0"]),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(SERIES)))
def test_calls_with_other_arguments(number):
    body, sources = SERIES[number]
    calls = [lambda source=source: arguments(eval(source)) for source in sources]
    assert_same(function_of(body, 3000 + number), *calls)
