"""Which exceptions of a trace belong to its own operations, so that Python may raise them again from the original code.

An exception raised by a signal handler, or thrown in from outside, is not the program's doing at that place: it
propagates.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Final

from symexec.bytecode.model import Label
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly

read_traceback: Final[Callable[[BaseException], TracebackType | None]] = BaseException.__dict__["__traceback__"].__get__
_getsignal: Final = signal.getsignal
_signals: Final = tuple(signal.Signals)


def is_from_outside(exception: BaseException) -> bool:
    """Whether a frame of a registered signal handler is in the exception's traceback."""
    handlers = {code for code in map(_handler_code, _signals) if code is not None}
    entry = read_traceback(exception)
    while entry is not None:
        if id(entry.tb_frame.f_code) in handlers:
            return True
        entry = entry.tb_next
    return False


def _handler_code(number: signal.Signals) -> int | None:
    handler = _getsignal(number)
    function = getattr(handler, "__func__", handler)
    return id(function.__code__) if isinstance(function, FunctionType) else None


def write_handler(assembly: Assembly, entry: Label, target: Label, *, called: bool) -> None:
    """Write the handler of a trace's own region: its own exceptions go to `target`, all others on their way.

    The exception is on top when it starts and gone when `target` is reached.  No exception info is pushed, so that no
    `__context__` comes of it.  `called` says that operations run in frames of their own (a backend's), whose entries
    in the traceback are then no sign of a foreign exception.
    """
    again = Label()
    assembly.place(entry)
    assembly.push()
    assembly.load_bare(Exception)
    assembly.emit(Op.CHECK_EXC_MATCH)
    assembly.drop()
    assembly.emit(Op.POP_JUMP_IF_FALSE, target=again)
    assembly.begin_call(lambda: assembly.load_bare(is_from_outside if called else read_traceback))
    assembly.emit(Op.COPY, 3)
    assembly.push()
    assembly.call(1)
    if called:
        assembly.emit(Op.TO_BOOL)
        assembly.emit(Op.POP_JUMP_IF_TRUE, target=again)
    else:
        assembly.emit(Op.LOAD_ATTR, name="tb_next")
        assembly.emit(Op.POP_JUMP_IF_NOT_NONE, target=again)
    assembly.drop()
    assembly.pop_top()
    assembly.emit(Op.JUMP_NO_INTERRUPT, target=target)
    assembly.place(again)
    assembly.emit(Op.RERAISE, 0)
