"""The shared programs, each taken from a fault of another tool: plain and compiled, all that shows compared.

In one process, so that they run where no other can be started.  Skipped where the programs are not beside the project.
"""

from __future__ import annotations

import difflib
import gc
import sys
from pathlib import Path

import pytest

from tests.cases import transform
from tests.cases.runner import is_too_new, run
from tests.support.shared import NOT_THERE, SHARED

PATHS = sorted((SHARED / "cases").glob("case_*.py"))
IS_WASM = sys.platform == "emscripten"
NEEDS_MORE = {"threads": "there are no threads here", "deep_recursion": "the stack is small here"}


def test_the_programs_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip(NOT_THERE)
    assert len(PATHS) >= 50


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    for word, reason in NEEDS_MORE.items():
        if IS_WASM and word in path.stem:
            pytest.skip(reason)
    if is_too_new(path):
        pytest.skip("it needs a newer Python")
    plain = run(path, lambda function: function)
    assert plain.traces == 0
    gc.collect()
    compiled = run(path, transform.transform)
    difference = list(difflib.unified_diff(plain.lines, compiled.lines, "plain", "compiled", n=1, lineterm=""))
    assert not difference, "\n".join(difference[:60])
    limits, traces = compiled.limits, compiled.traces_of_calls
    assert limits.most is None or traces <= limits.most
    if transform.HAS_NUMPY:  # where numbers are traced, a changed number needs no new trace
        assert limits.least is None or traces == 0 or traces >= limits.least


def test_most_programs_are_traced() -> None:
    if not PATHS:
        pytest.skip(NOT_THERE)
    paths = [path for path in PATHS if not IS_WASM or not any(word in path.stem for word in NEEDS_MORE)]
    traced = [path.stem for path in paths if not is_too_new(path) and run(path, transform.transform).traces]
    assert len(traced) >= len(paths) * 3 // 4, sorted({path.stem for path in paths} - set(traced))
