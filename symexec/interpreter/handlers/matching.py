"""`match` statements: what is a sequence or mapping, and what patterns take out of the subject."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.pushing import push
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Outcome
from symexec.interpreter.protocol.matching import (
    MAPPING,
    SEQUENCE,
    has_flag,
    match_class,
    match_keys,
)


def match_sequence_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push whether the top counts as a sequence."""
    return push(frame, has_flag(machine, frame.state.stack[-1], SEQUENCE))


def match_mapping_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push whether the top counts as a mapping."""
    return push(frame, has_flag(machine, frame.state.stack[-1], MAPPING))


def match_keys_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the values of the mapping below the keys, or `None`."""
    stack = frame.state.stack
    return push(frame, match_keys(machine, stack[-2], stack[-1]))


def match_class_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace subject, class and names by the matched attributes, or by `None`."""
    stack = frame.state.stack
    names, class_, subject = stack.pop(), stack.pop(), stack.pop()
    return push(frame, match_class(machine, subject, class_, instruction.arg, names))


HANDLERS = {
    Op.MATCH_SEQUENCE: match_sequence_op,
    Op.MATCH_MAPPING: match_mapping_op,
    Op.MATCH_KEYS: match_keys_op,
    Op.MATCH_CLASS: match_class_op,
}
