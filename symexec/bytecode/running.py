"""Which dialect the running Python speaks: the one place that looks at `sys.version_info`."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable

from symexec.bytecode import py311, py312, py313, py314
from symexec.bytecode.dialect import Dialect, Rules
from symexec.errors import UnsupportedPythonError

Filler = Callable[[dict[str, int]], Rules]
Builder = Callable[[dict[str, int]], Dialect]

BUILDERS: dict[tuple[int, int], tuple[Filler, Builder]] = {
    (3, 11): (py311.fill_rules, py311.build),
    (3, 12): (py312.fill_rules, py312.build),
    (3, 13): (py313.fill_rules, py313.build),
    (3, 14): (py314.fill_rules, py314.build),
}


def _known(version: tuple[int, int]) -> tuple[int, int]:
    if version not in BUILDERS or sys.implementation.name != "cpython":
        supported = ", ".join(f"{major}.{minor}" for major, minor in BUILDERS)
        name = f"{sys.implementation.name} {version[0]}.{version[1]}"
        raise UnsupportedPythonError(f"symexec knows the bytecode of CPython {supported}, not of {name}")
    return version


def dialect_of(version: tuple[int, int], opcodes: dict[str, int]) -> Dialect:
    """The dialect of a version, given its opcode numbers; `UnsupportedPythonError` if there is none."""
    return BUILDERS[_known(version)][1](opcodes)


def rules_of(version: tuple[int, int], opcodes: dict[str, int]) -> Rules:
    """The same before it is frozen, to be checked for completeness."""
    return BUILDERS[_known(version)][0](opcodes)


VERSION = (sys.version_info[0], sys.version_info[1])

DIALECT = dialect_of(VERSION, dis.opmap)
"""The dialect of the running Python."""
