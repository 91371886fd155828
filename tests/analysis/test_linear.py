"""The cost of every analysis grows with the number of instructions: lines executed are counted, not time."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable

import pytest

import symexec.analysis
from symexec.analysis.assignment import compute_assignment
from symexec.analysis.flow import compute_flow
from symexec.analysis.landing import compute_landings
from symexec.analysis.liveness import compute_liveness
from symexec.analysis.stack import compute_stack
from symexec.analysis.structure import compute_structure
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from tests.analysis.programs import sequential_ifs

FOLDERS = tuple(
    os.path.join(os.path.dirname(os.path.dirname(symexec.analysis.__file__)), name) for name in ("analysis", "bytecode")
)


def lines_executed(analysis: Callable[[Routine], object], routine: Routine) -> int:
    """How many lines of the analyses' files, and of those that they rely on, run."""
    count = 0

    def local(frame: types.FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return local

    def enter(frame: types.FrameType, event: str, argument: object) -> object:
        return local if frame.f_code.co_filename.startswith(FOLDERS) else None

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
    handled = "            try:\n                y = z\n            except ValueError:\n                continue\n"
    body = "        for z in x:\n" + handled
    return f"def f(x):\n    y = 0\n    for w in x:\n{body * count}    return y\n"


def comprehensions(count: int) -> str:
    """Many comprehensions, whose cells are made and slots are restored in the function itself from 3.12 on."""
    return "def f(x):\n    y = 0\n" + "    y = [(lambda: z) for z in x]\n" * count + "    return y\n"


def finally_clauses(count: int) -> str:
    """Many statements that clean up without a call."""
    return (
        "def f(x):\n    y = 0\n" + "    try:\n        y = x.a\n    finally:\n        y = 0\n" * count + "    return y\n"
    )


SHAPES = {
    "branches": sequential_ifs,
    "covered": covered_ifs,
    "loops": loops_in_a_loop,
    "comprehensions": comprehensions,
    "finally": finally_clauses,
}
ANALYSES = {
    "flow": compute_flow,
    "liveness": compute_liveness,
    "stack": compute_stack,
    "assignment": compute_assignment,
    "structure": compute_structure,
    "landings": compute_landings,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_work_grows_with_the_number_of_instructions(shape: str, analysis: str) -> None:
    counts = [lines_executed(ANALYSES[analysis], compiled(SHAPES[shape](size))) for size in (100, 200, 400)]
    assert counts[0] > 500
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second <= 2.1 * first
