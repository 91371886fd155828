"""The one configuration object: every limit and choice, frozen.

Imported by all layers, like `errors`; which one is in force is the top layer's business.
"""

from __future__ import annotations

from typing import Literal

import attrs


@attrs.frozen
class Config:
    """Limits and choices of tracing and compiling.

    `install`: "always" keeps every trace, "profitable" only those that pay for their guards (both mean always yet).
    `instructions`: interpreted instructions per trace.  `depth`: nesting of inlined calls.  `nodes`: graph operations
    per trace.  `unroll`: iterations of a known iterable beyond which its loop stays native.  `code_size`: bytes of
    bytecode of one compiled function beyond which no trace is added.  `traces`: traces per anchor.  `misses`: times an
    anchor may ask for a trace.  `anchors`: anchors per function.  `strict`: raise errors of symexec itself instead of
    logging them and running the function as written (for its own tests).
    """

    install: Literal["always", "profitable"] = "profitable"
    instructions: int = 50_000
    depth: int = 48
    nodes: int = 10_000
    unroll: int = 4_000
    code_size: int = 1_000_000
    traces: int = 8
    misses: int = 16
    anchors: int = 64
    strict: bool = False
