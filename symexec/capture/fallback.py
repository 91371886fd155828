"""Which exceptions of a trace belong to its own operations, so that Python may raise them again from the original code.

An exception raised by a signal handler, or thrown in from outside, is not the program's doing at that place: it
propagates.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, TracebackType
from typing import Final, TypeAlias

from symexec.bytecode.model import Label
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.interpreter.machine import is_static_type

read_traceback: Final[Callable[[BaseException], TracebackType | None]] = BaseException.__dict__["__traceback__"].__get__

Judge: TypeAlias = Callable[[BaseException | None], bool]
"""Says whether an exception came from outside; told of a failed validation by `None`.

Stands in constants: hashes by identity, holds nothing of the user's.
"""

_LIBRARIES: Final = frozenset({"numpy"})
_namespace: Final[Callable[[type], Mapping[str, object]]] = type.__dict__["__dict__"].__get__
_getsignal: Final = signal.getsignal
_signals: Final = tuple(signal.Signals)


def is_from_outside(exception: BaseException | None) -> bool:
    """Whether the exception is not the doing of the operation that it stopped (`None`, a failed validation, is not).

    With frames of its own below this one: whether one of them is a registered signal handler's.  Without: whether its
    class is neither builtin nor of a library whose C code raises its own; such was thrown in by another thread.
    """
    if exception is None:
        return False
    entry = read_traceback(exception)
    if entry is None or entry.tb_next is None:
        return not is_static_type(type(exception)) and _root_module(type(exception)) not in _LIBRARIES
    handlers = {code for code in map(_handler_code, _signals) if code is not None}
    return any(id(inner.tb_frame.f_code) in handlers for inner in _entries(entry))


def _root_module(type_: type) -> str:
    module: object = _namespace(type_).get("__module__")
    return module.partition(".")[0] if isinstance(module, str) else ""


def _entries(entry: TracebackType | None) -> Iterator[TracebackType]:
    while entry is not None:
        yield entry
        entry = entry.tb_next


def _handler_code(number: signal.Signals) -> int | None:
    handler = _getsignal(number)
    function = getattr(handler, "__func__", handler)
    return id(function.__code__) if isinstance(function, FunctionType) else None


def write_handler(assembly: Assembly, entry: Label, target: Label, judge: Judge) -> None:
    """Write the handler of a trace's own region: its own exceptions go to `target`, all others on their way.

    The offset of the instruction that raised and the exception are on top when it starts and gone when `target` is
    reached; with the offset the frame says the right line when the exception goes on its way.  No exception info is
    pushed, so that no `__context__` comes of it.
    """
    again = Label()
    assembly.place(entry)
    assembly.push()
    assembly.push()
    assembly.load_bare(Exception)
    assembly.emit(Op.CHECK_EXC_MATCH)
    assembly.drop()
    assembly.emit(Op.POP_JUMP_IF_FALSE, target=again)
    assembly.begin_call(lambda: assembly.load_bare(judge))
    assembly.emit(Op.COPY, 3)
    assembly.push()
    assembly.call(1)
    assembly.emit(Op.TO_BOOL)
    assembly.emit(Op.POP_JUMP_IF_TRUE, target=again)
    assembly.drop()
    assembly.pop_top(2)
    assembly.emit(Op.JUMP_NO_INTERRUPT, target=target)
    assembly.place(again)
    assembly.emit(Op.RERAISE, 1)
