"""A vector class of the tool's own, in plain Python, and the domain that tells symexec about it.

It stands in for an array library where there is none.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, TypeAlias

import attrs
from typing_extensions import override

from symexec.domains.scalars import ScalarDomain, ScalarSpec
from symexec.values.domain import Answer, Declined, Drawn, Request, Result, Static
from symexec.values.graph import Argument, Kind
from symexec.values.guard import Check, Equals, TypeIs
from symexec.values.model import Traced
from symexec.values.origin import Attribute, Origin

Number: TypeAlias = int | float


@attrs.frozen(init=False, eq=False, repr=False)
class Vector:
    """Some floats, never changed.  Arithmetic is by element; a number stands for a vector of it."""

    items: tuple[float, ...]
    size: int

    def __init__(self, items: Iterable[Number]) -> None:
        found = tuple(float(item) for item in items)
        object.__setattr__(self, "items", found)
        object.__setattr__(self, "size", len(found))

    def __add__(self, other: Vector | Number) -> Vector:
        return self._each(operator.add, other)

    def __radd__(self, other: Number) -> Vector:
        return self._each(lambda mine, theirs: theirs + mine, other)

    def __sub__(self, other: Vector | Number) -> Vector:
        return self._each(operator.sub, other)

    def __rsub__(self, other: Number) -> Vector:
        return self._each(lambda mine, theirs: theirs - mine, other)

    def __mul__(self, other: Vector | Number) -> Vector:
        return self._each(operator.mul, other)

    def __rmul__(self, other: Number) -> Vector:
        return self._each(lambda mine, theirs: theirs * mine, other)

    def __truediv__(self, other: Vector | Number) -> Vector:
        return self._each(operator.truediv, other)

    def __rtruediv__(self, other: Number) -> Vector:
        return self._each(lambda mine, theirs: theirs / mine, other)

    def __lt__(self, other: Vector | Number) -> Vector:
        return self._each(operator.lt, other)

    def __le__(self, other: Vector | Number) -> Vector:
        return self._each(operator.le, other)

    def __gt__(self, other: Vector | Number) -> Vector:
        return self._each(operator.gt, other)

    def __ge__(self, other: Vector | Number) -> Vector:
        return self._each(operator.ge, other)

    def __neg__(self) -> Vector:
        return Vector(-item for item in self.items)

    def __matmul__(self, other: Vector) -> float:
        return self.dot(other)

    def __getitem__(self, index: int) -> float:
        return self.items[index]

    def __len__(self) -> int:
        return self.size

    def dot(self, other: Vector) -> float:
        """The sum of the products of the elements."""
        return (self * other).sum()

    def sum(self) -> float:
        """All elements added up, from the left."""
        total = 0.0
        for item in self.items:
            total += item
        return total

    def scale(self, factor: Number) -> Vector:
        """A multiple of the vector."""
        return self * factor

    def same(self, other: Vector) -> bool:
        """Whether all elements are equal (`==` is left as it is for all objects)."""
        return self.items == other.items

    @override
    def __repr__(self) -> str:
        return f"Vector({list(self.items)})"

    def _each(self, function: Callable[[float, Number], Number], other: Vector | Number) -> Vector:
        if isinstance(other, Vector):
            if other.size != self.size:
                raise ValueError(f"vectors of {self.size} and {other.size} elements do not fit")
            return Vector(map(function, self.items, other.items))
        if isinstance(other, (int, float)):
            return Vector(function(item, other) for item in self.items)
        return NotImplemented


def full(size: int, value: Number) -> Vector:
    """A vector of `size` equal elements."""
    return Vector([value] * size)


def chance() -> float:
    """Another number between 0 and 1 each time."""
    return random.random()


@attrs.frozen
class VectorSpec:
    """A vector of this many elements."""

    size: int

    @override
    def __str__(self) -> str:
        return f"vector[{self.size}]"


FLOAT: Final = ScalarSpec(float)
_ARITHMETIC: Final = (operator.add, operator.sub, operator.mul, operator.truediv)
_IN_PLACE: Final = (operator.iadd, operator.isub, operator.imul, operator.itruediv)
_COMPARISONS: Final = (operator.lt, operator.le, operator.gt, operator.ge)
ELEMENTWISE: Final[tuple[object, ...]] = (*_ARITHMETIC, *_IN_PLACE, *_COMPARISONS)


class VectorDomain:
    """Vectors as traced values; what they are reduced to are Python's floats, with which a `ScalarDomain` helps."""

    name: Final = "vectors"

    def __init__(self) -> None:
        self._scalars = ScalarDomain()

    def claims(self, value: object) -> bool:
        """Vectors only."""
        return type(value) is Vector

    def describe(self, value: object) -> Hashable:
        """The number of elements."""
        if not isinstance(value, Vector):
            raise TypeError(f"{value!r} is not a vector")
        return VectorSpec(value.size)

    def owns(self, spec: Hashable) -> bool:
        """A vector, or a float that one was reduced to."""
        return isinstance(spec, VectorSpec) or spec == FLOAT

    def type_of(self, spec: Hashable) -> type:
        """`Vector`, or `float`."""
        return Vector if isinstance(spec, VectorSpec) else self._scalars.type_of(spec)

    def guards(self, origin: Origin, spec: Hashable) -> Sequence[tuple[Origin, Check]]:
        """The type, and the number of elements, which is in a slot: no code of the class runs."""
        if not isinstance(spec, VectorSpec):
            return self._scalars.guards(origin, spec)
        return [(origin, TypeIs(Vector)), (Attribute(origin, "size"), Equals(spec.size))]

    def handles(self, target: object) -> bool:
        """The two functions of this module."""
        return target is full or target is chance

    def apply(self, request: Request) -> Answer:
        """What comes out, by the rules of `Vector`."""
        if request.kwargs:
            return Declined("vectors take no keyword arguments")
        specs = [_spec_of(argument) for argument in request.args]
        if not any(isinstance(spec, VectorSpec) for spec in specs):
            return self._without_vectors(request)
        match request.kind:
            case Kind.CALL:
                return _call(request.target, specs, request.args)
            case Kind.METHOD:
                return _method(request.target, specs)
            case Kind.ATTRIBUTE if request.target == "size" and isinstance(specs[0], VectorSpec):
                return Static(specs[0].size)
            case _:
                return Declined("vectors have no such attribute")

    def _without_vectors(self, request: Request) -> Answer:
        if request.target is chance and not request.args:
            return Drawn(float, FLOAT)
        if request.target is full and len(request.args) == 2:
            size, value = request.args
            if type(size) is int and size >= 0 and _is_number(_spec_of(value)):
                return Result(Vector, VectorSpec(size))
            return Declined("the number of elements is not a constant")
        return self._scalars.apply(request)


def _spec_of(argument: Argument) -> Hashable:
    """The spec of a traced operand, that of a number; `None` for anything else."""
    if isinstance(argument, Traced):
        return argument.spec
    return ScalarSpec(type(argument)) if type(argument) in (int, float, bool) else None


def _is_number(spec: Hashable) -> bool:
    return isinstance(spec, ScalarSpec) and spec.type in (int, float, bool)


def _call(target: object, specs: Sequence[Hashable], args: Sequence[Argument]) -> Answer:
    if any(target is function for function in ELEMENTWISE) and len(specs) == 2:
        return _elementwise(specs)
    if target is operator.neg:
        return Result(Vector, specs[0])
    if target is len and isinstance(specs[0], VectorSpec):
        return Static(specs[0].size)
    if target is operator.matmul:
        return _product(specs)
    if target is operator.getitem and isinstance(specs[0], VectorSpec):
        index = args[1]
        inside = type(index) is int and -specs[0].size <= index < specs[0].size
        return Result(float, FLOAT) if inside else Declined("the index is not a constant within the vector")
    return Declined("vectors have no such operation")


def _method(name: object, specs: Sequence[Hashable]) -> Answer:
    if name == "sum" and len(specs) == 1:
        return Result(float, FLOAT)
    if name == "dot":
        return _product(specs)
    if name == "scale" and len(specs) == 2 and _is_number(specs[1]):
        return Result(Vector, specs[0])
    return Declined(f"vectors have no method {name}, or not with these arguments")


def _elementwise(specs: Sequence[Hashable]) -> Answer:
    vectors = {spec for spec in specs if isinstance(spec, VectorSpec)}
    if len(vectors) != 1 or not all(isinstance(spec, VectorSpec) or _is_number(spec) for spec in specs):
        return Declined("the operands are not two vectors of one size, or a vector and a number")
    return Result(Vector, vectors.pop())


def _product(specs: Sequence[Hashable]) -> Answer:
    if len(specs) == 2 and isinstance(specs[0], VectorSpec) and specs[0] == specs[1]:
        return Result(float, FLOAT)
    return Declined("the operands are not two vectors of one size")
