"""`co_linetable` to positions and back.  Rules: four forms of entry, chunks of 8 units, see `_write_entry`."""

from __future__ import annotations

from symexec.bytecode.model import Position, RawInstruction
from symexec.errors import DecodeError, EncodeError

ONE_LINE, NO_COLUMNS, LONG, NONE = 10, 13, 14, 15
"""Entry forms; those below `ONE_LINE` are the short form, with three bits of the column in the form itself."""

CHUNK = 8
"""Units that one entry can cover."""


def _read_varint(table: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = table[at]
        at += 1
        value |= (byte & 63) << shift
        if not byte & 64:
            return value, at
        shift += 6
        if shift > 30:
            raise DecodeError("a number in the location table is too long")


def _read_far(table: bytes, at: int, form: int, line: int) -> tuple[Position, int]:
    """The rest of an entry of form `NO_COLUMNS` or `LONG`."""
    delta, at = _read_varint(table, at)
    line += -(delta >> 1) if delta & 1 else delta >> 1
    if form == NO_COLUMNS:
        return Position(line, line, -1, -1), at
    lines, at = _read_varint(table, at)
    column, at = _read_varint(table, at)
    end_column, at = _read_varint(table, at)
    return Position(line, line + lines, column - 1, end_column - 1), at


def read_locations(table: bytes, first_line: int) -> list[tuple[int, Position | None]]:
    """Every entry of the table: how many units it covers, and the position."""
    entries: list[tuple[int, Position | None]] = []
    line, at, size = first_line, 0, len(table)
    try:
        while at < size:
            head = table[at]
            if head < 0x80:
                raise DecodeError(f"no entry of the location table starts at byte {at}")
            form = head >> 3 & 15
            at += 1
            position: Position | None
            if form < ONE_LINE:
                byte = table[at]
                column = form << 3 | byte >> 4
                position = Position(line, line, column, column + (byte & 15))
                at += 1
            elif form == NONE:
                position = None
            elif form >= NO_COLUMNS:
                position, at = _read_far(table, at, form, line)
                line = position.line
            else:
                line += form - ONE_LINE
                position = Position(line, line, table[at], table[at + 1])
                at += 2
            entries.append(((head & 7) + 1, position))
    except IndexError:
        raise DecodeError("the location table is truncated") from None
    return entries


def attach_locations(
    instructions: list[RawInstruction], offsets: list[int], entries: list[tuple[int, Position | None]], merge: bool
) -> None:
    """Give every instruction its position; mark entries that start without a change of it (`merge`: from 3.12 on)."""
    index, end, count = 0, 0, len(instructions)
    previous: Position | None = None
    previous_units = CHUNK
    for units, position in entries:
        start = end
        end += units
        if index >= count:
            return
        if not merge or position != previous:
            previous = position  # else one object a run: it is compared by identity first
        elif index and start == offsets[index] and previous_units < CHUNK:
            instructions[index].fresh = True
        previous_units = units
        while index < count and offsets[index] < end:
            instructions[index].position = previous
            index += 1


def _write_varint(table: bytearray, value: int) -> None:
    if value < 0:
        raise EncodeError("a position ends before it starts")
    while value >= 64:
        table.append(64 | value & 63)
        value >>= 6
    table.append(value)


def _write_entry(table: bytearray, position: Position | None, units: int, line: int) -> int:
    """Write the entries of one position for `units` units; the line that the next entry counts from."""
    while units > 0:
        chunk = min(units, CHUNK)
        units -= chunk
        head = 0x80 | chunk - 1
        if position is None:
            table.append(head | NONE << 3)
            continue
        new, end_line, column, end_column = position
        delta = new - line
        line = new
        if end_line == new:
            if column < 0 or end_column < 0:
                table.append(head | NO_COLUMNS << 3)
                _write_varint(table, -delta << 1 | 1 if delta < 0 else delta << 1)
                continue
            if delta == 0 and column < 80 and 0 <= end_column - column < 16:
                table += bytes((head | column & 120, (column & 7) << 4 | end_column - column))
                continue
            if 0 <= delta < 3 and column < 128 and end_column < 128:
                table += bytes((head | ONE_LINE + delta << 3, column, end_column))
                continue
        table.append(head | LONG << 3)
        _write_varint(table, -delta << 1 | 1 if delta < 0 else delta << 1)
        _write_varint(table, end_line - new)
        _write_varint(table, column + 1)
        _write_varint(table, end_column + 1)
    return line


def write_locations(instructions: list[RawInstruction], offsets: list[int], first_line: int, merge: bool) -> bytes:
    """The location table: one entry a run of equal positions (`merge`), or one an instruction."""
    table = bytearray()
    line = first_line
    if not merge:
        start = 0
        for instruction, end in zip(instructions, offsets[1:], strict=True):
            line = _write_entry(table, instruction.position, end - start, line)
            start = end
        return bytes(table)
    start, position = 0, instructions[0].position
    for instruction, offset in zip(instructions, offsets, strict=False):
        if instruction.fresh or (instruction.position is not position and instruction.position != position):
            line = _write_entry(table, position, offset - start, line)
            start, position = offset, instruction.position
    _write_entry(table, position, offsets[-1] - start, line)
    return bytes(table)
