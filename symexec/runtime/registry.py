"""Which functions are compiled: the one piece of state of the whole package, refers to functions weakly."""

from __future__ import annotations

import weakref
from types import CodeType, FunctionType

from symexec.runtime.record import Record


class Registry:
    """Compiled functions and their records; an entry dies with its function."""

    def __init__(self) -> None:
        self._records: weakref.WeakKeyDictionary[FunctionType, Record] = weakref.WeakKeyDictionary()

    def add(self, function: FunctionType, record: Record) -> None:
        """Remember the record of a compiled function; the record must not refer to the function strongly."""
        self._records[function] = record

    def find(self, function: FunctionType) -> Record | None:
        """The record of a function, `None` if it is not compiled."""
        return self._records.get(function)

    def original_code(self, function: FunctionType) -> CodeType | None:
        """The code of a compiled function as it was written, `None` if it is not compiled."""
        record = self._records.get(function)
        return None if record is None else record.code
