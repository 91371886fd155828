"""What has to hold for every code object that a compiler makes."""

from __future__ import annotations

from types import CodeType

import attrs

from symexec.bytecode import Instruction, Label, Routine, decode, encode, verify
from symexec.bytecode.depth import deepest_stack
from symexec.bytecode.encode import assemble


def check_round_trip(code: CodeType) -> Routine:
    """`encode(decode(code))` gives the same bytes, tables, constants, names and stack size."""
    routine = decode(code)
    assembly = assemble(routine)
    assert assembly.code == code.co_code
    assert assembly.locations == code.co_linetable
    assert assembly.exceptions == code.co_exceptiontable
    assert assembly.constants is code.co_consts
    assert assembly.names == code.co_names
    assert deepest_stack(routine) <= code.co_stacksize + 3
    assert encode(routine) is code
    return routine


def renewed(routine: Routine) -> Routine:
    """A copy of `routine` made of new instructions alone, so that nothing is emitted as it was."""
    fresh = {id(old): attrs.evolve(old, group=None) for old in routine.instructions}
    labels: dict[int, Label] = {}

    def label_for(old: Label) -> Label:
        if id(old) not in labels:
            labels[id(old)] = Label(fresh[id(old.instruction)])
        return labels[id(old)]

    for instruction in fresh.values():
        if instruction.target is not None:
            instruction.target = label_for(instruction.target)
        if instruction.handler is not None:
            instruction.handler = attrs.evolve(instruction.handler, label=label_for(instruction.handler.label))
    entry = routine.entry_handler
    if entry is not None:
        entry = attrs.evolve(entry, label=label_for(entry.label))
    return attrs.evolve(routine, instructions=list(fresh.values()), entry_handler=entry)


def shown(routine: Routine) -> list[tuple[object, ...]]:
    """The instructions in a form that compares equal for equal routines: labels as indices, constants by identity."""
    places = {id(instruction): index for index, instruction in enumerate(routine.instructions)}

    def show(instruction: Instruction) -> tuple[object, ...]:
        target = None if instruction.target is None else places[id(instruction.target.instruction)]
        handler = None
        if instruction.handler is not None:
            label = places[id(instruction.handler.label.instruction)]
            handler = (label, instruction.handler.depth, instruction.handler.push_lasti)
        constant = instruction.const
        known = (type(constant), repr(constant)) if isinstance(constant, (int, str, tuple)) else id(constant)
        return instruction.op.name, instruction.arg, instruction.name, known, target, handler, instruction.position

    return [show(instruction) for instruction in routine.instructions]


def check_renewed(routine: Routine) -> CodeType:
    """Lowering every op by its rule and decoding the result gives the same instructions again."""
    code = encode(renewed(routine))
    again = decode(code)
    verify(again)
    before, after = shown(routine), shown(again)
    if before != after:
        place = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), -1)
        raise AssertionError(f"at {place}: {before[place]} became {after[place : place + 1]}")
    return code


def check(code: CodeType) -> None:
    """All of it."""
    routine = check_round_trip(code)
    verify(routine)
    check_renewed(routine)
