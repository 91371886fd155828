"""NumPy's own answer on private arrays of ones, where no rule says what an operation gives.

Three kinds of stand-in: `true` ones have the operands' shapes and are bounded in size; `small` ones have only their
number of dimensions, for operations whose result type does not depend on sizes; `view` ones have the operands' shapes
and no memory, for operations that only make views.  Nothing of the program's own is ever touched, and the program
sees nothing of it: floating-point errors are ignored, and an exception is only a reason to decline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs
import numpy as np

from symexec.domains.numpy_specs import ArraySpec, ScalarSpec, Shape
from symexec.domains.scalars import ScalarSpec as PythonScalar
from symexec.values.graph import Argument, Kind
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

Size: TypeAlias = Literal["true", "small", "view"]
Fill: TypeAlias = Literal["ones", "zeros", "identity"]


@attrs.frozen
class StandIns:
    """How operands are replaced: see the module head."""

    size: Size
    fill: Fill = "ones"

    def array(self, spec: ArraySpec) -> np.ndarray[Shape, DType]:
        """The stand-in of an array."""
        if self.size == "view":
            return np.broadcast_to(np.zeros((), spec.dtype), spec.shape)
        shape = spec.shape if self.size == "true" else (2,) * spec.ndim
        if self.fill == "identity" and len(shape) > 1:
            return np.eye(shape[-2], shape[-1], dtype=spec.dtype) + np.zeros(shape, spec.dtype)
        return np.ones(shape, spec.dtype) if self.fill != "zeros" else np.zeros(shape, spec.dtype)

    def of(self, argument: Argument) -> object:
        """`argument` with a stand-in for each traced value in it."""
        kind = type(argument)
        if isinstance(argument, Traced):
            spec = argument.spec
            if isinstance(spec, ArraySpec):
                return self.array(spec)
            if isinstance(spec, ScalarSpec):
                return spec.dtype.type(1)
            if isinstance(spec, PythonScalar):
                return spec.type(1)
            raise TypeError(f"{spec} has no stand-in")
        if isinstance(argument, (tuple, list)):
            items = [self.of(item) for item in argument]
            return items if kind is list else tuple(items)
        if isinstance(argument, dict):
            return {name: self.of(item) for name, item in argument.items()}
        if isinstance(argument, slice):
            return slice(*(self.of(part) for part in (argument.start, argument.stop, argument.step)))
        return argument


@attrs.frozen
class Operation:
    """An operation and its operands, as a `Request` has them."""

    kind: Kind
    target: object
    args: Sequence[Argument]
    kwargs: Sequence[tuple[str, Argument]] = ()

    def run(self, stand_ins: StandIns) -> object:
        """Perform it on stand-ins; raises what NumPy raises."""
        args = [stand_ins.of(argument) for argument in self.args]
        kwargs = {name: stand_ins.of(argument) for name, argument in self.kwargs}
        with np.errstate(all="ignore"):
            if self.kind is Kind.ATTRIBUTE:
                found: object = getattr(args[0], str(self.target))
                return found
            function = getattr(args.pop(0), str(self.target)) if self.kind is Kind.METHOD else self.target
            if not callable(function):
                raise TypeError(f"{function!r} cannot be called")
            outcome: object = function(*args, **kwargs)
            return outcome
