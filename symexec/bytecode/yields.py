"""Rules of suspension: what a generator looks for around the place where it stands has to stay together.

`throw` and `close` look for the `RESUME` after a `YIELD_VALUE`; in 3.11 also for the `SEND` before it, and make its
jump themselves, by its last byte alone.
"""

from __future__ import annotations

import attrs

from symexec.bytecode.dialect import Operands, Rules, jump_of, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.jumps import target_of
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.bytecode.rules import expand_resume
from symexec.errors import DecodeError, EncodeError


@attrs.frozen(eq=False)
class Suspension:
    """`YIELD_VALUE` and its `RESUME` are one group, with the `SEND` before them if there is one."""

    send: int
    yields: int
    resumes: int
    has_argument: bool  # of `YIELD_VALUE`

    def _take_yield(self, raws: list[RawInstruction], index: int, operands: Operands) -> tuple[Instruction, ...]:
        run = raws[index : index + 2]
        if [raw.opcode for raw in run] != [self.yields, self.resumes]:
            raise DecodeError("a yield without its RESUME, or a SEND without its yield")
        value = neutral(Op.YIELD_VALUE, run[0], run[0].arg if self.has_argument else 0)
        return (value, *expand_resume(run[1], operands))

    def join_yield(
        self, raws: list[RawInstruction], index: int, operands: Operands
    ) -> tuple[int, tuple[Instruction, ...]]:
        """A yield of the generator's own."""
        return 2, self._take_yield(raws, index, operands)

    def join_send(
        self, raws: list[RawInstruction], index: int, operands: Operands
    ) -> tuple[int, tuple[Instruction, ...]]:
        """A value sent on to another generator, and the yield of what it gave."""
        return 3, (jump_of(Op.SEND, raws[index]), *self._take_yield(raws, index + 1, operands))

    def lower_yield(self, emission: Emission, index: int) -> int:
        """`YIELD_VALUE` and `RESUME`."""
        instruction = emission.instructions[index]
        resume = emission.following(index, Op.RESUME, any_handler=True)
        if resume is None or resume.arg & 3 == 0:
            raise EncodeError("YIELD_VALUE has to be followed by its RESUME")
        emission.put(self.yields, instruction.arg if self.has_argument else 0, instruction)
        emission.put(self.resumes, resume.arg, resume)
        return 2

    def lower_send(self, emission: Emission, index: int) -> int:
        """`SEND`, `YIELD_VALUE` and `RESUME`."""
        instruction = emission.instructions[index]
        target = target_of(instruction)
        landed = target.instruction
        if landed is None or landed.op is not Op.END_SEND or emission.is_backward(index, target):
            raise EncodeError("SEND has to land on an END_SEND after it")
        if emission.following(index, Op.YIELD_VALUE, any_handler=True) is None:
            raise EncodeError("SEND has to be followed by its YIELD_VALUE")
        emission.put(self.send, 0, instruction, target)
        return 1 + self.lower_yield(emission, index + 1)


def add_yield_rules(rules: Rules) -> None:
    """How generators and coroutines are suspended."""
    opcodes = rules.opcodes
    suspension = Suspension(
        opcodes["SEND"], opcodes["YIELD_VALUE"], opcodes["RESUME"], has_argument=rules.version >= (3, 12)
    )
    rules.join("YIELD_VALUE", suspension.join_yield)
    rules.join("SEND", suspension.join_send)
    rules.lower(Op.YIELD_VALUE, suspension.lower_yield)
    rules.lower(Op.SEND, suspension.lower_send)
