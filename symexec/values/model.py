"""The values that the machine computes with.

A handful of classes, matched exhaustively, so that adding one makes the type checker list every place to edit.
Values are immutable; what a created or a written object contains is in the heap.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeAlias

import attrs

from symexec.values.graph import Node
from symexec.values.origin import Origin


@attrs.frozen
class Null:
    """CPython's NULL: padding under a call's arguments, or a saved unbound slot."""


@attrs.frozen(eq=False)
class Constant:
    """An immutable value computed at trace time: a number, a string, `None`, a range, a tuple of such ..."""

    value: object


@attrs.frozen(eq=False)
class Known:
    """A live object that existed before the trace, reached by a path that a guard can check again.

    Nothing about `value` may be relied on before a guard for it has been recorded.
    """

    value: object = attrs.field(repr=False)  # its own repr could run user code
    origin: Origin


@attrs.frozen(eq=False)
class Traced:
    """The result of a graph node: of Python type `type`, described to its domain by `spec`.

    There may be no concrete value behind it, so nothing may depend on having one.
    """

    node: Node
    type: type
    spec: Hashable
    domain: str


@attrs.frozen(eq=False)
class Made:
    """An object created by the trace; its contents are in the heap under `object_id`."""

    object_id: int


Value: TypeAlias = Null | Constant | Known | Traced | Made

NULL: Final = Null()
NONE: Final = Constant(None)
TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


def boolean(value: bool) -> Constant:
    """`TRUE` or `FALSE`."""
    return TRUE if value else FALSE
