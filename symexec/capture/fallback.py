"""Which exceptions of a trace belong to its own operations, so that Python may raise them again from the original code.

An exception raised by a signal handler, or thrown in from outside, is not the program's doing at that place: it
propagates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from symexec.bytecode.model import Label
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.values.outside import is_from_outside

Judge: TypeAlias = Callable[[BaseException | None], bool]
"""Says whether an exception came from outside; told of a failed validation by `None`.

Stands in constants: hashes by identity, holds nothing of the user's.
"""

__all__ = ["Judge", "is_from_outside", "write_handler"]


def write_handler(assembly: Assembly, entry: Label, target: Label, judge: Judge | None) -> None:
    """Write the handler of a trace's own region: its own exceptions go to `target`, all others on their way.

    Where there is no more room to call, nobody could judge: the original instruction finds out for itself.  Without a
    judge nothing else goes to `target`.  The offset of the instruction that raised and the exception are on top when it
    starts and gone when `target` is reached; with the offset the frame says the right line when the exception goes on
    its way.  No exception info is pushed, so that no `__context__` comes of it.
    """
    own, again = Label(), Label()
    assembly.place(entry)
    assembly.push()
    assembly.push()
    _jump_if_match(assembly, RecursionError, Op.POP_JUMP_IF_TRUE, own)
    if judge is not None:
        _jump_if_match(assembly, Exception, Op.POP_JUMP_IF_FALSE, again)
        assembly.begin_call(lambda: assembly.load_bare(judge))
        assembly.emit(Op.COPY, 3)
        assembly.push()
        assembly.call(1)
        assembly.emit(Op.TO_BOOL)
        assembly.emit(Op.POP_JUMP_IF_FALSE, target=own)
        assembly.drop()
    assembly.place(again)
    assembly.emit(Op.RERAISE, 1)
    assembly.place(own)
    assembly.pop_top(2)
    assembly.emit(Op.JUMP_NO_INTERRUPT, target=target)


def _jump_if_match(assembly: Assembly, kind: type[Exception], jump: Op, target: Label) -> None:
    assembly.load_bare(kind)
    assembly.emit(Op.CHECK_EXC_MATCH)
    assembly.drop()
    assembly.emit(jump, target=target)
