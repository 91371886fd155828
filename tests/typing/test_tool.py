"""The embedding example works: on symbols alone, and on concrete vectors by its own backend and compiled."""

from __future__ import annotations

from types import FunctionType

import pytest

import symexec
from symexec import GraphBreakError, GuardError
from symexec.values.domain import Domain
from tests.typing.tool import Stretch, capture_symbolically, describe, fuse, fused, stretches
from tests.typing.vectors import Vector, VectorDomain, VectorSpec, chance, full

X = Vector([0.5, -1.0, 2.0, 0.25])
Y = Vector([1.5, 1.0, 3.0, 0.75])


def arithmetic(x: Vector, y: Vector) -> Vector:
    a = x + y
    b = a * 2.0
    c = b - x
    return c / 3.0 + 1.0


def norm(x: Vector) -> float:
    return 1.0 + (x * x).sum()


def normalised(x: Vector, y: Vector) -> Vector:
    total = x @ y
    for power in range(x.size - 1):
        x = x.scale(power + 1) - total
    return x * (x > 0) if len(x) > 3 else -x


def first_half(x: Vector) -> Vector:
    half = full(x.size, 0.5)
    half *= x
    return half + x[0] * x[-1]


def looks_at_data(x: Vector) -> Vector:
    if x.sum() > 0:
        return x + 1.0
    return x - 1.0


def misfit(x: Vector) -> Vector:
    return x + full(x.size + 1, 1.0)


def noisy(x: Vector) -> Vector:
    return x + chance() * 2.0


def _as_function(function: object) -> FunctionType:
    assert isinstance(function, FunctionType)
    return function


FUNCTIONS: list[tuple[FunctionType, tuple[Vector, ...]]] = [
    (_as_function(arithmetic), (X, Y)),
    (_as_function(norm), (X,)),
    (_as_function(normalised), (X, Y)),
    (_as_function(first_half), (X,)),
]


def equal(left: object, right: object) -> bool:
    """Whether two results are the same, vectors by their elements."""
    if isinstance(left, Vector) and isinstance(right, Vector):
        return left.same(right)
    return type(left) is type(right) and left == right


def test_the_domain_is_a_domain() -> None:
    domain: Domain = VectorDomain()
    assert domain.claims(X)
    assert not domain.claims(1.0)
    assert domain.describe(X) == VectorSpec(4)
    assert str(VectorSpec(4)) == "vector[4]"


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (arithmetic, "((((x + y) * 2.0) - x) / 3.0) + 1.0"),
        (norm, "1.0 + (x * x).sum()"),
        (first_half, "(full(3, 0.5) * x) + (getitem(x, 0) * getitem(x, -1))"),
        (normalised, "(-((x.scale(1) - (x @ y)).scale(2) - (x @ y)))"),
    ],
)
def test_an_expression_is_written_from_symbols_alone(function: FunctionType, text: str) -> None:
    assert describe(function, {"x": 3, "y": 3}) == text


def test_what_cannot_be_followed_is_told_with_its_place() -> None:
    with pytest.raises(GraphBreakError) as caught:
        describe(_as_function(looks_at_data), {"x": 3})
    line = looks_at_data.__code__.co_firstlineno + 1
    assert caught.value.reason.where.line == line
    assert caught.value.reason.where.filename == __file__
    with pytest.raises(GraphBreakError, match="two vectors of one size"):
        describe(_as_function(misfit), {"x": 3})


@pytest.mark.parametrize(("function", "args"), FUNCTIONS)
def test_the_fusing_backend_gives_what_python_gives(function: FunctionType, args: tuple[Vector, ...]) -> None:
    captured = fused(function, *args)
    assert equal(captured(*args), function(*args))
    others = tuple(Vector(item * 3 - 1 for item in arg.items) for arg in args)
    assert equal(captured(*others), function(*others))


def test_elementwise_operations_are_joined() -> None:
    graph = capture_symbolically(_as_function(normalised), {"x": 5, "y": 5})
    plan = stretches(graph)
    assert [len(step.nodes) if isinstance(step, Stretch) else str(step.target) for step in plan][-1] == 3
    assert equal(
        list(fuse(graph, ())(Vector(range(5)), Vector([2] * 5)))[0], normalised(Vector(range(5)), Vector([2] * 5))
    )


def test_a_capture_says_what_it_relies_on() -> None:
    captured = fused(arithmetic, X, Y)
    assert [str(guard) for guard in captured.guards] == [
        "type(x) is Vector",
        "x.size == 4",
        "type(y) is Vector",
        "y.size == 4",
    ]
    with pytest.raises(GuardError):
        captured(Vector([1.0]), Y)


def test_a_number_is_drawn_each_time_before_the_graph_runs() -> None:
    captured = fused(noisy, X)
    results = [captured(X) for _ in range(3)]
    assert len({str(result) for result in results}) == 3


@pytest.mark.parametrize(("function", "args"), FUNCTIONS)
def test_functions_of_vectors_compile_whole(function: FunctionType, args: tuple[Vector, ...]) -> None:
    compiled = symexec.compile(function, domains=[VectorDomain()])
    for _ in range(3):
        assert equal(compiled(*args), function(*args))
    assert symexec.stats(compiled).traces == 1
    assert symexec.stats(compiled).breaks == ()


def test_what_depends_on_data_or_chance_breaks_and_runs_as_written() -> None:
    compiled = symexec.compile(looks_at_data, domains=[VectorDomain()])
    for x in (X, Y, -X, -Y):
        assert equal(compiled(x), looks_at_data(x))
    assert len(symexec.stats(compiled).breaks) == 1
    drawing = symexec.compile(noisy, domains=[VectorDomain()])
    assert len({str(drawing(X)) for _ in range(3)}) == 3
    assert [reason.code for reason in symexec.stats(drawing).breaks] == ["SX3002"]


def test_an_error_inside_the_graph_is_pythons_own() -> None:
    def divided(x: Vector, by: float) -> Vector:
        return (x + 1.0) / by

    compiled = symexec.compile(divided, domains=[VectorDomain()])
    assert equal(compiled(X, 2.0), divided(X, 2.0))
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        compiled(X, 0.0)
