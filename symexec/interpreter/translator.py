"""`InstructionTranslator`: runs a routine on values, from its entry or from an anchor, to an outcome.

The embeddable centre of the system: routine, frame state, domains and config in; outcome and recording out.  It runs
no user code and changes no user object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import FrameType
from typing import Final

import attrs

from symexec.bytecode.model import Instruction, Routine
from symexec.bytecode.ops import JUMPS, Op
from symexec.bytecode.prologue import has_begun
from symexec.errors import ArgumentError, BreakReason, InternalError
from symexec.interpreter.dispatch import TABLE
from symexec.interpreter.frame import Frame, FrameState, Snapshot
from symexec.interpreter.machine import Machine, MachineMark
from symexec.interpreter.outcomes import Break, Jump, Outcome, Raise, Return, Yield
from symexec.interpreter.protocol.attributes import get_attribute
from symexec.interpreter.protocol.calls import call
from symexec.interpreter.protocol.raising import describe_raised
from symexec.interpreter.unwinding import unwind
from symexec.values.model import Value

KEPT_CHECKPOINTS: Final = 256
EXHAUSTED: Final = "SX9001"


_NEVER_BREAK: Final = frozenset(
    {Op.LOAD_CONST, Op.STORE_FAST, Op.POP_TOP, Op.COPY, Op.SWAP, Op.PUSH_NULL, Op.NOP, Op.END_FOR}
)
_MAY_BREAK: Final = tuple(op not in _NEVER_BREAK for op in Op)


def checkpoint_places(instructions: Sequence[Instruction]) -> list[bool]:
    """In front of which instructions a checkpoint is taken: at the start of each group that may break, and wherever
    something may jump back to.
    """
    places = []
    for instruction in instructions:
        group = instruction.group
        if group is None or len(group.neutral) == 1:
            places.append(_MAY_BREAK[instruction.op.index])
        else:
            places.append(group.neutral[0] is instruction)
    targets = {id(each.target.instruction) for each in instructions if each.target is not None}
    for index, instruction in enumerate(instructions):
        places[index] = places[index] or id(instruction) in targets
    return places


@attrs.frozen(eq=False, repr=False)
class Checkpoint:
    """Everything that it takes to go back: the outermost frame's state and a mark of the recording."""

    snapshot: Snapshot
    mark: MachineMark
    steps: int


@attrs.frozen(eq=False)
class Ending:
    """How a run ended: with the frame's return value, or at an instruction that is left to Python and why."""

    value: Value | None
    reason: BreakReason | None


@attrs.define(eq=False, repr=False)
class Loop:
    """A loop of the outermost frame that is being unrolled: where it was entered, and how far it reaches."""

    entry: Checkpoint
    last: int  # the index of its furthest back edge


class InstructionTranslator:
    """Runs the outermost frame, and all that it inlines, on one machine.

    `state.position` of -1 starts at the entry, with the prefix still to be run; otherwise at that instruction of
    `routine.instructions`, the prefix lying behind.  `accept_prefix` and `prefix` tell whether prefix instructions
    are still accepted and which have been.
    """

    def __init__(self, routine: Routine, state: FrameState, machine: Machine, globals_: Value) -> None:
        self.routine = routine
        self.machine = machine
        self.frame = Frame(routine, state, globals_)
        self.checkpoints: deque[Checkpoint] = deque(maxlen=KEPT_CHECKPOINTS)
        self._loops: dict[int, Loop] = {}  # by the index of the head
        machine.execute = self.execute
        machine.call = call
        machine.get_attribute = get_attribute
        if state.position >= 0:
            self.frame.accepts_prefix = False
            self.frame.accepted.extend(routine.prefix)

    @property
    def accept_prefix(self) -> bool:
        """Whether the outermost frame's `RESUME 0` is still to come."""
        return self.frame.accepts_prefix

    @property
    def prefix(self) -> tuple[Instruction, ...]:
        """The outermost frame's prefix instructions so far, in order."""
        return tuple(self.frame.accepted)

    @staticmethod
    def refuse_begun(frame: FrameType) -> None:
        """Raise `ArgumentError` if the running frame has passed its prefix: such a frame is left alone."""
        if has_begun(frame):
            raise ArgumentError(f"the frame of {frame.f_code.co_qualname} has begun; trace the function from its start")

    def run(self, closure: Sequence[Value] = ()) -> Ending:
        """Run to the end of the outermost frame, or to where it must be left to Python.

        On a break the recording and the frame's state are those just before the instruction that broke.
        """
        machine, frame = self.machine, self.frame
        frame.closure = tuple(closure)
        machine.frames.append(frame)
        try:
            outcome = self._run_prefix(frame) if frame.accepts_prefix else None
            if outcome is None:
                outcome = self._run_outermost()
            return self._end(outcome)
        finally:
            machine.frames.pop()

    def close(self) -> None:
        """Nothing will be run or backed up any more: keep no object of the user's alive."""
        self.checkpoints.clear()
        self._loops.clear()
        self.machine.close()

    def back_up(self) -> bool:
        """Go back to the checkpoint before the last one; `False` if there is none that is kept."""
        if len(self.checkpoints) < 2:
            return False
        self.checkpoints.pop()
        self._restore(self.checkpoints[-1])
        return True

    def explain_obstacle(self, obstacle: str) -> BreakReason:
        """The reason for ending a trace at an earlier place than where it broke."""
        self.machine.frames.append(self.frame)
        try:
            return self.machine.stop("SX1005", f"the trace cannot end later: {obstacle}").reason
        finally:
            self.machine.frames.pop()

    def execute(self, frame: Frame) -> Outcome:
        """Run an inlined frame to its outcome."""
        if frame.accepts_prefix:
            outcome = self._run_prefix(frame)
            if outcome is not None:
                return outcome
        machine, state = self.machine, frame.state
        instructions, limit = frame.routine.instructions, machine.config.instructions
        while True:
            machine.steps += 1
            if machine.steps > limit:
                return self._exhausted()
            instruction = instructions[state.position]
            outcome = TABLE[instruction.op.index](machine, frame, instruction)
            if outcome is None:
                state.position += 1
            elif type(outcome) is Jump:
                self._jump(frame, outcome)
            elif type(outcome) is Raise:
                left = unwind(machine, frame, outcome)
                if left is not None:
                    return left
            else:
                return outcome

    def _run_prefix(self, frame: Frame) -> Outcome | None:
        frame.state.position = 0
        for instruction in frame.routine.prefix:
            if instruction.op is Op.POP_TOP:
                frame.accepted.append(instruction)
            outcome = TABLE[instruction.op.index](self.machine, frame, instruction)
            if outcome is not None:
                return outcome
        return None

    def _run_outermost(self) -> Outcome:
        machine, frame, checkpoints = self.machine, self.frame, self.checkpoints
        state, instructions, limit = frame.state, frame.routine.instructions, machine.config.instructions
        wanted = checkpoint_places(instructions)
        while True:
            instruction = instructions[state.position]
            if (wanted[state.position] or not checkpoints) and not machine.is_handling:
                checkpoints.append(Checkpoint(state.snapshot(), machine.mark(), machine.steps))
            machine.steps += 1
            if machine.steps > limit:
                return self._exhausted()
            outcome = TABLE[instruction.op.index](machine, frame, instruction)
            if outcome is None:
                state.position += 1
            elif type(outcome) is Jump:
                origin = state.position
                self._jump(frame, outcome)
                if state.position <= origin:
                    self._note_back_edge(origin, state.position)
            elif type(outcome) is Raise:
                left = unwind(machine, frame, outcome)
                if left is not None:
                    return left
            else:
                return outcome

    def _note_back_edge(self, origin: int, head: int) -> None:
        """A loop goes round: remember where it was entered, in case it turns out to be too long to unroll."""
        loop = self._loops.get(head)
        if loop is not None:
            loop.last = max(loop.last, origin)
            return
        entry = next((point for point in self.checkpoints if point.snapshot.position == head), None)
        if entry is not None:
            self._loops[head] = Loop(entry, origin)

    def _leave_loop(self) -> None:
        """Go back to where the outermost loop around the current position was entered, if one is being unrolled."""
        position = self.frame.state.position
        around = [loop for head, loop in self._loops.items() if head <= position <= loop.last]
        if around:
            entry = min(around, key=lambda loop: loop.entry.steps).entry
            self.checkpoints.append(entry)

    def _after_back_edge(self) -> bool:
        """Whether the last step before this one was a jump backward, which polls for interrupts natively."""
        if len(self.checkpoints) < 2:
            return False
        before, now = self.checkpoints[-2], self.checkpoints[-1]
        instruction = self.routine.instructions[before.snapshot.position]
        goes_on = before.snapshot.position < now.snapshot.position
        return instruction.op in JUMPS and not goes_on and now.steps - before.steps <= 2

    def _jump(self, frame: Frame, outcome: Jump) -> None:
        target = outcome.label.instruction
        if target is None:
            raise InternalError("a jump to nowhere")
        frame.state.position = self.machine.index(frame.routine)[target]

    def _exhausted(self) -> Break:
        limit = self.machine.config.instructions
        return self.machine.stop(EXHAUSTED, f"{limit} instructions were interpreted, the limit of Config.instructions")

    def _end(self, outcome: Outcome) -> Ending:
        match outcome:
            case Return(value=value):
                return Ending(value, None)
            case Break(reason=reason):
                if reason.code == EXHAUSTED:
                    self._leave_loop()
                elif self._after_back_edge():
                    self.checkpoints.pop()
                self._restore(self.checkpoints[-1])
                return Ending(None, reason)
            case Raise():
                raised = describe_raised(self.machine, outcome)
                reason = self.machine.stop("SX1003", f"it raises {raised}, and Python raises what is not caught").reason
                self._restore(self.checkpoints[-1])
                return Ending(None, reason)
            case Yield():
                reason = self.machine.stop("SX1004", "the generator is suspended").reason
                self._restore(self.checkpoints[-1])
                return Ending(None, reason)
            case _:
                raise InternalError(f"a frame ended with {outcome}")

    def _restore(self, checkpoint: Checkpoint) -> None:
        self.machine.rollback(checkpoint.mark)
        self.machine.steps = checkpoint.steps  # what was interpreted in vain does not count
        self.frame.state.restore(checkpoint.snapshot)
