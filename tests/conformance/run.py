"""`python -m tests.conformance.run [MODULE ...]`: CPython's own tests, compiled, one worker process per module.

Without modules it goes through all of `modules.txt`.  The exit status is 0 if the bars are met.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import attrs

from tests.conformance import report
from tests.conformance.forks import CAN_FORK
from tests.conformance.outcome import result_from
from tests.conformance.report import Report
from tests.conformance.suite import module_names
from tests.conformance.worker import Job

PROJECT: Final = Path(__file__).resolve().parents[2]
MOST_JOBS: Final = 2


def run_module(job: Job, on_line: Callable[[str], None]) -> Report:
    """Run one module in a worker process.  A worker that dies leaves the results that it had."""
    command = [sys.executable, "-m", "tests.conformance.worker", json.dumps(attrs.asdict(job))]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    found = Report(job.module)
    with subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None and worker.stderr is not None
        with ThreadPoolExecutor(1) as reader:
            said = reader.submit(worker.stderr.read)
            for text in worker.stdout:
                on_line(take(found, text))
            errors = said.result()
    if worker.returncode:
        found.trouble = f"the worker ended with status {worker.returncode}: {errors[-2000:]}"
    return found


def take(found: Report, text: str) -> str:
    """Add what a line of a worker says; gives the name of the test that it is about."""
    data = json.loads(text)
    if "tests" in data:
        found.tests = data["tests"]
    elif "skipped" in data:
        found.skipped = data["skipped"]
    else:
        found.results.append(result_from(data))
        return found.results[-1].name
    return ""


def run_all(jobs: Sequence[Job], workers: int, on_line: Callable[[str], None]) -> Iterator[Report]:
    """The reports of all jobs, in their order, as they come."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(partial(run_module, on_line=on_line), jobs)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.run", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="as in modules.txt, for example test_list")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="at most N tests of a module")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="chooses the sample")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, MOST_JOBS + 1), help="modules at a time")
    parser.add_argument("--runs", type=int, default=2, help="times that each test is run in its process")
    parser.add_argument("--seconds", type=float, default=30.0, help="time limit of a test")
    parser.add_argument("--anchors", action="store_true", help="compile also whatever else the test modules define")
    parser.add_argument("--also", default="", metavar="NAMES", help="and of these modules, for example json,textwrap")
    parser.add_argument("--only", default="", metavar="TEXT", help="only tests in whose name TEXT occurs")
    parser.add_argument("--breaks", action="store_true", help="tell what kept tests from being captured whole")
    parser.add_argument("--verbose", action="store_true", help="name each test when it is done")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    if not CAN_FORK:
        print("this Python cannot fork processes: there is nothing to run")
        return 0
    shared = ("sample", "seed", "runs", "seconds", "anchors", "also", "only")
    settings = {name: getattr(options, name) for name in shared}
    jobs = [Job(module, **settings) for module in options.modules or module_names()]
    start = time.monotonic()
    print(report.headline(), flush=True)
    reports = []
    for found in run_all(jobs, options.jobs, partial(print, flush=True) if options.verbose else lambda _: None):
        reports.append(found)
        print(report.describe(found), flush=True)
    print(report.line(f"Python {sys.version.split()[0]}", report.total(reports)))
    print(f"{time.monotonic() - start:.0f} seconds")
    if options.breaks:
        print(report.describe_breaks(reports))
    if options.json is not None:
        options.json.write_text(json.dumps(report.as_data(reports), indent=1), encoding="utf-8")
    complaints = report.complaints(reports)
    print("\n".join(["not good enough:", *complaints] if complaints else ["good"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
