"""Control flow of a routine: jump targets, handlers, basic blocks, what is reachable.

A basic block is a run of instructions that is entered only at its top and left only at its end, or to its handler
from any instruction in it: all of a block's instructions are covered alike.  Knows nothing of stack or slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from symexec.bytecode.model import Handler, Instruction, Label, Routine
from symexec.bytecode.ops import JUMPS, Op
from symexec.errors import BytecodeError

NOWHERE: Final = -1
"""Stands for an index where there is no jump target or no handler."""

TERMINAL: Final = tuple(op.effect.terminal for op in Op)
"""By `Op.index`: whether control never reaches the next instruction."""

_JUMP: Final = tuple(op in JUMPS for op in Op)
_ENDS_BLOCK: Final = tuple(terminal or jump for terminal, jump in zip(TERMINAL, _JUMP, strict=True))


@attrs.frozen(eq=False)
class BasicBlock:
    """The basic block of instructions `[start, end)`.

    `successors` are blocks, in order: the next one, then the jump's.  `handler` is the block that an exception in any
    of its instructions goes to, or `NOWHERE`.
    """

    start: int
    end: int
    successors: tuple[int, ...]
    handler: int


@attrs.frozen(eq=False, repr=False)
class Flow:
    """Where control goes.  Blocks are numbered in the order of their instructions; indices are the routine's.

    `targets` and `handlers` give, for each instruction, the index it jumps to and the index of its handler's entry,
    `NOWHERE` where there is none.  `entry_handler` is the handler of the prefix's `RESUME 0`.

    `order` holds all blocks, each before its successors and its handler but for edges that go back.  It is the
    reverse postorder of a depth-first walk from the entry; `met` holds the blocks in the order in which that walk
    first came to them.
    """

    routine: Routine
    targets: Sequence[int]
    handlers: Sequence[int]
    entry_handler: int
    blocks: Sequence[BasicBlock]
    block_of: Sequence[int]
    order: Sequence[int]
    met: Sequence[int]
    predecessors_of_block: Sequence[Sequence[int]]
    covered_by_block: Sequence[Sequence[int]]
    reachable_blocks: Sequence[bool]

    def successors(self, index: int) -> list[int]:
        """The instructions that may run next if `index` raises nothing: the next one, then the jump's target."""
        found = [] if TERMINAL[self.routine.instructions[index].op.index] else [index + 1]
        target = self.targets[index]
        if target >= 0 and target not in found:
            found.append(target)
        return found

    def predecessors(self, index: int) -> list[int]:
        """The instructions from which control comes to `index` without an exception, in order."""
        block = self.block_of[index]
        if index > self.blocks[block].start:
            return [index - 1]
        return sorted(self.blocks[before].end - 1 for before in self.predecessors_of_block[block])

    def covered(self, handler: int) -> Iterator[int]:
        """The instructions whose handler's entry is `handler`, in order."""
        for block in self.covered_by_block[self.block_of[handler]]:
            yield from range(self.blocks[block].start, self.blocks[block].end)

    def is_reachable(self, index: int) -> bool:
        """Whether control can come to `index`, if only through exceptions."""
        return self.reachable_blocks[self.block_of[index]]


def compute_flow(routine: Routine) -> Flow:
    """The control flow of `routine`.

    Raises `BytecodeError` if a label is nowhere in the routine, or control runs off its end.
    """
    instructions = routine.instructions
    if not instructions or not TERMINAL[instructions[-1].op.index]:
        raise BytecodeError(f"{routine.qualified_name}: control runs off the end")
    targets, handlers, starts, entry_handler = _resolve(routine)
    blocks, block_of = _cut(instructions, targets, handlers, starts)
    predecessors: list[list[int]] = [[] for _ in blocks]
    covered: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for successor in block.successors:
            predecessors[successor].append(number)
        if block.handler >= 0:
            covered[block.handler].append(number)
    roots = [0] if entry_handler < 0 else [block_of[entry_handler], 0]
    order, met, reachable = _order(blocks, roots)
    return Flow(
        routine, targets, handlers, entry_handler, blocks, block_of, order, met, predecessors, covered, reachable
    )


def _resolve(routine: Routine) -> tuple[list[int], list[int], bytearray, int]:
    """Targets, handlers, where blocks start, and the handler of the prefix."""
    instructions = routine.instructions
    count = len(instructions)
    places = {instruction: index for index, instruction in enumerate(instructions)}
    targets, handlers = [NOWHERE] * count, [NOWHERE] * count
    starts = bytearray(count + 1)
    starts[0] = 1
    handler: Handler | None = None
    entry = NOWHERE
    for index, instruction in enumerate(instructions):
        covering = instruction.handler
        if covering is not handler:
            if covering != handler:
                starts[index] = 1
                entry = NOWHERE if covering is None else _place(routine, covering.label, places)
                if covering is not None:
                    starts[entry] = 1
            handler = covering
        handlers[index] = entry
        if _ENDS_BLOCK[instruction.op.index]:
            starts[index + 1] = 1
            if _JUMP[instruction.op.index]:
                if instruction.target is None:
                    raise BytecodeError(f"{routine.qualified_name}: a jump without a target at {index}")
                target = targets[index] = _place(routine, instruction.target, places)
                starts[target] = 1
    entry_handler = NOWHERE
    if routine.entry_handler is not None:
        entry_handler = _place(routine, routine.entry_handler.label, places)
        starts[entry_handler] = 1
    return targets, handlers, starts, entry_handler


def _place(routine: Routine, label: Label, places: dict[Instruction, int]) -> int:
    """The index of the instruction that `label` stands for."""
    index = NOWHERE if label.instruction is None else places.get(label.instruction, NOWHERE)
    if index < 0:
        raise BytecodeError(f"{routine.qualified_name}: {label!r} is not in the routine")
    return index


def _cut(
    instructions: Sequence[Instruction], targets: Sequence[int], handlers: Sequence[int], starts: bytearray
) -> tuple[list[BasicBlock], list[int]]:
    """The blocks, and which of them each instruction is in."""
    tops = [index for index in range(len(instructions)) if starts[index]]
    tops.append(len(instructions))
    block_of: list[int] = []
    for number in range(len(tops) - 1):
        block_of.extend([number] * (tops[number + 1] - tops[number]))
    blocks = []
    successors: tuple[int, ...]
    for number in range(len(tops) - 1):
        start, end = tops[number], tops[number + 1]
        target = targets[end - 1]
        if target < 0:
            successors = () if TERMINAL[instructions[end - 1].op.index] else (number + 1,)
        elif TERMINAL[instructions[end - 1].op.index] or target == end:
            successors = (block_of[target],)
        else:
            successors = (number + 1, block_of[target])
        handler = handlers[start]
        blocks.append(BasicBlock(start, end, successors, NOWHERE if handler < 0 else block_of[handler]))
    return blocks, block_of


def _order(blocks: Sequence[BasicBlock], roots: list[int]) -> tuple[list[int], list[int], list[bool]]:
    """All blocks in reverse postorder and in preorder of a depth-first walk, and which are reached from `roots`.

    Each block that the walk has not met by then begins another walk.
    """
    edges = [block.successors if block.handler < 0 else (*block.successors, block.handler) for block in blocks]
    seen = [False] * len(blocks)
    finished: list[int] = []
    met: list[int] = []
    for root in roots:
        _walk(edges, root, seen, met, finished)
    reachable = seen.copy()
    if len(met) < len(blocks):
        for block in range(len(blocks)):
            _walk(edges, block, seen, met, finished)
    finished.reverse()
    return finished, met, reachable


def _walk(edges: Sequence[tuple[int, ...]], root: int, seen: list[bool], met: list[int], finished: list[int]) -> None:
    """Append what can be reached from `root`, and was not seen before, to `met` and to `finished`."""
    if seen[root]:
        return
    seen[root] = True
    met.append(root)
    path = [(root, iter(edges[root]))]
    while path:
        block, following = path[-1]
        for successor in following:
            if not seen[successor]:
                seen[successor] = True
                met.append(successor)
                path.append((successor, iter(edges[successor])))
                break
        else:
            path.pop()
            finished.append(block)
