"""Equivalents of iterators of `itertools` that share what they go over: `groupby` and `tee`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from symexec.interpreter.equivalents.ends import END, are_equal


class Group:
    """What `groupby` gives beside each key."""

    def __init__(self, parent: GroupBy, key: object, number: int, /) -> None:
        self.parent = parent
        self.key = key
        self.number = number

    def advance(self) -> object:
        """The next item of the group."""
        parent = self.parent
        if parent.number != self.number:
            return END
        if parent.value is END and not parent.step():
            return END
        if not are_equal(self.key, parent.key):
            return END
        item = parent.value
        parent.value = END
        parent.key = END
        return item


class GroupBy:
    """`groupby`."""

    def __init__(self, iterable: Iterable[object], key: Callable[[object], object] | None = None) -> None:
        self.iterator = iter(iterable)
        self.function = key
        self.target: object = END
        self.key: object = END
        self.value: object = END
        self.number = 0  # of the current group; no other one goes on

    def step(self) -> bool:
        """Take the next item; whether there is one."""
        item = next(self.iterator, END)
        if item is END:
            return False
        key = item if self.function is None else self.function(item)
        self.value = item
        self.key = key
        return True

    def advance(self) -> object:
        """The next key and its group."""
        self.number = self.number + 1
        while self.key is END or (self.target is not END and are_equal(self.target, self.key)):
            if not self.step():
                return END
        self.target = self.key
        return self.key, Group(self, self.target, self.number)


class Shared:
    """What the iterators of one `tee` share: the iterator below, and all items that it gave."""

    def __init__(self, iterator: Iterator[object], /) -> None:
        self.iterator = iterator
        self.items: list[object] = []


class Tee:
    """One of the iterators that `tee` gives."""

    def __init__(self, shared: Shared, /) -> None:
        self.shared = shared
        self.index = 0

    def advance(self) -> object:
        """The next item."""
        items = self.shared.items
        if self.index == len(items):
            item = next(self.shared.iterator, END)
            if item is END:
                return END
            items.append(item)
        self.index = self.index + 1
        return items[self.index - 1]
