"""Places in the user's source as text: short paths, and the source line with carets under what is meant.

Source is read through `linecache`; where there is none, only the place is named.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Sequence

from symexec.bytecode.model import Routine
from symexec.errors import BreakReason, Place


def short_path(filename: str) -> str:
    """`filename` relative to the current directory if it lies in there, else as it is."""
    if not os.path.isabs(filename):
        return filename
    try:
        relative = os.path.relpath(filename)
    except (OSError, ValueError):  # the current directory is gone, or on another drive
        return filename
    return filename if relative.startswith(os.pardir) else relative


def line_text(place: Place) -> str:
    """`file:line` of a place."""
    return f"{short_path(place.filename)}:{'?' if place.line is None else place.line}"


def place_text(place: Place) -> str:
    """`file:line:column, in function`; columns count characters from 1."""
    line = _source_line(place)
    column = ""
    if place.column is not None:
        column = f":{_characters(line, place.column) + 1 if line else place.column + 1}"
    return f"{line_text(place)}{column}, in {place.function}"


def excerpt(place: Place) -> list[str]:
    """The source line of a place and a line of carets under what is meant; empty where there is no source.

    Of what spans several lines the first is shown.
    """
    line = _source_line(place)
    if not line.strip():
        return []
    shown = line.strip()
    if place.column is None or place.end_column is None:
        return [shown]
    indent = len(line) - len(line.lstrip())
    start = _characters(line, place.column)
    end = _characters(line, place.end_column) if place.end_line == place.line else len(line)
    width = max(1, min(end, indent + len(shown)) - start)
    return [shown, " " * max(0, start - indent) + "^" * width]


def reason_text(reason: BreakReason) -> str:
    """A break in full: code, place, source, why and what to do."""
    lines = [f"{reason.code} at {place_text(reason.where)}"]
    lines += [f"    {line}" for line in excerpt(reason.where)]
    lines.append(f"  why:  {reason.why}")
    if reason.hint:
        lines.append(f"  hint: {reason.hint}")
    return "\n".join(lines)


def place_of(routine: Routine, index: int) -> Place:
    """The place of an instruction; its line only if it has one, or else the function's first."""
    position = routine.instructions[index].position if index < len(routine.instructions) else None
    line = routine.first_line if position is None else position.line
    return Place(routine.filename, routine.qualified_name, line)


def indent(lines: Sequence[str], by: int) -> list[str]:
    """The lines moved to the right."""
    return [" " * by + line if line else line for line in lines]


def _source_line(place: Place) -> str:
    return "" if place.line is None else linecache.getline(place.filename, place.line).rstrip("\n\r")


def _characters(line: str, column: int) -> int:
    """A column in characters, where `column` counts bytes of UTF-8."""
    return len(line.encode()[:column].decode(errors="ignore"))
