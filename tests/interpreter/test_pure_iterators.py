"""Iterators of `itertools`, and those that builtins make, inside a trace: one trace, and exactly Python's results."""

from __future__ import annotations

import itertools

import pytest

import symexec
from tests.support import arguments, assert_same

NAMES = {"itertools": itertools, "batched": vars(itertools).get("batched")}

CAPTURED = {
    "chain": "list(itertools.chain(xs, (1, 2), 'ab'))",
    "chain of nothing": "list(itertools.chain())",
    "chain from iterable": "list(itertools.chain.from_iterable([xs, 'ab', xs]))",
    "chain from a chain": "list(itertools.chain(itertools.chain(xs), itertools.chain(xs, xs)))",
    "islice stop": "list(itertools.islice(xs, 2))",
    "islice all": "list(itertools.islice(itertools.count(3), 2, 9, 3))",
    "islice none": "list(itertools.islice(xs, None))",
    "islice leaves the rest": "(lambda it: (list(itertools.islice(it, 2)), list(it)))(iter(xs))",
    "count with step": "list(zip(itertools.count(1.5, 0.5), xs))",
    "accumulate": "list(itertools.accumulate(xs))",
    "accumulate with a function": "list(itertools.accumulate(xs, lambda a, b: a * b, initial=4))",
    "accumulate max": "list(itertools.accumulate(xs, max))",
    "permutations": "list(itertools.permutations(xs, 2))",
    "all permutations": "list(itertools.permutations(xs[:3]))",
    "combinations": "list(itertools.combinations(xs, 2))",
    "combinations with replacement": "list(itertools.combinations_with_replacement(xs, 2))",
    "product": "list(itertools.product(xs, 'ab'))",
    "product repeat": "list(itertools.product(xs[:2], repeat=3))",
    "groupby": "[(key, list(group)) for key, group in itertools.groupby(xs, lambda x: x // 2)]",
    "groupby skipping": "[key for key, group in itertools.groupby(xs + [4, 4])]",
    "groupby stale": "list((lambda g: (next(g), next(g)))(itertools.groupby(xs))[0][1])",
    "tee": "(lambda a, b: (next(a), list(b), list(a)))(*itertools.tee(xs))",
    "cycle": "[each for each, _ in zip(itertools.cycle(xs), range(9))]",
    "zip longest": "list(itertools.zip_longest(xs, 'ab', fillvalue=0))",
    "compress": "list(itertools.compress(xs, [1, 0, 1]))",
    "dropwhile": "list(itertools.dropwhile(lambda x: x < 3, xs))",
    "takewhile": "list(itertools.takewhile(lambda x: x < 3, xs))",
    "filterfalse": "list(itertools.filterfalse(lambda x: x % 2, xs))",
    "filterfalse none": "list(itertools.filterfalse(None, [0, *xs, '']))",
    "starmap": "list(itertools.starmap(pow, [(x, 2) for x in xs]))",
    "starmap over lists": "list(itertools.starmap(lambda a, b: a + b, [[1, 2], 'ab', (3, 4)]))",
    "repeat": "list(itertools.repeat(xs, 2))[1] is xs",
    "repeat without limit": "list(zip(xs, itertools.repeat('a')))",
    "pairwise": "list(itertools.pairwise(xs))",
    "types": "[type(each) for each in (itertools.chain(xs), itertools.groupby(xs), itertools.tee(xs)[0])]",
    "own iterator": "(lambda it: iter(it) is it)(itertools.chain(xs))",
    "reversed dict": "[*reversed({1: 2, 3: 4}), *reversed({1: 2, 3: 4}.items()), *reversed({1: 2, 3: 4}.values())]",
    "sentinel": "(lambda it: list(iter(lambda: next(it), 3)))(iter(xs))",
    "in": "(lambda it: (3 in it, list(it)))(itertools.chain(xs, xs))",
    "sum and others": "[f(itertools.chain(xs)) for f in (sum, min, max, any, all, sorted, tuple, set)]",
    "next with default": "(lambda it: [next(it, 0) for _ in range(6)])(itertools.islice(xs, 4))",
    "by name": "(lambda it: (it.__next__(), it.__iter__() is it, list(it)))(itertools.chain(xs))",
    "by name of a list": "(lambda it: (it.__next__(), it.__iter__() is it, list(it)))(iter(xs))",
    "unpacking": "(lambda a, *b: (a, b))(*itertools.chain(xs))",
    "dict of pairs": "dict(itertools.pairwise(xs))",
    "map over several": "list(map(lambda a, b: (a, b), itertools.chain(xs), itertools.count()))",
}


def function_of(expression):
    return eval(f"lambda xs: {expression}", NAMES)


@pytest.mark.parametrize("expression", CAPTURED.values(), ids=CAPTURED)
def test_iterators_are_captured(expression):
    compiled = assert_same(function_of(expression), lambda: arguments([1, 2, 3, 4]))
    assert [str(reason) for reason in symexec.stats(compiled).breaks] == []
    assert symexec.stats(compiled).traces == 1


@pytest.mark.skipif(NAMES["batched"] is None, reason="it came with Python 3.12")
@pytest.mark.parametrize("count", range(5))
def test_batched(count):
    compiled = assert_same(function_of("list(batched(xs, 2))"), lambda: arguments(list(range(count))))
    assert symexec.stats(compiled).breaks == ()


REFUSED = [
    "itertools.chain(xs, iterable=1)", "list(itertools.chain(xs, 5))", "itertools.islice(xs, -1)",
    "itertools.islice(xs, 1, 2, 0)", "itertools.islice(xs)", "itertools.islice(xs, 'a')",
    "itertools.permutations(xs, -1)", "itertools.permutations(xs, 'a')", "itertools.combinations(xs)",
    "itertools.product(xs, repeat=-1)", "itertools.product(5)", "itertools.tee(xs, -1)", "itertools.tee(xs, 0)",
    "itertools.repeat()", "itertools.count('a')", "list(itertools.starmap(pow, [5]))",
    "list(itertools.accumulate(['a', *xs]))", "itertools.accumulate(xs, initial=1, x=2)", "itertools.groupby()",
    "iter(5, 5)", "iter(5)", "reversed(5)", "reversed(iter(xs))", "next(xs)", "next(iter([]))", "zip(xs, 5)",
    "map(len)", "enumerate()", "enumerate(xs, 'a')", "filter(None)", "itertools.compress(xs)",
    "itertools.zip_longest(xs, fill=1)", "itertools.pairwise(5)", "list(zip(xs, 'ab', strict=True))",
    "[*itertools.count(True).__reduce__()[1]]",
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_errors_are_pythons(expression):
    assert_same(function_of(expression), lambda: arguments([1, 2, 3, 4]))
