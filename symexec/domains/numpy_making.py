"""Making arrays of constants, of numbers and of other arrays, and NumPy scalars."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from symexec.domains import numpy_shapes
from symexec.domains.numpy_elementwise import operand
from symexec.domains.numpy_rules import Bound, Rule, Signature, Typed, sampled, shape_of, signature
from symexec.domains.numpy_specs import ArraySpec, ScalarSpec, Shape
from symexec.domains.numpy_stand_in import Operation, StandIns
from symexec.domains.numpy_values import canonical, dtype_argument, result
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.domain import Answer, Declined
from symexec.values.graph import Argument
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

_FLOAT: Final[DType] = np.dtype(np.float64)
_INTEGER: Final[DType] = np.dtype(np.int_)


def _wanted(bound: Bound) -> Shape | None:
    return numpy_shapes.as_shape(bound.get("shape"))


def _filled(bound: Bound) -> Shape | None:
    shape, value = _wanted(bound), bound.shape("fill_value")
    return shape if shape is not None and value is not None and numpy_shapes.broadcast(shape, value) == shape else None


def _like(bound: Bound) -> Shape | None:
    shape = bound.get("shape")
    if isinstance(bound.first, Traced):
        return bound.shape() if shape is None else numpy_shapes.as_shape(shape)
    return None


def _filled_like(bound: Bound) -> Shape | None:
    shape, value = _like(bound), bound.shape("fill_value")
    return shape if shape is not None and value is not None and numpy_shapes.broadcast(shape, value) == shape else None


def _square(bound: Bound) -> Shape | None:
    """`eye`, `identity` and `tri`."""
    rows = bound.get("N", bound.get("n"))
    columns = bound.get("M")
    return numpy_shapes.as_shape((rows, rows if columns is None else columns))


def _counted(bound: Bound) -> Shape | None:
    """`arange` of exact numbers, by `_calc_length` in numpy/_core/src/multiarray/ctors.c."""
    start, stop, step = bound.get("start"), bound.get("stop"), bound.get("step", 1)
    if stop is None:
        start, stop = 0, start
    start = 0 if start is None else start
    numbers = [x for x in (start, stop, step) if isinstance(x, (int, float)) and type(x) in (int, float)]
    if len(numbers) < 3 or not step or not all(math.isfinite(x) for x in numbers):
        return None
    length = (numbers[1] - numbers[0]) / numbers[2]
    return (max(0, math.ceil(length)),) if length < 2**53 else None


def _counted_dtype(bound: Bound) -> DType | None:
    if bound.get("dtype") is not None:
        return dtype_argument(bound.get("dtype"))
    given = [bound.get(name) for name in ("start", "stop", "step")]
    if any(type(number) is float for number in given):
        return _FLOAT
    return _INTEGER if all(abs(number) < 2**62 for number in given if isinstance(number, int)) else None


def _given(default: Callable[[Bound], DType | None]) -> Callable[[Bound], DType | None]:
    """The argument `dtype`, or else what `default` tells."""

    def dtype(bound: Bound) -> DType | None:
        wanted = bound.get("dtype")
        return default(bound) if wanted is None else dtype_argument(wanted)

    return dtype


def _fill_dtype(bound: Bound) -> DType | None:
    """The dtype that `full` takes from what it fills with."""
    value = bound.get("fill_value")
    if isinstance(value, Traced):
        if isinstance(value.spec, PythonScalar):
            return None if value.spec.type is int else canonical(np.dtype(value.spec.type))
        return bound.dtype("fill_value")
    if shape_of(value) is None:
        return None
    return canonical(np.asarray(value).dtype)


def _element_dtype(bound: Bound) -> DType | None:
    """The dtype that NumPy finds for nested lists."""
    if isinstance(bound.first, Traced) and not isinstance(bound.first.spec, PythonScalar):
        return bound.dtype()
    if _has_integer(bound.first):
        return None
    return canonical(np.asarray(StandIns("small").of(bound.first)).dtype)


def _has_integer(argument: Argument) -> bool:
    """Whether a traced Python integer is in it: its size would decide the dtype."""
    if isinstance(argument, (tuple, list)):
        return any(_has_integer(item) for item in argument)
    return isinstance(argument, Traced) and isinstance(argument.spec, PythonScalar) and argument.spec.type is int


def _convert(operation: Operation) -> Answer:
    """`numpy.float32(x)`: of an array of any dimensions an array, else a scalar."""
    dtype = dtype_argument(operation.target)
    argument = operation.args[0] if len(operation.args) == 1 and not operation.kwargs else None
    known = operand(argument)
    if dtype is None or known is None:
        return Declined("a NumPy scalar is made of something that is neither an array nor a number")
    return result(ArraySpec(dtype, known.shape) if known.shape else ScalarSpec(dtype))


@attrs.frozen
class Spaced:
    """`linspace` and its kin: the number of points is a constant, the ends may be traced."""

    signature: Signature

    def __call__(self, operation: Operation) -> Answer:
        """The answer: on stand-ins with two points, whatever their number."""
        bound = self.signature.bind(operation)
        shape = None if bound is None else _spaced(bound)
        if bound is None or shape is None:
            return Declined("its ends are not numbers, or the number of points is not a constant")
        ends = (bound.get("start"), bound.get("stop"))
        rest = [(name, bound.get(name)) for name in ("endpoint", "base", "dtype", "axis") if bound.has(name)]
        two = Operation(operation.kind, operation.target, ends, (("num", 2), *rest))
        found = (
            Declined("the size of a Python integer decides") if _has_integer(ends) else sampled(two, StandIns("small"))
        )
        if isinstance(found, ArraySpec):
            return result(ArraySpec(found.dtype, shape))
        return found if isinstance(found, Declined) else Declined("its result is not an array")


def _spaced(bound: Bound) -> Shape | None:
    number, start, stop = bound.get("num", 50), bound.shape("start"), bound.shape("stop")
    ends = None if start is None or stop is None else numpy_shapes.broadcast(start, stop)
    if ends is None or type(number) is not int or number < 0:
        return None
    axis = numpy_shapes.axis_index(bound.get("axis", 0), len(ends) + 1)
    return None if axis is None else (*ends[:axis], number, *ends[axis:])


FUNCTIONS: Final[dict[str, Rule]] = {
    "zeros": Typed(signature("shape dtype order"), _wanted, _given(lambda _: _FLOAT)),
    "ones": Typed(signature("shape dtype order"), _wanted, _given(lambda _: _FLOAT)),
    "full": Typed(signature("shape fill_value* dtype order"), _filled, _given(_fill_dtype)),
    "eye": Typed(signature("N M k dtype order"), _square, _given(lambda _: _FLOAT)),
    "identity": Typed(signature("n dtype"), _square, _given(lambda _: _FLOAT)),
    "tri": Typed(signature("N M k dtype"), _square, _given(lambda _: _FLOAT)),
    "zeros_like": Typed(signature("a* dtype order subok shape"), _like, _given(Bound.dtype)),
    "ones_like": Typed(signature("a* dtype order subok shape"), _like, _given(Bound.dtype)),
    "full_like": Typed(signature("a* fill_value* dtype order subok shape"), _filled_like, _given(Bound.dtype)),
    "arange": Typed(signature("start stop step dtype"), _counted, _counted_dtype),
    "array": Typed(signature("object* dtype copy order !subok !ndmin"), Bound.shape, _given(_element_dtype)),
    **dict.fromkeys(
        ("asarray", "asanyarray"), Typed(signature("a* dtype order copy"), Bound.shape, _given(_element_dtype))
    ),
    "linspace": Spaced(signature("start* stop* num endpoint !retstep dtype axis")),
    "logspace": Spaced(signature("start* stop* num endpoint base dtype axis")),
    "geomspace": Spaced(signature("start* stop* num endpoint dtype axis")),
}
"""By name in NumPy's namespace."""

CONVERSION: Final[Rule] = _convert
"""The rule of every scalar type that is called."""
