"""Equivalents of the iterators of `itertools` that go over other iterators.

Each keeps what the C object keeps, and does things in its order (`Modules/itertoolsmodule.c`):
an error of a callback or of an iterator below leaves it as it leaves the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self, TypeVar

from symexec.interpreter.equivalents.ends import END, End

T = TypeVar("T", bound="Addend")


class Addend(Protocol):
    """What can be added to its like."""

    def __add__(self, other: Self, /) -> Self:
        """`self + other`."""


class Function(Protocol):
    """What is called with any arguments."""

    def __call__(self, *arguments: object) -> object:
        """`self(*arguments)`."""


class Chain:
    """`chain.from_iterable`."""

    def __init__(self, iterable: Iterable[Iterable[object]], /) -> None:
        self.sources: Iterator[Iterable[object]] | None = iter(iterable)
        self.active: Iterator[object] | None = None

    def advance(self) -> object:
        """The next item."""
        while True:
            if self.active is None:
                sources = self.sources
                if sources is None:
                    return END
                self.sources = None  # for good, if one of the two calls raises
                source = next(sources, END)
                if source is END:
                    return END
                self.active = iter(source)
                self.sources = sources
            item = next(self.active, END)
            if item is not END:
                return item
            self.active = None


class Accumulate:
    """`accumulate`."""

    def __init__(
        self,
        iterable: Iterable[Addend],
        func: Callable[[Addend, Addend], Addend] | None = None,
        *,
        initial: Addend | None = None,
    ) -> None:
        self.iterator = iter(iterable)
        self.function = func
        self.initial = initial
        self.total: Addend | End = END

    def advance(self) -> object:
        """The next total."""
        if self.initial is not None:
            self.total = self.initial
            self.initial = None
            return self.total
        item = next(self.iterator, END)
        if item is END:
            return END
        if self.total is END:
            self.total = item
        elif self.function is None:
            self.total = self.total + item
        else:
            self.total = self.function(self.total, item)
        return self.total


class Count:
    """`count`, of numbers that are no bools."""

    def __init__(self, start: int = 0, step: int = 1) -> None:
        self.value = start
        self.step = step

    def advance(self) -> object:
        """The next number."""
        value = self.value
        self.value = value + self.step
        return value


class Cycle:
    """`cycle`."""

    def __init__(self, iterable: Iterable[object], /) -> None:
        self.iterator: Iterator[object] | None = iter(iterable)
        self.saved: list[object] = []
        self.index = 0

    def advance(self) -> object:
        """The next item."""
        if self.iterator is not None:
            item = next(self.iterator, END)
            if item is not END:
                self.saved.append(item)
                return item
            self.iterator = None
        if not self.saved:
            return END
        item = self.saved[self.index]
        self.index = self.index + 1
        if self.index == len(self.saved):
            self.index = 0
        return item


class DropWhile:
    """`dropwhile`."""

    def __init__(self, predicate: Callable[[object], object], iterable: Iterable[object], /) -> None:
        self.iterator = iter(iterable)
        self.predicate = predicate
        self.started = False

    def advance(self) -> object:
        """The next item."""
        while True:
            item = next(self.iterator, END)
            if item is END or self.started:
                return item
            if not self.predicate(item):
                self.started = True
                return item


class TakeWhile:
    """`takewhile`."""

    def __init__(self, predicate: Callable[[object], object], iterable: Iterable[object], /) -> None:
        self.iterator = iter(iterable)
        self.predicate = predicate
        self.stopped = False

    def advance(self) -> object:
        """The next item."""
        if self.stopped:
            return END
        item = next(self.iterator, END)
        if item is END or self.predicate(item):
            return item
        self.stopped = True
        return END


class FilterFalse:
    """`filterfalse`."""

    def __init__(self, function: Callable[[object], object] | None, iterable: Iterable[object], /) -> None:
        self.iterator = iter(iterable)
        self.function = function

    def advance(self) -> object:
        """The next item."""
        while True:
            item = next(self.iterator, END)
            if item is END:
                return END
            wanted = item if self.function is None or self.function is bool else self.function(item)
            if not wanted:
                return item


class StarMap:
    """`starmap`."""

    def __init__(self, function: Function, iterable: Iterable[Iterable[object]], /) -> None:
        self.iterator = iter(iterable)
        self.function = function

    def advance(self) -> object:
        """The next result."""
        arguments = next(self.iterator, END)
        if arguments is END:
            return END
        return self.function(*tuple(arguments))


class Slice:
    """`islice`, with numbers that were checked."""

    def __init__(self, iterable: Iterable[object], start: int, stop: int | None, step: int, /) -> None:
        self.iterator: Iterator[object] | None = iter(iterable)
        self.count = 0
        self.wanted = start
        self.stop = stop
        self.step = step

    def advance(self) -> object:
        """The next item."""
        iterator = self.iterator
        if iterator is None:
            return END
        self.iterator = None  # for good, at the end and if it raises
        while self.count < self.wanted:
            if next(iterator, END) is END:
                return END
            self.count = self.count + 1
        stop = self.stop
        if stop is not None and self.count >= stop:
            return END
        item = next(iterator, END)
        if item is END:
            return END
        self.count = self.count + 1
        wanted = self.wanted + self.step
        self.wanted = wanted if stop is None or wanted <= stop else stop
        self.iterator = iterator
        return item


class Repeat:
    """`repeat`; a negative number of times stands for no limit here."""

    def __init__(self, item: object, times: int, /) -> None:
        self.item = item
        self.times = times

    def advance(self) -> object:
        """The item."""
        if self.times == 0:
            return END
        if self.times > 0:
            self.times = self.times - 1
        return self.item


class Compress:
    """`compress`."""

    def __init__(self, data: Iterable[object], selectors: Iterable[object]) -> None:
        self.data = iter(data)
        self.selectors = iter(selectors)

    def advance(self) -> object:
        """The next item."""
        while True:
            item = next(self.data, END)
            if item is END:
                return END
            selector = next(self.selectors, END)
            if selector is END:
                return END
            if selector:
                return item


class Pairwise:
    """`pairwise`."""

    def __init__(self, iterable: Iterable[object], /) -> None:
        self.iterator: Iterator[object] | None = iter(iterable)
        self.before: object = END

    def advance(self) -> object:
        """The next pair."""
        iterator, before = self.iterator, self.before
        if iterator is None:
            return END
        self.iterator, self.before = None, END  # for good, at the end and if it raises
        if before is END:
            before = next(iterator, END)
            if before is END:
                return END
        item = next(iterator, END)
        if item is END:
            return END
        self.iterator, self.before = iterator, item
        return before, item


class ZipLongest:
    """`zip_longest`."""

    def __init__(self, *iterables: Iterable[object], fillvalue: object = None) -> None:
        self.iterators: list[Iterator[object] | None] = [iter(iterable) for iterable in iterables]
        self.fill = fillvalue
        self.active = len(iterables)

    def advance(self) -> object:
        """The next tuple."""
        if self.active == 0:
            return END
        items: list[object] = []
        for index in range(len(self.iterators)):
            iterator = self.iterators[index]
            item = self.fill
            if iterator is not None:
                active = self.active
                self.active = 0  # for good, if it raises
                item = next(iterator, END)
                if item is END:
                    active = active - 1
                    if active == 0:
                        return END
                    self.iterators[index] = None
                    item = self.fill
                self.active = active
            items.append(item)
        return tuple(items)


class Batched:
    """`batched`, of a size that was checked (from Python 3.12 on)."""

    def __init__(self, iterable: Iterable[object], n: int, *, strict: bool = False) -> None:
        self.iterator: Iterator[object] | None = iter(iterable)
        self.size = n
        self.strict = strict

    def advance(self) -> object:
        """The next tuple."""
        iterator = self.iterator
        if iterator is None:
            return END
        self.iterator = None  # for good, at the end and if it raises
        items: list[object] = []
        while len(items) < self.size:
            item = next(iterator, END)
            if item is END:
                break
            items.append(item)
        if not items:
            return END
        if len(items) < self.size and self.strict:
            raise ValueError("batched(): incomplete batch")
        self.iterator = iterator
        return tuple(items)
