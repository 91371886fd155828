"""What the hard cases are run on: NumPy arrays where NumPy is installed, and everywhere Python numbers as graph values.

A flavour makes operands, compiles, and makes an operation that is sure to fail inside the graph.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence

import attrs
import pytest

import symexec
from symexec.values.graph import Graph, evaluate

STRICT = symexec.Config(strict=True)


@attrs.frozen
class Flavour:
    """One kind of operands."""

    name: str
    domains: Sequence[str]

    def operand(self, *values: float) -> object:
        """An array of the values; or their sum, where numbers are the graph's values."""
        if self.name == "numpy":
            import numpy as np

            return np.array(values, dtype=np.float64)
        return float(sum(values))

    def misfit(self) -> object:
        """An operand for which dividing `operand(1.0, 2.0)` by it fails: of another shape, or zero."""
        return self.operand(1.0, 2.0, 3.0) if self.name == "numpy" else 0.0

    def compile(self, function: Callable[..., object]) -> Callable[..., object]:
        """The function compiled for these operands, operations inlined."""
        return symexec.compile(function, domains=self.domains, config=STRICT)

    def compile_counted(self, counter: Counter) -> Callable[[Callable[..., object]], Callable[..., object]]:
        """What compiles with a backend that counts the runs of graphs."""
        return symexec.compile(backend=counter, domains=self.domains, config=STRICT)


@attrs.define
class Counter:
    """A backend by the reference evaluator that counts how often a graph was run."""

    runs: int = 0

    def __call__(self, graph: Graph, examples: Sequence[object]) -> Callable[..., Sequence[object]]:
        def run(*inputs: object) -> Sequence[object]:
            self.runs += 1
            return evaluate(graph, inputs)

        return run

    def take(self) -> int:
        """How many runs there were since this was asked last."""
        runs, self.runs = self.runs, 0
        return runs


NUMBERS = Flavour("scalars", ["scalars"])
ARRAYS = Flavour("numpy", ["numpy"])
NO_NUMPY = "NumPy is not installed here"


def flavours() -> list[object]:
    """Parameters for `pytest.mark.parametrize`."""
    missing = importlib.util.find_spec("numpy") is None
    return [
        pytest.param(ARRAYS, id="numpy", marks=pytest.mark.skipif(missing, reason=NO_NUMPY)),
        pytest.param(NUMBERS, id="scalars"),
    ]


every_flavour = pytest.mark.parametrize("flavour", flavours())
