"""The shape rules agree with NumPy on thousands of random operands, and refuse only what NumPy refuses."""

from __future__ import annotations

import operator
import random

import pytest

from symexec.domains import numpy_shapes
from symexec.domains.numpy import NumPyDomain
from symexec.values.domain import Declined, Request, Result
from symexec.values.graph import Kind
from tests.domains.expressions import symbol

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
linear = pytest.importorskip("symexec.domains.numpy_linear")

ROUNDS = 3000


def some_shape(source: random.Random, most: int = 4) -> tuple[int, ...]:
    return tuple(source.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(source.randint(0, most)))


def some_key(source: random.Random, domain: NumPyDomain) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """A key of constants and arrays, and the same with traced values for the arrays."""
    real: list[object] = []
    asked: list[object] = []
    for _ in range(source.randint(0, 5)):
        kind = source.choice(("int", "slice", "none", "dots", "list", "array", "scalar"))
        part: object
        match kind:
            case "int":
                part = source.randint(-2, 2)
            case "slice":
                part = slice(
                    *(source.choice((None, None, 0, 1, -1, 2)) for _ in range(2)), source.choice((None, 1, -1, 2))
                )
            case "none":
                part = None
            case "dots":
                part = ...
            case "list":
                part = source.choice(([0], [0, -1], [[0, 1], [1, 0]], [[0], [1]], (0, 0)))
            case "array":
                part = np.zeros(source.choice(((1,), (2,), (2, 1), (0,))), source.choice(("i8", "u1", "i2")))
            case _:
                part = np.int8(source.randint(-1, 1))
        real.append(part)
        asked.append(symbol(domain, part) if isinstance(part, np.ndarray) else part)
    return tuple(real), tuple(asked)


def test_indexing() -> None:
    source, domain, answered, extra = random.Random(1), NumPyDomain(), 0, 0
    for _ in range(ROUNDS * 2):
        x = np.zeros(some_shape(source), "f4")
        real, asked = some_key(source, domain)
        if len(real) == 1 and source.random() < 0.5:
            real, asked = real[0], asked[0]
        answer = domain.apply(Request(Kind.CALL, operator.getitem, (symbol(domain, x), asked)))
        try:
            found = x[real]
        except (IndexError, DeprecationWarning):  # old releases only warn
            extra += isinstance(answer, Result)
            continue
        assert isinstance(answer, Result), (x.shape, real, answer)
        assert answer.type is type(found), (x.shape, real)
        assert answer.spec == domain.describe(found), (x.shape, real, answer.spec, found.shape)
        answered += 1
    assert answered > ROUNDS / 2
    assert extra < answered  # an element that is out of range is seen at run time only


def test_broadcasting() -> None:
    source = random.Random(2)
    for _ in range(ROUNDS):
        shapes = [some_shape(source) for _ in range(source.randint(1, 3))]
        try:
            expected = np.broadcast_shapes(*shapes)
        except ValueError:
            expected = None
        assert numpy_shapes.broadcast(*shapes) == expected, shapes


def agree(found: object, function: object, *args: object) -> bool:
    """Whether the rule and NumPy say the same: the shape, or that it cannot be."""
    try:
        expected = np.shape(function(*args))
    except (ValueError, IndexError, TypeError):
        expected = None
    assert found == expected, (function, [np.shape(arg) if isinstance(arg, np.ndarray) else arg for arg in args])
    return expected is not None


def test_products() -> None:
    source, fits = random.Random(3), 0
    for _ in range(ROUNDS):
        left, right = some_shape(source, 3), some_shape(source, 3)
        x, y = np.zeros(left), np.zeros(right)
        fits += agree(numpy_shapes.multiplied(left, right), np.matmul, x, y)
        fits += agree(numpy_shapes.dotted(left, right), np.dot, x, y)
        axes = source.choice((0, 1, 2, ([0], [0]), ([-1], [0]), ([0, 1], [1, 0]), (0, -1), ([0, 0], [0, 0])))
        if max(len(left), len(right)) and not (type(axes) is int and axes > min(len(left), len(right))):
            found = numpy_shapes.contracted(left, right, axes)
            if found is not None:  # it is stricter than NumPy with axes that are named twice
                fits += agree(found, np.tensordot, x, y, axes)
    assert fits > ROUNDS / 3


def test_joining_and_reshaping() -> None:
    source, fits = random.Random(4), 0
    for _ in range(ROUNDS):
        base = some_shape(source, 3)
        shapes = [tuple(source.choice((size, size, 2)) for size in base) for _ in range(source.randint(1, 3))]
        arrays = [np.zeros(shape) for shape in shapes]
        axis = source.choice((0, 0, 1, -1, 2, None))
        fits += agree(numpy_shapes.concatenated(shapes, axis), np.concatenate, arrays, axis)
        if axis is not None:
            fits += agree(numpy_shapes.stacked(shapes, axis), np.stack, arrays, axis)
        wanted = tuple(source.choice((-1, 0, 1, 2, 3, 4)) for _ in range(source.randint(0, 3)))
        found = numpy_shapes.reshaped(base, wanted)
        if 0 not in base and 0 not in wanted:
            fits += agree(found, np.reshape, np.zeros(base), wanted)
        elif found is not None:
            agree(found, np.reshape, np.zeros(base), wanted)
    assert fits > ROUNDS


def test_einstein_summation() -> None:
    source, fits = random.Random(5), 0
    for _ in range(ROUNDS):
        sizes = {letter: source.choice((1, 2, 3)) for letter in "abcd"}
        terms = ["".join(source.choices("abcd", k=source.randint(0, 3))) for _ in range(source.randint(1, 3))]
        dotted = source.random() < 0.3
        extra = [source.choice(((), (2,), (1,), (3, 2))) if dotted else () for _ in terms]
        shapes = [
            (*rest, *(source.choice((sizes[letter],) * 9 + (1, 2)) for letter in term))
            for term, rest in zip(terms, extra, strict=True)
        ]
        subscripts = ",".join(("..." if dotted else "") + term for term in terms)
        if source.random() < 0.6:
            used = sorted(set("".join(terms)))
            source.shuffle(used)
            subscripts += "->" + ("..." if dotted else "") + "".join(used[: source.randint(0, 3)])
        arrays = [np.zeros(shape) for shape in shapes]
        fits += agree(linear.einsum_shape(subscripts, shapes), np.einsum, subscripts, *arrays)
    assert fits > ROUNDS / 3


def test_slices_with_bounds_that_are_not_integers_are_not_guessed() -> None:
    domain = NumPyDomain()
    x = symbol(domain, np.zeros(3))
    for key in (slice(None, 1.0), slice("a", None), slice(None, None, 0), slice(np.int8(1), None)):
        assert isinstance(domain.apply(Request(Kind.CALL, operator.getitem, (x, key))), Declined)
