"""Facts about what is neither an array nor a number: dtypes, the limits of their numbers, named tuples of results."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

import numpy as np

from symexec.domains.numpy_specs import LimitsSpec, ScalarSpec, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import SCALAR_TYPES, canonical, describe, dtype_argument, result
from symexec.values.domain import Answer, Declined, Static
from symexec.values.graph import Argument, Kind
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

_ATTRIBUTES: Final = ("kind", "char", "name", "str", "num", "itemsize", "alignment", "byteorder", "isnative", "type")
_WARNING: Final = ("smallest_subnormal",)
"""Limits that NumPy may warn of when they are asked for."""

_UNKNOWN: Final = Declined("it is no operation that is followed")


def dtype_of(argument: Argument) -> DType | None:
    """The argument itself, if it is a claimed dtype."""
    return canonical(argument) if isinstance(argument, np.dtype) else None


def answer_about_dtypes(operation: Operation) -> Answer:
    """An attribute of a dtype, or whether it equals something that names one."""
    args = operation.args
    if operation.kind is Kind.ATTRIBUTE and operation.target in _ATTRIBUTES and len(args) == 1:
        dtype = dtype_of(args[0])
        return _UNKNOWN if dtype is None else Static(getattr(dtype, str(operation.target)))
    if operation.kind is not Kind.CALL or len(args) != 2 or operation.kwargs:
        return _UNKNOWN
    left, right = args
    if operation.target not in (operator.eq, operator.ne) or not (_is_name(left) and _is_name(right)):
        return _UNKNOWN
    try:
        equal = bool(left == right)
    except TypeError:  # a string that names no dtype
        return _UNKNOWN
    return Static(equal if operation.target is operator.eq else not equal)


def _is_name(argument: Argument) -> bool:
    """Whether comparing it with a dtype is NumPy's own affair."""
    if isinstance(argument, type) and type(argument) is type:
        return argument in SCALAR_TYPES or argument in (bool, int, float, complex)
    return type(argument) is str or dtype_of(argument) is not None


def limits(operation: Operation) -> Answer:
    """`numpy.finfo(dtype)`, `numpy.iinfo(dtype)`."""
    dtype = dtype_argument(operation.args[0]) if len(operation.args) == 1 and not operation.kwargs else None
    kinds, kind = ("fc", np.finfo) if operation.target is np.finfo else ("iu", np.iinfo)
    if dtype is None or dtype.kind not in kinds:
        return Declined("the limits of such numbers are not followed")
    return result(LimitsSpec(kind, dtype))


def answer_about_part(operation: Operation) -> Answer:
    """An attribute of a `finfo` or `iinfo`, or of a named tuple of results."""
    owner = operation.args[0]
    spec = owner.spec if isinstance(owner, Traced) else None
    name = str(operation.target)
    if operation.kind is not Kind.ATTRIBUTE or name in _WARNING:
        return _UNKNOWN
    if isinstance(spec, TupleSpec):
        fields: tuple[str, ...] = getattr(spec.type, "_fields", ())
        return result(spec.items[fields.index(name)], foreign=False) if name in fields else _UNKNOWN
    found: object = getattr(_limits_of(spec), name, None) if isinstance(spec, LimitsSpec) else None
    if type(found) is int or type(found) is str:
        return Static(found)
    described = describe(found)
    return result(described) if isinstance(described, ScalarSpec) else _UNKNOWN


def _limits_of(spec: LimitsSpec) -> object:
    return spec.type(spec.dtype)
