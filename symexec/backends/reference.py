"""The reference backend: evaluates the graph node by node, by Python's own semantics."""

from __future__ import annotations

from collections.abc import Sequence

from symexec.values.backend import Compiled
from symexec.values.graph import Graph, check, evaluate


def compile_reference(graph: Graph, examples: Sequence[object]) -> Compiled:
    """Check the graph; the result evaluates it on each call."""
    check(graph)

    def run(*inputs: object) -> Sequence[object]:
        return evaluate(graph, inputs)

    return run
