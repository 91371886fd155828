"""Sets that existed before the trace: elements removed, sets combined in place, and their order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import symexec
from tests.interpreter.captures import assert_captured, assert_raises_itself, compiled
from tests.support.same import arguments, assert_same

WORDS = {"pear", "apple", "fig", "plum", "quince"}
FROZEN = frozenset({3, 1000, -5, 77})


def fresh() -> set[object]:
    return {1, 2, 3, 50, 7, "a", "b"}


def worn() -> set[object]:
    """One with a table that many elements came to and went from."""
    found: set[object] = set(range(40))
    for each in range(3, 37):
        found.discard(each)
    found.update("xyz")
    return found


def removal(s):
    s.discard(2)
    s.remove("a")
    s.discard(99)
    return 2 in s, "a" in s, len(s), s


def there_and_back(s):
    s.discard(1)
    s.add(1)
    s.add(9)
    s.discard(9)
    s.discard(2)
    return 1 in s, 9 in s, len(s), s


def another_object(s):
    s.discard(1)
    s.add(True)
    return sorted(s - {"a", "b", "x", "y", "z"}), s.issubset([2]), 1.0 in s, s


def cleared(s):
    s.clear()
    s.add(5)
    s.add(3)
    s.discard(5)
    return [*s], s


def united(s):
    s |= {4, 5, "z"}
    s.update(FROZEN, [9, 10])
    return len(s), s


def intersected(s):
    s &= {1, 2, "a", "q"}
    return len(s), 1 in s, s


def without(s):
    s -= {1, 2, "a", "q"}
    return len(s), 1 in s, s


def either(s):
    s ^= {1, 2, "a", "q"}
    return len(s), 1 in s, "q" in s, s


def with_itself(s):
    s -= s
    return len(s), s


def with_another(s, other):
    s |= other
    other.add("new")
    other.discard(2)
    s -= other
    return len(s), s, other


def with_one_that_changes(s):
    other = {1, 2}
    s -= other
    other.add(3)
    return other, s


REMOVALS = [
    *(there_and_back, another_object, cleared, united, intersected, without, either, with_itself),
    with_one_that_changes,
]


def outcomes(function: Callable[..., object], *makers: Callable[[], set[object]]) -> list[object]:
    found: list[object] = []
    for _ in range(3):
        args = [make() for make in makers]
        result = function(*args)
        found.append((repr(result), [list(each) for each in args]))
    return found


@pytest.mark.parametrize("make", [fresh, worn])
@pytest.mark.parametrize("function", REMOVALS)
def test_changes_in_place(function: Callable[..., object], make: Callable[[], set[object]]) -> None:
    assert_captured(function, lambda: arguments(make()))
    assert outcomes(compiled(function), make) == outcomes(function, make)


def test_removal() -> None:
    assert_captured(removal, lambda: arguments(fresh()))
    assert outcomes(compiled(removal), fresh) == outcomes(removal, fresh)


@pytest.mark.parametrize("make", [fresh, worn])
def test_two_sets(make: Callable[[], set[object]]) -> None:
    assert_captured(with_another, lambda: arguments(make(), {2, 3, "k"}))
    assert outcomes(compiled(with_another), make, worn) == outcomes(with_another, make, worn)


def test_what_is_not_there() -> None:
    def program(s):
        try:
            s.remove("absent")
        except KeyError as error:
            return error.args, s

    assert_raises_itself(program, lambda: arguments(fresh()))


def test_one_element_more_or_less_is_no_miss() -> None:
    def program(s):
        s.discard(1)
        return 1 in s

    function = compiled(program)
    assert [function({1, 2}), function({1, 2, 3}), function({1})] == [False] * 3
    figures = symexec.stats(function)
    assert figures.traces == 1
    assert figures.breaks == ()


@pytest.mark.parametrize("make", [lambda: WORDS, lambda: FROZEN, fresh, worn], ids=range(4))
def test_going_over_an_existing_set(make: Callable[[], set[object]]) -> None:
    def program(s):
        found = []
        for each in s:
            found.append(each)
        return found, [*s], tuple(s), [str(each) for each in s], {**dict.fromkeys(s)}

    assert_captured(program, lambda: arguments(make()))
    kept = make()
    result = compiled(program)(kept)
    assert [mine is theirs for mine, theirs in zip(result[0], kept)] == [True] * len(kept)


def test_another_order_is_a_miss() -> None:
    def program(s):
        return [*s]

    function = compiled(program)
    first, second = {0, 8}, {8, 0}
    assert [function(first), function(second), function(first)] == [[*first], [*second], [*first]]
    equal = [{1, 2}, {True, 2}, {1.0, 2}]
    assert [repr(function(each)) for each in equal] == [repr([*each]) for each in equal]


def test_the_elements_are_the_objects_themselves() -> None:
    def program(s):
        return [*s]

    function = compiled(program)
    for text in ("ab", "ab"):
        word = "".join(["x", text])
        found = function({word, "other"})
        assert any(each is word for each in found)


def test_a_set_that_changes_while_it_is_gone_over() -> None:
    def program(s):
        try:
            for each in s:
                s.discard(each)
        except RuntimeError as error:
            return error.args, len(s)

    assert_same(program, lambda: arguments(fresh()), transform=compiled)


def test_a_break_in_the_loop() -> None:
    def program(s):
        found = []
        for each in s:
            found.append(each)
            if len(found) == 2:
                exec("1")
        return found

    assert_same(program, lambda: arguments(fresh()), lambda: arguments(worn()), transform=compiled)


def test_subclasses_and_objects() -> None:
    class Own(set):
        def __ixor__(self, other):
            raise AssertionError

    class Thing:
        pass

    def program(s, thing):
        s.discard(thing)
        return len(s), thing in s

    thing = Thing()
    assert_same(program, lambda: arguments(Own({1, 2}), 1), transform=compiled)
    assert_same(program, lambda: arguments({1, thing}, thing), transform=compiled)
