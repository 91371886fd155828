"""Proof that a routine is safe to run: bad bytecode crashes the interpreter or, worse, does not."""

from __future__ import annotations

from dis import cmp_op

from symexec.bytecode.dataflow import describe_fault, trace_shapes
from symexec.bytecode.effects import Operand
from symexec.bytecode.emission import is_intact
from symexec.bytecode.model import Handler, Instruction, Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.prologue import LOCATION_BITS
from symexec.bytecode.running import DIALECT
from symexec.bytecode.states import SLOT_OPS
from symexec.errors import VerifyError

CELL_OPS = frozenset({Op.LOAD_DEREF, Op.STORE_DEREF, Op.DELETE_DEREF, Op.LOAD_FROM_DICT_OR_DEREF})
LANDINGS = {Op.END_FOR: Op.FOR_ITER} | ({} if DIALECT.has_end_send else {Op.END_SEND: Op.SEND})
"""Ops that only one kind of jump may reach, and nothing else."""

FOLLOWERS = {Op.YIELD_VALUE: Op.RESUME, Op.SEND: Op.YIELD_VALUE}
"""Ops that have to be followed by another."""

NUMBERS = {
    **{op: range(1 << 31) for op in Op if op.effect.operand is Operand.NUMBER},
    Op.BINARY_OP: range(26),
    Op.COMPARE_OP: range(len(cmp_op)),
    Op.IS_OP: range(2),
    Op.CONTAINS_OP: range(2),
    Op.BUILD_SLICE: range(2, 4),
    Op.CONVERT_VALUE: range(1, 4),
    Op.SET_FUNCTION_ATTRIBUTE: (1, 2, 4, 8, 16),
    Op.RAISE_VARARGS: range(3),
}
"""The numbers that an op takes (`BINARY_OP`: those that all versions know); CPython looks them up without a check."""

NUMBERS_OF = tuple(NUMBERS.get(op) for op in Op)
JUMP_OPS = tuple(op.effect.operand is Operand.LABEL for op in Op)
SPECIAL_FORM = tuple(
    op in CELL_OPS or op in LANDINGS or op in FOLLOWERS or op in (Op.COPY_FREE_VARS, Op.RETURN_GENERATOR, Op.RESUME)
    for op in Op
)
"""By `Op.index`: ops that `_check_special_form` has something to say about."""


def verify(routine: Routine) -> None:
    """Return if `routine` is safe to run, and raise `VerifyError` at the first fault.

    Checked: equal stack depths where paths meet, never below zero, enough for every handler; slots, labels and numbers
    in range; groups whole, and entered only at their first instruction; unchecked loads of slots that are bound for
    certain; no NULL used as a value, and the NULL of a call where this version wants it; truth values that are bools;
    no prefix instruction after the prefix; control never runs off the end.  Code that is never reached is checked
    for its form alone.  Not checked: the types of stack entries that only the compiler's own code has, such as the
    list under `LIST_APPEND` or the code object of `MAKE_FUNCTION`.
    """
    if not routine.instructions:
        raise VerifyError(f"{routine.qualified_name} has no instructions")
    _check_header(routine)
    _check_form(routine)
    trace_shapes(routine)


def _check_header(routine: Routine) -> None:
    own = len(routine.slots) - len(routine.freevars)
    cells = [name for name in routine.cellvars if name not in routine.variables]
    if routine.slots != (*routine.variables, *cells, *routine.freevars):
        raise VerifyError(f"{routine.qualified_name}: the slots are not variables, cells and free variables")
    if sorted(routine.cell_slots) != sorted(routine.slots[:own].index(name) for name in routine.cellvars):
        raise VerifyError(f"{routine.qualified_name}: the cell slots are not those of the cell variables")
    if routine.parameter_count > len(routine.variables):
        raise VerifyError(f"{routine.qualified_name}: more parameters than variables")
    for name in ("variables", "cellvars", "freevars"):
        names: tuple[str, ...] = getattr(routine, name)
        if len(set(names)) != len(names):
            raise VerifyError(f"{routine.qualified_name}: a name occurs twice in {name}")


def _check_form(routine: Routine) -> None:
    """Everything that can be seen without following control."""
    instructions, slot_count = routine.instructions, len(routine.slots)
    if len(set(map(id, instructions))) != len(instructions):
        raise VerifyError(f"{routine.qualified_name}: an instruction occurs twice")
    inner = _check_groups(routine)
    index = 0
    handler: Handler | None = None
    try:
        for index, instruction in enumerate(instructions):
            kind = instruction.op.index
            if SLOT_OPS[kind] and not 0 <= instruction.arg < slot_count:
                raise VerifyError(f"slot {instruction.arg} of {slot_count}")
            numbers = NUMBERS_OF[kind]
            if numbers is not None and instruction.arg not in numbers:
                raise VerifyError(f"{instruction.op.name} takes no number {instruction.arg}")
            if JUMP_OPS[kind] or instruction.target is not None:
                _check_jump(instruction, inner)
            if instruction.handler is not handler:
                handler = instruction.handler
                _check_handler(handler, inner)
            if SPECIAL_FORM[kind]:
                _check_special_form(routine, index)
    except VerifyError as error:
        raise VerifyError(describe_fault(routine, index, str(error))) from None
    if not instructions[-1].op.effect.terminal:
        raise VerifyError(describe_fault(routine, index, "control runs off the end"))


def _check_groups(routine: Routine) -> set[int]:
    """Every group has to be whole; the ids of the instructions inside them, which nothing may jump to."""
    instructions = routine.instructions
    inner: set[int] = set()
    end = 0
    for index, instruction in enumerate(instructions):
        group = instruction.group
        if group is None or len(group.neutral) == 1 or index < end:
            continue
        if is_intact(instructions, index):
            end = index + len(group.neutral)
            inner.update(map(id, group.neutral[1:]))
        elif any(member is instruction for member in group.neutral):
            raise VerifyError(describe_fault(routine, index, "its group is split"))
    return inner


def _check_jump(instruction: Instruction, inner: set[int]) -> None:
    op, target = instruction.op, instruction.target
    if target is None or not JUMP_OPS[op.index]:
        raise VerifyError("a jump without a target, or a target without a jump")
    landed = target.instruction
    if landed is None or id(landed) in inner:
        raise VerifyError("a jump to nowhere, or into the middle of a group")
    wanted = LANDINGS.get(landed.op)
    if wanted is not None and wanted is not op:
        raise VerifyError(f"a {op.name} to {landed.op.name}")
    if op is Op.FOR_ITER and landed.op is not Op.END_FOR and DIALECT.has_end_for:
        raise VerifyError("a FOR_ITER that does not land on END_FOR")
    if op is Op.SEND and landed.op is not Op.END_SEND:
        raise VerifyError("a SEND that does not land on END_SEND")


def _check_handler(handler: Handler | None, inner: set[int]) -> None:
    if handler is None:
        return
    landed = handler.label.instruction
    if landed is None or id(landed) in inner:
        raise VerifyError("a handler that is nowhere, or in the middle of a group")
    if landed.op in LANDINGS or handler.depth < 0:
        raise VerifyError(f"a handler at {landed.op.name}, with depth {handler.depth}")


def _check_special_form(routine: Routine, index: int) -> None:
    instruction = routine.instructions[index]
    op = instruction.op
    if op in CELL_OPS:
        _check_cell(routine, instruction.arg)
    elif op in LANDINGS:
        if not index or not routine.instructions[index - 1].op.effect.terminal:
            raise VerifyError("it can be reached from the instruction before it")
    elif op in FOLLOWERS:
        after = routine.instructions[index + 1 : index + 2]
        if not after or after[0].op is not FOLLOWERS[op]:
            raise VerifyError(f"it is not followed by {FOLLOWERS[op].name}")
    elif op is not Op.RESUME or not instruction.arg & LOCATION_BITS:
        raise VerifyError("it belongs to the prefix, which is derived")


def _check_cell(routine: Routine, slot: int) -> None:
    """Cells are in the slots of cell and free variables, and in those that a `MAKE_CELL` in the body fills."""
    if slot in routine.cell_slots or slot >= routine.first_free_slot:
        return
    if not any(made.op is Op.MAKE_CELL and made.arg == slot for made in routine.instructions):
        raise VerifyError(f"slot {slot} holds no cell")
