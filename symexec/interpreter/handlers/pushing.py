"""Taking entries off a frame's stack and putting replies on it: what handlers share."""

from __future__ import annotations

from symexec.interpreter.frame import Frame
from symexec.interpreter.outcomes import STOPS, Outcome, Reply
from symexec.values.model import Value


def pop_many(stack: list[Value], count: int) -> list[Value]:
    """The topmost `count` entries, lowest first, taken off."""
    start = len(stack) - count
    popped = stack[start:]
    del stack[start:]
    return popped


def push(frame: Frame, reply: Reply) -> Outcome | None:
    """Put the value on the stack; what is no value ends the step."""
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None
