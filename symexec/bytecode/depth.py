"""How deep the stack of a routine gets."""

from __future__ import annotations

from symexec.bytecode.model import Handler, Routine
from symexec.errors import EncodeError


def deepest_stack(routine: Routine) -> int:
    """The deepest stack on any path, at least 1.  Paths that meet with unequal depths are `verify`'s business."""
    instructions = routine.instructions
    places = {id(instruction): index for index, instruction in enumerate(instructions)}
    seen = [False] * len(instructions)
    deepest = 1
    work = [(0, 0)]
    entry = routine.entry_handler
    if entry is not None:
        work.append((places.get(id(entry.label.instruction), -1), entry.depth + entry.push_lasti + 1))
    while work:
        index, depth = work.pop()
        handler_before: Handler | None = None
        while not seen[index]:
            seen[index] = True
            if depth > deepest:
                deepest = depth
            instruction = instructions[index]
            effect = instruction.op.effect
            handler = instruction.handler
            if handler is not None and handler is not handler_before:
                handler_before = handler
                place = places.get(id(handler.label.instruction), -1)
                work.append((place, handler.depth + handler.push_lasti + 1))
            if instruction.target is not None:
                place = places.get(id(instruction.target.instruction), -1)
                work.append((place, depth + effect.delta(instruction.arg, jump=True)))
            if effect.terminal:
                break
            depth += effect.delta(instruction.arg)
            index += 1
            if index == len(instructions):
                raise EncodeError("control runs off the end")
    return deepest
