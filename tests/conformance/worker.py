"""Goes through one module in this process: `python -m tests.conformance.worker JOB`, a JSON object.

Writes one JSON object a line: the number of tests, then a result a test.  It does not know of other modules.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

import attrs

from tests.conformance import anchors, child
from tests.conformance.forks import run_in_child
from tests.conformance.known import KNOWN, Known
from tests.conformance.outcome import CRASHED, PASS, TIMED_OUT, Outcome, Result, Verdict, outcome_from, to_data
from tests.conformance.suite import Subject, load, module_of


@attrs.frozen
class Job:
    """What to do with a module.

    `sample`: at most so many tests, chosen by `seed`; 0 for all.  `runs`: times each test is run in one process.
    `seconds`: processor time of a test.  `anchors`: compile also whatever else the test module defines.
    `also`: modules, separated by commas, of which the same is compiled.  `only`: the tests in whose name this occurs.
    """

    module: str
    sample: int = 0
    seed: int = 0
    runs: int = 2
    seconds: float = 30.0
    anchors: bool = False
    also: str = ""
    only: str = ""


def observe(
    subject: Subject, job: Job, *, compiled: bool, runs: int, prepare: Callable[[], None] = lambda: None
) -> Outcome:
    """The outcome of one test in a child of its own, which calls `prepare` first."""

    def work_in_child() -> object:
        prepare()
        return to_data(child.run(subject, runs, compiled=compiled))

    ended = run_in_child(work_in_child, job.seconds, child.silence)
    if isinstance(ended.data, dict):
        return outcome_from(ended.data)
    return Outcome(TIMED_OUT if ended.timed_out else CRASHED, 0, f"{ended.how}\n{ended.trail}", compiled=compiled)


def judge(subject: Subject, job: Job, plain: Outcome, places: Sequence[anchors.Place] = ()) -> Result:
    """Run a test compiled that as written passed `plain.runs` times, and compare.

    `places` is where functions besides the test were compiled.
    """
    start = time.monotonic()
    found = observe(subject, job, compiled=True, runs=plain.runs)
    verdict = verdict_of(subject.name, found)
    known = known_of(subject.name)
    if verdict == "known" and known is not None:
        cured = observe(subject, job, compiled=True, runs=plain.runs, prepare=known.remedy)
        verdict = "known" if cured.state == PASS else "failed"
    if verdict == "failed":
        again = observe(subject, job, compiled=False, runs=plain.runs, prepare=lambda: anchors.copy_functions(places))
        verdict = "failed" if again.state == PASS else "unsteady"
    detail = "" if verdict == "passed" else f"{found.state}: {found.detail}"
    seconds = round(time.monotonic() - start, 2)
    return Result(subject.name, verdict, detail, found.traces > 0, found.whole, found.breaks, seconds)


def verdict_of(name: str, found: Outcome) -> Verdict:
    known = known_of(name)
    if found.state == PASS:
        return "passed" if known is None else "stale"
    if known is not None and known.explains(found.detail):
        return "known"
    if found.state in (CRASHED, TIMED_OUT):
        return "crashed" if found.state == CRASHED else "timed out"
    return "failed"


def known_of(name: str) -> Known | None:
    version = sys.version_info[:2]
    return next((known for known in KNOWN if known.name == name and version in known.versions), None)


def results(job: Job) -> Iterator[Result | int]:
    """How many tests there are to run, then the result of each: first those that do not count."""
    subjects = [subject for subject in load(job.module) if job.only in subject.name]
    if job.sample:
        subjects = random.Random(job.seed).sample(subjects, min(job.sample, len(subjects)))
    yield len(subjects)
    plain = {}
    for subject in subjects:
        outcome = observe(subject, job, compiled=False, runs=job.runs)
        if outcome.runs:
            plain[subject] = outcome
        else:
            yield Result(subject.name, "not counted", outcome.state)
    names = [module_of(job.module)] if job.anchors else []
    names.extend(filter(None, job.also.split(",")))
    places = [place for name in names for place in anchors.compile_module(name)]
    for subject, outcome in plain.items():
        yield judge(subject, job, outcome, places)


def work(job: Job, output: TextIO) -> None:
    """Write the results of a module, or why it has none."""
    try:
        for result in results(job):
            line = {"tests": result} if isinstance(result, int) else to_data(result)
            print(json.dumps(line), file=output, flush=True)
    except unittest.SkipTest as error:
        print(json.dumps({"skipped": str(error)}), file=output, flush=True)


def main() -> None:
    job = Job(**json.loads(sys.argv[1]))
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        work(job, output)
        os.chdir("/")


if __name__ == "__main__":
    main()
