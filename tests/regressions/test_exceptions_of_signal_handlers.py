"""What a signal handler raises while a function is being traced reaches the program."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator

import pytest

import symexec
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Raise
from symexec.interpreter.protocol import folding
from symexec.values.graph import Graph

pytestmark = pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="there are no signals here")


class TooLate(Exception):
    """Raised by the handler."""


def give_up(number, frame):
    raise TooLate


@pytest.fixture
def handled() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, give_up)
    yield
    signal.signal(signal.SIGTERM, before)


def double(x):
    return x * 2.0 + 1.0


@pytest.mark.usefixtures("handled")
def test_while_tracing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def interrupted(*arguments: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    compiled = symexec.compile(double, domains=["scalars"])
    with monkeypatch.context() as patch, caplog.at_level(logging.INFO):
        patch.setattr(Machine, "type_of", interrupted)
        with pytest.raises(TooLate):
            compiled(1.0)
    assert not caplog.records
    assert [compiled(2.0), compiled(3.0)] == [5.0, 7.0]
    assert symexec.stats(compiled).traces


@pytest.mark.usefixtures("handled")
def test_in_a_backend() -> None:
    def backend(graph: Graph, examples: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    compiled = symexec.compile(double, domains=["scalars"], backend=backend)
    with pytest.raises(TooLate):
        compiled(1.0)


@pytest.mark.usefixtures("handled")
def test_while_folding() -> None:
    def fold(number: object) -> object:
        return folding.fold(Machine((), symexec.Config()), lambda: signal.raise_signal(number), ())

    with pytest.raises(TooLate):
        fold(signal.SIGTERM)
    assert isinstance(fold("no signal"), Raise)
