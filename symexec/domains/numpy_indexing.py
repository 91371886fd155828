"""`x[key]`: views, elements and integer index arrays, whose shapes follow from shapes; masks depend on data."""

from __future__ import annotations

from typing import Final

import numpy as np

from symexec.domains import numpy_shapes
from symexec.domains.numpy_shapes import IndexArray, IndexPart
from symexec.domains.numpy_specs import ArraySpec, NumPySpec, ScalarSpec, Shape, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import SCALAR_TYPES, result
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.domain import Answer, Declined
from symexec.values.graph import Argument
from symexec.values.model import Traced

_MASK: Final = Declined(
    "the shape of an array indexed by a mask depends on the mask's data", "numpy.where(mask, x, y) has a fixed shape"
)
_BOUND: Final = Declined("the shape of a slice with a computed bound depends on data")
_KEY: Final = Declined("an index of this kind is not followed")


def get_item(operation: Operation) -> Answer:
    """`owner[key]`."""
    if len(operation.args) != 2 or operation.kwargs:
        return _KEY
    owner, key = operation.args
    if not isinstance(owner, Traced):
        return Declined("a container of Python objects is indexed by a traced number")
    if isinstance(owner.spec, TupleSpec):
        return _tuple_item(owner.spec, key)
    if not isinstance(owner.spec, (ArraySpec, ScalarSpec)):
        return _KEY
    parts: list[IndexPart] = []
    for item in key if isinstance(key, tuple) else (key,):
        part = _part(item)
        if isinstance(part, Declined):
            return part
        parts.append(part)
    shape = numpy_shapes.indexed(owner.spec.shape, parts)
    if shape is None:
        return Declined("the index does not fit the shape")
    element = not shape and ... not in [part for part in parts if not isinstance(part, IndexArray)]
    spec: NumPySpec = ScalarSpec(owner.spec.dtype) if element else ArraySpec(owner.spec.dtype, shape)
    return result(spec, foreign=any(isinstance(part, IndexArray) for part in parts))


def _tuple_item(spec: TupleSpec, key: Argument) -> Answer:
    if type(key) is int and -len(spec.items) <= key < len(spec.items):
        return result(spec.items[key], foreign=False)
    return _KEY


def _part(item: Argument) -> IndexPart | Declined:
    """What `item` means as one part of an index."""
    kind = type(item)
    if isinstance(item, Traced):
        return _traced_part(item)
    if item is None or item is ...:
        return item if item is None else ...
    if isinstance(item, int) and kind is int:
        return item
    if isinstance(item, np.integer) and kind in SCALAR_TYPES:
        return int(item)
    if isinstance(item, slice):
        bounds = (item.start, item.stop, item.step)
        return item if all(bound is None or type(bound) is int for bound in bounds) else _BOUND
    if isinstance(item, (list, tuple)):
        shape = index_shape(item)
        return _KEY if shape is None else IndexArray(shape)
    return _MASK if kind is bool else _KEY


def _traced_part(item: Traced) -> IndexPart | Declined:
    match item.spec:
        case ScalarSpec(dtype=dtype) if dtype.kind in "iu":
            return 0
        case PythonScalar(type=number) if number is int:
            return 0
        case ArraySpec(dtype=dtype, shape=shape) if dtype.kind in "iu" and shape:
            return IndexArray(shape)
        case ArraySpec(dtype=dtype) if dtype.kind == "b":
            return _MASK
        case _:
            return _KEY


def index_shape(items: Argument) -> Shape | None:
    """The shape of nested lists or tuples of exact integers, `None` if they are ragged, empty or hold anything else."""
    if type(items) is int:
        return ()
    if not isinstance(items, (list, tuple)) or not items:
        return None
    shapes = {index_shape(item) for item in items}
    inner = shapes.pop()
    return None if shapes or inner is None else (len(items), *inner)
