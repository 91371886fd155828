"""CPython 3.13."""

from __future__ import annotations

from symexec.bytecode.calls import add_call_function_ex_rules
from symexec.bytecode.dialect import Dialect, Rules
from symexec.bytecode.jumps import add_forward_conditions, add_loop_rules, add_unconditional_jumps, freeze_forward_only
from symexec.bytecode.ops import Op
from symexec.bytecode.rules import (
    INTERPRETER_ONLY,
    add_attribute_rules,
    add_common,
    add_compare_rules,
    add_intrinsic_rules,
    add_load_fast_rules,
    add_slice_rules,
    add_with_rules,
    expand_assertion_error,
    expand_load_global,
    expand_pair,
    expand_return_const,
    lower_name_shifted,
)
from symexec.bytecode.truth import add_template_absent
from symexec.bytecode.yields import add_yield_rules

CACHES = {
    "LOAD_GLOBAL": 4,
    "BINARY_OP": 1,
    "UNPACK_SEQUENCE": 1,
    "COMPARE_OP": 1,
    "CONTAINS_OP": 1,
    "BINARY_SUBSCR": 1,
    "FOR_ITER": 1,
    "LOAD_SUPER_ATTR": 1,
    "LOAD_ATTR": 9,
    "STORE_ATTR": 4,
    "CALL": 3,
    "STORE_SUBSCR": 1,
    "SEND": 1,
    "JUMP_BACKWARD": 1,
    "TO_BOOL": 3,
    "POP_JUMP_IF_TRUE": 1,
    "POP_JUMP_IF_FALSE": 1,
    "POP_JUMP_IF_NONE": 1,
    "POP_JUMP_IF_NOT_NONE": 1,
}


ENTERS_FRAMES = ("CALL", "CALL_KW", "CALL_FUNCTION_EX", "FOR_ITER", "SEND", "LOAD_ATTR")
"""Opcodes that may run a Python function in a frame of its own without leaving the interpreter's loop.

Where that function raises, the handler is looked up by the unit *before* the opcode (measured on 3.13.0 and 3.14.2).
"""


def add_since_313(rules: Rules) -> None:
    """What came with 3.13 and stayed."""
    rules.same("TO_BOOL CONVERT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE CALL CALL_KW")
    rules.expand("LOAD_FAST_LOAD_FAST", expand_pair(Op.LOAD_FAST, Op.LOAD_FAST))
    rules.expand("STORE_FAST_LOAD_FAST", expand_pair(Op.STORE_FAST, Op.LOAD_FAST))
    rules.expand("STORE_FAST_STORE_FAST", expand_pair(Op.STORE_FAST, Op.STORE_FAST))
    rules.expand("LOAD_GLOBAL", expand_load_global(null_above=True))
    rules.lower(Op.LOAD_GLOBAL, lower_name_shifted(rules.opcodes["LOAD_GLOBAL"], 1))
    add_load_fast_rules(rules)
    add_attribute_rules(rules)
    add_intrinsic_rules(rules, "SET_TYPEPARAM_DEFAULT")
    add_slice_rules(rules)
    add_compare_rules(rules, 5, 16)
    add_unconditional_jumps(rules)
    add_forward_conditions(rules, truth_test=False)
    rules.never_occurs(INTERPRETER_ONLY, "INTERPRETER_EXIT RESERVED EXIT_INIT_CHECK")
    rules.unchecked = ("LOAD_FAST", "LOAD_FAST_LOAD_FAST", "STORE_FAST_LOAD_FAST")


def fill_rules(opcodes: dict[str, int]) -> Rules:
    """All rules of 3.13."""
    rules = Rules((3, 13), opcodes)
    add_common(rules)
    add_yield_rules(rules)
    add_since_313(rules)
    rules.same("BINARY_SUBSCR BUILD_CONST_KEY_MAP")
    rules.looks_back = (*ENTERS_FRAMES, "BINARY_SUBSCR")
    rules.expand("LOAD_ASSERTION_ERROR", expand_assertion_error)
    rules.expand("RETURN_CONST", expand_return_const)
    add_loop_rules(rules, "END_FOR", "POP_TOP")
    add_call_function_ex_rules(rules)
    add_with_rules(rules, 1)
    add_template_absent(rules)
    return rules


def build(opcodes: dict[str, int]) -> Dialect:
    """The dialect of 3.13."""
    return freeze_forward_only(fill_rules(opcodes), CACHES)
