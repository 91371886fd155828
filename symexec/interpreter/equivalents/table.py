"""Which original each equivalent stands for."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

from symexec.interpreter.equivalents.combinatorics import (
    Combinations,
    CombinationsWithReplacement,
    Permutations,
    Product,
)
from symexec.interpreter.equivalents.groups import Group, GroupBy, Shared, Tee
from symexec.interpreter.equivalents.iterators import (
    Accumulate,
    Batched,
    Chain,
    Compress,
    Count,
    Cycle,
    DropWhile,
    FilterFalse,
    Pairwise,
    Repeat,
    Slice,
    StarMap,
    TakeWhile,
    ZipLongest,
)
from symexec.interpreter.equivalents.made_by_iter import Backward, Calls, Indexed


class _Sequence:
    """Something that is iterated over by index."""

    def __getitem__(self, index: int) -> int:
        return index


def _group_type() -> type:
    return type(next(itertools.groupby("a"))[1])


ITERATORS: Final[Mapping[type, type]] = {
    Accumulate: itertools.accumulate,
    Backward: reversed,
    Batched: vars(itertools).get("batched", tuple),  # from 3.12 on; before that nothing makes one
    Calls: type(iter(int, 1)),
    Chain: itertools.chain,
    Combinations: itertools.combinations,
    CombinationsWithReplacement: itertools.combinations_with_replacement,
    Compress: itertools.compress,
    Count: itertools.count,
    Cycle: itertools.cycle,
    DropWhile: itertools.dropwhile,
    FilterFalse: itertools.filterfalse,
    Group: _group_type(),
    GroupBy: itertools.groupby,
    Indexed: type(iter(_Sequence())),
    Pairwise: itertools.pairwise,
    Permutations: itertools.permutations,
    Product: itertools.product,
    Repeat: itertools.repeat,
    Slice: itertools.islice,
    StarMap: itertools.starmap,
    TakeWhile: itertools.takewhile,
    Tee: type(itertools.tee(())[0]),
    ZipLongest: itertools.zip_longest,
}
"""Classes whose objects are iterators, and the types of the iterators."""

CLASSES: Final = (*ITERATORS, Shared)
"""All classes of equivalents.  Nobody else has, or changes, them."""
