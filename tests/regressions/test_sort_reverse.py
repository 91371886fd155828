"""What may be given as `reverse` to a sort differs between versions."""

from __future__ import annotations

import pytest

import symexec
from tests.hard.flavours import STRICT


class Thing:
    """True, but no number."""


def by_argument(items, reverse):
    return sorted(items, reverse=reverse)


def in_place(items, reverse):
    items.sort(reverse=reverse)
    return items


@pytest.mark.parametrize("function", [by_argument, in_place])
@pytest.mark.parametrize("reverse", [Thing(), True, False, 1, 0, 2**40, 1.5, "yes", None, []])
def test_reverse(function, reverse) -> None:
    compiled = symexec.compile(function, config=STRICT)
    for _ in range(3):
        found = []
        for called in (function, compiled):
            try:
                found.append(called([2, 3, 1], reverse))
            except (TypeError, OverflowError) as error:
                found.append((type(error), error.args))
        assert found[0] == found[1]
