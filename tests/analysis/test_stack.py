"""Stack depth and NULLs before each instruction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symexec.analysis.stack import StackEntry, StackMap, compute_stack
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.running import DIALECT
from symexec.errors import VerifyError
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_routines
from tests.analysis.frames import Content, run, sound_routines

V, N, E = StackEntry.VALUE, StackEntry.NULL, StackEntry.EITHER


def entries_of(routine: Routine) -> list[tuple[StackEntry, ...]]:
    stack = compute_stack(routine)
    return [stack.entries(index) for index in range(len(routine.instructions))]


def test_entries_of_straight_code() -> None:
    routine = assemble("LOAD_FAST a\nPUSH_NULL\nSTORE_FAST a\nRETURN_VALUE", "a")
    assert entries_of(routine) == [(), (V,), (V, N), (V,)]
    assert compute_stack(routine).deepest == 2


def test_a_saved_slot_may_be_null() -> None:
    text = "{0}\nLOAD_FAST_AND_CLEAR i\nSTORE_FAST i\nLOAD_CONST\nRETURN_VALUE"
    assert entries_of(assemble(text.format("NOP"), "", "i"))[2] == (N,)
    assert entries_of(assemble(text.format("NOP"), "i"))[2] == (V,)
    branch = "LOAD_FAST a\nTO_BOOL\nPOP_JUMP_IF_TRUE past\nLOAD_CONST\nSTORE_FAST i\npast:"
    assert entries_of(assemble(text.format(branch), "a", "i"))[6] == (E,)


def test_a_method_without_self_has_a_null_beside_it() -> None:
    routine = assemble("LOAD_FAST a\nLOAD_METHOD m\nCALL 0\nRETURN_VALUE", "a")
    assert entries_of(routine)[2] == ((V, E) if DIALECT.null_above_callable else (E, V))
    assert compute_stack(routine).nulls(2) == [1 if DIALECT.null_above_callable else 0]


def test_a_handler_cuts_the_stack() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        cover handler 1 lasti
        LOAD_FAST a
        LOAD_FAST a
        uncover
        POP_TOP
        POP_TOP
        RETURN_VALUE
        handler:
        PUSH_EXC_INFO
        RERAISE 1
        """,
        "a",
    )
    assert entries_of(routine)[6] == (V, V, V)
    assert entries_of(routine)[7] == (V, V, V, V)


def test_an_exhausted_loop_drops_its_iterator() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        GET_ITER
        top:
        FOR_ITER end
        POP_TOP
        JUMP top
        end:
        END_FOR
        LOAD_CONST
        RETURN_VALUE
        """,
        "a",
    )
    stack = compute_stack(routine)
    assert [stack.depth(index) for index in range(8)] == [0, 1, 1, 2, 1, 0, 0, 1]


def test_code_that_is_never_reached_has_no_stack() -> None:
    stack = compute_stack(assemble("LOAD_CONST\nRETURN_VALUE\nLOAD_CONST\nRETURN_VALUE"))
    assert stack.depth(2) == -1
    assert stack.entries(3) == ()
    assert stack.nulls(3) == []


def test_unequal_depths_are_an_error() -> None:
    with pytest.raises(VerifyError):
        compute_stack(assemble("LOAD_CONST\ntop:\nLOAD_CONST\nJUMP top"))


def test_a_call_in_an_expression() -> None:
    def f(a: list[int], g: object) -> object:
        return [a, a.append(1)]

    routine = decode(f.__code__)
    stack = compute_stack(routine)
    index = next(index for index, each in enumerate(routine.instructions) if each.op is Op.LOAD_METHOD)
    assert stack.entries(index) == (V, V)
    assert set(stack.entries(index + 1)) == {V, E}
    assert stack.entries(index + 1)[0] is V


def fits(stack: StackMap, index: int, contents: list[Content]) -> bool:
    expected = stack.entries(index)
    return len(expected) == len(contents) == stack.depth(index) and all(
        entry is E or (entry is N) == (content is Content.NOTHING)
        for entry, content in zip(expected, contents, strict=True)
    )


@settings(max_examples=300, deadline=None)
@given(sound_routines(), st.integers(0, 1000))
def test_every_frame_fits(routine: Routine, seed: int) -> None:
    stack = compute_stack(routine)
    for frame in run(routine, seed):
        assert fits(stack, frame.index, frame.stack)


def test_standard_library() -> None:
    for routine in sampled_routines():
        stack = compute_stack(routine)
        assert stack.depth(0) == 0
        # Names of keyword arguments, and copies to test, are on the stack only here.
        assert 0 <= stack.deepest <= routine.stack_size + 2
