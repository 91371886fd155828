"""What the scalar domain predicts is what Python gives."""

from __future__ import annotations

import cmath
import itertools
import math
import operator

import pytest

from symexec.domains.scalars import ScalarDomain, ScalarSpec
from symexec.values.domain import Declined, Request, Result
from symexec.values.graph import Kind
from symexec.values.guard import TypeIs
from symexec.values.origin import Local
from tests.domains.expressions import Raised, ask, declined, parse, symbol

VALUES = (0, 1, 2, -3, 7, 2**70, 0.0, 0.5, 2.0, -1.5, 1e300, math.inf, 1j, 2 + 0j, -1.5 - 2j)
CONSTANTS = (*VALUES, True, False, -1, -2.0)
MODULES = {"math": math, "cmath": cmath, "operator": operator}

BINARY = [
    *(f"x {op} y" for op in "+ - * / // % ** << >> & | ^ < <= == != > >=".split()),
    *(
        f"operator.{name}(x, y)"
        for name in "iadd isub imul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor".split()
    ),
    *(
        "pow(x, y)",
        "min(x, y)",
        "max(x, y)",
        "round(x, y)",
        "math.atan2(x, y)",
        "math.copysign(x, y)",
        "math.fmod(x, y)",
    ),
    *("math.pow(x, y)", "math.remainder(x, y)", "math.nextafter(x, y)", "math.hypot(x, y)", "math.log(x, y)"),
    *(
        "math.isclose(x, y)",
        "math.comb(x, y)",
        "math.perm(x, y)",
        "math.gcd(x, y)",
        "math.lcm(x, y)",
        "cmath.log(x, y)",
    ),
]
_MATH = """
    acos acosh asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs gamma lgamma log10 log1p log2
    log radians sin sinh sqrt tan tanh ulp ceil floor trunc isnan isinf isfinite factorial isqrt gcd lcm hypot
"""
_CMATH = """
    acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh phase isnan isinf isfinite
"""
UNARY = [
    *("-x", "+x", "~x", "abs(x)", "round(x)", "float(x)", "int(x)", "complex(x)", "operator.index(x)", "max(x, x, x)"),
    *(f"math.{name}(x)" for name in _MATH.split()),
    *(f"cmath.{name}(x)" for name in _CMATH.split()),
    *("x.real", "x.imag", "x.numerator", "x.denominator", "x.conjugate()"),
    *("x.bit_length()", "x.bit_count()", "x.is_integer()"),
]
LARGE = ("factorial", "comb", "perm", "<<", "lshift", "**", "pow")
NEVER = [
    *(
        "bool(x)",
        "str(x)",
        "x + None",
        "x + 'a'",
        "[1] * x",
        "'a' * x",
        "x == None",
        "divmod(x, 2)",
        "math.modf(x)",
        "sum([x])",
    ),
    *(
        "math.fsum([x])",
        "x @ x",
        "x.as_integer_ratio()",
        "x.hex()",
        "x.nothing",
        "round(x, ndigits=1)",
        "hash(x)",
        "format(x)",
    ),
]


def agree(text: str, names: dict[str, object], traced: str) -> bool | None:
    """Compare prediction and reality: whether there was one, `None` if Python raised."""
    domain = ScalarDomain()
    given = {name: symbol(domain, value) if name in traced else value for name, value in names.items()}
    source = parse(text)
    if any(word in text for word in LARGE) and 2**70 in names.values():
        return None
    answer = ask(domain, source, {**MODULES, **given})
    real = source.reality({**MODULES, **names})
    if isinstance(real, Raised):
        return None
    if isinstance(answer, Result):
        assert answer.type is type(real), (text, names, traced, answer, real)
        assert answer.spec == ScalarSpec(type(real))
        assert not answer.foreign
        return True
    assert isinstance(answer, Declined)
    return False


@pytest.mark.parametrize("text", BINARY)
def test_two_operands(text: str) -> None:
    found = []
    for first, second in itertools.product(VALUES, CONSTANTS):
        found.append(agree(text, {"x": first, "y": second}, "x"))
        found.append(agree(text, {"y": first, "x": second}, "y"))
        if type(second) is not bool:
            found.append(agree(text, {"x": first, "y": second}, "xy"))
    assert True in found


@pytest.mark.parametrize("text", UNARY)
def test_one_operand(text: str) -> None:
    found = [agree(text, {"x": value}, "x") for value in VALUES]
    assert True in found
    assert False not in found


EXACT = [("x + y", 1, 2), ("x * y", 1.5, 2), ("x / y", 1, 2), ("x // y", 7, 2.0), ("x % y", 7, 3), ("x < y", 1, 2.0),
         ("x == y", 1j, 2), ("x & y", 1, 2), ("x - y", 1j, 2.0), ("x << y", 1, 2)]  # fmt: skip


@pytest.mark.parametrize(("text", "x", "y"), EXACT)
def test_types_that_cannot_vary_are_always_told(text: str, x: object, y: object) -> None:
    assert agree(text, {"x": x, "y": y}, "xy") is True


@pytest.mark.parametrize(
    ("text", "names", "traced", "answered"),
    [
        ("x ** y", {"x": 2, "y": 3}, "x", True),
        ("x ** y", {"x": 2, "y": -3}, "x", True),
        ("x ** y", {"x": 2, "y": 3}, "xy", False),
        ("x ** y", {"x": 2, "y": 3}, "y", False),
        ("x ** y", {"x": -2.0, "y": 0.5}, "x", False),
        ("x ** y", {"x": 2.0, "y": 0.5}, "y", True),
        ("x ** y", {"x": -2.0, "y": 3}, "xy", True),
        ("x ** y", {"x": -2.0, "y": 2.0}, "x", True),
        ("min(x, y)", {"x": 1, "y": 2.0}, "xy", False),
        ("min(x, y)", {"x": 1.0, "y": 2.0}, "x", True),
        ("round(x, y)", {"x": 1.25, "y": 1}, "x", True),
        ("round(x, y)", {"x": 1.25, "y": 1}, "xy", False),
    ],
)
def test_types_that_depend_on_values_are_declined(
    text: str, names: dict[str, object], traced: str, answered: bool
) -> None:
    assert agree(text, names, traced) is answered


def test_comparisons_give_bools_which_are_numbers_further_on() -> None:
    domain = ScalarDomain()
    x = symbol(domain, 1)
    answer = ask(domain, parse("x < 2"), {"x": x})
    assert isinstance(answer, Result)
    assert answer.type is bool
    flag = type(x)(x.node, bool, answer.spec, "scalars")
    assert ask(domain, parse("b + 1"), {"b": flag}) == Result(int, ScalarSpec(int), foreign=False)
    assert ask(domain, parse("b & b"), {"b": flag}) == Result(bool, ScalarSpec(bool), foreign=False)
    assert declined(ask(domain, parse("~b"), {"b": flag}))


@pytest.mark.parametrize("text", NEVER)
def test_what_is_not_a_number_or_has_no_rule_is_declined(text: str) -> None:
    domain = ScalarDomain()
    for value in (1, 1.5):
        assert declined(ask(domain, parse(text), {**MODULES, "x": symbol(domain, value)})), text


class Odd(int):
    """A subclass, with a hash that must not be called."""

    def __hash__(self) -> int:
        raise AssertionError


class Meta(type):
    """Classes whose hash must not be asked for."""

    def __hash__(cls) -> int:
        raise AssertionError


class OfMeta(metaclass=Meta):
    pass


def test_only_exact_numbers_are_claimed() -> None:
    domain = ScalarDomain()
    assert all(domain.claims(value) for value in VALUES)
    assert not any(domain.claims(value) for value in (True, None, "1", Odd(1), (1,), int, OfMeta(), OfMeta))


def test_unknown_targets_are_never_hashed() -> None:
    domain = ScalarDomain()
    assert declined(domain.apply(Request(Kind.CALL, Odd(1), (symbol(domain, 1),))))
    assert declined(domain.apply(Request(Kind.METHOD, Odd(1), (symbol(domain, 1),))))


def test_specs_and_guards() -> None:
    domain = ScalarDomain()
    spec = domain.describe(1.5)
    assert str(spec) == "float"
    assert domain.owns(spec)
    assert not domain.owns("float")
    assert not domain.owns(ScalarSpec(str))
    assert domain.type_of(spec) is float
    assert domain.guards(Local(0), spec) == [(Local(0), TypeIs(float))]
    assert ScalarSpec(int) != ScalarSpec(bool)
    assert not domain.handles(math.sin)
