"""Iterators that a trace made and that outlive it: they go on where the trace left them."""

from __future__ import annotations

import itertools

import pytest

import symexec
from tests.support import arguments, assert_same

NAMES = {"itertools": itertools, "stop": symexec.graph_break, "symexec": symexec}

HANDED_OUT = [
    "iter(xs)", "iter(tuple(xs))", "iter('ab')", "iter(b'ab')", "iter(range(5))", "iter({1: 2, 3: 4, 5: 6})",
    "iter({1: 2, 3: 4, 5: 6}.values())", "iter({1: 2, 3: 4, 5: 6}.items())", "iter({5, 1, 3})", "iter([*xs])",
    "iter(d)", "iter(d.items())", "reversed(d)", "reversed(d.values())", "reversed({1: 2, 3: 4, 5: 6}.items())",
    "reversed(xs)", "reversed([*xs])", "reversed(tuple(xs))", "reversed('abc')", "reversed(range(5))",
    "enumerate(xs)", "enumerate(xs, 5)", "zip(xs, 'abcdef')", "zip()", "map(abs, xs)",
    "map(lambda a, b: (a, b, ys), xs, 'abcdef')", "filter(None, [0, *xs])", "filter(lambda x: x % 2, xs)",
    "zip(enumerate(xs), map(abs, xs))", "itertools.chain(xs, 'ab', d)", "itertools.chain.from_iterable([xs, 'ab'])",
    "itertools.accumulate(xs)", "itertools.count(3)", "itertools.cycle(xs)",
    "itertools.accumulate(xs, max, initial=2)", "itertools.dropwhile(lambda x: x < 2, xs)",
    "itertools.islice(xs, 1, 4, 2)", "itertools.takewhile(lambda x: x < 3, xs)",
    "itertools.filterfalse(lambda x: x < 2, xs)", "itertools.islice(xs, 3)", "itertools.starmap(pow, zip(xs, xs))",
    "itertools.repeat('a', 3)", "itertools.repeat(xs)", "itertools.groupby(xs)",
    "itertools.compress(xs, [1, 0, 1, 1])", "itertools.pairwise(xs)", "itertools.zip_longest(xs, 'ab', fillvalue=7)",
    "itertools.product(xs, 'ab')", "itertools.permutations(xs, 2)", "itertools.combinations(xs, 2)",
    "itertools.combinations_with_replacement(xs, 2)", "itertools.tee(xs)[0]", "zip(xs, ys, strict=True)",
    "iter(lambda: 1, 2)",
]  # fmt: skip


def function_of(source):
    namespace = dict(NAMES)
    exec(source, namespace)
    return namespace["f"]


def inputs():
    return arguments([3, 1, 2, 4], [5, 6, 7, 8], {"a": 1, "b": 2, "c": 3})


@pytest.mark.parametrize("taken", [0, 1, 2])
@pytest.mark.parametrize("expression", HANDED_OUT)
def test_an_iterator_goes_on_behind_a_break(expression, taken):
    f = function_of(f"""
def f(xs, ys, d):
    it = {expression}
    took = [next(it) for _ in range({taken})]
    stop()
    rest = []
    for each in it:
        rest.append(each)
        if len(rest) > 9:
            break
    return took, rest, type(it)
""")
    assert_same(f, inputs)


BUILT = [expression for expression in HANDED_OUT if "tee" not in expression and "strict" not in expression]


@pytest.mark.parametrize("expression", BUILT)
def test_an_iterator_is_returned(expression):
    def run(it):
        items = list(itertools.islice(it, 12))
        return type(it), [each[0] for each in items] if type(it) is itertools.groupby else items

    f = function_of(f"def f(xs, ys, d):\n    return {expression}")
    if "lambda: 1" in expression:
        return
    compiled = symexec.compile(f)
    for _ in range(2):
        xs, ys, d = inputs()[0]
        assert run(compiled(xs, ys, d)) == run(f(xs, ys, d))
    assert symexec.stats(compiled).breaks == ()


@pytest.mark.parametrize("taken", [1, 2, 5])
@pytest.mark.parametrize(
    "change", ["xs.append(9)", "xs.clear()", "xs.pop()", "xs[:] = [7] * 9", "d['z'] = 1; d.pop('a')"]
)
@pytest.mark.parametrize("expression", ["iter(xs)", "reversed(xs)", "enumerate(xs)", "iter(d)", "zip(xs, d)"])
def test_changes_of_the_source_are_seen(expression, change, taken):
    early = assert_same(
        function_of(f"""
def f(xs, ys, d):
    it = {expression}
    {change}
    took = [next(it, None) for _ in range({taken})]
    stop()
    return took, list(it)
"""),
        inputs,
    )
    assert early
    assert_same(
        function_of(f"""
def f(xs, ys, d):
    it = {expression}
    took = [next(it, None) for _ in range({taken})]
    {change}
    stop()
    xs.append(8)
    return took, list(it)
"""),
        inputs,
    )


def test_what_is_shared_stays_shared():
    f = function_of("""
def f(xs):
    it = iter(xs)
    pairs = zip(it, it)
    next(pairs)
    stop()
    return list(pairs), list(it)
""")
    assert_same(f, lambda: arguments([1, 2, 3, 4, 5]))


def test_a_loop_over_enumerate_goes_on_behind_a_break():
    f = function_of("""
def f(xs):
    total = 0
    for index, each in enumerate(xs, 1):
        stop()
        total += index * each
    return total
""")
    assert_same(f, lambda: arguments([1, 2, 3, 4, 5]))


def test_an_exhausted_iterator_stays_so():
    f = function_of("""
def f(xs):
    it = iter(xs)
    found = list(it)
    xs.append(1)
    stop()
    return list(it), type(it), found
""")
    assert_same(f, lambda: arguments([1, 2]))
