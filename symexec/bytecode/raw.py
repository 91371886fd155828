"""`co_code` to raw instructions and back: units, prefixes, caches, the layout of jumps.

Knows nothing of neutral instructions; what differs between versions comes from the dialect's tables.
"""

from __future__ import annotations

from itertools import accumulate

import attrs

from symexec.bytecode.dialect import Dialect
from symexec.bytecode.model import RawInstruction
from symexec.errors import DecodeError, EncodeError

GROWTH_ONLY_AFTER = 16
"""Rounds of layout after which sizes may only grow, so that it always ends."""

CACHE_UNITS = tuple(bytes(2 * count) for count in range(32))


@attrs.define(eq=False, repr=False)
class Units:
    """The raw instructions of one `co_code`."""

    instructions: list[RawInstruction]
    offsets: list[int]  # in units, where each instruction (its first prefix) starts; the code's length last
    jumps: list[tuple[int, int]]  # index of a jump, offset of its target


def read_units(code: bytes, dialect: Dialect) -> Units:
    """Split `code`; `DecodeError` for unknown opcodes, truncated instructions or caches that are not empty."""
    caches, direction, extended = dialect.caches, dialect.direction, dialect.extended_arg
    instructions: list[RawInstruction] = []
    offsets: list[int] = []
    jumps: list[tuple[int, int]] = []
    position, size = 0, len(code)
    if size % 2 or not size:
        raise DecodeError(f"co_code has {size} bytes")
    while position < size:
        offsets.append(position >> 1)
        opcode, arg, width = code[position], code[position + 1], 0
        position += 2
        while opcode == extended:
            width += 1
            if position >= size or width > 3:
                raise DecodeError(f"EXTENDED_ARG without an instruction at offset {position - 2}")
            opcode, arg = code[position], arg << 8 | code[position + 1]
            position += 2
        if count := caches[opcode]:
            if count < 0:
                raise DecodeError(f"opcode {opcode} at offset {position - 2}: {dialect.describe(opcode)}")
            if code[position : position + 2 * count] != CACHE_UNITS[count]:
                raise DecodeError(f"truncated or filled cache at offset {position}")
            position += 2 * count
        if way := direction[opcode]:
            jumps.append((len(instructions), (position >> 1) + way * arg))
        instructions.append(RawInstruction(opcode, arg, None, None, None, width))
    offsets.append(size >> 1)
    return Units(instructions, offsets, jumps)


def prefix_count(arg: int) -> int:
    """How many `EXTENDED_ARG`s an argument needs."""
    if arg < 0x100:
        return 0
    if arg < 0x10000:
        return 1
    if arg < 0x1000000:
        return 2
    if arg < 0x80000000:
        return 3
    raise EncodeError(f"argument {arg} is too large")


def lay_out(
    instructions: list[RawInstruction], args: list[int], jumps: list[tuple[int, int]], dialect: Dialect
) -> list[int]:
    """Choose the size of every instruction and set the jumps' entries of `args`; the offsets, in units.

    `jumps` holds (index, index of the target).  Starts from the decoded widths, which reproduces decoded code.
    """
    caches, direction = dialect.caches, dialect.direction
    sizes = []
    for instruction, arg in zip(instructions, args, strict=True):
        width = instruction.width
        if arg > 0xFF:
            width = max(width, prefix_count(arg))
        sizes.append(width + 1 + caches[instruction.opcode])
    rounds = 0
    while True:
        offsets = list(accumulate(sizes, initial=0))
        changed = False
        rounds += 1
        for index, target in jumps:
            opcode = instructions[index].opcode
            arg = direction[opcode] * (offsets[target] - offsets[index + 1])
            if arg < 0:
                raise EncodeError(f"{dialect.describe(opcode)} cannot jump in the other direction")
            args[index] = arg
            size = (prefix_count(arg) if arg > 0xFF else 0) + 1 + caches[opcode]
            if size != sizes[index] and (size > sizes[index] or rounds < GROWTH_ONLY_AFTER):
                sizes[index] = size
                changed = True
        if not changed:
            return offsets


def write_units(instructions: list[RawInstruction], args: list[int], offsets: list[int], dialect: Dialect) -> bytes:
    """The `co_code` of instructions that `lay_out` has laid out."""
    caches, extended = dialect.caches, dialect.extended_arg
    code = bytearray()
    end = 0
    for instruction, arg, after in zip(instructions, args, offsets[1:], strict=True):
        opcode = instruction.opcode
        count = caches[opcode]
        width = after - end - count - 1
        end = after
        while width:
            code += bytes((extended, arg >> 8 * width & 0xFF))
            width -= 1
        code += bytes((opcode, arg & 0xFF))
        if count:
            code += CACHE_UNITS[count]
    return bytes(code)
