"""Liveness of slots: which slots' contents may still be read, before each instruction.

A slot is live if some path, through handlers too, reads it before writing it.  What a slot holds, a value or a cell,
makes no difference: an operation on a cell's contents reads the slot.  Knows nothing of the stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import attrs

from symexec.analysis.flow import BasicBlock, Flow, compute_flow
from symexec.bytecode.effects import SlotUse
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op
from symexec.errors import BytecodeError

REVEALING_NAMES: Final = frozenset({"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"})
"""In a function that uses one of these names, anybody may read any slot at any time."""


@attrs.frozen(eq=False, repr=False)
class Liveness:
    """The slots live before each instruction, as sets of bits: slot `s` is bit `1 << s`.

    `entry` is what is live before the prefix.  `everything` says that the routine may be looked into from outside,
    so that all slots are live everywhere.
    """

    sets: Sequence[int]
    entry: int
    everything: bool

    def before(self, index: int) -> int:
        """The slots live before instruction `index`."""
        return self.sets[index]

    def is_live(self, index: int, slot: int) -> bool:
        """Whether `slot` is live before instruction `index`."""
        return bool(self.sets[index] >> slot & 1)


def compute_liveness(routine: Routine, flow: Flow | None = None) -> Liveness:
    """The liveness of `routine`'s slots; `flow` is its control flow if that is at hand.

    Raises `BytecodeError` if an instruction names a slot that the routine does not have.
    """
    names = {instruction.name for instruction in routine.instructions}
    if not names.isdisjoint(REVEALING_NAMES):
        everything = (1 << len(routine.slots)) - 1
        return Liveness([everything] * len(routine.instructions), everything, True)
    flow = compute_flow(routine) if flow is None else flow
    always = _always_live(routine, "super" in names)
    uses = _slot_uses(routine)
    at_start = _solve(flow, uses)
    sets = [0] * len(uses)
    for block in flow.blocks:
        live = always | _after(block, at_start)
        covering = 0 if block.handler < 0 else at_start[block.handler]
        for index in range(block.end - 1, block.start - 1, -1):
            use = uses[index]
            if use:
                live = live | use if use > 0 else live & use | always
                live |= covering
            sets[index] = live
    return Liveness(sets, _before_prefix(routine, flow, sets[0], at_start), False)


# What each instruction does, as one number: 0 for nothing, the set of slots it reads, or the complement (a negative
# number) of the set of slots that it writes.  A slot that is read and written is live before, so it counts as read.

_READ, _WRITE, _WRITE_FREE = 1, 2, 3


def _kind(op: Op) -> int:
    match op.effect.slot:
        case SlotUse.NONE:
            return _WRITE_FREE if op is Op.COPY_FREE_VARS else 0
        case SlotUse.WRITE:
            return _WRITE
        case SlotUse.READ | SlotUse.DELETE | SlotUse.CLEAR | SlotUse.MAKE_CELL | SlotUse.READ_CELL:
            return _READ


_KINDS: Final = tuple(_kind(op) for op in Op)


def _slot_uses(routine: Routine) -> list[int]:
    """What each instruction does to slots, see above."""
    count = len(routine.slots)
    free = (1 << count) - (1 << routine.first_free_slot)
    uses = []
    for instruction in routine.instructions:
        kind = _KINDS[instruction.op.index]
        if kind == 0:
            uses.append(0)
        elif kind == _WRITE_FREE:
            uses.append(~free)
        elif not 0 <= instruction.arg < count:
            raise BytecodeError(f"{routine.qualified_name}: slot {instruction.arg} of {count}")
        else:
            bit = 1 << instruction.arg
            uses.append(bit if kind == _READ else ~bit)
    return uses


def _always_live(routine: Routine, names_super: bool) -> int:
    """What `super()` without arguments reads out of its caller's frame: the first argument, and `__class__`."""
    live = 0
    if "__class__" in routine.freevars:
        live = 1 << routine.first_free_slot + routine.freevars.index("__class__")
    if routine.argument_count and (live or names_super):
        live |= 1
    return live


def _after(block: BasicBlock, at_start: Sequence[int]) -> int:
    """What is live at the end of `block`, and wherever in it an exception leaves it."""
    live = 0 if block.handler < 0 else at_start[block.handler]
    for successor in block.successors:
        live |= at_start[successor]
    return live


def _solve(flow: Flow, uses: Sequence[int]) -> list[int]:
    """What is live at the start of each block."""
    read, passed = _summaries(flow, uses)
    at_start = [0] * len(flow.blocks)
    waiting = deque(reversed(flow.order))
    is_waiting = [True] * len(flow.blocks)
    while waiting:
        number = waiting.popleft()
        is_waiting[number] = False
        block = flow.blocks[number]
        live = _after(block, at_start) & passed[number] | read[number]
        if block.handler >= 0:
            live |= at_start[block.handler]
        if live == at_start[number]:
            continue
        at_start[number] = live
        for users in (flow.predecessors_of_block[number], flow.covered_by_block[number]):
            for user in users:
                if not is_waiting[user]:
                    is_waiting[user] = True
                    waiting.append(user)
    return at_start


def _summaries(flow: Flow, uses: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each block the slots it reads before it writes them, and the complement of those it writes."""
    reads, passes = [], []
    for block in flow.blocks:
        read, passed = 0, -1
        for index in range(block.end - 1, block.start - 1, -1):
            use = uses[index]
            if use > 0:
                read |= use
            elif use < 0:
                read &= use
                passed &= use
        reads.append(read)
        passes.append(passed)
    return reads, passes


def _before_prefix(routine: Routine, flow: Flow, live: int, at_start: Sequence[int]) -> int:
    """What is live before the prefix, where `live` is so after it; it copies free variables and makes cells."""
    if flow.entry_handler >= 0:
        live |= at_start[flow.block_of[flow.entry_handler]]
    live &= (1 << routine.first_free_slot) - 1
    for slot in routine.cell_slots:
        live |= 1 << slot
    return live
