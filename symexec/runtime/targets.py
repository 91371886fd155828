"""What may be traced or compiled: functions, and what is made of one."""

from __future__ import annotations

from functools import _lru_cache_wrapper, partial, partialmethod
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Final

from symexec.errors import ArgumentError

CALL: Final = "__call__"


class Target:
    """A Python function, and the object it is bound to (`bound` tells whether it is)."""

    def __init__(self, function: FunctionType, owner: object, bound: bool) -> None:
        self.function = function
        self.owner = owner
        self.bound = bound


def _inner(value: object) -> str:
    """The name under which a wrapper written in C keeps the function in it; "" for anything else."""
    if isinstance(value, property):
        return "fget"
    if isinstance(value, partial | partialmethod):
        return "func"
    return "__wrapped__" if isinstance(value, _lru_cache_wrapper) else ""


def find_target(value: object, verb: str) -> Target:
    """The Python function behind a function, bound method or callable object; `ArgumentError` for anything else."""
    if isinstance(value, FunctionType):
        return Target(value, None, False)
    if isinstance(value, MethodType) and isinstance(value.__func__, FunctionType):
        return Target(value.__func__, value.__self__, True)
    if isinstance(value, type):
        raise ArgumentError(f"cannot {verb} the class {value.__qualname__}: {verb} its methods one by one")
    if isinstance(value, (staticmethod, classmethod)):
        raise ArgumentError(f"cannot {verb} a bare {type(value).__name__} object: {verb} the function it wraps")
    inner = _inner(value)
    if inner:
        kind = type(value).__qualname__
        raise ArgumentError(f"cannot {verb} a {kind} object: {verb} the function in it, its {inner!r}")
    if isinstance(value, BuiltinFunctionType):
        raise ArgumentError(f"cannot {verb} the builtin {value.__qualname__}: it has no bytecode")
    call = getattr(type(value), CALL, None)
    if isinstance(call, FunctionType):
        return Target(call, value, True)
    raise ArgumentError(f"cannot {verb} {value!r}: it is no Python function or method, nor has it a Python __call__")
