"""Puts a call in front of chosen instructions of a function: what an anchor is, at its simplest."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable

from symexec.bytecode.decode import decode
from symexec.bytecode.encode import encode
from symexec.bytecode.model import Instruction, Label, Routine
from symexec.bytecode.ops import JUMPS, Op
from symexec.bytecode.running import DIALECT
from symexec.bytecode.verify import verify


def call_of(hook: object, argument: int, place: Instruction) -> list[Instruction]:
    """`hook(argument)`, the result dropped, with the position and the handler of `place`."""
    callee = [Instruction(Op.LOAD_CONST, const=hook), Instruction(Op.PUSH_NULL)]
    if not DIALECT.null_above_callable:
        callee.reverse()
    calls = [*callee, Instruction(Op.LOAD_CONST, const=argument), Instruction(Op.CALL, 1), Instruction(Op.POP_TOP)]
    for each in calls:
        each.position, each.handler = place.position, place.handler
    return calls


def splice(routine: Routine, places: Iterable[int], hook: object) -> None:
    """Call `hook` with the index, in front of each of `places`; jumps and handlers lead to the call."""
    chosen = set(places)
    heads: dict[int, Instruction] = {}
    instructions: list[Instruction] = []
    for index, instruction in enumerate(routine.instructions):
        if index in chosen:
            calls = call_of(hook, index, instruction)
            heads[id(instruction)] = calls[0]
            instructions += calls
        instructions.append(instruction)
    for label in labels_of(routine):
        if label.instruction is not None:
            label.instruction = heads.get(id(label.instruction), label.instruction)
    routine.instructions = instructions


def labels_of(routine: Routine) -> list[Label]:
    """All labels in use, each once."""
    found = {}
    for each in routine.instructions:
        if each.op in JUMPS and each.target is not None:
            found[id(each.target)] = each.target
        if each.handler is not None:
            found[id(each.handler.label)] = each.handler.label
    if routine.entry_handler is not None:
        found[id(routine.entry_handler.label)] = routine.entry_handler.label
    for raw in (raw for each in routine.instructions if each.group is not None for raw in each.group.raw):
        if raw.target is not None:
            found[id(raw.target)] = raw.target
    return list(found.values())


def spliced(function: Callable[..., object], places: Iterable[int], hook: object) -> Callable[..., object]:
    """A copy of `function` that calls `hook(index)` in front of the instructions at `places`."""
    assert isinstance(function, types.FunctionType)
    routine = decode(function.__code__)
    splice(routine, places, hook)
    verify(routine)
    code = encode(routine)
    copy = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
