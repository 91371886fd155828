"""Generators and coroutines that a trace made: frames that wait to be resumed.

Pure data, kept by the machine; whoever changes it records how to undo it.
"""

from __future__ import annotations

from enum import Enum

import attrs

from symexec.interpreter.frame import Frame, Snapshot
from symexec.values.model import NONE, Value


class Status(Enum):
    """Where a generator is in its life."""

    CREATED = "created"
    SUSPENDED = "suspended"
    RUNNING = "running"
    FINISHED = "finished"


@attrs.define(eq=False, repr=False)
class Suspended:
    """A generator's frame: at its start, or at the `YIELD_VALUE` that suspended it.

    `handled` is the exception that it is handling itself, `None` the value if there is none.
    """

    frame: Frame
    status: Status = Status.CREATED
    handled: Value = NONE

    def snapshot(self) -> tuple[Status, Value, Snapshot]:
        """What it takes to go back to this moment."""
        return self.status, self.handled, self.frame.state.snapshot()

    def restore(self, snapshot: tuple[Status, Value, Snapshot]) -> None:
        """Go back to what `snapshot` says."""
        self.status, self.handled, state = snapshot
        self.frame.state.restore(state)
        if self.status is Status.CREATED:
            self.frame.accepts_prefix = True
            self.frame.accepted.clear()
