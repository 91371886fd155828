"""Making arrays, joining, reshaping, repeating and viewing them."""

from __future__ import annotations

import math
from typing import Final

import attrs

from symexec.domains import numpy_shapes
from symexec.domains.numpy_indexing import index_shape
from symexec.domains.numpy_rules import Bound, Rule, Shaped, Signature, Typed, Viewed, signature
from symexec.domains.numpy_specs import ArraySpec, ScalarSpec, Shape
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import dtype_argument, result
from symexec.values.domain import Answer, Declined
from symexec.values.graph import Argument
from symexec.values.model import Traced

# -- joining ---------------------------------------------------------------------------------------------------


def _at_least(shape: Shape, ndim: int) -> Shape:
    """What `atleast_2d` and `atleast_3d` make of a shape: a vector becomes a row."""
    if ndim == 3 and len(shape) == 2:
        return (*shape, 1)
    if ndim == 3 and len(shape) < 2:
        return (1, *(shape or (1,)), 1)
    return (1,) * (ndim - len(shape)) + shape


def _concatenated(bound: Bound) -> Shape | None:
    shapes = bound.shapes()
    return None if shapes is None else numpy_shapes.concatenated(shapes, bound.get("axis", 0))


def _stacked(bound: Bound) -> Shape | None:
    shapes = bound.shapes()
    return None if shapes is None else numpy_shapes.stacked(shapes, bound.get("axis", 0))


def _piled(bound: Bound) -> Shape | None:
    """`vstack`."""
    shapes = bound.shapes()
    return None if shapes is None else numpy_shapes.concatenated([_at_least(shape, 2) for shape in shapes], 0)


def _lined_up(bound: Bound) -> Shape | None:
    """`hstack`."""
    shapes = bound.shapes()
    if not shapes:
        return None
    at_least = [shape or (1,) for shape in shapes]
    return numpy_shapes.concatenated(at_least, 0 if len(at_least[0]) == 1 else 1)


def _layered(bound: Bound) -> Shape | None:
    """`dstack`."""
    shapes = bound.shapes()
    return None if shapes is None else numpy_shapes.concatenated([_at_least(shape, 3) for shape in shapes], 2)


def _columns(bound: Bound) -> Shape | None:
    """`column_stack`."""
    shapes = bound.shapes()
    if shapes is None:
        return None
    return numpy_shapes.concatenated([shape if len(shape) > 1 else (math.prod(shape), 1) for shape in shapes], 1)


def _appended(bound: Bound) -> Shape | None:
    shape, values = bound.shape(), bound.shape("values")
    return None if shape is None or values is None else numpy_shapes.concatenated([shape, values], bound.get("axis"))


# -- repeating and taking --------------------------------------------------------------------------------------


def _tiled(bound: Bound) -> Shape | None:
    shape, times = bound.shape(), numpy_shapes.as_shape(bound.get("reps"))
    if shape is None or times is None:
        return None
    ndim = max(len(shape), len(times))
    padded = (1,) * (ndim - len(shape)) + shape
    return tuple(a * b for a, b in zip(padded, (1,) * (ndim - len(times)) + times, strict=True))


def _repeated(bound: Bound) -> Shape | None:
    shape, times = bound.shape(), bound.get("repeats")
    if shape is None or type(times) is not int or times < 0:
        return None
    if bound.get("axis") is None:
        shape = numpy_shapes.flattened(shape)
    axis = numpy_shapes.axis_index(bound.get("axis") or 0, len(shape))
    return None if axis is None else (*shape[:axis], shape[axis] * times, *shape[axis + 1 :])


def _padded(bound: Bound) -> Shape | None:
    shape, width = bound.shape(), bound.get("pad_width")
    if shape is None or not isinstance(bound.get("mode", "constant"), str):
        return None
    pairs = _pairs(width, len(shape))
    return None if pairs is None else tuple(size + a + b for size, (a, b) in zip(shape, pairs, strict=True))


def _pairs(width: Argument, ndim: int) -> list[tuple[int, int]] | None:
    """One pair of non-negative integers for each dimension."""
    if type(width) is int:
        return [(width, width)] * ndim if width >= 0 else None
    if not isinstance(width, (tuple, list)):
        return None
    if all(type(item) is int for item in width):
        pair = numpy_shapes.as_shape(width)
        return [(pair[0], pair[1])] * ndim if pair is not None and len(pair) == 2 else None
    pairs = [pair for item in width if (pair := numpy_shapes.as_shape(item)) is not None and len(pair) == 2]
    return [(a, b) for a, b in pairs] if len(pairs) == len(width) == ndim else None


def _taken(bound: Bound) -> Shape | None:
    shape, indices = bound.shape(), bound.get("indices")
    wanted = bound.shape("indices") if isinstance(indices, Traced) else index_shape(indices)
    if shape is None or wanted is None or not _are_indices(indices):
        return None
    if bound.get("axis") is None:
        return wanted if math.prod(shape) else None
    axis = numpy_shapes.axis_index(bound.get("axis"), len(shape))
    return None if axis is None or not shape[axis] else (*shape[:axis], *wanted, *shape[axis + 1 :])


def _taken_along(bound: Bound) -> Shape | None:
    shape, wanted = bound.shape(), bound.shape("indices")
    if shape is None or wanted is None or len(wanted) != len(shape) or not _are_indices(bound.get("indices")):
        return None
    axis = numpy_shapes.axis_index(bound.get("axis", -1), len(shape))
    if axis is None:
        return None
    common = numpy_shapes.broadcast(shape[:axis] + shape[axis + 1 :], wanted[:axis] + wanted[axis + 1 :])
    return None if common is None else (*common[:axis], wanted[axis], *common[axis:])


def _are_indices(argument: Argument) -> bool:
    if not isinstance(argument, Traced):
        return True
    spec = argument.spec
    return spec.dtype.kind in "iu" if isinstance(spec, (ArraySpec, ScalarSpec)) else False


# -- reshaping -------------------------------------------------------------------------------------------------


def _reshaped(bound: Bound) -> Shape | None:
    shape = bound.shape()
    return None if shape is None else numpy_shapes.reshaped(shape, bound.get("shape"))


def _reshaped_method(bound: Bound) -> Shape | None:
    """`x.reshape(2, 3)` as well as `x.reshape((2, 3))`."""
    sizes = [bound.get(name) for name in _SIZES.split() if bound.has(name)]
    shape = bound.shape()
    if shape is None or not sizes:
        return None
    return numpy_shapes.reshaped(shape, sizes[0] if len(sizes) == 1 else sizes)


def _flattened(bound: Bound) -> Shape | None:
    shape = bound.shape()
    return None if shape is None else numpy_shapes.flattened(shape)


def _triangular(bound: Bound) -> Shape | None:
    shape = bound.shape()
    if shape is None or not shape:
        return None
    return shape if len(shape) > 1 else shape * 2


def _diagonal(bound: Bound) -> Shape | None:
    """`diag`: of a vector a square, of a square the diagonal."""
    shape, offset = bound.shape(), bound.get("k", 0)
    if shape is None or type(offset) is not int:
        return None
    if len(shape) == 1:
        return (shape[0] + abs(offset),) * 2
    if len(shape) != 2:
        return None
    return (max(0, min(shape[0] + min(offset, 0), shape[1] - max(offset, 0))),)


# -- converting --------------------------------------------------------------------------------------------------


@attrs.frozen
class Converted:
    """`x.astype(dtype)`: of a scalar a scalar."""

    signature: Signature

    def __call__(self, operation: Operation) -> Answer:
        """The answer; NumPy itself is not asked, since it may warn."""
        bound = self.signature.bind(operation)
        dtype = None if bound is None else dtype_argument(bound.get("dtype"))
        spec = bound.first.spec if bound is not None and isinstance(bound.first, Traced) else None
        if dtype is None or not isinstance(spec, (ArraySpec, ScalarSpec)):
            return Declined("the dtype it converts to is not followed")
        return result(ScalarSpec(dtype) if isinstance(spec, ScalarSpec) else ArraySpec(dtype, spec.shape))


# -- tables ----------------------------------------------------------------------------------------------------

_SIZES: Final = " ".join(f"size{number}" for number in range(12))
_VIEWS: Final = {
    "transpose,permute_dims": "a* axes",
    "swapaxes": "a* axis1 axis2",
    "moveaxis": "a* source destination",
    "rollaxis": "a* axis start",
    "expand_dims,squeeze": "a* axis",
    "broadcast_to": "array* shape !subok",
    "flip": "m* axis",
    "fliplr,flipud": "m*",
    "rot90": "m* k axes",
    "diagonal": "a* offset axis1 axis2",
    "matrix_transpose,linalg.matrix_transpose": "x*",
    "linalg.diagonal": "x* offset",
    "atleast_1d,atleast_2d,atleast_3d,broadcast_arrays": "a* b* c* d* e* f*",
}
_JOINED: Final = {
    "concatenate,concat": (_concatenated, "arrays* axis !out dtype casting"),
    "stack": (_stacked, "arrays* axis !out dtype casting"),
    "vstack": (_piled, "tup* dtype casting"),
    "hstack": (_lined_up, "tup* dtype casting"),
    "dstack": (_layered, "tup*"),
    "column_stack": (_columns, "tup*"),
    "append": (_appended, "arr* values* axis"),
    "take": (_taken, "a* indices* axis !out mode"),
    "take_along_axis": (_taken_along, "arr* indices* axis"),
    "tril,triu": (_triangular, "m* k"),
}


def _functions() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for names, text in _VIEWS.items():
        found.update(dict.fromkeys(names.split(","), Viewed(signature(text))))
    for names, (rule, text) in _JOINED.items():
        shaped = Shaped(signature(text), rule, fill="zeros")
        found.update(dict.fromkeys(names.split(","), shaped))
    return found


FUNCTIONS: Final[dict[str, Rule]] = {
    **_functions(),
    "reshape": Typed(signature("a* shape order !newshape copy"), _reshaped, Bound.dtype),
    "ravel": Typed(signature("a* order"), _flattened, Bound.dtype),
    "tile": Typed(signature("A* reps"), _tiled, Bound.dtype),
    "repeat": Typed(signature("a* repeats axis"), _repeated, Bound.dtype),
    "pad": Typed(signature("array* pad_width mode constant_values"), _padded, Bound.dtype),
    "diag": Typed(signature("v* k"), _diagonal, Bound.dtype),
    "astype": Converted(signature("x* dtype copy")),
}
"""By name in NumPy's namespace."""

METHODS: Final[dict[str, Rule]] = {
    "reshape": Typed(signature(f"a* {_SIZES} order copy"), _reshaped_method, Bound.dtype),
    "ravel": Typed(signature("a* order"), _flattened, Bound.dtype),
    "flatten": Typed(signature("a* order"), _flattened, Bound.dtype),
    "repeat": Typed(signature("a* repeats axis"), _repeated, Bound.dtype),
    "take": Shaped(signature("a* indices* axis !out mode"), _taken, fill="zeros"),
    "transpose": Viewed(signature(f"a* {_SIZES}"), foreign=False),
    "swapaxes": Viewed(signature("a* axis1 axis2"), foreign=False),
    "squeeze": Viewed(signature("a* axis"), foreign=False),
    "diagonal": Viewed(signature("a* offset axis1 axis2"), foreign=False),
    "astype": Converted(signature("a* dtype order casting subok copy")),
}
"""By name, with the array as the first operand."""
