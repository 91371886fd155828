"""Equivalents of the iterators of `itertools` that choose from a pool of items."""

from __future__ import annotations

from collections.abc import Iterable

from symexec.interpreter.equivalents.ends import END


class Product:
    """`product`."""

    def __init__(self, *iterables: Iterable[object], repeat: int = 1) -> None:
        self.pools = [tuple(iterable) for iterable in iterables] * repeat if repeat else []
        self.indices: list[int] = []
        self.started = False
        self.stopped = False

    def advance(self) -> object:
        """The next tuple, one item of each pool."""
        if self.stopped:
            return END
        pools, indices = self.pools, self.indices
        if self.started:
            at = len(pools) - 1
            while at >= 0 and indices[at] == len(pools[at]) - 1:
                indices[at] = 0
                at = at - 1
            if at < 0:
                self.stopped = True
                return END
            indices[at] = indices[at] + 1
        else:
            self.started = True
            for pool in pools:
                if not pool:
                    self.stopped = True
                    return END
                indices.append(0)
        return tuple([pools[at][indices[at]] for at in range(len(pools))])


def chosen(pool: tuple[object, ...], indices: list[int], count: int) -> tuple[object, ...]:
    """The items under the first `count` indices."""
    return tuple([pool[indices[at]] for at in range(count)])


class Permutations:
    """`permutations`, of a length that was checked, or all."""

    def __init__(self, iterable: Iterable[object], r: int | None = None) -> None:
        self.pool = tuple(iterable)
        count = len(self.pool)
        self.length = count if r is None else r
        self.indices = list(range(count))
        self.cycles = list(range(count, count - self.length, -1))
        self.started = False
        self.stopped = self.length > count

    def advance(self) -> object:
        """The next arrangement."""
        if self.stopped:
            return END
        indices, cycles, count = self.indices, self.cycles, len(self.pool)
        if not self.started:
            self.started = True
            return chosen(self.pool, indices, self.length)
        at = self.length - 1
        while at >= 0:
            cycles[at] = cycles[at] - 1
            if cycles[at] == 0:
                first = indices.pop(at)
                indices.append(first)
                cycles[at] = count - at
                at = at - 1
            else:
                other = count - cycles[at]
                first = indices[at]
                indices[at] = indices[other]
                indices[other] = first
                return chosen(self.pool, indices, self.length)
        self.stopped = True
        return END


class Combinations:
    """`combinations`, of a length that was checked."""

    def __init__(self, iterable: Iterable[object], r: int) -> None:
        self.pool = tuple(iterable)
        self.length = r
        self.indices = list(range(r))
        self.started = False
        self.stopped = r > len(self.pool)

    def advance(self) -> object:
        """The next choice."""
        if self.stopped:
            return END
        indices = self.indices
        if self.started:
            at, last = self.length - 1, len(self.pool) - self.length
            while at >= 0 and indices[at] == at + last:
                at = at - 1
            if at < 0:
                self.stopped = True
                return END
            indices[at] = indices[at] + 1
            for after in range(at + 1, self.length):
                indices[after] = indices[after - 1] + 1
        self.started = True
        return chosen(self.pool, indices, self.length)


class CombinationsWithReplacement:
    """`combinations_with_replacement`, of a length that was checked."""

    def __init__(self, iterable: Iterable[object], r: int) -> None:
        self.pool = tuple(iterable)
        self.length = r
        self.indices = [0] * r
        self.started = False
        self.stopped = not self.pool and r > 0

    def advance(self) -> object:
        """The next choice."""
        if self.stopped:
            return END
        indices = self.indices
        if self.started:
            at, last = self.length - 1, len(self.pool) - 1
            while at >= 0 and indices[at] == last:
                at = at - 1
            if at < 0:
                self.stopped = True
                return END
            index = indices[at] + 1
            for after in range(at, self.length):
                indices[after] = index
        self.started = True
        return chosen(self.pool, indices, self.length)
