"""What can be known of a routine without running it: control flow, liveness, assignment, stack, blocks, landings.

Pure functions of a `Routine`, iterative, linear in its length; a routine is not changed by them, nor watched.
`Analysis` keeps the results together.
"""

from __future__ import annotations

from symexec.analysis.analysis import Analysis
from symexec.analysis.assignment import Assignment, SlotContent, compute_assignment
from symexec.analysis.flow import NOWHERE, BasicBlock, Flow, compute_flow
from symexec.analysis.landing import Landings, compute_landings, landings_after, may_land
from symexec.analysis.liveness import REVEALING_NAMES, Liveness, compute_liveness
from symexec.analysis.stack import StackEntry, StackMap, compute_stack
from symexec.analysis.structure import (
    Block,
    HandlerBlock,
    LoopBlock,
    Structure,
    TryBlock,
    WithBlock,
    compute_structure,
)

__all__ = [
    "NOWHERE",
    "REVEALING_NAMES",
    "Analysis",
    "Assignment",
    "BasicBlock",
    "Block",
    "Flow",
    "HandlerBlock",
    "Landings",
    "Liveness",
    "LoopBlock",
    "SlotContent",
    "StackEntry",
    "StackMap",
    "Structure",
    "TryBlock",
    "WithBlock",
    "compute_assignment",
    "compute_flow",
    "compute_landings",
    "compute_liveness",
    "compute_stack",
    "compute_structure",
    "landings_after",
    "may_land",
]
