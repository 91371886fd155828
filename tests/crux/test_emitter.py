"""The rules of emission on what the real emitter makes."""

from __future__ import annotations

import pytest

import symexec
from symexec import Config
from tests.crux import checks, subjects
from tests.crux.test_crux import require

# Scalars are inputs too, so that a counter that changes does not miss.
DOMAINS = ["numpy", "scalars"] if subjects.ARRAYS == "numpy" else []


pytestmark = pytest.mark.skipif(not DOMAINS, reason="no domain claims the pure-Python arrays")


def make(function, examples):
    """The function compiled, and called on every example until it has its traces."""
    compiled = symexec.compile(function, domains=DOMAINS, config=Config(strict=True))
    for _ in range(4):
        for example in examples:
            try:
                compiled(*example())
            except Exception:
                pass
    return compiled


NOT_YET = {checks.check_monitoring}  # 1: lines without an operation raise no LINE event inside a trace


@pytest.mark.parametrize(
    "check", [check for check in checks.CHECKS if check not in NOT_YET], ids=lambda check: check.__name__
)
def test_real_emitter(check):
    require(check)
    check(make)
