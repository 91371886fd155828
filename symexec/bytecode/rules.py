"""Rules that several versions share."""

from __future__ import annotations

from symexec.bytecode.dialect import Dialect, Expander, Joiner, Lowering, Operands, Rules, jump_of, lower_plain, neutral
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, Label, RawInstruction
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
    YIELD_VALUE SEND GET_YIELD_FROM_ITER GET_AWAITABLE GET_AITER GET_ANEXT END_ASYNC_FOR"""
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

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        raise DecodeError(f"opcode {raw.opcode}: {reason}")

    return expand


def expand_resume(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
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

        def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
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

    def expand_binary(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.BUILD_SLICE, raw, 2), neutral(Op.BINARY_SUBSCR, raw))

    def expand_store(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
        return (neutral(Op.BUILD_SLICE, raw, 2), neutral(Op.STORE_SUBSCR, raw))

    rules.expand("BINARY_SLICE", expand_binary)
    rules.expand("STORE_SLICE", expand_store)


def expand_return_const(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
    """A constant and its return in one."""
    return (neutral(Op.LOAD_CONST, raw, const=operands.constants[raw.arg]), neutral(Op.RETURN_VALUE, raw))


def expand_assertion_error(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
    """The class, whatever the name `AssertionError` means by now."""
    return (neutral(Op.LOAD_CONST, raw, const=AssertionError),)


def add_compare_rules(rules: Rules, shift: int, boolean: int) -> None:
    """`COMPARE_OP`: the comparison from bit `shift` on, masks below; with `boolean` set the result is made a bool."""
    opcode = rules.opcodes["COMPARE_OP"]

    def expand(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
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


def add_unconditional_jumps(rules: Rules) -> None:
    """`JUMP` and `JUMP_NO_INTERRUPT`, forward or backward as the layout has it."""
    forward, backward = rules.opcodes["JUMP_FORWARD"], rules.opcodes["JUMP_BACKWARD"]
    quiet = rules.opcodes["JUMP_BACKWARD_NO_INTERRUPT"]
    rules.expand("JUMP_FORWARD JUMP_BACKWARD", lambda raw, operands: (jump_of(Op.JUMP, raw),))
    rules.expand("JUMP_BACKWARD_NO_INTERRUPT", lambda raw, operands: (jump_of(Op.JUMP_NO_INTERRUPT, raw),))
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
        return lambda raw, operands: (jump_of(op, raw),)
    return lambda raw, operands: (neutral(Op.TO_BOOL, raw), jump_of(op, raw))


def add_loop_rules(rules: Rules, *end: str) -> None:
    """From 3.12 on: an exhausted `FOR_ITER` lands on `END_FOR` and what goes with it, here one op."""
    codes = tuple(rules.opcodes[name] for name in end)

    def join(raws: list[RawInstruction], index: int, operands: Operands) -> tuple[int, tuple[Instruction, ...]]:
        found = tuple(raw.opcode for raw in raws[index : index + len(codes)])
        if found != codes:
            raise DecodeError(f"END_FOR is not followed by {' '.join(end[1:])}")
        return len(codes), (neutral(Op.END_FOR, raws[index]),)

    rules.join("END_FOR", join)
    rules.lower(Op.END_FOR, lower_plain(*codes))
    rules.lower(Op.FOR_ITER, lower_forward_jump(rules.opcodes["FOR_ITER"], Op.END_FOR))
    rules.same("END_SEND CLEANUP_THROW LOAD_LOCALS LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS")
    rules.same("LOAD_FAST_AND_CLEAR")
    rules.lower(Op.SEND, lower_forward_jump(rules.opcodes["SEND"], Op.END_SEND))


def add_load_fast_rules(rules: Rules) -> None:
    """From 3.12 on: `LOAD_FAST` crashes on an unbound slot, so that new loads are the checked kind."""
    rules.expand("LOAD_FAST LOAD_FAST_CHECK", expand_slot(Op.LOAD_FAST))
    check = rules.opcodes["LOAD_FAST_CHECK"]

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        emission.put(check, instruction.arg, instruction)
        return 1

    rules.lower(Op.LOAD_FAST, lower)


def join_calls(rules: Rules, before_call: str | None) -> None:
    """Until 3.12: `KW_NAMES` and (3.11) `PRECALL` ahead of `CALL` are one group with it."""
    kw_names, call = rules.opcodes["KW_NAMES"], rules.opcodes["CALL"]
    precall = None if before_call is None else rules.opcodes[before_call]
    last = (call,) if precall is None else (precall, call)

    def take_call(raws: list[RawInstruction], index: int) -> RawInstruction:
        run = raws[index : index + len(last)]
        if tuple(raw.opcode for raw in run) != last or any(raw.arg != run[0].arg for raw in run):
            raise DecodeError("a call is not whole")
        return run[-1]

    def join_named(raws: list[RawInstruction], index: int, operands: Operands) -> tuple[int, tuple[Instruction, ...]]:
        found = take_call(raws, index + 1)
        names = neutral(Op.LOAD_CONST, found, const=operands.constants[raws[index].arg])
        return len(last) + 1, (names, neutral(Op.CALL_KW, found, found.arg))

    def join_plain(raws: list[RawInstruction], index: int, operands: Operands) -> tuple[int, tuple[Instruction, ...]]:
        found = take_call(raws, index)
        return len(last), (neutral(Op.CALL, found, found.arg),)

    def put_call(emission: Emission, instruction: Instruction) -> None:
        for opcode in last:
            emission.put(opcode, instruction.arg, instruction)

    def lower_call(emission: Emission, index: int) -> int:
        put_call(emission, emission.instructions[index])
        return 1

    def lower_constant(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        place = emission.constants.index(instruction.const)
        call_with_names = emission.following(index, Op.CALL_KW)
        emission.put(rules.opcodes["LOAD_CONST"] if call_with_names is None else kw_names, place, instruction)
        if call_with_names is None:
            return 1
        put_call(emission, call_with_names)
        return 2

    rules.join("KW_NAMES", join_named)
    rules.join(before_call or "CALL", join_plain)
    rules.lower(Op.CALL, lower_call)
    rules.lower(Op.LOAD_CONST, lower_constant)
    rules.cannot_express("the names of a keyword call have to be a constant, right before it", Op.CALL_KW)


def expand_call_function_ex(raw: RawInstruction, operands: Operands) -> tuple[Instruction, ...]:
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

    rules.expand("WITH_EXCEPT_START", lambda raw, operands: (neutral(Op.WITH_EXCEPT_START, raw, depth),))
    rules.lower(Op.WITH_EXCEPT_START, lower)
    if exit_entries == 1:
        rules.same("BEFORE_WITH BEFORE_ASYNC_WITH")
        rules.cannot_express(NEXT_VERSIONS, Op.LOAD_SPECIAL)


def freeze_forward_only(rules: Rules, caches: dict[str, int]) -> Dialect:
    """The dialect of a version (from 3.12 on) whose conditional jumps go forward only."""
    direction = dict.fromkeys((op.name for op, _ in CONDITIONS), 1)
    direction |= {"FOR_ITER": 1, "SEND": 1, "JUMP_FORWARD": 1, "JUMP_BACKWARD": -1, "JUMP_BACKWARD_NO_INTERRUPT": -1}
    if rules.version >= (3, 14):
        direction["END_ASYNC_FOR"] = -1
    forward, backward = rules.opcodes["JUMP_FORWARD"], rules.opcodes["JUMP_BACKWARD"]
    turned = {"JUMP_FORWARD": backward, "JUMP_BACKWARD": forward, "JUMP_BACKWARD_NO_INTERRUPT": forward}
    return rules.freeze(caches, direction, turned)
