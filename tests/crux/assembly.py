"""A raw assembler for tests: a code object as a list of instructions, and back, on the running Python.

Written apart from `symexec.bytecode` on purpose, so that neither can hide a fault of the other. It must not import
symexec.
"""

from __future__ import annotations

import dis
import itertools
import opcode
import sys
import types
from collections.abc import Iterable

VERSION = sys.version_info[:2]
NOWHERE = (None, None, None, None)
Position = tuple[int | None, int | None, int | None, int | None]
EXTENDED_ARG = dis.opmap["EXTENDED_ARG"]
TERMINAL = {"RETURN_VALUE", "RETURN_CONST", "RERAISE", "RAISE_VARARGS"}


def _cache_counts() -> dict[str, int]:
    entries = opcode._inline_cache_entries
    if VERSION >= (3, 13):
        return {name: entries.get(name, 0) for name in dis.opmap}
    return {name: entries[code] for name, code in dis.opmap.items() if code < len(entries)}


CACHES = _cache_counts()
JUMPS = {dis.opname[code] for code in (*dis.hasjrel, *dis.hasjabs, *getattr(dis, "hasjump", ())) if code < 256}


class Instruction:
    """One instruction without its caches; `target` and `region[0]` are other instructions.

    `region` is (handler, depth, lasti). A jump or region of a `direct` instruction names its target itself; any other
    lands on the target's `landing`, the head of what was spliced in front of it.
    """

    __slots__ = ("arg", "direct", "landing", "name", "position", "region", "target")

    def __init__(
        self,
        name: str,
        arg: int = 0,
        target: Instruction | None = None,
        position: Position = NOWHERE,
        region: tuple[Instruction, int, bool] | None = None,
    ) -> None:
        self.name, self.arg, self.target, self.position, self.region = name, arg, target, position, region
        self.landing, self.direct = self, True

    def __repr__(self) -> str:
        return f"{self.name} {self.arg if self.target is None else '-> ' + self.target.name}"


def is_backward(name: str) -> bool:
    return "BACKWARD" in name or name == "END_ASYNC_FOR"


def decode(code: types.CodeType) -> list[Instruction]:
    """Instructions of `code` in order, prefixes and caches folded away, none of them `direct`."""
    raw, positions = code.co_code, list(code.co_positions())
    found: list[Instruction] = []
    at: dict[int, Instruction] = {}
    jumps: list[tuple[Instruction, int]] = []
    offset, prefix, start = 0, 0, 0
    while offset < len(raw):
        argument = raw[offset + 1] | prefix
        if raw[offset] == EXTENDED_ARG:
            prefix, offset = argument << 8, offset + 2
            continue
        name = dis.opname[raw[offset]]
        instruction = Instruction(name, argument, None, positions[offset // 2])
        instruction.direct = False
        found.append(instruction)
        at[start] = instruction
        following = offset + 2 + 2 * CACHES.get(name, 0)
        if name in JUMPS:
            jumps.append((instruction, following + (-2 if is_backward(name) else 2) * argument))
        offset = start = following
        prefix = 0
    for instruction, goal in jumps:
        instruction.target = at[goal]
    for entry in dis._parse_exception_table(code):
        for offset, instruction in at.items():
            if entry.start <= offset < entry.end:
                instruction.region = (at[entry.target], entry.depth, entry.lasti)
    return found


def _varint(value: int, first: bool = False) -> bytes:
    digits = [value & 63]
    while value > 63:
        value >>= 6
        digits.append(value & 63 | 64)
    digits.reverse()
    digits[0] |= 128 if first else 0
    return bytes(digits)


def _directed(name: str, back: bool) -> str:
    """The jump of this version for a jump written without direction."""
    if name in ("JUMP", "JUMP_FORWARD", "JUMP_BACKWARD"):
        return "JUMP_BACKWARD" if back else "JUMP_FORWARD"
    if name in ("JUMP_NO_INTERRUPT", "JUMP_BACKWARD_NO_INTERRUPT"):
        return "JUMP_BACKWARD_NO_INTERRUPT" if back else "JUMP_FORWARD"
    if name.startswith("POP_JUMP"):
        plain = name.replace("FORWARD_", "").replace("BACKWARD_", "")
        if VERSION == (3, 11):
            return plain.replace("JUMP", "JUMP_BACKWARD" if back else "JUMP_FORWARD")
        assert not back, "no conditional jump goes backward from 3.12 on"
        return plain
    return name


def _locations(instructions: list[Instruction], units: list[int], first_line: int) -> bytes:
    table, line = bytearray(), first_line

    def signed(value: int) -> None:
        unsigned(-value << 1 | 1 if value < 0 else value << 1)

    def unsigned(value: int) -> None:
        while value > 63:
            table.append(64 | value & 63)
            value >>= 6
        table.append(value)

    for instruction, count in zip(instructions, units, strict=True):
        start, end, column, end_column = instruction.position
        while count > 0:
            chunk = min(8, count)
            count -= chunk
            if start is None:
                table.append(0x80 | 15 << 3 | chunk - 1)
                continue
            table.append(0x80 | (13 if column is None else 14) << 3 | chunk - 1)
            signed(start - line)
            line = start
            if column is not None and end is not None and end_column is not None:
                unsigned(end - start)
                unsigned(column + 1)
                unsigned(end_column + 1)
    return bytes(table)


def assemble(
    code: types.CodeType, instructions: list[Instruction], constants: tuple[object, ...], extra: int = 0
) -> types.CodeType:
    """`code` with these instructions and constants, and `extra` more stack."""
    index = {id(instruction): number for number, instruction in enumerate(instructions)}
    goals: list[int | None] = []
    for each in instructions:
        goal = each.target
        goals.append(None if goal is None else index[id(goal if each.direct else goal.landing)])
    names = [
        each.name if goal is None else _directed(each.name, goal <= number)
        for number, (each, goal) in enumerate(zip(instructions, goals, strict=True))
    ]
    arguments = [each.arg if goal is None else 0 for each, goal in zip(instructions, goals, strict=True)]
    while True:
        prefixes = [(value > 0xFF) + (value > 0xFFFF) for value in arguments]
        units = [count + 1 + CACHES.get(name, 0) for count, name in zip(prefixes, names, strict=True)]
        offsets = [0]
        for count in units:
            offsets.append(offsets[-1] + count)
        changed = False
        for number, goal in enumerate(goals):
            if goal is None:
                continue
            distance = offsets[goal] - offsets[number + 1]
            distance = -distance if is_backward(names[number]) else distance
            assert distance >= 0
            changed |= arguments[number] != distance
            arguments[number] = distance
        if not changed:
            break
    raw = bytearray()
    for name, value, count in zip(names, arguments, prefixes, strict=True):
        for shift in range(count, 0, -1):
            raw += bytes((EXTENDED_ARG, value >> 8 * shift & 255))
        raw += bytes((dis.opmap[name], value & 255)) + bytes(2 * CACHES.get(name, 0))
    table, number = b"", 0
    while number < len(instructions):
        region, end = instructions[number].region, number + 1
        while (
            end < len(instructions)
            and instructions[end].region == region
            and instructions[end].direct == instructions[number].direct
        ):
            end += 1
        if region is not None:
            handler = region[0] if instructions[number].direct else region[0].landing
            table += _varint(offsets[number], True) + _varint(offsets[end] - offsets[number])
            table += _varint(offsets[index[id(handler)]]) + _varint(region[1] << 1 | region[2])
        number = end
    return code.replace(
        co_code=bytes(raw),
        co_exceptiontable=table,
        co_linetable=_locations(instructions, units, code.co_firstlineno),
        co_consts=constants,
        co_stacksize=code.co_stacksize + extra,
    )


def depths(instructions: list[Instruction]) -> dict[int, int]:
    """Stack depth before each reachable instruction, by `id`."""
    following = {id(each): after for each, after in itertools.pairwise(instructions)}
    known: dict[int, int] = {}
    todo = [(instructions[0], 0)]
    while todo:
        each, depth = todo.pop()
        if id(each) in known:
            continue
        known[id(each)] = depth
        if each.region is not None:
            handler, base, lasti = each.region
            todo.append((handler, base + lasti + 1))
        code = dis.opmap[each.name]
        argument = each.arg if code >= dis.HAVE_ARGUMENT else None
        if each.target is not None:
            todo.append((each.target, depth + dis.stack_effect(code, argument, jump=True)))
        if each.name not in TERMINAL and not each.name.startswith(("JUMP_FORWARD", "JUMP_BACKWARD")):
            todo.append((following[id(each)], depth + dis.stack_effect(code, argument, jump=False)))
    return known


def may_precede(instructions: list[Instruction], number: int) -> bool:
    """May something be put in front of this instruction without splitting a group?"""
    if number == 0 or "RESUME" not in {each.name for each in instructions[:number]}:
        return False
    before, here = instructions[number - 1].name, instructions[number].name
    if before in ("KW_NAMES", "PRECALL", "YIELD_VALUE", "SEND", "END_FOR") or here in (
        "END_FOR",
        "END_SEND",
        "POP_ITER",
        "NOT_TAKEN",
    ):
        return False
    return here not in ("RESUME", "MAKE_CELL", "JUMP_BACKWARD_NO_INTERRUPT_")


def insert(code: types.CodeType, number: int, added: Iterable[tuple[str, object]], extra: int = 4) -> types.CodeType:
    """`code` with instructions put in front of its instruction `number`; an argument of `LOAD_CONST` is the object
    itself.

    Jumps and handlers that target the instruction land on what was added.
    """
    instructions, constants = decode(code), list(code.co_consts)
    here = instructions[number]
    spliced = []
    for name, argument in added:
        if name == "LOAD_CONST":
            constants.append(argument)
            argument = len(constants) - 1
        assert isinstance(argument, int)
        spliced.append(Instruction(name, argument, None, here.position, here.region))
        spliced[-1].direct = False
    here.landing = spliced[0]
    return assemble(code, instructions[:number] + spliced + instructions[number:], tuple(constants), extra)
