"""`encode(decode(code))` is byte-identical and verifies; the full form is `python -m tests.bytecode.sweep`."""

from __future__ import annotations

import pytest

from symexec.bytecode import Instruction, Op, decode, encode, verify
from symexec.bytecode.encode import assemble
from tests.bytecode.checks import check, check_round_trip, shown
from tests.bytecode.corpus import sample
from tests.bytecode.programs import PROGRAMS
from tests.bytecode.rewrite import with_code

SOURCES_IN_SAMPLE = 30


@pytest.mark.parametrize("seed", [1, 2])
def test_installed_code(seed: int) -> None:
    count = 0
    for code in sample(SOURCES_IN_SAMPLE // 2, seed):
        check(code)
        count += 1
    assert count > 50


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(program) -> None:
    check_round_trip(program.__code__)


def long_function(lines: int):
    body = "".join(f"    x = x + {n % 7} if x < {n} else x\n" for n in range(lines))
    scope: dict[str, object] = {}
    exec(f"def f(x):\n    while x < 10:\n{body.replace('    x', '        x')}    return x\n", scope)
    return scope["f"]


def test_seventy_thousand_instructions() -> None:
    function = long_function(9000)
    routine = check_round_trip(function.__code__)
    assert len(routine.instructions) > 70_000
    verify(routine)
    routine.instructions.insert(0, Instruction(Op.NOP))
    verify(routine)
    code = encode(routine)
    assert len(code.co_code) == len(function.__code__.co_code) + 2
    assert with_code(function, code)(9) == function(9)


def test_an_unchanged_routine_is_the_code_object_itself() -> None:
    for program in PROGRAMS:
        assert encode(decode(program.__code__)) is program.__code__


def test_declared_stack_size_is_kept_and_never_made_smaller() -> None:
    code = PROGRAMS[0].__code__.replace(co_stacksize=50)
    routine = decode(code)
    assert encode(routine).co_stacksize == 50
    routine.instructions.insert(0, Instruction(Op.NOP))
    assert encode(routine).co_stacksize == 50
    routine = decode(PROGRAMS[0].__code__)
    deep = [Instruction(Op.LOAD_CONST, const=None) for _ in range(60)]
    routine.instructions[0:0] = [*deep, *(Instruction(Op.POP_TOP) for _ in deep)]
    verify(routine)
    assert encode(routine).co_stacksize == 60


FOREIGN_LINES = {
    "empty": b"",
    "one entry for everything": b"\xe8\x02" * 40,
    "shorter than the code": b"\xf8",
    "entries that cut instructions": b"\xf8\xf0\x00\x00\xf9" * 60,
}


@pytest.mark.parametrize("name", FOREIGN_LINES)
def test_foreign_location_tables_are_kept_while_nothing_changes(name: str) -> None:
    code = PROGRAMS[4].__code__.replace(co_linetable=FOREIGN_LINES[name])
    routine = decode(code)
    assert encode(routine) is code
    routine.instructions.insert(0, Instruction(Op.NOP))
    changed = encode(routine)
    assert len(list(changed.co_positions())) == len(changed.co_code) // 2
    assert with_code(PROGRAMS[4], changed)() == PROGRAMS[4]()


def test_foreign_exception_tables_are_kept_while_nothing_changes() -> None:
    def guarded(x):
        try:
            first = 1 / x
            second = 2 / x
        except ZeroDivisionError:
            return "zero"
        return first, second

    code = guarded.__code__
    region = next(region for region in decode(code).regions() if not region.push_lasti)
    # the same region as two entries, which no compiler writes
    entries = code.co_exceptiontable
    start, size, rest = entries[0] & 63, entries[1], entries[2:4]
    assert size < 64 and start + size < 64 and region.end - region.start > 2
    split = bytes((0x80 | start, 2, *rest, 0x80 | start + 2, size - 2, *rest)) + entries[4:]
    foreign = code.replace(co_exceptiontable=split)
    routine = decode(foreign)
    assert assemble(routine).exceptions == entries
    assert encode(routine) is foreign
    routine.instructions.insert(0, Instruction(Op.NOP))
    assert with_code(guarded, encode(routine))(0) == "zero"


def test_positions_survive_a_change() -> None:
    for program in PROGRAMS:
        code = program.__code__
        routine = decode(code)
        routine.instructions.insert(0, Instruction(Op.NOP))
        again = decode(encode(routine))
        assert [row[-1] for row in shown(again)[1:]] == [row[-1] for row in shown(decode(code))]
