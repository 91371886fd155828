"""Answers to questions about the running Python, so that nobody else has to know versions.

Facts are constants; what is laid out differently is a function that gives neutral instructions in the right order.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from symexec.bytecode.model import Handler, Instruction, Position
from symexec.bytecode.ops import Op
from symexec.bytecode.running import DIALECT

VERSION: tuple[int, int] = DIALECT.version
"""Major and minor version, for messages and cache keys; decisions are taken by the facts below."""

NULL_ABOVE_CALLABLE = DIALECT.null_above_callable
"""Whether the NULL of a call without self is pushed after the callable, not before it."""

HAS_INLINED_COMPREHENSIONS = DIALECT.version >= (3, 12)
"""Whether comprehensions run in the frame around them: `MAKE_CELL` in the body, NULLs saved on the stack."""

HAS_CLEARING_LOADS = Op.LOAD_FAST_AND_CLEAR not in DIALECT.absent
"""Whether `LOAD_FAST_AND_CLEAR` can be emitted; else a bound slot is read by `LOAD_FAST` and `DELETE_FAST`."""

HAS_UNCHECKED_LOADS = bool(DIALECT.unchecked_loads)
"""Whether original loads crash on an unbound slot.  New `LOAD_FAST`s are checked everywhere."""

HAS_LOOP_ENDS = DIALECT.has_end_for
"""Whether an exhausted `FOR_ITER` has to land on an `END_FOR`."""

HAS_MONITORING = DIALECT.version >= (3, 12)
"""Whether there is `sys.monitoring`."""

WRAPS_STOP_ITERATION = DIALECT.version >= (3, 12)
"""Whether the body of a generator is covered by a handler of its own, `RESUME 0` included."""

THROW_WARNS = DIALECT.version >= (3, 12)
"""Whether `generator.throw` warns of more than one argument."""

HANDLERS_WRITE_TRACEBACKS = DIALECT.version < (3, 12)
"""Whether an exception gets its traceback only where a handler takes it: one that C code clears has none."""

CLOSE_GIVES_RESULT = DIALECT.version >= (3, 13)
"""Whether `generator.close` gives what the generator returns."""

NAME_OF_CLASSES = "class" if DIALECT.version >= (3, 12) else "type"
"""What the error for a class pattern that is no class says it must be."""

EXIT_ENTRIES = DIALECT.exit_entries
"""How many stack entries the exit function of a `with` block takes: 1, or 2 (a function, and self or NULL)."""

HAS_LAZY_ANNOTATIONS = DIALECT.version >= (3, 14)
"""Whether annotations are made by a function `__annotate__` when they are asked for."""

HAS_TEMPLATES = DIALECT.version >= (3, 14)
"""Whether there are template strings."""

HAS_LOCALS_PROXY = DIALECT.version >= (3, 13)
"""Whether `frame.f_locals` and `locals()` are views or snapshots that no later write of the slots can upset."""

IS_FREE_THREADED = not getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether threads run without a global lock."""


def cannot_emit(op: Op) -> str | None:
    """Why `op` cannot be emitted here, `None` if it can."""
    return DIALECT.absent.get(op)


def lay_out_callee(
    load: Sequence[Instruction], position: Position | None = None, handler: Handler | None = None
) -> list[Instruction]:
    """The instructions that put a callee under a call's arguments: `load`, which pushes the callable, and a NULL."""
    null = Instruction(Op.PUSH_NULL, position=position, handler=handler)
    return [*load, null] if NULL_ABOVE_CALLABLE else [null, *load]


def turn_into_callee(position: Position | None = None, handler: Handler | None = None) -> list[Instruction]:
    """The instructions that make a callee of the callable on top of the stack."""
    null = Instruction(Op.PUSH_NULL, position=position, handler=handler)
    if NULL_ABOVE_CALLABLE:
        return [null]
    return [null, Instruction(Op.SWAP, 2, position=position, handler=handler)]


def callable_entry(depth: int, argument_count: int) -> int:
    """Where on a stack of `depth` entries the callable of a call without self is, its arguments being on top."""
    lower = depth - argument_count - 2
    return lower if NULL_ABOVE_CALLABLE else lower + 1


def _wrapping_writes_traceback() -> bool:
    found = False
    try:
        raise ValueError
    except* ValueError as group:
        found = group.__traceback__ is not None
    return found


WRAPPING_WRITES_TRACEBACK = _wrapping_writes_traceback()
"""Whether the group that `except*` puts around a plain exception has a traceback (it came in a bug fix)."""
