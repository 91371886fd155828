"""Functions whose outputs have every shape: with entries on the stack at a break, and with values drawn at run time.

And what it takes to make them: a backend that is called, a domain that draws.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence

import symexec
from symexec.domains.scalars import ScalarSpec
from symexec.values.domain import Answer, Declined, Drawn, Request
from symexec.values.graph import Graph, Kind, evaluate


def compile_scalars(function: Callable[..., object], **options: object) -> Callable[..., object]:
    """Compiled with Python numbers as graph values: no framework is needed."""
    return symexec.compile(function, domains=["scalars"], **options)


class CountingBackend:
    """Keeps the graphs it was given, and runs them by the reference evaluator."""

    def __init__(self) -> None:
        self.graphs: list[Graph] = []
        self.log: list[str] = []

    def __call__(self, graph: Graph, examples: Sequence[object]) -> Callable[..., Sequence[object]]:
        self.graphs.append(graph)

        def run(*inputs: object) -> Sequence[object]:
            self.log.append("graph")
            return evaluate(graph, inputs)

        return run


def make_general(name: str) -> tuple[types.FunctionType, tuple[object, ...]]:
    """Functions that break with entries on the stack, locals, cells and free variables in use before and after."""
    factor, shift = 2.5, 1.0

    def plain(x, y):
        a, b = x * y, x - y
        c = a * b + (symexec.graph_break() or a + b + x) * b
        return a * b - c + x + y

    def cells(x, y):
        total = x * y

        def add(more):
            nonlocal total
            total = total + more + y

        add(x)
        found = total + (symexec.graph_break() or total * y)
        total = total * found + found + 1.0
        return total

    def free(x, y):
        a = x * factor
        b = a + (symexec.graph_break() or a * shift + y * factor) + a
        return a * b - factor - shift

    def cells_and_free(x, y):
        total = x * factor

        def add(more):
            nonlocal total
            total = total + more * shift + y

        add(x)
        found = total + (symexec.graph_break() or total * factor)
        total = total * found + shift + 1.0
        return total

    functions = {"plain": plain, "cells": cells, "free": free, "cells and free": cells_and_free}
    return functions[name], (3.0, 4.0)


def noise() -> float:
    """Another number each time; the domain below draws it at run time."""
    DRAWS.append(f"draw {len(DRAWS)}")
    return float(len(DRAWS))


DRAWS: list[str] = []


class NoiseDomain:
    """Answers calls of `noise` with a value that is drawn at run time; its values are the scalar domain's."""

    name = "noise"

    def claims(self, value: object) -> bool:
        return False

    def describe(self, value: object) -> ScalarSpec:
        raise AssertionError("nothing is claimed")

    def owns(self, spec: object) -> bool:
        return False

    def type_of(self, spec: object) -> type:
        raise AssertionError("no spec is owned")

    def guards(self, origin: object, spec: object) -> Sequence[tuple[object, object]]:
        return ()

    def handles(self, target: object) -> bool:
        return target is noise

    def apply(self, request: Request) -> Answer:
        if request.kind is Kind.CALL and request.target is noise:
            return Drawn(float, ScalarSpec(float))
        return Declined("it only draws")


def make_drawing(name: str) -> tuple[types.FunctionType, tuple[float, ...]]:
    """Functions that draw twice, in the middle of their arithmetic."""
    factor = 2.5

    def plain(x, y):
        a = x * y
        b = noise()
        c = a - b
        return c * x - noise()

    def cells(x, y):
        total = x * y

        def draw():
            nonlocal total
            total = total - noise()
            return y

        draw()
        return total * draw() + total

    def free(x, y):
        a = x * factor - noise()
        return a * y - noise() * factor

    def cells_and_free(x, y):
        total = x * factor

        def draw():
            nonlocal total
            total = total * factor - noise()
            return y

        draw()
        return total * draw() + total

    functions = {"plain": plain, "cells": cells, "free": free, "cells and free": cells_and_free}
    return functions[name], (3.0, 4.0)
