"""The one configuration object: every limit and choice, frozen.

Imported by all layers, like `errors`; which one is in force is the top layer's business.
"""

from __future__ import annotations

from typing import Literal

import attrs

from symexec.errors import ArgumentError


def _check_limit(_: object, attribute: attrs.Attribute[int], value: object) -> None:
    if type(value) is not int or value < 0:
        raise ArgumentError(f"Config({attribute.name}={value!r}): it is a limit; give an int from 0 on")


def _check_install(_: object, attribute: attrs.Attribute[str], value: object) -> None:
    if value not in ("always", "profitable"):
        raise ArgumentError(f"Config({attribute.name}={value!r}): it is 'always' or 'profitable'")


def _limit(default: int) -> int:
    return attrs.field(default=default, validator=_check_limit)


@attrs.frozen
class Config:
    """Limits and choices of tracing and compiling.

    `install`: "always" keeps every trace, "profitable" only those that pay for their guards: where the
    budget of an anchor is spent on traces without graph operations, these are dropped.
    `instructions`: interpreted instructions per trace.  `depth`: nesting of inlined calls.  `nodes`: graph operations
    per trace.  `unroll`: iterations of a known iterable beyond which its loop stays native.  `code_size`: bytes of
    bytecode of one compiled function beyond which no trace is added.  `traces`: traces per anchor.  `misses`: times an
    anchor may ask for a trace.  `anchors`: anchors per function.  `strict`: raise errors of symexec itself instead of
    logging them and running the function as written (for its own tests).
    """

    install: Literal["always", "profitable"] = attrs.field(default="profitable", validator=_check_install)
    instructions: int = _limit(50_000)
    depth: int = _limit(48)
    nodes: int = _limit(10_000)
    unroll: int = _limit(4_000)
    code_size: int = _limit(1_000_000)
    traces: int = _limit(8)
    misses: int = _limit(16)
    anchors: int = _limit(64)
    strict: bool = False
