"""The cost of tracing: the first call of a compiled function, `trace` alone, and how both grow.

The functions and all that they call are loaded anew for every measurement.  `trace/cold` is `symexec.compile` and the
first call; `trace/only` is `symexec.trace`, which emits no bytecode.  `trace/growth/KIND/N` is the first call divided
by N, `trace/instruction/KIND` by the number of interpreted instructions: equal values mean linear cost.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pyperf
from clock import time_fresh
from programs import UNITS
from subjects import make_loader, numpy_maker

import symexec

NO_LIMITS = symexec.Config(
    install="always", instructions=10**9, nodes=10**9, unroll=10**9, code_size=10**9, strict=True
)
COLD = (
    "five_operations",
    "hundred_operations",
    "loop_of_1000",
    "closures",
    "packing_and_unpacking",
    "methods",
    "network_of_50",
    "pipeline_from_settings",
    "writes_to_a_list",
    "prints_in_a_loop",
)
ONLY = ("five_operations", "methods", "network_of_50", "comprehensions")
SIZES = (100, 800)
STEPS = 1000


def run_cold(function: Callable[..., object], arguments: tuple[object, ...]) -> Callable[..., object]:
    """Compile and call once; gives the compiled function."""
    compiled = symexec.compile(function, config=NO_LIMITS)
    with redirect_stdout(StringIO()):
        compiled(*arguments)
    return compiled


def run_trace(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """Trace one call."""
    return symexec.trace(function, config=NO_LIMITS)(*arguments)


def time_subject(loops: int, name: str, run: Callable[..., object]) -> float:
    """Seconds for `loops` runs of a subject, loaded anew for each."""
    load, make = make_loader(), numpy_maker()

    def prepare() -> Callable[[], object]:
        subject = load()[name]
        arguments = subject.arguments(make)
        return lambda: run(subject.function, arguments)

    return time_fresh(loops, prepare)


def time_units(loops: int, kind: str, count: int, run: Callable[..., object]) -> float:
    """Seconds for `loops` runs of a function that does something `count` times, made anew for each."""
    array = np.ones(4, dtype=np.float32)

    def prepare() -> Callable[[], object]:
        function, arguments = UNITS[kind](count, array)
        return lambda: run(function, arguments)

    return time_fresh(loops, prepare)


def count_instructions(kind: str, count: int) -> int:
    """How many instructions are interpreted for a function of `UNITS`: found on small ones, as it grows evenly."""
    array = np.ones(4, dtype=np.float32)
    few, more = (symexec.stats(run_cold(*UNITS[kind](units, array))).instructions for units in (16, 32))
    return more + (more - few) * (count - 32) // 16


def main() -> None:
    runner = pyperf.Runner()
    runner.metadata["clock"] = "CPU time"
    for name in COLD:
        runner.bench_time_func(f"trace/cold/{name}", time_subject, name, run_cold)
    for name in ONLY:
        runner.bench_time_func(f"trace/only/{name}", time_subject, name, run_trace)
    for kind in ("python_steps", "calls", "statements"):
        instructions = count_instructions(kind, STEPS)
        runner.bench_time_func(
            f"trace/instruction/{kind}", time_units, kind, STEPS, run_trace, inner_loops=instructions
        )
    for kind in UNITS:
        for count in SIZES:
            runner.bench_time_func(f"trace/growth/{kind}/{count}", time_units, kind, count, run_cold, inner_loops=count)


if __name__ == "__main__":
    main()
