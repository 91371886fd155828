"""What an exception does to a frame: on to the handler that covers the instruction, or out of the frame."""

from __future__ import annotations

from symexec.errors import InternalError
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Raise
from symexec.interpreter.protocol.raising import as_exception, note_raised
from symexec.values.model import Constant


def unwind(machine: Machine, frame: Frame, stop: Raise) -> Raise | None:
    """Go to the handler of the current instruction; without one, what leaves the frame."""
    exception = as_exception(machine, stop)
    state = frame.state
    handler = frame.routine.instructions[state.position].handler
    if not stop.again:
        note_raised(machine, exception, may_go_on=frame.routine.is_generator_like, is_handled=handler is not None)
    if handler is None:
        return Raise(exception)
    target = handler.label.instruction
    if target is None:
        raise InternalError("a handler without a place")
    del state.stack[handler.depth :]
    if handler.push_lasti:
        state.stack.append(Constant(state.position))
    state.stack.append(exception)
    state.position = machine.index(frame.routine)[target]
    return None
