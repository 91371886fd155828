"""The text that `explain` gives: what was captured, what broke and why, and on what it all relies."""

from __future__ import annotations

import attrs

from symexec.runtime.record import Record
from symexec.runtime.reports import TraceReport


@attrs.frozen(eq=False)
class Explanation:
    """One run of a function: its result, the traces that were made, and a readable account as `str()`."""

    function: str
    result: object
    traces: tuple[TraceReport, ...]

    def __str__(self) -> str:
        return self.function


def explain_record(record: Record, result: object) -> Explanation:
    """The explanation of what `record` saw in its one run."""
    return Explanation(record.code.co_qualname, result, tuple(record.traces))
