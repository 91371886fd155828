"""The rules of emission on what the real emitter makes."""

from __future__ import annotations

import os
import types

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


def copy_function(function):
    return types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


FULL = bool(os.environ.get("SYMEXEC_FULL"))
EVERY = 1 if FULL else 18  # the events come at each eighteenth instruction; with SYMEXEC_FULL=1 at each


@pytest.fixture(autouse=True)
def sampled_places(monkeypatch, request):
    """Events at fewer places of emitted code, others for each check; at all of plain code."""
    at_each_place = checks._outcomes
    start = sum(map(ord, request.node.name)) % EVERY

    def outcomes(function, fire, numbers, polled=False):
        numbers = list(numbers)
        as_it_is = copy_function(function)  # events that are handled make new traces: those go into the original
        return at_each_place(as_it_is, fire, numbers[start::EVERY] if len(numbers) > 200 else numbers, polled)

    monkeypatch.setattr(checks, "_outcomes", outcomes)


NOT_YET = {checks.check_monitoring}  # 1: lines without an operation raise no LINE event inside a trace


@pytest.mark.parametrize(
    "check", [check for check in checks.CHECKS if check not in NOT_YET], ids=lambda check: check.__name__
)
def test_real_emitter(check):
    require(check)
    check(make)
