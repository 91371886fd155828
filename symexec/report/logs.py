"""What compiled functions tell through `logging`: quiet until a logger is set to `DEBUG`, here or by `SYMEXEC_LOGS`.

Loggers: `symexec.graph`, `symexec.guards`, `symexec.breaks`, `symexec.recompiles`, `symexec.bytecode`.
"""

from __future__ import annotations

import logging
import sys
import warnings
from types import CodeType
from typing import Final

import attrs
from typing_extensions import override

from symexec.bytecode.decode import decode
from symexec.errors import SymexecWarning
from symexec.report.disassembly import describe_routine
from symexec.report.graphs import input_lines, name_inputs, operation_lines
from symexec.report.guards import guard_lines
from symexec.report.listing import list_trace
from symexec.report.misses import GuardProbes
from symexec.report.places import indent, line_text, place_of, reason_text
from symexec.runtime.reports import Miss, NewTrace, Skipped

VARIABLE: Final = "SYMEXEC_LOGS"
NAMES: Final = ("graph", "guards", "breaks", "recompiles", "bytecode")

_graph, _guards, _breaks, _recompiles, _bytecode = (logging.getLogger(f"symexec.{name}") for name in NAMES)


class StandardErrorHandler(logging.Handler):
    """Writes to whatever `sys.stderr` is at the time."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            if sys.stderr is not None:
                sys.stderr.write(f"{self.format(record)}\n")
        except Exception:
            self.handleError(record)


def configure_logs(choice: str) -> tuple[logging.Logger, ...]:
    """Turn on the loggers that `choice` names, separated by commas, "all" for all; they write to standard error.

    What these write is not passed on to handlers that the program sets up.  A name that there is not gives a
    `SymexecWarning`.
    """
    names = [name.strip() for name in choice.split(",") if name.strip()]
    unknown = [name for name in names if name not in (*NAMES, "all")]
    if unknown:
        there_are = ", ".join((*NAMES, "all"))
        message = f"{VARIABLE}: there is no log {', '.join(map(repr, unknown))}; there are {there_are}"
        warnings.warn(message, SymexecWarning, stacklevel=2)
    chosen = [name for name in NAMES if name in names or "all" in names]
    loggers = tuple(logging.getLogger(f"symexec.{name}") for name in chosen)
    handler = StandardErrorHandler()
    handler.setFormatter(logging.Formatter("[%(name)s] %(message)s"))
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.addHandler(handler)
        logger.propagate = False
    return loggers


@attrs.frozen
class LogObserver:
    """Tells the loggers what a record does; does next to nothing where they are off."""

    def traced(self, trace: NewTrace) -> object:
        """A trace was made; the note is what it takes to explain a miss later, if that log is on."""
        recording = trace.recording
        if _graph.isEnabledFor(logging.DEBUG):
            named = name_inputs(recording.nodes, recording.origins)
            _graph.debug("%s\n%s", _head(trace), _block([*input_lines(named), *operation_lines(named)]))
        if _guards.isEnabledFor(logging.DEBUG):
            _guards.debug("%s\n%s", _head(trace), _block(guard_lines(recording.guards)))
        if recording.reason is not None and _breaks.isEnabledFor(logging.DEBUG):
            _breaks.debug("%s", reason_text(recording.reason))
        if _bytecode.isEnabledFor(logging.DEBUG):
            _bytecode.debug("%s", list_trace(trace))
        return GuardProbes.of(recording.guards) if _recompiles.isEnabledFor(logging.DEBUG) else None

    def skipped(self, skipped: Skipped) -> None:
        """No trace was made."""
        if _breaks.isEnabledFor(logging.DEBUG):
            _breaks.debug("%s", reason_text(skipped.reason))

    def missed(self, miss: Miss) -> None:
        """None of an anchor's traces fitted."""
        if not _recompiles.isEnabledFor(logging.DEBUG):
            return
        count = len(miss.traces)
        found = "the trace does not fit" if count == 1 else f"none of {count} traces fits"
        lines = [f"{_head(miss)}: {found}"]
        for number, trace in enumerate(miss.traces, 1):
            failing = trace.note.first_failing(miss) if isinstance(trace.note, GuardProbes) else None
            if failing is not None:
                lines.append(f"    trace {number}: {failing} does not hold")
        _recompiles.debug("%s", "\n".join(lines))

    def installed(self, code: CodeType) -> None:
        """The function's code was replaced."""
        if _bytecode.isEnabledFor(logging.DEBUG):
            _bytecode.debug("%s", describe_routine(decode(code)))


def _head(about: NewTrace | Miss) -> str:
    return f"{about.routine.qualified_name}, {line_text(place_of(about.routine, about.anchor))}"


def _block(lines: list[str]) -> str:
    return "\n".join(indent(lines, 4))
