"""New plain functions with the user's own looks: what `compile` returns, and parameters bound as Python binds them."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Final

from symexec.bytecode.decode import decode
from symexec.bytecode.encode import encode
from symexec.bytecode.model import GENERATOR_FLAGS, Instruction, Position
from symexec.bytecode.ops import Op
from symexec.bytecode.verify import verify

# `__annotate__` (3.14) computes annotations when they are asked for: it is handed on, never called.
_ANNOTATE: Final = "__annotate__"
_TYPE_PARAMETERS: Final = "__type_params__"


def copy_function(function: FunctionType, code: CodeType, *, closure: bool = True) -> FunctionType:
    """A new function with `code` and everything else of `function`'s: name, defaults, closure, annotations, `__dict__`.

    Annotations are not evaluated.  Without `closure` the new function has none (`code` has no free variables).
    """
    cells = function.__closure__ if closure else None
    copied = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
    copied.__qualname__ = function.__qualname__
    copied.__module__ = function.__module__
    copied.__doc__ = function.__doc__
    if function.__kwdefaults__ is not None:
        copied.__kwdefaults__ = dict(function.__kwdefaults__)
    if hasattr(function, _ANNOTATE):
        setattr(copied, _ANNOTATE, getattr(function, _ANNOTATE))
    else:
        copied.__annotations__ = dict(function.__annotations__)
    if hasattr(function, _TYPE_PARAMETERS):
        setattr(copied, _TYPE_PARAMETERS, getattr(function, _TYPE_PARAMETERS))
    copied.__dict__.update(function.__dict__)
    return copied


def make_binder(function: FunctionType) -> FunctionType:
    """A function that takes what `function` takes and gives a tuple of what its parameters' slots get.

    It raises Python's own `TypeError` for arguments that do not fit.
    """
    routine = decode(function.__code__)
    line = routine.first_line
    position = Position(line, line, -1, -1)
    loads = [
        Instruction(Op.LOAD_DEREF if slot in routine.cell_slots else Op.LOAD_FAST, slot, position=position)
        for slot in range(routine.parameter_count)
    ]
    routine.instructions = [
        *loads,
        Instruction(Op.BUILD_TUPLE, len(loads), position=position),
        Instruction(Op.RETURN_VALUE, position=position),
    ]
    routine.flags &= ~GENERATOR_FLAGS
    routine.entry_handler = None
    verify(routine)
    return copy_function(function, encode(routine))
