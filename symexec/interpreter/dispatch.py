"""The dispatch table: every neutral op has a handler, or stands in the table of ops left to Python, with the reason.

A handler takes the machine, the frame and the instruction, and returns an outcome; `None` means: go on with the next
instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import InternalError
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers import (
    asynchronous,
    building,
    calls,
    context,
    control,
    exceptions,
    generators,
    imports,
    matching,
    names,
    namespaces,
    operators,
    prefix,
    slots,
    stack,
    templates,
)
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Outcome

Handler: TypeAlias = Callable[[Machine, Frame, Instruction], Outcome | None]

_CLASSES: Final = "class bodies and module code run as written"

UNSUPPORTED: Final[Mapping[Op, str]] = {
    Op.LOAD_NAME: _CLASSES,
    Op.STORE_NAME: _CLASSES,
    Op.DELETE_NAME: _CLASSES,
    Op.LOAD_LOCALS: _CLASSES,
    Op.SETUP_ANNOTATIONS: _CLASSES,
}
"""Ops that end a trace, and why."""


def _unsupported(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    return machine.stop("SX1001", f"{instruction.op.name}: {UNSUPPORTED[instruction.op]}")


_TOPICS: Final = (
    asynchronous, building, calls, context, control, exceptions, generators, imports, matching, names, namespaces,
    operators, prefix, slots, stack, templates,
)  # fmt: skip


def _table() -> tuple[Handler, ...]:
    found: dict[Op, Handler] = {}
    for topic in _TOPICS:
        for op, handler in topic.HANDLERS.items():
            if op in found or op in UNSUPPORTED:
                raise InternalError(f"{op.name} has two entries")
            found[op] = handler
    missing = [op.name for op in Op if op not in found and op not in UNSUPPORTED]
    if missing:
        raise InternalError(f"no entry for {', '.join(missing)}")
    return tuple(found.get(op, _unsupported) for op in Op)


TABLE: Final = _table()
"""Handlers by `op.index`."""
