"""What goes through very many items is left to Python, however it goes through them: tracing always ends."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

import symexec
from symexec.values.model import Constant
from tests.hard.flavours import STRICT

MANY = range(3_000_000)
EVER = range(10**30)
PROGRAMS: dict[str, Callable[[int], object]] = {
    "in": lambda x: x - 1 in MANY,
    "in what is made": lambda x: (-1, x) in enumerate(MANY),
    "set": lambda x: len(set(MANY)),
    "dict": lambda x: len(dict.fromkeys(MANY)),
    "pairs": lambda x: len(dict(zip(MANY, MANY))),
    "found at once": lambda x: x + 5 in EVER,
    "not found": lambda x: -x in EVER,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tracing_ends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symexec.interpreter.protocol.iterate._MOST_ITEMS", 2_000)
    gone_through = 0
    wrapped = Constant.__init__

    def counted(self: Constant, *arguments: object) -> None:
        nonlocal gone_through
        gone_through += 1
        assert gone_through < 100_000, "tracing does not end"
        wrapped(self, *arguments)

    monkeypatch.setattr(Constant, "__init__", counted)
    compiled = symexec.compile(PROGRAMS[name], domains=["scalars"], config=STRICT)
    for x in (0, 0, 1):
        assert compiled(x) == PROGRAMS[name](x)


def fill_and_break(numbers):
    found = set(numbers)
    print(end="")
    return len(found), list(found)[:3]


def both(numbers):
    return fill_and_break(numbers)


def test_going_back_through_many_changes_of_a_set_is_linear() -> None:
    def events(count: int) -> int:
        """Calls of `set.add` and the like, by which sets are made anew, while the helper is rolled back."""
        seen = 0

        def profile(frame: FrameType, event: str, function: object) -> None:
            nonlocal seen
            seen += event == "c_call" and getattr(function, "__objclass__", type(None)) is set
            seen += event == "c_call" and isinstance(getattr(function, "__self__", None), set)

        compiled = symexec.compile(both, domains=["scalars"], config=STRICT)
        sys.setprofile(profile)
        try:
            assert compiled(range(count)) == (count, [0, 1, 2])
        finally:
            sys.setprofile(None)
        return seen

    few, many = events(100), events(800)
    assert few > 100
    assert many < 10 * few
