"""Products, Einstein summation, linear algebra and Fourier transforms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from symexec.domains import numpy_shapes
from symexec.domains.numpy_rules import LARGEST, Bound, Rule, Shaped, Typed, sampled, signature
from symexec.domains.numpy_specs import ArraySpec, ScalarSpec, Shape
from symexec.domains.numpy_stand_in import Operation, StandIns
from symexec.domains.numpy_values import canonical, result
from symexec.values.domain import Answer, Declined
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

_Pair = Callable[[Shape, Shape], "Shape | None"]


def _of_two(rule: _Pair, first: str = "a", second: str = "b") -> Callable[[Bound], Shape | None]:
    """A rule of the shapes of two operands."""

    def shape(bound: Bound) -> Shape | None:
        left, right = bound.shape(first), bound.shape(second)
        return None if left is None or right is None else rule(left, right)

    return shape


def _inner(left: Shape, right: Shape) -> Shape | None:
    if not left or not right:
        return left or right
    return left[:-1] + right[:-1] if left[-1] == right[-1] else None


def _outer(left: Shape, right: Shape) -> Shape | None:
    return math.prod(left), math.prod(right)


def _vector_product(left: Shape, right: Shape) -> Shape | None:
    return () if math.prod(left) == math.prod(right) else None


def _kronecker(left: Shape, right: Shape) -> Shape | None:
    ndim = max(len(left), len(right))
    padded = ((1,) * (ndim - len(left)) + left, (1,) * (ndim - len(right)) + right)
    return tuple(a * b for a, b in zip(*padded, strict=True))


def _cross(left: Shape, right: Shape) -> Shape | None:
    """Of vectors in space only: those in the plane are deprecated."""
    return numpy_shapes.broadcast(left, right) if left[-1:] == right[-1:] == (3,) else None


def _promoted(bound: Bound) -> DType | None:
    left, right = bound.dtype("a"), bound.dtype("b")
    return None if left is None or right is None else canonical(np.promote_types(left, right))


def _solved(left: Shape, right: Shape) -> Shape | None:
    if len(left) < 2 or left[-1] != left[-2] or not right:
        return None
    if len(right) == 1:
        return left[:-1] if right[0] == left[-1] else None
    stack = numpy_shapes.broadcast(left[:-2], right[:-2])
    return None if stack is None or right[-2] != left[-1] else stack + right[-2:]


def _contracted(bound: Bound) -> Shape | None:
    left, right = bound.shape("a"), bound.shape("b")
    return None if left is None or right is None else numpy_shapes.contracted(left, right, bound.get("axes", 2))


def _square(bound: Bound) -> Shape | None:
    shape = bound.shape()
    return shape if shape is not None and len(shape) > 1 and shape[-1] == shape[-2] else None


def _of_square(rule: Callable[[Shape], Shape | list[Shape]]) -> Callable[[Bound], Shape | list[Shape] | None]:
    """A rule of the shape of a stack of square matrices."""

    def shape(bound: Bound) -> Shape | list[Shape] | None:
        found = _square(bound)
        return None if found is None else rule(found)

    return shape


def _traced_axes(bound: Bound) -> Shape | None:
    """What `trace` leaves."""
    shape = bound.shape()
    axes = (bound.get("axis1", 0), bound.get("axis2", 1))
    return None if shape is None else numpy_shapes.reduced(shape, axes, keepdims=False)


def _inverted(bound: Bound) -> Shape | None:
    """`pinv`."""
    shape = bound.shape()
    return None if shape is None or len(shape) < 2 else (*shape[:-2], shape[-1], shape[-2])


def _singular(bound: Bound) -> Shape | list[Shape] | None:
    """`svd`."""
    shape = bound.shape()
    if shape is None or len(shape) < 2:
        return None
    stack, rows, columns = shape[:-2], shape[-2], shape[-1]
    least = min(rows, columns)
    if bound.get("compute_uv", True) is False:
        return (*stack, least)
    whole = bound.get("full_matrices", True) is True
    left, right = (rows, columns) if whole else (least, least)
    return [(*stack, rows, left), (*stack, least), (*stack, right, columns)]


def _orthogonal(bound: Bound) -> Shape | list[Shape] | None:
    """`qr`."""
    shape = bound.shape()
    if shape is None or len(shape) < 2 or bound.get("mode", "reduced") != "reduced":
        return None
    stack, rows, columns = shape[:-2], shape[-2], shape[-1]
    return [(*stack, rows, min(rows, columns)), (*stack, min(rows, columns), columns)]


def _transformed(length: Callable[[int], int]) -> Callable[[Bound], Shape | None]:
    """A Fourier transform along one axis: `length` of the output by the length of the input."""

    def shape(bound: Bound) -> Shape | None:
        found, wanted = bound.shape(), bound.get("n")
        axis = None if found is None else numpy_shapes.axis_index(bound.get("axis", -1), len(found))
        if found is None or axis is None:
            return None
        size = length(found[axis]) if wanted is None else wanted
        small = wanted is None or (type(wanted) is int and wanted <= LARGEST)  # it is tried at trace time
        return (*found[:axis], size, *found[axis + 1 :]) if small and type(size) is int and size > 0 else None

    return shape


def _half(bound: Bound) -> Shape | None:
    """`rfft`."""
    found = _transformed(lambda size: size)(bound)
    if found is None:
        return None
    axis = numpy_shapes.axis_index(bound.get("axis", -1), len(found)) or 0
    return (*found[:axis], found[axis] // 2 + 1, *found[axis + 1 :])


def _transformed_all(bound: Bound) -> Shape | None:
    return bound.shape() if bound.get("s") is None else None


_MOST_LETTERS: Final = 12
"""Letters of an `einsum` that is tried at trace time on two of each."""


_ELLIPSIS: Final = "0123456789"
"""Stand for the dimensions of an ellipsis, the last one last."""


def einsum_shape(subscripts: str, shapes: Sequence[Shape]) -> Shape | None:
    """The shape of `einsum(subscripts, ...)`, `None` for what does not fit."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(shapes) or len(set(inputs)) > _MOST_LETTERS:
        return None
    sizes: dict[str, int] = {}
    widest = ""
    for term, shape in zip(terms, shapes, strict=True):
        wide = _ELLIPSIS[len(_ELLIPSIS) - max(len(shape) - len(term.replace("...", "")), 0) :] if "..." in term else ""
        widest = max(widest, wide, key=len)
        letters = term.replace("...", wide)
        if (
            len(letters) != len(shape)
            or "." in letters
            or len(set(zip(letters, shape, strict=True))) != len(set(letters))
        ):
            return None
        for letter, size in zip(letters, shape, strict=True):
            known = sizes.get(letter, 1)
            if known != size and 1 not in (known, size):
                return None
            sizes[letter] = size if known == 1 else known
    single = (letter for letter in sizes if letter not in _ELLIPSIS and inputs.count(letter) == 1)
    wanted = output.replace("...", widest) if arrow else widest + "".join(sorted(single))
    return tuple(sizes[letter] for letter in wanted) if all(letter in sizes for letter in wanted) else None


def _einsum(operation: Operation) -> Answer:
    """`einsum` with constant subscripts."""
    if any(name != "optimize" for name, _ in operation.kwargs) or not operation.args:
        return Declined("it is called with arguments that are not followed")
    subscripts, *operands = operation.args
    specs = [operand.spec if isinstance(operand, Traced) else None for operand in operands]
    shapes = [spec.shape for spec in specs if isinstance(spec, (ArraySpec, ScalarSpec))]
    if not isinstance(subscripts, str) or len(shapes) != len(operands):
        return Declined("its subscripts are not a constant string, or an operand is not an array")
    shape = einsum_shape(subscripts, shapes)
    if shape is None:
        return Declined("its subscripts do not fit the operands")
    found = sampled(operation, StandIns("small"))
    if isinstance(found, ScalarSpec) and not shape:
        return result(found)
    if isinstance(found, ArraySpec) and found.ndim == len(shape):
        return result(ArraySpec(found.dtype, shape))
    return found if isinstance(found, Declined) else Declined("its result is not an array")


_TWO: Final[dict[str, tuple[_Pair, str]]] = {
    "dot": (numpy_shapes.dotted, "a* b* !out"),
    "inner": (_inner, "a* b*"),
    "vdot": (_vector_product, "a* b*"),
    "outer": (_outer, "a* b* !out"),
    "kron": (_kronecker, "a* b*"),
    "linalg.solve": (_solved, "a* b*"),
}
_SQUARE: Final[dict[str, tuple[Callable[[Shape], Shape | list[Shape]], str]]] = {
    "linalg.det": (lambda shape: shape[:-2], "a*"),
    "linalg.inv": (lambda shape: shape, "a*"),
    "linalg.cholesky": (lambda shape: shape, "a* upper"),
    "linalg.matrix_power": (lambda shape: shape, "a* n"),
    "linalg.eigvalsh": (lambda shape: shape[:-1], "a* UPLO"),
    "linalg.eigh": (lambda shape: [shape[:-1], shape], "a* UPLO"),
    "linalg.slogdet": (lambda shape: [shape[:-2], shape[:-2]], "a*"),
}
_TRANSFORMS: Final[dict[str, tuple[Callable[[Bound], Shape | None], str]]] = {
    "fft.fft": (_transformed(lambda size: size), "a* n axis norm !out"),
    "fft.ifft": (_transformed(lambda size: size), "a* n axis norm !out"),
    "fft.rfft": (_half, "a* n axis norm !out"),
    "fft.irfft": (_transformed(lambda size: 2 * (size - 1)), "a* n axis norm !out"),
    "fft.fft2": (_transformed_all, "a* s axes norm !out"),
    "fft.ifft2": (_transformed_all, "a* s axes norm !out"),
    "fft.fftn": (_transformed_all, "a* s axes norm !out"),
    "fft.ifftn": (_transformed_all, "a* s axes norm !out"),
}

FUNCTIONS: Final[dict[str, Rule]] = {
    **{name: Shaped(signature(text), _of_two(rule), fill="identity") for name, (rule, text) in _TWO.items()},
    **{name: Shaped(signature(text), _of_square(rule), fill="identity") for name, (rule, text) in _SQUARE.items()},
    **{name: Shaped(signature(text), rule) for name, (rule, text) in _TRANSFORMS.items()},
    "tensordot": Shaped(signature("a* b* axes"), _contracted),
    "einsum": _einsum,
    "cross": Typed(signature("a* b*"), _of_two(_cross), _promoted),
    "trace": Shaped(signature("a* offset axis1 axis2 dtype !out"), _traced_axes),
    "linalg.outer": Shaped(signature("x1* x2*"), _of_two(_outer, "x1", "x2")),
    "linalg.matmul": Shaped(signature("x1* x2*"), _of_two(numpy_shapes.multiplied, "x1", "x2")),
    "linalg.pinv": Shaped(signature("a* rcond hermitian"), _inverted, fill="identity"),
    "linalg.svd": Shaped(signature("a* full_matrices compute_uv hermitian"), _singular, fill="identity"),
    "linalg.qr": Shaped(signature("a* mode"), _orthogonal, fill="identity"),
}
"""By name in NumPy's namespace."""

METHODS: Final[dict[str, Rule]] = {
    "dot": Shaped(signature("a* b* !out"), _of_two(numpy_shapes.dotted), fill="identity"),
    "trace": Shaped(signature("a* offset axis1 axis2 dtype !out"), _traced_axes),
}
"""By name, with the array as the first operand."""
