"""A neutral routine to a code object."""

from __future__ import annotations

from operator import is_
from types import CodeType

import attrs

from symexec.bytecode.depth import deepest_stack
from symexec.bytecode.dialect import Dialect
from symexec.bytecode.emission import Emission, Pool
from symexec.bytecode.exceptions import handler_runs, write_exceptions
from symexec.bytecode.locations import write_locations
from symexec.bytecode.model import Group, RawInstruction, Routine
from symexec.bytecode.prologue import raw_prefix
from symexec.bytecode.raw import lay_out, write_units
from symexec.bytecode.running import DIALECT
from symexec.errors import EncodeError


@attrs.frozen(eq=False, repr=False)
class Assembly:
    """The parts of a code object that its instructions make."""

    code: bytes
    locations: bytes
    exceptions: bytes
    constants: tuple[object, ...]
    names: tuple[str, ...]


def encode(routine: Routine) -> CodeType:
    """The code object of `routine`; its prefix is derived from the header and comes first.

    Unchanged groups are emitted as they were, everything else is lowered for the running Python.  Where nothing at
    all has changed the result is the code object that the routine was decoded from.  `EncodeError` if it cannot be.
    """
    assembly = assemble(routine)
    source = routine.source
    stack_size = routine.stack_size
    if source is not None and _is_unchanged(routine, assembly):
        assembly = attrs.evolve(assembly, locations=source.code.co_linetable, exceptions=source.code.co_exceptiontable)
    else:
        stack_size = max(stack_size, deepest_stack(routine))
    arguments = (
        routine.argument_count,
        routine.positional_only_count,
        routine.keyword_only_count,
        len(routine.variables),
        stack_size,
        routine.flags,
        assembly.code,
        assembly.constants,
        assembly.names,
        routine.variables,
        routine.filename,
        routine.name,
        routine.qualified_name,
        routine.first_line,
        assembly.locations,
        assembly.exceptions,
        routine.freevars,
        routine.cellvars,
    )
    if source is not None and _is_same(source.code, arguments):
        return source.code
    try:
        return CodeType(*arguments)
    except (ValueError, TypeError, OverflowError) as error:
        raise EncodeError(f"{routine.qualified_name}: {error}") from error


def _is_same(code: CodeType, arguments: tuple[object, ...]) -> bool:
    """Whether the constructor's arguments are those of `code` (constants by identity)."""
    constants = arguments[7]
    same_constants = constants is code.co_consts
    return same_constants and arguments == (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_nlocals,
        code.co_stacksize,
        code.co_flags,
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_filename,
        code.co_name,
        code.co_qualname,
        code.co_firstlineno,
        code.co_linetable,
        code.co_exceptiontable,
        code.co_freevars,
        code.co_cellvars,
    )


def _is_unchanged(routine: Routine, assembly: Assembly) -> bool:
    """Whether instructions, labels and handlers are as they were decoded."""
    source = routine.source
    return (
        source is not None
        and _has_source_instructions(routine)
        and assembly.code == source.code.co_code
        and assembly.exceptions == source.exceptions
    )


def _has_source_instructions(routine: Routine) -> bool:
    source = routine.source
    return (
        source is not None
        and len(source.instructions) == len(routine.instructions)
        and all(map(is_, source.instructions, routine.instructions))
    )


def assemble(routine: Routine) -> Assembly:
    """Make the bytecode and tables of `routine`."""
    dialect = DIALECT
    if not routine.instructions:
        raise EncodeError("a routine without instructions")
    constants, names = Pool(list(routine.constants)), Pool(list(routine.names))
    emission = Emission(routine.instructions, constants, names, _decoded_instructions(routine))
    emission.raw += raw_prefix(routine)
    looks_back = frozenset[int]() if _has_source_instructions(routine) else dialect.looks_back
    _emit(emission, dialect, looks_back)
    raws = emission.raw
    args = [raw.arg for raw in raws]
    jumps = _resolve_jumps(emission)
    offsets = lay_out(raws, args, jumps, dialect)
    if dialect.short_jumps and any(
        args[index] > 0xFF for index, _ in jumps if raws[index].opcode in dialect.short_jumps
    ):
        raise EncodeError("a SEND lands too far away for 3.11")
    regions = [
        (offsets[start], offsets[end], offsets[emission.starts[emission.place(handler.label)]], handler)
        for start, end, handler in handler_runs(raws)
    ]
    assembly = Assembly(
        code=write_units(raws, args, offsets, dialect),
        locations=write_locations(raws, offsets, routine.first_line, dialect.merges_locations),
        exceptions=write_exceptions(
            [(start, end, target, handler.depth, handler.push_lasti) for start, end, target, handler in regions]
        ),
        constants=routine.constants if len(constants.entries) == len(routine.constants) else tuple(constants.entries),
        names=routine.names if len(names.entries) == len(routine.names) else tuple(map(str, names.entries)),
    )
    if dialect.strong and not _is_unchanged(routine, assembly):
        raws = [_strengthened(raw, dialect) for raw in raws]
        assembly = attrs.evolve(assembly, code=write_units(raws, args, offsets, dialect))
    return assembly


def _decoded_instructions(routine: Routine) -> frozenset[int]:
    """Ids of the instructions decoded from the routine's own source, if its constants and names still are there."""
    source = routine.source
    if source is None:
        return frozenset()
    constants, names = source.code.co_consts, source.code.co_names
    kept = routine.constants is constants or (
        len(routine.constants) >= len(constants) and all(map(is_, constants, routine.constants))
    )
    if not kept or routine.names[: len(names)] != names:
        return frozenset()
    return frozenset(map(id, source.instructions))


def _strengthened(raw: RawInstruction, dialect: Dialect) -> RawInstruction:
    """`raw`, but loading a reference of its own where it borrows one: the proof for it may not hold any more."""
    opcode = dialect.strong.get(raw.opcode)
    return raw if opcode is None else attrs.evolve(raw, opcode=opcode)


def _emit(emission: Emission, dialect: Dialect, looks_back: frozenset[int]) -> None:
    """Emit every instruction: intact groups as they were, everything else by its op's rule.

    `looks_back` holds the opcodes that need a unit with their own handler before them.
    """
    instructions, starts, raws = emission.instructions, emission.starts, emission.raw
    lowerings = dialect.lowerings
    index, count = 0, len(instructions)
    while index < count:
        instruction = instructions[index]
        group = instruction.group
        used, here = 0, len(raws)
        if group is not None and emission.is_group(index):
            if _put_group(emission, index, group, dialect):
                used = len(group.neutral)
            else:
                del raws[here:]
        if not used:
            used = lowerings[instruction.op.index](emission, index)
        if looks_back and len(raws) > here and raws[here].opcode in looks_back:
            _cover_unit_before(raws, here, dialect)
        starts.extend([here] * used)
        index += used


def _cover_unit_before(raws: list[RawInstruction], index: int, dialect: Dialect) -> None:
    """Let the unit before the instruction at `index` have its handler, by a `NOP` if it has another."""
    raw = raws[index]
    before = raws[index - 1].handler
    if raw.handler is not before and raw.handler != before:
        raws.insert(index, RawInstruction(dialect.opcodes["NOP"], 0, None, raw.position, raw.handler))


def _put_group(emission: Emission, index: int, group: Group, dialect: Dialect) -> bool:
    """Emit a group as it was, its jump turned if its target now lies on the other side; `False` if that cannot be."""
    for raw in group.raw:
        if raw.target is not None:
            way = -1 if emission.is_backward(index, raw.target) else 1
            if dialect.direction[raw.opcode] != way:
                opcode = dialect.turned[raw.opcode]
                if opcode < 0:
                    return False
                emission.raw.append(RawInstruction(opcode, 0, raw.target, raw.position, raw.handler))
                continue
        emission.raw.append(raw)
    return True


def _resolve_jumps(emission: Emission) -> list[tuple[int, int]]:
    """For every jump, its index and that of its target."""
    starts = emission.starts
    return [
        (index, starts[emission.place(raw.target)]) for index, raw in enumerate(emission.raw) if raw.target is not None
    ]
