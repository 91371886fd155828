"""Ways to answer an operation: a shape by rule with a type by stand-in or by rule, a view, a constant, a refusal.

The tables in `numpy_reductions`, `numpy_arranging`, `numpy_making` and `numpy_linear` say which operation is answered
in which way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs

from symexec.domains.numpy_specs import ArraySpec, NumPySpec, ScalarSpec, Shape, TupleSpec
from symexec.domains.numpy_stand_in import Fill, Operation, StandIns
from symexec.domains.numpy_values import SCALAR_TYPES, describe, dtype_argument, result
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.domain import Answer, Declined, Static
from symexec.values.graph import Argument
from symexec.values.model import Traced
from symexec.values.outside import is_from_handler

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

Rule: TypeAlias = Callable[[Operation], Answer]

LARGEST: Final = 4096
"""Elements that the stand-ins of one operation may have in all."""

_MOST_DIMENSIONS: Final = 8
"""Dimensions of an operand up to which its small stand-in is small."""

_ARGUMENTS: Final = Declined("it is called with arguments that are not followed")
_MISFIT: Final = Declined("the operands do not fit, or the shape of its result depends on data")
_WARNS: Final = Declined("complex numbers are converted to real ones, of which NumPy warns")
_NUMBER: Final = Declined("the type of its result may depend on the value of a Python number")
_PYTHON: Final = Declined(
    "its result is a Python object that depends on the array's data", "the rest of the function is traced after it"
)


class Bound:
    """Arguments by the names of parameters, of which the first is the main operand."""

    def __init__(self, first: str, values: Mapping[str, Argument]) -> None:
        self._first = first
        self._values = values

    @property
    def first(self) -> Argument:
        """The main operand."""
        return self._values.get(self._first)

    def get(self, name: str, default: object = None) -> Argument:
        """The argument, or `default` where none was given."""
        return self._values.get(name, default)

    def names(self) -> list[str]:
        """The parameters that were given."""
        return list(self._values)

    def has(self, name: str) -> bool:
        """Whether an argument was given."""
        return name in self._values

    def flag(self, name: str) -> bool:
        """A bool argument, false where none was given."""
        return self._values.get(name, False) is True

    def shape(self, name: str = "") -> Shape | None:
        """The shape of an operand (the main one if no name is given), `None` if it is none."""
        return shape_of(self._values.get(name or self._first))

    def shapes(self) -> list[Shape] | None:
        """The shapes of the operands in the tuple or list that is the main operand."""
        if not isinstance(self.first, (tuple, list)):
            return None
        found = [shape for item in self.first if (shape := shape_of(item)) is not None]
        return found if len(found) == len(self.first) else None

    def dtype(self, name: str = "") -> DType | None:
        """The dtype of a traced operand, `None` of anything else."""
        operand = self._values.get(name or self._first)
        if isinstance(operand, Traced) and isinstance(operand.spec, (ArraySpec, ScalarSpec)):
            return operand.spec.dtype
        return None


def shape_of(argument: Argument) -> Shape | None:
    """The shape of an array, of a number, or of nested lists of numbers; `None` of anything else."""
    if isinstance(argument, Traced):
        spec = argument.spec
        if isinstance(spec, (ArraySpec, ScalarSpec)):
            return spec.shape
        return () if isinstance(spec, PythonScalar) else None
    if type(argument) in (bool, int, float, complex) or type(argument) in SCALAR_TYPES:
        return ()
    if not isinstance(argument, (tuple, list)):
        return None
    shapes = {shape_of(item) for item in argument}
    if not shapes:
        return (0,)
    inner = shapes.pop()
    return None if shapes or inner is None else (len(argument), *inner)


@attrs.frozen
class Signature:
    """Names of parameters in order, those that must be left out, and those that may hold traced values."""

    names: tuple[str, ...]
    refused: frozenset[str]
    operands: frozenset[str]

    def bind(self, operation: Operation) -> Bound | None:
        """The arguments by name, `None` if they do not fit."""
        if len(operation.args) > len(self.names):
            return None
        values = dict(zip(self.names, operation.args, strict=False))
        for name, argument in operation.kwargs:
            if name in values or name not in self.names:
                return None
            values[name] = argument
        if any(values.get(name) is not None for name in self.refused):
            return None
        constants = [value for name, value in values.items() if name not in self.operands]
        if any(True for value in constants for _ in operands_in(value)):
            return None
        return Bound(self.names[0] if self.names else "", values)


def signature(text: str) -> Signature:
    """The parameters named in `text`: `*` marks operands, which may be traced; `!` what must be left out or `None`."""
    words = text.split()
    names = tuple(word.strip("!*") for word in words)
    refused = frozenset(word[1:] for word in words if word.startswith("!"))
    return Signature(names, refused, frozenset(word[:-1] for word in words if word.endswith("*")))


ShapeRule: TypeAlias = Callable[[Bound], "Shape | list[Shape] | None"]
"""The shape of the result, or the shapes of several."""


@attrs.frozen
class Shaped:
    """The shape follows from the arguments by a rule; everything else from small stand-ins.

    With `numbers` the operands may be traced Python numbers (their values cannot change the type of the result).
    """

    signature: Signature
    shape: ShapeRule
    fill: Fill = "ones"
    numbers: bool = False

    def __call__(self, operation: Operation) -> Answer:
        """The answer, declined where the call does not fit."""
        bound = self.signature.bind(operation)
        if bound is None:
            return _ARGUMENTS
        if not self.numbers and has_traced_number(operation):
            return _NUMBER
        shape = self.shape(bound)
        if shape is None:
            return _MISFIT
        found = self._sample(operation, bound)
        if isinstance(found, Declined):
            return found
        whole = _with_shape(found, shape)
        return _MISFIT if whole is None else result(whole)

    def _sample(self, operation: Operation, bound: Bound) -> NumPySpec | Declined:
        dtype = dtype_argument(bound.get("dtype"))
        to_real = dtype is not None and dtype.kind != "c"
        if to_real and any(_is_complex(traced) for traced in traced_operands(operation)):
            return _WARNS
        found: NumPySpec | Declined = _MISFIT
        if all(_dimensions(traced) <= _MOST_DIMENSIONS for traced in traced_operands(operation)):
            found = sampled(operation, StandIns("small", self.fill))
        if isinstance(found, Declined) and stand_in_size(operation) <= LARGEST:
            found = sampled(operation, StandIns("true", self.fill))
        return found


def _is_complex(traced: Traced) -> bool:
    return isinstance(traced.spec, (ArraySpec, ScalarSpec)) and traced.spec.dtype.kind == "c"


def _dimensions(traced: Traced) -> int:
    return traced.spec.ndim if isinstance(traced.spec, ArraySpec) else 0


def _with_shape(found: NumPySpec, shape: Shape | list[Shape]) -> NumPySpec | None:
    """What was found on small stand-ins, with its true shape; `None` where the two do not agree."""
    match found:
        case ArraySpec(dtype=dtype) if isinstance(shape, tuple) and len(shape) == found.ndim:
            return ArraySpec(dtype, shape)
        case ScalarSpec() if shape == ():
            return found
        case TupleSpec(type=kind, items=items) if isinstance(shape, list) and len(shape) == len(items):
            parts = [_with_shape(item, part) for item, part in zip(items, shape, strict=True)]
            whole = tuple(part for part in parts if part is not None)
            return TupleSpec(kind, whole) if len(whole) == len(parts) else None
        case _:
            return None


@attrs.frozen
class Typed:
    """Shape and dtype both follow from the arguments by rules, and the result is an array always."""

    signature: Signature
    shape: Callable[[Bound], Shape | None]
    dtype: Callable[[Bound], DType | None]

    def __call__(self, operation: Operation) -> Answer:
        """The answer, declined where the call does not fit."""
        bound = self.signature.bind(operation)
        if bound is None:
            return _ARGUMENTS
        shape, dtype = self.shape(bound), self.dtype(bound)
        return _MISFIT if shape is None or dtype is None else result(ArraySpec(dtype, shape))


@attrs.frozen
class Viewed:
    """A view, whose shape NumPy tells from an array without memory of its own."""

    signature: Signature
    foreign: bool = True

    def __call__(self, operation: Operation) -> Answer:
        """The answer, declined where NumPy refuses."""
        if self.signature.bind(operation) is None:
            return _ARGUMENTS
        if has_traced_number(operation):
            return _NUMBER
        found = sampled(operation, StandIns("view"))
        return found if isinstance(found, Declined) else result(found, foreign=self.foreign)


@attrs.frozen
class Told:
    """The answer is a constant that the specs alone tell."""

    signature: Signature
    tell: Callable[[Bound], Argument]

    def __call__(self, operation: Operation) -> Answer:
        """The constant; `None` from the rule declines."""
        bound = self.signature.bind(operation)
        if bound is None:
            return _ARGUMENTS
        found = self.tell(bound)
        return _MISFIT if found is None else Static(found)


@attrs.frozen
class Refused:
    """Known, and never answered: `why`, and what to do about it."""

    why: str
    hint: str = ""

    def __call__(self, operation: Operation) -> Answer:
        """It declines."""
        return Declined(self.why, self.hint)


def sampled(operation: Operation, stand_ins: StandIns) -> NumPySpec | Declined:
    """What comes out of the operation on stand-ins."""
    try:
        value = operation.run(stand_ins)
    except Exception as error:
        if is_from_handler(error):
            raise
        return Declined(f"NumPy refuses it: {type(error).__name__}: {error}")
    found = describe(value)
    if found is not None:
        return found
    if type(value) in (bool, int, float, complex, str, bytes):
        return _PYTHON
    return Declined(f"a result of type {type(value).__qualname__} is not followed")


def operands_in(argument: Argument) -> Iterator[Traced]:
    """Every traced value in an argument."""
    if isinstance(argument, Traced):
        yield argument
    elif isinstance(argument, (tuple, list)):
        for item in argument:
            yield from operands_in(item)


def traced_operands(operation: Operation) -> Iterator[Traced]:
    """Every traced value among the operands."""
    for argument in (*operation.args, *(value for _, value in operation.kwargs)):
        yield from operands_in(argument)


def has_traced_number(operation: Operation) -> bool:
    """Whether a Python number whose value is not known is among the operands."""
    return any(isinstance(traced.spec, PythonScalar) for traced in traced_operands(operation))


def stand_in_size(operation: Operation) -> int:
    """The elements that true stand-ins would have in all."""
    specs = (traced.spec for traced in traced_operands(operation))
    return sum(math.prod(spec.shape) for spec in specs if isinstance(spec, ArraySpec))
