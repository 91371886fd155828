"""NumPy arrays and scalars as traced values.

NumPy itself is imported when the domain is made, not before.  Only specs are consulted: type, dtype and shape; never
data, and never memory layout, so nothing that shows layout (`strides`, `flags`) is answered.  The operations that are
recorded run at run time as they are written, so views are views and copies are copies.
"""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from symexec.domains.numpy_specs import ArraySpec, LimitsSpec, NumPySpec, ScalarSpec, TupleSpec
from symexec.errors import ArgumentError, InternalError, MissingExtraError
from symexec.values.domain import Answer, Request
from symexec.values.guard import Check, Equals, Is, TypeIs
from symexec.values.origin import Attribute, Origin

if TYPE_CHECKING:
    from symexec.domains.numpy_answers import Answers

__all__ = ["ArraySpec", "NumPyDomain", "ScalarSpec", "TupleSpec"]


class NumPyDomain:
    """Exact `numpy.ndarray`s and scalars of numbers and bools, in native byte order; no subclasses, no objects.

    A result may be one of its operands itself (`numpy.asarray(x)`), or a view of one.
    """

    name: Final = "numpy"

    def __init__(self) -> None:
        try:
            import numpy
        except ImportError as error:
            raise MissingExtraError("NumPyDomain needs NumPy 2.0 or later: install symexec[numpy]") from error
        if int(numpy.__version__.split(".")[0]) < 2:
            raise MissingExtraError(f"NumPyDomain needs NumPy 2.0 or later, not {numpy.__version__}: symexec[numpy]")
        # It imports NumPy at its top, so it waits until somebody wants a domain.
        self._answers: Answers = importlib.import_module("symexec.domains.numpy_answers").Answers()

    def array(self, dtype: object, shape: tuple[int, ...]) -> ArraySpec:
        """The spec of an array, for `symbol(name, spec)`: `array("float32", (4,))`."""
        found = self._answers.dtype(dtype)
        if found is None:
            raise ArgumentError(f"{dtype!r} does not name a dtype of numbers or bools in native byte order")
        if type(shape) is not tuple or any(type(length) is not int or length < 0 for length in shape):
            raise ArgumentError(f"{shape!r} is no shape: give a tuple of ints from 0 on; each trace is for one shape")
        return ArraySpec(found, shape)

    def scalar(self, dtype: object) -> ScalarSpec:
        """The spec of a NumPy scalar, likewise."""
        return ScalarSpec(self.array(dtype, ()).dtype)

    def claims(self, value: object) -> bool:
        """Whether `value` is an array or scalar of this domain."""
        return self._answers.described(value) is not None

    def describe(self, value: object) -> Hashable:
        """Its dtype and, of an array, its shape."""
        return self._answers.described(value)

    def owns(self, spec: Hashable) -> bool:
        """Whether `spec` describes an array or scalar."""
        return isinstance(spec, (ArraySpec, ScalarSpec)) and self._answers.dtype(spec.dtype) is spec.dtype

    def type_of(self, spec: Hashable) -> type:
        """The exact type of what `spec` describes."""
        return self._answers.type_of(_own(spec))

    def guards(self, origin: Origin, spec: Hashable) -> Sequence[tuple[Origin, Check]]:
        """Type; then, for an array, the dtype object (or all that counts about it) and the shape."""
        exact: tuple[Origin, Check] = (origin, TypeIs(self.type_of(spec)))
        match own := _own(spec):
            case ScalarSpec():
                return [exact]
            case ArraySpec(shape=shape):
                return [exact, *_dtype_guards(origin, own), (Attribute(origin, "shape"), Equals(shape, typed=False))]
            case TupleSpec() | LimitsSpec():
                raise InternalError(f"{spec} describes a result only: such objects are not claimed")

    def handles(self, target: object) -> bool:
        """Whether `target` is a function, a scalar type or a dtype of NumPy's that the domain knows."""
        return self._answers.knows(target)

    def apply(self, request: Request) -> Answer:
        """What the operation gives, by rule; else by NumPy's own answer on private arrays of ones."""
        return self._answers.answer(request)


def _dtype_guards(origin: Origin, spec: ArraySpec) -> list[tuple[Origin, Check]]:
    dtype = Attribute(origin, "dtype")
    if spec.singleton:
        return [(dtype, Is(spec.dtype))]
    return [
        (Attribute(dtype, "char"), Equals(spec.dtype.char, typed=False)),
        (Attribute(dtype, "isnative"), Is(True)),
        (Attribute(dtype, "metadata"), Is(None)),
    ]


def _own(spec: Hashable) -> NumPySpec:
    if isinstance(spec, (ArraySpec, ScalarSpec, TupleSpec, LimitsSpec)):
        return spec
    raise InternalError(f"{spec!r} does not describe a NumPy value")
