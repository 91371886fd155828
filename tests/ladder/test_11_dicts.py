"""Dicts: all methods, order, keys of every kind, views, merging, subclasses with `__missing__`."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

DICTS = [{"a": 1, "b": [2]}, {}, {1: "one", True: "two"}, {None: 0, (1, 2): "t"}, {"b": 1, "a": 2}]

METHODS = {
    "get": lambda d: (d.get("a"), d.get("z", "default"), d.get(1), d.get(1.0)),
    "item": lambda d: d["a"],
    "item_number": lambda d: d[1],
    "unhashable": lambda d: d[[1]],
    "get_unhashable": lambda d: d.get([]),
    "set": lambda d: d.__setitem__("a", "new"),
    "set_true": lambda d: d.__setitem__(True, "true"),
    "delete": lambda d: d.__delitem__("a"),
    "pop": lambda d: (d.pop("a", None), d.pop("a", "gone")),
    "pop_error": lambda d: d.pop("zzz"),
    "popitem": lambda d: (d.popitem(), len(d)),
    "setdefault": lambda d: (d.setdefault("a", []), d.setdefault("n", []).append(1)),
    "update": lambda d: (d.update({"b": 5}, c=6), d.update([("x", 1)]), d.update()),
    "update_bad": lambda d: d.update([("x", 1), ("y",)]),
    "update_number": lambda d: d.update(5),
    "keys": lambda d: (list(d), list(d.keys()), list(d.values()), list(d.items()), list(reversed(d))),
    "views": lambda d: (d.keys() & {"a", 1}, d.keys() | ["n"], "a" in d.keys(), 1 in d.values(), ("a", 1) in d.items()),
    "view_equality": lambda d: (d.keys() == {"a", "b"}, d.items() == {("a", 1)}, len(d.values())),
    "merge": lambda d: (d | {"a": "right"}, {"z": 0} | d, {**d, "b": "last"}),
    "merge_in_place": lambda d: d.__ior__({"k": 1}),
    "merge_bad": lambda d: d | [("k", 1)],
    "copy": lambda d: (d.copy() == d, d.copy() is d, dict(d) is d),
    "clear": lambda d: (d.clear(), d.setdefault("again", 1)),
    "fromkeys": lambda d: (dict.fromkeys(d, []), dict.fromkeys("ab")),
    "make": lambda d: (dict(d, extra=1), dict(zip("ab", [1, 2])), dict([*d.items()])),
    "compare": lambda d: (d == dict(d), d != {}, d == [], {"x": d} == {"x": d}),
    "less": lambda d: d < {},
    "contains": lambda d: ("a" in d, 1 in d, True in d, None in d, 1.0 in d, "zz" not in d),
    "contains_unhashable": lambda d: {} in d,
    "text": lambda d: (str(d), repr(d.keys()), f"{d}", len(d), bool(d)),
    "sorted": lambda d: sorted(d),
    "unknown": lambda d: d.a,
}


@pytest.mark.parametrize("name", METHODS)
def test_dicts(name):
    method = METHODS[name]

    def program(given):
        log = []
        for table in (given, {**given}, {"a": given, "b": 0}):
            try:
                log.append(method(table))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                log.append(error)
            log.append((table, list(table)))
        return log

    check(program, *((table,) for table in DICTS), graph_numbers=False)


@same(({"a": 1}, "b"), ({"b": 0}, "b"), ({}, "x"))
def test_uncaught_key_error_after_changes(table, key):
    table["first"] = key
    table[key] = table.get(key, 5)
    del table["first"]
    print(list(table))
    table["more"] = 1
    return table["missing"]


@captured(({"x": 1, "y": 2},), ({},))
def test_invert_and_group(table):
    inverted = {value: key for key, value in table.items()}
    groups = {}
    for key, value in table.items():
        groups.setdefault(value % 2, []).append(key)
    nested = {}
    for key in table:
        nested.setdefault("deep", {})[key] = nested
    return inverted, groups, "deep" in nested and nested["deep"].get("x") is nested


@same((1,), ("a",), (None,))
def test_order_survives_deletion(x):
    table = {x: 1, "b": 2, "c": 3}
    table["b"] = 20
    del table[x]
    table[x] = 10
    table["d"] = table.pop("c")
    return list(table.items()), table.popitem(), next(iter(table)), list(reversed(table.values()))


@same((1, True), (1, 1.0), (0, False), ("1", 1))
def test_equal_keys_keep_the_first(a, b):
    table = {a: "a"}
    table[b] = "b"
    return table, [type(key) for key in table], {a: 1, b: 2}, dict([(b, 1), (a, 2)]), {b, a}


class Key:
    def __init__(self, name, log, equal=True):
        self.name, self.log, self.equal = name, log, equal

    def __hash__(self):
        self.log.append(("hash", self.name))
        return 7

    def __eq__(self, other):
        self.log.append(("eq", self.name, getattr(other, "name", other)))
        if self.equal is None:
            raise RuntimeError("no comparison")
        return self.equal


@same((True,), (False,), (None,))
def test_keys_of_a_class(equal):
    log = []
    first, second = Key("first", log, equal), Key("second", log, equal)
    table = {first: 1}
    try:
        table[second] = 2
        log.append(len(table))
        log.append(table.get(first))
        log.append(second in table)
        table.pop(second)
    except RuntimeError as error:
        log.append(error.args)
    return log, list(table.values())


class Unhashable:
    __hash__ = None


@same((1,), (2,))
def test_unhashable_keys(x):
    log, table = [], {x: 1}
    for key in ([], {}, set(), Unhashable(), (1, []), slice(1), bytearray()):
        for use in (lambda: table[key], lambda: key in table, lambda: {key: 1}, lambda: {key}, lambda: hash(key)):
            try:
                log.append(use())
            except TypeError as error:
                log.append(error.args)
    return log


class Defaulting(dict):
    def __missing__(self, key):
        self[key] = [key]
        return self[key]


class Strict(dict):
    def __missing__(self, key):
        raise LookupError("no " + str(key))

    def __setitem__(self, key, value):
        super().__setitem__(key, (value, "checked"))


@same(("k",), (5,))
def test_missing(key):
    table = Defaulting(a=1)
    table[key].append("x")
    log = [table[key], table.get("other"), "other" in table, table, len(table)]
    strict = Strict(a=1)
    strict["b"] = 2
    strict.update(c=3)
    try:
        log.append(strict[key])
    except LookupError as error:
        log.append(error)
    return log, strict, strict.setdefault("d", 4), dict(strict), {**strict}


@same(({"a": 1},), ({"b": 2, "c": 3},))
def test_views_are_live(table):
    keys, values, items = table.keys(), table.values(), table.items()
    before = len(keys), list(values)
    table["new"] = [1]
    table.pop("a", None)
    return (
        before,
        list(keys),
        list(values),
        list(items),
        keys,
        items,
        values,
        keys - {"b"},
        keys ^ {"new"},
        keys.mapping,
    )


@same(({"a": {"b": {"c": 1}}}, "abc"), ({"a": {}}, "ab"), ({"a": 5}, "ab"), ({}, "a"))
def test_path_into_nested(table, path):
    log = []
    here = table
    try:
        for step in path:
            log.append(step)
            here = here[step]
    except (KeyError, TypeError) as error:
        return log, error, error.__context__
    return log, here


@captured((["the", "cat", "the"],), ([],))
def test_counting(words):
    counts = {}
    for word in words:
        try:
            counts[word] += 1
        except KeyError:
            counts[word] = 1
    return counts


@captured((3,), (0,))
def test_memo(n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        memo[k] = value = k if k < 2 else fib(k - 1) + fib(k - 2)
        return value

    return fib(n), memo
