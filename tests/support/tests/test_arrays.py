"""`assert_same` on NumPy arrays; where there is no NumPy there is nothing to test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import arguments, assert_same

np = pytest.importorskip("numpy", reason="NumPy is not installed")


def matrix():
    return arguments(np.arange(4.0).reshape(2, 2))


def add_to(array, number):
    array += number


def put(array, number):
    array[0, 0] = number
    return array


def viewed(array, dtype):
    array.dtype = dtype


PAIRS: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
    "values": (lambda a: a + 1, lambda a: a + 2),
    "last bit": (lambda a: a + 0.1, lambda a: np.nextafter(a + 0.1, 9)),
    "sign of zero": (lambda a: np.array([0.0]), lambda a: np.array([-0.0])),
    "payload of nan": (lambda a: np.array([np.nan]), lambda a: -np.array([np.nan])),
    "dtype": (lambda a: a + 1, lambda a: (a + 1).astype("float32")),
    "byte order": (lambda a: a + 1, lambda a: (a + 1).astype(">f8")),
    "shape": (lambda a: a + 1, lambda a: (a + 1).ravel()),
    "strides": (lambda a: a + 1, lambda a: np.asfortranarray(a + 1)),
    "writeable": (lambda a: a.copy(), lambda a: np.broadcast_to(a.copy(), a.shape)),
    "scalar or array": (lambda a: a.sum(), lambda a: np.array(a.sum())),
    "scalar or float": (lambda a: a.sum(), lambda a: float(a.sum())),
    "scalar type": (lambda a: a.sum(), lambda a: np.float32(a.sum())),
    "view or copy": (lambda a: a[0], lambda a: a[0].copy()),
    "offset of view": (lambda a: a[0, :0], lambda a: a[1, :0]),
    "view of what": (lambda a: a.T, lambda a: a.copy().T),
    "change of argument": (lambda a: add_to(a, 1), lambda a: add_to(a, 2)),
    "change or copy": (lambda a: put(a, 9), lambda a: put(a.copy(), 9)),
    "objects": (lambda a: np.array([a, None], dtype=object), lambda a: np.array([a + 1, None], dtype=object)),
    "random state": (lambda a: np.random.rand() and None, lambda a: np.random.rand(2).any() and None),
    "generator state": (lambda a: drawn(1), lambda a: drawn(2)),
    "warning": (lambda a: np.log(a - 5) is None, lambda a: False),
    "error": (lambda a: a + np.ones(3), lambda a: a @ np.ones(3)),
}


def drawn(times):
    generator = np.random.default_rng(3)
    generator.random(times)
    return generator


@pytest.mark.parametrize("name", PAIRS)
def test_difference_is_found(name: str) -> None:
    right, wrong = PAIRS[name]
    with pytest.raises(AssertionError) as caught:
        assert_same(right, matrix, transform=lambda function: wrong)
    assert "does not agree with itself" not in str(caught.value)


@pytest.mark.parametrize("name", PAIRS)
def test_same_function_is_accepted(name: str) -> None:
    right, _ = PAIRS[name]
    assert_same(right, matrix, transform=lambda function: right)


def test_arrays_among_globals_are_put_back() -> None:
    table = np.zeros(3)

    def count():
        table[1] += 1
        return table.copy()

    assert_same(count, transform=lambda function: function)
    assert table.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(AssertionError):
        assert_same(count, transform=lambda function: lambda: count() * 0 + 1)
