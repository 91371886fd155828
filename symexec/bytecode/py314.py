"""CPython 3.14."""

from __future__ import annotations

from symexec.bytecode.dialect import Dialect, Operands, Rules, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.jumps import add_loop_rules, freeze_forward_only
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.bytecode.py313 import CACHES as CACHES_313
from symexec.bytecode.py313 import ENTERS_FRAMES, add_since_313
from symexec.bytecode.rules import EARLIER_VERSIONS, add_common, add_with_rules, expand_pair, expand_slot
from symexec.bytecode.yields import add_yield_rules
from symexec.errors import EncodeError

CACHES = {name: count for name, count in CACHES_313.items() if name != "BINARY_SUBSCR"} | {
    "BINARY_OP": 5,
    "CALL_KW": 3,
}

SUBSCRIPT = 26
"""The argument of `BINARY_OP` that stands for `container[key]`."""

SPECIAL_METHODS = ("__enter__", "__exit__", "__aenter__", "__aexit__")
COMMON_CONSTANTS: tuple[object, ...] = (AssertionError, NotImplementedError, tuple, all, any)


def _add_operators(rules: Rules) -> None:
    opcode = rules.opcodes["BINARY_OP"]

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        if raw.arg == SUBSCRIPT:
            return (neutral(Op.BINARY_SUBSCR, raw),)
        return (neutral(Op.BINARY_OP, raw, raw.arg),)

    def lower_subscript(emission: Emission, index: int) -> int:
        emission.put(opcode, SUBSCRIPT, emission.instructions[index])
        return 1

    rules.expand("BINARY_OP", expand)
    rules.lower(Op.BINARY_SUBSCR, lower_subscript)


def _add_constants(rules: Rules) -> None:
    def expand_common(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.LOAD_CONST, raw, const=COMMON_CONSTANTS[raw.arg]),)

    rules.expand("LOAD_SMALL_INT", lambda raw, _operands: (neutral(Op.LOAD_CONST, raw, const=raw.arg),))
    rules.expand("LOAD_COMMON_CONSTANT", expand_common)


def _add_special_methods(rules: Rules) -> None:
    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.LOAD_SPECIAL, raw, name=SPECIAL_METHODS[raw.arg]),)

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        if instruction.name not in SPECIAL_METHODS:
            raise EncodeError(f"LOAD_SPECIAL {instruction.name}: unknown")
        emission.put(rules.opcodes["LOAD_SPECIAL"], SPECIAL_METHODS.index(instruction.name), instruction)
        return 1

    rules.expand("LOAD_SPECIAL", expand)
    rules.lower(Op.LOAD_SPECIAL, lower)
    add_with_rules(rules, 2)
    rules.cannot_express(EARLIER_VERSIONS, Op.BEFORE_WITH, Op.BEFORE_ASYNC_WITH)


def _add_templates(rules: Rules) -> None:
    opcode = rules.opcodes["BUILD_INTERPOLATION"]

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        op = Op.BUILD_INTERPOLATION_SPEC if raw.arg & 1 else Op.BUILD_INTERPOLATION
        return (neutral(op, raw, raw.arg >> 2),)

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        with_spec = instruction.op is Op.BUILD_INTERPOLATION_SPEC
        emission.put(opcode, instruction.arg << 2 | with_spec, instruction)
        return 1

    rules.same("BUILD_TEMPLATE")
    rules.expand("BUILD_INTERPOLATION", expand)
    rules.lower(Op.BUILD_INTERPOLATION, lower)
    rules.lower(Op.BUILD_INTERPOLATION_SPEC, lower)


def fill_rules(opcodes: dict[str, int]) -> Rules:
    """All rules of 3.14."""
    rules = Rules((3, 14), opcodes)
    add_common(rules)
    add_yield_rules(rules)
    add_since_313(rules)
    _add_operators(rules)
    _add_constants(rules)
    _add_special_methods(rules)
    _add_templates(rules)
    add_loop_rules(rules, "END_FOR", "POP_ITER")
    rules.same("CALL_FUNCTION_EX")
    rules.looks_back = (*ENTERS_FRAMES, "BINARY_OP")
    rules.expand("POP_ITER", lambda raw, _operands: (neutral(Op.POP_TOP, raw),))
    rules.expand("NOT_TAKEN", lambda raw, _operands: (neutral(Op.NOP, raw),))
    rules.expand("LOAD_FAST_BORROW", expand_slot(Op.LOAD_FAST))
    rules.expand("LOAD_FAST_BORROW_LOAD_FAST_BORROW", expand_pair(Op.LOAD_FAST, Op.LOAD_FAST))
    rules.strong = {
        "LOAD_FAST_BORROW": "LOAD_FAST",
        "LOAD_FAST_BORROW_LOAD_FAST_BORROW": "LOAD_FAST_LOAD_FAST",
    }
    rules.unchecked += tuple(rules.strong)
    rules.cannot_express(EARLIER_VERSIONS, Op.BUILD_CONST_KEY_MAP)
    return rules


def build(opcodes: dict[str, int]) -> Dialect:
    """The dialect of 3.14."""
    return freeze_forward_only(fill_rules(opcodes), CACHES)
