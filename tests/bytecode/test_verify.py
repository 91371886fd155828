"""`verify` finds every deliberate fault, and says where."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from symexec.bytecode import Handler, Instruction, Label, Op, Routine, decode, features, trace_shapes, verify
from symexec.bytecode.running import DIALECT
from symexec.errors import VerifyError
from tests.bytecode.programs import PROGRAMS


def subject(flag, xs):
    total = 0
    if flag:
        extra = 1
    try:
        for x in xs:
            total += x
    except ValueError:
        total = -1
    return total


def closing(a):
    def inner():
        return a

    return inner


def nop() -> Instruction:
    return Instruction(Op.NOP)


def fresh(function=subject) -> Routine:
    return decode(function.__code__)


def index_of(routine: Routine, op: Op) -> int:
    return next(i for i, instruction in enumerate(routine.instructions) if instruction.op is op)


def put(routine: Routine, at: int, *instructions: Instruction) -> Routine:
    routine.instructions[at:at] = instructions
    return routine


def first(*instructions: Instruction) -> Routine:
    return put(fresh(), 0, *instructions)


def last_of(routine: Routine) -> Instruction:
    return routine.instructions[-1]


def body(*instructions: Instruction) -> Routine:
    return attrs.evolve(fresh(), instructions=list(instructions))


def returned() -> list[Instruction]:
    return [Instruction(Op.LOAD_CONST, const=None), Instruction(Op.RETURN_VALUE)]


def value_left_behind() -> Routine:
    return first(Instruction(Op.LOAD_CONST, const=1))


def stack_too_short() -> Routine:
    return first(Instruction(Op.POP_TOP))


def unequal_depths() -> Routine:
    routine = fresh()
    target = Label(routine.instructions[0])
    return put(
        routine,
        0,
        Instruction(Op.LOAD_CONST, const=1),
        Instruction(Op.LOAD_CONST, const=True),
        Instruction(Op.POP_JUMP_IF_TRUE, target=target),
        Instruction(Op.POP_TOP),
    )


def handler_too_deep() -> Routine:
    routine = fresh()
    for instruction in routine.instructions:
        if instruction.handler is not None:
            instruction.handler = attrs.evolve(instruction.handler, depth=instruction.handler.depth + 3)
    return routine


def handler_of_another_depth() -> Routine:
    routine = fresh()
    handler = next(i.handler for i in routine.instructions if i.handler is not None)
    return put(routine, 0, Instruction(Op.NOP, handler=attrs.evolve(handler, push_lasti=not handler.push_lasti)))


def handler_nowhere() -> Routine:
    return first(Instruction(Op.NOP, handler=Handler(Label(nop()), 0, False)))


def slot_out_of_range() -> Routine:
    return first(Instruction(Op.DELETE_FAST, 99))


def negative_slot() -> Routine:
    return first(Instruction(Op.LOAD_FAST, -1), Instruction(Op.POP_TOP))


def operator_that_does_not_exist() -> Routine:
    both = [Instruction(Op.LOAD_FAST, 0), Instruction(Op.LOAD_FAST, 1)]
    return first(*both, Instruction(Op.BINARY_OP, 99), Instruction(Op.POP_TOP))


def comparison_that_does_not_exist() -> Routine:
    both = [Instruction(Op.LOAD_FAST, 0), Instruction(Op.LOAD_FAST, 1)]
    return first(*both, Instruction(Op.COMPARE_OP, 6), Instruction(Op.POP_TOP))


def negative_number() -> Routine:
    return first(Instruction(Op.BUILD_TUPLE, -1), Instruction(Op.POP_TOP))


def slice_of_one() -> Routine:
    return first(Instruction(Op.LOAD_FAST, 0), Instruction(Op.BUILD_SLICE, 1), Instruction(Op.POP_TOP))


def label_nowhere() -> Routine:
    return first(Instruction(Op.JUMP, target=Label(nop())))


def label_of_nothing() -> Routine:
    return first(Instruction(Op.JUMP, target=Label()))


def jump_without_a_target() -> Routine:
    return first(Instruction(Op.JUMP))


def target_without_a_jump() -> Routine:
    routine = fresh()
    return put(routine, 0, Instruction(Op.NOP, target=Label(routine.instructions[0])))


def null_as_a_value() -> Routine:
    return first(Instruction(Op.PUSH_NULL), Instruction(Op.GET_ITER), Instruction(Op.POP_TOP))


def null_copied() -> Routine:
    return first(Instruction(Op.PUSH_NULL), Instruction(Op.COPY, 1), Instruction(Op.POP_TOP), Instruction(Op.POP_TOP))


def null_returned() -> Routine:
    return first(Instruction(Op.PUSH_NULL), Instruction(Op.RETURN_VALUE))


def null_as_an_argument() -> Routine:
    callee = features.lay_out_callee([Instruction(Op.LOAD_CONST, const=len)])
    return first(*callee, Instruction(Op.PUSH_NULL), Instruction(Op.CALL, 1), Instruction(Op.POP_TOP))


def null_on_the_wrong_side() -> Routine:
    callee = features.lay_out_callee([Instruction(Op.LOAD_CONST, const=len)])
    return first(*reversed(callee), Instruction(Op.CALL, 0), Instruction(Op.POP_TOP))


def null_missing_in_a_star_call() -> Routine:
    return first(
        *[Instruction(Op.LOAD_CONST, const=len) for _ in range(2)],
        Instruction(Op.BUILD_TUPLE, 0),
        Instruction(Op.PUSH_NULL),
        Instruction(Op.CALL_FUNCTION_EX),
        Instruction(Op.POP_TOP),
    )


def unbound_slot_restored_and_used() -> Routine:
    """A NULL saved on the stack and given back leaves its slot unbound."""
    if not features.HAS_CLEARING_LOADS:
        return null_as_a_value()
    routine = fresh()
    slot = routine.slots.index("total")
    load = next(i for i in routine.instructions if i.op is Op.LOAD_FAST and i.arg == slot and is_unchecked(i))
    routine.instructions = routine.instructions[: routine.instructions.index(load)]
    return body(
        Instruction(Op.LOAD_FAST_AND_CLEAR, slot), Instruction(Op.STORE_FAST, slot), *members(load), *returned()
    )


def members(instruction: Instruction) -> tuple[Instruction, ...]:
    return instruction.group.neutral if instruction.group is not None else (instruction,)


def is_unchecked(instruction: Instruction) -> bool:
    group = instruction.group
    return group is not None and len(group.neutral) == 1 and group.raw[0].opcode in DIALECT.unchecked_loads


def unchecked_load_of_an_unbound_slot() -> Routine:
    """3.11 has only checked loads: there a fault of another kind takes its place."""
    if not features.HAS_UNCHECKED_LOADS:
        return null_as_a_value()
    routine = fresh()
    load = next(i for i in routine.instructions if is_unchecked(i))
    at = routine.instructions.index(load)
    return put(routine, at, Instruction(Op.DELETE_FAST, load.arg))


def cell_cleared_and_read() -> Routine:
    routine = fresh(closing)
    slot = routine.cell_slots[0]
    return put(routine, 0, Instruction(Op.DELETE_FAST, slot), Instruction(Op.LOAD_DEREF, slot), Instruction(Op.POP_TOP))


def jump_back_with_the_cell_away(op: Op = Op.JUMP) -> Routine:
    """A jump that polls may raise, and its handler reads the cell; one that does not poll never gets there."""
    routine = fresh(closing)
    slot = routine.cell_slots[0]
    away = Instruction(Op.DELETE_FAST, slot)
    put_back = Instruction(Op.MAKE_CELL, slot)
    catch = [Instruction(Op.POP_TOP), Instruction(Op.LOAD_DEREF, slot), Instruction(Op.RETURN_VALUE)]
    handler = Handler(Label(catch[0]), 0, False)
    routine.instructions = [
        Instruction(Op.JUMP, target=Label(away)),
        put_back,
        Instruction(Op.NOP, handler=handler),
        *returned(),
        away,
        Instruction(op, target=Label(put_back), handler=handler),
        *catch,
    ]
    return routine


def no_cell_in_the_slot() -> Routine:
    return first(Instruction(Op.LOAD_DEREF, 0), Instruction(Op.POP_TOP))


def truth_of_something_else() -> Routine:
    routine = fresh()
    target = Label(routine.instructions[0])
    return put(routine, 0, Instruction(Op.LOAD_FAST, 0), Instruction(Op.POP_JUMP_IF_TRUE, target=target))


def not_of_something_else() -> Routine:
    return first(Instruction(Op.LOAD_FAST, 0), Instruction(Op.UNARY_NOT), Instruction(Op.POP_TOP))


def prefix_in_the_body() -> Routine:
    return first(Instruction(Op.COPY_FREE_VARS, 1))


def resume_zero_in_the_body() -> Routine:
    return first(Instruction(Op.RESUME, 0))


def runs_off_the_end() -> Routine:
    routine = fresh()
    routine.instructions.append(nop())
    return routine


def group_of_two() -> tuple[Routine, int]:
    for program in PROGRAMS:
        routine = fresh(program)
        for index, instruction in enumerate(routine.instructions):
            group = instruction.group
            if group is not None and len(group.neutral) > 1:
                return routine, index
    raise AssertionError("no group of several instructions")


def group_split() -> Routine:
    routine, index = group_of_two()
    return put(routine, index + 1, nop())


def group_half_gone() -> Routine:
    routine, index = group_of_two()
    del routine.instructions[index]
    return routine


def jump_into_a_group() -> Routine:
    routine, index = group_of_two()
    target = Label(routine.instructions[index + 1])
    return put(routine, 0, Instruction(Op.JUMP, target=target))


def handler_inside_a_group() -> Routine:
    routine, index = group_of_two()
    return put(routine, 0, Instruction(Op.NOP, handler=Handler(Label(routine.instructions[index + 1]), 0, False)))


def yield_without_its_resume() -> Routine:
    return first(Instruction(Op.LOAD_CONST, const=1), Instruction(Op.YIELD_VALUE), nop(), Instruction(Op.POP_TOP))


def fall_into_a_loops_end() -> Routine:
    return first(Instruction(Op.END_FOR))


def jump_to_a_loops_end() -> Routine:
    end = Instruction(Op.END_FOR)
    return body(Instruction(Op.JUMP, target=Label(end)), end, *returned())


def send_that_lands_elsewhere() -> Routine:
    landing = returned()
    return body(
        Instruction(Op.LOAD_FAST, 0),
        Instruction(Op.LOAD_CONST, const=None),
        Instruction(Op.SEND, target=Label(landing[0])),
        *landing,
    )


def send_without_its_yield() -> Routine:
    landing = [Instruction(Op.END_SEND), Instruction(Op.RETURN_VALUE)]
    return body(
        Instruction(Op.LOAD_FAST, 0),
        Instruction(Op.LOAD_CONST, const=None),
        Instruction(Op.SEND, target=Label(landing[0])),
        nop(),
        Instruction(Op.YIELD_VALUE, 1),
        Instruction(Op.RESUME, 2),
        Instruction(Op.RETURN_VALUE),
        *landing,
    )


def keywords_that_may_be_null() -> Routine:
    """From 3.14 on they may; what takes its place there is a NULL for the positional arguments."""
    callee = features.lay_out_callee([Instruction(Op.LOAD_CONST, const=dict)])
    call = [Instruction(Op.CALL_FUNCTION_EX), Instruction(Op.POP_TOP)]
    if features.VERSION >= (3, 14):
        return first(*callee, Instruction(Op.PUSH_NULL), Instruction(Op.PUSH_NULL), *call)
    return first(*callee, Instruction(Op.BUILD_TUPLE), Instruction(Op.PUSH_NULL), nop(), *call)


def slots_that_are_not_the_header() -> Routine:
    routine = fresh()
    return attrs.evolve(routine, freevars=("extra",))


def cell_slots_that_are_not_the_header() -> Routine:
    return attrs.evolve(fresh(closing), cell_slots=())


def wrong_exit_depth() -> Routine:
    return first(
        *[Instruction(Op.LOAD_CONST, const=1) for _ in range(3)],
        Instruction(Op.WITH_EXCEPT_START, 3 + features.EXIT_ENTRIES),
        *[Instruction(Op.POP_TOP) for _ in range(4)],
    )


def container_out_of_reach() -> Routine:
    return first(Instruction(Op.LOAD_CONST, const=1), Instruction(Op.LIST_APPEND, 2))


def swap_out_of_reach() -> Routine:
    return first(Instruction(Op.LOAD_CONST, const=1), Instruction(Op.SWAP, 2), Instruction(Op.POP_TOP))


FAULTS: list[Callable[[], Routine]] = [
    value_left_behind,
    stack_too_short,
    unequal_depths,
    handler_too_deep,
    handler_of_another_depth,
    handler_nowhere,
    slot_out_of_range,
    negative_slot,
    operator_that_does_not_exist,
    comparison_that_does_not_exist,
    negative_number,
    slice_of_one,
    label_nowhere,
    label_of_nothing,
    jump_without_a_target,
    target_without_a_jump,
    null_as_a_value,
    null_copied,
    null_returned,
    null_as_an_argument,
    null_on_the_wrong_side,
    null_missing_in_a_star_call,
    unbound_slot_restored_and_used,
    unchecked_load_of_an_unbound_slot,
    cell_cleared_and_read,
    jump_back_with_the_cell_away,
    no_cell_in_the_slot,
    truth_of_something_else,
    not_of_something_else,
    prefix_in_the_body,
    resume_zero_in_the_body,
    runs_off_the_end,
    group_split,
    group_half_gone,
    jump_into_a_group,
    handler_inside_a_group,
    yield_without_its_resume,
    fall_into_a_loops_end,
    jump_to_a_loops_end,
    send_that_lands_elsewhere,
    send_without_its_yield,
    keywords_that_may_be_null,
    slots_that_are_not_the_header,
    cell_slots_that_are_not_the_header,
    wrong_exit_depth,
    container_out_of_reach,
    swap_out_of_reach,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.__name__)
def test_fault(fault: Callable[[], Routine]) -> None:
    with pytest.raises(VerifyError):
        verify(fault())


@pytest.mark.parametrize("function", [subject, closing, *PROGRAMS], ids=lambda f: f.__name__)
def test_no_fault(function) -> None:
    verify(fresh(function))


def test_a_jump_that_does_not_poll_never_raises() -> None:
    verify(jump_back_with_the_cell_away(Op.JUMP_NO_INTERRUPT))


def test_the_message_says_where() -> None:
    routine = fresh()
    at = index_of(routine, Op.FOR_ITER)
    position = routine.instructions[at].position
    put(routine, at, Instruction(Op.POP_TOP, position=position), Instruction(Op.POP_TOP, position=position))
    assert position is not None
    with pytest.raises(VerifyError, match=rf"test_verify\.py:{position.line}, in subject, instruction {at + 1} "):
        verify(routine)


def test_code_that_is_never_reached_may_be_anything_of_the_right_form() -> None:
    routine = fresh()
    routine.instructions[-1:] = [last_of(routine), Instruction(Op.POP_TOP), Instruction(Op.POP_TOP), *returned()]
    verify(routine)


def test_a_copy_of_a_group_member_is_new() -> None:
    routine, index = group_of_two()
    group = routine.instructions[index].group
    assert group is not None
    size = len(group.neutral)
    routine.instructions[index : index + size] = [attrs.evolve(member) for member in group.neutral]
    labels = {id(i.target.instruction) for i in routine.instructions if i.target is not None}
    assert id(group.neutral[0]) not in labels
    verify(routine)


def test_what_is_checked_is_bound_from_then_on() -> None:
    routine = fresh()
    slot = routine.slots.index("extra")
    shapes = trace_shapes(routine).shapes()
    reached = [shape for shape in shapes if shape is not None]
    assert not reached[0].may_be_bound(slot)
    assert any(shape.may_be_bound(slot) and shape.may_be_unbound(slot) for shape in reached)
    put(routine, len(routine.instructions) - 1, Instruction(Op.LOAD_FAST, slot), Instruction(Op.POP_TOP))
    load = routine.instructions[-3]
    flow = trace_shapes(routine)
    shapes = flow.shapes()
    after = shapes[routine.instructions.index(load) + 1]
    if after is not None:
        assert not after.may_be_unbound(slot)


def test_shapes_say_where_nulls_are() -> None:
    def calling(f):
        return f(1)

    routine = fresh(calling)
    shapes = trace_shapes(routine).shapes()
    shape = shapes[index_of(routine, Op.CALL)]
    assert shape is not None
    assert shape.depth == 3
    at = features.callable_entry(shape.depth, 1)
    assert shape.may_be_value(at) and not shape.may_be_null(at)
    null = 0 if at else 1
    assert shape.may_be_null(null) and not shape.may_be_value(null)


def test_a_method_call_may_have_a_null() -> None:
    def calling(x):
        return x.upper()

    routine = fresh(calling)
    shape = trace_shapes(routine).shapes()[index_of(routine, Op.CALL)]
    assert shape is not None
    both = [entry for entry in range(shape.depth) if shape.may_be_null(entry) and shape.may_be_value(entry)]
    assert both == [1 if features.NULL_ABOVE_CALLABLE else 0]


def test_twenty_thousand_branches() -> None:
    lines = "".join(f"    if x == {n}: y = {n}\n" for n in range(20_000))
    scope: dict[str, object] = {}
    exec(f"def f(x):\n    y = 0\n{lines}    return y\n", scope)
    routine = fresh(scope["f"])
    verify(routine)
    assert trace_shapes(routine).deepest() == 2


def test_blocks_in_reverse_order_cost_no_more() -> None:
    """Each block is carried once or twice, in whatever order they lie."""
    links: list[list[Instruction]] = [returned()]
    for _ in range(5_000):
        links.append([nop(), Instruction(Op.JUMP, target=Label(links[-1][0]))])
    entry = Instruction(Op.JUMP, target=Label(links[-1][0]))
    verify(body(entry, *(instruction for link in links for instruction in link)))
