"""Functions made of pieces of emitted code alone: guards that answer yes or no, effects committed, values rebuilt.

A function takes what `template` takes; slots are named by its variables.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence

from symexec.bytecode import Instruction, Op, Position, Routine, decode, encode, verify
from symexec.capture.assembly import Assembly
from symexec.capture.checks import Misses, check_guard
from symexec.capture.paths import load_origin
from symexec.capture.recording import Recording
from symexec.capture.standalone import write_alone
from symexec.interpreter.frame import Snapshot
from symexec.interpreter.translator import Ending
from symexec.values.effect import Effect
from symexec.values.guard import Guard
from symexec.values.heap import Heap
from symexec.values.model import NONE, Known, Value
from symexec.values.origin import Cell, Local, Origin

Function = Callable[..., object]


def slot_of(template: types.FunctionType, name: str) -> int:
    """The slot of a variable, cells and free variables included."""
    return decode(template.__code__).slots.index(name)


def local(template: types.FunctionType, name: str) -> Local:
    """The origin of a variable."""
    return Local(slot_of(template, name), name)


def cell(template: types.FunctionType, name: str) -> Cell:
    """The origin of a cell."""
    return Cell(slot_of(template, name), name)


def rewritten(template: types.FunctionType, write: Callable[[Assembly], list[Instruction]]) -> types.FunctionType:
    """A function like `template` whose body is what `write` writes; verified."""
    routine: Routine = decode(template.__code__)
    position = Position(routine.first_line, routine.first_line, -1, -1)
    routine.instructions = write(Assembly(0, position, None))
    verify(routine)
    return types.FunctionType(encode(routine), template.__globals__, closure=template.__closure__)


def holding(template: types.FunctionType, *guards: Guard) -> types.FunctionType:
    """A function that answers whether all the guards hold."""

    def write(assembly: Assembly) -> list[Instruction]:
        misses = Misses()
        for guard in guards:
            check_guard(assembly, misses, guard)
            assert assembly.entries == []
        assembly.load_constant(True)
        assembly.emit(Op.RETURN_VALUE)
        assembly.drop()
        misses.write(assembly)
        assembly.load_constant(False)
        assembly.emit(Op.RETURN_VALUE)
        return assembly.instructions

    return rewritten(template, write)


def loading(template: types.FunctionType, origin: Origin) -> types.FunctionType:
    """A function that returns what the origin reaches."""

    def write(assembly: Assembly) -> list[Instruction]:
        load_origin(assembly, origin)
        assert len(assembly.entries) == 1
        assembly.emit(Op.RETURN_VALUE)
        return assembly.instructions

    return rewritten(template, write)


def committing(
    template: types.FunctionType,
    heap: Heap,
    effects: Sequence[Effect] = (),
    value: Value = NONE,
    guards: Sequence[Guard] = (),
) -> types.FunctionType:
    """A function that does the effects and returns the value: a recording without operations, by itself."""
    routine = decode(template.__code__)
    slots = [Known(None, Local(slot, name)) for slot, name in enumerate(routine.slots[: routine.parameter_count])]
    start = Snapshot(-1, tuple(slots), ())
    recording = Recording(
        nodes=(),
        positions=(),
        guards=tuple(guards),
        effects=tuple(effects),
        origins={},
        heap=heap,
        state=start,
        ending=Ending(value, None),
        foreign=False,
        steps=1,
    )
    code = write_alone(template.__code__, recording, start, None)
    return types.FunctionType(code, template.__globals__, closure=template.__closure__ if code.co_freevars else None)
