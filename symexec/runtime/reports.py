"""What is kept and logged of traces: numbers and text, none of the user's objects."""

from __future__ import annotations

import logging
from types import CodeType
from typing import Final

import attrs

from symexec.capture.recording import Recording
from symexec.errors import BreakReason
from symexec.values.graph import Graph

_graphs: Final = logging.getLogger("symexec.graph")
_guards: Final = logging.getLogger("symexec.guards")
_breaks: Final = logging.getLogger("symexec.breaks")
_recompiles: Final = logging.getLogger("symexec.recompiles")


@attrs.frozen(eq=False)
class TraceReport:
    """One trace: the anchor's index (0 is the entry), how much is in it, how it ends; texts if they were asked for."""

    anchor: int
    operations: int
    instructions: int
    effects: int
    reason: BreakReason | None
    graph: str = ""
    guards: tuple[str, ...] = ()

    @staticmethod
    def of(anchor: int, recording: Recording, graph: Graph, verbose: bool) -> TraceReport:
        """The report of a recording, with `graph` and guards as text if `verbose`."""
        return TraceReport(
            anchor,
            recording.operations,
            recording.steps,
            len(recording.effects),
            recording.reason,
            str(graph) if verbose else "",
            tuple(str(guard) for guard in recording.guards) if verbose else (),
        )


def log_break(reason: BreakReason) -> None:
    """Tell of a break on `symexec.breaks`."""
    _breaks.info("%s", reason)


def log_trace(code: CodeType, recording: Recording) -> None:
    """Tell of a new trace on `symexec.graph` and `symexec.guards`."""
    if _graphs.isEnabledFor(logging.INFO):
        _graphs.info("%s\n%s", code.co_qualname, Graph(list(recording.nodes)))
    if _guards.isEnabledFor(logging.INFO):
        _guards.info("%s\n%s", code.co_qualname, "\n".join(map(str, recording.guards)))


def log_recompile(code: CodeType, traces: int) -> None:
    """Tell on `symexec.recompiles` that none of an anchor's traces fitted."""
    _recompiles.info("%s: none of %d traces fits", code.co_qualname, traces)
