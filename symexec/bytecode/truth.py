"""Rules of 3.11 and 3.12, where the truth test, formatting and function attributes are folded into other opcodes."""

from __future__ import annotations

from symexec.bytecode.dialect import Operands, Rules, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.bytecode.rules import NEXT_VERSIONS
from symexec.errors import EncodeError

WITH_SPEC = 4
"""The bit of `FORMAT_VALUE` that says a format specification lies above the value; conversions are below it."""

FUNCTION_ATTRIBUTES = (8, 4, 2, 1)
"""The bits of `MAKE_FUNCTION`, from the entry right under the code downward."""


def add_truth_rules(rules: Rules) -> None:
    """Jumps and `UNARY_NOT` make the truth test themselves: a `TO_BOOL` before them costs nothing."""
    negate = rules.opcodes["UNARY_NOT"]

    def lower_to_bool(emission: Emission, index: int) -> int:
        users = (Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE, Op.UNARY_NOT)
        if emission.following(index, *users, landing=True) is None:
            emission.put(negate, 0, emission.instructions[index])
            emission.put(negate, 0, emission.instructions[index])
        return 1

    def expand_not(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.TO_BOOL, raw), neutral(Op.UNARY_NOT, raw))

    rules.expand("UNARY_NOT", expand_not)
    rules.lower(Op.TO_BOOL, lower_to_bool)


def add_format_rules(rules: Rules) -> None:
    """`FORMAT_VALUE` converts and formats in one."""
    opcode = rules.opcodes["FORMAT_VALUE"]

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        conversion, spec = raw.arg & 3, raw.arg & WITH_SPEC
        convert: tuple[Instruction, ...] = (neutral(Op.CONVERT_VALUE, raw, conversion),) if conversion else ()
        if not spec:
            return (*convert, neutral(Op.FORMAT_SIMPLE, raw))
        if convert:
            convert = (neutral(Op.SWAP, raw, 2), *convert, neutral(Op.SWAP, raw, 2))
        return (*convert, neutral(Op.FORMAT_WITH_SPEC, raw))

    def lower_convert(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        if emission.following(index, Op.FORMAT_SIMPLE) is None:
            raise EncodeError("CONVERT_VALUE has to be followed by FORMAT_SIMPLE, or wrapped in SWAP 2, before 3.13")
        emission.put(opcode, instruction.arg, instruction)
        return 2

    def lower_swap(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        ops = (Op.CONVERT_VALUE, Op.SWAP, Op.FORMAT_WITH_SPEC)
        run = [emission.following(index + offset, op) for offset, op in enumerate(ops)]
        convert, back = run[0], run[1]
        if instruction.arg == 2 and convert is not None and back is not None and back.arg == 2 and run[2] is not None:
            emission.put(opcode, WITH_SPEC | convert.arg, convert)
            return 4
        emission.put(rules.opcodes["SWAP"], instruction.arg, instruction)
        return 1

    def lower_simple(emission: Emission, index: int) -> int:
        emission.put(opcode, 0, emission.instructions[index])
        return 1

    def lower_with_spec(emission: Emission, index: int) -> int:
        emission.put(opcode, WITH_SPEC, emission.instructions[index])
        return 1

    rules.expand("FORMAT_VALUE", expand)
    rules.lower(Op.CONVERT_VALUE, lower_convert)
    rules.lower(Op.SWAP, lower_swap)
    rules.lower(Op.FORMAT_SIMPLE, lower_simple)
    rules.lower(Op.FORMAT_WITH_SPEC, lower_with_spec)


def add_function_rules(rules: Rules) -> None:
    """`MAKE_FUNCTION` sets the function's attributes too; its argument says which are on the stack."""
    opcode = rules.opcodes["MAKE_FUNCTION"]

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        attributes = (neutral(Op.SET_FUNCTION_ATTRIBUTE, raw, bit) for bit in FUNCTION_ATTRIBUTES if raw.arg & bit)
        return (neutral(Op.MAKE_FUNCTION, raw), *attributes)

    def lower(emission: Emission, index: int) -> int:
        flags, used = 0, 1
        while (found := emission.following(index + used - 1, Op.SET_FUNCTION_ATTRIBUTE)) is not None:
            if found.arg not in FUNCTION_ATTRIBUTES or (flags and found.arg >= flags & -flags):
                raise EncodeError("before 3.13 function attributes 8, 4, 2, 1 are set in this order")
            flags |= found.arg
            used += 1
        emission.put(opcode, flags, emission.instructions[index])
        return used

    rules.expand("MAKE_FUNCTION", expand)
    rules.lower(Op.MAKE_FUNCTION, lower)
    rules.cannot_express("before 3.13 only right after MAKE_FUNCTION", Op.SET_FUNCTION_ATTRIBUTE)


def add_template_absent(rules: Rules) -> None:
    """Template strings came with 3.14."""
    rules.cannot_express(NEXT_VERSIONS, Op.BUILD_TEMPLATE, Op.BUILD_INTERPOLATION, Op.BUILD_INTERPOLATION_SPEC)
