"""A code object to a neutral routine."""

from __future__ import annotations

from bisect import bisect_left
from types import CodeType

import attrs

from symexec.bytecode.dialect import Dialect, Operands
from symexec.bytecode.exceptions import handler_runs, read_exceptions, write_exceptions
from symexec.bytecode.locations import attach_locations, read_locations
from symexec.bytecode.model import (
    Group,
    Handler,
    Instruction,
    Label,
    RawInstruction,
    Routine,
    Source,
    derive_prefix,
)
from symexec.bytecode.ops import Op
from symexec.bytecode.prologue import read_prefix
from symexec.bytecode.raw import Units, read_units
from symexec.bytecode.running import DIALECT
from symexec.errors import DecodeError


@attrs.define(eq=False, repr=False)
class Reading:
    """The raw instructions of a code object with their labels, and the neutral ones as they come."""

    units: Units
    labels: dict[int, Label] = attrs.Factory(dict)  # by index of the raw instruction
    finished_sends: dict[int, Label] = attrs.Factory(dict)  # where SEND lands, if END_SEND is implicit
    first: list[Instruction | None] = attrs.Factory(list)  # what each raw instruction begins, if it begins anything
    instructions: list[Instruction] = attrs.Factory(list)

    def label_at(self, index: int) -> Label:
        """The label of the raw instruction at `index`."""
        found = self.labels.get(index)
        if found is None:
            found = self.labels[index] = Label()
        return found


def decode(code: CodeType) -> Routine:
    """`code` in neutral form, so that `encode` gives the same bytes again; `DecodeError` if it is malformed."""
    dialect = DIALECT
    units = read_units(code.co_code, dialect)
    raws = units.instructions
    attach_locations(
        raws, units.offsets, read_locations(code.co_linetable, code.co_firstlineno), dialect.merges_locations
    )
    reading = Reading(units)
    places = {offset: index for index, offset in enumerate(units.offsets)}
    _attach_targets(reading, places, dialect)
    table = _attach_handlers(reading, places, code.co_exceptiontable)
    prefix = read_prefix(raws)
    routine = _header(code, prefix)
    _expand(reading, len(prefix), Operands(code.co_consts, code.co_names, len(routine.slots)), dialect)
    _land_labels(reading)
    _check_loop_ends(reading, dialect)
    routine.instructions = reading.instructions
    routine.entry_handler = raws[len(prefix) - 1].handler
    routine.source = Source(code, tuple(raws[: len(prefix)]), tuple(reading.instructions), table)
    return routine


def _header(code: CodeType, prefix: list[Instruction]) -> Routine:
    """A routine with everything but its instructions; the prefix has to be the one that the header calls for."""
    variables, cellvars, freevars = code.co_varnames, code.co_cellvars, code.co_freevars
    if len(variables) != code.co_nlocals:
        raise DecodeError(f"{code.co_nlocals} local variables, {len(variables)} names")
    cells = tuple(name for name in cellvars if name not in variables)
    slots = (*variables, *cells, *freevars)
    own = slots[: len(slots) - len(freevars)]
    cell_slots = tuple(instruction.arg for instruction in prefix if instruction.op is Op.MAKE_CELL)
    if sorted(cell_slots) != sorted(own.index(name) for name in cellvars):
        raise DecodeError("the prefix does not make the cells that the header names")
    routine = Routine(
        name=code.co_name,
        qualified_name=code.co_qualname,
        filename=code.co_filename,
        first_line=code.co_firstlineno,
        flags=code.co_flags,
        argument_count=code.co_argcount,
        positional_only_count=code.co_posonlyargcount,
        keyword_only_count=code.co_kwonlyargcount,
        variables=variables,
        cellvars=cellvars,
        freevars=freevars,
        slots=slots,
        cell_slots=cell_slots,
        instructions=[],
        constants=code.co_consts,
        names=code.co_names,
        stack_size=code.co_stacksize,
    )
    derived = [(instruction.op, instruction.arg) for instruction in derive_prefix(routine)]
    if derived != [(instruction.op, instruction.arg) for instruction in prefix]:
        raise DecodeError("the prefix is not the one that the header calls for")
    return routine


def _attach_targets(reading: Reading, places: dict[int, int], dialect: Dialect) -> None:
    raws = reading.units.instructions
    send = -1 if dialect.has_end_send else dialect.opcodes["SEND"]
    for index, offset in reading.units.jumps:
        place = places.get(offset, -1)
        if not 0 <= place < len(raws):
            raise DecodeError(f"a jump to unit {offset}, where no instruction starts")
        raw = raws[index]
        if raw.opcode == send:
            raw.target = reading.finished_sends.setdefault(place, Label())
        else:
            raw.target = reading.label_at(place)


def _attach_handlers(reading: Reading, places: dict[int, int], table: bytes) -> bytes:
    """Give covered instructions their handler; the table as this package writes it."""
    if not table:
        return table
    raws, offsets = reading.units.instructions, reading.units.offsets
    handlers: dict[tuple[int, int, bool], Handler] = {}
    before = 0
    for start, end, target, depth, push_lasti in read_exceptions(table):
        place = places.get(target, -1)
        if not 0 <= place < len(raws):
            raise DecodeError(f"a handler at unit {target}, where no instruction starts")
        if start < before or end <= start or end > offsets[-1]:
            raise DecodeError(f"an exception region from unit {start} to {end}")
        before = end
        key = (place, depth, push_lasti)
        handler = handlers.get(key)
        if handler is None:
            handler = handlers[key] = Handler(reading.label_at(place), depth, push_lasti)
        for index in range(_covered_from(reading.units, start), _covered_from(reading.units, end)):
            raws[index].handler = handler
    where = {id(label): offsets[place] for place, label in reading.labels.items()}
    return write_exceptions(
        [
            (offsets[start], offsets[end], where[id(handler.label)], handler.depth, handler.push_lasti)
            for start, end, handler in handler_runs(raws)
        ]
    )


def _covered_from(units: Units, offset: int) -> int:
    """The first instruction whose opcode lies at `offset` or after it: what a region starting there covers."""
    index = bisect_left(units.offsets, offset)
    if index and units.offsets[index] != offset:
        before = units.instructions[index - 1]
        if units.offsets[index - 1] + before.width >= offset:
            return index - 1
    return index


def _expand(reading: Reading, start: int, operands: Operands, dialect: Dialect) -> None:
    """Make groups of the raw instructions from `start` on."""
    raws, instructions = reading.units.instructions, reading.instructions
    expanders, joiners, sends = dialect.expanders, dialect.joiners, reading.finished_sends
    first: list[Instruction | None] = [None] * len(raws)
    reading.first = first
    index, count = start, len(raws)
    try:
        while index < count:
            raw = raws[index]
            if index in sends:
                _finish_send(reading, sends[index], raw)
            opcode = raw.opcode
            run: tuple[RawInstruction, ...] = (raw,)
            neutral: tuple[Instruction, ...]
            if (join := joiners[opcode]) is not None:
                used, neutral = join(raws, index, operands)
                run = tuple(raws[index : index + used])
            elif (expand := expanders[opcode]) is not None:
                used, neutral = 1, expand(raw, operands)
            else:
                raise DecodeError(dialect.describe(opcode))
            group = Group(run, neutral)
            for instruction in neutral:
                instruction.group = group
                instructions.append(instruction)
            first[index] = neutral[0]
            index += used
    except IndexError:
        raise DecodeError(f"the argument of {dialect.describe(raws[index].opcode)} is out of range") from None


def _finish_send(reading: Reading, label: Label, raw: RawInstruction) -> None:
    """3.11: what a finished `SEND` lands on, an `END_SEND` that stands for no raw instruction."""
    if not reading.instructions or not reading.instructions[-1].op.effect.terminal:
        raise DecodeError("the end of a SEND can be reached in another way")
    end = Instruction(Op.END_SEND, position=raw.position, handler=raw.handler)
    end.group = Group((), (end,))
    label.instruction = end
    reading.instructions.append(end)


def _land_labels(reading: Reading) -> None:
    for place, label in reading.labels.items():
        landed = reading.first[place]
        if landed is None:
            raise DecodeError("a jump or a handler into the prefix, or into the middle of a group")
        label.instruction = landed
    for label in reading.finished_sends.values():
        if label.instruction is None:
            raise DecodeError("a SEND that lands in the prefix, or in the middle of a group")


def _check_loop_ends(reading: Reading, dialect: Dialect) -> None:
    """From 3.12 on `FOR_ITER` skips what its target holds: that has to be an `END_FOR`, reached in no other way."""
    if "END_FOR" not in dialect.opcodes:
        return
    terminal = True
    for instruction in reading.instructions:
        op, target = instruction.op, instruction.target
        if op is Op.END_FOR and not terminal:
            raise DecodeError("END_FOR can be reached from the instruction before it")
        terminal = op.effect.terminal
        landed = None if target is None else target.instruction
        if landed is not None and (op is Op.FOR_ITER) != (landed.op is Op.END_FOR):
            raise DecodeError(f"{op.name} to {landed.op.name}")
