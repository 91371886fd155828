"""Equivalents of the iterators that `iter()` and `reversed()` make (`Objects/iterobject.c`, `Objects/enumobject.c`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from symexec.interpreter.equivalents.ends import END, are_equal


class Sequence(Protocol):
    """What is read by index."""

    def __getitem__(self, index: int, /) -> object:
        """`self[index]`."""

    def __len__(self) -> int:
        """`len(self)`."""


class Calls:
    """`iter(callable, sentinel)`."""

    def __init__(self, function: Callable[[], object], sentinel: object, /) -> None:
        self.function: Callable[[], object] | None = function
        self.sentinel = sentinel

    def advance(self) -> object:
        """The next result."""
        if self.function is None:
            return END
        try:
            result = self.function()
        except StopIteration:
            self.function = None
            return END
        if are_equal(self.sentinel, result):
            self.function = None
            return END
        return result


class Indexed:
    """`iter(sequence)`, of an object that has a `__getitem__` only."""

    def __init__(self, sequence: Sequence, /) -> None:
        self.sequence: Sequence | None = sequence
        self.index = 0

    def advance(self) -> object:
        """The next item."""
        if self.sequence is None:
            return END
        try:
            item = self.sequence[self.index]
        except (IndexError, StopIteration):
            self.sequence = None
            return END
        self.index = self.index + 1
        return item


class Backward:
    """`reversed(sequence)`, of an object that has a `__getitem__` and a length."""

    def __init__(self, sequence: Sequence, /) -> None:
        self.sequence: Sequence | None = sequence
        self.index = len(sequence) - 1

    def advance(self) -> object:
        """The next item."""
        sequence, index = self.sequence, self.index
        if index < 0 or sequence is None:
            return END
        self.sequence, self.index = None, -1  # for good, if it raises
        try:
            item = sequence[index]
        except (IndexError, StopIteration):
            return END
        self.sequence, self.index = sequence, index - 1
        return item
