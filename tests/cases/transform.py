"""What a runner of programs wants of a transformer: `transform`, `trace_count` and `graph_break`.

With it `run_cases.py --transform tests.cases.transform:transform` compares programs plain and compiled.
Python numbers are traced where NumPy is missing: the programs then work on floats in place of arrays.
"""

from __future__ import annotations

import importlib.util
import types
from collections.abc import Callable

import symexec

graph_break = symexec.graph_break

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
"""Whether the programs work on arrays."""
_compiled: list[Callable[..., object]] = []


def transform(function: Callable[..., object]) -> Callable[..., object]:
    """The function compiled, errors of symexec itself let out; what cannot be compiled is left as it is."""
    config = symexec.Config(strict=True)
    domains = None if HAS_NUMPY else ["scalars"]
    try:
        compiled = symexec.compile(function, config=config, domains=domains)
    except symexec.ArgumentError:
        return function
    _compiled.append(compiled)
    return compiled


def trace_count() -> int:
    """How many traces the functions compiled so far hold."""
    return sum(symexec.stats(each).traces for each in _compiled if not isinstance(each, types.BuiltinFunctionType))
