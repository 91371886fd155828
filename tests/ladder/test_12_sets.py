"""Sets and frozensets: methods and operators, elements of classes, errors, subclasses."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

SETS = [{1, 2, 3}, set(), {2}, {"a", None}, {(1, 2), 2}]

METHODS = {
    "add": lambda s: s.add(5),
    "add_there": lambda s: (s.add(2), s.add(2.0), s),
    "add_unhashable": lambda s: s.add([1]),
    "discard": lambda s: (s.discard(2), s.discard("not there"), len(s)),
    "remove": lambda s: s.remove(2),
    "pop_all": lambda s: [s.pop() for _ in range(len(s))] and None,
    "pop_empty": lambda s: (s.clear(), s.pop()),
    "update": lambda s: (s.update([1, 9], "x"), s.update()),
    "update_bad": lambda s: s.update([1], 5),
    "union": lambda s: (s | {2, 7}, s.union([7], (8,)), s.union()),
    "intersection": lambda s: (s & {2, 7}, s.intersection([2, 3], {2}), s & frozenset([2])),
    "difference": lambda s: (s - {2}, s.difference([1]), {1, 2} - s, s ^ {2, 9}),
    "in_place": lambda s: (s.__ior__({4}), s.__iand__({2, 4}), s.__isub__({4}), s.__ixor__({5})),
    "operator_with_list": lambda s: s | [1],
    "compare": lambda s: (
        s <= {1, 2, 3},
        s < {1, 2, 3},
        s == {2},
        s >= set(),
        s.isdisjoint([9]),
        s.issubset([1, 2, 3]),
    ),
    "order_with_list": lambda s: s < [1],
    "contains": lambda s: (2 in s, True in s, "b" in s, None in s),
    "contains_set": lambda s: (s in {frozenset(s)}, frozenset([1]) in s),
    "contains_list": lambda s: [] in s,
    "copy": lambda s: (
        s.copy() is s,
        s.copy() == s,
        frozenset(s) == s,
        set(s) is s,
        hash(frozenset(s)) == hash(frozenset([*s])),
    ),
    "hash": lambda s: hash(s),
    "nested": lambda s: {s},
    "sum": lambda s: (sum(s), max(s), sorted(s)),
    "unknown": lambda s: s.append(1),
}


@pytest.mark.parametrize("name", METHODS)
def test_sets(name):
    method = METHODS[name]

    def program(given):
        log = []
        for elements in (given, {*given}, {*given, 2}, frozenset(given)):
            try:
                log.append(method(elements))
            except (KeyError, TypeError, AttributeError) as error:
                log.append(error)
            log.append((elements, len(elements)))
        return log

    check(program, *((elements,) for elements in SETS), graph_numbers=False)


@same(({1, 2}, 3), ({3}, 3), (set(), "x"))
def test_uncaught_after_changes(elements, x):
    elements.add(x)
    elements |= {"more"}
    elements.discard(1)
    print(len(elements))
    elements.remove("absent")


@captured(([1, 2, 2, 3], [2, 3, 9]), ([], []))
def test_duplicates_and_common(left, right):
    seen, twice = set(), []
    for item in left:
        if item in seen:
            twice.append(item)
        seen.add(item)
    return twice, sorted(seen & set(right)), sorted(set(left) ^ set(right)), len(seen)


@same((10,), (2,))
def test_sieve(n):
    candidates = set(range(2, n + 1))
    for i in range(2, n + 1):
        candidates -= set(range(i * i, n + 1, i))
    return sorted(candidates)


class Element:
    def __init__(self, value, log):
        self.value, self.log = value, log

    def __hash__(self):
        self.log.append(("hash", self.value))
        return hash(self.value % 2)

    def __eq__(self, other):
        self.log.append(("eq", self.value))
        return isinstance(other, Element) and self.value == other.value


@same((1,), (2,), (3,))
def test_elements_of_a_class(x):
    log = []
    first, second = Element(1, log), Element(x, log)
    elements = {first}
    elements.add(second)
    return (
        len(elements),
        second in elements,
        len(elements | {Element(5, log)}),
        log,
        elements == {first},
        first in [second],
    )


class Tagged(set):
    def add(self, element):
        super().add((element, "tag"))


@same((1,), ("a",))
def test_subclass_of_set(x):
    tagged = Tagged([x])
    tagged.add(x)
    tagged.update([5])
    return tagged, len(tagged), x in tagged, type(tagged | {1}), type(tagged.copy()), tagged == set(tagged), 5 in tagged


@same(({1, 2, 3},), (set(),))
def test_in_place_keeps_identity(elements):
    alias = elements
    elements |= {9}
    elements &= {1, 9}
    elements -= {1}
    elements ^= {4}
    frozen = again = frozenset(elements)
    frozen |= {5}
    return alias is elements, elements, frozen, again, frozen is again


@same(({1, 2},), ({1},))
def test_size_changes_while_iterating(elements):
    log = []
    try:
        for element in elements:
            log.append(element)
            elements.add(element + 10)
            if len(log) > 5:
                break
    except RuntimeError as error:
        log.append(error.args)
    return len(log) > 1, log[-1], len(elements)
