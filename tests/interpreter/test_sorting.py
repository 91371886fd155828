"""Sorting by what the program itself compares: the same comparisons, in the same order, as Python's sort makes."""

from __future__ import annotations

import functools
import random

import pytest

import symexec
from tests.support import arguments, assert_same

LOG = []


class Card:
    def __init__(self, value, name=""):
        self.value, self.name = value, name

    def __lt__(self, other):
        LOG.append((self.value, other.value))
        return self.value < other.value


class Stubborn(Card):
    def __lt__(self, other):
        return NotImplemented


class Failing(Card):
    def __lt__(self, other):
        LOG.append("asked")
        raise ValueError(self.value)


def by_value(left, right):
    LOG.append((left, right))
    return left - right


def shuffled(count):
    values = [value % 17 for value in range(count)]
    random.Random(count).shuffle(values)
    return values


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 40, 100])
def test_objects_are_sorted_by_their_own_comparison(count, reverse):
    def f(values, reverse):
        LOG.clear()
        cards = [Card(value, index) for index, value in enumerate(values)]
        return [card.name for card in sorted(cards, reverse=reverse)], list(LOG)

    compiled = assert_same(f, lambda: arguments(shuffled(count), reverse))
    assert symexec.stats(compiled).breaks == ()


@pytest.mark.parametrize("count", [0, 1, 2, 10, 70])
def test_a_comparison_function_is_a_key(count):
    def f(values):
        LOG.clear()
        copy = values[:]
        copy.sort(key=functools.cmp_to_key(by_value))
        return copy, sorted(values, key=functools.cmp_to_key(lambda a, b: b - a)), list(LOG)

    compiled = assert_same(f, lambda: arguments(shuffled(count)))
    assert symexec.stats(compiled).breaks == ()


def test_keys_are_compared_and_handed_out():
    def f(values):
        key = functools.cmp_to_key(by_value)
        low, high = key(1), key(2)
        return low < high, low == high, low >= high, min(values, key=key), max(map(key, values)).obj

    assert_same(f, lambda: arguments([3, 1, 2]))

    compiled = symexec.compile(lambda: functools.cmp_to_key(by_value))
    for _ in range(2):
        assert sorted([2, 1], key=compiled()) == [1, 2]


@pytest.mark.parametrize("class_", [Stubborn, Failing, object])
def test_what_does_not_compare_is_pythons(class_):
    def f(values):
        LOG.clear()
        try:
            return sorted([class_(value) if class_ is not object else class_() for value in values])
        except (TypeError, ValueError) as error:
            return type(error), str(error), list(LOG)

    assert_same(f, lambda: arguments([3, 1, 2]))


def test_a_list_is_empty_while_its_objects_are_compared():
    class Looking(Card):
        def __lt__(self, other):
            LOG.append(len(cards))
            return self.value < other.value

    cards = []

    def f(values):
        LOG.clear()
        cards[:] = [Looking(value) for value in values]
        cards.sort()
        return [card.value for card in cards], list(LOG)

    assert_same(f, lambda: arguments([3, 1, 2]))
