"""Random routines whose stacks make sense, and frames that run them by hand.

A frame is concrete: each slot and each stack entry holds nothing, a value or a cell; branches, and whether an
instruction raises, are chosen at random.  What an analysis says has to hold for every frame that is met.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import Enum

import attrs
from hypothesis import strategies as st

from symexec.bytecode.dataflow import QUIET
from symexec.bytecode.effects import Operand
from symexec.bytecode.model import Handler, Instruction, Label, Position, Routine
from symexec.bytecode.ops import JUMPS, Op
from symexec.bytecode.running import DIALECT
from tests.analysis.programs import SLOTS, routine_of

_PLACE = Position(1, 1, 0, 1)


class Content(Enum):
    NOTHING = 0  # NULL, or an unbound slot
    VALUE = 1
    CELL = 2


@attrs.define
class _Draft:
    """A block of a random routine being written."""

    depth: int
    instructions: list[Instruction] = attrs.Factory(list)
    lowest: int = 0

    def add(self, op: Op, arg: int = 0, const: object = None, target: Label | None = None) -> None:
        instruction = Instruction(op, arg, const=const, target=target, position=_PLACE)
        if op.effect.operand is Operand.NAME:
            instruction.name = "name"
        self.instructions.append(instruction)
        self.depth += op.effect.delta(arg)
        self.lowest = min(self.lowest, self.depth)

    def settle(self, depth: int, slot: int) -> None:
        """Come to `depth`, whatever is on the stack."""
        while self.depth > depth:
            self.add(Op.STORE_FAST, slot)
        while self.depth < depth:
            self.add(Op.LOAD_CONST)


def _write(draw: st.DrawFn, draft: _Draft) -> None:
    slot = st.integers(0, len(SLOTS) - 1)
    for choice in draw(st.lists(st.integers(0, 9), max_size=6)):
        if choice <= 1:
            draft.add(Op.LOAD_FAST, draw(slot))
        elif choice <= 3 and draft.depth:
            draft.add(Op.STORE_FAST, draw(slot))
        elif choice == 4:
            draft.add(Op.DELETE_FAST, draw(slot))
        elif choice == 5:
            draft.add(Op.LOAD_FAST_AND_CLEAR, draw(slot))
        elif choice == 6:
            draft.add(Op.MAKE_CELL, draw(slot))
        elif choice == 7 and draft.depth > 1:
            draft.add(Op.SWAP, draw(st.integers(1, draft.depth)))
        elif choice == 8:
            draft.add(Op.PUSH_NULL)
        elif choice == 9:
            draft.add(Op.LOAD_CONST)
            draft.add(Op.LOAD_METHOD)


@st.composite
def sound_routines(draw: st.DrawFn) -> Routine:
    """Routines that are safe to run: they use no NULL, and all paths agree on the depth of the stack."""
    count = draw(st.integers(1, 5))
    depths = [0, *(draw(st.integers(0, 3)) for _ in range(count - 1))]
    labels = [Label() for _ in depths]
    handler_depth, push_lasti = draw(st.integers(0, 2)), draw(st.booleans())
    handler = Handler(Label(), handler_depth, push_lasti)
    drafts = [_Draft(depth, lowest=depth) for depth in depths]
    drafts.append(_Draft(handler_depth + push_lasti + 1))
    indices, slot = st.integers(0, count - 1), st.integers(0, len(SLOTS) - 1)
    for number, draft in enumerate(drafts):
        _write(draw, draft)
        target = draw(indices)
        ending = draw(st.integers(0, 2))
        if ending == 0 and number < count - 1 and depths[target] == depths[number + 1]:
            draft.settle(depths[target], draw(slot))
            draft.add(Op.LOAD_CONST, const=True)
            draft.add(Op.POP_JUMP_IF_TRUE, target=labels[target])
        elif ending == 1:
            draft.settle(depths[target], draw(slot))
            draft.add(Op.JUMP, target=labels[target])
        else:
            draft.settle(0, draw(slot))
            draft.add(Op.LOAD_CONST)
            draft.add(Op.RETURN_VALUE)
    for label, draft in zip([*labels, handler.label], drafts, strict=True):
        label.instruction = draft.instructions[0]
    for draft in drafts[:-1]:
        if draft.lowest >= handler_depth and draw(st.booleans()):
            for instruction in draft.instructions[draw(st.integers(0, 3)) :]:
                instruction.handler = handler
    return routine_of([instruction for draft in drafts for instruction in draft.instructions])


@attrs.define
class Frame:
    """A frame in front of instruction `index`."""

    index: int
    stack: list[Content]
    slots: list[Content]


def entry_frame(routine: Routine) -> Frame:
    slots = [Content.VALUE] * routine.parameter_count
    slots += [Content.NOTHING] * (len(routine.slots) - len(slots))
    for slot in [*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))]:
        slots[slot] = Content.CELL
    return Frame(0, [], slots)


def run(routine: Routine, seed: int, longest: int = 60) -> Iterator[Frame]:
    """The frames of one run, the same object changed from one to the next."""
    chance = random.Random(seed)
    where = {id(instruction): index for index, instruction in enumerate(routine.instructions)}
    frame = entry_frame(routine)
    for _ in range(longest):
        yield frame
        instruction = routine.instructions[frame.index]
        raises = (chance.random() < 0.2 and not QUIET[instruction.op.index]) or not _step(frame, instruction, chance)
        if raises:
            handler = instruction.handler
            if handler is None:
                return
            pushed = [Content.VALUE] * (handler.push_lasti + 1)
            frame.stack[handler.depth :] = pushed
            frame.index = where[id(handler.label.instruction)]
        elif instruction.op is Op.RETURN_VALUE:
            return
        elif instruction.op is Op.JUMP or (instruction.op in JUMPS and chance.random() < 0.5):
            frame.index = where[id(instruction.target.instruction)]
        else:
            frame.index += 1


def _step(frame: Frame, instruction: Instruction, chance: random.Random) -> bool:
    """Run one instruction; whether it succeeded.  If not, nothing has changed."""
    stack, slots, arg = frame.stack, frame.slots, instruction.arg
    match instruction.op:
        case Op.LOAD_FAST:
            if slots[arg] is Content.NOTHING:
                return False
            stack.append(Content.VALUE)
        case Op.STORE_FAST:
            slots[arg] = stack.pop()
        case Op.DELETE_FAST:
            if slots[arg] is Content.NOTHING:
                return False
            slots[arg] = Content.NOTHING
        case Op.LOAD_FAST_AND_CLEAR:
            stack.append(slots[arg])
            slots[arg] = Content.NOTHING
        case Op.MAKE_CELL:
            slots[arg] = Content.CELL
        case Op.SWAP:
            stack[-arg], stack[-1] = stack[-1], stack[-arg]
        case Op.PUSH_NULL:
            stack.append(Content.NOTHING)
        case Op.LOAD_CONST:
            stack.append(Content.VALUE)
        case Op.LOAD_METHOD:
            stack.pop()
            stack += [Content.VALUE, Content.VALUE] if chance.random() < 0.5 else _method_without_self()
        case Op.POP_JUMP_IF_TRUE | Op.RETURN_VALUE:
            stack.pop()
        case Op.JUMP:
            pass
        case other:
            raise AssertionError(other)
    return True


def _method_without_self() -> list[Content]:
    pair = [Content.NOTHING, Content.VALUE]
    return pair[::-1] if DIALECT.null_above_callable else pair
