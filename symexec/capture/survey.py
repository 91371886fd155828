"""What capture has to know of a function before it traces: where anchors may stand, what is bound and live there."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from symexec.analysis.analysis import Analysis
from symexec.analysis.landing import Landings, compute_landings
from symexec.analysis.liveness import Liveness
from symexec.bytecode.dataflow import FrameShape
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op

_NO_ENDS: Final = frozenset({Op.END_FOR, Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE, Op.UNARY_NOT})
"""What belongs to the `FOR_ITER` before it, and what takes a boolean that is surely one."""


class Survey:
    """Analyses of one routine, each made when it is first needed."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self._analysis = Analysis(routine)

    @property
    def liveness(self) -> Liveness:
        """Which slots are live before each instruction."""
        return self._analysis.liveness

    @cached_property
    def landings(self) -> Landings:
        """Where anchors may stand: also inside `with` bodies, whose exit functions traces leave where they are."""
        return compute_landings(self.routine, self._analysis.flow, self._analysis.stack, above_exits=True)

    def may_end(self, index: int) -> bool:
        """Whether a trace may go on with the original instruction there, by the instruction alone."""
        instruction = self.routine.instructions[index]
        return instruction.position is not None and instruction.op not in _NO_ENDS

    def readable_slots(self, index: int) -> tuple[int, ...]:
        """The slots that are surely bound and live before the instruction."""
        shape: FrameShape | None = self._analysis.shapes[index]
        if shape is None:
            return ()
        live = self.liveness.before(index)
        count = len(self.routine.slots)
        return tuple(slot for slot in range(count) if live >> slot & 1 and not shape.may_be_unbound(slot))

    def unreadable_entries(self, index: int) -> frozenset[int]:
        """The stack entries before the instruction that may be NULL."""
        shape: FrameShape | None = self._analysis.shapes[index]
        if shape is None:
            return frozenset()
        return frozenset(entry for entry in range(shape.depth) if shape.may_be_null(entry))

    def depth(self, index: int) -> int:
        """How many entries lie on the stack before the instruction."""
        shape: FrameShape | None = self._analysis.shapes[index]
        return 0 if shape is None else shape.depth
