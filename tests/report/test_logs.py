"""The logs of compiled functions: what each tells, that they are quiet by default, and how they are turned on."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

import symexec
from symexec.report.logs import NAMES, configure_logs
from tests.report import subjects

SCALE = 2.0


@pytest.fixture
def restored() -> Iterator[None]:
    """Loggers as they were, after the test."""
    loggers = [logging.getLogger(f"symexec.{name}") for name in NAMES]
    before = [(logger.level, logger.propagate, list(logger.handlers)) for logger in loggers]
    yield
    for logger, (level, propagate, handlers) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.propagate = propagate
        logger.handlers[:] = handlers


def settle_twice() -> None:
    compiled = symexec.compile(subjects.settle, domains=["scalars"])
    for _ in range(2):
        assert compiled(2.0, [0.5, 1.0], subjects.Account(3.0)) == [-1.5, {"left": (1.0, 3)}]


def logged(caplog, name: str, run) -> str:
    caplog.set_level(logging.DEBUG, logger=f"symexec.{name}")
    run()
    assert {record.name for record in caplog.records} <= {f"symexec.{name}"}
    return "\n".join(record.getMessage() for record in caplog.records)


def test_quiet_by_default(capfd, caplog) -> None:
    settle_twice()
    assert capfd.readouterr() == ("", "") and not caplog.records


def test_a_program_that_logs_at_info_hears_nothing(caplog) -> None:
    caplog.set_level(logging.INFO)
    settle_twice()
    assert not caplog.records


def test_graph(caplog) -> None:
    text = logged(caplog, "graph", settle_twice)
    assert text.count("settle, ") == 2
    assert "    rates[0]: float\n    v2: float = x * rates[0]  # " in text


def test_guards(caplog) -> None:
    assert "    type(rates) is list, len(rates) == 2, " in logged(caplog, "guards", settle_twice)


def test_breaks(caplog) -> None:
    text = logged(caplog, "breaks", settle_twice)
    assert text.startswith("SX1000 at ") and text.count("SX1000") == 1
    assert "why:  the books are closed" in text


def test_breaks_of_skipped_places(caplog) -> None:
    compiled = symexec.compile(subjects.nothing_to_capture, domains=["scalars"])
    assert "SX1000 at " in logged(caplog, "breaks", lambda: compiled(1.0))


def test_bytecode_shows_the_plan_and_the_code(caplog) -> None:
    text = logged(caplog, "bytecode", settle_twice)
    assert "trace 1 of settle at its entry" in text
    assert "    commit:\n        account.total = v3\n" in text
    assert "prefix: RESUME 0\n\nblock 0  depth 0" in text


def scaled(x, mode, options):
    return x * SCALE + options["bias"] if mode == "up" else x


def test_recompiles_tell_which_guard_failed(caplog, monkeypatch) -> None:
    compiled = symexec.compile(scaled, domains=["scalars"])

    def run() -> None:
        assert compiled(1.0, "up", {"bias": 1.0}) == 3.0
        assert compiled(1.0, "down", {"bias": 1.0}) == 1.0
        assert compiled(1, "up", {"bias": 1.0}) == 3.0
        assert compiled(1.0, "up", {"bias": 2}) == 4.0
        monkeypatch.setattr(sys.modules[__name__], "SCALE", 4)
        assert compiled(1.0, "up", {"bias": 1.0}) == 5.0

    text = logged(caplog, "recompiles", run)
    entries = [entry for entry in text.split("scaled, ") if entry]
    assert len(entries) == 4
    assert "the trace does not fit\n    trace 1: mode == 'up' does not hold" in entries[0]
    assert "none of 2 traces fits" in entries[1]
    assert "    trace 1: type(x) is float does not hold" in entries[1]
    assert "    trace 1: type(options['bias']) is float does not hold" in entries[2]
    assert "    trace 1: type(SCALE) is float does not hold" in entries[3]


def test_recompiles_after_a_break_know_the_state_there(caplog) -> None:
    compiled = symexec.compile(subjects.settle, domains=["scalars"])

    def run() -> None:
        compiled(2.0, [0.5, 1.0], subjects.Account(3.0))
        compiled(2.0, [0.5, 1.0], subjects.Account(3.0))
        compiled(2, [4, 1.0], subjects.Account(3.0))

    text = logged(caplog, "recompiles", run)
    assert "type(x) is float does not hold" in text
    assert "type(y) is float does not hold" in text


def test_a_cell_of_a_closure_is_read(caplog) -> None:
    step = 1.0

    def advance(x):
        return x + step

    compiled = symexec.compile(advance, domains=["scalars"])

    def run() -> None:
        nonlocal step
        compiled(1.0)
        step = 2
        assert compiled(1.0) == 3.0

    assert "trace 1: type(step) is float does not hold" in logged(caplog, "recompiles", run)


def test_what_explains_misses_keeps_nothing_alive(caplog) -> None:
    caplog.set_level(logging.DEBUG, logger="symexec.recompiles")
    alive = call_with_a_class_of_its_own()
    assert "does not hold" in caplog.text
    caplog.clear()
    gc.collect()
    assert [reference() for reference in alive] == [None, None]


def call_with_a_class_of_its_own() -> tuple[weakref.ref[type], weakref.ref[FunctionType]]:
    class Local:
        pass

    def kind(x):
        return (x, type(x) is Local)

    compiled = symexec.compile(kind)
    assert compiled(Local())[1] and not compiled(1.0)[1]
    return weakref.ref(Local), weakref.ref(compiled)


def test_configure(restored, capsys) -> None:
    found = configure_logs(" graph, breaks ,")
    assert [logger.name for logger in found] == ["symexec.graph", "symexec.breaks"]
    settle_twice()
    text = capsys.readouterr().err
    assert "[symexec.graph] settle, " in text and "[symexec.breaks] SX1000 at " in text
    assert "symexec.guards" not in text and "symexec.bytecode" not in text


def test_configure_all(restored) -> None:
    assert [logger.name for logger in configure_logs("all")] == [f"symexec.{name}" for name in NAMES]


def test_configure_nothing(restored) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert configure_logs("") == ()


def test_unknown_names_are_told(restored) -> None:
    message = "SYMEXEC_LOGS: there is no log 'grpah'; there are graph, guards, breaks, recompiles, bytecode, all"
    with pytest.warns(symexec.SymexecWarning, match=message):
        assert [logger.name for logger in configure_logs("grpah,guards")] == ["symexec.guards"]


@pytest.mark.skipif(sys.platform == "emscripten", reason="there are no processes")
def test_environment() -> None:
    program = "import symexec\nsymexec.compile(lambda x, n: x * n + 1, domains=['scalars'])(2.0, 3.0)"
    root = Path(symexec.__file__).parents[1]
    environment = {**os.environ, "SYMEXEC_LOGS": "graph,nonsense", "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "SymexecWarning: SYMEXEC_LOGS: there is no log 'nonsense'" in done.stderr
    assert "[symexec.graph] <lambda>, <string>:2\n    x: float\n    n: float\n    v2: float = x * n" in done.stderr
    assert done.stdout == ""
