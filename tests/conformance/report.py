"""What a conformance run came to: per module and in all, as a table, as data, and as one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from tests.conformance.outcome import Result, Verdict, to_data

BAR: Final = 0.995  # of the tests that pass as written
KNOWN_BAR: Final = 0.01  # of them may be listed as not to pass
UNCOUNTED: Final = ("unsteady", "not counted")
COLUMNS: Final = (
    "tests", "counted", "passed", "failed", "crashed", "timed out", "known", "stale", "unsteady", "traced", "whole"
)  # fmt: skip
SHOWN: Final = 25  # lines of a failure's text
REASONS: Final = 25  # reasons of breaks


@attrs.define
class Report:
    """The results of one module; `trouble` says why there are none, or not all; `skipped`, why none are wanted."""

    module: str
    tests: int = 0
    results: list[Result] = attrs.field(factory=list)
    trouble: str = ""
    skipped: str = ""

    def having(self, *verdicts: Verdict) -> list[Result]:
        return [result for result in self.results if result.verdict in verdicts]

    @property
    def faults(self) -> list[Result]:
        return self.having("failed", "crashed", "timed out", "stale")

    @property
    def remarkable(self) -> list[Result]:
        """What a reader should see: faults, and what may be some."""
        return [*self.faults, *self.having("unsteady")]

    def counts(self) -> dict[str, int]:
        """The figures of the table's columns."""
        found = Counter[str](result.verdict for result in self.results)
        counted = [result for result in self.results if result.verdict not in UNCOUNTED]
        found.update(
            {
                "tests": self.tests,
                "counted": len(counted),
                "traced": sum(result.traced for result in counted),
                "whole": sum(result.whole for result in counted),
            }
        )
        return {column: found[column] for column in COLUMNS}


def total(reports: Iterable[Report]) -> dict[str, int]:
    figures = Counter[str]()
    for report in reports:
        figures.update(report.counts())
    return {column: figures[column] for column in COLUMNS}


def complaints(reports: Sequence[Report]) -> list[str]:
    """What keeps the run from being good enough; nothing if it is."""
    figures = total(reports)
    found = [f"{report.module}: {report.trouble}" for report in reports if report.trouble]
    wanted = figures["counted"] - figures["known"]
    if not wanted:
        found.append("no test was compared")
    elif figures["passed"] + figures["stale"] < BAR * wanted:
        found.append(f"{figures['passed']} of {wanted} passed: less than {BAR:.1%}")
    if figures["crashed"]:
        found.append(f"{figures['crashed']} crashed")
    if figures["stale"]:
        found.append(f"{figures['stale']} pass although known.py says that they cannot")
    if figures["known"] > max(1, KNOWN_BAR * figures["counted"]):
        found.append(f"{figures['known']} are listed in known.py: more than {KNOWN_BAR:.0%}")
    return found


def headline() -> str:
    return f"{'module':26}" + "".join(f"{column:>10}" for column in COLUMNS)


def line(name: str, figures: dict[str, int]) -> str:
    return f"{name:26}" + "".join(f"{figures[column]:>10}" for column in COLUMNS)


def describe(report: Report) -> str:
    """The line of a module, and what went wrong in it."""
    lines = [line(report.module, report.counts())]
    for remark in (report.trouble, report.skipped):
        if remark:
            lines.append(f"    {remark}")
    for result in report.remarkable:
        lines.append(f"  {result.verdict.upper()} {result.name}")
        lines.extend(f"      {text}" for text in result.detail.splitlines()[-SHOWN:])
    return "\n".join(lines)


def describe_breaks(reports: Sequence[Report]) -> str:
    """What keeps tests from being captured whole, the most frequent first."""
    counted = [r for report in reports for r in report.results if r.verdict not in UNCOUNTED]
    reasons = Counter(pair for result in counted for pair in set(result.breaks))
    lines = [f"{count:>7}  {code} {why}" for (code, why), count in reasons.most_common(REASONS)]
    return "\n".join(["tests  broken by", *lines])


def as_data(reports: Sequence[Report]) -> dict[str, object]:
    """Everything, as JSON takes it."""
    return {
        "total": total(reports),
        "complaints": complaints(reports),
        "modules": {
            report.module: {
                **report.counts(),
                "trouble": report.trouble,
                "skipped": report.skipped,
                "results": [to_data(result) for result in report.results],
            }
            for report in reports
        },
    }
