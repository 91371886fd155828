"""Template strings (Python 3.14)."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Outcome
from symexec.interpreter.protocol.templates import make_interpolation, make_template


def build_interpolation(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace a value, its source text and, in the other form, its format by an interpolation."""
    stack = frame.state.stack
    spec = stack.pop() if instruction.op is Op.BUILD_INTERPOLATION_SPEC else None
    text, value = stack.pop(), stack.pop()
    stack.append(make_interpolation(machine, value, text, instruction.arg, spec))
    return None


def build_template(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace strings and interpolations by a template."""
    stack = frame.state.stack
    interpolations, strings = stack.pop(), stack.pop()
    stack.append(make_template(machine, strings, interpolations))
    return None


HANDLERS = {
    Op.BUILD_INTERPOLATION: build_interpolation,
    Op.BUILD_INTERPOLATION_SPEC: build_interpolation,
    Op.BUILD_TEMPLATE: build_template,
}
