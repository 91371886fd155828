"""What a record tells of its traces as it makes them, and what is kept of each: numbers, and an observer's note.

Says nothing about how any of it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Final, Protocol

import attrs

from symexec.bytecode.model import Routine
from symexec.capture.recording import Recording
from symexec.capture.trace import Site
from symexec.errors import BreakReason
from symexec.values.graph import Graph


@attrs.frozen(eq=False)
class TraceReport:
    """One trace: the anchor's index (0 is the entry), how much is in it, how it ends, and what the observer noted."""

    anchor: int
    operations: int
    instructions: int
    effects: int
    reason: BreakReason | None
    note: object = None


@attrs.frozen(eq=False, repr=False)
class NewTrace:
    """A trace that was just made, with all there is to tell of it.

    `number` traces hung at its anchor before it.  `by_backend`: the graph is run by a backend, not inlined.
    Whoever keeps this keeps objects of the user's alive.
    """

    routine: Routine
    anchor: int
    number: int
    recording: Recording
    site: Site
    graph: Graph
    by_backend: bool


@attrs.frozen(eq=False, repr=False)
class Skipped:
    """An anchor where no trace was made: after `instructions` instructions there was `reason` to stop.

    They are run as written, and so is what stands at `end`, which is `None` if tracing came nowhere.
    """

    routine: Routine
    anchor: int
    instructions: int
    end: int | None
    reason: BreakReason


@attrs.frozen(eq=False, repr=False)
class Miss:
    """A state for which none of an anchor's traces was made: what the slots and the stack hold, and the globals."""

    routine: Routine
    anchor: int
    traces: tuple[TraceReport, ...]
    slots: Mapping[int, object]
    stack: Sequence[object]
    globals: Mapping[str, object]


class Observer(Protocol):
    """Is told what a record does, by the thread that does it.  Runs no user code; what it raises is symexec's error."""

    def traced(self, trace: NewTrace) -> object:
        """A trace was made.  The note that it gives is kept with the trace and must refer to nothing of the user's."""

    def skipped(self, skipped: Skipped) -> None:
        """No trace was made at an anchor."""

    def missed(self, miss: Miss) -> None:
        """None of the traces at an anchor fitted; another will be tried."""

    def installed(self, code: CodeType) -> None:
        """The function's code was replaced."""


class Silence:
    """Notes nothing."""

    def traced(self, trace: NewTrace) -> object:
        """Notes nothing."""

    def skipped(self, skipped: Skipped) -> None:
        """Notes nothing."""

    def missed(self, miss: Miss) -> None:
        """Notes nothing."""

    def installed(self, code: CodeType) -> None:
        """Notes nothing."""


SILENCE: Final = Silence()
