"""Symbolic arguments: traced inputs of a domain with no concrete value behind them."""

from __future__ import annotations

from collections.abc import Hashable

import attrs


@attrs.frozen
class Symbol:
    """An argument for `trace`, not part of one, that stands for any value that `spec` describes."""

    name: str
    spec: Hashable


def symbol(name: str, spec: Hashable) -> Symbol:
    """A symbolic argument for `trace`: any value that `spec`, of one of the domains in force, describes."""
    return Symbol(name, spec)
