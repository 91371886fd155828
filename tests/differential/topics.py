"""What a program is about: what it begins with, what it is called with, what it may say, what changes between calls."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import attrs

from tests.differential import classes, library, prelude

Pools = Mapping[str, Sequence[str]]


@attrs.frozen
class Topic:
    """`pools`: arguments of each kind; `usual`: those that most programs can use; `rules`: of a grammar, if any."""

    prelude: str
    pools: Pools
    usual: Pools
    between: Sequence[str]
    rules: Mapping[str, Sequence[str]] | None


def choose(chance: random.Random, *, arrays: bool) -> Topic:
    """A topic: nothing special, classes, the library, or both."""
    pools, usual = base_pools(arrays)
    text = prelude.PRELUDE + (prelude.ARRAYS if arrays else "")
    between = prelude.BETWEEN + (prelude.ARRAYS_BETWEEN if arrays else [])
    name = chance.choice(["plain", "classes", "classes", "library", "library", "both"])
    if name == "plain":
        return Topic(text, pools, usual, between, None)
    parts = {"classes": [classes], "library": [library], "both": [library, classes]}[name]
    rules: dict[str, list[str]] = {}
    between = chance.sample(between, 20)
    for part in parts:
        text += part.PRELUDE
        more = {"object": part.OBJECTS, "list": part.LISTS, "dict": part.DICTS, "number": part.NUMBERS}
        pools = {kind: [*pool, *more.get(kind, ())] for kind, pool in pools.items()}
        usual = {kind: [*pool, *more.get(kind, ())] if kind == "object" else pool for kind, pool in usual.items()}
        between = between + part.BETWEEN
        for kind, options in part.RULES.items():
            rules.setdefault(kind, []).extend(options)
    return Topic(text, pools, usual, between, rules)


def base_pools(arrays: bool) -> tuple[dict[str, Sequence[str]], dict[str, Sequence[str]]]:
    pools: dict[str, Sequence[str]] = {
        "number": prelude.NUMBERS,
        "list": prelude.LISTS,
        "dict": prelude.DICTS,
        "object": prelude.OBJECTS,
        "array": prelude.ARRAY_VALUES if arrays else prelude.NUMBERS,
        "guard": prelude.GUARDS,
    }
    usual = pools | {"list": prelude.LISTS[1:7], "object": prelude.OBJECTS[:5] + prelude.OBJECTS[-2:]}
    usual |= {"number": prelude.NUMBERS[1:9], "dict": prelude.DICTS[1:6]}
    usual |= {"array": prelude.ARRAY_VALUES[:3] + prelude.ARRAY_VALUES[8:11]} if arrays else {}
    return pools, usual
