"""How NumPy values are described: by exact type, dtype and shape, never by data or memory layout.

Imports no NumPy, so that it can be imported where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import attrs
from typing_extensions import override

if TYPE_CHECKING:
    import numpy

    DType: TypeAlias = numpy.dtype[numpy.generic[object]]

Shape: TypeAlias = tuple[int, ...]


@attrs.frozen(cache_hash=True)
class ArraySpec:
    """An exact `numpy.ndarray`.

    `dtype` is one of NumPy's own singletons, compared by identity.  With `singleton` false the array has, or may have,
    an equal dtype object of its own, as unpickled arrays do.
    """

    dtype: DType = attrs.field(eq=id)
    shape: Shape
    singleton: bool = True

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @override
    def __str__(self) -> str:
        return f"{self.dtype.name}[{', '.join(map(str, self.shape))}]"


@attrs.frozen(cache_hash=True)
class ScalarSpec:
    """A NumPy scalar: of the exact type `dtype.type`."""

    dtype: DType = attrs.field(eq=id)

    @property
    def shape(self) -> Shape:
        """What `value.shape` gives: a scalar has no dimensions."""
        return ()

    @property
    def ndim(self) -> int:
        """The number of dimensions: none."""
        return 0

    @override
    def __str__(self) -> str:
        return self.dtype.name


@attrs.frozen(cache_hash=True)
class TupleSpec:
    """A tuple of results (`divmod(x, y)`), or a named tuple of them (`numpy.linalg.eigh(x)`), of exact type `type`."""

    type: type = attrs.field(eq=id)
    items: tuple[NumPySpec, ...]

    @override
    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@attrs.frozen(cache_hash=True)
class LimitsSpec:
    """A `numpy.finfo` or `numpy.iinfo` of a dtype."""

    type: type = attrs.field(eq=id)
    dtype: DType = attrs.field(eq=id)

    @override
    def __str__(self) -> str:
        return f"{self.type.__name__}({self.dtype.name})"


NumPySpec: TypeAlias = ArraySpec | ScalarSpec | TupleSpec | LimitsSpec
