"""Marks that user code puts for the interpreter: a wanted break, and functions to be left alone."""

from __future__ import annotations

from types import FunctionType
from typing import Final

DISABLED: Final = "__symexec_disabled__"
"""In a function's `__dict__`: never traced, never inlined."""


def graph_break(message: str = "") -> None:
    """Do nothing; tracing ends here, and `message` is given as the reason."""


def is_disabled(function: FunctionType) -> bool:
    """Whether the function is to be left alone."""
    return DISABLED in function.__dict__
