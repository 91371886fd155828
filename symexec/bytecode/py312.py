"""CPython 3.12."""

from __future__ import annotations

from symexec.bytecode.calls import add_call_function_ex_rules, add_joined_calls
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
    expand_return_const,
    expand_slot,
    lower_name_shifted,
)
from symexec.bytecode.truth import add_format_rules, add_function_rules, add_template_absent, add_truth_rules
from symexec.bytecode.yields import add_yield_rules

CACHES = {
    "BINARY_SUBSCR": 1,
    "STORE_SUBSCR": 1,
    "UNPACK_SEQUENCE": 1,
    "FOR_ITER": 1,
    "STORE_ATTR": 4,
    "LOAD_ATTR": 9,
    "COMPARE_OP": 1,
    "LOAD_GLOBAL": 4,
    "BINARY_OP": 1,
    "SEND": 1,
    "LOAD_SUPER_ATTR": 1,
    "CALL": 3,
}


def fill_rules(opcodes: dict[str, int]) -> Rules:
    """All rules of 3.12."""
    rules = Rules((3, 12), opcodes)
    add_common(rules)
    add_yield_rules(rules)
    rules.same("BINARY_SUBSCR BUILD_CONST_KEY_MAP")
    rules.expand("LOAD_CLOSURE", expand_slot(Op.LOAD_FAST))
    rules.expand("LOAD_ASSERTION_ERROR", expand_assertion_error)
    rules.expand("RETURN_CONST", expand_return_const)
    rules.expand("LOAD_GLOBAL", expand_load_global(null_above=False))
    rules.lower(Op.LOAD_GLOBAL, lower_name_shifted(opcodes["LOAD_GLOBAL"], 1))
    add_load_fast_rules(rules)
    add_attribute_rules(rules)
    add_intrinsic_rules(rules, "SET_FUNCTION_TYPE_PARAMS")
    add_slice_rules(rules)
    add_compare_rules(rules, 4, 0)
    add_unconditional_jumps(rules)
    add_forward_conditions(rules, truth_test=True)
    add_loop_rules(rules, "END_FOR")
    add_truth_rules(rules)
    add_format_rules(rules)
    add_function_rules(rules)
    add_joined_calls(rules, "CALL")
    add_call_function_ex_rules(rules)
    add_with_rules(rules, 1)
    add_template_absent(rules)
    rules.never_occurs(INTERPRETER_ONLY, "INTERPRETER_EXIT RESERVED")
    rules.unchecked = ("LOAD_FAST",)
    return rules


def build(opcodes: dict[str, int]) -> Dialect:
    """The dialect of 3.12."""
    return freeze_forward_only(fill_rules(opcodes), CACHES)
