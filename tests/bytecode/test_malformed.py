"""Malformed input always gives a typed error.

Stand-ins take the place of code objects where CPython itself could crash on making or reading the real ones.
"""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from symexec.bytecode import Instruction, Label, Op, decode, encode, verify
from symexec.bytecode.encode import assemble
from symexec.bytecode.exceptions import read_exceptions
from symexec.bytecode.locations import read_locations
from symexec.bytecode.running import DIALECT
from symexec.errors import BytecodeError, DecodeError, EncodeError, VerifyError
from tests.bytecode.programs import PROGRAMS

FIELDS = [
    name for name in dir(PROGRAMS[0].__code__) if name.startswith("co_") and name not in ("co_lnotab", "co_lines")
]


def stand_in(code, **changes):
    return SimpleNamespace(**{name: getattr(code, name) for name in FIELDS} | changes)


def sample_function(xs):
    total = 0
    try:
        for x in xs:
            total += x.value if x else 1
    except ValueError as error:
        return str(error)
    return total


CODE = sample_function.__code__
OPCODES = DIALECT.opcodes
HEAD = bytes((OPCODES["RESUME"], 0))
RETURN = bytes((OPCODES["LOAD_CONST"], 0, OPCODES["RETURN_VALUE"], 0))


def code_of(*units: tuple[str, int]) -> bytes:
    return HEAD + b"".join(bytes((OPCODES[name], arg)) for name, arg in units)


BAD_CODE = {
    "nothing": b"",
    "half a unit": HEAD + RETURN + b"\x01",
    "a cache where an instruction is expected": HEAD + b"\x00\x00" + RETURN,
    "an opcode that only the interpreter uses": HEAD + bytes((OPCODES.get("RESERVED", 0), 0)) + RETURN,
    "an unknown opcode": HEAD + bytes((next(n for n in range(1, 256) if n not in OPCODES.values()), 0)) + RETURN,
    "caches cut off": code_of(("LOAD_GLOBAL", 0)),
    "caches filled": code_of(("LOAD_GLOBAL", 0)) + b"\x01\x01" * 5 + RETURN,
    "EXTENDED_ARG at the end": HEAD + RETURN + bytes((OPCODES["EXTENDED_ARG"], 1)),
    "too many EXTENDED_ARGs": code_of(*[("EXTENDED_ARG", 1)] * 4, ("LOAD_CONST", 0)) + RETURN,
    "a constant that is not there": code_of(("LOAD_CONST", 200), ("RETURN_VALUE", 0)),
    "a name that is not there": code_of(("DELETE_GLOBAL", 200)) + RETURN,
    "a slot that is not there": code_of(("DELETE_FAST", 200)) + RETURN,
    "a jump out of the code": code_of(("JUMP_FORWARD", 100)) + RETURN,
    "a jump before the code": code_of(("JUMP_BACKWARD_NO_INTERRUPT", 100)) + RETURN,
    "a jump into the prefix": code_of(("JUMP_BACKWARD_NO_INTERRUPT", 2)) + RETURN,
    "a second RESUME 0": HEAD + HEAD + RETURN,
    "a prefix in the body": code_of(("RETURN_GENERATOR", 0)) + RETURN,
    "no RESUME": RETURN,
    "a comparison that is not there": code_of(("COMPARE_OP", 255)) + RETURN,
    "a yield that is not resumed": code_of(("LOAD_CONST", 0), ("YIELD_VALUE", 0)) + RETURN,
}


@pytest.mark.parametrize("name", BAD_CODE)
def test_bad_code(name: str) -> None:
    with pytest.raises(DecodeError):
        decode(stand_in(CODE, co_code=BAD_CODE[name]))


def test_every_truncation() -> None:
    units = CODE.co_code
    decoded = 0
    for length in range(len(units)):
        try:
            routine = decode(stand_in(CODE, co_code=units[:length], co_exceptiontable=b""))
        except DecodeError:
            continue
        decoded += 1
        try:
            verify(routine)
        except VerifyError:
            continue
    assert decoded < len(units) / 2


BAD_LINES = {
    "no entry": b"\x00",
    "short, cut off": b"\x80",
    "one line, cut off": b"\xd0\x01",
    "no columns, cut off": b"\xe8",
    "long, cut off": b"\xf0\x02\x00",
    "a number that does not end": b"\xe8" + b"\x7f" * 20,
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_locations(name: str) -> None:
    with pytest.raises(DecodeError):
        read_locations(BAD_LINES[name], 1)
    with pytest.raises(DecodeError):
        decode(CODE.replace(co_linetable=BAD_LINES[name]))


BAD_EXCEPTIONS = {
    "no mark": b"\x02\x02\x05\x00",
    "a mark inside": b"\x82\x82\x05\x00",
    "three numbers": b"\x82\x02\x05",
    "a number cut off": b"\x82\x02\x05\x40",
    "a number that does not end": b"\xff" + b"\x7f" * 20,
    "an empty region": b"\x82\x00\x05\x00",
    "a region past the end": b"\xff\x3f\x02\x05\x00",
    "a handler in the prefix": b"\x82\x02\x00\x00",
    "a handler past the end": b"\x82\x02\x7f\x3f\x00",
    "regions out of order": b"\x84\x02\x05\x00\x82\x02\x05\x00",
    "regions that overlap": b"\x82\x04\x05\x00\x83\x02\x05\x00",
}


@pytest.mark.parametrize("name", BAD_EXCEPTIONS)
def test_bad_exception_tables(name: str) -> None:
    with pytest.raises(DecodeError):
        decode(CODE.replace(co_exceptiontable=BAD_EXCEPTIONS[name]))


def test_good_exception_tables() -> None:
    assert read_exceptions(b"\x82\x41\x02\x05\x03") == [(2, 2 + (1 << 6 | 2), 5, 1, True)]


def outcome(code) -> str:
    """Decode, verify and assemble: how far it got.  Anything but a typed error is raised."""
    try:
        routine = decode(code)
    except DecodeError:
        return "not decoded"
    try:
        assemble(routine)
        verify(routine)
    except VerifyError:
        return "not verified"
    except EncodeError:
        return "not encoded"
    return "fine"


@pytest.mark.parametrize("field", ["co_code", "co_linetable", "co_exceptiontable"])
def test_flipped_bytes(field: str) -> None:
    """Any byte may be anything."""
    choose = random.Random(field)
    seen = set()
    for program in (*PROGRAMS, sample_function):
        code = program.__code__
        original = getattr(code, field)
        for _ in range(150 if original else 0):
            data = bytearray(original)
            for _ in range(choose.choice((1, 1, 2, 5))):
                data[choose.randrange(len(data))] = choose.randrange(256)
            seen.add(outcome(stand_in(code, **{field: bytes(data)})))
    assert "not decoded" in seen
    assert "fine" in seen


def test_random_bytes() -> None:
    choose = random.Random(3)
    known = [number for number in OPCODES.values() if number < 256 and DIALECT.caches[number] == 0]
    for _ in range(2000):
        units = bytearray(HEAD)
        for _ in range(choose.randrange(1, 30)):
            units += bytes((choose.choice(known), choose.choice((0, 1, 2, 3, choose.randrange(256)))))
        outcome(stand_in(CODE, co_code=bytes(units), co_exceptiontable=b""))


def test_truncated_header() -> None:
    for change in ({"co_nlocals": 1}, {"co_varnames": ("xs",)}, {"co_freevars": ("extra",)}, {"co_cellvars": ("xs",)}):
        with pytest.raises(DecodeError):
            decode(stand_in(CODE, **change))


def end() -> list[Instruction]:
    return [Instruction(Op.LOAD_CONST, const=None), Instruction(Op.RETURN_VALUE)]


UNENCODABLE = {
    "a label that is nowhere": [Instruction(Op.JUMP, target=Label(Instruction(Op.NOP)))],
    "a label of nothing": [Instruction(Op.JUMP, target=Label())],
    "no label": [Instruction(Op.JUMP)],
    "a comparison that is not there": [Instruction(Op.COMPARE_OP, 9)],
    "an unknown intrinsic": [Instruction(Op.CALL_INTRINSIC_1, name="NO_SUCH_THING")],
    "a yield that is not resumed": [Instruction(Op.YIELD_VALUE)],
    "an argument too large": [Instruction(Op.BUILD_LIST, 1 << 40)],
}


@pytest.mark.parametrize("name", UNENCODABLE)
def test_what_cannot_be_encoded(name: str) -> None:
    routine = decode(CODE)
    routine.instructions = [*UNENCODABLE[name], *end()]
    with pytest.raises(EncodeError):
        encode(routine)


def test_a_loop_cannot_go_backward() -> None:
    routine = decode(CODE)
    landing = Instruction(Op.END_FOR)
    routine.instructions = [landing, Instruction(Op.FOR_ITER, target=Label(landing)), *end()]
    with pytest.raises(EncodeError):
        encode(routine)


def test_an_instruction_twice() -> None:
    routine = decode(CODE)
    nop = Instruction(Op.NOP)
    jump = Instruction(Op.JUMP, target=Label(nop))
    routine.instructions = [nop, nop, jump, *end()]
    with pytest.raises(EncodeError):
        encode(routine)
    with pytest.raises(VerifyError):
        verify(routine)


def test_no_instructions() -> None:
    routine = decode(CODE)
    routine.instructions = []
    for use in (encode, verify):
        with pytest.raises(BytecodeError):
            use(routine)
