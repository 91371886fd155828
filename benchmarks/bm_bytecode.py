"""Decode, encode, verify and analyse functions of several sizes.

Every value is the time of one instruction, so that equal values mean linear cost.
"""

from __future__ import annotations

from collections.abc import Callable

import pyperf
from clock import time_calls
from programs import mixed

from symexec.analysis import Analysis
from symexec.bytecode import Routine, decode, encode, verify

SIZES = {"1_block": 1, "30_blocks": 30, "300_blocks": 300}


def fresh(routine: Routine) -> Routine:
    """The routine with nothing to copy from: each group has to be written anew."""
    for instruction in routine.instructions:
        instruction.group = None
    return routine


def analyse(routine: Routine) -> None:
    """Everything that can be known of a routine."""
    analysis = Analysis(routine)
    for name in ("flow", "liveness", "shapes", "stack", "assignment", "structure", "landings"):
        getattr(analysis, name)


MEASURED: dict[str, tuple[Callable[..., object], Callable[[int], object]]] = {
    "decode": (decode, lambda blocks: mixed(blocks).__code__),
    "encode": (encode, lambda blocks: decode(mixed(blocks).__code__)),
    "encode_fresh": (encode, lambda blocks: fresh(decode(mixed(blocks).__code__))),
    "verify": (verify, lambda blocks: decode(mixed(blocks).__code__)),
    "analyse": (analyse, lambda blocks: decode(mixed(blocks).__code__)),
}


def count_instructions(blocks: int) -> int:
    """How many instructions a function of so many blocks has: found on small ones, as it grows evenly."""
    few, more = (len(decode(mixed(count).__code__).instructions) for count in (1, 2))
    return few + (more - few) * (blocks - 1)


def measure(loops: int, name: str, blocks: int) -> float:
    """Seconds for `loops` runs over a function of so many blocks."""
    function, make_argument = MEASURED[name]
    return time_calls(loops, function, make_argument(blocks))


def main() -> None:
    runner = pyperf.Runner()
    runner.metadata["clock"] = "CPU time"
    for size, blocks in SIZES.items():
        instructions = count_instructions(blocks)
        for name in MEASURED:
            runner.bench_time_func(f"bytecode/{name}/{size}", measure, name, blocks, inner_loops=instructions)


if __name__ == "__main__":
    main()
