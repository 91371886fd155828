"""What one instruction does to the shape of a frame: how deep the stack is, where NULLs may be, what is bound.

Pure transfer functions over integers; `dataflow` carries them along the paths of a routine.  The stack is four bits
an entry (may be NULL, a value, a bool, an int), the slots are two bits each (may be unbound, may be bound).
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from symexec.bytecode.effects import Operand
from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.bytecode.running import DIALECT
from symexec.errors import VerifyError

NULL, VALUE, BOOL, INTEGER = 1, 2, 4, 8
"""The bits of a stack entry, all that it may be: any object, a bool, an exact int (whose comparison gives a bool)."""

ENTRY_BITS = 4
ENTRY = (1 << ENTRY_BITS) - 1

LITERALS = {bool: BOOL, int: INTEGER}

State = tuple[int, int, int]
"""Depth, stack bits, slot bits: bit `s` of the slots says that slot `s` may be unbound, `s + slot_count` bound."""


@attrs.frozen(eq=False, repr=False)
class Layout:
    """What the transfer functions have to know of the routine.

    `cells` has a bit for each slot that holds a cell from the start.
    `without_keywords` holds the ids of the `CALL_FUNCTION_EX`s that have a `PUSH_NULL` of their own before them,
    `trusted` those of conditional jumps that the compiler put after a comparison of its own.
    """

    slot_count: int
    without_keywords: frozenset[int]
    trusted: frozenset[int]
    cells: int


Transfer = Callable[[Instruction, State, Layout], State]
"""The state after an instruction, given that before it; `VerifyError` where it may not run."""

NULL_ABOVE = DIALECT.null_above_callable
UNCHECKED = DIALECT.unchecked_loads
KEYWORDS_MAY_BE_NULL = DIALECT.version >= (3, 14)

NULLS_CAN_BE_POPPED = DIALECT.version >= (3, 14)
POP_ITER = DIALECT.opcodes.get("POP_ITER", -1)

CALLEE_BITS = (VALUE | (NULL | VALUE) << ENTRY_BITS) if NULL_ABOVE else (NULL | VALUE | VALUE << ENTRY_BITS)
"""What the ops that look a method up push: a function and maybe self, or maybe a NULL and a callable."""

_NULLS_UP_TO = 64
_NULLS = tuple(sum(NULL << ENTRY_BITS * entry for entry in range(count)) for count in range(_NULLS_UP_TO))


def nulls(count: int) -> int:
    """A mask of the NULL bits of `count` entries."""
    if count < _NULLS_UP_TO:
        return _NULLS[count]
    return ((1 << ENTRY_BITS * count) - 1) // ENTRY * NULL


def pop(state: State, count: int) -> State:
    """Take `count` entries, none of which may be NULL."""
    depth, stack, slots = state
    depth -= count
    if depth < 0:
        raise VerifyError("the stack is too short")
    shift = ENTRY_BITS * depth
    if stack >> shift & nulls(count):
        raise VerifyError("a value that may be NULL is used")
    return depth, stack & (1 << shift) - 1, slots


def drop(state: State, count: int) -> State:
    """Take `count` entries, NULL or not."""
    depth, stack, slots = state
    depth -= count
    if depth < 0:
        raise VerifyError("the stack is too short")
    return depth, stack & (1 << ENTRY_BITS * depth) - 1, slots


def push(state: State, bits: int, count: int = 1) -> State:
    """Put `count` entries on the stack, `bits` for all of them."""
    depth, stack, slots = state
    return depth + count, stack | bits << ENTRY_BITS * depth, slots


def entry_bits(state: State, down: int) -> int:
    """The bits of the entry `down` places from the top (1 is the top)."""
    depth, stack, _ = state
    if down > depth or down < 1:
        raise VerifyError("the stack is too short")
    return stack >> ENTRY_BITS * (depth - down) & ENTRY


def _require_value(state: State, down: int) -> None:
    if entry_bits(state, down) & NULL:
        raise VerifyError("a value that may be NULL is used")


def _counted(instruction: Instruction, state: State, _layout: Layout) -> State:
    """Ops whose effect depends on their argument, that use up all their inputs and push values."""
    effect, arg = instruction.op.effect, instruction.arg
    state = pop(state, effect.pops(arg))
    count = effect.pushes(arg)
    return push(state, nulls(count) << 1, count)


def _load_const(instruction: Instruction, state: State, _layout: Layout) -> State:
    return push(state, LITERALS.get(type(instruction.const), VALUE))


def _compare(_instruction: Instruction, state: State, _layout: Layout) -> State:
    integers = entry_bits(state, 1) == INTEGER == entry_bits(state, 2)
    return push(pop(state, 2), BOOL if integers else VALUE)


def _copy(instruction: Instruction, state: State, _layout: Layout) -> State:
    _require_value(state, instruction.arg)
    return push(state, entry_bits(state, instruction.arg))


def _swap(instruction: Instruction, state: State, _layout: Layout) -> State:
    lower, upper = entry_bits(state, instruction.arg), entry_bits(state, 1)
    depth, stack, slots = state
    change = lower ^ upper
    change = change << ENTRY_BITS * (depth - 1) | change << ENTRY_BITS * (depth - instruction.arg)
    return depth, (stack ^ change if instruction.arg > 1 else stack), slots


def _into_container(values: int) -> Transfer:
    """`values` entries go into the container that lies `arg` entries below them."""

    def transfer(instruction: Instruction, state: State, _layout: Layout) -> State:
        state = pop(state, values)
        _require_value(state, instruction.arg)
        return state

    return transfer


def _dict_merge(instruction: Instruction, state: State, _layout: Layout) -> State:
    state = pop(state, 1)
    _require_value(state, instruction.arg)
    _require_value(state, instruction.arg + (3 if NULL_ABOVE else 2))
    entry_bits(state, instruction.arg + 3)
    return state


def _load_fast(instruction: Instruction, state: State, layout: Layout) -> State:
    depth, stack, slots = state
    unbound = 1 << instruction.arg
    if slots & unbound:
        group = instruction.group
        if group is not None and group.raw and group.raw[0].opcode in UNCHECKED:
            raise VerifyError("an unchecked load of a slot that may be unbound")
        slots = slots & ~unbound | unbound << layout.slot_count
    return depth + 1, stack | VALUE << ENTRY_BITS * depth, slots


def _store_fast(instruction: Instruction, state: State, layout: Layout) -> State:
    bits = entry_bits(state, 1)
    depth, stack, slots = drop(state, 1)
    unbound = 1 << instruction.arg
    bound = unbound << layout.slot_count
    slots &= ~(unbound | bound)
    return depth, stack, slots | (unbound if bits & NULL else 0) | (bound if bits & ~NULL else 0)


def _delete_fast(instruction: Instruction, state: State, layout: Layout) -> State:
    depth, stack, slots = state
    unbound = 1 << instruction.arg
    return depth, stack, slots & ~(unbound << layout.slot_count) | unbound


def _load_fast_and_clear(instruction: Instruction, state: State, layout: Layout) -> State:
    slots = state[2]
    unbound = 1 << instruction.arg
    bits = (NULL if slots & unbound else 0) | (VALUE if slots & unbound << layout.slot_count else 0)
    return _delete_fast(instruction, push(state, bits), layout)


def _make_cell(instruction: Instruction, state: State, layout: Layout) -> State:
    depth, stack, slots = state
    unbound = 1 << instruction.arg
    return depth, stack, slots & ~unbound | unbound << layout.slot_count


def _through_cell(instruction: Instruction, state: State, _layout: Layout) -> State:
    if state[2] & 1 << instruction.arg:
        raise VerifyError("the slot may hold no cell")
    effect = instruction.op.effect
    popped, pushed, _ = effect.fixed or (0, 0, 0)
    return push(pop(state, popped), nulls(pushed) << 1, pushed)


def _require_callee(state: State) -> None:
    """The two topmost entries are a callee: the NULL, if there is one, where this version has it."""
    callable_at = 2 if NULL_ABOVE else 1
    if entry_bits(state, callable_at) & NULL:
        raise VerifyError("the callable may be NULL")
    entry_bits(state, 2)


def _call(instruction: Instruction, state: State, _layout: Layout) -> State:
    state = pop(state, instruction.arg + (instruction.op is Op.CALL_KW))
    _require_callee(state)
    return push(drop(state, 2), VALUE)


def _call_function_ex(instruction: Instruction, state: State, layout: Layout) -> State:
    keywords = entry_bits(state, 1)
    state = pop(drop(state, 1), 1)
    _require_callee(state)
    if entry_bits(state, 1 if NULL_ABOVE else 2) != NULL:
        raise VerifyError("there has to be a NULL beside the callable")
    if keywords & NULL and not KEYWORDS_MAY_BE_NULL and id(instruction) not in layout.without_keywords:
        raise VerifyError("the keywords may be NULL, and not by a PUSH_NULL right before the call")
    return push(drop(state, 2), VALUE)


def _with_except_start(instruction: Instruction, state: State, _layout: Layout) -> State:
    for down in (1, 2, instruction.arg):
        _require_value(state, down)
    return push(state, VALUE)


def _reraise(instruction: Instruction, state: State, _layout: Layout) -> State:
    state = pop(state, 1)
    if instruction.arg:
        _require_value(state, instruction.arg)
    return state


def _take_bool(instruction: Instruction, state: State, layout: Layout) -> State:
    bits = entry_bits(state, 1)
    if bits != BOOL and (bits & NULL or id(instruction) not in layout.trusted):
        raise VerifyError("a truth value that may not be a bool")
    return drop(state, 1)


def _pop_top(instruction: Instruction, state: State, _layout: Layout) -> State:
    return pop(state, 1) if _ends_iteration(instruction) else drop(state, 1)


def _ends_iteration(instruction: Instruction) -> bool:
    group = instruction.group
    return group is not None and group.raw[0].opcode == POP_ITER


def _unary_not(instruction: Instruction, state: State, layout: Layout) -> State:
    return push(_take_bool(instruction, state, layout), BOOL)


def _return_value(_instruction: Instruction, state: State, _layout: Layout) -> State:
    state = pop(state, 1)
    if state[0]:
        raise VerifyError(f"{state[0]} values are left on the stack")
    return state


SPECIAL: dict[Op, Transfer] = ({Op.POP_TOP: _pop_top} if NULLS_CAN_BE_POPPED else {}) | {
    Op.LOAD_CONST: _load_const,
    Op.COMPARE_OP: _compare,
    Op.COPY: _copy,
    Op.SWAP: _swap,
    Op.LIST_APPEND: _into_container(1),
    Op.LIST_EXTEND: _into_container(1),
    Op.SET_ADD: _into_container(1),
    Op.SET_UPDATE: _into_container(1),
    Op.DICT_UPDATE: _into_container(1),
    Op.MAP_ADD: _into_container(2),
    Op.DICT_MERGE: _dict_merge,
    Op.LOAD_FAST: _load_fast,
    Op.STORE_FAST: _store_fast,
    Op.DELETE_FAST: _delete_fast,
    Op.LOAD_FAST_AND_CLEAR: _load_fast_and_clear,
    Op.MAKE_CELL: _make_cell,
    Op.LOAD_DEREF: _through_cell,
    Op.STORE_DEREF: _through_cell,
    Op.DELETE_DEREF: _through_cell,
    Op.LOAD_FROM_DICT_OR_DEREF: _through_cell,
    Op.CALL: _call,
    Op.CALL_KW: _call,
    Op.CALL_FUNCTION_EX: _call_function_ex,
    Op.WITH_EXCEPT_START: _with_except_start,
    Op.RERAISE: _reraise,
    Op.POP_JUMP_IF_TRUE: _take_bool,
    Op.POP_JUMP_IF_FALSE: _take_bool,
    Op.UNARY_NOT: _unary_not,
    Op.RETURN_VALUE: _return_value,
}
"""Ops that do more than pop some values and push some."""

PUSHED: dict[Op, int] = {
    Op.PUSH_NULL: NULL,
    Op.LOAD_METHOD: CALLEE_BITS,
    Op.LOAD_SUPER_METHOD: CALLEE_BITS,
    Op.LOAD_SPECIAL: CALLEE_BITS,
    Op.TO_BOOL: BOOL,
    Op.GET_LEN: VALUE | INTEGER << ENTRY_BITS,
    Op.IS_OP: BOOL,
    Op.CONTAINS_OP: BOOL,
    Op.CHECK_EXC_MATCH: VALUE | BOOL << ENTRY_BITS,
    Op.MATCH_MAPPING: VALUE | BOOL << ENTRY_BITS,
    Op.MATCH_SEQUENCE: VALUE | BOOL << ENTRY_BITS,
}
"""What ops push that does not consist of ordinary values alone."""


def _plain_effect(op: Op) -> tuple[int, int, int, int] | None:
    fixed = op.effect.fixed
    if op in SPECIAL or fixed is None:
        return None
    popped, pushed, _ = fixed
    return popped, nulls(popped), pushed, PUSHED.get(op, nulls(pushed) << 1)


PLAIN = tuple(_plain_effect(op) for op in Op)
"""By `Op.index`, for ops that pop values and push: how many they pop, the NULL mask of these, pushes, pushed bits."""

TRANSFERS = tuple(SPECIAL.get(op, _counted) for op in Op)
"""By `Op.index`, for all others."""

SLOT_OPS = tuple(op.effect.operand is Operand.SLOT for op in Op)
"""By `Op.index`: whether the argument is a slot."""


def step(instruction: Instruction, state: State, layout: Layout) -> State:
    """The state after `instruction` where it does not jump; `VerifyError` where it may not run."""
    plain = PLAIN[instruction.op.index]
    if plain is None:
        return TRANSFERS[instruction.op.index](instruction, state, layout)
    popped, _, pushed, bits = plain
    return push(pop(state, popped), bits, pushed)


def entry_state(slot_count: int, bound: int) -> State:
    """The state after the prefix: an empty stack; `bound` is a mask of the slots that are bound."""
    return 0, 0, ((1 << slot_count) - 1) & ~bound | bound << slot_count
