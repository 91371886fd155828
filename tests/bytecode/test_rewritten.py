"""Rewritten functions do what the original does: every lowering rule, every layout, run for real."""

from __future__ import annotations

import pytest

from symexec.bytecode import add_free_variable, add_variables, decode, encode, verify
from symexec.bytecode.raw import read_units
from symexec.bytecode.running import DIALECT
from symexec.errors import BytecodeError
from tests.bytecode.checks import renewed
from tests.bytecode.programs import PROGRAMS
from tests.bytecode.rewrite import far, padded, rewritten, shuffled, widened, with_code


def shuffled_again(routine):
    return shuffled(routine, seed=2)


@pytest.mark.parametrize("rewrite", [renewed, padded, far, shuffled, shuffled_again, widened], ids=lambda f: f.__name__)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_result(program, rewrite) -> None:
    code = rewritten(program.__code__, rewrite)
    assert code.co_code != program.__code__.co_code or rewrite in (renewed, widened)
    assert with_code(program, code)() == program()


def opcodes_in(code) -> set[str]:
    names = {number: name for name, number in DIALECT.opcodes.items()}
    return {names[raw.opcode] for raw in read_units(code.co_code, DIALECT).instructions}


def test_far_jumps_need_prefixes() -> None:
    routine = decode(PROGRAMS[3].__code__)
    units = read_units(encode(far(routine)).co_code, DIALECT)
    assert any(raw.width for raw in units.instructions if DIALECT.direction[raw.opcode])


def test_changed_code_borrows_no_references() -> None:
    for program in PROGRAMS:
        code = program.__code__
        assert encode(decode(code)) is code
        changed = rewritten(code, padded)
        assert not any("BORROW" in name for name in opcodes_in(changed))


def test_new_loads_are_checked() -> None:
    for program in PROGRAMS:
        found = opcodes_in(encode(renewed(decode(program.__code__))))
        unchecked = {name for name in found if DIALECT.opcodes[name] in DIALECT.unchecked_loads}
        assert not unchecked


def test_widened_code_has_the_variables_and_the_cells() -> None:
    for program in PROGRAMS:
        code = program.__code__
        wide = rewritten(code, widened)
        assert wide.co_varnames == (*code.co_varnames, "one more", "and another")
        assert (wide.co_cellvars, wide.co_freevars) == (code.co_cellvars, code.co_freevars)


def test_names_of_slots_are_not_given_twice() -> None:
    def source(a):
        return lambda: a

    routine = decode(source.__code__)
    for name in ("a",):
        with pytest.raises(BytecodeError):
            add_variables(routine, (name,))
        with pytest.raises(BytecodeError):
            add_free_variable(routine, name)
    with pytest.raises(BytecodeError):
        add_variables(routine, ("b", "b"))


def test_groups_of_another_routine_are_lowered_again() -> None:
    """Their raw arguments point into other tables."""

    def other():
        return "other constant", len, GLOBAL_NAME

    def source():
        return "constant"

    routine = decode(source.__code__)
    routine.instructions = decode(other.__code__).instructions
    verify(routine)
    assert with_code(source, encode(routine))() == other()


def test_groups_are_lowered_again_where_the_tables_have_changed() -> None:
    def source():
        return "constant", len, GLOBAL_NAME

    routine = decode(source.__code__)
    routine.constants = ("not it", *reversed(routine.constants))
    routine.names = ("nor_this", *reversed(routine.names))
    assert with_code(source, encode(routine))() == source()


GLOBAL_NAME = "a global"
