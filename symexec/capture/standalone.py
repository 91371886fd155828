"""A recording that returns, as a function of its own: prefix, guards, drawn values, graph, commit, return.

There is no original code to go back to: a guard that does not hold raises `GuardError`, and an exception of the graph
leaves the function.
"""

from __future__ import annotations

from types import CodeType

from symexec.bytecode.decode import decode
from symexec.bytecode.effects import Operand
from symexec.bytecode.encode import encode
from symexec.bytecode.model import Label, Position, Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.verify import verify
from symexec.capture.assembly import Assembly
from symexec.capture.recording import Recording
from symexec.capture.trace import Site, TraceWriter
from symexec.errors import GuardError, InternalError
from symexec.interpreter.frame import Snapshot
from symexec.values.backend import Compiled


def refuse() -> None:
    """Called by emitted code when a guard does not hold."""
    raise GuardError("the arguments, or what the function reads, are not what was traced; trace again for these")


def write_alone(code: CodeType, recording: Recording, start: Snapshot, compiled: Compiled | None) -> CodeType:
    """The code object of the recording, with the header of `code`; verified.

    It keeps the parameters and cells of `code`, and only those free variables that it uses (all or none).
    """
    if recording.ending.value is None:
        raise InternalError("only a recording that returns stands alone")
    routine = decode(code)
    position = Position(routine.first_line, routine.first_line, -1, -1)
    refused = Label()
    site = Site(start, position, None, refused, refused, Label(), 0)
    instructions = TraceWriter(recording, site, compiled, alone=True).write()
    tail = Assembly(0, position, None)
    tail.place(refused)
    tail.begin_call(lambda: tail.load_bare(refuse))
    tail.call(0)
    tail.emit(Op.RETURN_VALUE)
    routine.instructions = instructions + tail.instructions
    _drop_unused_closure(routine)
    verify(routine)
    return encode(routine)


def _drop_unused_closure(routine: Routine) -> None:
    """Without a use of any free variable the output has none."""
    first = routine.first_free_slot
    for instruction in routine.instructions:
        if instruction.op.effect.operand is Operand.SLOT and instruction.arg >= first:
            return
    routine.freevars = ()
    routine.slots = routine.slots[:first]
