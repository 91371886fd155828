"""Every program of the corpus is explained, listed and logged without an error of symexec's own, and truthfully."""

from __future__ import annotations

import logging

import pytest

import symexec
from symexec.report.logs import NAMES
from tests.corpus.programs import PROGRAMS, Program
from tests.typing.vectors import Vector, VectorDomain


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_explained(program: Program) -> None:
    explanation = symexec.explain(program.function, domains=[VectorDomain()])(*program.arguments(Vector))
    text = str(explanation)
    assert text.splitlines()[-1] == explanation.summary()
    for trace in explanation.traces:
        assert len(trace.graph) == trace.operations
        assert all(line in text for line in (*trace.graph, *trace.guards, *trace.inputs))
        assert trace.listing.splitlines()[-1].lstrip().startswith(("return ", "goto "))
        assert (trace.reason is None) == trace.ending.startswith("returns ")
    for reason in explanation.breaks:
        assert f"{reason.code} at " in text and reason.why in text
    if program.whole is not None:
        assert explanation.breaks == () and explanation.left == 0 and explanation.share == 1.0
        assert [trace.operations for trace in explanation.traces] == [program.whole]
    assert (explanation.breaks == ()) == (explanation.left == 0) == (explanation.share == 1.0)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_logged(program: Program, caplog) -> None:
    for name in NAMES:
        caplog.set_level(logging.DEBUG, logger=f"symexec.{name}")
    compiled = symexec.compile(program.function, domains=[VectorDomain()])
    for _ in range(2):
        compiled(*program.arguments(Vector))
    stats = symexec.stats(compiled)
    counts = {name: sum(record.name == f"symexec.{name}" for record in caplog.records) for name in NAMES}
    assert counts["graph"] == counts["guards"] == stats.traces
    assert counts["breaks"] >= len(stats.breaks)
    assert counts["bytecode"] > stats.traces
