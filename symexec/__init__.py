"""A pure-Python symbolic bytecode interpreter: trace and compile any Python function."""

from symexec.api import (
    Stats,
    allow_in_graph,
    compile,
    disable,
    explain,
    original,
    reset,
    stats,
    trace,
)
from symexec.config import Config
from symexec.errors import (
    ArgumentError,
    BackendError,
    BreakReason,
    BytecodeError,
    GraphBreakError,
    GuardError,
    InternalError,
    Place,
    SymexecError,
    SymexecWarning,
    UnsupportedPythonError,
)
from symexec.interpreter.marks import graph_break
from symexec.interpreter.translator import InstructionTranslator
from symexec.report.explanation import Explanation
from symexec.runtime.captured import Captured
from symexec.runtime.symbols import Symbol, symbol

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "BackendError",
    "BreakReason",
    "BytecodeError",
    "Captured",
    "Config",
    "Explanation",
    "GraphBreakError",
    "GuardError",
    "InstructionTranslator",
    "InternalError",
    "Place",
    "Stats",
    "Symbol",
    "SymexecError",
    "SymexecWarning",
    "UnsupportedPythonError",
    "allow_in_graph",
    "compile",
    "disable",
    "explain",
    "graph_break",
    "original",
    "reset",
    "stats",
    "symbol",
    "trace",
]
