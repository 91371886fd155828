"""The conformance runner at work: on a few tests of CPython's own, and on tests that go wrong on purpose.

The whole of it is `python -m tests.conformance.run`.
"""

from __future__ import annotations

import importlib.util

import pytest

from tests.conformance import awkward as awkward_tests
from tests.conformance import report, worker
from tests.conformance.forks import CAN_FORK, run_in_child
from tests.conformance.known import KNOWN, Known
from tests.conformance.report import Report
from tests.conformance.run import main, run_module
from tests.conformance.suite import module_names
from tests.conformance.worker import Job

SAMPLE = {
    "test_list": 8,
    "test_dict": 8,
    "test_with": 8,
    "test_contextlib": 8,
    "test_generators": 10,
    "test_exceptions": 8,
    "test_descr": 8,
    "test_collections": 6,
    "test_functools": 8,
    "test_unpack_ex": 1,
}
SECONDS = 20.0
AWKWARD = "tests.conformance.awkward"

pytestmark = [
    pytest.mark.skipif(not CAN_FORK, reason="no processes can be forked here"),
    pytest.mark.skipif(importlib.util.find_spec("test") is None, reason="CPython's tests are not installed"),
]


def leave_alone(_: str) -> None:
    pass


def run(module: str, **settings: object) -> Report:
    return run_module(Job(module, **{"seconds": SECONDS, **settings}), leave_alone)


@pytest.fixture(scope="module")
def awkward() -> Report:
    return run(AWKWARD, seconds=1.0)


@pytest.mark.parametrize("module", SAMPLE)
def test_sample_of_cpythons_tests(module: str) -> None:
    found = run(module, sample=SAMPLE[module])
    assert not found.trouble
    assert not found.faults, report.describe(found)
    counts = found.counts()
    assert counts["passed"] and counts["passed"] + counts["known"] == counts["counted"]
    assert len(found.results) == found.tests == SAMPLE[module]


def test_sample_with_all_functions_compiled() -> None:
    found = run("test_bool", anchors=True)
    assert not found.trouble and not found.faults, report.describe(found)
    assert found.counts()["traced"] > 10


def test_what_goes_wrong_is_seen(awkward: Report) -> None:
    verdicts = {result.name.rpartition(".")[2]: result.verdict for result in awkward.results}
    assert verdicts == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_fails_the_second_time": "failed",
        "test_crashes": "crashed",
        "test_leaves": "crashed",
        "test_hangs": "timed out",
        "test_spins": "timed out",
        "test_swallows": "failed",
        "test_raises_more_than_an_exception": "failed",
        "test_skips": "not counted",
        "test_never_passes": "not counted",
        "test_forks": "passed",
        "doctest:counted": "passed",
        "doctest:misdescribed": "not counted",
    }


def test_what_went_wrong_is_told(awkward: Report) -> None:
    details = {result.name.rpartition(".")[2]: result.detail for result in awkward.results}
    assert "SIGABRT" in details["test_crashes"] and "in test_crashes" in details["test_crashes"]
    assert "in test_hangs" in details["test_hangs"] and "in test_spins" in details["test_spins"]
    assert "an error that nothing else tells of" in details["test_swallows"]
    assert "SystemExit" in details["test_raises_more_than_an_exception"]
    text = report.describe(awkward)
    assert "CRASHED" in text and "TIMED OUT" in text and "SIGABRT" in text


def test_captured_tests_are_told(awkward: Report) -> None:
    whole = {result.name.rpartition(".")[2]: (result.traced, result.whole) for result in awkward.results}
    assert whole["test_passes"][0]
    assert whole["test_crashes"] == (False, False)
    assert not whole["test_fails"][1]


def test_the_bars(awkward: Report) -> None:
    complaints = report.complaints([awkward])
    assert [text for text in complaints if "crashed" in text] and [text for text in complaints if "less than" in text]
    assert report.complaints([Report("nothing")]) == ["no test was compared"]


def test_modules_that_cannot_be_loaded() -> None:
    found = run("test_that_does_not_exist")
    assert "ModuleNotFoundError" in found.trouble and report.complaints([found])


def test_known_failures_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{AWKWARD}.Awkward."

    def hide_compilation() -> None:
        awkward_tests.is_compiled = lambda test: False

    entries = [
        Known(name + "test_fails", "it looks at its own code", "it is compiled", hide_compilation),
        Known(name + "test_fails_the_second_time", "the reason is another", "it is compiled", lambda: None),
        Known(name + "test_swallows", "the text is another", "it is compiled", hide_compilation),
        Known(name + "test_crashes", "the text is another", "SIGSEGV", hide_compilation),
        Known(name + "test_passes", "it does pass", "", hide_compilation),
    ]
    monkeypatch.setattr(worker, "KNOWN", entries)
    subjects = {subject.name: subject for subject in worker.load(AWKWARD)}

    def verdict(entry: Known) -> str:
        subject, job = subjects[entry.name], Job(AWKWARD)
        return worker.judge(subject, job, worker.observe(subject, job, compiled=False, runs=2)).verdict

    assert [verdict(entry) for entry in entries] == ["known", "failed", "failed", "crashed", "stale"]


def test_known_entries_are_of_listed_modules() -> None:
    assert all(entry.name.split(".")[1] in module_names() and entry.reason and entry.shows for entry in KNOWN)
    assert len({(entry.name, entry.versions) for entry in KNOWN}) == len(KNOWN)


def test_children() -> None:
    assert run_in_child(lambda: {"a": [1]}, 5, lambda: None).data == {"a": [1]}
    assert len(run_in_child(lambda: "x" * 1_000_000, 5, lambda: None).data) == 1_000_000
    assert "exit status 1" in run_in_child(lambda: 1 / 0, 5, lambda: None).how


def test_command(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    written = tmp_path / "found.json"
    assert main(["test_bool", "--sample", "3", "--seed", "1", "--json", str(written), "--breaks"]) == 0
    output = capsys.readouterr().out
    assert "test_bool" in output and "good" in output and '"passed": 3' in written.read_text()
    assert main([AWKWARD, "--only", "test_fails"]) == 1
    assert "FAILED" in capsys.readouterr().out
