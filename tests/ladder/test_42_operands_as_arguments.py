"""Operations and builtins all of whose operands come from outside: nothing about them is a constant of the program."""

from __future__ import annotations

import collections
import functools
import itertools
import operator

import pytest

from tests.ladder.both import check


def pairs(*items):
    return [("a", 1), *items]


def keyword_only(*, a=0, **rest):
    return a, rest


# Name: the program, and the operands of its calls.
CASES = {
    "split": (
        lambda s, sep, n: (s.split(sep, n), s.rsplit(sep, n)),
        ("a,b,c", ",", 1),
        ("a b", None, -1),
        ("a", "", 0),
    ),
    "replace": (
        lambda s, old, new, n: s.replace(old, new, n),
        ("aaa", "a", "b", 2),
        ("aaa", "", "-", -1),
        ("a", 1, "b", 1),
    ),
    "pads": (
        lambda s, n, c: (s.center(n, c), s.ljust(n, c), s.zfill(n)),
        ("ab", 5, "*"),
        ("ab", -1, "**"),
        ("", 2, "x"),
    ),
    "find": (
        lambda s, t, i, j: (s.find(t, i, j), s.count(t, i, j), s.index(t, i, j)),
        ("abcab", "b", 0, 3),
        ("b", "x", 0, None),
    ),
    "starts": (lambda s, t: (s.startswith(t), s.endswith(t)), ("abc", "a"), ("abc", ("x", "a")), ("abc", ["a"])),
    "join": (
        lambda s, items: s.join(items),
        (",", ["a", "b"]),
        ("", ("x",)),
        ("-", "abc"),
        ("-", [1]),
        (",", {"k": 1}),
    ),
    "encode": (
        lambda s, e, how: s.encode(e, how),
        ("ab", "utf-8", "strict"),
        ("é", "ascii", "ignore"),
        ("é", "ascii", "strict"),
    ),
    "translate": (lambda s, t: s.translate(t), ("abc", {97: "x", 98: None}), ("abc", {}), ("abc", 5)),
    "format": (lambda x, spec: (format(x, spec), f"{x:{spec}}"), (5, ">4"), ("a", "^5"), (5, "q"), (2.5, ".1f")),
    "percent": (lambda t, v: t % v, ("%s", 5), ("%d-%d", (1, 2)), ("%(a)s", {"a": 1}), ("%d", "x")),
    "str_format": (
        lambda t, a, k: t.format(a, k=k),
        ("{} {k}", 1, 2),
        ("{0!r:>5}", "x", 0),
        ("{1}", 1, 2),
        ("{k.real}", 1, 2),
    ),
    "list_insert": (lambda l, i, x: (l.insert(i, x), l.append(x), l), ([1, 2], 0, "x"), ([1], -5, None), ([], "a", 1)),
    "list_pop": (lambda l, i: (l.pop(i), l), ([1, 2, 3], 0), ([1, 2], -1), ([], 0), ([1], 5), ([1], "a")),
    "list_index": (lambda l, x, i: (l.index(x, i), l.count(x)), ([1, 2, 1], 1, 1), ([1], 2, 0), ([1.0], True, 0)),
    "list_remove": (lambda l, x: (l.remove(x), l), ([1, 2, 1], 1), ([1], 2), (["a"], "a")),
    "list_extend": (lambda l, x: (l.extend(x), l), ([1], [2]), ([1], "ab"), ([1], {"k": 1}), ([1], 5), ([], (1, 2))),
    "list_times": (lambda l, n: (l * n, n * l), ([1], 3), ([1, 2], 0), ([1], -1), ([1], True), ([1], "a")),
    "set_item": (
        lambda c, k, v: (operator.setitem(c, k, v), c),
        ([1, 2], 0, "x"),
        ({"a": 1}, "b", 2),
        ([1], 4, 0),
        ((1,), 0, 0),
    ),
    "slices": (
        lambda c, a, b, s: (c[a:b], c[a:b:s]),
        ([1, 2, 3], 1, None, 2),
        ("abc", -2, 9, 1),
        ((1, 2), None, None, -1),
        ([1], 0, 1, 0),
    ),
    "slice_store": (
        lambda l, a, b, v: (operator.setitem(l, slice(a, b), v), l),
        ([1, 2, 3], 0, 2, "xy"),
        ([1], 5, 9, [2]),
        ([1], 0, 1, 3),
    ),
    "get_item": (
        lambda c, k: c[k],
        ([1, 2], 1),
        ({"a": 1}, "a"),
        ("ab", -1),
        (range(5), 2),
        ([1], True),
        ({True: 1}, 1),
        (b"a", 0),
        ([1], 1.0),
    ),
    "dict_get": (
        lambda d, k, x: (d.get(k, x), d.setdefault(k, x), d.pop(k, x), d),
        ({"a": 1}, "a", 2),
        ({}, None, []),
        ({}, [], 0),
    ),
    "dict_update": (
        lambda d, x: (d.update(x), d),
        ({"a": 1}, {"a": 2}),
        ({}, [("k", 1)]),
        ({}, ["ab"]),
        ({}, [1]),
        ({}, 5),
        ({}, ""),
    ),
    "double_stars": (lambda x: {"z": 0, **x}, ({"a": 1},), ([("a", 1)],), ((),), ("",), (5,)),
    "double_stars_call": (lambda x: keyword_only(**x), ({"a": 1},), ({"b": 2},), ([("a", 1)],), ({1: 2},), (None,)),
    "stars_call": (lambda x: pairs(*x), ([1, 2],), ("ab",), ({"k": 1},), (5,), ((),)),
    "merge": (
        lambda a, b: (a | b, a),
        ({"a": 1}, {"a": 2}),
        ({1}, {2}),
        ({"a": 1}, [("a", 2)]),
        ({1}, [2]),
        (1, 2),
        (True, False),
    ),
    "set_methods": (
        lambda s, x: (s.union(x), s.intersection(x), s.difference(x), s.issubset(x)),
        ({1, 2}, [1]),
        ({1}, "a"),
        (set(), 5),
    ),
    "set_add": (lambda s, x: (s.add(x), s.discard(x), s.remove(x)), ({1}, 2), (set(), "a"), ({1}, [1])),
    "contains": (
        lambda c, x: (x in c, x not in c),
        ([1, 2], 1),
        ("abc", "b"),
        ({"a": 1}, "a"),
        ({1}, 1.0),
        ("abc", 1),
        (range(3), 2),
        (5, 1),
    ),
    "compare": (
        lambda a, b: (a < b, a == b, a >= b),
        (1, 2),
        ("a", "b"),
        ([1], [2]),
        ({1}, {1, 2}),
        (1, "a"),
        (None, None),
    ),
    "is": (lambda a, b: (a is b, a is not b, a == b), (None, None), (True, 1), ([], []), ((), None)),
    "arithmetic": (lambda a, b: (a + b, a * b, a - b), (1, 2), (1.5, 2), ("a", "b"), ([1], [2]), (True, 3), ("a", 1)),
    "divide": (lambda a, b: (a / b, a // b, a % b, divmod(a, b)), (7, 2), (7.5, -2), (1, 0), (0.0, 0.0), (True, 2)),
    "power": (lambda a, b, m: (a**b, pow(a, b, m)), (2, 3, 5), (2, -1, 5), (2, 0.5, None), (0, -1, None)),
    "bits": (lambda a, b: (a & b, a | b, a ^ b, a << b, a >> b), (6, 2), (True, False), (1, -1), (1, 1.0)),
    "int": (lambda t, b: int(t, b), ("ff", 16), ("101", 2), ("z", 10), ("12", 0), (12, 10), ("1", "a")),
    "round": (lambda x, n: round(x, n), (2.567, 1), (1234, -2), (2.5, None), (2.5, "a")),
    "range": (lambda a, b, s: list(range(a, b, s)), (0, 5, 2), (5, 0, -2), (0, 1, 0), (0, "a", 1), (True, 3, 1)),
    "enumerate": (lambda x, n: list(enumerate(x, n)), ("ab", 1), ([], 0), ([1], -1), ([1], "a"), ([1], True)),
    "zip": (
        lambda a, b, s: list(zip(a, b, strict=s)),
        ([1], "a", True),
        ([1], "", True),
        ([1], "", False),
        ([1], "", 1),
    ),
    "sorted": (
        lambda x, k, r: sorted(x, key=k, reverse=r),
        ([3, 1], None, True),
        (["b", "A"], str.lower, False),
        ([1, "a"], None, 0),
        ([2, 1], abs, 1),
    ),
    "minmax": (
        lambda x, k, d: (min(x, key=k, default=d), max(x, key=k, default=d)),
        ([3, -4], abs, 0),
        ([], None, "d"),
        (["a", 1], None, 0),
    ),
    "sum": (lambda x, s: sum(x, s), ([1, 2], 10), ([[1]], []), ([0.1] * 3, 0.0), (["a"], ""), ([1], "a")),
    "map": (
        lambda f, x, y: list(map(f, x, y)),
        (pow, [2, 3], [1, 2]),
        (max, "ab", "ba"),
        (divmod, [1], [0]),
        (None, [1], [2]),
    ),
    "filter": (lambda f, x: list(filter(f, x)), (None, [0, 1]), (str.isalpha, "a1"), (bool, []), (5, [1])),
    "getattr": (lambda o, n, d: (getattr(o, n, d), hasattr(o, n)), (5, "real", 0), ("a", "nothing", None), (5, 1, 0)),
    "isinstance": (
        lambda o, c: (isinstance(o, c), issubclass(type(o), c)),
        (1, int),
        (True, (str, int)),
        (1, "a"),
        (1, (int, 5)),
        (1, ()),
    ),
    "call": (lambda f, a: f(a), (abs, -1), (len, "abc"), (str, 5), (int, "x"), ([1].index, 1), (5, 1)),
    "partial": (lambda f, a, b: functools.partial(f, a)(b), (pow, 2, 3), (divmod, 7, 2), (5, 1, 2)),
    "reduce": (
        lambda f, x, s: functools.reduce(f, x, s),
        (operator.add, [1, 2], 0),
        (max, [], 5),
        (operator.add, ["a"], 1),
    ),
    "itemgetter": (lambda k, o: operator.itemgetter(k)(o), (0, "ab"), ("a", {"a": 1}), (5, [1]), (slice(1), [1, 2])),
    "attrgetter": (lambda k, o: operator.attrgetter(k)(o), ("real", 5), ("real.imag", 5), ("no", 5), (1, 5)),
    "methodcaller": (
        lambda n, o, a: operator.methodcaller(n, a)(o),
        ("split", "a,b", ","),
        ("nothing", "a", 1),
        ("append", [], 1),
    ),
    "islice": (
        lambda x, a, b, s: list(itertools.islice(x, a, b, s)),
        ([1, 2, 3], 0, None, 2),
        ("abc", 1, 2, 1),
        ([1], -1, 1, 1),
        ([1], 0, 1, 0),
    ),
    "repeat": (lambda x, n: list(itertools.repeat(x, n)), ("a", 2), ([], 0), (1, -1), (1, "a")),
    "combinations": (
        lambda x, n: (list(itertools.combinations(x, n)), list(itertools.permutations(x, n))),
        ("abc", 2),
        ([1], 3),
        ("a", -1),
    ),
    "product": (lambda x, n: list(itertools.product(x, repeat=n)), ("ab", 2), ([], 1), ("a", 0), ("a", -1)),
    "deque": (
        lambda x, n: (d := collections.deque(x, n), d.append(1), d.rotate(1), d.maxlen),
        ([1, 2], 2),
        ("ab", None),
        ([1], -1),
        ([1], "a"),
    ),
    "counter": (lambda x, n: collections.Counter(x).most_common(n), ("aab", 1), ([1, 1], None), ({"k": 3}, 5), (5, 1)),
    "bytes": (lambda x: (bytes(x), bytearray(x)), (3,), ([1, 2],), (b"ab",), ("a",), ([300],), (-1,)),
    "make": (
        lambda c, x: c(x),
        (list, "ab"),
        (tuple, [1]),
        (set, [1, 1]),
        (dict, [("a", 1)]),
        (frozenset, "a"),
        (int, 2.5),
        (bool, []),
        (float, "x"),
    ),
    "unpack": (lambda x: (lambda a, *b: (a, b))(*x), ([1, 2],), ("a",), ((),), (5,)),
    "chained": (lambda a, b, c: a < b < c, (1, 2, 3), (3, 2, 1), ("a", "b", 1), (1, "a", 1)),
    "truth": (
        lambda a, b: (a and b, a or b, not a, bool(b), a if b else b),
        ([], 0),
        ("a", None),
        (0.0, {}),
        ((), "x"),
    ),
    "hash": (lambda x: (hash(x) == hash(x), {x: 1}), (1,), ("a",), ((1, 2),), ([1],), ((1, []),), (None,)),
    "type": (lambda x: (type(x), type(x)(), type(x).__name__), (1,), ("a",), ([1],), (None,), (2.5,), ({},)),
    "raise": (lambda x: (_ for _ in ()).throw(x), (ValueError("v"),), (KeyError,), (5,), ("a",)),
    "exception": (
        lambda c, x: c(x).args,
        (ValueError, "a"),
        (KeyError, 1),
        (OSError, "o"),
        (StopIteration, None),
        (int, "a"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_operands(name):
    use, *calls = CASES[name]

    def program(*operands):
        log = []
        try:
            log.append(use(*operands))
        except Exception as error:
            log.append((type(error), error.args))
        return log

    check(program, *calls)


@pytest.mark.parametrize("name", CASES)
def test_uncaught(name):
    use, *calls = CASES[name]
    check(lambda *operands: use(*operands), *calls, graph_numbers=False)
