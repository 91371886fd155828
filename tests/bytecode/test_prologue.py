"""The prefix: eight shapes, recognised up to `RESUME 0` and nowhere else; frames that have begun."""

from __future__ import annotations

import sys

import attrs
import pytest

from symexec.bytecode import (
    Instruction,
    Op,
    Prologue,
    decode,
    derive_prefix,
    encode,
    first_real_instruction,
    has_begun,
    verify,
)
from symexec.bytecode.raw import read_units
from symexec.bytecode.running import DIALECT
from symexec.errors import BytecodeError, DecodeError, EncodeError, VerifyError
from tests.bytecode.rewrite import with_code


def shapes():
    free = 1

    def plain():
        return 0

    def cell(a):
        return lambda: a

    def freed():
        return free

    def cell_and_free(a):
        b = free
        return lambda: (a, b)

    def generator():
        yield 1

    def generator_cell(a):
        yield lambda: a

    def generator_free():
        yield free

    async def generator_cell_and_free(a):
        b = free
        return lambda: (a, b)

    return [
        plain,
        cell,
        freed,
        cell_and_free,
        generator,
        generator_cell,
        generator_free,
        generator_cell_and_free,
    ]


EXPECTED = [
    "RESUME",
    "MAKE_CELL RESUME",
    "COPY_FREE_VARS RESUME",
    "COPY_FREE_VARS MAKE_CELL MAKE_CELL RESUME",
    "RETURN_GENERATOR POP_TOP RESUME",
    "MAKE_CELL RETURN_GENERATOR POP_TOP RESUME",
    "COPY_FREE_VARS RETURN_GENERATOR POP_TOP RESUME",
    "COPY_FREE_VARS MAKE_CELL MAKE_CELL RETURN_GENERATOR POP_TOP RESUME",
]


def raw_names(code) -> list[str]:
    names = {number: name for name, number in DIALECT.opcodes.items()}
    return [names[raw.opcode] for raw in read_units(code.co_code, DIALECT).instructions]


@pytest.mark.parametrize(("function", "expected"), list(zip(shapes(), EXPECTED, strict=True)), ids=EXPECTED)
class TestShapes:
    def test_is_derived(self, function, expected) -> None:
        routine = decode(function.__code__)
        assert " ".join(i.op.name for i in derive_prefix(routine)) == expected
        assert " ".join(raw_names(function.__code__)).startswith(expected)

    def test_first_real_instruction(self, function, expected) -> None:
        index = first_real_instruction(function.__code__)
        assert function.__code__.co_code[2 * index] == DIALECT.opcodes["RESUME"]
        assert index == expected.count(" ")

    def test_comes_first_in_what_is_emitted(self, function, expected) -> None:
        routine = decode(function.__code__)
        body = [Instruction(Op.LOAD_CONST, const=7), Instruction(Op.RETURN_VALUE)]
        changed = attrs.evolve(routine, instructions=body, entry_handler=None)
        verify(changed)
        code = encode(changed)
        assert raw_names(code) == [*expected.split(), "LOAD_CONST", "RETURN_VALUE"]

    def test_the_automaton_accepts_it_and_the_body(self, function, expected) -> None:
        routine = decode(function.__code__)
        prologue = Prologue()
        accepted = [prologue.meet(i) for i in (*routine.prefix, *routine.instructions)]
        assert accepted == [True] * len(routine.prefix) + [False] * len(routine.instructions)
        assert [i.op.name for i in prologue.prefix] == expected.split()


def test_more_free_variables_than_the_source() -> None:
    _, cell, _, cell_and_free, *_ = shapes()
    for source in (cell, cell_and_free):
        routine = decode(source.__code__)
        state = "the state"
        more = attrs.evolve(routine, freevars=(*routine.freevars, state), slots=(*routine.slots, state))
        more.instructions = [Instruction(Op.LOAD_DEREF, len(routine.slots)), Instruction(Op.RETURN_VALUE)]
        verify(more)
        code = encode(more)
        count = len(source.__code__.co_freevars) + 1
        assert code.co_freevars[-1] == state
        assert raw_names(code)[0] == "COPY_FREE_VARS"
        assert code.co_code[1] == count
        closure = (*(source.__closure__ or ()), (lambda cell_value: lambda: cell_value)("arrived").__closure__[0])
        made = type(source)(code, {}, "made", (None,), closure)
        assert made() == "arrived"


def instruction(op: Op, arg: int = 0) -> Instruction:
    return Instruction(op, arg)


WRONG = {
    "RESUME 0 twice": [instruction(Op.RESUME), instruction(Op.RESUME)],
    "RESUME 1 first": [instruction(Op.RESUME, 1)],
    "COPY_FREE_VARS in the body": [instruction(Op.RESUME), instruction(Op.COPY_FREE_VARS, 1)],
    "RETURN_GENERATOR in the body": [instruction(Op.RESUME), instruction(Op.RETURN_GENERATOR)],
    "COPY_FREE_VARS after MAKE_CELL": [instruction(Op.MAKE_CELL), instruction(Op.COPY_FREE_VARS, 1)],
    "COPY_FREE_VARS twice": [instruction(Op.COPY_FREE_VARS, 1), instruction(Op.COPY_FREE_VARS, 1)],
    "MAKE_CELL after RETURN_GENERATOR": [instruction(Op.RETURN_GENERATOR), instruction(Op.MAKE_CELL)],
    "RETURN_GENERATOR without POP_TOP": [instruction(Op.RETURN_GENERATOR), instruction(Op.RESUME)],
    "POP_TOP alone": [instruction(Op.POP_TOP)],
    "anything else": [instruction(Op.NOP)],
}


@pytest.mark.parametrize("name", WRONG)
def test_the_automaton_refuses(name: str) -> None:
    *accepted, refused = WRONG[name]
    prologue = Prologue()
    for one in accepted:
        assert prologue.meet(one)
    with pytest.raises(BytecodeError):
        prologue.meet(refused)


def test_a_cell_made_in_the_body_is_ordinary() -> None:
    prologue = Prologue()
    assert [prologue.meet(i) for i in (instruction(Op.RESUME), instruction(Op.MAKE_CELL))] == [True, False]
    for location in (1, 2, 3, 5, 6, 7):
        assert not prologue.meet(instruction(Op.RESUME, location))


@pytest.mark.parametrize(
    "intruder", [instruction(Op.COPY_FREE_VARS, 1), instruction(Op.RETURN_GENERATOR), instruction(Op.RESUME, 0)]
)
def test_a_prefix_instruction_in_the_body_is_neither_verified_nor_encoded(intruder) -> None:
    routine = decode(shapes()[0].__code__)
    routine.instructions.insert(0, intruder)
    with pytest.raises(VerifyError, match="prefix"):
        verify(routine)
    with pytest.raises(EncodeError, match="prefix"):
        encode(routine)


def test_code_without_a_resume() -> None:
    nop, resume = DIALECT.opcodes["NOP"], DIALECT.opcodes["RESUME"]
    code = shapes()[0].__code__
    for start in ((nop, 0), (resume, 1)):
        headless = code.replace(co_code=bytes(start) + code.co_code[2:])
        with pytest.raises(DecodeError, match="RESUME 0"):
            first_real_instruction(headless)
        with pytest.raises(DecodeError):
            decode(headless)


def test_the_prefix_has_to_be_the_one_of_the_header() -> None:
    code = shapes()[1].__code__
    with pytest.raises(DecodeError):
        decode(code.replace(co_code=code.co_code[2:]))
    free = shapes()[2].__code__
    with pytest.raises(DecodeError):
        decode(free.replace(co_code=bytes((free.co_code[0], 2)) + free.co_code[2:]))


def test_more_cells_than_one_byte_can_number() -> None:
    names = [f"v{n}" for n in range(300)]
    body = "\n".join(f"    {name} = {n}" for n, name in enumerate(names))
    scope: dict[str, object] = {}
    exec(f"def f():\n{body}\n    def g():\n        return {' + '.join(names)}\n    return g()\n", scope)
    function = scope["f"]
    routine = decode(function.__code__)
    assert len(routine.cell_slots) == 300
    assert first_real_instruction(function.__code__) == 300 + 45  # `g` has slot 0
    routine.instructions.insert(0, Instruction(Op.NOP))
    assert with_code(function, encode(routine))() == sum(range(300))


class TestHasBegun:
    def test_a_running_frame(self) -> None:
        assert has_begun(sys._getframe())

    def test_a_generator(self) -> None:
        for function in shapes()[4:7]:
            generator = function(1) if function.__code__.co_argcount else function()
            assert not has_begun(generator.gi_frame)
            next(generator)
            assert has_begun(generator.gi_frame)

    def test_a_coroutine(self) -> None:
        coroutine = shapes()[7](1)
        assert not has_begun(coroutine.cr_frame)
        coroutine.close()
