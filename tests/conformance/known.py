"""Tests that cannot pass when they are compiled, one reason each; every run checks that they fail for that reason.

An entry that passes is stale: the run says so and fails.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Final

import attrs

EVERY: Final = frozenset({(3, 11), (3, 12), (3, 13), (3, 14)})


@attrs.frozen
class Known:
    """One test that fails, and why.

    `shows` is a pattern that occurs in the text of its failure for that very reason.  `remedy` takes the cause away, by
    changing what the test looks at: then it passes, compiled as it is.
    """

    name: str
    reason: str
    shows: str
    remedy: Callable[[], None]
    versions: frozenset[tuple[int, int]] = EVERY

    def explains(self, detail: str) -> bool:
        """Whether a failure with this text is the one that is meant."""
        return re.search(self.shows, detail) is not None


def count_no_references() -> None:
    """Every object has as many references as any other."""
    sys.getrefcount = lambda _, /: 1


KNOWN: Final[tuple[Known, ...]] = (
    Known(
        "test.test_coroutines.CoroutineTest.test_for_2",
        "it counts references to a constant of its own code, and the code of a trace holds the same constant",
        r"self\.assertEqual\(sys\.getrefcount\(tup\), refs_before\)\n(\s*[~^]+\n)?AssertionError: \d+ != \d+",
        count_no_references,
    ),
)
