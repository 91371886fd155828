"""One activation of a routine: where it is, what its slots and its stack hold.

Pure data with snapshots; what instructions do is in `handlers`.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

import attrs

from symexec.bytecode.model import Instruction, Routine
from symexec.values.model import Known, Value
from symexec.values.origin import Fixed


class SlotState(Enum):
    """What a slot holds when it holds no known value."""

    UNBOUND = "unbound"
    UNKNOWN = "unknown"  # bound or not: it may be overwritten, but nothing else


Slot: TypeAlias = Value | SlotState


class Unreadable:
    """What stands for a stack entry of which it is not known whether it is NULL: it can stay, and nothing else."""


UNREADABLE: Final = Unreadable()


@attrs.frozen(eq=False, repr=False)
class Snapshot:
    """The state of a frame at one moment; cheap to take, compared by nobody."""

    position: int
    slots: tuple[Slot, ...]
    stack: tuple[Value, ...]


@attrs.define(eq=False, repr=False)
class FrameState:
    """Position (an index into the routine's instructions), slots (localsplus) and value stack, all mutable."""

    position: int
    slots: list[Slot]
    stack: list[Value]

    def snapshot(self) -> Snapshot:
        """A copy of the state."""
        return Snapshot(self.position, tuple(self.slots), tuple(self.stack))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what `snapshot` says."""
        self.position = snapshot.position
        self.slots[:] = snapshot.slots
        self.stack[:] = snapshot.stack


@attrs.define(eq=False, repr=False)
class Frame:
    """A routine being run: its state and the namespace it sees.

    `globals` is its globals dictionary as a value, `closure` the cells that `COPY_FREE_VARS` puts into its last slots,
    `function` what was called.  The outermost frame, which exists in the running program, has depth 0.
    While `accepts_prefix`, prefix instructions are run and collected in `accepted`; `RESUME 0` ends that.
    """

    routine: Routine
    state: FrameState
    globals: Value
    closure: tuple[Value, ...] = ()
    function: Value | None = None
    depth: int = 0
    accepts_prefix: bool = True
    accepted: list[Instruction] = attrs.Factory(list)

    @property
    def is_equivalent(self) -> bool:
        """Whether it runs code of symexec's own, in place of C code."""
        return type(self.globals) is Known and type(self.globals.origin) is Fixed

    @property
    def is_covered(self) -> bool:
        """Whether a handler covers the current instruction."""
        instructions = self.routine.instructions
        return self.state.position < len(instructions) and instructions[self.state.position].handler is not None
