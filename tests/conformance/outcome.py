"""What became of one test: data that passes between processes, and nothing else."""

from __future__ import annotations

from typing import Final, Literal, cast

import attrs

Verdict = Literal["passed", "failed", "crashed", "timed out", "known", "stale", "unsteady", "not counted"]
"""What a compiled test came to, beside the same test as written.

"known": it failed in the way that `known.py` tells.  "stale": `known.py` says that it fails, but it passed.
"unsteady": it failed, but as written it then failed, too.  "not counted": as written it does not pass.
"""

PASS: Final = "pass"
CRASHED: Final = "crashed"
TIMED_OUT: Final = "timed out"
INTERNAL: Final = "error of symexec"


@attrs.frozen
class Outcome:
    """One test, run in a process of its own: what each of its runs came to, until one did not pass.

    `state` is `PASS` if all did.  `detail` is the text of the first failure, `traces` and `breaks` (code and reason)
    tell of the compiled function.
    """

    state: str
    runs: int = 0
    detail: str = ""
    traces: int = 0
    breaks: tuple[tuple[str, str], ...] = ()
    compiled: bool = False

    @property
    def whole(self) -> bool:
        """The test's own function ran compiled and was captured without a break."""
        return self.compiled and self.traces > 0 and not self.breaks


@attrs.frozen
class Result:
    """One test of a module, compared; `detail` says what went wrong."""

    name: str
    verdict: Verdict
    detail: str = ""
    traced: bool = False
    whole: bool = False
    breaks: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


def to_data(value: Outcome | Result) -> dict[str, object]:
    """As JSON takes it."""
    return attrs.asdict(value)


def outcome_from(data: dict[str, object]) -> Outcome:
    return Outcome(**{**data, "breaks": breaks_from(data)})


def result_from(data: dict[str, object]) -> Result:
    return Result(**{**data, "breaks": breaks_from(data)})


def breaks_from(data: dict[str, object]) -> tuple[tuple[str, str], ...]:
    pairs = cast("list[list[str]]", data["breaks"])
    return tuple((code, why) for code, why in pairs)
