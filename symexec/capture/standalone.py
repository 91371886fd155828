"""A recording that returns, as a function of its own: prefix, guards, drawn values, graph, commit, return.

A guard that does not hold raises `GuardError`.  An operation that raises simply raises, where there is nothing more to
it; else the original instructions follow and are run then: handlers, and effects before, are theirs.  What was drawn
cannot be drawn again: there the exception leaves.
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
from symexec.values.graph import Kind


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
    original = routine.instructions if _needs_original(recording) else []
    refused = Label()
    failed = Label(original[0]) if original else refused
    site = Site(start, position, None, refused, failed, Label(), 0)
    instructions = TraceWriter(recording, site, compiled, alone=not original).write()
    tail = Assembly(0, position, None)
    tail.place(refused)
    tail.begin_call(lambda: tail.load_bare(refuse))
    tail.call(0)
    tail.emit(Op.RETURN_VALUE)
    routine.instructions = instructions + tail.instructions + original
    _drop_unused_closure(routine)
    verify(routine)
    return encode(routine)


def _needs_original(recording: Recording) -> bool:
    """Whether the program would see more of an operation that raises than that the call raises."""
    drawn = any(node.kind is Kind.DRAW for node in recording.nodes)
    seen = bool(recording.effects) or recording.covered
    return recording.operations > 0 and seen and not drawn


def _drop_unused_closure(routine: Routine) -> None:
    """Without a use of any free variable the output has none."""
    first = routine.first_free_slot
    for instruction in routine.instructions:
        if instruction.op.effect.operand is Operand.SLOT and instruction.arg >= first:
            return
    routine.freevars = ()
    routine.slots = routine.slots[:first]
