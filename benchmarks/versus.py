"""Side by side: functions as written, compiled by symexec, compiled by TorchDynamo, and their bare graphs.

    python benchmarks/versus.py [--only NAME,NAME] [--shared] [--size N] [--repeats N] [--no-torch]

symexec works on NumPy arrays, TorchDynamo (backend "eager", if torch is installed) on tensors of the same numbers; each
is compared with the same function as written on the same operands.  All times are CPU times, the least of some repeats,
taken in turn.  `benchmarks/README.md` says how to read the table.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import TextIOBase
from typing import Protocol

import clock
from bare import write_bare
from functions import Maker, Subject
from subjects import FUNCTIONS, SHARED, make_loader, numpy_maker

import symexec
from symexec.values.backend import Compiled
from symexec.values.graph import Graph

Function = Callable[..., object]
Load = Callable[[], dict[str, Subject]]
WARM_CALLS = 24  # each break needs another call until the code behind it is traced as well
SECONDS = 0.003  # of one repeat


class Tool(Protocol):
    """Something that compiles functions."""

    name: str
    make: Maker

    def reset(self) -> None:
        """Forget everything."""

    def compile(self, function: Function) -> Function:
        """The compiled function."""

    def bare(self, function: Function, arguments: tuple[object, ...]) -> Callable[[], object] | None:
        """What runs the one graph of a call, alone; `None` if it is not one graph."""


class Symexec:
    """symexec, every trace installed, on NumPy arrays."""

    name = "symexec"
    config = symexec.Config(install="always")

    def __init__(self, size: int | None) -> None:
        self.make = numpy_maker(size)

    def reset(self) -> None:
        pass

    def compile(self, function: Function) -> Function:
        return symexec.compile(function, config=self.config)

    def bare(self, function: Function, arguments: tuple[object, ...]) -> Callable[[], object] | None:
        graphs: list[tuple[Function, Sequence[object]]] = []

        def keep(graph: Graph, examples: Sequence[object]) -> Compiled:
            run = write_bare(graph)
            graphs.append((run, tuple(examples)))
            return run

        compiled = symexec.compile(function, config=self.config, backend=keep)
        compiled(*arguments)
        if len(graphs) != 1 or symexec.stats(compiled).breaks:
            return None
        run, inputs = graphs[0]
        return lambda: run(*inputs)


class Dynamo:
    """TorchDynamo with the backend "eager", as shipped, on tensors."""

    name = "dynamo"

    def __init__(self, size: int | None) -> None:
        import torch

        self._torch = torch
        torch.set_num_threads(1)
        arrays = numpy_maker(size)
        self.make: Maker = lambda values: torch.from_numpy(arrays(values))

    def reset(self) -> None:
        self._torch._dynamo.reset()

    def compile(self, function: Function) -> Function:
        return self._torch.compile(function, backend="eager")

    def bare(self, function: Function, arguments: tuple[object, ...]) -> Callable[[], object] | None:
        graphs: list[Function] = []
        inputs: list[tuple[object, ...]] = []

        def keep(graph, examples):
            graphs.append(graph.forward)

            def run(*given: object) -> object:
                inputs.append(given)
                return graph.forward(*given)

            return run

        self._torch.compile(function, backend=keep)(*arguments)
        if len(graphs) != 1 or self._torch._dynamo.explain(function)(*arguments).graph_break_count:
            return None
        return lambda: graphs[0](*inputs[0])


class Silence(TextIOBase):
    """Swallows what the functions print."""

    def write(self, text: str) -> int:
        return len(text)


@dataclass
class Measured:
    """Of one function with one tool: seconds a call, and of the first call, with compilation."""

    plain: float
    compiled: float
    bare: float | None
    cold: float
    right: bool

    @property
    def ratio(self) -> float:
        return self.compiled / self.plain

    @property
    def added(self) -> float:
        return self.compiled - self.plain


def measure(tool: Tool, load: Load, name: str, repeats: int) -> Measured:
    """Measure one function with one tool."""
    cold = clock.least(max(3, repeats // 3), lambda: clock.time_fresh(1, lambda: first_call(tool, load()[name])))
    tool.reset()
    subject, reference, captured = load()[name], load()[name], load()[name]
    bare = tool.bare(captured.function, captured.arguments(tool.make))
    compiled = tool.compile(subject.function)
    arguments = subject.arguments(tool.make)
    expected, found = reference.function(*reference.arguments(tool.make)), compiled(*arguments)
    rivals: list[tuple[Function, tuple[object, ...]]] = [
        (reference.function, reference.arguments(tool.make)),
        (compiled, arguments),
    ]
    if bare is not None:
        rivals.append((bare, ()))
    times = race(rivals, repeats)
    return Measured(times[0], times[1], times[2] if bare else None, cold, repr(expected) == repr(found))


def first_call(tool: Tool, subject: Subject) -> Callable[[], object]:
    """What compiles the function and calls it once."""
    tool.reset()
    arguments = subject.arguments(tool.make)
    return lambda: tool.compile(subject.function)(*arguments)


def race(rivals: list[tuple[Function, tuple[object, ...]]], repeats: int) -> list[float]:
    """The least seconds a call of each, measured in turn."""
    for function, arguments in rivals:
        clock.time_calls(WARM_CALLS, function, *arguments)
    counts = [clock.calls_in(SECONDS, function, *arguments) for function, arguments in rivals]
    best = [float("inf")] * len(rivals)
    for _ in range(repeats):
        for index, (function, arguments) in enumerate(rivals):
            best[index] = min(best[index], clock.time_calls(counts[index], function, *arguments) / counts[index])
    return best


COLUMNS = f"{'plain us':>9} {'warm us':>9} {'ratio':>6} {'added us':>8} {'bare us':>9} {'first ms':>8}"


def row(found: Measured | Exception) -> str:
    """One tool's part of a line."""
    if isinstance(found, Exception):
        return f"{type(found).__name__:>{len(COLUMNS)}}"
    bare = "-" if found.bare is None else f"{found.bare * 1e6:.2f}"
    text = (
        f"{found.plain * 1e6:9.2f} {found.compiled * 1e6:9.2f} {found.ratio:6.2f} {found.added * 1e6:+8.2f} {bare:>9} "
        f"{found.cold * 1e3:8.2f}"
    )
    return text if found.right else text[:-1] + "!"


def summary(found: list[Measured]) -> str:
    """The typical ratio, cost and first call."""
    middle = statistics.median
    return (
        f"{len(found)} functions: ratio {statistics.geometric_mean(one.ratio for one in found):.2f} (geometric mean), "
        f"added {middle(one.added for one in found) * 1e6:+.2f} us a call, "
        f"first call {middle(one.cold for one in found) * 1e3:.1f} ms (medians); "
        f"{sum(one.bare is not None for one in found)} captured as one graph"
    )


def find_tools(options: argparse.Namespace) -> list[Tool]:
    """symexec, and TorchDynamo where it can be had; says so where it cannot."""
    tools: list[Tool] = [Symexec(options.size)]
    if options.no_torch:
        print("torch: left out")
    elif importlib.util.find_spec("torch") is None:
        print("torch is not installed: measured without TorchDynamo")
    else:
        tools.append(Dynamo(options.size))
    return tools


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAMES", help="these functions, separated by commas")
    parser.add_argument("--shared", action="store_true", help=f"the functions of {SHARED} instead of the project's own")
    parser.add_argument("--size", type=int, metavar="N", help="elements of each operand (default: 4)")
    parser.add_argument("--repeats", type=int, default=15, metavar="N", help="of which the least counts (default: 15)")
    parser.add_argument("--no-torch", action="store_true", help="measure symexec alone")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    if options.shared and not SHARED.exists():
        raise SystemExit(f"{SHARED} is not there")
    load = make_loader(SHARED if options.shared else FUNCTIONS)
    names = options.only.split(",") if options.only else list(load())
    tools = find_tools(options)
    print(f"CPython {platform.python_version()}; CPU times, least of {options.repeats}; first = compile and call once")
    print(f"{'':24}" + "".join(f" | {tool.name:^{len(COLUMNS)}}" for tool in tools))
    print(f"{'function':24}" + f" | {COLUMNS}" * len(tools))
    results: dict[str, list[Measured]] = {tool.name: [] for tool in tools}
    for name in names:
        parts = []
        for tool in tools:
            found: Measured | Exception
            try:
                with redirect_stdout(Silence()):
                    found = measure(tool, load, name, options.repeats)
                results[tool.name].append(found)
            except Exception as error:
                found = error
            parts.append(row(found))
        print(f"{name:24}" + "".join(f" | {part}" for part in parts), flush=True)
    print()
    for tool in tools:
        if results[tool.name]:
            print(f"{tool.name}: {summary(results[tool.name])}")
    if any(not one.right for found in results.values() for one in found):
        print("! marks a function whose compiled first result differs from plain Python's")
        sys.exit(1)


if __name__ == "__main__":
    main()
