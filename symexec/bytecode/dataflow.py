"""The shape of the frame before every instruction of a routine: depth, NULLs, bound and unbound slots.

One forward pass over the control flow, exception edges from every covered instruction included, until nothing
changes.  `verify` and the analyses read the result.
"""

from __future__ import annotations

from heapq import heappop, heappush

import attrs

from symexec.bytecode.emission import group_start
from symexec.bytecode.model import Handler, Instruction, Label, Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.states import (
    BOOL,
    ENTRY,
    ENTRY_BITS,
    NULL,
    PLAIN,
    TRANSFERS,
    VALUE,
    Layout,
    State,
    drop,
    entry_state,
    step,
)
from symexec.errors import VerifyError

TERMINAL = tuple(op.effect.terminal for op in Op)

_QUIET = {Op.NOP, Op.COPY, Op.SWAP, Op.POP_TOP, Op.STORE_FAST, Op.JUMP, Op.JUMP_NO_INTERRUPT}
_QUIET |= {Op.LOAD_FAST_AND_CLEAR, Op.MAKE_CELL}
QUIET = tuple(op in _QUIET for op in Op)
"""Ops that never raise (but for want of memory), with which an inlined comprehension saves a slot and puts it back.

While it uses the slot of a cell for a variable of its own, the handlers around it still find the cell there.
"""


@attrs.frozen(eq=False)
class FrameShape:
    """What is known of a frame before an instruction runs.

    Stack entries count from the bottom.  "May" is over all paths that lead there.
    """

    depth: int
    slot_count: int
    _stack: int
    _slots: int

    def may_be_null(self, entry: int) -> bool:
        """Whether the stack entry may be NULL."""
        return bool(self._stack >> ENTRY_BITS * entry & NULL)

    def may_be_value(self, entry: int) -> bool:
        """Whether the stack entry may be an object."""
        return bool(self._stack >> ENTRY_BITS * entry & (ENTRY ^ NULL))

    def is_bool(self, entry: int) -> bool:
        """Whether the stack entry is `True` or `False` for certain."""
        return self._stack >> ENTRY_BITS * entry & ENTRY == BOOL

    def may_be_unbound(self, slot: int) -> bool:
        """Whether the slot may be unbound."""
        return bool(self._slots >> slot & 1)

    def may_be_bound(self, slot: int) -> bool:
        """Whether the slot may be bound."""
        return bool(self._slots >> self.slot_count + slot & 1)

    @property
    def unbound_mask(self) -> int:
        """Bit `s` is set if slot `s` may be unbound."""
        return self._slots & (1 << self.slot_count) - 1

    @property
    def bound_mask(self) -> int:
        """Bit `s` is set if slot `s` may be bound."""
        return self._slots >> self.slot_count


@attrs.define(eq=False, repr=False)
class Dataflow:
    """The shapes of one routine, made by `trace_shapes`."""

    routine: Routine
    layout: Layout
    places: dict[int, int]  # index of each instruction, by its id
    starts: list[int]  # the first instruction of each stretch; one more at the end
    stretch_of: list[int]  # for each instruction, the stretch that it starts; -1 for those inside one
    states: list[State | None]  # at the start of each stretch; `None`: never reached
    _queued: list[bool]
    _queue: list[int] = attrs.Factory(list)

    def shapes(self) -> list[FrameShape | None]:
        """The shape before every instruction; `None` where control never comes."""
        found: list[FrameShape | None] = []
        slot_count = self.layout.slot_count
        instructions = self.routine.instructions
        for stretch, state in enumerate(self.states):
            for index in range(self.starts[stretch], self.starts[stretch + 1]):
                if state is None:
                    found.append(None)
                else:
                    found.append(FrameShape(state[0], slot_count, state[1], state[2]))
                    state = step(instructions[index], state, self.layout)
        return found

    def deepest(self) -> int:
        """The deepest that the stack gets."""
        return max((shape.depth for shape in self.shapes() if shape is not None), default=0)

    def run(self) -> None:
        """Carry states along all paths until nothing changes; `VerifyError` at the first fault."""
        while self._queue:
            stretch = heappop(self._queue)
            self._queued[stretch] = False
            state = self.states[stretch]
            if state is not None:
                self._carry(self.starts[stretch], self.starts[stretch + 1], state)

    def _carry(self, start: int, end: int, state: State) -> None:
        """Carry `state` from `start` to `end`, from there on, and to the handlers on the way."""
        instructions, layout, kept = self.routine.instructions, self.layout, ~self.layout.cells
        depth, stack, slots = state
        handler: Handler | None = None
        handler_depth = seen_stack = seen_slots = 0
        index = start
        try:
            for index in range(start, end):
                instruction = instructions[index]
                if instruction.handler is not handler:
                    self._enter_handler(handler, seen_stack, seen_slots)
                    handler = instruction.handler
                    handler_depth = 0 if handler is None else handler.depth
                    seen_stack = seen_slots = 0
                if depth < handler_depth:
                    raise VerifyError(f"the stack has {depth} entries, its handler wants {handler_depth}")
                seen_stack |= stack
                quiet = QUIET[instruction.op.index] and (instruction.op is not Op.JUMP or self._goes_forward(index))
                seen_slots |= slots & kept if quiet else slots
                plain = PLAIN[instruction.op.index]
                if plain is None:
                    depth, stack, slots = TRANSFERS[instruction.op.index](instruction, (depth, stack, slots), layout)
                    continue
                popped, mask, pushed, bits = plain
                if popped:
                    depth -= popped
                    shift = ENTRY_BITS * depth
                    if depth < 0 or stack >> shift & mask:
                        raise VerifyError("the stack is too short" if depth < 0 else "a value that may be NULL is used")
                    stack &= (1 << shift) - 1
                if pushed:
                    stack |= bits << ENTRY_BITS * depth
                    depth += pushed
            self._enter_handler(handler, seen_stack, seen_slots)
            self._leave(index, (depth, stack, slots))
        except VerifyError as error:
            raise VerifyError(describe_fault(self.routine, index, str(error))) from None

    def _goes_forward(self, index: int) -> bool:
        """Whether the jump at `index` goes forward, so that it does not poll for interrupts."""
        target = self.routine.instructions[index].target
        return target is not None and self.place(target) > index

    def _leave(self, index: int, state: State) -> None:
        """Carry the state after the last instruction of a stretch to where control goes from there."""
        instruction = self.routine.instructions[index]
        if not TERMINAL[instruction.op.index]:
            self._meet(index + 1, state)
        if instruction.target is not None:
            self._meet(self.place(instruction.target), drop(state, 2) if instruction.op is Op.FOR_ITER else state)

    def _enter_handler(self, handler: Handler | None, stack: int, slots: int) -> None:
        """Carry what was seen while `handler` covered to its entry: cut to its depth, lasti and exception pushed."""
        if handler is not None:
            pushed = 2 if handler.push_lasti else 1
            cut = stack & (1 << ENTRY_BITS * handler.depth) - 1
            top = (VALUE | VALUE << ENTRY_BITS) if handler.push_lasti else VALUE
            stack = cut | top << ENTRY_BITS * handler.depth
            self._meet(self.place(handler.label), (handler.depth + pushed, stack, slots))

    def _meet(self, index: int, state: State) -> None:
        """Join `state` with what else comes to the instruction at `index`, which starts a stretch."""
        stretch = self.stretch_of[index] if index < len(self.stretch_of) else -1
        if stretch < 0:
            raise VerifyError("control runs off the end")
        known = self.states[stretch]
        if known is not None:
            if known[0] != state[0]:
                raise VerifyError(f"{state[0]} entries on the stack where another path has {known[0]} (at {index})")
            state = (state[0], known[1] | state[1], known[2] | state[2])
            if state == known:
                return
        self.states[stretch] = state
        if not self._queued[stretch]:
            self._queued[stretch] = True
            heappush(self._queue, stretch)

    def start(self) -> None:
        """Carry the state after the prefix to the first instruction, and to the handler of `RESUME 0`."""
        routine = self.routine
        bound = (1 << routine.parameter_count) - 1
        for slot in (*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))):
            bound |= 1 << slot
        state = entry_state(len(routine.slots), bound)
        self._meet(0, state)
        if routine.entry_handler is not None and routine.entry_handler.depth:
            raise VerifyError(describe_fault(routine, 0, "the handler of RESUME 0 wants entries on an empty stack"))
        self._enter_handler(routine.entry_handler, state[1], state[2])

    def place(self, label: Label) -> int:
        """The index of the instruction that `label` names; `VerifyError` if it is not in the routine."""
        found = self.places.get(id(label.instruction))
        if found is None:
            raise VerifyError(f"{label!r} is not in the routine")
        return found


def describe_fault(routine: Routine, index: int, reason: str) -> str:
    """A message that says where in `routine` the fault lies."""
    instruction = routine.instructions[index]
    line = "?" if instruction.position is None else instruction.position.line
    where = f"{routine.filename}:{line}, in {routine.qualified_name}"
    return f"{where}, instruction {index} ({instruction.op.name}): {reason}"


def _has_null(instructions: list[Instruction], index: int) -> bool:
    """Whether the call at `index` is encoded as one with the `PUSH_NULL` before it."""
    if not index or instructions[index - 1].op is not Op.PUSH_NULL:
        return False
    if instructions[index - 1].handler != instructions[index].handler:
        return False
    start = group_start(instructions, index - 1)
    return start == group_start(instructions, index)


def _is_original(instructions: list[Instruction], index: int) -> bool:
    """Whether a jump and the comparison before it were decoded: 3.14 has some that give a bool by agreement only."""
    return group_start(instructions, index) >= 0 and group_start(instructions, index - 1) >= 0


def trace_shapes(routine: Routine) -> Dataflow:
    """The shape of the frame before every instruction of `routine`; `VerifyError` where it is not safe to run."""
    instructions = routine.instructions
    places = {id(instruction): index for index, instruction in enumerate(instructions)}
    leads = [False] * (len(instructions) + 1)
    leads[0] = True
    labels = [routine.entry_handler.label] if routine.entry_handler is not None else []
    calls, jumps = [], []
    handler: Handler | None = None
    for index, instruction in enumerate(instructions):
        if instruction.target is not None:
            labels.append(instruction.target)
            leads[index + 1] = True
            if index and instructions[index - 1].op is Op.COMPARE_OP:
                jumps.append(index)
        elif TERMINAL[instruction.op.index]:
            leads[index + 1] = True
        if instruction.handler is not handler:
            handler = instruction.handler
            if handler is not None:
                labels.append(handler.label)
        if instruction.op is Op.CALL_FUNCTION_EX:
            calls.append(index)
    for label in labels:
        place = places.get(id(label.instruction), -1)
        if place >= 0:
            leads[place] = True
    starts = [index for index in range(len(instructions)) if leads[index]]
    stretch_of = [-1] * len(instructions)
    for stretch, index in enumerate(starts):
        stretch_of[index] = stretch
    count = len(starts)
    without_keywords = {
        id(instructions[index]) for index in calls if not leads[index] and _has_null(instructions, index)
    }
    trusted = {id(instructions[index]) for index in jumps if not leads[index] and _is_original(instructions, index)}
    cells = sum(1 << slot for slot in (*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))))
    layout = Layout(len(routine.slots), frozenset(without_keywords), frozenset(trusted), cells)
    found = Dataflow(routine, layout, places, [*starts, len(instructions)], stretch_of, [None] * count, [False] * count)
    found.start()
    found.run()
    return found
