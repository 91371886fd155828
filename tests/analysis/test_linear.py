"""The cost of every analysis grows with the number of instructions: lines executed are counted, not time."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable

import pytest

import symexec.analysis
from symexec.analysis.flow import compute_flow
from symexec.analysis.liveness import compute_liveness
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from tests.analysis.programs import sequential_ifs

FOLDER = os.path.dirname(symexec.analysis.__file__)


def lines_executed(analysis: Callable[[Routine], object], routine: Routine) -> int:
    """How many lines of the analyses' files run."""
    count = 0

    def local(frame: types.FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return local

    def enter(frame: types.FrameType, event: str, argument: object) -> object:
        return local if frame.f_code.co_filename.startswith(FOLDER) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        analysis(routine)
    finally:
        sys.settrace(before)
    return count


def compiled(source: str) -> Routine:
    namespace: dict[str, types.FunctionType] = {}
    exec(source, namespace)
    return decode(namespace["f"].__code__)


def covered_ifs(count: int) -> str:
    """Many branches under one handler: each block has an edge to it."""
    body = "        if x:\n            y = x\n" * count
    return f"def f(x):\n    y = 0\n    try:\n{body}    except ValueError:\n        return y\n    return x\n"


def loops_in_a_loop(count: int) -> str:
    """Many loops in a row in one loop, each with a handler of its own."""
    body = "        for z in x:\n            try:\n                y = z\n            except ValueError:\n                continue\n"
    return f"def f(x):\n    y = 0\n    for w in x:\n{body * count}    return y\n"


SHAPES = {"branches": sequential_ifs, "covered": covered_ifs, "loops": loops_in_a_loop}
ANALYSES = {"flow": compute_flow, "liveness": compute_liveness}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_work_grows_with_the_number_of_instructions(shape: str, analysis: str) -> None:
    counts = [lines_executed(ANALYSES[analysis], compiled(SHAPES[shape](size))) for size in (100, 200, 400)]
    assert counts[0] > 1000
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second <= 2.1 * first
