"""Small programs on constructs of the language, as written and compiled, side by side.

Each is the body of a function `program(a)` in a module of its own (`HEADER`), called three times with fresh arguments.
Those under `CAPTURED` become traces without a break; the rest must only do the same.
"""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Callable

import pytest

from symexec import stats
from tests.interpreter.captures import compiled
from tests.support.same import arguments, assert_same

HEADER = """
count = 0
gone = 5
items = [1, 2]

class Box:
    limit = 3

    def __init__(self, value=None):
        self.value = value

    def method(self, x, /, y=2, *, z=3):
        return self.value, x, y, z

class Text:
    def __init__(self, text):
        self.text = text

    def __format__(self, spec):
        return f"<{self.text}|{spec}>"

    def __str__(self):
        return "str " + self.text

    def __repr__(self):
        return "repr " + self.text

class Slices:
    def __init__(self):
        self.log = []

    def __getitem__(self, key):
        self.log.append(("get", key))
        return key

    def __setitem__(self, key, value):
        self.log.append(("set", key, value))

    def __delitem__(self, key):
        self.log.append(("del", key))

def positional(a, b, /, c=3, *rest, d, e=5, **more):
    return a, b, c, rest, d, e, more

def plain(a, b=2):
    return a, b

def none():
    return None

def keyword(*, a, b):
    return a, b

def only(a, /, b):
    return a, b
"""

NESTED = """
def outer():
  x = 1
  def inner():
    nonlocal x
    x += 1
    def deep():
      nonlocal x
      x *= 5
    deep()
    return x
  return inner(), x
return outer()
"""

CAPTURED = [
    # walrus
    ("[1, 2, 3]", "return [y for x in a if (y := x * 2) > 2], y"),
    ("5", "if (n := a + 1) > 3: return n, (m := n * 2) + m"),
    ("[3, 4]", "i = 0\nwhile (v := a[i]) != 4: i += 1\nreturn v, i"),
    ("[1, 2]", "f = lambda: (k := 3) + k\nreturn f(), [(j := i, j) for i in a]"),
    # f-strings
    ("5", "return f'{a}', f'{a!r}', f'{a!s:>5}', f'{a:{a}}', f'{a:>{a}.{a - 3}f}', f'{a=}', f'{a = !r:>4}'"),
    ("'x'", "return f'{a!a:*^{4 + 1}}|{{}}|{a!r}', f'{a}{a}' f'{{{a}}}', f''"),
    ("2.5", "w, p = 8, 2\nreturn f'{a:{w}.{p}f}', f'{a:>{w}}', f'{a!r:<{w}}|', f'{-a:+}'"),
    # global, nonlocal
    ("1", "global count\ncount += a\ncount = count * 2\nreturn count"),
    ("1", "global fresh\nfresh = [a]\nfresh.append(2)\ndel fresh\nreturn a"),
    ("1", "n = 0\ndef add():\n  nonlocal n\n  n += a\n  return n\nadd()\nreturn add(), n"),
    ("1", NESTED),
    ("1", "def f():\n  global count\n  count = 7\nf()\nreturn count"),
    # del
    ("[1, 2, 3, 4]", "del a[0], a[-1]\nx = y = 1\ndel x, y\nreturn a"),
    ("[1, 2, 3, 4]", "del a[1:3]\nb = a\ndel a\nreturn b"),
    ("{'x': 1, 'y': 2}", "del a['x']\nreturn a"),
    ("Box(1)", "a.other = 2\ndel a.value\ndel a.other\nreturn vars(a) if False else hasattr(a, 'value')"),
    ("1", "x = 1\ndef f(): return x\ndel x\nx = 2\nreturn f()"),
    ("(1, [2, 3])", "p, (q, r) = a[0], a[1]\ndel (p, [q])\nreturn r"),
    # stars
    ("[1, 2, 3, 4]", "x, *y, z = a\n*p, = a\n(u, *v), w = (a, 1)\nreturn x, y, z, p, u, v, w"),
    ("[1, 2]", "return [*a, *a], (*a, 0), {*a, 3}, {**{'k': a}, 'l': 1}, [*range(3)], (*a,), [*'ab', *{}]"),
    ("[1, 2]", "return positional(*a, d=4), positional(*a, 5, 6, 7, d=1, **{'x': 1}), plain(*a), only(1, **{'b': 2})"),
    ("[1, 2]", "for x, *y in [a, (5,), 'abc']: pass\nreturn x, y"),
    ("[1, 2]", "def f(*args, **kw): return args, kw\nreturn f(*a, *a, k=1, **{'j': 2}), f(*(), **{}), f(*'ab')"),
    # chained comparisons, boolean operators, conditional expressions
    ("3", "return 1 < a < 5, 1 < a < 2 < 0, a == 3 == 3.0 != 4, 1 < a in [3] is not None, not 1 < a < 3"),
    ("3", "log = []\ndef f(x):\n  log.append(x)\n  return x\nreturn f(1) < f(5) < f(2) < f(9), log"),
    ("0", "return a or 'x', a and 1 / 0, not a, a or None or [], (1 if a else 2 if not a else 3)"),
    # slices
    ("[1, 2, 3, 4, 5]", "a[1:3] = [9]\na[:0] = (7, 8)\na[::2] = [0, 0, 0]\nreturn a, a[::-1], a[-2:], a[5:2]"),
    ("[1, 2, 3, 4, 5]", "del a[::2]\nb = a[:]\nb[:] = []\ndel a[5:]\nreturn a, b, a is b"),
    ("'hello'", "return a[1:3], a[::-1], a[-3:], a[:], a[10:], a[slice(1, None, 2)]"),
    ("(1, 2, 3)", "return a[1:], a[::2], a[:-1], a[None:None]"),
    ("Slices()", "a[1:2] = 3\nx = a[::2], a[1, 2:3], a[...], a[:, None]\ndel a[5:]\nreturn x, a.log"),
    ("[0, 1, 2, 3]", "i = 1\na[i:i + 2], a[0] = 'xy', a[3]\na[i] += 'z'\nreturn a"),
    # loops
    ("[1, 2, 3]", "for x in a:\n  if x == 5: break\nelse: x = 'none'\nreturn x"),
    ("[1, 2]", "r = []\nfor i, x in enumerate(a):\n  if i: continue\n  for a[i] in (7, 8): r.append(x)\nreturn r, a"),
    ("3", "r = 0\nwhile True:\n  r += a\n  a -= 1\n  if not a: break\nelse: r = -1\nreturn r"),
    # functions
    ("1", "def f(x, y=a, *, z=[a]): z.append(x); return x, y, z\nreturn f(2), f(3, 4, z=[]), f(5)"),
    ("1", "def f(x: int, y: 'str' = 2, *r: float, z: dict = None) -> tuple: return x, y, r, z\nreturn f(1, 2, 3)"),
    ("1", "x: int = a\ny: 'unknown'\nreturn x"),
    ("1", "f = lambda x=a, /, *y, z=2, **w: (x, y, z, w)\nreturn f(), f(1, 2, z=3, q=4)"),
    ("1", "def deco(g): return lambda *args: (g(*args), 'd')\n@deco\n@deco\ndef f(x): return x\nreturn f(a)"),
    ("5", "def fact(n): return 1 if n < 2 else n * fact(n - 1)\nreturn fact(a)"),
    ("1", "f = [lambda: i for i in (1, 2)]\ng = [lambda i=i: i for i in (1, 2)]\nreturn [h() for h in f + g]"),
    ("Box(4)", "m = a.method\nreturn m(1), a.method(1, 2, z=9), Box.method(a, 5, y=6), a.limit, Box.limit"),
    ("Box(4)", "m = a.method\nreturn m.__doc__, m.__name__, m.__func__ is Box.method, m.__self__ is a"),
    ("1", "x = y = z = [a]\nx += [2]\nx, y = y, 3\nreturn x, y, z, x is z"),
    ("[1]", "def f(x=a): return x\nreturn f() is a, f.__defaults__[0] is a if False else True"),
    ("1", "assert a, 'message'\nassert a == 1\nreturn a"),
    ("2", "return a if a > 1 else -a, [x if x else 'n' for x in (0, 1)], {k: v for k, v in [(1, 2)] if k}"),
    ("2", "return [[x * y for x in range(a)] for y in range(3)], {x for x in 'aab'} == {'a', 'b'}"),
    ("[[1, 2], [3]]", "return [y for x in a if len(x) > 1 for y in x if y > 1], [[y for y in x] for x in a]"),
    # unbound names, caught
    ("1", "try: return later\nexcept UnboundLocalError as e: r = str(e), e.args\nlater = 1\nreturn r"),
    ("1", "try: return undefined_name\nexcept NameError as e: return str(e), e.name"),
    ("1", "x = 1\ndel x\ntry: return x\nexcept UnboundLocalError as e: return str(e), e.name"),
    ("1", "x = 1\ntry:\n  del x\n  del x\nexcept UnboundLocalError as e: return str(e)"),
    ("1", "def f(): return free\ntry: f()\nexcept NameError as e: r = str(e), type(e)\nfree = 1\nreturn r, f()"),
    ("1", "try:\n  global count\n  del count\n  return count\nexcept NameError as e: r = str(e)\ncount = 0\nreturn r"),
    ("[1]", "try: x, y = a\nexcept ValueError as e: return str(e)"),
    ("[1, 2, 3]", "try: x, y = a\nexcept ValueError as e: return str(e)"),
    ("[1]", "try: x, *y, z = a\nexcept ValueError as e: return str(e)"),
    ("'abc'", "try: x, y = a\nexcept ValueError as e: return str(e)"),
    ("{1: 2, 3: 4, 5: 6}", "try: x, y = a\nexcept ValueError as e: return str(e)"),
    ("(1, 2, 3)", "try: x, y = (i for i in a)\nexcept ValueError as e: return str(e)"),
    ("range(9)", "try: x, y = a\nexcept ValueError as e: return str(e)"),
    ("5", "try: x, y = a\nexcept TypeError as e: return str(e)"),
    ("5", "try: return [*a]\nexcept TypeError as e: return str(e)"),
    # argument errors, caught
    *[
        ("1", f"try: return {call}\nexcept TypeError as e: return str(e), e.args")
        for call in (
            "plain()",
            "plain(1, 2, 3)",
            "plain(1, b=2, c=3)",
            "plain(1, a=2)",
            "none(1)",
            "none(x=1)",
            "keyword()",
            "keyword(1, 2)",
            "keyword(a=1)",
            "keyword(1, a=1, b=2)",
            "only(1)",
            "only(a=1, b=2)",
            "only(1, a=2, b=3)",
            "only()",
            "positional()",
            "positional(1, 2)",
            "positional(a=1, b=2, d=3)",
            "positional(1, 2, c=1, c2=2)",
            "Box(1, 2)",
            "Box(other=1)",
            "Box(1).method()",
            "Box(1).method(1, 2, 3)",
            "Box(1).method(1, x=3)",
            "Box.method()",
            "(lambda: 1)(2)",
            "(lambda x, y: 1)()",
            "(lambda x, y, z: 1)(z=1)",
        )
    ],
]

OTHERS = [
    ("5", "try: return plain(*a)\nexcept TypeError as e: return str(e)"),
    ("5", "try: return plain(**a)\nexcept TypeError as e: return str(e)"),
    ("5", "try: return plain(1, **{'a': 2})\nexcept TypeError as e: return str(e)"),
    ("5", "try: return plain(1, **{1: 2})\nexcept TypeError as e: return str(e)"),
    ("5", "try: return plain(**{'a': 1}, **{'a': 2})\nexcept TypeError as e: return str(e)"),
    ("1", "def f(x: list[int]): return x\nreturn f(1)"),
    ("Text('t')", "return f'{a}', f'{a!r}', f'{a!s:>9}', f'{a:x{1 + 1}}', f'{a!a}'"),
    ("[1, 2]", "return f'{a}', f'{a!r:>9}', f'{a[0]:04}', f'{(lambda: 3)()}', f'{ {1: 2} }', f'{None!s:>6}'"),
    ("1", "del undefined"),
    ("1", "global gone\ndel gone\nreturn gone"),
    ("1", "return items.missing"),
    ("1", "x = a if a else y\ndel x\nreturn x"),
    ("1", "if a > 1: x = 1\nreturn x"),
    ("1", "def f(): return x\nif a > 1: x = 1\nreturn f()"),
    ("1", "def f():\n  nonlocal a\n  del a\nf()\nreturn a"),
    ("1", "for i in range(a - 1): pass\nreturn i"),
    ("1", "try: 1 / 0\nexcept ZeroDivisionError as e: pass\nreturn e"),
    ("1", "[q for q in range(3)]\nreturn q"),
    ("1", "assert a > 1, ('m', a)"),
    ("1", "assert a > 1"),
    ("1", "x: list[undefined] = 1\nreturn x"),
    ("1", "def f(x: undefined): return x\nreturn f(a)"),
    ("1", "class C:\n  x = a\n  y: int = 2\n  def m(self): return __class__, self.x\nreturn C().m()[1], C.y"),
    ("1", "x, y = 1\nreturn x"),
    ("1", "x, *y = None\nreturn x"),
    ("1", "return [*1]"),
    ("1", "return {**1}"),
    ("1", "return {**[1]}"),
    ("1", "return plain(*1)"),
    ("1", "return plain(**1)"),
    ("1", "return none(*[1], **{'x': 1})"),
    ("1", "return plain(1)(2)"),
    ("1", "a.b.c = 1"),
    ("1", "a[0] = 1"),
    ("'abc'", "a[0] = 'x'"),
    ("'abc'", "del a[0]"),
    ("(1, 2)", "a[0] += 1"),
    ("([1],)", "a[0] += [2]"),
    ("([1],)", "try: a[0] += [2]\nexcept TypeError: pass\nreturn a"),
    ("[1]", "a[1:2] = 3"),
    ("[1]", "a['x':] = []"),
    ("[1]", "return a['x':]"),
    ("[1]", "del a[1.5:]"),
    ("1", "import nowhere_at_all"),
    ("1", "exec('x = 1')\nreturn eval('a + 1')"),
    ("1", "return locals(), sorted(vars()), dir()"),
    ("1", "x = locals()\ny = 2\nreturn x['a'], 'y' in locals()"),
    ("1", "return (yield_ := a) + yield_"),
]


def function_of(body: str, name: str) -> Callable[..., object]:
    """The function of that body, with source lines for tracebacks."""
    filename = f"<{name}>"
    source = f"{HEADER}\ndef program(a):\n{textwrap.indent(body, '  ')}\n"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace: dict[str, Callable[..., object]] = {"__name__": "program"}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    return namespace["program"]


def run(argument: str, body: str, name: str) -> Callable[..., object]:
    function = function_of(body, name)
    make = eval(f"lambda: {argument}", function.__globals__)
    return assert_same(function, *[lambda: arguments(make())] * 3, transform=compiled)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(CAPTURED)))
def test_programs_that_are_captured(number):
    figures = stats(run(*CAPTURED[number], f"captured {number}"))
    assert [(reason.code, reason.why) for reason in figures.breaks] == []
    assert figures.traces > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_programs(number):
    run(*OTHERS[number], f"other {number}")
