"""Exact Python numbers as inputs of a graph: `int`, `float`, `complex`.  Comparisons of them give `bool`.

Types of results follow from types of operands by Python's own rules; where they would depend on the values
(`int ** int`, `float ** float`) the domain declines.  Knows nothing of any framework.
"""

from __future__ import annotations

import builtins
import cmath
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from types import BuiltinFunctionType
from typing import Final, TypeAlias

import attrs
from typing_extensions import override

from symexec.values.domain import Answer, Declined, Request, Result
from symexec.values.graph import Argument, Kind
from symexec.values.guard import Check, TypeIs
from symexec.values.model import Traced
from symexec.values.origin import Origin


@attrs.frozen(cache_hash=True)
class ScalarSpec:
    """A Python number of exactly this type, or a bool."""

    type: type = attrs.field(eq=id)

    @override
    def __str__(self) -> str:
        return self.type.__name__


@attrs.frozen
class Operand:
    """A number given to an operation: its exact type, and its value where that is a constant."""

    type: type
    value: bool | int | float | complex | None

    @property
    def rank(self) -> int:
        """Its place in the numeric tower."""
        return _RANKS[self.type]


Rule: TypeAlias = Callable[[Sequence[Operand]], type | None]
"""The exact type of a result, `None` where it cannot be told or the operation is an error."""

_RANKS: Final[dict[type, int]] = {bool: 0, int: 1, float: 2, complex: 3}
_TOWER: Final = (int, int, float, complex)


def _widest(operands: Sequence[Operand]) -> type:
    return _TOWER[max(operand.rank for operand in operands)]


def _arithmetic(operands: Sequence[Operand]) -> type | None:
    return _widest(operands)


def _division(operands: Sequence[Operand]) -> type | None:
    return complex if _widest(operands) is complex else float


def _real_arithmetic(operands: Sequence[Operand]) -> type | None:
    widest = _widest(operands)
    return None if widest is complex else widest


def _power(operands: Sequence[Operand]) -> type | None:
    base, exponent = operands
    if complex in (base.type, exponent.type):
        return complex
    if base.rank <= 1 and exponent.rank <= 1:  # int ** int is a float where the exponent is negative
        if not isinstance(exponent.value, int):
            return None
        return int if exponent.value >= 0 else float
    if exponent.rank <= 1:
        return float
    if isinstance(exponent.value, float) and exponent.value.is_integer():
        return float
    if isinstance(base.value, (int, float)) and base.value > 0:
        return float
    return None  # a negative base and a broken exponent give a complex number


def _integers(operands: Sequence[Operand]) -> type | None:
    return int if all(operand.rank <= 1 for operand in operands) else None


def _bits(operands: Sequence[Operand]) -> type | None:
    return bool if all(operand.type is bool for operand in operands) else _integers(operands)


def _invert(operands: Sequence[Operand]) -> type | None:
    return int if operands[0].type is int else None  # deprecated for bool


def _equality(operands: Sequence[Operand]) -> type | None:
    return bool if operands else None


def _ordering(operands: Sequence[Operand]) -> type | None:
    return None if _widest(operands) is complex else bool


def _absolute(operands: Sequence[Operand]) -> type | None:
    return float if operands[0].type is complex else _widest(operands)


def _real(result: type) -> Rule:
    """A function of real numbers that always gives a `result`."""
    return lambda operands: None if _widest(operands) is complex else result


def _number(result: type) -> Rule:
    """A function of any numbers that always gives a `result`."""
    return lambda _: result


def _rounded(operands: Sequence[Operand]) -> type | None:
    value = operands[0]
    if value.type is complex:
        return None
    if len(operands) == 1:
        return int
    return _widest(operands[:1]) if type(operands[1].value) is int else None


def _extreme(operands: Sequence[Operand]) -> type | None:
    """One of the operands itself: of a known type only where all have the same."""
    kinds = {operand.type for operand in operands}
    return operands[0].type if len(operands) > 1 and len(kinds) == 1 and complex not in kinds else None


def _functions(module: object, names: str, rule: Rule, least: int = 1, most: int | None = None) -> dict[object, Entry]:
    """Those of the named functions that this Python has."""
    found = [getattr(module, name, None) for name in names.split()]
    entry = Entry(rule, least, most or least)
    return {function: entry for function in found if function is not None}


@attrs.frozen
class Entry:
    """How an operation is answered, and how many operands it takes."""

    rule: Rule
    least: int
    most: int


_OPERATORS: Final[dict[object, Entry]] = {
    **_functions(operator, "add sub mul iadd isub imul", _arithmetic, 2),
    **_functions(operator, "truediv itruediv", _division, 2),
    **_functions(operator, "floordiv mod ifloordiv imod", _real_arithmetic, 2),
    **_functions(operator, "pow ipow", _power, 2),
    **_functions(operator, "lshift rshift ilshift irshift", _integers, 2),
    **_functions(operator, "and_ or_ xor iand ior ixor", _bits, 2),
    **_functions(operator, "lt le gt ge", _ordering, 2),
    **_functions(operator, "eq ne", _equality, 2),
    **_functions(operator, "neg pos", _arithmetic),
    **_functions(operator, "invert", _invert),
    **_functions(operator, "index", _integers),
}
_BUILTINS: Final[dict[object, Entry]] = {
    **_functions(builtins, "abs", _absolute),
    **_functions(builtins, "pow", _power, 2),
    **_functions(builtins, "round", _rounded, 1, 2),
    **_functions(builtins, "min max", _extreme, 2, 255),
    **_functions(builtins, "float", _real(float)),
    **_functions(builtins, "int", _real(int)),
    **_functions(builtins, "complex", _number(complex)),
}
_MATH: Final[dict[object, Entry]] = {
    **_functions(
        math,
        "acos acosh asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs gamma lgamma log10 log1p "
        "log2 radians sin sinh sqrt tan tanh ulp",
        _real(float),
    ),
    **_functions(math, "atan2 copysign fmod pow remainder nextafter", _real(float), 2),
    **_functions(math, "fma", _real(float), 3),
    **_functions(math, "hypot", _real(float), 1, 255),
    **_functions(math, "log", _real(float), 1, 2),
    **_functions(math, "ceil floor trunc", _real(int)),
    **_functions(math, "isnan isinf isfinite", _real(bool)),
    **_functions(math, "isclose", _real(bool), 2),
    **_functions(math, "factorial isqrt", _integers),
    **_functions(math, "comb", _integers, 2),
    **_functions(math, "perm", _integers, 1, 2),
    **_functions(math, "gcd lcm", _integers, 1, 255),
    **_functions(
        cmath,
        "acos acosh asin asinh atan atanh cos cosh exp log10 sin sinh sqrt tan tanh",
        _number(complex),
    ),
    **_functions(cmath, "log", _number(complex), 1, 2),
    **_functions(cmath, "phase", _number(float)),
    **_functions(cmath, "isnan isinf isfinite", _number(bool)),
}
_CALLS: Final = {**_OPERATORS, **_BUILTINS, **_MATH}

_METHODS: Final[dict[tuple[type, str], type]] = {
    (int, "bit_length"): int,
    (int, "bit_count"): int,
    (int, "conjugate"): int,
    **({(int, "is_integer"): bool} if hasattr(int, "is_integer") else {}),
    (float, "is_integer"): bool,
    (float, "conjugate"): float,
    (complex, "conjugate"): complex,
}
_ATTRIBUTES: Final[dict[tuple[type, str], type]] = {
    (int, "real"): int,
    (int, "imag"): int,
    (int, "numerator"): int,
    (int, "denominator"): int,
    (float, "real"): float,
    (float, "imag"): float,
    (complex, "real"): float,
    (complex, "imag"): float,
}


class ScalarDomain:
    """Python numbers as traced values."""

    name: Final = "scalars"

    def claims(self, value: object) -> bool:
        """Whether `value` is of exactly one of the number types; `bool` is not one."""
        kind = type(value)
        return kind is int or kind is float or kind is complex  # no hashing: a metaclass could do anything

    def describe(self, value: object) -> Hashable:
        """Its type."""
        return ScalarSpec(type(value))

    def owns(self, spec: Hashable) -> bool:
        """Whether `spec` says that something is a number or a bool."""
        return type(spec) is ScalarSpec and any(spec.type is kind for kind in _RANKS)

    def type_of(self, spec: Hashable) -> type:
        """The type that the spec names."""
        if not isinstance(spec, ScalarSpec):
            raise TypeError(f"{spec!r} is not a spec of the domain {self.name!r}")
        return spec.type

    def guards(self, origin: Origin, spec: Hashable) -> Sequence[tuple[Origin, Check]]:
        """The exact type is all."""
        return [(origin, TypeIs(self.type_of(spec)))]

    def handles(self, target: object) -> bool:
        """Nothing: a function of constants alone is folded, not traced."""
        return False

    def apply(self, request: Request) -> Answer:
        """The type of the result, by Python's rules."""
        operands = [_operand(argument) for argument in request.args]
        known = [operand for operand in operands if operand is not None]
        if len(known) != len(operands) or request.kwargs:
            return Declined("an operand is not a Python number")
        found = _call(request.target, known) if request.kind is Kind.CALL else _member(request, known)
        if found is None:
            return Declined("the type of its result depends on the numbers, or there is no rule for it", _HINT)
        return Result(found, ScalarSpec(found), foreign=False)


_HINT: Final = "a number that the function is specialised on is a constant to it: use compile, or a closure"


def _operand(argument: Argument) -> Operand | None:
    if isinstance(argument, Traced):
        spec = argument.spec
        return Operand(spec.type, None) if isinstance(spec, ScalarSpec) else None
    if isinstance(argument, (bool, int, float, complex)) and type(argument) in _RANKS:
        return Operand(type(argument), argument)
    return None


def _call(target: object, operands: Sequence[Operand]) -> type | None:
    if type(target) is not BuiltinFunctionType and type(target) is not type:
        return None  # anything else may have a hash of its own
    entry = _CALLS.get(target)
    if entry is None or not entry.least <= len(operands) <= entry.most:
        return None
    return entry.rule(operands)


def _member(request: Request, operands: Sequence[Operand]) -> type | None:
    table = _METHODS if request.kind is Kind.METHOD else _ATTRIBUTES
    if len(operands) != 1 or type(request.target) is not str:
        return None
    return table.get((operands[0].type, request.target))
