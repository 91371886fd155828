"""Which exceptions are not the doing of the code that they stopped: a signal handler raised them, or another thread.

Whoever catches whatever an operation raises asks here first, and lets those go on their way.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, TracebackType
from typing import Final

read_traceback: Final[Callable[[BaseException], TracebackType | None]] = BaseException.__dict__["__traceback__"].__get__

_OWN: Final = "symexec"
_LIBRARIES: Final = frozenset({"numpy", _OWN})
_OUR_CODE: Final = sys.stdlib_module_names | {_OWN, "attr", "attrs"}  # what runs while symexec is at work
_HEAP_TYPE: Final = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_namespace: Final[Callable[[type], Mapping[str, object]]] = type.__dict__["__dict__"].__get__
_flags: Final[Callable[[type], int]] = type.__dict__["__flags__"].__get__
_getsignal: Final = signal.getsignal
_signals: Final = tuple(signal.Signals)


def is_from_handler(exception: BaseException) -> bool:
    """Whether the exception comes out of a registered signal handler, called below the frame that caught it."""
    entry = read_traceback(exception)
    if entry is None or entry.tb_next is None:
        return False
    handlers = {code for code in map(_handler_code, _signals) if code is not None}
    return any(id(inner.tb_frame.f_code) in handlers for inner in _entries(entry))


def came_in_between(exception: BaseException) -> bool:
    """Whether the exception stopped symexec's own code: out of a signal handler, or thrown in by another thread.

    Of the latter it is told by a class of the program's own, raised in no code of the program's own.
    """
    if is_from_handler(exception):
        return True
    entries = list(_entries(read_traceback(exception)))
    if not entries or not _is_foreign(type(exception)):
        return False
    return str(entries[-1].tb_frame.f_globals.get("__name__", _OWN)).partition(".")[0] in _OUR_CODE


def is_from_outside(exception: BaseException | None) -> bool:
    """Whether the exception is not the doing of the operation that it stopped (`None`, a failed validation, is not).

    With frames of its own below this one: whether one of them is a registered signal handler's.  Without: whether its
    class is neither builtin nor of a library whose C code raises its own; such was thrown in by another thread.
    """
    if exception is None:
        return False
    entry = read_traceback(exception)
    if entry is None or entry.tb_next is None:
        return _is_foreign(type(exception))
    return is_from_handler(exception)


def _is_foreign(type_: type) -> bool:
    return bool(_flags(type_) & _HEAP_TYPE) and _root_module(type_) not in _LIBRARIES


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
