"""What a backend is: it turns a graph into something that computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symexec.values.graph import Graph


class Compiled(Protocol):
    """Computes a graph: called with one value for each of `graph.inputs`, gives one for each of `graph.outputs`."""

    def __call__(self, *inputs: object) -> Sequence[object]:
        """Run.  Whatever it raises makes Python run the original instructions instead."""


class Backend(Protocol):
    """Compiles a graph; `examples` are concrete inputs, one for each of `graph.inputs`, empty if there are none."""

    def __call__(self, graph: Graph, examples: Sequence[object]) -> Compiled:
        """Compile.  The graph is the backend's to keep."""
