"""Lists and tuples: all methods, on made ones and on arguments, with errors after effects; subclasses."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

LISTS = [[3, 1, 2], [], [1], [1, 1, 2], ["b", "a"], [None, 1]]

LIST_METHODS = {
    "append": lambda l: l.append(5),
    "extend": lambda l: l.extend([1, 2]),
    "extend_self": lambda l: l.extend(l),
    "extend_text": lambda l: l.extend("xy"),
    "extend_number": lambda l: l.extend(5),
    "insert": lambda l: (l.insert(0, "i"), l.insert(-1, "j"), l.insert(99, "k")),
    "insert_bad": lambda l: l.insert("a", 1),
    "pop": lambda l: (l.pop(), l),
    "pop_first": lambda l: l.pop(0),
    "pop_far": lambda l: l.pop(7),
    "remove": lambda l: l.remove(1),
    "index": lambda l: (l.index(1), l.index(1, 1)),
    "count": lambda l: (l.count(1), l.count("a"), 1 in l),
    "reverse": lambda l: (l.reverse(), list(reversed(l))),
    "sort": lambda l: l.sort(),
    "sort_down": lambda l: l.sort(reverse=True),
    "sort_by": lambda l: l.sort(key=lambda x: -x),
    "sorted": lambda l: (sorted(l, key=str), l),
    "copy": lambda l: (l.copy() is l, l.copy() == l, l[:] is l),
    "clear": lambda l: (l.clear(), l.append("after")),
    "add": lambda l: (l + [1], l + l, [0] + l),
    "add_tuple": lambda l: l + (1,),
    "multiply": lambda l: (l * 2, 0 * l, l * True),
    "compare": lambda l: (l < [1, 2], l == [1], l != [], [l] == [l]),
    "set_item": lambda l: l.__setitem__(1, "set"),
    "set_slice": lambda l: l.__setitem__(slice(0, 2), "ab"),
    "set_bad_slice": lambda l: l.__setitem__(slice(None, None, 2), [1]),
    "delete": lambda l: l.__delitem__(-1),
    "delete_slice": lambda l: l.__delitem__(slice(0, 2)),
    "bad_key": lambda l: l["a"],
    "sum": lambda l: (sum(l), max(l), min(l)),
    "to_others": lambda l: (tuple(l), set(l), dict.fromkeys(l), str(l)),
    "unknown": lambda l: l.add(1),
}


@pytest.mark.parametrize("name", LIST_METHODS)
def test_lists(name):
    method = LIST_METHODS[name]

    def program(given):
        log = []
        for items in (given, [*given], [[1], given]):
            alias = items
            try:
                log.append(method(items))
            except (ValueError, TypeError, IndexError, AttributeError) as error:
                log.append(error)
            log.append((alias, len(items)))
        return log

    check(program, *((items,) for items in LISTS), graph_numbers=False)


@same(([3, 1, 2],), ([],), ([5],))
def test_uncaught_after_changes(items):
    items.append(9)
    items.sort()
    print(items)
    items.insert(0, items.pop())
    del items[0]
    return items[3]


@captured(([1, 2, 3, 4],), ([],))
def test_stack_and_queue(items):
    stack, queue = [], [*items]
    for item in items:
        stack.append(item * 2)
        if len(stack) > 2:
            queue.append(stack.pop())
    while queue:
        stack.insert(0, queue.pop(0))
    return stack, queue


@captured((2, 3), (0, 5))
def test_matrix(rows, columns):
    matrix = [[r * columns + c for c in range(columns)] for r in range(rows)]
    transposed = [list(row) for row in zip(*matrix)]
    wrong = [[0] * columns] * rows
    if rows:
        wrong[0][0] = 1
    return matrix, transposed, wrong


@same(((1, 2, 2), 2), ((), 1), (("a", [1]), "b"))
def test_tuples(items, what):
    log = [
        items + (1,),
        items * 2,
        items[::-1],
        items.count(what),
        what in items,
        items == tuple(list(items)),
        len(items),
    ]
    for bad in (lambda: items.index(what), lambda: items[5], lambda: items.append, lambda: items < (what,)):
        try:
            log.append(bad())
        except (ValueError, IndexError, AttributeError, TypeError) as error:
            log.append(error)
    return log, items[:] is items, tuple(items) is items, (*items,)


@same(((1, 2),), (([1],),))
def test_tuples_do_not_change(items):
    log = ["start"]
    log.append(items)
    items[0] = 5


@same(([1],), ([],))
def test_hash_of_tuples(inner):
    table = {(1, (2, "a")): "found"}
    log = [table.get((1, (2, "a"))), (1, 2) in {(1, 2)}]
    try:
        log.append({(1, inner): 1})
    except TypeError as error:
        log.append(error.args)
    return log


class Noisy(list):
    def __init__(self, *items):
        super().__init__(items)
        self.log = []

    def append(self, item):
        self.log.append(("append", item))
        super().append(item)

    def __getitem__(self, key):
        self.log.append(("get", key))
        return super().__getitem__(key)

    def __len__(self):
        return super().__len__() + 100

    def __iter__(self):
        self.log.append("iter")
        return super().__iter__()


@same((1,), (2,))
def test_subclass_of_list(x):
    noisy = Noisy(x, 5)
    noisy.append(7)
    noisy.extend([8])
    noisy += [9]
    first, *rest = noisy
    return noisy, noisy[0], noisy[-1:], len(noisy), list(noisy), rest, [*noisy], sorted(noisy), noisy.log, x in noisy


@same((Noisy(1, 2),), ([1, 2],))
def test_subclass_given(items):
    items.append(3)
    total = 0
    for item in items:
        total += item
    return total, items[0], len(items), items == [1, 2, 3], items + [4], items.pop(), bool(items)


class Pair(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))

    @property
    def first(self):
        return self[0]

    def __add__(self, other):
        return Pair(self[0] + other[0], self[1] + other[1])


@same((1, 2), ("a", "b"))
def test_subclass_of_tuple(a, b):
    pair = Pair(a, b)
    x, y = pair
    return (
        pair,
        pair.first,
        pair + (a, b),
        pair * 2,
        type(pair[:]),
        x,
        y,
        pair == (a, b),
        hash(pair) == hash((a, b)),
        {pair: 1},
    )


@same(([5, 2, 9],), (["b", 1],), ([[2], [1]],))
def test_sort_is_stable_and_fails_half_way(items):
    log = []

    def key(item):
        log.append(item)
        return item

    try:
        items.sort(key=key)
    except TypeError as error:
        log.append(error.args)
    return items, log, sorted([(1, "b"), (0, "a"), (1, "a")], key=lambda p: p[0])


@same(([3, 1],), ([1],))
def test_sort_sees_an_empty_list(items):
    seen = []

    def key(item):
        seen.append(list(items))
        return item

    items.sort(key=key)
    return seen, items


@same(([3, 1, 2],), ([2, 1],))
def test_sort_detects_changes(items):
    def key(item):
        items.append(item)
        return item

    try:
        items.sort(key=key)
    except ValueError as error:
        return error.args, items
    return items


@same((3,), (0,), (-1,), ("a",))
def test_ranges(n):
    log = []
    try:
        r = range(n)
        log.append((list(r), len(r), r[-1:], 2 in r, r == range(0, n), list(r[::2]), r.start, r.stop, r.step))
        log.append((list(range(n, -2, -2)), list(reversed(range(n))), r.count(1), hash(r) == hash(range(n))))
        log.append(r.index(2))
    except (ValueError, TypeError) as error:
        log.append(error.args)
    return log
