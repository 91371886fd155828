"""What a signal handler raises, or another thread throws in, while a function is being traced reaches the program."""

from __future__ import annotations

import ctypes
import logging
import signal
import sys
import threading
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


@pytest.mark.skipif(sys.platform == "emscripten", reason="there are no threads here")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of callbacks of weak references
def test_thrown_in_by_another_thread(caplog: pytest.LogCaptureFixture) -> None:
    running, outcomes = threading.Event(), []

    def double_for_ever() -> None:
        try:
            while True:
                compiled = symexec.compile(double, domains=["scalars"])
                compiled(1.0)
                running.set()
        except TooLate:
            outcomes.append("too late")

    for _ in range(20):
        running.clear()
        thread = threading.Thread(target=double_for_ever)
        thread.start()
        assert running.wait(20)
        identity = ctypes.c_ulong(thread.ident or 0)
        thread.join(0.003)
        while thread.is_alive():  # thrown into the callback of a weak reference it is ignored by Python
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(TooLate))
            thread.join(0.1)
    assert outcomes == ["too late"] * 20
    assert not caplog.records


def test_errors_of_a_backend_are_no_such_exceptions(no_internal_errors: list[str]) -> None:
    def backend(graph: Graph, examples: object) -> None:
        raise TooLate

    compiled = symexec.compile(double, domains=["scalars"], backend=backend)
    assert [compiled(1.0), compiled(2.0)] == [3.0, 5.0]
    assert "tracing double failed" in no_internal_errors.pop()


@pytest.mark.usefixtures("handled")
def test_while_folding() -> None:
    def fold(number: object) -> object:
        return folding.fold(Machine((), symexec.Config()), lambda: signal.raise_signal(number), ())

    with pytest.raises(TooLate):
        fold(signal.SIGTERM)
    assert isinstance(fold("no signal"), Raise)
