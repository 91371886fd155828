"""Rewritten functions do what the original does: every lowering rule, every layout, run for real."""

from __future__ import annotations

import pytest

from symexec.bytecode import decode, encode
from symexec.bytecode.raw import read_units
from symexec.bytecode.running import DIALECT
from tests.bytecode.checks import renewed
from tests.bytecode.programs import PROGRAMS
from tests.bytecode.rewrite import far, padded, rewritten, shuffled, with_code


def shuffled_again(routine):
    return shuffled(routine, seed=2)


@pytest.mark.parametrize("rewrite", [renewed, padded, far, shuffled, shuffled_again], ids=lambda f: f.__name__)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_result(program, rewrite) -> None:
    code = rewritten(program.__code__, rewrite)
    assert code.co_code != program.__code__.co_code or rewrite is renewed
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
