"""Functions that emitted code calls to make iterators and other objects of C types again, where one call is not enough.

They run no code of the user's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Protocol


class Function(Protocol):
    """What is called with any arguments."""

    def __call__(self, *arguments: object, **named: object) -> object:
        """`self(*arguments, **named)`."""


_MAKERS: Final[tuple[Callable[[], Iterator[object]], ...]] = (
    lambda: iter([]),
    lambda: iter(()),
    lambda: iter(range(0)),
    lambda: iter(""),
    lambda: iter(b""),
    lambda: iter({}),
    lambda: iter({}.values()),
    lambda: iter({}.items()),
    lambda: iter(set()),
    lambda: reversed([]),
    lambda: reversed(()),
    lambda: reversed({}),
    lambda: reversed({}.values()),
    lambda: reversed({}.items()),
)
_ENDED: Final[Mapping[type, Callable[[], Iterator[object]]]] = {type(make()): make for make in _MAKERS}
CAN_BE_ENDED: Final = frozenset(map(id, _ENDED))
"""The identities of the types that `make_ended` knows."""


def call_by_name(function: Function, names: tuple[str, ...], *arguments: object) -> object:
    """The call, with the last arguments given by these names."""
    split = len(arguments) - len(names)
    return function(*arguments[:split], **dict(zip(names, arguments[split:], strict=True)))


def make_ended(type_: type) -> Iterator[object]:
    """An iterator of that type that has no items any more, and has found that out."""
    iterator = _ENDED[type_]()
    next(iterator, None)
    return iterator


def make_advanced(source: Iterable[object], count: int) -> Iterator[object]:
    """An iterator over a dict, a view or a set, `count` items gone on."""
    iterator = iter(source)
    for _ in range(count):
        next(iterator)
    return iterator


def make_advanced_backward(source: Mapping[object, object], count: int) -> Iterator[object]:
    """A backward iterator over a dict or a view, `count` items gone on."""
    iterator = reversed(source)
    for _ in range(count):
        next(iterator)
    return iterator


def make_chain(*sources: Iterable[Iterable[object]]) -> Iterator[object]:
    """A chain over what all the sources give; the last one gives iterables, the others items."""
    *begun, rest = sources
    if not begun:
        return itertools.chain.from_iterable(rest)
    return itertools.chain(*begun, itertools.chain.from_iterable(rest))
