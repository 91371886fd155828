"""What `explain` tells: traces with their graphs and guards, breaks with their source, and what would recompile."""

from __future__ import annotations

import gc
import re
import weakref
from pathlib import Path

import pytest

import symexec
from symexec.report.explanation import Explanation
from tests.report import subjects


def explain(function, *args) -> Explanation:
    return symexec.explain(function, domains=["scalars"])(*args)


def line_of(text: str) -> int:
    """The line of `subjects.py` that holds `text`, 1-based."""
    lines = Path(subjects.__file__).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found


def test_runs_once_with_all_effects_and_gives_the_result() -> None:
    account, rates = subjects.Account(3.0), [0.5, 1.0]
    explanation = explain(subjects.settle, 2.0, rates, account)
    assert explanation.result == [-1.5, {"left": (1.0, 3)}]
    assert account.total == 2.5 and rates == [0.5, 1.0]


def test_what_the_function_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        explain(lambda x: x / 0, 1.0)


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(TypeError, match=r"settle\(\) missing 2 required positional arguments"):
        explain(subjects.settle, 2.0)


def test_traces() -> None:
    explanation = explain(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    first, second = explanation.traces
    assert (first.anchor, first.operations, first.effects) == (0, 2, 2)
    assert first.inputs == ("x: float", "rates[0]: float")
    assert [re.sub(r" +# .*", "", line) for line in first.graph] == [
        "v2: float = x * rates[0]",
        "v3: float = v2 + 1.5",
    ]
    assert first.graph[0].endswith(f"subjects.py:{line_of('y = x * rates[0]')}")
    assert "type(rates) is list, len(rates) == 2, type(rates[0]) is float, type(rates[1]) is float" in first.guards
    assert first.start.startswith("from the entry (")
    broken = line_of('graph_break("')
    assert re.search(rf"stops before .*subjects\.py:{broken}: SX1000", first.ending)
    assert second.anchor > 0
    assert re.fullmatch(rf"from \S+:{broken}, after the break at \S+:{broken}", second.start)
    assert (second.operations, second.effects, second.reason) == (1, 0, None)
    assert second.ending == "returns new3, where new1 = (y, 3); new2 = {'left': new1}; new3 = [v2, new2]"


def test_breaks_are_shown_with_place_source_and_reason() -> None:
    explanation = explain(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    (reason,) = explanation.breaks
    assert reason.code == "SX1000" and reason.where.line == line_of('graph_break("')
    assert (
        f"subjects.py:{reason.where.line}:5, in settle\n"
        '    symexec.graph_break("the books are closed")\n'
        "    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  why:  the books are closed\n"
    ) in str(explanation)


def test_summary_counts_instructions() -> None:
    explanation = explain(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    assert explanation.captured == sum(trace.instructions for trace in explanation.traces)
    assert 1 <= explanation.left <= 2
    assert 0.9 < explanation.share < 1
    total = explanation.captured + explanation.left
    share = f"captured {explanation.captured} of {total} instructions ({explanation.share:.0%})"
    assert str(explanation).splitlines()[-1] == f"{share}, 2 traces, 1 break"


def test_captured_whole() -> None:
    explanation = explain(subjects.interest, 2.0, 3)
    assert explanation.share == 1.0 and explanation.left == 0 and explanation.breaks == ()
    assert explanation.summary().endswith("(100%), 1 trace, 0 breaks")
    assert explanation.traces[0].ending == "returns v4"


def test_what_would_recompile() -> None:
    explanation = symexec.explain(subjects.interest)(2.0, 3)
    (trace,) = explanation.traces
    (values,) = [line for line in trace.recompiles if line.startswith("another value of: ")]
    assert "x (now 2.0)" in values and "years (now 3)" in values and "RATE (now 0.5)" in values
    assert "There are at most 8 traces at a place (Config.traces)" in str(explanation)


def test_lengths_and_types_would_recompile() -> None:
    explanation = explain(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    recompiles = explanation.traces[0].recompiles
    assert "another length or other keys: len(rates) (now 2)" in recompiles
    (kinds,) = [line for line in recompiles if line.startswith("another type or object in: ")]
    assert {"rates", "x", "account"} <= set(kinds.partition(": ")[2].split(", "))
    assert any(line.startswith("a new definition of: ") and "attributes of Account" in line for line in recompiles)


def test_a_counter_is_pointed_out() -> None:
    meter = subjects.Meter()
    explanation = symexec.explain(meter.tick)(1.0)
    assert meter.ticks == 1
    notes = [line for line in explanation.traces[0].recompiles if line.startswith("note: ")]
    assert notes == ["note: the function itself changes self.ticks, so that every call is a new case"]


def test_a_traced_counter_is_no_problem() -> None:
    explanation = explain(subjects.counted, 1.0)
    assert not [line for line in explanation.traces[0].recompiles if line.startswith("note: ")]


def test_skipped_places_count_as_left() -> None:
    explanation = explain(subjects.nothing_to_capture, 1.0)
    assert explanation.captured < 4 < explanation.captured + explanation.left
    assert [reason.code for reason in explanation.breaks] == ["SX1000"]


def test_generators_are_said_to_run_as_written() -> None:
    explanation = symexec.explain(subjects.counting)(3)
    assert list(explanation.result) == [3]
    if not explanation.traces:
        assert "generator" in str(explanation)


def test_methods_and_callables() -> None:
    account = subjects.Account(1.5)
    explanation = explain(account.deposit, 2.0)
    assert explanation.function == "Account.deposit" and explanation.result == 3.5 == account.total


def test_a_loop_over_a_break_shows_each_place_once() -> None:
    seen = []
    explanation = explain(subjects.in_loop, [1.0, 2.0, 3.0], lambda total: seen.append(total))
    assert seen == [2.0, 6.0, 12.0] and explanation.result == 12.0
    assert len({trace.anchor for trace in explanation.traces}) == len(explanation.traces)


def test_nothing_of_the_programs_is_kept_but_the_result() -> None:
    account = subjects.Account(3.0)
    alive = weakref.ref(account)
    explanation = explain(subjects.settle, 2.0, [0.5, 1.0], account)
    del account
    gc.collect()
    assert alive() is None
    assert explanation.traces


def test_the_function_itself_is_left_alone() -> None:
    code = subjects.settle.__code__
    explain(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    assert subjects.settle.__code__ is code


def test_a_compiled_function_is_explained_as_written() -> None:
    compiled = symexec.compile(subjects.interest, domains=["scalars"])
    assert compiled(2.0, 3) == 3.0
    assert explain(compiled, 2.0, 3).share == 1.0


def test_arrays() -> None:
    np = pytest.importorskip("numpy")

    def project(x, w):
        return np.tanh(x @ w).sum(axis=0)

    explanation = symexec.explain(project)(np.ones((2, 3)), np.ones((3, 4)))
    (trace,) = explanation.traces
    assert trace.inputs == ("x: float64[2, 3]", "w: float64[3, 4]")
    assert [line.partition("  # ")[0].rstrip() for line in trace.graph] == [
        "v2: float64[2, 4] = x @ w",
        "v3: float64[2, 4] = numpy.tanh(v2)" if "numpy.tanh" in trace.graph[1] else "v3: float64[2, 4] = tanh(v2)",
        "v4: float64[4] = v3.sum(axis=0)",
    ]
    assert "type(x) is ndarray, x.dtype is dtype('float64'), x.shape == (2, 3)" in trace.guards
