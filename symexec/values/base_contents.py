"""What instances of some builtin types, and of subclasses of those, hold as such: part of their content in the heap."""

from __future__ import annotations

import attrs

from symexec.values.model import Constant, Value


@attrs.define(eq=False, repr=False)
class DequeContent:
    """What a deque holds: all its items, and how many it may hold at most; `changes` counts what iterators notice."""

    items: list[Value]
    limit: int | None
    changes: int = 0


@attrs.define(eq=False, repr=False)
class ScalarContent:
    """What an instance of a subclass of a builtin number or string is as such."""

    value: Constant
