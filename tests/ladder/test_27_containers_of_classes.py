"""Containers' protocols on user classes: items, slices, membership, length, iteration, copying, abstract bases."""

from __future__ import annotations

import collections.abc

import pytest

from tests.ladder.both import captured, same

journal: list[object] = []


class Items:
    def __init__(self, **entries):
        self.entries = entries

    def __getitem__(self, key):
        journal.append(("get", key))
        return self.entries[key]

    def __setitem__(self, key, value):
        journal.append(("set", key, value))
        if value is None:
            raise ValueError(key)
        self.entries[key] = value

    def __delitem__(self, key):
        journal.append(("del", key))
        del self.entries[key]

    def __contains__(self, key):
        journal.append(("in", key))
        return "yes" if key in self.entries else ""

    def __len__(self):
        return len(self.entries)


@captured(("k",), ("a",))
def test_items(key):
    items = Items(a=1)
    items[key] = 5
    items[key] += 1
    found = items[key], key in items, "zz" in items, len(items), bool(items)
    del items[key]
    return found, list(items.entries)


@same(("missing", 1), ("a", None), ("a", 2))
def test_items_fail(key, value):
    items = Items(a=1)
    items["b"] = [2]
    print(list(items.entries))
    items["a"] = value
    return items[key], items


class Sliced:
    def __getitem__(self, key):
        return key


@same((1, 2), (None, -1), ("a", []))
def test_what_keys_look_like(a, b):
    s = Sliced()
    return s[a], s[a, b], s[a:b], s[a:b:a], s[:], s[..., a], s[:, a:b], s[(a, b)], s[s[b]], s[[a]], s[(*[a, b],)]


@same((1,), (2,))
def test_not_subscriptable(x):
    log = []
    for thing in (x, None, object(), len, Items, {1}, iter([])):
        for act in (
            lambda: thing[0],
            lambda: thing.__setitem__(0, 1),
            lambda: thing.__delitem__(0),
            lambda: 0 in thing,
            lambda: len(thing),
        ):
            try:
                log.append(act())
            except (TypeError, AttributeError) as error:
                log.append(error.args if "object at 0x" not in str(error) else "address")
    return log


class Stack(collections.abc.MutableSequence):
    def __init__(self, items=()):
        self.items = list(items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __len__(self):
        return len(self.items)

    def insert(self, index, value):
        journal.append((index, value))
        self.items.insert(index, value)


@same(([3, 1],), ([],), ("ab",))
def test_abstract_sequence(items):
    stack = Stack(items)
    stack.append("x")
    stack.extend(items)
    stack += ["y"]
    log = [stack.pop(), stack.count("x"), "x" in stack, list(reversed(stack)), len(stack), stack.index("x"), [*stack]]
    try:
        stack.remove("absent")
    except ValueError as error:
        log.append(error.args)
    stack.reverse()
    stack.clear()
    return log, stack, isinstance(stack, collections.abc.Sequence)


class LowerDict(collections.abc.MutableMapping):
    def __init__(self, *args, **kwargs):
        self.data = {}
        self.update(*args, **kwargs)

    def __getitem__(self, key):
        return self.data[key.lower()]

    def __setitem__(self, key, value):
        self.data[key.lower()] = value

    def __delitem__(self, key):
        del self.data[key.lower()]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)


@same(("Key",), ("A",), ("",))
def test_abstract_mapping(key):
    table = LowerDict(a=1, B=2)
    table[key] = "set"
    log = [
        table[key.upper()],
        table.get("none", 5),
        key in table,
        list(table.items()),
        table.setdefault("A", 9),
        len(table),
    ]
    log.append((table.pop("b"), table.pop("b", "gone"), dict(table), table == {key.lower(): "set", "a": 1}))
    try:
        log.append(table.popitem())
        del table["never"]
    except KeyError as error:
        log.append(error)
    return log, {**table}, table


class Elements(collections.abc.Set):
    def __init__(self, elements):
        self.elements = list(dict.fromkeys(elements))

    def __contains__(self, element):
        return element in self.elements

    def __iter__(self):
        return iter(self.elements)

    def __len__(self):
        return len(self.elements)


@same(([1, 2, 2], [2, 3]), ([], [1]), ("ab", "bc"))
def test_abstract_set(left, right):
    a, b = Elements(left), Elements(right)
    return (
        (a & b).elements,
        (a | b).elements,
        (a - b).elements,
        (a ^ b).elements,
        a <= b,
        a == Elements(left),
        a.isdisjoint(b),
        len(a),
        a == set(left),
        (a & set(right)).elements,
    )


@pytest.mark.parametrize("answer", [True, 0, "text", None, []], ids=repr)
def test_contains_gives_a_truth(answer):
    @same((1,))
    def program(x):
        class Box:
            def __contains__(self, item):
                return answer

        return x in Box(), x not in Box(), not (x in Box())

    program()


@same((1,), (4,))
def test_contains_falls_back(x):
    class ByIteration:
        def __iter__(self):
            for i in range(3):
                journal.append(i)
                yield i

    class ByItems:
        def __getitem__(self, index):
            journal.append(("item", index))
            if index > 2:
                raise IndexError
            return index

    class Neither:
        __contains__ = None

        def __iter__(self):
            return iter([1])

    log = [x in ByIteration(), x in ByItems(), x not in ByItems()]
    try:
        x in Neither()
    except TypeError as error:
        log.append(error.args)
    return log, journal


class Grid:
    def __init__(self, width, height):
        self.cells = {(x, y): 0 for x in range(width) for y in range(height)}

    def __getitem__(self, where):
        x, y = where
        return self.cells[x, y]

    def __setitem__(self, where, value):
        if where not in self.cells:
            raise IndexError(where)
        self.cells[where] = value


@captured((2, 2), (1, 3))
def test_grid(width, height):
    grid = Grid(width, height)
    grid[0, 0] = "origin"
    grid[0, 1] = grid[0, 0] * 2
    return grid[0, 1], len(grid.cells)


@same((2, 5), (1, 0), (1, "x"))
def test_grid_errors(x, y):
    grid = Grid(2, 2)
    try:
        grid[1, 1] += 5
        grid[x, y] = 1
    except IndexError as error:
        return error, grid.cells
    return grid[x], grid


@same((1,), (2,))
def test_length_hint_and_reversed(x):
    class Hinted:
        def __length_hint__(self):
            journal.append("hint")
            return 10

        def __iter__(self):
            return iter([x, 2])

        def __reversed__(self):
            return ["backwards", x]

    first, *rest = Hinted()
    kept = []
    kept.extend(Hinted())
    kept += Hinted()
    kept[:] = Hinted()
    log = [
        list(Hinted()),
        reversed(Hinted()),
        [*Hinted()],
        tuple(Hinted()),
        rest,
        kept,
        sum(Hinted()),
        sorted(Hinted()),
    ]
    return log, {*Hinted()}, [i for i in Hinted()], list(map(str, Hinted())), bytes(Hinted()), journal


class Lazy(dict):
    def __getitem__(self, key):
        journal.append(key)
        value = super().__getitem__(key)
        return value() if callable(value) else value

    def get(self, key, default=None):
        return self[key] if key in self else default


@same((1,), ([2],))
def test_subclass_of_dict(x):
    lazy = Lazy(a=lambda: x, b=2)
    return (
        lazy["a"],
        lazy.get("a"),
        lazy.get("z", 9),
        list(lazy),
        {**lazy}["b"],
        len(lazy),
        lazy.pop("b"),
        "a" in lazy,
        journal,
    )
