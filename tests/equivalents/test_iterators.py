"""Iterators that go over other iterators: all calls below them, in order, whatever fails when."""

from __future__ import annotations

import inspect
import itertools

import pytest

from symexec.interpreter.equivalents import combinatorics, groups, iterators, made_by_iter
from symexec.interpreter.equivalents.table import CLASSES, ITERATORS
from tests.equivalents.beside import Log, Noted, Oops, Source, advance, called, next_or_end, run

BATCHED = vars(itertools).get("batched")


def numbers(log, *values):
    return [Noted(log, value) for value in values]


def source(log, *values, name="a"):
    return Source(log, name, numbers(log, *values))


def keyed(log, function=lambda each: each):
    return called(log, "call", function)


def is_odd(log):
    return called(log, "call", lambda each: Noted(log, each.value))


class Text:
    """Read by index only."""

    def __init__(self, log, *items):
        self.log, self.items = log, items

    def __getitem__(self, index):
        self.log.note("item", index)
        return self.items[index]

    def __len__(self):
        self.log.note("len")
        return len(self.items)


def pops(log, *values):
    rest = list(values)

    def pop():
        log.note("pop")
        if not rest:
            raise StopIteration
        return Noted(log, rest.pop(0))

    return pop


CASES = {
    "chain": (
        iterators.Chain,
        itertools.chain.from_iterable,
        lambda log: ([source(log, 1, 2), source(log), source(log, 3)],),
    ),
    "chain of steps": (
        iterators.Chain,
        itertools.chain.from_iterable,
        lambda log: (Source(log, "outer", [source(log, 1, 2), 5, source(log, 3, name="b")]),),
    ),
    "accumulate": (iterators.Accumulate, itertools.accumulate, lambda log: (source(log, 1, 2, 3),)),
    "accumulate with": (
        iterators.Accumulate,
        itertools.accumulate,
        lambda log: (source(log, 1, 2, 3), keyed(log, lambda a, b: b)),
    ),
    "count": (iterators.Count, itertools.count, lambda log: (2.5, 3)),
    "cycle": (iterators.Cycle, itertools.cycle, lambda log: (source(log, 1, 2, 3),)),
    "cycle of nothing": (iterators.Cycle, itertools.cycle, lambda log: (source(log),)),
    "dropwhile": (iterators.DropWhile, itertools.dropwhile, lambda log: (is_odd(log), source(log, 1, 3, 2, 1))),
    "takewhile": (iterators.TakeWhile, itertools.takewhile, lambda log: (is_odd(log), source(log, 1, 3, 2, 1))),
    "filterfalse": (iterators.FilterFalse, itertools.filterfalse, lambda log: (is_odd(log), source(log, 1, 2, 3, 4))),
    "filterfalse none": (iterators.FilterFalse, itertools.filterfalse, lambda log: (None, source(log, 1, 2, 3, 4))),
    "filterfalse bool": (iterators.FilterFalse, itertools.filterfalse, lambda log: (bool, source(log, 1, 2, 3, 4))),
    "starmap": (
        iterators.StarMap,
        itertools.starmap,
        lambda log: (
            keyed(log, lambda a, b: (b, a)),
            Source(log, "s", [(1, 2), source(log, 3, 4, name="b"), 5, (6,), (7, 8)]),
        ),
    ),
    "repeat": (iterators.Repeat, itertools.repeat, lambda log: ("x", 3)),
    "compress": (
        iterators.Compress,
        itertools.compress,
        lambda log: (source(log, 1, 2, 3), source(log, 1, 2, 3, 5, name="b")),
    ),
    "pairwise": (iterators.Pairwise, itertools.pairwise, lambda log: (source(log, 1, 2, 3),)),
    "pairwise of one": (iterators.Pairwise, itertools.pairwise, lambda log: (source(log, 1),)),
    "zip_longest": (
        iterators.ZipLongest,
        itertools.zip_longest,
        lambda log: (source(log, 1, 2, 3), source(log, name="b"), source(log, 4, name="c")),
    ),
    "zip_longest of nothing": (iterators.ZipLongest, itertools.zip_longest, lambda log: ()),
    "groupby": (groups.GroupBy, itertools.groupby, lambda log: (source(log, 1, 1, 2, 3, 3),)),
    "calls": (made_by_iter.Calls, iter, lambda log: (pops(log, 1, 2, 3), Noted(log, 3))),
    "calls to the end": (made_by_iter.Calls, iter, lambda log: (pops(log, 1, 2), 7)),
    "indexed": (made_by_iter.Indexed, iter, lambda log: (Text(log, "a", "b"),)),
    "backward": (made_by_iter.Backward, reversed, lambda log: (Text(log, "a", "b", "c"),)),
    "product": (
        combinatorics.Product,
        itertools.product,
        lambda log: (source(log, 1, 2), source(log, 3, 4, 5, name="b")),
    ),
    "product of nothing": (combinatorics.Product, itertools.product, lambda log: (source(log, 1, 2), source(log))),
    "permutations": (combinatorics.Permutations, itertools.permutations, lambda log: (source(log, 1, 2, 3),)),
    "combinations": (combinatorics.Combinations, itertools.combinations, lambda log: (source(log, 1, 2, 3, 4), 2)),
}  # fmt: skip
SLICES = [(0, 3, 1), (1, None, 2), (0, 0, 1), (2, 3, 5), (3, 1, 1), (0, None, 1), (1, 4, 2)]
for numbers_of_slice in SLICES:
    CASES[f"islice {numbers_of_slice}"] = (
        iterators.Slice,
        itertools.islice,
        lambda log, chosen=numbers_of_slice: (source(log, 1, 2, 3, 4, 5), *chosen),
    )
if BATCHED is not None:
    CASES["batched"] = (iterators.Batched, BATCHED, lambda log: (source(log, 1, 2, 3, 4, 5), 2))
    CASES["batched evenly"] = (iterators.Batched, BATCHED, lambda log: (source(log, 1, 2), 2))


def record(make, step, arguments, failing, error):
    log = Log(failing, error)
    results = run(lambda: make(*arguments(log)), step)
    return results, [str(entry) for entry in log.entries]


@pytest.mark.parametrize("error", [Oops, StopIteration, IndexError])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_everything_below_is_called_as_by_the_original(case, error):
    equivalent, original, arguments = case
    calls = 1
    failing = 0
    while failing <= calls:
        expected = record(original, next_or_end, arguments, failing, error)
        found = record(equivalent, advance, arguments, failing, error)
        assert found[1] == expected[1], f"call number {failing} fails"
        if equivalent is not groups.GroupBy:
            assert found[0] == expected[0], f"call number {failing} fails"
        calls = min(len(expected[1]), 60)
        failing += 1


def go_over_groups(iterator, step_key, step_group):
    """Keys and groups by a fixed pattern of steps: some groups are left early, one is gone on with when it is stale."""
    steps = []
    before = None
    for wanted in (1, 0, 2, 5):
        pair = step_key(iterator)
        if pair == "the end":
            steps.append(pair)
            continue
        key, group = pair
        steps.append((key, [step_group(group) for _ in range(wanted)], before and step_group(before)))
        before = group
    return steps


@pytest.mark.parametrize("values", [(1, 1, 2, 3, 3, 3, 4), (), (1,), (1, 2, 3), (2, 2, 2, 2)])
def test_groups(values):
    logs = []
    results = []
    for make, step in ((itertools.groupby, next_or_end), (groups.GroupBy, advance)):
        log = Log(0)
        logs.append(log)
        results.append(repr(go_over_groups(make(source(log, *values), keyed(log)), step, step)))
    assert results[0] == results[1]
    assert list(map(str, logs[0].entries)) == list(map(str, logs[1].entries))


@pytest.mark.parametrize("order", ["000111", "010101", "110010", "0011", "00000111111"])
def test_tees(order):
    results = []
    for equivalent in (False, True):
        log = Log(0)
        below = source(log, 1, 2, 3)
        if equivalent:
            shared = groups.Shared(iter(iter(below)))
            pair, step = [groups.Tee(shared), groups.Tee(shared)], advance
        else:
            pair, step = itertools.tee(below), next_or_end
        results.append(([repr(step(pair[int(each)])) for each in order], list(map(str, log.entries))))
    assert results[0] == results[1]


@pytest.mark.parametrize("length", range(5))
@pytest.mark.parametrize("count", range(5))
def test_choices(count, length):
    pool = "abcd"[:count]
    for equivalent in (
        combinatorics.Permutations,
        combinatorics.Combinations,
        combinatorics.CombinationsWithReplacement,
    ):
        made, found = equivalent(pool, length), []
        while (item := advance(made)) != "the end":
            found.append(item)
        assert found == list(ITERATORS[equivalent](pool, length))


@pytest.mark.parametrize("repeat", range(4))
def test_products(repeat):
    made, found = combinatorics.Product("ab", "cde", repeat=repeat), []
    while (item := advance(made)) != "the end":
        found.append(item)
    assert found == list(itertools.product("ab", "cde", repeat=repeat))


def test_every_class_is_tested():
    tested = {case[0] for case in CASES.values()} | {
        groups.Group,
        groups.Tee,
        groups.Shared,
        combinatorics.CombinationsWithReplacement,
        iterators.Batched,
    }
    assert set(CLASSES) == tested
    defined = {
        found
        for module in (combinatorics, groups, iterators, made_by_iter)
        for found in vars(module).values()
        if inspect.isclass(found) and found.__module__ == module.__name__ and not getattr(found, "_is_protocol", False)
    }
    assert defined == set(CLASSES)
