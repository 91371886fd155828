"""The statements that are open at an instruction, as typed blocks, derived from exception regions and control flow.

CPython keeps no block stack since 3.11; this is what can be read back from the code.  Blocks describe; nothing that
has to be exact (depths, handlers, edges) is taken from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, TypeAlias

import attrs

from symexec.analysis.flow import NOWHERE, Flow, compute_flow
from symexec.analysis.nest import Loops, Nest, cut_cycles, find_loops
from symexec.analysis.stack import StackMap, compute_stack
from symexec.bytecode.model import Instruction, Routine
from symexec.bytecode.ops import Op


class HandlerKind(Enum):
    """What the code at a handler's entry is for."""

    EXCEPT = "except"
    FINALLY = "finally"
    WITH = "with"
    RESTORE = "restore"  # the compiler's own: gives back what a handler or an inlined comprehension holds
    PASS = "pass"  # ends an await or an asynchronous loop, or replaces a StopIteration


@attrs.frozen(eq=False)
class TryBlock:
    """The body of a `try`; `handler` is the entry of its `except` clauses or of its `finally` (`is_finally`).

    All its instructions lie in `[start, end)`, but not all that lies there belongs to it.  On an exception the stack is
    cut to `depth`.
    """

    start: int
    end: int
    depth: int
    handler: int
    is_finally: bool


@attrs.frozen(eq=False)
class WithBlock:
    """The body of a `with`, from the binding of its target on; fields as in `TryBlock`.

    The exit function lies right under `depth`, in `exit_entries` stack entries.
    """

    start: int
    end: int
    depth: int
    handler: int
    exit_entries: int
    is_async: bool


@attrs.frozen(eq=False)
class HandlerBlock:
    """Code that runs while an exception is being handled: from the `PUSH_EXC_INFO` at `start` to its `POP_EXCEPT`.

    The exception that was being handled before lies on the stack at `depth`.
    """

    start: int
    end: int
    depth: int


@attrs.frozen(eq=False)
class LoopBlock:
    """A natural loop with its head at `start`; `end` lies after the last instruction in it.

    `back_edges` are the instructions that lead back to the head.  `for_iter` is the head of a `for` loop, whose
    iterator lies on the stack at `depth`; `None` for any other loop.  `is_await`: the loop of an `await` or a
    `yield from`, no statement.
    """

    start: int
    end: int
    depth: int
    back_edges: tuple[int, ...]
    for_iter: int | None
    is_await: bool


Block: TypeAlias = TryBlock | WithBlock | HandlerBlock | LoopBlock


_QUIET: Final = frozenset({Op.NOP, Op.JUMP, Op.JUMP_NO_INTERRUPT, Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE})
"""What compilers from 3.12 on may leave uncovered anywhere: it cannot raise."""


@attrs.frozen(eq=False, repr=False)
class Structure:
    """All blocks of a routine, in the order of their starts; unreachable code has none but `try` and `with`."""

    blocks: Sequence[Block]
    _flow: Flow
    _covering: Nest  # places: basic blocks; nodes: handler entries
    _covering_blocks: Sequence[TryBlock | WithBlock | None]
    _handling: Nest  # places: instructions; nodes: PUSH_EXC_INFOs
    _handling_blocks: Sequence[HandlerBlock]
    _looping: Nest  # places: basic blocks; nodes: loops
    _looping_blocks: Sequence[LoopBlock]

    def enclosing(self, index: int) -> tuple[Block, ...]:
        """The blocks that instruction `index` is in, outermost first.

        What lies deeper on the stack is further out.  Of a loop and a `try` at the same depth, the loop is inside if
        the `try` covers its head and all its jumps back.
        """
        place = self._flow.block_of[index]
        found: list[Block] = []
        covering = [node for node in reversed(self._covering.chain(place)) if self._covering_blocks[node] is not None]
        looping = [self._looping_blocks[node] for node in reversed(self._looping.chain(place))]
        handling = [self._handling_blocks[node] for node in reversed(self._handling.chain(index))]
        for node in covering:
            block = self._covering_blocks[node]
            if block is not None:
                while handling and handling[0].depth < block.depth:
                    found += self._take_loops(looping, handling[0].depth, NOWHERE)
                    found.append(handling.pop(0))
                found += self._take_loops(looping, block.depth, node)
                found.append(block)
        for handler in handling:
            found += self._take_loops(looping, handler.depth, NOWHERE)
            found.append(handler)
        return (*found, *looping)

    def _take_loops(self, looping: list[LoopBlock], depth: int, covering: int) -> list[LoopBlock]:
        """Take out the outermost of `looping` down to `depth`; at that depth, those that `covering` does not cover."""
        count = 0
        while count < len(looping) and looping[count].depth <= depth:
            loop = looping[count]
            if loop.depth == depth and covering >= 0 and self._is_covered(loop, covering):
                break
            count += 1
        taken = looping[:count]
        del looping[:count]
        return taken

    def _is_covered(self, loop: LoopBlock, node: int) -> bool:
        """Whether a handler covers a loop: its head, and what comes before its jumps back, bare jumps left aside."""
        flow, instructions = self._flow, self._flow.routine.instructions
        waiting = [flow.block_of[index] for index in (loop.start, *loop.back_edges)]
        seen = set(waiting)
        while waiting:
            place = waiting.pop()
            if node in self._covering.chain(place):
                continue
            block = flow.blocks[place]
            if any(instructions[index].op not in _QUIET for index in range(block.start, block.end)):
                return False
            before = set(flow.predecessors_of_block[place]) - seen
            seen |= before
            waiting.extend(before)
        return True

    def instructions_in(self, block: Block) -> list[int]:
        """The instructions that are in `block`, however deep, in order."""
        if isinstance(block, HandlerBlock):
            return self._handling.places(self._handling_blocks.index(block))
        if isinstance(block, LoopBlock):
            places = self._looping.places(self._looping_blocks.index(block))
        else:
            places = self._covering.places(self._covering_blocks.index(block))
        blocks = self._flow.blocks
        return [index for place in places for index in range(blocks[place].start, blocks[place].end)]


def compute_structure(routine: Routine, flow: Flow | None = None, stack: StackMap | None = None) -> Structure:
    """The blocks of `routine`; `flow` and `stack` are its control flow and stack map if they are at hand.

    Raises `BytecodeError` as those do.
    """
    flow = compute_flow(routine) if flow is None else flow
    stack = compute_stack(routine) if stack is None else stack
    covering, entries = find_covering(flow)
    covering_blocks = _covering_blocks(flow, covering, entries)
    handling, handling_blocks = _find_handling(flow, stack)
    loops = find_loops(flow)
    looping_blocks = _looping_blocks(flow, stack, loops)
    blocks: list[Block] = [block for block in covering_blocks if block is not None]
    blocks += handling_blocks
    blocks += looping_blocks
    blocks.sort(key=lambda block: (block.start, -block.end))
    return Structure(blocks, flow, covering, covering_blocks, handling, handling_blocks, loops.nest, looping_blocks)


# -- covering handlers -----------------------------------------------------------------------------------------------


def find_covering(flow: Flow) -> tuple[Nest, list[int]]:
    """Which handlers cover each basic block, through the handlers of handlers; and the entry of each."""
    entries = sorted({block.handler for block in flow.blocks} - {NOWHERE})
    numbers = {entry: number for number, entry in enumerate(entries)}
    numbers[NOWHERE] = NOWHERE
    parents = [numbers[flow.blocks[entry].handler] for entry in entries]
    cut_cycles(parents)
    innermost = [numbers[block.handler] for block in flow.blocks]
    return Nest(parents, innermost), [flow.blocks[entry].start for entry in entries]


_CLAUSE_ENDS: Final = frozenset({Op.RERAISE, Op.RETURN_VALUE, Op.RAISE_VARARGS, Op.POP_EXCEPT, Op.PUSH_EXC_INFO})


def classify_handler(instructions: Sequence[Instruction], entry: int) -> HandlerKind:
    """What the handler at `entry` is for."""
    first = instructions[entry]
    match first.op:
        case Op.CLEANUP_THROW | Op.END_ASYNC_FOR:
            return HandlerKind.PASS
        case Op.CALL_INTRINSIC_1 if first.name == "STOPITERATION_ERROR":
            return HandlerKind.PASS
        case Op.PUSH_EXC_INFO:
            pass
        case _:
            return HandlerKind.RESTORE
    index = entry + 1
    if instructions[index].op is Op.WITH_EXCEPT_START:
        return HandlerKind.WITH
    if instructions[index].op is Op.POP_TOP:
        return HandlerKind.EXCEPT
    while instructions[index].op not in _CLAUSE_ENDS:
        if instructions[index].op in (Op.CHECK_EXC_MATCH, Op.CHECK_EG_MATCH):
            return HandlerKind.EXCEPT
        index += 1
        if index == len(instructions):
            break
    return HandlerKind.FINALLY


def _covering_blocks(flow: Flow, covering: Nest, entries: Sequence[int]) -> list[TryBlock | WithBlock | None]:
    """The block of each covering handler, `None` for those that the compiler makes for its own use."""
    instructions = flow.routine.instructions
    starts, ends, depths = [NOWHERE] * len(entries), [NOWHERE] * len(entries), [0] * len(entries)
    for place, block in enumerate(flow.blocks):
        node = covering.innermost[place]
        if node < 0:
            continue
        handler = instructions[block.start].handler
        if starts[node] < 0 and handler is not None:
            starts[node], depths[node] = block.start, handler.depth
        ends[node] = block.end
    covering.widen(starts, ends)
    found: list[TryBlock | WithBlock | None] = []
    for node, entry in enumerate(entries):
        kind = classify_handler(instructions, entry)
        start, end, depth = starts[node], ends[node], depths[node]
        if kind is HandlerKind.WITH:
            call = instructions[entry + 1]
            is_async = entry + 2 < len(instructions) and instructions[entry + 2].op is Op.GET_AWAITABLE
            found.append(WithBlock(start, end, depth, entry, call.arg - 3, is_async))
        elif kind is HandlerKind.EXCEPT or kind is HandlerKind.FINALLY:
            found.append(TryBlock(start, end, depth, entry, kind is HandlerKind.FINALLY))
        else:
            found.append(None)
    return found


# -- handlers being run ----------------------------------------------------------------------------------------------


@attrs.define(eq=False, repr=False)
class _Handling:
    """Which `PUSH_EXC_INFO`s are not undone yet, before each instruction."""

    innermost: list[int]
    parents: list[int]
    numbers: dict[int, int]  # by index of the PUSH_EXC_INFO
    blocks: list[HandlerBlock]

    def push(self, index: int, depth: int, around: int) -> int:
        """The node of the `PUSH_EXC_INFO` at `index`."""
        node = self.numbers.get(index)
        if node is None:
            node = self.numbers[index] = len(self.parents)
            self.parents.append(around)
            self.blocks.append(HandlerBlock(index, index + 1, depth))
        return node

    def cut(self, node: int, depth: int) -> int:
        """What is left of `node` when the stack is cut to `depth`."""
        while node >= 0 and self.blocks[node].depth >= depth:
            node = self.parents[node]
        return node


def _find_handling(flow: Flow, stack: StackMap) -> tuple[Nest, list[HandlerBlock]]:
    """Which exceptions are being handled, before each instruction.  The first path that comes to a block decides."""
    instructions = flow.routine.instructions
    state = _Handling([NOWHERE] * len(instructions), [], {}, [])
    entered = [False] * len(flow.blocks)
    first = [0] if flow.entry_handler < 0 else [0, flow.block_of[flow.entry_handler]]
    waiting = [(block, NOWHERE) for block in first]
    while waiting:
        number, node = waiting.pop()
        if entered[number]:
            continue
        entered[number] = True
        block = flow.blocks[number]
        deepest = node
        for index in range(block.start, block.end):
            state.innermost[index] = node
            op = instructions[index].op
            if op is Op.PUSH_EXC_INFO:
                node = state.push(index, stack.depth(index) - 1, node)
            elif op is Op.POP_EXCEPT and node >= 0:
                node = state.parents[node]
            else:
                deepest = node
        handler = instructions[block.start].handler
        if block.handler >= 0 and handler is not None:
            waiting.append((block.handler, state.cut(deepest, handler.depth)))
        waiting.extend((successor, node) for successor in block.successors)
    _set_ends(state)
    return Nest(state.parents, state.innermost), state.blocks


def _set_ends(state: _Handling) -> None:
    """Set the `end` of all handler blocks: after the last instruction inside."""
    starts, ends = [block.start for block in state.blocks], [block.end for block in state.blocks]
    for index, node in enumerate(state.innermost):
        if node >= 0:
            starts[node], ends[node] = min(starts[node], index), index + 1
    Nest(state.parents, state.innermost).widen(starts, ends)
    state.blocks[:] = [attrs.evolve(block, end=end) for block, end in zip(state.blocks, ends, strict=True)]


# -- loops -----------------------------------------------------------------------------------------------------------


def _looping_blocks(flow: Flow, stack: StackMap, loops: Loops) -> list[LoopBlock]:
    """The block of each natural loop."""
    instructions, blocks = flow.routine.instructions, flow.blocks
    ends = [blocks[head].end for head in loops.heads]
    for place, node in enumerate(loops.nest.innermost):
        if node >= 0:
            ends[node] = max(ends[node], blocks[place].end)
    loops.nest.widen([blocks[head].start for head in loops.heads], ends)
    found = []
    for node, head in enumerate(loops.heads):
        start = blocks[head].start
        op = instructions[start].op
        back = tuple(sorted(blocks[source].end - 1 for source in loops.back[node] if head in blocks[source].successors))
        depth = stack.depth(start) - (op is Op.FOR_ITER)
        for_iter = start if op is Op.FOR_ITER else None
        found.append(LoopBlock(start, ends[node], depth, back, for_iter, op is Op.SEND))
    return found
