"""`itertools`: every function, with callbacks and errors, half used, shared and handed over."""

from __future__ import annotations

import itertools
import operator

import pytest

from tests.ladder.both import captured, check, same

journal: list[object] = []

FUNCTIONS = {
    "accumulate": lambda items: itertools.accumulate(items),
    "accumulate_function": lambda items: itertools.accumulate(items, operator.mul, initial=1),
    "accumulate_lambda": lambda items: itertools.accumulate(items, lambda a, b: journal.append((a, b)) or b),
    "batched": lambda items: getattr(itertools, "batched", lambda i, n: [(n,)])(items, 2),
    "chain": lambda items: itertools.chain(items, "ab", [items]),
    "chain_iterable": lambda items: itertools.chain.from_iterable([items, items]),
    "combinations": lambda items: itertools.combinations(items, 2),
    "combinations_with": lambda items: itertools.combinations_with_replacement(items, 2),
    "compress": lambda items: itertools.compress(items, [1, 0, True, ""]),
    "count": lambda items: itertools.islice(itertools.count(len(items), 0.5), 3),
    "cycle": lambda items: itertools.islice(itertools.cycle(items), 5),
    "dropwhile": lambda items: itertools.dropwhile(lambda x: journal.append(x) or x < 2, items),
    "filterfalse": lambda items: itertools.filterfalse(lambda x: x == 2, items),
    "filterfalse_none": lambda items: itertools.filterfalse(None, [0, *items]),
    "islice": lambda items: itertools.islice(items, 1, None, 2),
    "islice_stop": lambda items: itertools.islice(items, 2),
    "pairwise": lambda items: itertools.pairwise(items),
    "permutations": lambda items: itertools.permutations(items, 2),
    "product": lambda items: itertools.product(items, "ab"),
    "product_repeat": lambda items: itertools.product(items, repeat=2),
    "repeat": lambda items: itertools.repeat(items, 2),
    "starmap": lambda items: itertools.starmap(lambda a, b=0: (a, b), [(item, 1) for item in items]),
    "takewhile": lambda items: itertools.takewhile(lambda x: x != 3, items),
    "zip_longest": lambda items: itertools.zip_longest(items, "ab", fillvalue="-"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name):
    make = FUNCTIONS[name]

    def program(items):
        log = list(make(items))
        iterator = make(items)
        first = next(iter(iterator), "nothing")
        try:
            for entry in make([1, "x", None]):
                log.append(entry)
        except TypeError as error:
            log.append(error.args)
        return log, first, journal, [entry for entry in make(tuple(items))]

    check(program, ([1, 2, 3, 4],), ([],), ([2],), graph_numbers=False)


BAD = {
    "islice": lambda x: itertools.islice([1], -1),
    "islice_step": lambda x: itertools.islice([1], 0, 5, 0),
    "count": lambda x: itertools.count("a"),
    "repeat": lambda x: itertools.repeat(1, "a"),
    "combinations": lambda x: itertools.combinations([1], -1),
    "chain": lambda x: list(itertools.chain([1], 5)),
    "starmap": lambda x: list(itertools.starmap(pow, [5])),
    "zip_longest": lambda x: itertools.zip_longest([1], other=2),
    "product": lambda x: itertools.product([1], repeat=-1),
    "takewhile": lambda x: list(itertools.takewhile(5, [1])),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_arguments(name):
    bad = BAD[name]

    def program(x):
        log = [x]
        try:
            log.append(bad(x))
        except (TypeError, ValueError) as error:
            log.append(error.args)
        return log, bad(x)

    check(program, (1,), (2,))


@same(([("a", 1), ("a", 2), ("b", 3), ("a", 4)],), ([],))
def test_groupby(pairs):
    groups = [(key, [value for _, value in group]) for key, group in itertools.groupby(pairs, key=lambda pair: pair[0])]
    lazy = itertools.groupby(pairs, operator.itemgetter(0))
    first = next(lazy, None)
    second = next(lazy, None)
    stale = list(first[1]) if first else None
    return groups, stale, second and second[0], [key for key, _ in itertools.groupby([1, 1, 2])]


@same(([1, 2, 3],), ([],))
def test_tee(items):
    left, right = itertools.tee(iter(items))
    first = next(left, None)
    items.append("late")
    return first, list(right), list(left), itertools.tee(items, 0)


@captured(([1, 2, 3],), ([],), ([5],))
def test_chain_and_islice_in_loops(items):
    log = []
    for item in itertools.chain(items, "ab"):
        log.append(item)
    for i, item in zip(itertools.count(1), items):
        log.append((i, item))
    for pair in itertools.islice(itertools.product(items, items), 2):
        log.append(pair)
    return log


@same((3,), (0,))
def test_infinite_iterators_and_break(n):
    log = []
    for i in itertools.count(step=2):
        if i > n:
            break
        log.append(i)
    for letter, _ in zip(itertools.cycle("ab"), itertools.repeat(None, n)):
        log.append(letter)
    return log


@same(([1, 0, 2],), ([0],), ([4],))
def test_error_in_the_middle(items):
    log = []
    iterator = itertools.starmap(lambda a, b: journal.append(b) or a // b, zip(itertools.repeat(10), items))
    try:
        for value in iterator:
            log.append(value)
    except ZeroDivisionError:
        log.append(list(iterator))
    print(log)
    return list(itertools.accumulate(items, lambda a, b: a // b))


@same(([1, 2, 3, 4],), ([],))
def test_shared_source_is_consumed_alike(items):
    source = iter(items)
    head = list(itertools.takewhile(lambda item: item < 2, source))
    pairs = list(itertools.zip_longest(source, source))
    again = iter(items)
    return head, pairs, next(itertools.islice(again, 1, None), None), list(again)


@same(([3, 1, 2],), ([],))
def test_handed_over_half_used(items):
    chained, repeated, counted = itertools.chain(items, [9]), itertools.repeat("x", 3), itertools.count(5)
    return next(chained), next(repeated), next(counted), next(counted), list(chained), list(repeated), next(counted)


def flatten_and_group(rows):
    flat = sorted(itertools.chain.from_iterable(rows))
    return {key: len(list(group)) for key, group in itertools.groupby(flat)}


@same(([[3, 1], [1], []],), ([],), ([["b"], ["a", "b"]],), ([[1], ["a"]],))
def test_program(rows):
    try:
        return flatten_and_group(rows), list(itertools.accumulate(map(len, rows)))
    except TypeError as error:
        return error.args
