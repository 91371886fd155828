"""Every error this package raises on its own account, and the reason type that breaks carry.

Knows nothing of any layer: it is imported by all of them.
"""

from __future__ import annotations

from typing import Final

import attrs
from typing_extensions import override

RAISES: Final = "SX1003"
"""The code of a break where Python raises for certain."""

SUSPENDED: Final = "SX1004"
"""The code of what ends a trace where a generator or coroutine hands control to its caller: no failure, not counted."""

LOOPS: Final = "SX4007"
"""The code of what ends a trace where a loop goes on over an iterator that existed before: no failure, not counted."""

ENTERED_BEFORE: Final = frozenset({"SX1007", "SX1009"})
"""The codes of what ends a trace that began inside a `with` or a handler: Python leaves what it entered."""

ORDINARY: Final = frozenset({SUSPENDED, LOOPS}) | ENTERED_BEFORE
"""The codes of what ends a trace in the course of things, and is no failure: not counted."""


class SymexecError(Exception):
    """Root of all errors raised by symexec itself (never of errors of the user's program)."""


class BytecodeError(SymexecError):
    """A code object, table or routine is malformed."""


class DecodeError(BytecodeError):
    """A code object cannot be decoded: truncated code, a bad table, a jump to nowhere."""


class EncodeError(BytecodeError):
    """A routine cannot be encoded: a label that is nowhere, an operand out of range."""


class VerifyError(BytecodeError):
    """A routine would be unsafe to run: wrong depths, an unbound load, a consumed NULL."""


class UnsupportedPythonError(SymexecError):
    """The running Python has no dialect in `symexec.bytecode`."""


class ArgumentError(SymexecError, TypeError):
    """An argument given to a public function of symexec is of the wrong kind; the message names it and the remedy."""


class InternalError(SymexecError):
    """A broken invariant of symexec itself: please report it."""


@attrs.frozen
class Place:
    """Where something is in the user's source.  Lines are 1-based, columns 0-based; `None` where unknown."""

    filename: str
    function: str
    line: int | None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    @override
    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column + 1}"
        line = "?" if self.line is None else self.line
        return f"{self.filename}:{line}{column}, in {self.function}"


@attrs.frozen
class BreakReason:
    """Why tracing stopped: a stable code (`SX####`), the place, what stands in the way, and what to do about it."""

    code: str
    where: Place
    why: str
    hint: str = ""

    @override
    def __str__(self) -> str:
        hint = f"\n    hint: {self.hint}" if self.hint else ""
        return f"{self.code} at {self.where}: {self.why}{hint}"


class GraphBreakError(SymexecError):
    """One graph was demanded (`trace`, `fullgraph=True`) and is not possible; `reason` says where and why."""

    def __init__(self, reason: BreakReason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class GuardError(SymexecError):
    """A `Captured` was called with arguments, or in a world, for which its guards do not hold."""


class BackendError(SymexecError):
    """A backend is unknown, not installed, or returned something that cannot be called."""


class MissingExtraError(SymexecError, ImportError):
    """An optional dependency is not installed, or too old; the message names the extra that installs it."""


class SymexecWarning(UserWarning):
    """Category of all warnings that symexec issues."""
