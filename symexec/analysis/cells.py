"""Which slots hold cells, before each instruction.

Cells are made by the prefix and stay where they are, except in inlined comprehensions (3.12 on): there a slot's
content is saved on the stack, whatever it is, another cell may be made, and the saved content is put back.  What
`LOAD_FAST` pushes counts as a value here, even if it is a cell object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import attrs

from symexec.analysis.flow import BasicBlock, Flow, compute_flow
from symexec.bytecode.dataflow import QUIET, FrameShape
from symexec.bytecode.effects import Effect
from symexec.bytecode.model import Handler, Instruction, Routine
from symexec.bytecode.ops import Op

_CHANGES: Final = frozenset({Op.MAKE_CELL, Op.STORE_FAST, Op.DELETE_FAST, Op.LOAD_FAST_AND_CLEAR})
_CHANGE_BY_INDEX: Final = tuple(op in _CHANGES for op in Op)


def find_cells(
    routine: Routine, shapes: Sequence[FrameShape | None], flow: Flow | None = None
) -> tuple[list[int], list[int]]:
    """For each instruction the slots that, if bound, hold a cell for certain, and those that hold a value for certain.

    Sets of bits: slot `s` is bit `1 << s`.
    """
    fixed = (1 << len(routine.slots)) - (1 << routine.first_free_slot)
    for slot in routine.cell_slots:
        fixed |= 1 << slot
    if not _moves(routine, fixed):
        return [fixed] * len(shapes), [~fixed & (1 << len(routine.slots)) - 1] * len(shapes)
    return _Search(compute_flow(routine) if flow is None else flow, shapes).run(fixed)


def _moves(routine: Routine, cells: int) -> bool:
    """Whether an instruction makes a cell, or puts something else where the prefix puts one."""
    for instruction in routine.instructions:
        if _CHANGE_BY_INDEX[instruction.op.index]:
            if instruction.op is Op.MAKE_CELL or cells >> instruction.arg & 1:
                return True
    return False


def _kept(effect: Effect) -> int:
    """How many items of an effect's inputs are left where they are."""
    kept = 0
    for before, after in zip(effect.inputs, effect.outputs, strict=False):
        if (before.name, before.size) != (after.name, after.size):
            break
        kept += 1
    return kept


_KEPT: Final = tuple(_kept(op.effect) for op in Op)


@attrs.define(repr=False)
class _Contents:
    """What slots and stack entries may hold, as sets of bits: a cell, or an object that is none (or of no concern).

    Neither bit is set for an unbound slot.
    """

    cell_slots: int
    value_slots: int
    cell_entries: int = 0
    value_entries: int = 0

    def cut(self, depth: int) -> None:
        """Drop the entries from `depth` on."""
        mask = (1 << depth) - 1
        self.cell_entries &= mask
        self.value_entries &= mask

    def put(self, slot: int, cell: int, value: int) -> None:
        """Let `slot` hold a cell, a value, either or nothing."""
        mask = ~(1 << slot)
        self.cell_slots = self.cell_slots & mask | cell << slot
        self.value_slots = self.value_slots & mask | value << slot

    def set_entry(self, entry: int, cell: int, value: int) -> None:
        """The same for a stack entry."""
        mask = ~(1 << entry)
        self.cell_entries = self.cell_entries & mask | cell << entry
        self.value_entries = self.value_entries & mask | value << entry

    def entry(self, entry: int) -> tuple[int, int]:
        """Whether a stack entry may hold a cell, and a value."""
        return self.cell_entries >> entry & 1, self.value_entries >> entry & 1

    def without(self, slots: int) -> _Contents:
        """The same but for the set `slots`, of which nothing is said."""
        return _Contents(self.cell_slots & ~slots, self.value_slots & ~slots, self.cell_entries, self.value_entries)

    def meet(self, other: _Contents) -> bool:
        """Join with `other`; whether anything is new."""
        before = (self.cell_slots, self.value_slots, self.cell_entries, self.value_entries)
        self.cell_slots |= other.cell_slots
        self.value_slots |= other.value_slots
        self.cell_entries |= other.cell_entries
        self.value_entries |= other.value_entries
        return before != (self.cell_slots, self.value_slots, self.cell_entries, self.value_entries)

    def step(self, instruction: Instruction, depth: int) -> None:
        """Run `instruction`, which finds `depth` entries."""
        op, arg = instruction.op, instruction.arg
        match op:
            case Op.STORE_FAST:
                self.put(arg, *self.entry(depth - 1))
                self.cut(depth - 1)
            case Op.DELETE_FAST:
                self.put(arg, 0, 0)
            case Op.MAKE_CELL:
                self.put(arg, 1, 0)
            case Op.LOAD_FAST_AND_CLEAR:
                self.set_entry(depth, self.cell_slots >> arg & 1, self.value_slots >> arg & 1)
                self.put(arg, 0, 0)
            case Op.PUSH_NULL:
                self.set_entry(depth, 0, 0)
            case Op.COPY:
                self.set_entry(depth, *self.entry(depth - arg))
            case Op.SWAP:
                lower, upper = self.entry(depth - arg), self.entry(depth - 1)
                self.set_entry(depth - arg, *upper)
                self.set_entry(depth - 1, *lower)
            case _:
                self._take_and_give(op, arg, depth)

    def _take_and_give(self, op: Op, arg: int, depth: int) -> None:
        effect, kept = op.effect, _KEPT[op.index]
        base = depth - sum(item.count(arg) for item in effect.inputs[kept:])
        count = sum(item.count(arg) for item in effect.outputs[kept:])
        self.cut(base)
        self.value_entries |= ((1 << count) - 1) << base


@attrs.define(eq=False, repr=False)
class _Search:
    """Carries contents along all paths of a routine until nothing changes."""

    flow: Flow
    shapes: Sequence[FrameShape | None]
    at_start: dict[int, _Contents] = attrs.Factory(dict)
    waiting: deque[int] = attrs.Factory(deque)
    queued: set[int] = attrs.Factory(set)

    def run(self, cells: int) -> tuple[list[int], list[int]]:
        """As `find_cells`; `cells` are the slots that hold one after the prefix."""
        flow, routine = self.flow, self.flow.routine
        parameters = (1 << routine.parameter_count) - 1
        entry = _Contents(cells, parameters & ~cells)
        self.meet(0, entry)
        if routine.entry_handler is not None:
            self.enter(flow.block_of[flow.entry_handler], routine.entry_handler, entry)
        while self.waiting:
            number = self.waiting.popleft()
            self.queued.discard(number)
            block = flow.blocks[number]
            contents, seen = attrs.evolve(self.at_start[number]), _Contents(0, 0)
            for index in range(block.start, block.end):
                instruction = routine.instructions[index]
                seen.meet(contents.without(cells) if QUIET[instruction.op.index] else contents)
                contents.step(instruction, self.depth(index))
            handler = routine.instructions[block.start].handler
            if handler is not None:
                self.enter(block.handler, handler, seen)
            self.leave(block, contents)
        return self.collect()

    def collect(self) -> tuple[list[int], list[int]]:
        """The sets before each instruction, once nothing changes any more."""
        cells, values = [0] * len(self.shapes), [0] * len(self.shapes)
        for number, start in self.at_start.items():
            contents = attrs.evolve(start)
            block = self.flow.blocks[number]
            for index in range(block.start, block.end):
                cells[index] = contents.cell_slots & ~contents.value_slots
                values[index] = contents.value_slots & ~contents.cell_slots
                contents.step(self.flow.routine.instructions[index], self.depth(index))
        return cells, values

    def depth(self, index: int) -> int:
        """The depth before a reachable instruction."""
        shape = self.shapes[index]
        return 0 if shape is None else shape.depth

    def leave(self, block: BasicBlock, contents: _Contents) -> None:
        """Carry `contents` from the end of `block` to its successors."""
        for successor in block.successors:
            arriving = attrs.evolve(contents)
            arriving.cut(self.depth(self.flow.blocks[successor].start))
            self.meet(successor, arriving)

    def enter(self, number: int, handler: Handler, contents: _Contents) -> None:
        """Carry `contents` to the entry of `handler`, which is basic block `number`."""
        arriving = attrs.evolve(contents)
        arriving.cut(handler.depth)
        arriving.value_entries |= (3 if handler.push_lasti else 1) << handler.depth
        self.meet(number, arriving)

    def meet(self, number: int, contents: _Contents) -> None:
        """Join `contents` with what else comes to basic block `number`."""
        known = self.at_start.get(number)
        if known is None:
            self.at_start[number] = attrs.evolve(contents)
        elif not known.meet(contents):
            return
        if number not in self.queued:
            self.queued.add(number)
            self.waiting.append(number)
