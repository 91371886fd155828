"""Neutral code as text."""

from __future__ import annotations

import re
from types import CodeType

import pytest

from symexec.bytecode import decode
from symexec.report.disassembly import LEGEND, constant_text, describe_routine, disassemble, slot_names
from tests.report import subjects


def guarded(xs, key):
    try:
        for x in xs:
            if x is not key:
                return x + 1
    finally:
        xs.clear()
    return lambda: key


def rows(text: str) -> list[tuple[str, str, str]]:
    """(instruction, stack, live slots) of each instruction."""
    pattern = re.compile(r"^ *\d* +\d+  (.{36,}?)  (\S+) +(.*)$")
    return [(m[1].strip(), m[2], m[3]) for m in map(pattern.match, text.splitlines()) if m]


def test_every_instruction_has_a_row() -> None:
    routine = decode(guarded.__code__)
    found = rows(describe_routine(routine))
    assert [text.split()[0] for text, _, _ in found] == [instruction.op.name for instruction in routine.instructions]


def test_head() -> None:
    lines = disassemble(guarded.__code__).splitlines()
    assert re.fullmatch(r"guarded  \(.*test_disassembly\.py:\d+\)", lines[0])
    assert lines[1] == "slots:  0 xs (parameter), 1 key (parameter, cell), 2 x"
    assert lines[2] == "prefix: MAKE_CELL key, RESUME 0"


def test_stack_and_liveness() -> None:
    found = rows(disassemble(guarded.__code__))
    (head,) = [row for row in found if row[0].startswith("FOR_ITER to ")]
    assert head[1:] == ("v", "xs, key")
    (iterate,) = [row for row in found if row[0] == "STORE_FAST x"]
    assert iterate[1:] == ("vv", "xs, key")
    assert any("N" in stack or "?" in stack for _, stack, _ in found)
    (last,) = [row for row in found if row[0].startswith("SET_FUNCTION_ATTRIBUTE")]
    assert last[2] == "-"


def test_operators_are_named() -> None:
    texts = {text for text, _, _ in rows(disassemble(guarded.__code__))}
    assert "BINARY_OP +" in texts and "IS_OP is not" in texts


def test_blocks_say_where_they_lead_and_what_is_open() -> None:
    text = disassemble(guarded.__code__)
    heads = [line for line in text.splitlines() if line.startswith("block ")]
    assert heads[0].startswith("block 0  depth 0  to ")
    assert any(re.search(r"handler \d+  in try/finally \d+-\d+ > for \d+-\d+$", head) for head in heads)
    starts = {int(head.split()[1]) for head in heads}
    edges = [head.partition("  in ")[0] for head in heads]
    found = [list_ for edge in edges for list_ in re.findall(r"(?:to|handler) ((?:\d+, )*\d+)", edge)]
    assert {int(number) for list_ in found for number in list_.split(", ")} <= starts


def test_nested_code_is_shown_on_demand() -> None:
    assert "guarded.<locals>.<lambda>  (" not in disassemble(guarded.__code__)
    text = disassemble(guarded.__code__, nested=True)
    assert "guarded.<locals>.<lambda>  (" in text and "slots:  0 key (free)" in text
    assert "prefix: COPY_FREE_VARS 1, RESUME 0" in text
    assert text.endswith(LEGEND)


def test_unreachable_code_is_shown_as_such() -> None:
    def spins():
        while True:
            pass

    assert "unreached" not in disassemble(spins.__code__)
    for code in (function.__code__ for function in vars(subjects).values() if hasattr(function, "__code__")):
        assert disassemble(code)


def test_a_name_that_owns_two_slots_is_numbered() -> None:
    def shadowing(x):
        inner = [lambda: x for x in range(3)]
        return inner, x

    names = slot_names(decode(shadowing.__code__))
    assert len(set(names)) == len(names)
    assert all(name.split("#")[0] in ("x", "inner") for name in names)


def test_constants_are_brief_and_run_nothing() -> None:
    class Loud:
        def __repr__(self) -> str:
            raise AssertionError("repr of a constant was called")

    assert constant_text(Loud()).endswith("Loud>")
    assert constant_text((1, Loud())) == "<tuple>"
    assert constant_text("x" * 100) == "'" + "x" * 36 + "..."
    assert constant_text(guarded.__code__) == "<code guarded>"
    assert constant_text((1, "a", None)) == "(1, 'a', None)"


@pytest.mark.parametrize("name", ["json.decoder", "asyncio.base_events", "contextlib", "dataclasses"])
def test_whole_modules(name: str) -> None:
    module = pytest.importorskip(name)
    for value in list(vars(module).values()):
        code = getattr(value, "__code__", None)
        if isinstance(code, CodeType):
            text = disassemble(code, nested=True)
            assert text.count("\n\nblock 0  ") >= 1
