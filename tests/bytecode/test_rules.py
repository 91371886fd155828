"""Every opcode of the running Python has a rule or a reason; tables agree with what the interpreter says itself."""

from __future__ import annotations

import dis
import opcode

import pytest

from symexec.bytecode import Op
from symexec.bytecode.running import DIALECT, VERSION, dialect_of, rules_of
from symexec.errors import UnsupportedPythonError


def test_every_opcode_and_every_op_is_covered() -> None:
    assert rules_of(VERSION, dis.opmap).ruleless() == []


def test_nothing_is_both_a_rule_and_a_reason() -> None:
    rules = rules_of(VERSION, dis.opmap)
    assert not (rules.expanders.keys() | rules.joiners.keys()) & rules.never.keys()
    assert all(reason for reason in (*rules.never.values(), *rules.absent.values()))
    assert set(rules.expanders) | set(rules.joiners) | set(rules.never) <= set(dis.opmap)


def test_completeness_is_noticed() -> None:
    rules = rules_of(VERSION, {**dis.opmap, "BRAND_NEW_OPCODE": 200})
    assert rules.ruleless() == ["BRAND_NEW_OPCODE"]


@pytest.mark.parametrize("version", [(3, 10), (3, 15), (4, 0)])
def test_unknown_versions_fail_loudly(version) -> None:
    with pytest.raises(UnsupportedPythonError, match=r"3\.14"):
        dialect_of(version, dis.opmap)


def test_caches_are_those_of_the_interpreter() -> None:
    entries = opcode._inline_cache_entries
    counts = dict(entries) if isinstance(entries, dict) else dict(zip(opcode.opname, entries, strict=False))
    for name, number in DIALECT.opcodes.items():
        if number < 256 and DIALECT.caches[number] >= 0:
            assert DIALECT.caches[number] == counts.get(name, 0), name


def test_jumps_are_those_of_the_interpreter() -> None:
    jumps = set(dis.hasjrel) | set(dis.hasjabs)
    for name, number in DIALECT.opcodes.items():
        if number < 256 and DIALECT.caches[number] >= 0:
            assert (DIALECT.direction[number] != 0) == (number in jumps), name


def test_effects_are_those_of_the_interpreter() -> None:
    """For opcodes that are just the op of the same name, and the argument means the same to `dis.stack_effect`."""
    own = {"FOR_ITER", "END_FOR", "SEND", "WITH_EXCEPT_START", "MATCH_CLASS", "LOAD_ATTR", "LOAD_GLOBAL", "END_SEND"}
    own |= {"END_ASYNC_FOR", "LOAD_SUPER_ATTR", "MAKE_FUNCTION", "CALL_FUNCTION_EX", "BINARY_OP", "LOAD_SPECIAL"}
    own |= {"PRECALL", "CALL", "RETURN_GENERATOR", "BUILD_INTERPOLATION", "BUILD_SLICE", "RETURN_VALUE"}
    checked = 0
    for name, number in DIALECT.opcodes.items():
        if number > 255 or DIALECT.caches[number] < 0 or name not in Op.__members__ or name in own:
            continue
        for arg in (1, 2, 3, 4) if number >= dis.HAVE_ARGUMENT or number in getattr(dis, "hasarg", ()) else (None,):
            expected = dis.stack_effect(number, arg, jump=False)
            assert Op[name].effect.delta(arg or 0) == expected, (name, arg)
            checked += 1
    assert checked > 150


def test_the_exceptions_to_it() -> None:
    assert (Op.FOR_ITER.effect.delta(0), Op.FOR_ITER.effect.delta(0, jump=True)) == (1, -1)
    assert Op.END_FOR.effect.delta(0) == 0
    assert Op.CALL.effect.delta(2) == -3
    assert Op.CALL_KW.effect.delta(2) == -4
    assert Op.CALL_FUNCTION_EX.effect.delta(0) == -3
    assert Op.SEND.effect.delta(0) == Op.SEND.effect.delta(0, jump=True) == 0
    assert Op.END_SEND.effect.delta(0) == -1
    assert Op.UNPACK_EX.effect.delta(2 << 8 | 3) == 5
    assert Op.LOAD_METHOD.effect.delta(0) == 1
    assert Op.BUILD_SLICE.effect.delta(3) == -2
