"""`co_exceptiontable` to regions and back: four numbers an entry, 6 bits a byte, the highest first."""

from __future__ import annotations

from symexec.bytecode.model import Handler, RawInstruction
from symexec.errors import DecodeError, EncodeError

LARGEST = 1 << 30
"""Numbers in the table have at most five bytes."""


def read_exceptions(table: bytes) -> list[tuple[int, int, int, int, bool]]:
    """Every entry: start, end, handler (in units), depth, lasti."""
    numbers: list[int] = []
    value, open_number, start_of_entry = 0, False, 0x80
    for byte in table:
        if not open_number:
            start_of_entry = 0x80 if len(numbers) % 4 == 0 else 0
        if byte & 0x80 != (0 if open_number else start_of_entry):
            raise DecodeError("the exception table is out of step")
        value = value << 6 | byte & 63
        open_number = bool(byte & 64)
        if not open_number:
            numbers.append(value)
            value = 0
        elif value >= LARGEST:
            raise DecodeError("a number in the exception table is too long")
    if open_number or len(numbers) % 4:
        raise DecodeError("the exception table is truncated")
    return [
        (start, start + size, handler, depth_lasti >> 1, bool(depth_lasti & 1))
        for start, size, handler, depth_lasti in zip(*[iter(numbers)] * 4, strict=True)
    ]


def write_exceptions(entries: list[tuple[int, int, int, int, bool]]) -> bytes:
    """The table of entries as `read_exceptions` gives them."""
    table = bytearray()
    for start, end, handler, depth, push_lasti in entries:
        mark = 0x80
        for value in (start, end - start, handler, depth << 1 | push_lasti):
            if not 0 <= value < LARGEST:
                raise EncodeError(f"{value} does not fit the exception table")
            for shift in (24, 18, 12, 6):
                if value >> shift:
                    table.append(value >> shift & 63 | 64 | mark)
                    mark = 0
            table.append(value & 63 | mark)
            mark = 0
    return bytes(table)


def handler_runs(instructions: list[RawInstruction]) -> list[tuple[int, int, Handler]]:
    """Maximal runs of instructions with equal handlers: first index, index after the last, handler."""
    runs = []
    start = 0
    current: Handler | None = None
    for index, instruction in enumerate(instructions):
        handler = instruction.handler
        if handler is not current and handler != current:
            if current is not None:
                runs.append((start, index, current))
            start, current = index, handler
    if current is not None:
        runs.append((start, len(instructions), current))
    return runs
