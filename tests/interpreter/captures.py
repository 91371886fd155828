"""A function as written and compiled, over some calls, with the claim that all of it was captured."""

from __future__ import annotations

from collections.abc import Callable

import symexec
from tests.support import assert_same
from tests.support.run import Factory

ALWAYS = symexec.Config(install="always", strict=True)
RAISES = "SX1003"  # the break in front of what raises


def compiled(function: Callable[..., object]) -> Callable[..., object]:
    """The function compiled, every trace kept."""
    return symexec.compile(function, config=ALWAYS)


def assert_captured(function: Callable[..., object], *calls: Factory) -> None:
    """It does the same in all calls, and no call breaks."""
    figures = symexec.stats(assert_same(function, *calls, transform=compiled))
    assert figures.breaks == ()
    assert figures.traces > 0


def assert_raises_itself(function: Callable[..., object], *calls: Factory) -> None:
    """It does the same in all calls, and what breaks is only what raises."""
    figures = symexec.stats(assert_same(function, *calls, transform=compiled))
    assert {reason.code for reason in figures.breaks} <= {RAISES}
