"""Where C code asks an iterable how many items to expect, Python code that answers runs at that moment.

Every class writes down what it was asked; the log is a part of what is compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from tests.interpreter.captures import assert_captured, assert_raises_itself
from tests.support.same import arguments, assert_same

LOG: list[str] = []


class Steps:
    """An iterator that counts down, and tells how far it is."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self) -> Steps:
        LOG.append("iterate again")
        return self

    def __next__(self) -> str:
        LOG.append("next")
        if not self.count:
            raise StopIteration
        self.count -= 1
        return "abc"[self.count]

    def __len__(self) -> int:
        LOG.append("rest")
        return self.count


class Sized:
    """Asked for its length, not for a hint."""

    def __iter__(self) -> Steps:
        LOG.append("iterate")
        return Steps(2)

    def __len__(self) -> int:
        LOG.append("length")
        return 2

    def __length_hint__(self) -> int:
        LOG.append("hint")
        return 2


class Hinted:
    """Gives a hint: what the test says, or raises it."""

    def __init__(self, hint: object) -> None:
        self.hint = hint

    def __iter__(self) -> Iterator[str]:
        LOG.append("iterate")
        return Steps(2)

    def __length_hint__(self) -> object:
        LOG.append("hint")
        if isinstance(self.hint, Exception):
            raise self.hint
        return self.hint


class Failing(Hinted):
    """Has a length that cannot be had; then the hint is asked for, if the error was a `TypeError`."""

    def __init__(self, error: Exception, hint: object) -> None:
        self.error, self.hint = error, hint

    def __len__(self) -> int:
        LOG.append("length")
        raise self.error


class Indexed:
    """Iterated over by index."""

    def __getitem__(self, index: int) -> str:
        LOG.append(f"item {index}")
        return "ab"[index]

    def __len__(self) -> int:
        LOG.append("length")
        return 2


class OwnLength(list[str]):
    """A list with a length of its own."""

    def __len__(self) -> int:
        LOG.append("length")
        return list.__len__(self)


class OwnIterator(OwnLength):
    """A list with an iterator of its own."""

    def __iter__(self) -> Iterator[str]:
        LOG.append("iterate")
        return list.__iter__(self)


def into_slice(value: object) -> list[object]:
    items: list[object] = [1, 2, 3]
    items[0:1] = value
    return items


def into_steps(value: object) -> list[object]:
    items: list[object] = [1, 2, 3]
    items[0:3:2] = value
    return items


def added(value: object) -> list[object]:
    items: list[object] = [1]
    items += value
    return items


def extended(value: object) -> list[object]:
    items: list[object] = [1]
    items.extend(value)
    return items


def with_rest(value: object) -> object:
    first, *rest = value
    return first, rest


def given(*values: object) -> object:
    return values


WAYS: list[Callable[[object], object]] = [
    lambda value: list(value),
    lambda value: [*value],
    lambda value: (*value, 1),
    lambda value: tuple(value),
    lambda value: sorted(value),
    lambda value: set(value),
    lambda value: {**dict([value])},
    lambda value: list(iter(value)),
    lambda value: tuple(iter(value)),
    lambda value: given(*value),
    lambda value: given(1, *value),
    lambda value: list(zip(value, value)),
    lambda value: list(enumerate(value)),
    lambda value: list(map(str, value)),
    lambda value: list(itertools.permutations(value)),
    lambda value: list(itertools.product(value)),
    lambda value: "".join(value),
    lambda value: OwnLength(value) == [],
    into_slice,
    into_steps,
    added,
    extended,
    with_rest,
]


def logged(way: Callable[[object], object], make: Callable[[], object]) -> Callable[[], object]:
    def program() -> object:
        LOG.clear()
        result = way(make())
        return result, list(LOG)

    return program


def caught(way: Callable[[object], object], make: Callable[[], object]) -> Callable[[], object]:
    def program() -> object:
        LOG.clear()
        result: object = None
        try:
            result = way(make())
        except Exception as error:
            result = type(error), error.args
        return result, list(LOG)

    return program


@pytest.mark.parametrize("way", WAYS, ids=range(len(WAYS)))
@pytest.mark.parametrize("make", [Sized, Indexed, lambda: Hinted(2), lambda: OwnIterator("ab")], ids=range(4))
def test_whoever_is_asked_is_asked_at_that_moment(
    way: Callable[[object], object], make: Callable[[], object]
) -> None:
    assert_captured(logged(way, make))


@pytest.mark.parametrize("way", [list, tuple, sorted, into_slice, added, with_rest, lambda x: given(*x)], ids=range(7))
def test_the_sequence_behind_an_iterator_is_asked(way: Callable[[object], object]) -> None:
    assert_captured(logged(lambda value: way(reversed(value)), Indexed))
    assert_captured(logged(lambda value: way(iter(value)), Indexed))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Hinted(NotImplemented),
        lambda: Hinted(TypeError("no")),
        lambda: Hinted(True),
        lambda: Hinted(-1),
        lambda: Hinted("2"),
        lambda: Hinted(1 << 70),
        lambda: Hinted(ValueError("no")),
        lambda: Failing(TypeError("no"), 2),
        lambda: Failing(TypeError("no"), -3),
        lambda: Failing(TypeError("no"), KeyError("no")),
        lambda: Failing(ValueError("no"), 2),
    ],
    ids=range(11),
)
@pytest.mark.parametrize("way", [list, tuple, sorted, extended, into_slice, lambda value: [*value]], ids=range(6))
def test_what_a_hint_may_refuse(way: Callable[[object], object], make: Callable[[], object]) -> None:
    assert_raises_itself(caught(way, make))
    assert_same(logged(way, make))


def test_a_hint_too_large_is_left_to_python() -> None:
    assert_same(logged(list, lambda: Hinted(1 << 40)))


def test_an_existing_iterable_is_asked_like_a_made_one() -> None:
    def program(value: Sized) -> object:
        LOG.clear()
        return [*value], LOG.copy()

    assert_captured(program, lambda: arguments(Sized()))


def test_a_list_that_is_extended_by_itself_is_not_asked() -> None:
    def program() -> object:
        LOG.clear()
        value = OwnIterator("ab")
        value.extend(value)
        return value, LOG.copy()

    assert_captured(program)


def test_the_rest_is_asked_for_an_iterator_only_when_enough_came_before() -> None:
    def program() -> object:
        LOG.clear()
        try:
            first, second, third, *rest = Sized()
        except ValueError as error:
            return error.args, LOG.copy()
        return first, second, third, rest

    assert_captured(program)
