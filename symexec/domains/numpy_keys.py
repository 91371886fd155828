"""Operands as hashable keys: equal exactly where the same answer holds.  Anything else is no operand of this domain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

from symexec.domains.numpy_specs import ArraySpec, LimitsSpec, ScalarSpec, TupleSpec
from symexec.domains.numpy_values import SCALAR_TYPES
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.graph import Argument
from symexec.values.model import Traced

_CONSTANTS: Final = frozenset({bool, int, str, bytes, type(None), type(...)})
_SPECS: Final = frozenset({ArraySpec, ScalarSpec, TupleSpec, LimitsSpec, PythonScalar})
_WEAK: Final = frozenset({float, complex, bool})


def kind_key(argument: Argument) -> Hashable | None:
    """A key under which only the kind of a number counts, not its value: for ufuncs.  `None` for no operand."""
    kind = type(argument)
    if isinstance(argument, Traced):
        return argument.spec if type(argument.spec) in _SPECS else None
    if kind in _WEAK or kind in SCALAR_TYPES:
        return id(kind)
    if isinstance(argument, int) and kind is int:
        return int, -(2**63) <= argument < 2**63
    return None


def value_key(argument: Argument, fixed: Mapping[int, object]) -> Hashable | None:
    """A key under which values of constants count; `fixed` are the objects, by identity, that may be operands as they
    are (dtypes and such).  `None` for no operand.
    """
    kind = type(argument)
    if isinstance(argument, Traced):
        return argument.spec if type(argument.spec) in _SPECS else None
    if kind in _CONSTANTS:
        return kind, argument
    if kind is float or kind is complex or kind in SCALAR_TYPES:
        return kind, repr(argument)
    if isinstance(argument, (tuple, list)) and (kind is tuple or kind is list):
        items = tuple(key for item in argument if (key := value_key(item, fixed)) is not None)
        return (kind, items) if len(items) == len(argument) else None
    if isinstance(argument, slice):
        return value_key(("slice", argument.start, argument.stop, argument.step), fixed)
    return id(argument) if id(argument) in fixed else None
