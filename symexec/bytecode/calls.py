"""Rules of calls, where versions until 3.12 or 3.13 need several opcodes or flags for one."""

from __future__ import annotations

import attrs

from symexec.bytecode.dialect import Operands, Rules, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.errors import DecodeError


@attrs.frozen(eq=False)
class JoinedCall:
    """Until 3.12: `KW_NAMES` and (3.11) `PRECALL` ahead of `CALL` are one group with it."""

    kw_names: int
    load_const: int
    call: tuple[int, ...]  # the opcodes of a call, all with the number of arguments

    def _take(self, raws: list[RawInstruction], index: int) -> RawInstruction:
        run = raws[index : index + len(self.call)]
        if tuple(raw.opcode for raw in run) != self.call or any(raw.arg != run[0].arg for raw in run):
            raise DecodeError("a call is not whole")
        return run[-1]

    def join_named(
        self, raws: list[RawInstruction], index: int, operands: Operands
    ) -> tuple[int, tuple[Instruction, ...]]:
        """A call with keywords, whose names come first."""
        call = self._take(raws, index + 1)
        names = neutral(Op.LOAD_CONST, call, const=operands.constants[raws[index].arg])
        return len(self.call) + 1, (names, neutral(Op.CALL_KW, call, call.arg))

    def join_plain(
        self, raws: list[RawInstruction], index: int, _operands: Operands
    ) -> tuple[int, tuple[Instruction, ...]]:
        """A call without keywords."""
        call = self._take(raws, index)
        return len(self.call), (neutral(Op.CALL, call, call.arg),)

    def _put(self, emission: Emission, instruction: Instruction) -> None:
        for opcode in self.call:
            emission.put(opcode, instruction.arg, instruction)

    def lower_call(self, emission: Emission, index: int) -> int:
        """A call without keywords."""
        self._put(emission, emission.instructions[index])
        return 1

    def lower_constant(self, emission: Emission, index: int) -> int:
        """A constant, with the call after it if it holds the names of its keywords."""
        instruction = emission.instructions[index]
        place = emission.constants.index(instruction.const)
        call = emission.following(index, Op.CALL_KW)
        if call is None:
            emission.put(self.load_const, place, instruction)
            return 1
        emission.put(self.kw_names, place, call)
        self._put(emission, call)
        return 2


def add_joined_calls(rules: Rules, *call: str) -> None:
    """Until 3.12: calls of several opcodes; `call` are those of one without keywords."""
    opcodes = rules.opcodes
    joined = JoinedCall(opcodes["KW_NAMES"], opcodes["LOAD_CONST"], tuple(opcodes[name] for name in call))
    rules.join("KW_NAMES", joined.join_named)
    rules.join(call[0], joined.join_plain)
    rules.lower(Op.CALL, joined.lower_call)
    rules.lower(Op.LOAD_CONST, joined.lower_constant)
    rules.cannot_express("the names of a keyword call have to be a constant, right before it", Op.CALL_KW)


def expand_call_function_ex(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
    """Until 3.13: the lowest bit says whether there are keywords; without, they are NULL here."""
    call = neutral(Op.CALL_FUNCTION_EX, raw)
    return (call,) if raw.arg & 1 else (neutral(Op.PUSH_NULL, raw), call)


def add_call_function_ex_rules(rules: Rules) -> None:
    """Until 3.13: a NULL for the keywords is pushed right before the call or not at all."""
    null, call = rules.opcodes["PUSH_NULL"], rules.opcodes["CALL_FUNCTION_EX"]

    def lower_null(emission: Emission, index: int) -> int:
        found = emission.following(index, Op.CALL_FUNCTION_EX)
        if found is None:
            emission.put(null, 0, emission.instructions[index])
            return 1
        emission.put(call, 0, found)
        return 2

    def lower_call(emission: Emission, index: int) -> int:
        emission.put(call, 1, emission.instructions[index])
        return 1

    rules.expand("CALL_FUNCTION_EX", expand_call_function_ex)
    rules.lower(Op.PUSH_NULL, lower_null)
    rules.lower(Op.CALL_FUNCTION_EX, lower_call)
