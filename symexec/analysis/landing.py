"""Where an anchor may be placed: in front of which instructions a trace may start.

An anchor is code in front of an instruction, with its position and under its handler, that may call functions, read
the stack and the slots, and be interrupted.  The rules are those of the design, "landing points"; what they come from
is said at each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import attrs

from symexec.analysis.flow import Flow, compute_flow
from symexec.analysis.nest import Nest
from symexec.analysis.stack import StackMap, compute_stack
from symexec.analysis.structure import HandlerKind, classify_handler, find_covering
from symexec.bytecode.model import Instruction, Routine
from symexec.bytecode.ops import PREFIX_OPS, Op

_NEVER: Final = PREFIX_OPS | {
    # Inside what belongs together: a yield and its RESUME, the rounds of an await, an iteration and its end.
    Op.YIELD_VALUE,
    Op.SEND,
    Op.END_SEND,
    Op.CLEANUP_THROW,
    Op.JUMP_NO_INTERRUPT,
    Op.FOR_ITER,
    Op.END_FOR,
    Op.GET_ANEXT,
    Op.END_ASYNC_FOR,
    # A trace from here would end at once, and an interrupt would leave a coroutine that nobody awaits.
    Op.GET_AWAITABLE,
    Op.GET_YIELD_FROM_ITER,
    # A trace from here would know no more than one from where this leads.
    Op.JUMP,
    Op.POP_JUMP_IF_TRUE,
    Op.POP_JUMP_IF_FALSE,
    Op.UNARY_NOT,
    # The exception on the stack is not yet, or not any longer, the one being handled.
    Op.PUSH_EXC_INFO,
    Op.POP_EXCEPT,
    Op.RERAISE,
}
_NEVER_BY_INDEX: Final = tuple(op in _NEVER for op in Op)

_RAISING: Final = frozenset({Op.RAISE_VARARGS, Op.RERAISE, Op.CLEANUP_THROW, Op.END_ASYNC_FOR})
"""What raises for certain, or passes on an exception that it was not made for."""

_BEFORE_LOOP: Final = frozenset({Op.NOP, Op.LOAD_FAST_AND_CLEAR, Op.MAKE_CELL, Op.SWAP, Op.COPY}) | {
    Op.BUILD_LIST,
    Op.BUILD_SET,
    Op.BUILD_MAP,
}
"""What an inlined comprehension does between `GET_ITER` and `FOR_ITER`."""


@attrs.frozen(eq=False, repr=False)
class Landings:
    """The instructions of a routine in front of which an anchor may be placed."""

    flow: Flow
    allowed: Sequence[bool]

    def may_land(self, index: int) -> bool:
        """Whether an anchor may be placed in front of instruction `index`."""
        return self.allowed[index]

    def after(self, index: int) -> list[int]:
        """The first places to land once instruction `index` has run and raised nothing, on all paths, in order.

        What lies in between runs as written.  A path that returns or raises first has no place to land.
        """
        return self._search(self.flow.successors(index), raising=False)

    def after_raising(self, index: int) -> list[int]:
        """The first places to land once instruction `index` has raised, in the handlers that then run, in order.

        A handler that raises again before there is a place to land leads on to the one around it.
        """
        handler = self.flow.handlers[index]
        return [] if handler < 0 else self._search([handler], raising=True)

    def after_break(self, index: int, *, raises: bool = False) -> list[int]:
        """The first places to land wherever instruction `index` leads that is left to Python.

        Into handlers if it `raises` for certain, or if an `except` clause is there for what it may raise; and to the
        end of an asynchronous loop, which an exception tells.
        """
        surely = raises or self.flow.routine.instructions[index].op in _RAISING
        found = self._search([*self.flow.successors(index), *self._async_end(index)], raising=True)
        if surely or self._is_caught(index):
            found = sorted({*found, *self.after_raising(index)})
        return found

    def _search(self, starts: list[int], *, raising: bool) -> list[int]:
        """The first places to land from `starts` on; with `raising`, also by way of what raises for certain."""
        flow, allowed = self.flow, self.allowed
        waiting = list(starts)
        seen = set(waiting)
        found = []
        while waiting:
            place = waiting.pop()
            if allowed[place]:
                found.append(place)
                continue
            successors = flow.successors(place)
            if raising:
                successors += self._async_end(place)
                if flow.handlers[place] >= 0 and flow.routine.instructions[place].op in _RAISING:
                    successors.append(flow.handlers[place])
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)
        found.sort()
        return found

    def _async_end(self, index: int) -> list[int]:
        """The end of the asynchronous loop whose next item the instruction helps to get."""
        handler = self.flow.handlers[index]
        is_end = handler >= 0 and self.flow.routine.instructions[handler].op is Op.END_ASYNC_FOR
        return [handler] if is_end else []

    def _is_caught(self, index: int) -> bool:
        """Whether the first handler with a purpose of its own for what the instruction may raise is an `except`."""
        flow, passed = self.flow, set[int]()
        handler = flow.handlers[index]
        while handler >= 0 and handler not in passed:
            passed.add(handler)
            kind = classify_handler(flow.routine.instructions, handler)
            if kind not in (HandlerKind.RESTORE, HandlerKind.PASS):
                return kind is HandlerKind.EXCEPT
            handler = flow.handlers[handler]
        return False


def compute_landings(
    routine: Routine, flow: Flow | None = None, stack: StackMap | None = None, *, above_exits: bool = False
) -> Landings:
    """The landing points of `routine`; `flow` and `stack` are its control flow and stack map if they are at hand.

    There no stack entry is NULL, or may be.  With `above_exits`, the exit functions of open `with` statements may have
    a NULL beside them, as they do from 3.14 on: whoever lands there must leave these entries alone.

    Raises `BytecodeError` as the other analyses do.
    """
    flow = compute_flow(routine) if flow is None else flow
    stack = compute_stack(routine) if stack is None else stack
    covering, entries = find_covering(flow)
    kinds = [classify_handler(routine.instructions, entry) for entry in entries]
    allowed = _allow_ops(routine.instructions)
    for entry in entries:
        allowed[entry] = False
    _forbid_windows(flow, covering, entries, kinds, allowed)
    for index in range(len(allowed)):
        if allowed[index]:
            if stack.depth(index) < 0:
                allowed[index] = False
            elif nulls := stack.nulls(index):
                kept = _exit_entries(flow, covering, entries, kinds, index) if above_exits else set()
                allowed[index] = kept.issuperset(nulls)
    return Landings(flow, allowed)


def may_land(routine: Routine, index: int) -> bool:
    """As `Landings.may_land`; analyses the whole routine: keep `Landings` if more than one answer is needed."""
    return compute_landings(routine).may_land(index)


def landings_after(routine: Routine, index: int) -> list[int]:
    """As `Landings.after`; analyses the whole routine, as `may_land` does."""
    return compute_landings(routine).after(index)


def _allow_ops(instructions: Sequence[Instruction]) -> list[bool]:
    """What can be told from the instructions themselves and their neighbours."""
    allowed = []
    following: Sequence[Instruction | None] = [*instructions[1:], None]
    for instruction, after in zip(instructions, following, strict=True):
        group = instruction.group
        if _NEVER_BY_INDEX[instruction.op.index] or instruction.position is None:
            allowed.append(False)
        elif group is not None and len(group.neutral) > 1 and instruction in group.neutral[1:]:
            allowed.append(False)
        elif after is not None and (after.op is Op.SEND or after.op is Op.YIELD_VALUE):
            # The LOAD_CONST between GET_AWAITABLE and its SEND; 3.11's ASYNC_GEN_WRAP is tied to its yield.
            allowed.append(after.op is Op.YIELD_VALUE and instruction.op is not Op.CALL_INTRINSIC_1)
        else:
            allowed.append(True)
    for index, instruction in enumerate(instructions):
        if instruction.op is Op.GET_ITER:
            # Here 3.13 reports one exception more to tracers when a generator ends.
            end = index + 1
            while end < len(instructions) and instructions[end].op in _BEFORE_LOOP:
                end += 1
            if end < len(instructions) and instructions[end].op is Op.FOR_ITER:
                allowed[index + 1 : end] = [False] * (end - index - 1)
    return allowed


def _exit_entries(
    flow: Flow, covering: Nest, entries: Sequence[int], kinds: Sequence[HandlerKind], index: int
) -> set[int]:
    """The stack entries that the exit functions of the `with` statements open at `index` take."""
    found: set[int] = set()
    instructions = flow.routine.instructions
    for node in covering.chain(flow.block_of[index]):
        if kinds[node] is HandlerKind.WITH:
            depth = _depth_of(flow, entries[node])
            found.update(range(depth - (instructions[entries[node] + 1].arg - 3), depth))
    return found


def _depth_of(flow: Flow, entry: int) -> int:
    """The depth to which the handler at `entry` cuts the stack."""
    handler = flow.routine.instructions[next(flow.covered(entry))].handler
    return 0 if handler is None else handler.depth


# -- cleaning up may not be interrupted ------------------------------------------------------------------------------
#
# Between the end of what a `with` or `finally` protects and the call that cleans up, CPython does not look for
# interrupts: a KeyboardInterrupt comes before the end, where the handler still covers, or after the call.  The calls
# in an anchor would let it in between, and the cleaning up would not be done.  The same holds for the end of an
# `except ... as` clause and of an inlined comprehension, which put slots and the handled exception back.

_PAUSES: Final = frozenset({Op.CALL, Op.CALL_KW, Op.CALL_FUNCTION_EX, Op.WITH_EXCEPT_START, Op.SEND})
_PUTS_BACK: Final = frozenset(
    {Op.NOP, Op.SWAP, Op.COPY, Op.POP_TOP, Op.END_FOR, Op.LOAD_CONST, Op.STORE_FAST, Op.DELETE_FAST, Op.POP_EXCEPT}
)
_SHORT: Final = 16
"""How many instructions at most it takes to get from the end of a `with` to the call of its exit, and the like."""


def _forbid_windows(
    flow: Flow, covering: Nest, entries: Sequence[int], kinds: Sequence[HandlerKind], allowed: list[bool]
) -> None:
    """Forbid the instructions that clean up, up to the first place where CPython may be interrupted itself."""
    cleaning = {
        node: [entries[node]] for node, kind in enumerate(kinds) if kind not in (HandlerKind.EXCEPT, HandlerKind.PASS)
    }
    if not cleaning:
        return
    for number, block in enumerate(flow.blocks):
        for successor in block.successors:
            if flow.blocks[successor].handler != block.handler:
                kept = covering.chain(successor)
                for node in covering.chain(number):
                    if node in cleaning and node not in kept:
                        cleaning[node].append(flow.blocks[successor].start)
    for node, places in cleaning.items():
        _forbid_window(flow, covering, node, kinds[node], places, allowed)


def _forbid_window(
    flow: Flow, covering: Nest, node: int, kind: HandlerKind, starts: list[int], allowed: list[bool]
) -> None:
    """Forbid what follows each of `starts`, where the handler `node` covers no longer."""
    instructions = flow.routine.instructions
    limit = _SHORT
    if kind is HandlerKind.FINALLY:
        limit += _length_of_clause(instructions, starts[0])
    seen: set[int] = set()
    for start in starts:
        waiting = deque([start])
        passed = 0
        while waiting and passed < limit:
            index = waiting.popleft()
            op = instructions[index].op
            if index in seen or node in covering.chain(flow.block_of[index]):
                continue
            if kind is HandlerKind.RESTORE and op not in _PUTS_BACK:
                continue
            seen.add(index)
            passed += 1
            allowed[index] = False
            if op not in _PAUSES:
                waiting.extend(flow.successors(index))


def _length_of_clause(instructions: Sequence[Instruction], entry: int) -> int:
    """How long the `finally` clause is whose copy for exceptions begins at `entry`."""
    end = entry + 1
    while end < len(instructions) and instructions[end].op not in (Op.RERAISE, Op.PUSH_EXC_INFO):
        end += 1
    return end - entry
