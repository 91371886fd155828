"""A sample of random programs, as written and compiled."""

from __future__ import annotations

import importlib.util
import os

import pytest

from tests.differential.generate import Generated, generate
from tests.differential.run import CAN_FORK, Verdict, judge
from tests.differential.shrink import shrink

ARRAYS = importlib.util.find_spec("numpy") is not None
COUNT, GROUPS = 160, 10
FIRST = int(os.environ.get("SYMEXEC_SEED", "0"))


@pytest.mark.parametrize("group", range(GROUPS))
def test_programs(group: int) -> None:
    verdicts = []
    for seed in range(FIRST + group, FIRST + COUNT, GROUPS):
        verdict = judge(generate(seed, arrays=ARRAYS))
        assert verdict.fault is None, f"seed {seed}: {verdict.fault}"
        verdicts.append(verdict)
    assert sum(verdict.traces for verdict in verdicts) > len(verdicts), "hardly anything is traced"
    assert any(verdict.raised for verdict in verdicts)
    assert any(verdict.raised < verdict.calls for verdict in verdicts)


def test_the_same_seed_makes_the_same_program() -> None:
    assert generate(7) == generate(7)
    assert generate(7).source != generate(8).source


def test_a_difference_is_found_and_made_small() -> None:
    source = "def subject(a):\n    x = a\n    if a:\n        x = 2\n        y = id(subject)\n    z = 3\n    return y\n"
    program = Generated(1, source, ("subject(1)", "subject(2)"), ("", "x = 1"))
    verdict = judge(program)
    assert verdict.fault is not None
    assert verdict.fault.startswith("call 0")
    small = shrink(program, lambda candidate: judge(candidate).fault)
    assert small.source == "def subject(a):\n    y = id(subject)\n    return y\n"
    assert len(small.calls) == 1


def test_crashes_are_verdicts() -> None:
    crash = "import os\ndef subject(a):\n    os.kill(os.getpid(), 9)\n"
    if CAN_FORK:
        assert judge(Generated(1, crash, ("subject(1)",), ("",))) == Verdict("crashed: status 9")
