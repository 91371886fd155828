"""Rules that several versions share."""

from __future__ import annotations

from symexec.bytecode.dialect import Expander, Lowering, Operands, Rules, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.errors import DecodeError, EncodeError

COMMON = """NOP LOAD_CONST PUSH_NULL POP_TOP COPY SWAP MAKE_CELL
    STORE_FAST DELETE_FAST LOAD_DEREF STORE_DEREF DELETE_DEREF
    STORE_GLOBAL DELETE_GLOBAL LOAD_NAME STORE_NAME DELETE_NAME LOAD_BUILD_CLASS SETUP_ANNOTATIONS
    IMPORT_NAME IMPORT_FROM STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR
    BINARY_OP UNARY_NEGATIVE UNARY_INVERT UNARY_NOT IS_OP CONTAINS_OP
    BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_MAP BUILD_STRING BUILD_SLICE
    LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE UNPACK_SEQUENCE UNPACK_EX
    RETURN_VALUE GET_ITER FOR_ITER GET_LEN RAISE_VARARGS RERAISE PUSH_EXC_INFO POP_EXCEPT CHECK_EXC_MATCH
    CHECK_EG_MATCH MATCH_MAPPING MATCH_SEQUENCE MATCH_KEYS MATCH_CLASS
    GET_YIELD_FROM_ITER GET_AWAITABLE GET_AITER GET_ANEXT END_ASYNC_FOR"""
"""Opcodes that are the same in all versions."""

COMPILER_ONLY = "exists only inside the compiler"
INSTRUMENTED = "`co_code` shows the instruction that it stands for"
FOLDED = "folded into the instruction it belongs to"
INTERPRETER_ONLY = "only in code that the interpreter makes for itself"
NEXT_VERSIONS = "only in later versions"
EARLIER_VERSIONS = "only in earlier versions"

COMPARE_MASKS = (2, 10, 8, 7, 4, 12)
"""For each comparison, the outcomes (1 unordered, 2 less, 4 greater, 8 equal) for which it is true."""

PREFIX_ONLY = "belongs to the prefix, which is derived"


def add_common(rules: Rules) -> None:
    """What is the same in every version: most opcodes, the prefix, and reasons for those that never occur."""
    rules.same(COMMON)
    rules.expand("COPY_FREE_VARS RETURN_GENERATOR", reject("only before RESUME 0"))
    rules.cannot_express(PREFIX_ONLY, Op.COPY_FREE_VARS, Op.RETURN_GENERATOR)
    rules.expand("RESUME", expand_resume)
    rules.lower(Op.RESUME, lower_resume(rules.opcodes["RESUME"]))
    rules.never_occurs(FOLDED, "CACHE EXTENDED_ARG")
    for name, opcode in rules.opcodes.items():
        if opcode > 255:
            rules.never_occurs(COMPILER_ONLY, name)
        elif name.startswith("INSTRUMENTED_") or name == "ENTER_EXECUTOR":
            rules.never_occurs(INSTRUMENTED, name)


def reject(reason: str) -> Expander:
    """The rule for an opcode that may not stand where it was found."""

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        raise DecodeError(f"opcode {raw.opcode}: {reason}")

    return expand


def expand_resume(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
    """`RESUME` in the body: only after a yield or an await."""
    if raw.arg & 3 == 0:
        raise DecodeError("RESUME 0 after the prefix")
    return (neutral(Op.RESUME, raw, raw.arg),)


def lower_resume(opcode: int) -> Lowering:
    """`RESUME` in the body."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        if instruction.arg & 3 == 0:
            raise EncodeError("RESUME 0 belongs to the prefix, which is derived")
        emission.put(opcode, instruction.arg, instruction)
        return 1

    return lower


def expand_slot(op: Op) -> Expander:
    """An opcode of another name that reads or writes a slot."""

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        if raw.arg >= operands.slot_count:
            raise DecodeError(f"slot {raw.arg} of {operands.slot_count}")
        return (neutral(op, raw, raw.arg),)

    return expand


def expand_pair(first: Op, second: Op) -> Expander:
    """Two slots in one argument, the first in its high four bits."""

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        high, low = raw.arg >> 4, raw.arg & 15
        if high >= operands.slot_count or low >= operands.slot_count:
            raise DecodeError(f"slots {high} and {low} of {operands.slot_count}")
        return (neutral(first, raw, high), neutral(second, raw, low))

    return expand


def expand_load_global(null_above: bool) -> Expander:
    """`LOAD_GLOBAL`, whose lowest bit asks for a NULL above or below the value."""

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        load = neutral(Op.LOAD_GLOBAL, raw, name=operands.names[raw.arg >> 1])
        if not raw.arg & 1:
            return (load,)
        null = neutral(Op.PUSH_NULL, raw)
        return (load, null) if null_above else (null, load)

    return expand


def lower_name_shifted(opcode: int, shift: int, flags: int = 0) -> Lowering:
    """An op whose name index is shifted up; `flags` are set below it, with those of the op's own argument."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        arg = emission.names.index(instruction.name) << shift | flags | instruction.arg
        emission.put(opcode, arg, instruction)
        return 1

    return lower


def add_attribute_rules(rules: Rules) -> None:
    """From 3.12 on: `LOAD_ATTR` and `LOAD_SUPER_ATTR` whose lowest bit asks for the form of a method call."""

    def expand_attribute(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        op = Op.LOAD_METHOD if raw.arg & 1 else Op.LOAD_ATTR
        return (neutral(op, raw, name=operands.names[raw.arg >> 1]),)

    def expand_super(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        op = Op.LOAD_SUPER_METHOD if raw.arg & 1 else Op.LOAD_SUPER_ATTR
        return (neutral(op, raw, raw.arg & 2, operands.names[raw.arg >> 2]),)

    rules.expand("LOAD_ATTR", expand_attribute)
    rules.expand("LOAD_SUPER_ATTR", expand_super)
    load, load_super = rules.opcodes["LOAD_ATTR"], rules.opcodes["LOAD_SUPER_ATTR"]
    rules.lower(Op.LOAD_ATTR, lower_name_shifted(load, 1))
    rules.lower(Op.LOAD_METHOD, lower_name_shifted(load, 1, 1))
    rules.lower(Op.LOAD_SUPER_ATTR, lower_name_shifted(load_super, 2))
    rules.lower(Op.LOAD_SUPER_METHOD, lower_name_shifted(load_super, 2, 1))


def add_super_absent(rules: Rules) -> None:
    """Before 3.12 `super()` is an ordinary call."""
    rules.cannot_express(NEXT_VERSIONS, Op.LOAD_SUPER_ATTR, Op.LOAD_SUPER_METHOD)


INTRINSICS_1 = (
    "INVALID PRINT IMPORT_STAR STOPITERATION_ERROR ASYNC_GEN_WRAP UNARY_POSITIVE LIST_TO_TUPLE TYPEVAR PARAMSPEC "
    "TYPEVARTUPLE SUBSCRIPT_GENERIC TYPEALIAS"
).split()
INTRINSICS_2 = (
    "INVALID PREP_RERAISE_STAR TYPEVAR_WITH_BOUND TYPEVAR_WITH_CONSTRAINTS SET_FUNCTION_TYPE_PARAMS "
    "SET_TYPEPARAM_DEFAULT"
).split()


def add_intrinsic_rules(rules: Rules, last_of_two: str) -> None:
    """From 3.12 on: calls of functions inside the interpreter, here by name."""

    def add(op: Op, names: list[str]) -> None:
        opcode = rules.opcodes[op.name]

        def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
            return (neutral(op, raw, name=names[raw.arg]),)

        def lower(emission: Emission, index: int) -> int:
            instruction = emission.instructions[index]
            if instruction.name not in names:
                raise EncodeError(f"{op.name} {instruction.name}: unknown")
            emission.put(opcode, names.index(instruction.name), instruction)
            return 1

        rules.expand(op.name, expand)
        rules.lower(op, lower)

    add(Op.CALL_INTRINSIC_1, INTRINSICS_1)
    add(Op.CALL_INTRINSIC_2, INTRINSICS_2[: INTRINSICS_2.index(last_of_two) + 1])


def add_slice_rules(rules: Rules) -> None:
    """From 3.12 on: slicing without a slice object on the stack."""

    def expand_binary(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.BUILD_SLICE, raw, 2), neutral(Op.BINARY_SUBSCR, raw))

    def expand_store(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.BUILD_SLICE, raw, 2), neutral(Op.STORE_SUBSCR, raw))

    rules.expand("BINARY_SLICE", expand_binary)
    rules.expand("STORE_SLICE", expand_store)


def expand_return_const(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
    """A constant and its return in one."""
    return (neutral(Op.LOAD_CONST, raw, const=operands.constants[raw.arg]), neutral(Op.RETURN_VALUE, raw))


def expand_assertion_error(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
    """The class, whatever the name `AssertionError` means by now."""
    return (neutral(Op.LOAD_CONST, raw, const=AssertionError),)


def add_compare_rules(rules: Rules, shift: int, boolean: int) -> None:
    """`COMPARE_OP`: the comparison from bit `shift` on, masks below; with `boolean` set the result is made a bool."""
    opcode = rules.opcodes["COMPARE_OP"]

    def expand(raw: RawInstruction, _operands: Operands) -> tuple[Instruction, ...]:
        compare = neutral(Op.COMPARE_OP, raw, raw.arg >> shift)
        if compare.arg >= len(COMPARE_MASKS):
            raise DecodeError(f"comparison {compare.arg}")
        return (compare, neutral(Op.TO_BOOL, raw)) if raw.arg & boolean else (compare,)

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        if not 0 <= instruction.arg < len(COMPARE_MASKS):
            raise EncodeError(f"comparison {instruction.arg}")
        arg = instruction.arg << shift | (COMPARE_MASKS[instruction.arg] if shift else 0)
        fused = boolean and emission.following(index, Op.TO_BOOL) is not None
        emission.put(opcode, arg | (boolean if fused else 0), instruction)
        return 2 if fused else 1

    rules.expand("COMPARE_OP", expand)
    rules.lower(Op.COMPARE_OP, lower)


def add_load_fast_rules(rules: Rules) -> None:
    """From 3.12 on: `LOAD_FAST` crashes on an unbound slot, so that new loads are the checked kind."""
    rules.expand("LOAD_FAST LOAD_FAST_CHECK", expand_slot(Op.LOAD_FAST))
    check = rules.opcodes["LOAD_FAST_CHECK"]

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        emission.put(check, instruction.arg, instruction)
        return 1

    rules.lower(Op.LOAD_FAST, lower)


def add_with_rules(rules: Rules, exit_entries: int) -> None:
    """`WITH_EXCEPT_START`, under which the exit function takes one stack entry or two."""
    rules.exit_entries = exit_entries
    depth, opcode = 3 + exit_entries, rules.opcodes["WITH_EXCEPT_START"]

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        if instruction.arg != depth:
            raise EncodeError(f"WITH_EXCEPT_START {instruction.arg}: here it is {depth}")
        emission.put(opcode, 0, instruction)
        return 1

    rules.expand("WITH_EXCEPT_START", lambda raw, _operands: (neutral(Op.WITH_EXCEPT_START, raw, depth),))
    rules.lower(Op.WITH_EXCEPT_START, lower)
    if exit_entries == 1:
        rules.same("BEFORE_WITH BEFORE_ASYNC_WITH")
        rules.cannot_express(NEXT_VERSIONS, Op.LOAD_SPECIAL)
