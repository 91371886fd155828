"""Rules of jumps: two directions, conditions, loops and what they land on."""

from __future__ import annotations

from symexec.bytecode.dialect import Dialect, Expander, Lowering, Operands, Rules, jump_of, lower_plain, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, Label, RawInstruction
from symexec.bytecode.ops import Op
from symexec.errors import DecodeError, EncodeError


def add_unconditional_jumps(rules: Rules) -> None:
    """`JUMP` and `JUMP_NO_INTERRUPT`, forward or backward as the layout has it."""
    forward, backward = rules.opcodes["JUMP_FORWARD"], rules.opcodes["JUMP_BACKWARD"]
    quiet = rules.opcodes["JUMP_BACKWARD_NO_INTERRUPT"]
    rules.expand("JUMP_FORWARD JUMP_BACKWARD", lambda raw, _operands: (jump_of(Op.JUMP, raw),))
    rules.expand("JUMP_BACKWARD_NO_INTERRUPT", lambda raw, _operands: (jump_of(Op.JUMP_NO_INTERRUPT, raw),))
    rules.lower(Op.JUMP, lower_jump(forward, backward))
    rules.lower(Op.JUMP_NO_INTERRUPT, lower_jump(forward, quiet))


def target_of(instruction: Instruction) -> Label:
    """The label of a jump; `EncodeError` if it has none."""
    if instruction.target is None:
        raise EncodeError(f"{instruction.op.name} without a target")
    return instruction.target


def lower_jump(forward: int, backward: int) -> Lowering:
    """A jump that exists in both directions."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        target = target_of(instruction)
        emission.put(backward if emission.is_backward(index, target) else forward, 0, instruction, target)
        return 1

    return lower


def lower_forward_jump(opcode: int, landing: Op | None) -> Lowering:
    """A jump that exists forward only, and must land on `landing` if that is given."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        target = target_of(instruction)
        name = instruction.op.name
        if emission.is_backward(index, target):
            raise EncodeError(f"{name} cannot go backward")
        landed = target.instruction
        if landing is not None and (landed is None or landed.op is not landing):
            raise EncodeError(f"{name} has to land on {landing.name}")
        emission.put(opcode, 0, instruction, target)
        return 1

    return lower


CONDITIONS = (
    (Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE),
    (Op.POP_JUMP_IF_FALSE, Op.POP_JUMP_IF_TRUE),
    (Op.POP_JUMP_IF_NONE, Op.POP_JUMP_IF_NOT_NONE),
    (Op.POP_JUMP_IF_NOT_NONE, Op.POP_JUMP_IF_NONE),
)
"""Conditional jumps, each with its opposite."""


def lower_forward_condition(opcode: int, opposite: int, backward: int) -> Lowering:
    """A conditional jump that exists forward only: backward, its opposite jumps over a `backward` one."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        target = target_of(instruction)
        if not emission.is_backward(index, target):
            emission.put(opcode, 0, instruction, target)
            return 1
        if index + 1 >= len(emission.instructions):
            raise EncodeError(f"{instruction.op.name} is the last instruction")
        emission.put(opposite, 0, instruction, Label(emission.instructions[index + 1]))
        emission.put(backward, 0, instruction, target)
        return 1

    return lower


def add_forward_conditions(rules: Rules, truth_test: bool) -> None:
    """From 3.12 on: conditional jumps go forward.  `truth_test`: they test the truth of any value (until 3.12)."""
    backward = rules.opcodes["JUMP_BACKWARD"]
    for op, opposite in CONDITIONS:
        opcode = rules.opcodes[op.name]
        rules.expand(op.name, expand_condition(op, truth_test))
        rules.lower(op, lower_forward_condition(opcode, rules.opcodes[opposite.name], backward))


def expand_condition(op: Op, truth_test: bool) -> Expander:
    """A conditional jump, with an explicit `TO_BOOL` where it makes the truth test itself."""
    if not truth_test or op in (Op.POP_JUMP_IF_NONE, Op.POP_JUMP_IF_NOT_NONE):
        return lambda raw, _operands: (jump_of(op, raw),)
    return lambda raw, _operands: (neutral(Op.TO_BOOL, raw), jump_of(op, raw))


def add_loop_rules(rules: Rules, *end: str) -> None:
    """From 3.12 on: an exhausted `FOR_ITER` lands on `END_FOR` and what goes with it, here one op."""
    codes = tuple(rules.opcodes[name] for name in end)

    def join(raws: list[RawInstruction], index: int, _operands: Operands) -> tuple[int, tuple[Instruction, ...]]:
        found = tuple(raw.opcode for raw in raws[index : index + len(codes)])
        if found != codes:
            raise DecodeError(f"END_FOR is not followed by {' '.join(end[1:])}")
        return len(codes), (neutral(Op.END_FOR, raws[index]),)

    rules.join("END_FOR", join)
    rules.lower(Op.END_FOR, lower_plain(*codes))
    rules.lower(Op.FOR_ITER, lower_forward_jump(rules.opcodes["FOR_ITER"], Op.END_FOR))
    rules.same("END_SEND CLEANUP_THROW LOAD_LOCALS LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS")
    rules.same("LOAD_FAST_AND_CLEAR")


def freeze_forward_only(rules: Rules, caches: dict[str, int]) -> Dialect:
    """The dialect of a version (from 3.12 on) whose conditional jumps go forward only."""
    direction = dict.fromkeys((op.name for op, _ in CONDITIONS), 1)
    direction |= {"FOR_ITER": 1, "SEND": 1, "JUMP_FORWARD": 1, "JUMP_BACKWARD": -1, "JUMP_BACKWARD_NO_INTERRUPT": -1}
    if rules.version >= (3, 14):
        direction["END_ASYNC_FOR"] = -1
    forward, backward = rules.opcodes["JUMP_FORWARD"], rules.opcodes["JUMP_BACKWARD"]
    turned = {"JUMP_FORWARD": backward, "JUMP_BACKWARD": forward, "JUMP_BACKWARD_NO_INTERRUPT": forward}
    return rules.freeze(caches, direction, turned)
