"""`collections`: deque, defaultdict, Counter, OrderedDict, ChainMap, user containers; and `heapq`, `bisect`."""

from __future__ import annotations

import bisect
import collections
import heapq

import pytest

from tests.ladder.both import captured, check, same

journal: list[object] = []

DEQUE = {
    "ends": lambda d: (d.append(1), d.appendleft(2), d.pop(), d.popleft()),
    "extend": lambda d: (d.extend("ab"), d.extendleft("cd"), d.extend(d)),
    "rotate": lambda d: (d.rotate(1), d.rotate(-2), d.rotate()),
    "items": lambda d: (d[0], d[-1], len(d), list(d), list(reversed(d))),
    "set_item": lambda d: d.__setitem__(0, "set"),
    "delete": lambda d: d.__delitem__(-1),
    "far": lambda d: d[10],
    "insert": lambda d: d.insert(1, "i"),
    "remove": lambda d: d.remove(1),
    "index": lambda d: (d.index(1), d.count(1), 1 in d),
    "reverse": lambda d: d.reverse(),
    "clear": lambda d: (d.clear(), d.pop()),
    "copy": lambda d: (d.copy() == d, d.copy() is d, d + d, d * 2, d.maxlen),
    "compare": lambda d: (d == collections.deque(d), d < collections.deque([9]), d == list(d)),
    "slice": lambda d: d[0:1],
    "bool": lambda d: (bool(d), repr(d), d.__class__.__name__),
}


@pytest.mark.parametrize("name", DEQUE)
def test_deque(name):
    method = DEQUE[name]

    def program(given):
        log = []
        for queue in (given, collections.deque([1, 2]), collections.deque([1, 2], maxlen=2)):
            try:
                log.append(method(queue))
            except (IndexError, ValueError, TypeError) as error:
                log.append(error.args)
            log.append(queue)
        return log

    deques = [collections.deque([1, 2, 3]), collections.deque(), collections.deque([5, 1], 2)]
    check(program, *((queue,) for queue in deques), graph_numbers=False)


@captured((5, 3), (1, 1), (7, 2))
def test_josephus(n, step):
    circle = collections.deque(range(n))
    order = []
    while circle:
        circle.rotate(-(step - 1))
        order.append(circle.popleft())
    return order


@same(({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, "a"), ({}, "x"), ({"a": ["a"]}, "a"))
def test_breadth_first(graph, start):
    seen, queue = {start}, collections.deque([start])
    order = []
    try:
        while queue:
            node = queue.popleft()
            order.append(node)
            for other in graph[node]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
    except KeyError as error:
        return order, error.args
    return order


@same((collections.deque([1, 2, 3]),), (collections.deque(),))
def test_deque_changed_while_iterating(queue):
    log = []
    try:
        for item in queue:
            log.append(item)
            queue.append(item)
    except RuntimeError as error:
        log.append(error.args)
    return log, queue


@same(("hello",), ("",), ([1, 1, 2],))
def test_defaultdict(items):
    counts, positions = collections.defaultdict(int), collections.defaultdict(list)
    for at, item in enumerate(items):
        counts[item] += 1
        positions[item].append(at)
    log = [dict(counts), positions, counts["new"], "new" in counts, counts.get("other"), len(counts)]
    plain = collections.defaultdict(None, a=1)
    failing = collections.defaultdict(lambda: 1 // len(journal))
    for act in (lambda: plain["missing"], lambda: failing["x"], lambda: collections.defaultdict(5)):
        try:
            log.append(act())
        except (KeyError, ZeroDivisionError, TypeError) as error:
            log.append(error.args)
    return log, failing.keys(), counts.default_factory, counts | {"z": 1}


@same(("abracadabra", "bar"), ("", "x"), ([1, 1], [2]))
def test_counter(left, right):
    a, b = collections.Counter(left), collections.Counter(right)
    a.update(right)
    log = [
        a,
        b,
        a.most_common(2),
        a + b,
        a - b,
        a & b,
        a | b,
        a["missing"],
        sum(a.values()),
        a.total(),
        list(b.elements()),
    ]
    a.subtract(b)
    a["k"] -= 5
    del b["never there"]
    return log, a, +a, -a, a == b, a <= b, sorted(map(str, a)), dict(b), collections.Counter(x=2, y=-1)


@same((["a", "b", "c"], "b"), (["a"], "zz"), ([], "x"))
def test_ordered_dict(keys, key):
    table = collections.OrderedDict.fromkeys(keys, 0)
    log = []
    try:
        table["new"] = 1
        table.move_to_end(key)
        table.move_to_end(key, last=False)
        log.append(table.popitem(last=False))
        log.append(table.popitem())
    except KeyError as error:
        log.append(error.args)
    other = collections.OrderedDict(reversed(list(table.items())))
    return log, table, list(reversed(table)), table == other, dict(table) == dict(other), table | {"z": 1}, repr(table)


@same(({"a": 1}, {"a": 2, "b": 3}), ({}, {}))
def test_chain_map(first, second):
    chain = collections.ChainMap(first, second)
    chain["new"] = "in the first"
    child = chain.new_child({"a": "child"})
    log = [dict(chain), child.get("a"), child.parents is chain, list(chain), len(child), "b" in chain]
    try:
        del chain["b"]
    except KeyError as error:
        log.append(error.args)
    return log, first, second, chain.maps[0] is first


class Upper(collections.UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.upper(), value)


class Loud(collections.UserList):
    def append(self, item):
        journal.append(item)
        super().append(item)


@same(("key",), (5,))
def test_user_containers(key):
    table, items = Upper(a=1), Loud([1])
    items.append(key)
    items += [2]
    try:
        table[key] = "set"
    except AttributeError as error:
        return error.args, items, table.data
    return table.data, items.data, items[1:].data, len(table), items == [1, key, 2], table | {"z": 1}, journal


@same(([5, 1, 4, 1],), ([],), ([2],), ([1, "a"],))
def test_heaps(items):
    heap, log = [], []
    try:
        for item in items:
            heapq.heappush(heap, item)
        log.append(heapq.nsmallest(2, items))
        while heap:
            log.append(heapq.heappop(heap))
        heapq.heapify(items)
        log.append(heapq.heapreplace(items, 3))
    except (IndexError, TypeError) as error:
        log.append(error.args)
    return log, heap, items, list(heapq.merge([1, 4], [2, 3]))


@same(([1, 3, 5], 3), ([], 1), ([1, 3, 5], 9), (["a", "b"], 1))
def test_bisect(items, x):
    log = []
    try:
        log.append((bisect.bisect_left(items, x), bisect.bisect(items, x)))
        bisect.insort(items, x)
        log.append(bisect.bisect_left([(2, "b"), (5, "a")], x, key=lambda pair: pair[0]))
    except TypeError as error:
        log.append(error.args)
    return log, items


class RecentlyUsed(collections.OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if len(self) > self.size:
            journal.append(self.popitem(last=False))


@same((2,), (1,))
def test_recently_used(size):
    cache = RecentlyUsed(size)
    for key in "abac":
        try:
            cache[key] += 1
        except KeyError:
            cache[key] = 0
    return list(cache.items()), journal, cache.size
