"""`fullgraph` stays full: where there are as many traces as may be, another case is an error and does not run."""

from __future__ import annotations

import pytest

import symexec
from symexec.config import Config


def test_another_case_than_there_may_be_is_an_error() -> None:
    def times(x, k):
        log.append(k)
        return x * k

    log = []
    compiled = symexec.compile(times, fullgraph=True, config=Config(traces=3, install="always"))
    assert [compiled(2, k) for k in (1, 2, 3, 1, 2, 3)] == [2, 4, 6, 2, 4, 6]
    with pytest.raises(symexec.GraphBreakError, match=r"SX9004.*limit of Config.traces"):
        compiled(2, 4)
    assert log == [1, 2, 3, 1, 2, 3]
    assert compiled(2, 3) == 6
