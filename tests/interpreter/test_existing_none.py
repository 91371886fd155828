"""`None` that existed before the trace (an argument, an attribute) is as good as one that is written down."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator

import pytest

from tests.interpreter.captures import assert_captured
from tests.support.same import arguments


class Holder:
    nothing: None = None


def numbers(first: object) -> Iterator[object]:
    got = yield first
    yield got


def delegate(value: object) -> Iterator[object]:
    got = yield from numbers(value)
    yield got


def sent(value: object) -> object:
    made = numbers(1)
    return made.send(value), made.send(value)


def sorted_in_place(value: object) -> object:
    items = [3, 1, 2]
    items.sort(key=value)
    return items


def raised_from(value: object) -> object:
    try:
        raise ValueError from value
    except ValueError as error:
        return error.__cause__, error.__suppress_context__


def links(value: object) -> object:
    error = ValueError(1)
    error.__cause__ = value
    error.__context__ = value
    error.__traceback__ = value
    return error.__cause__, error.__context__, error.__suppress_context__


USES = {
    "sorted": lambda value: sorted([3, 1, 2], key=value),
    "max": lambda value: max([3, 1, 2], key=value),
    "min": lambda value: min([3, 1, 2], key=value, default=value),
    "filter": lambda value: list(filter(value, [0, 1, 2])),
    "defaultdict": lambda value: collections.defaultdict(value),
    "delegation": lambda value: list(delegate(value)),
    "send": sent,
    "sort": sorted_in_place,
    "cause": raised_from,
    "links": links,
}


@pytest.mark.parametrize("name", USES)
def test_an_argument(name: str) -> None:
    use: Callable[[object], object] = USES[name]
    assert_captured(use, lambda: arguments(None))


@pytest.mark.parametrize("name", USES)
def test_an_attribute(name: str) -> None:
    use: Callable[[object], object] = USES[name]

    def program(holder: Holder) -> object:
        return use(holder.nothing)

    assert_captured(program, lambda: arguments(Holder()))
