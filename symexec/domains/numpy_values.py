"""Which NumPy values are claimed, how they are described, and how programs name their dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from symexec.domains.numpy_specs import ArraySpec, LimitsSpec, NumPySpec, ScalarSpec, TupleSpec
from symexec.values.domain import Result

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

CANONICAL: Final[dict[str, DType]] = {
    char: dtype
    for char in "?bBhHiIlLqQefdgFDG"
    if (dtype := np.dtype(char)) is np.dtype(dtype.str)  # one of each: long and long long may be the same integer
}
"""By type character: numbers and bools of native byte order, each the one object that NumPy gives everywhere."""

SCALAR_TYPES: Final[dict[type, DType]] = {dtype.type: dtype for dtype in CANONICAL.values()}
"""By the exact type of the scalars."""

_SCALAR_TYPE_IDS: Final = frozenset(map(id, SCALAR_TYPES))

ABSTRACT_TYPES: Final[tuple[type, ...]] = (
    np.generic,
    np.number,
    np.integer,
    np.signedinteger,
    np.unsignedinteger,
    np.inexact,
    np.floating,
    np.complexfloating,
)
_NUMBER_TYPES: Final = (bool, int, float, complex)


def canonical(dtype: DType) -> DType | None:
    """The claimed dtype that `dtype` is, if it is that very object (an unpickled array has one of its own)."""
    found = CANONICAL.get(dtype.char)
    return found if found is dtype else None


def dtype_argument(value: object) -> DType | None:
    """The claimed dtype that the argument `dtype=value` means; `None` if it means another or is not understood."""
    kind = type(value)
    if isinstance(value, np.dtype):
        return canonical(value)
    if isinstance(value, type) and kind is type:
        if value in SCALAR_TYPES:
            return SCALAR_TYPES[value]
        return canonical(np.dtype(value)) if value in _NUMBER_TYPES else None
    if isinstance(value, str) and kind is str:
        try:
            return canonical(np.dtype(value))
        except (TypeError, ValueError):
            return None
    return None


def is_claimed_type(kind: type) -> bool:
    """Whether objects of this exact type are claimed, if their dtype is.  Hashes nothing: a metaclass could."""
    return kind is np.ndarray or id(kind) in _SCALAR_TYPE_IDS


def describe(value: object) -> NumPySpec | None:
    """The spec of an array or scalar, or of a tuple of such; `None` if it is not claimed."""
    kind = type(value)
    if kind is np.ndarray and isinstance(value, np.ndarray):
        return _describe_array(value)
    if kind in SCALAR_TYPES:
        return ScalarSpec(SCALAR_TYPES[kind])
    if isinstance(value, tuple):
        items = tuple(described for item in value if (described := describe(item)) is not None)
        return TupleSpec(kind, items) if len(items) == len(value) else None
    return None


def _describe_array(value: np.ndarray[tuple[int, ...], DType]) -> ArraySpec | None:
    dtype = value.dtype
    found = CANONICAL.get(dtype.char)
    if found is dtype:
        return ArraySpec(found, value.shape)
    if found is None or dtype.metadata is not None or not dtype.isnative or dtype != found:
        return None
    return ArraySpec(found, value.shape, singleton=False)


def type_of(spec: NumPySpec) -> type:
    """The exact Python type of what `spec` describes."""
    match spec:
        case ArraySpec():
            return np.ndarray
        case ScalarSpec(dtype=dtype):
            return dtype.type
        case TupleSpec(type=kind) | LimitsSpec(type=kind):
            return kind


def result(spec: NumPySpec, *, foreign: bool = True) -> Result:
    """The answer that a value described by `spec` comes out."""
    return Result(type_of(spec), spec, foreign)
