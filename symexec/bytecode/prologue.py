"""The prefix of every code object: `[COPY_FREE_VARS] [MAKE_CELL ...] [RETURN_GENERATOR POP_TOP] RESUME 0`.

A small automaton accepts prefix instructions up to the `RESUME 0` and nowhere else.
"""

from __future__ import annotations

from types import CodeType, FrameType

import attrs

from symexec.bytecode.model import Instruction, Position, RawInstruction, Routine, derive_prefix
from symexec.bytecode.ops import Op
from symexec.bytecode.running import DIALECT
from symexec.errors import BytecodeError, DecodeError

LOCATION_BITS = 3
"""The bits of `RESUME`'s argument that say where it stands: 0 at the start, 1 to 3 after a yield or an await."""

STAGES = {Op.COPY_FREE_VARS: 0, Op.MAKE_CELL: 1, Op.RETURN_GENERATOR: 2, Op.POP_TOP: 3, Op.RESUME: 4}
"""Prefix ops in their order."""

PREFIX_CODES = {DIALECT.opcodes[op.name]: op for op in STAGES}
"""Prefix ops by opcode of the running Python."""


@attrs.define(eq=False)
class Prologue:
    """The automaton: shown the instructions of a routine one by one, it accepts the prefix and watches the rest.

    `accepting` is true until `RESUME 0` was seen; `prefix` holds what was accepted, in order.
    """

    accepting: bool = True
    prefix: list[Instruction] = attrs.Factory(list)

    def meet(self, instruction: Instruction) -> bool:
        """Take the next instruction: whether it belongs to the prefix.

        `BytecodeError` for one that is out of place: in the prefix, anything but prefix instructions in their order;
        after it, `COPY_FREE_VARS`, `RETURN_GENERATOR` or a second `RESUME 0`.
        """
        if self.accepting:
            self._accept(instruction)
            return True
        op = instruction.op
        if op is Op.COPY_FREE_VARS or op is Op.RETURN_GENERATOR:
            raise BytecodeError(f"{op.name} after RESUME 0")
        if op is Op.RESUME and not instruction.arg & LOCATION_BITS:
            raise BytecodeError("RESUME 0 twice")
        return False

    def _accept(self, instruction: Instruction) -> None:
        op = instruction.op
        stage = STAGES.get(op, -1)
        last = self.prefix[-1].op if self.prefix else None
        in_order = last is None or STAGES[last] < stage or (op is Op.MAKE_CELL and last is Op.MAKE_CELL)
        if stage < 0 or not in_order or (op is Op.POP_TOP) != (last is Op.RETURN_GENERATOR):
            raise BytecodeError(f"{op.name} in the prefix, after {'nothing' if last is None else last.name}")
        if op is Op.RESUME:
            if instruction.arg & LOCATION_BITS:
                raise BytecodeError(f"RESUME {instruction.arg} before RESUME 0")
            self.accepting = False
        self.prefix.append(instruction)


def read_prefix(raws: list[RawInstruction]) -> list[Instruction]:
    """The prefix that `raws` begin with, as neutral instructions; `DecodeError` if there is none."""
    prologue = Prologue()
    for raw in raws:
        op = PREFIX_CODES.get(raw.opcode)
        if op is None:
            break
        try:
            prologue.meet(Instruction(op, raw.arg))
        except BytecodeError as error:
            raise DecodeError(str(error)) from None
        if not prologue.accepting:
            return prologue.prefix
    raise DecodeError("there is no RESUME 0 where one has to be")


def raw_prefix(routine: Routine) -> list[RawInstruction]:
    """The derived prefix of `routine`, with the positions that the compiler gives it."""
    line = routine.first_line
    found = routine.source.prefix if routine.source is not None else ()
    start = found[-1].position if found else Position(line, line, 0, 0)
    raws = []
    for instruction in derive_prefix(routine):
        op = instruction.op
        position: Position | None = None
        if op is Op.RESUME:
            position = start
        elif op is Op.RETURN_GENERATOR or op is Op.POP_TOP:
            position = Position(line, line, -1, -1)
        opcode = DIALECT.opcodes[op.name]
        raws.append(RawInstruction(opcode, instruction.arg, None, position, instruction.handler))
    same = len(found) == len(raws) and all(
        old.opcode == new.opcode and old.arg == new.arg for old, new in zip(found, raws, strict=True)
    )
    if same and found[-1].handler == routine.entry_handler:
        return list(found)
    return raws


def first_real_instruction(code: CodeType) -> int:
    """The index of `RESUME 0`, in 2-byte units: a frame that stands before it has not begun.

    `DecodeError` if `code` has none.
    """
    units = code.co_code
    extended, resume = DIALECT.extended_arg, DIALECT.opcodes["RESUME"]
    for at in range(0, len(units) - 1, 2):
        opcode = units[at]
        if opcode == resume:
            if units[at + 1] & LOCATION_BITS:
                break
            return at // 2
        if opcode != extended and opcode not in PREFIX_CODES:
            break
    raise DecodeError(f"{code.co_qualname} has no RESUME 0 where one has to be")


def has_begun(frame: FrameType) -> bool:
    """Whether `frame` has got to its first real instruction: such a frame cannot be taken over."""
    return frame.f_lasti // 2 >= first_real_instruction(frame.f_code)
