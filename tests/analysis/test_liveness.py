"""Liveness of slots: values, cells, comprehensions, handlers, and functions that may be looked into."""

from __future__ import annotations

import types
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from symexec.analysis.liveness import REVEALING_NAMES, Liveness, compute_liveness
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op
from symexec.errors import BytecodeError
from tests.analysis import reference
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_routines
from tests.analysis.programs import random_routines


def live_names(routine: Routine, bits: int) -> str:
    return " ".join(name for slot, name in enumerate(routine.slots) if bits >> slot & 1)


def live_in(routine: Routine) -> list[str]:
    liveness = compute_liveness(routine)
    return [live_names(routine, liveness.before(index)) for index in range(len(routine.instructions))]


def index_of(routine: Routine, op: Op, name: str = "", occurrence: int = 0) -> int:
    """The index of an instruction, found by its op and the name of its slot or its own."""
    found = [
        index
        for index, each in enumerate(routine.instructions)
        if each.op is op and (not name or name == (each.name or routine.slots[each.arg]))
    ]
    return found[occurrence]


def test_a_value_is_live_from_store_to_last_load() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        STORE_FAST b
        NOP
        LOAD_FAST b
        RETURN_VALUE
        """,
        "a",
        "b",
    )
    assert live_in(routine) == ["a", "", "b", "b", ""]


def test_deleting_needs_the_value() -> None:
    routine = assemble("DELETE_FAST a\nLOAD_CONST\nRETURN_VALUE", "a")
    assert live_in(routine) == ["a", "", ""]


def test_both_branches_count() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        POP_JUMP_IF_TRUE other
        LOAD_FAST b
        RETURN_VALUE
        other:
        LOAD_FAST c
        RETURN_VALUE
        """,
        "a b c",
    )
    assert live_in(routine) == ["a b c", "b c", "b", "", "c", ""]


def test_a_loop_keeps_what_its_next_round_reads() -> None:
    routine = assemble(
        """
        top:
        LOAD_FAST a
        POP_JUMP_IF_TRUE out
        LOAD_CONST
        STORE_FAST a
        JUMP top
        out:
        LOAD_FAST b
        RETURN_VALUE
        """,
        "a b",
    )
    assert live_in(routine) == ["a b", "b", "b", "b", "a b", "b", ""]


def test_a_handler_may_be_reached_from_every_covered_instruction() -> None:
    routine = assemble(
        """
        cover handler 0
        LOAD_CONST
        STORE_FAST a
        uncover
        LOAD_CONST
        RETURN_VALUE
        handler:
        POP_TOP
        LOAD_FAST a
        RETURN_VALUE
        """,
        "a",
    )
    assert live_in(routine) == ["a", "a", "", "", "a", "a", ""]


def test_make_cell_reads_its_slot() -> None:
    routine = assemble("MAKE_CELL a\nLOAD_DEREF a\nRETURN_VALUE", "", "a")
    assert live_in(routine) == ["a", "a", ""]


@pytest.mark.parametrize(
    "text", ["LOAD_DEREF a", "LOAD_CONST\nSTORE_DEREF a\nLOAD_CONST", "DELETE_DEREF a\nLOAD_CONST"]
)
def test_using_a_cells_contents_reads_the_slot(text: str) -> None:
    routine = assemble(text + "\nRETURN_VALUE", cells="a")
    assert live_in(routine)[0] == "a"
    assert live_in(routine)[-1] == ""


def test_copying_free_variables_writes_their_slots() -> None:
    routine = assemble("NOP\nCOPY_FREE_VARS 2\nLOAD_DEREF p\nLOAD_DEREF q\nRETURN_VALUE", "a", free="p q")
    assert live_in(routine) == ["", "", "p q", "q", ""]


def test_the_prefix_makes_cells_and_copies_free_variables() -> None:
    routine = assemble("LOAD_DEREF p\nLOAD_DEREF c\nRETURN_VALUE", "a", cells="c", free="p")
    liveness = compute_liveness(routine)
    assert live_names(routine, liveness.before(0)) == "c p"
    assert live_names(routine, liveness.entry) == "c"


def test_a_saved_slot_is_live_until_it_is_saved() -> None:
    routine = assemble(
        """
        LOAD_FAST_AND_CLEAR i
        LOAD_CONST
        STORE_FAST i
        STORE_FAST i
        LOAD_FAST i
        RETURN_VALUE
        """,
        "i",
    )
    assert live_in(routine) == ["i", "", "", "", "i", ""]


@pytest.mark.parametrize("name", sorted(REVEALING_NAMES))
def test_everything_is_live_where_the_frame_may_be_read(name: str) -> None:
    routine = assemble(f"LOAD_GLOBAL {name}\nPOP_TOP\nLOAD_CONST\nRETURN_VALUE", "a", "b", cells="c", free="p")
    liveness = compute_liveness(routine)
    assert liveness.everything
    assert live_in(routine) == ["a b c p"] * 4
    assert live_names(routine, liveness.entry) == "a b c p"


def test_a_name_that_reveals_nothing() -> None:
    assert not compute_liveness(assemble("LOAD_GLOBAL local\nRETURN_VALUE", "a")).everything


def test_a_slot_that_does_not_exist_is_an_error() -> None:
    routine = assemble("LOAD_FAST a\nRETURN_VALUE", "a")
    for slot in (-1, 1):
        routine.instructions[0].arg = slot
        with pytest.raises(BytecodeError, match="slot"):
            compute_liveness(routine)


# compiled functions: the same on every Python


def liveness_of(function: Callable[..., object]) -> tuple[Routine, Liveness]:
    code = function.__code__
    assert isinstance(code, types.CodeType)
    routine = decode(code)
    return routine, compute_liveness(routine)


def test_super_without_arguments_reads_the_first_argument() -> None:
    class Derived(dict):
        def method(self, key: str) -> object:
            make = super
            del key
            return make()

    routine, liveness = liveness_of(Derived.method)
    last = index_of(routine, Op.RETURN_VALUE)
    assert "self" in live_names(routine, liveness.before(last - 1)).split()
    assert "__class__" in live_names(routine, liveness.before(last - 1)).split()


def test_a_parameter_that_is_a_cell() -> None:
    def f(a: int, b: int) -> Callable[[], int]:
        b += 1
        return lambda: a + b

    routine, liveness = liveness_of(f)
    assert live_names(routine, liveness.entry) == "a b"
    last = index_of(routine, Op.RETURN_VALUE)
    assert live_names(routine, liveness.before(last)) == ""
    assert live_names(routine, liveness.before(index_of(routine, Op.STORE_DEREF, "b"))) == "a b"


def test_a_variable_that_a_comprehension_hides() -> None:
    def f(i: int, xs: list[int]) -> tuple[list[int], int]:
        found = [i * 2 for i in xs]
        return found, i

    routine, liveness = liveness_of(f)
    assert live_names(routine, liveness.entry) == "i xs"
    assert live_names(routine, liveness.before(index_of(routine, Op.LOAD_FAST, "found"))) == "i found"


def test_a_comprehension_with_a_cell_of_its_own() -> None:
    def f(xs: list[int]) -> list[Callable[[], int]]:
        return [lambda: i for i in xs]

    routine, liveness = liveness_of(f)
    assert "xs" in live_names(routine, liveness.entry).split()
    made = [index for index, each in enumerate(routine.instructions) if each.op is Op.MAKE_CELL]
    for index in made:  # from 3.12 on
        assert liveness.is_live(index, routine.instructions[index].arg)
        assert liveness.is_live(index + 1, routine.instructions[index].arg)


def test_except_as() -> None:
    def f(x: int, y: int) -> object:
        try:
            x = int(x)
        except ValueError as error:
            return error, y
        return x

    routine, liveness = liveness_of(f)
    assert live_names(routine, liveness.before(0)) == "x y"
    assert live_names(routine, liveness.before(index_of(routine, Op.STORE_FAST, "error"))).split()[0] == "y"


def test_yields_need_nothing_special() -> None:
    def f(a: int, b: int) -> object:
        a = yield b
        return a

    routine, liveness = liveness_of(f)
    assert live_names(routine, liveness.before(index_of(routine, Op.YIELD_VALUE))) == ""
    assert live_names(routine, liveness.entry) == "b"


def check_against_reference(routine: Routine) -> None:
    liveness = compute_liveness(routine)
    always = reference.always_live(routine)
    expected = [reference.as_bits(slots | always) for slots in reference.live_slots(routine)]
    assert list(liveness.sets) == expected


@settings(max_examples=400, deadline=None)
@given(random_routines())
def test_random_routines_agree_with_the_reference(routine: Routine) -> None:
    check_against_reference(routine)


def test_standard_library() -> None:
    compared = 0
    for routine in sampled_routines():
        liveness = compute_liveness(routine)
        everything = (1 << len(routine.slots)) - 1
        if liveness.everything:
            assert set(liveness.sets) <= {everything}
        elif len(routine.instructions) < 150:
            check_against_reference(routine)
            compared += 1
        assert liveness.entry & ~everything == 0
        assert liveness.entry >> routine.first_free_slot == 0 or liveness.everything
    assert compared > 300
