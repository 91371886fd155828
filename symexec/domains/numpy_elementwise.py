"""Operators and ufuncs: result types by NumPy's own promotion (`ufunc.resolve_dtypes`), shapes by broadcasting.

Where Python's operators differ from the ufunc behind them (powers, complex numbers on the left), the differences are
here.
"""

from __future__ import annotations

import builtins
import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from symexec.domains import numpy_shapes
from symexec.domains.numpy_specs import ArraySpec, NumPySpec, ScalarSpec, Shape, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import SCALAR_TYPES, canonical, dtype_argument, result
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.domain import Answer, Declined
from symexec.values.graph import Argument
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

NOT_AN_OPERAND: Final = Declined("an operand is neither an array, a NumPy scalar nor a Python number")
NOT_BROADCASTABLE: Final = Declined("the shapes of its operands do not fit")
IN_PLACE: Final = Declined(
    "it changes an array in place", "write `x = x + y` instead of `x += y` where nobody else must see the change"
)
_PYTHON_NUMBERS: Final = (int, float, complex)


@attrs.frozen
class Operand:
    """What promotion knows of an operand: a dtype, or the type of a Python number, which is weak; and its shape."""

    dtype: DType | type
    shape: Shape
    array: bool = False
    fits: bool = True  # a Python integer of 64 bits

    @property
    def weak(self) -> bool:
        """Whether it is a Python number, which takes on the kind of dtype that others have."""
        return isinstance(self.dtype, type)


_FLOAT64: Final = np.dtype(np.float64)
_BOOL: Final[Operand] = Operand(np.dtype(bool), ())


def operand(argument: Argument) -> Operand | None:
    """What promotion knows of `argument`, `None` if it is no operand of a ufunc."""
    kind = type(argument)
    if isinstance(argument, Traced):
        match argument.spec:
            case ArraySpec(dtype=dtype, shape=shape):
                return Operand(dtype, shape, array=True)
            case ScalarSpec(dtype=dtype):
                return Operand(dtype, ())
            case PythonScalar(type=number):
                return _BOOL if number is bool else Operand(number, (), fits=number is not int)
            case _:
                return None
    if kind is bool:
        return _BOOL
    if isinstance(argument, int) and kind is int:
        return Operand(int, (), fits=-(2**63) <= argument < 2**63)
    if kind in _PYTHON_NUMBERS:
        return Operand(kind, ())
    return Operand(SCALAR_TYPES[kind], ()) if kind in SCALAR_TYPES else None


def operands_of(arguments: Sequence[Argument]) -> list[Operand] | None:
    """What promotion knows of each, `None` if any is no operand."""
    found = [known for argument in arguments if (known := operand(argument)) is not None]
    return found if len(found) == len(arguments) else None


@attrs.frozen
class Elementwise:
    """A ufunc, or an operator that is one."""

    ufunc: np.ufunc

    def __call__(self, operation: Operation) -> Answer:
        """The answer to a call of the ufunc, of which `dtype` is the only keyword."""
        operands = operands_of(operation.args)
        if operands is None or len(operands) != self.ufunc.nin:
            return NOT_AN_OPERAND
        if all(known.weak for known in operands) and not all(known.fits for known in operands):
            return Declined("the type of its result depends on the size of a Python integer")
        forced: DType | None = None
        for name, value in operation.kwargs:
            forced = dtype_argument(value) if name == "dtype" else None
            if forced is None:
                return Declined(f"its argument {name} is not followed")
        return self.answer(operands, forced)

    def answer(self, operands: Sequence[Operand], forced: DType | None = None) -> Answer:
        """What comes out for these operands, with `dtype=forced` where given."""
        shapes = self._shapes([known.shape for known in operands])
        if shapes is None:
            return NOT_BROADCASTABLE
        outputs = self.ufunc.nout
        given = (*(known.dtype for known in operands), *[None] * outputs)
        try:
            if forced is None:
                resolved = self.ufunc.resolve_dtypes(given)
            else:
                signature = (*[None] * len(operands), *[forced] * outputs)
                resolved = self.ufunc.resolve_dtypes(given, signature=signature)
        except (TypeError, ValueError) as error:
            return Declined(str(error))
        specs = [_spec(dtype, shape) for dtype, shape in zip(resolved[len(operands) :], shapes, strict=True)]
        known = [spec for spec in specs if spec is not None]
        if len(known) != outputs:
            return Declined("a result has a dtype that is not followed")
        return result(known[0] if outputs == 1 else TupleSpec(tuple, tuple(known)))

    def _shapes(self, shapes: Sequence[Shape]) -> list[Shape] | None:
        """The shape of each output."""
        signature = self.ufunc.signature
        if signature is None:
            shape = numpy_shapes.broadcast(*shapes)
        elif self.ufunc is np.matmul:
            shape = numpy_shapes.multiplied(*shapes)
        else:
            shape = numpy_shapes.generalized(_core_dimensions(signature), shapes)
        return None if shape is None else [shape] * self.ufunc.nout


def _spec(dtype: DType, shape: Shape) -> NumPySpec | None:
    found = canonical(dtype)
    if found is None:
        return None
    return ArraySpec(found, shape) if shape else ScalarSpec(found)


def _core_dimensions(signature: str) -> list[list[str]]:
    """`(m,n),(n)->(m)` as the names in each pair of parentheses, those of the output last."""
    return [re.findall(r"\w+", part) for part in re.findall(r"\(([^)]*)\)", signature)]


def _are_powers_typed() -> bool:
    """Whether the type of `array ** scalar` depends on dtypes alone; in old releases it does on the scalar's value."""
    powers = [np.ones(1, np.float32) ** np.float64(value) for value in (0.0, 1.0, 2.0, 0.5, -1.0)]
    return all(power.dtype == np.float64 for power in powers)


_POWERS_ARE_TYPED: Final = _are_powers_typed()


def _power(operation: Operation) -> Answer:
    """`**`: some exponents take another path than the ufunc, of which bools show and, in old releases, more."""
    operands = operands_of(operation.args)
    if operands is None or len(operands) != 2:
        return NOT_AN_OPERAND
    base, exponent = operands
    found = _operator(np.power)(operation)
    if not base.array or exponent.shape or isinstance(found, Declined):
        return found
    if exponent.weak and base.dtype is np.dtype(bool):
        return Declined("the type of a power of bools depends on the exponent")
    if _POWERS_ARE_TYPED or (exponent.weak and base.shape):
        return found
    same = not exponent.weak and found == result(
        ArraySpec(_strong(base), base.shape) if base.shape else ScalarSpec(_strong(base))
    )
    return found if same else Declined("the type of a power with such an exponent depends on the release of NumPy")


def _strong(known: Operand) -> DType:
    return np.dtype(known.dtype)


def _operator(ufunc: np.ufunc) -> Callable[[Operation], Answer]:
    """A binary or unary operator that is `ufunc` but where Python asks its own numbers first."""
    plain = Elementwise(ufunc)

    def answer(operation: Operation) -> Answer:
        operands = operands_of(operation.args)
        if operands is None or len(operands) != ufunc.nin or operation.kwargs:
            return NOT_AN_OPERAND
        if all(known.weak or known is _BOOL for known in operands):
            return Declined("none of the operands is NumPy's")
        if operands[0].dtype is complex and not operands[-1].array and operands[-1].dtype is _FLOAT64:
            return Declined("complex numbers take a numpy.float64 for a float, and give a Python number")
        return plain.answer(operands)

    return answer


def _in_place(rule: Callable[[Operation], Answer]) -> Callable[[Operation], Answer]:
    """`x += y`: for anything but an array the same as `x = x + y`."""

    def answer(operation: Operation) -> Answer:
        first = operation.args[0] if operation.args else None
        if isinstance(first, Traced) and isinstance(first.spec, ArraySpec):
            return IN_PLACE
        return rule(operation)

    return answer


_BINARY: Final[dict[str, np.ufunc]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "matmul": np.matmul,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
}
_OTHER: Final[dict[str, np.ufunc]] = {
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "neg": np.negative,
    "pos": np.positive,
    "invert": np.invert,
    "abs": np.absolute,
}


def operators() -> dict[object, Callable[[Operation], Answer]]:
    """The rule of each operator, by its function in `operator` or `builtins`."""
    rules: dict[object, Callable[[Operation], Answer]] = {}
    for name, ufunc in {**_BINARY, **_OTHER}.items():
        rules[getattr(operator, name)] = _operator(ufunc)
    for name in _BINARY:
        in_place = getattr(operator, f"i{name.rstrip('_')}")
        rules[in_place] = _in_place(rules[getattr(operator, name)])
    rules[operator.pow] = rules[builtins.pow] = _power
    rules[operator.ipow] = _in_place(_power)
    rules[builtins.abs] = rules[operator.abs]
    rules[builtins.divmod] = _operator(np.divmod)
    return rules


def ufuncs() -> dict[object, Callable[[Operation], Answer]]:
    """The rule of each ufunc in NumPy's namespace."""
    named = vars(np).items()  # not dir(): asking NumPy for all that it lists imports half of it
    return {ufunc: Elementwise(ufunc) for name, ufunc in named if type(ufunc) is np.ufunc and name[0] != "_"}
