"""All analyses of one routine, each made when it is first asked for, from what the others already know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs

from symexec.analysis.assignment import Assignment, compute_assignment
from symexec.analysis.flow import Flow, compute_flow
from symexec.analysis.landing import Landings, compute_landings
from symexec.analysis.liveness import Liveness, compute_liveness
from symexec.analysis.stack import StackMap, compute_stack
from symexec.analysis.structure import Structure, compute_structure
from symexec.bytecode.dataflow import FrameShape, trace_shapes
from symexec.bytecode.model import Routine


@attrs.define(eq=False, slots=False, repr=False)
class Analysis:
    """The analyses of `routine`, which must not be changed any more.

    Each raises what its `compute_` function raises, when it is first asked for.
    """

    routine: Routine

    @cached_property
    def flow(self) -> Flow:
        """Control flow and basic blocks."""
        return compute_flow(self.routine)

    @cached_property
    def liveness(self) -> Liveness:
        """Live slots."""
        return compute_liveness(self.routine, self.flow)

    @cached_property
    def shapes(self) -> Sequence[FrameShape | None]:
        """What stack and slots may hold, as `verify` sees it."""
        return trace_shapes(self.routine).shapes()

    @cached_property
    def stack(self) -> StackMap:
        """Stack depth and NULLs."""
        return compute_stack(self.routine, self.shapes)

    @cached_property
    def assignment(self) -> Assignment:
        """Bound and unbound slots, values and cells."""
        return compute_assignment(self.routine, self.shapes, self.flow)

    @cached_property
    def structure(self) -> Structure:
        """Open blocks."""
        return compute_structure(self.routine, self.flow, self.stack)

    @cached_property
    def landings(self) -> Landings:
        """Where anchors may be placed."""
        return compute_landings(self.routine, self.flow, self.stack)
