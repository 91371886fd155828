"""Callables that note what happens to them and fail at wanted moments, and the two ways to run an iterator."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symexec.interpreter.equivalents.ends import END

STEPS = 14


class Oops(Exception):
    """What a noted callable raises at the wanted moment."""


class Log:
    """Notes calls; the call of a wanted number raises."""

    def __init__(self, failing: int, error: type[BaseException] = Oops) -> None:
        self.entries: list[object] = []
        self.failing = failing
        self.error = error

    def note(self, *entry: object) -> None:
        self.entries.append(entry)
        if len(self.entries) == self.failing:
            raise self.error(*entry)


class Source:
    """An iterable whose iterator notes each step; it goes on after its end was told, to show who asks again."""

    def __init__(self, log: Log, name: str, items: list[object]) -> None:
        self.log, self.name, self.items = log, name, items
        self.again: object = Noted(log, 0)

    def __iter__(self) -> Iterator[object]:
        self.log.note("iter", self.name)
        return Steps(self)


class Steps:
    def __init__(self, source: Source) -> None:
        self.source, self.index = source, 0

    def __iter__(self) -> Iterator[object]:
        self.source.log.note("iter of", self.source.name)
        return self

    def __next__(self) -> object:
        index = self.index
        self.source.log.note("next", self.source.name, index)
        self.index = index + 1
        if index < len(self.source.items):
            return self.source.items[index]
        if index == len(self.source.items) + 1:
            return self.source.again
        raise StopIteration


class Noted:
    """A value whose comparisons, sums and truth are noted."""

    def __init__(self, log: Log, value: int) -> None:
        self.log, self.value = log, value

    def __repr__(self) -> str:
        return f"Noted({self.value})"

    def __eq__(self, other: object) -> bool:
        self.log.note("eq", self, other)
        return isinstance(other, Noted) and self.value == other.value

    def __lt__(self, other: Noted) -> bool:
        self.log.note("lt", self, other)
        return self.value < other.value

    def __add__(self, other: Noted) -> Noted:
        self.log.note("add", self, other)
        return Noted(self.log, self.value + other.value)

    def __bool__(self) -> bool:
        self.log.note("bool", self)
        return self.value % 2 == 1

    __hash__ = None


def called(log: Log, name: str, function: Callable[..., object]) -> Callable[..., object]:
    """The function, with its calls noted."""

    def noted(*args: object) -> object:
        log.note(name, *args)
        return function(*args)

    return noted


def outcome(action: Callable[[], object]) -> object:
    """What an action gives or raises, as text."""
    try:
        return repr(action())
    except Exception as error:
        return type(error).__name__, str(error)


def run(make: Callable[[], object], step: Callable[[object], object]) -> list[object]:
    """What making an iterator and stepping it a number of times gives; stepping goes on after errors and ends."""
    made: list[object] = []
    results = [outcome(lambda: made.append(make()))]
    if made:
        results.extend(outcome(lambda: step(made[0])) for _ in range(STEPS))
    return results


def next_or_end(iterator: object) -> object:
    return next(iterator, "the end")


def advance(equivalent: object) -> object:
    try:
        item = equivalent.advance()
    except StopIteration:  # of a callback: consumers take it for the end
        return "the end"
    return "the end" if item is END else item
