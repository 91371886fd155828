"""Definite assignment: bound and unbound slots, values and cells."""

from __future__ import annotations

import types
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from symexec.analysis.assignment import Assignment, SlotContent, compute_assignment
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op
from tests.analysis import reference
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_routines
from tests.analysis.frames import Content, run, sound_routines

UNBOUND, VALUE, CELL = SlotContent.UNBOUND, SlotContent.VALUE, SlotContent.CELL


def names(routine: Routine, bits: int) -> str:
    return " ".join(name for slot, name in enumerate(routine.slots) if bits >> slot & 1)


def content_in(routine: Routine, name: str) -> list[SlotContent]:
    assignment = compute_assignment(routine)
    slot = routine.slots.index(name)
    return [assignment.content(index, slot) for index in range(len(routine.instructions))]


def test_parameters_are_bound_and_variables_are_not() -> None:
    routine = assemble("LOAD_CONST\nRETURN_VALUE", "a b", "c", cells="b d", free="e")
    assignment = compute_assignment(routine)
    assert names(routine, assignment.bound(0)) == "a b d e"
    assert names(routine, assignment.unbound(0)) == "c"
    assert names(routine, assignment.cells(0)) == "b d e"
    assert names(routine, assignment.values(0)) == "a"
    assert assignment.maybe(0) == 0


def test_storing_and_deleting() -> None:
    routine = assemble("LOAD_CONST\nSTORE_FAST a\nDELETE_FAST a\nLOAD_CONST\nRETURN_VALUE", "", "a")
    assert content_in(routine, "a") == [UNBOUND, UNBOUND, VALUE, UNBOUND, UNBOUND]


def test_a_branch_binds_maybe_and_a_load_decides() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        TO_BOOL
        POP_JUMP_IF_TRUE past
        LOAD_CONST
        STORE_FAST b
        past:
        LOAD_FAST b
        RETURN_VALUE
        """,
        "a",
        "b",
    )
    assert content_in(routine, "b")[5:] == [UNBOUND | VALUE, VALUE]
    assert names(routine, compute_assignment(routine).maybe(5)) == "b"


def test_a_handler_sees_every_moment_of_what_it_covers() -> None:
    routine = assemble(
        """
        cover handler 0
        LOAD_CONST
        STORE_FAST a
        LOAD_CONST
        uncover
        RETURN_VALUE
        handler:
        RERAISE 0
        """,
        "",
        "a",
    )
    assert content_in(routine, "a") == [UNBOUND, UNBOUND, VALUE, VALUE, UNBOUND | VALUE]


def test_what_the_last_covered_instruction_does_is_not_seen_by_the_handler() -> None:
    routine = assemble("cover h 0\nLOAD_CONST\nSTORE_FAST a\nuncover\nLOAD_CONST\nRETURN_VALUE\nh:\nRERAISE 0", "", "a")
    assert content_in(routine, "a")[4] == UNBOUND


def test_a_restored_slot_takes_its_state_back() -> None:
    text = """
        LOAD_FAST_AND_CLEAR x
        LOAD_CONST
        STORE_FAST x
        LOAD_CONST
        SWAP 2
        STORE_FAST x
        RETURN_VALUE
        """
    assert content_in(assemble(text, "x"), "x") == [VALUE, UNBOUND, UNBOUND, VALUE, VALUE, VALUE, VALUE]
    assert content_in(assemble(text, "", "x"), "x") == [UNBOUND, UNBOUND, UNBOUND, VALUE, VALUE, VALUE, UNBOUND]
    assert content_in(assemble(text, "x", cells="x"), "x") == [CELL, UNBOUND, UNBOUND, VALUE, VALUE, VALUE, CELL]


def test_a_cell_that_is_made_for_a_while() -> None:
    text = "LOAD_FAST_AND_CLEAR x\nMAKE_CELL x\nNOP\nSTORE_FAST x\nLOAD_CONST\nRETURN_VALUE"
    assert content_in(assemble(text, "x"), "x") == [VALUE, UNBOUND, CELL, CELL, VALUE, VALUE]
    assert content_in(assemble(text, "", "x"), "x") == [UNBOUND, UNBOUND, CELL, CELL, UNBOUND, UNBOUND]


def test_other_instructions_leave_saved_cells_alone() -> None:
    text = """
        BUILD_LIST 0
        LOAD_FAST_AND_CLEAR x
        LOAD_CONST
        LIST_APPEND 2
        LOAD_FAST y
        BUILD_TUPLE 1
        SWAP 2
        STORE_FAST x
        POP_TOP
        RETURN_VALUE
        """
    assert content_in(assemble(text, "x y", cells="x"), "x")[8] == CELL


def test_nothing_is_said_of_code_that_is_never_reached() -> None:
    assignment = compute_assignment(assemble("LOAD_CONST\nRETURN_VALUE\nLOAD_CONST\nRETURN_VALUE", "a"))
    assert assignment.content(2, 0) == SlotContent(0)
    assert (assignment.bound(2), assignment.unbound(2), assignment.maybe(2)) == (0, 0, 0)


# compiled functions: the same on every Python


def analysed(function: Callable[..., object]) -> tuple[Routine, Assignment]:
    code = function.__code__
    assert isinstance(code, types.CodeType)
    routine = decode(code)
    return routine, compute_assignment(routine)


def before_return(routine: Routine) -> int:
    return max(index for index, each in enumerate(routine.instructions) if each.op is Op.RETURN_VALUE)


def test_except_as_unbinds_its_name() -> None:
    def f(x: int) -> object:
        try:
            y = int(x)
        except ValueError as error:
            y = error
        return y

    routine, assignment = analysed(f)
    index = max(index for index, each in enumerate(routine.instructions) if each.op is Op.LOAD_FAST)
    assert assignment.content(index, routine.slots.index("error")) == UNBOUND
    assert assignment.content(index, routine.slots.index("y")) == VALUE


def test_a_cell_that_is_never_filled_is_bound() -> None:
    def f(x: int) -> object:
        def g() -> int:
            return y

        if x:
            y = 1
        return g

    routine, assignment = analysed(f)
    assert assignment.content(0, routine.slots.index("y")) == CELL


def test_a_comprehension_over_the_name_of_a_cell() -> None:
    def f(x: int, ys: list[int]) -> object:
        def g() -> int:
            return x

        return [x for x in ys], g

    routine, assignment = analysed(f)
    slot = routine.slots.index("x")
    assert assignment.content(0, slot) == CELL
    assert assignment.content(before_return(routine), slot) == CELL
    stores = [index for index, each in enumerate(routine.instructions) if each.op is Op.STORE_FAST and each.arg == slot]
    for index in stores[:1]:  # from 3.12 on
        assert CELL not in assignment.content(index + 1, slot) or VALUE in assignment.content(index, slot)


def holds(assignment: Assignment, index: int, slot: int, content: Content) -> bool:
    possible = assignment.content(index, slot)
    bit = 1 << slot
    expected = {Content.NOTHING: UNBOUND, Content.VALUE: VALUE, Content.CELL: CELL}[content]
    if assignment.bound(index) & bit and content is Content.NOTHING:
        return False
    if assignment.unbound(index) & bit and content is not Content.NOTHING:
        return False
    if assignment.cells(index) & bit and content is not Content.CELL:
        return False
    if assignment.values(index) & bit and content is not Content.VALUE:
        return False
    return expected in possible


@settings(max_examples=400, deadline=None)
@given(sound_routines(), st.integers(0, 1000))
def test_every_frame_fits(routine: Routine, seed: int) -> None:
    assignment = compute_assignment(routine)
    for frame in run(routine, seed):
        for slot, content in enumerate(frame.slots):
            assert holds(assignment, frame.index, slot, content)


@settings(max_examples=300, deadline=None)
@given(sound_routines())
def test_nothing_is_said_to_be_possible_that_no_path_does(routine: Routine) -> None:
    assignment = compute_assignment(routine)
    for index, slots in reference.possible_slots(routine).items():
        for slot, possible in enumerate(slots):
            found = assignment.content(index, slot)
            assert (UNBOUND in found) == ("nothing" in possible)
            if "value" in possible or "cell" in possible:
                assert (VALUE in found) == ("value" in possible)
                assert (CELL in found) == ("cell" in possible)


def test_standard_library() -> None:
    for routine in sampled_routines():
        assignment = compute_assignment(routine)
        everything = (1 << len(routine.slots)) - 1
        for index in range(len(routine.instructions)):
            sets = assignment.bound(index), assignment.unbound(index), assignment.maybe(index)
            if assignment.shapes[index] is not None:
                assert sets[0] | sets[1] | sets[2] == everything
            assert sets[0] & sets[1] == sets[0] & sets[2] == sets[1] & sets[2] == 0
            assert assignment.cells(index) & assignment.values(index) == 0
            if routine.instructions[index].op is Op.LOAD_DEREF and assignment.shapes[index] is not None:
                assert assignment.cells(index) >> routine.instructions[index].arg & 1
