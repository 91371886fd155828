"""Random programs, plain against compiled, under limits that cut traces short in every place.

`SEEDS` are fixed: a failure is repeated by its seed.  `REDUCED` are programs that once failed.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable

import pytest

import symexec
from tests.hard.generated import Holder, program
from tests.support.describe import Describer
from tests.support.look import Scope

Function = Callable[..., object]
CALLS = 6
CONFIGS = {
    "default": symexec.Config(strict=True),
    "no unrolling": symexec.Config(strict=True, unroll=0, traces=2, misses=3),
    "short loops": symexec.Config(strict=True, unroll=1),
    "short traces": symexec.Config(strict=True, instructions=25, depth=1),
}
SEEDS = range(40)
REDUCED = {
    2651: "short traces",  # a trace began between MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE
    2775: "short traces",  # a trace ended at an END_FOR
    3195: "short traces",  # a trace ended between a truth test and its jump
    2957: "short loops",  # a comprehension hides a cell while its block jumps
    3829: "short loops",  # an exit into such a comprehension
    4886: "no unrolling",  # an exit that unbinds what the anchor's handler reads
}


def arguments_of(seed: int, call: int) -> tuple[object, ...]:
    """Arguments made anew; two calls after each other have equal ones."""
    chance = random.Random(f"{seed} {call // 2}")

    def number() -> float:
        return chance.choice([1.0, 2.0, 0.5, -1.5, 3.0, 3])

    shared = [number(), number(), number()]
    holder = Holder(number())
    if chance.random() < 0.3:
        holder.items = shared
    return number(), number(), shared, {"k": number(), "a": number()}, holder, []


def observe(function: Function, seed: int) -> list[list[str]]:
    """What comes of each call: the result, or the exception and its lines; and the arguments afterwards."""
    seen = []
    for call in range(CALLS):
        arguments = arguments_of(seed, call)
        describer = Describer(Scope())
        try:
            describer.add("returned", function(*arguments))
        except Exception as error:
            lines = [
                (entry.lineno, entry.name)
                for entry in traceback.extract_tb(error.__traceback__)
                if entry.filename.startswith("<program")
            ]
            describer.add("raised", (type(error).__name__, str(error), lines))
        describer.add("arguments", arguments)
        seen.append(describer.lines)
    return seen


def check(seed: int, config: symexec.Config) -> symexec.Stats:
    function, source = program(seed)
    expected = observe(function, seed)
    compiled = symexec.compile(program(seed)[0], domains=["scalars"], config=config)
    found = observe(compiled, seed)
    for call in range(CALLS):
        assert found[call] == expected[call], f"call {call} of program {seed}:\n{source}"
    return symexec.stats(compiled)


@pytest.mark.parametrize("name", CONFIGS)
def test_programs(name: str) -> None:
    traces = sum(check(seed, CONFIGS[name]).traces for seed in SEEDS)
    assert traces > 2 * len(SEEDS)


@pytest.mark.parametrize("seed", REDUCED)
def test_programs_that_once_failed(seed: int) -> None:
    check(seed, CONFIGS[REDUCED[seed]])


def test_programs_are_various() -> None:
    """They raise and they return, and use all that they can be made of."""
    outcomes = {lines[0].partition(":")[0] for seed in SEEDS for lines in observe(program(seed)[0], seed)}
    assert outcomes == {"returned", "raised"}
    sources = "".join(program(seed)[1] for seed in SEEDS)
    for word in (
        "with Section",
        "try:",
        "finally:",
        "def v",
        "nonlocal",
        "while ",
        "enumerate(",
        "del v",
        "for y in",
        "*=",
    ):
        assert word in sources, word
