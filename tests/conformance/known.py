"""Tests that cannot pass when they are compiled, one reason each; every run checks that they fail as is told here.

An entry that passes is stale: the run says so and fails.
"""

from __future__ import annotations

import re
from typing import Final

import attrs

EVERY: Final = frozenset({(3, 11), (3, 12), (3, 13), (3, 14)})


@attrs.frozen
class Known:
    """One test that fails, why, and a pattern that occurs in the text of its failure for that very reason."""

    name: str
    reason: str
    shows: str
    versions: frozenset[tuple[int, int]] = EVERY

    def explains(self, detail: str) -> bool:
        """Whether a failure with this text is the one that is meant."""
        return re.search(self.shows, detail) is not None


KNOWN: Final[tuple[Known, ...]] = ()
