"""CPython 3.11."""

from __future__ import annotations

from symexec.bytecode.calls import add_call_function_ex_rules, add_joined_calls
from symexec.bytecode.dialect import Dialect, Lowering, Operands, Rules, jump_of, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.jumps import CONDITIONS, add_unconditional_jumps, expand_condition, lower_forward_jump, lower_jump
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.bytecode.rules import (
    NEXT_VERSIONS,
    add_common,
    add_compare_rules,
    add_super_absent,
    add_with_rules,
    expand_assertion_error,
    expand_load_global,
    expand_slot,
    lower_name_shifted,
    reject,
)
from symexec.bytecode.truth import add_format_rules, add_function_rules, add_template_absent, add_truth_rules
from symexec.bytecode.yields import add_yield_rules
from symexec.errors import EncodeError

CACHES = {
    "BINARY_SUBSCR": 4,
    "STORE_SUBSCR": 1,
    "UNPACK_SEQUENCE": 1,
    "STORE_ATTR": 4,
    "LOAD_ATTR": 4,
    "COMPARE_OP": 2,
    "LOAD_GLOBAL": 5,
    "BINARY_OP": 1,
    "LOAD_METHOD": 10,
    "PRECALL": 1,
    "CALL": 4,
}

INTRINSICS = {
    "UNARY_POSITIVE": (Op.CALL_INTRINSIC_1, "UNARY_POSITIVE", False),
    "LIST_TO_TUPLE": (Op.CALL_INTRINSIC_1, "LIST_TO_TUPLE", False),
    "ASYNC_GEN_WRAP": (Op.CALL_INTRINSIC_1, "ASYNC_GEN_WRAP", False),
    "IMPORT_STAR": (Op.CALL_INTRINSIC_1, "IMPORT_STAR", True),
    "PRINT_EXPR": (Op.CALL_INTRINSIC_1, "PRINT", True),
    "PREP_RERAISE_STAR": (Op.CALL_INTRINSIC_2, "PREP_RERAISE_STAR", False),
}
"""Opcodes that became intrinsic functions: the op, the function's name, and whether its result is dropped."""


def _add_intrinsics(rules: Rules) -> None:
    opcodes = {(op, name): (rules.opcodes[raw], drops) for raw, (op, name, drops) in INTRINSICS.items()}

    def add(raw_name: str, op: Op, name: str, drops: bool) -> None:
        def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
            call = neutral(op, raw, name=name)
            return (call, neutral(Op.POP_TOP, raw)) if drops else (call,)

        rules.expand(raw_name, expand)

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        opcode, drops = opcodes.get((instruction.op, instruction.name), (-1, False))
        if opcode < 0:
            raise EncodeError(f"{instruction.op.name} {instruction.name}: {NEXT_VERSIONS}")
        if drops and emission.following(index, Op.POP_TOP) is None:
            raise EncodeError(f"the result of {instruction.name} has to be dropped in 3.11")
        emission.put(opcode, 0, instruction)
        return 2 if drops else 1

    for raw_name, (op, name, drops) in INTRINSICS.items():
        add(raw_name, op, name, drops)
    rules.lower(Op.CALL_INTRINSIC_1, lower)
    rules.lower(Op.CALL_INTRINSIC_2, lower)


def _add_jumps(rules: Rules) -> None:
    for op, _ in CONDITIONS:
        forward = op.name.replace("JUMP_", "JUMP_FORWARD_")
        backward = op.name.replace("JUMP_", "JUMP_BACKWARD_")
        rules.expand(f"{forward} {backward}", expand_condition(op, True))
        rules.lower(op, lower_jump(rules.opcodes[forward], rules.opcodes[backward]))
    for op in (Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE):
        _add_short_circuit(rules, op)
    rules.lower(Op.FOR_ITER, lower_forward_jump(rules.opcodes["FOR_ITER"], None))
    rules.lower(Op.END_FOR, _lower_to_nothing())
    rules.lower(Op.END_SEND, _lower_to_nothing())


def _add_short_circuit(rules: Rules, op: Op) -> None:
    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (
            neutral(Op.COPY, raw, 1),
            neutral(Op.TO_BOOL, raw),
            jump_of(op, raw),
            neutral(Op.POP_TOP, raw),
        )

    rules.expand(op.name.replace("POP_JUMP", "JUMP") + "_OR_POP", expand)


def _lower_to_nothing() -> Lowering:
    def lower(_emission: Emission, _index: int) -> int:
        return 1

    return lower


def _add_class_scope(rules: Rules) -> None:
    opcode = rules.opcodes["LOAD_CLASSDEREF"]

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        (load,) = expand_slot(Op.LOAD_FROM_DICT_OR_DEREF)(raw, operands)
        return (neutral(Op.LOAD_LOCALS, raw), load)

    def lower(emission: Emission, index: int) -> int:
        found = emission.following(index, Op.LOAD_FROM_DICT_OR_DEREF)
        if found is None:
            raise EncodeError("LOAD_LOCALS has to be followed by LOAD_FROM_DICT_OR_DEREF in 3.11")
        emission.put(opcode, found.arg, found)
        return 2

    rules.expand("LOAD_CLASSDEREF", expand)
    rules.lower(Op.LOAD_LOCALS, lower)
    rules.cannot_express("only right after LOAD_LOCALS in 3.11", Op.LOAD_FROM_DICT_OR_DEREF)


def fill_rules(opcodes: dict[str, int]) -> Rules:
    """All rules of 3.11."""
    rules = Rules((3, 11), opcodes)
    add_common(rules)
    add_yield_rules(rules)
    rules.same("LOAD_ATTR LOAD_METHOD LOAD_FAST BINARY_SUBSCR BUILD_CONST_KEY_MAP")
    rules.expand("LOAD_CLOSURE", expand_slot(Op.LOAD_FAST))
    rules.expand("LOAD_ASSERTION_ERROR", expand_assertion_error)
    rules.expand("LOAD_GLOBAL", expand_load_global(null_above=False))
    rules.lower(Op.LOAD_GLOBAL, lower_name_shifted(opcodes["LOAD_GLOBAL"], 1))
    add_super_absent(rules)
    add_compare_rules(rules, 0, 0)
    add_unconditional_jumps(rules)
    _add_jumps(rules)
    add_truth_rules(rules)
    add_format_rules(rules)
    add_function_rules(rules)
    add_joined_calls(rules, "PRECALL", "CALL")
    rules.expand("CALL", reject("not after PRECALL"))
    add_call_function_ex_rules(rules)
    add_with_rules(rules, 1)
    _add_intrinsics(rules)
    _add_class_scope(rules)
    add_template_absent(rules)
    rules.short_jumps = ("SEND",)
    rules.cannot_express(NEXT_VERSIONS, Op.LOAD_FAST_AND_CLEAR, Op.CLEANUP_THROW, Op.LOAD_FROM_DICT_OR_GLOBALS)
    return rules


def build(opcodes: dict[str, int]) -> Dialect:
    """The dialect of 3.11."""
    rules = fill_rules(opcodes)
    conditions = ("TRUE", "FALSE", "NONE", "NOT_NONE")
    forward = {f"POP_JUMP_FORWARD_IF_{condition}" for condition in conditions}
    backward = {f"POP_JUMP_BACKWARD_IF_{condition}" for condition in conditions}
    other = {"FOR_ITER", "SEND", "JUMP_FORWARD", "JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"}
    direction = dict.fromkeys(forward | other, 1)
    direction.update(dict.fromkeys(backward | {"JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"}, -1))
    turned = {name: opcodes[name.replace("FORWARD", "BACKWARD")] for name in forward | {"JUMP_FORWARD"}}
    turned |= {name: opcodes[name.replace("BACKWARD", "FORWARD")] for name in backward | {"JUMP_BACKWARD"}}
    turned["JUMP_BACKWARD_NO_INTERRUPT"] = opcodes["JUMP_FORWARD"]
    return rules.freeze(CACHES, direction, turned)
