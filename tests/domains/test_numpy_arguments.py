"""What a NumPy domain says to shapes, symbols and subscripts."""

from __future__ import annotations

import pytest

import symexec
from symexec.domains.numpy import NumPyDomain
from symexec.errors import ArgumentError

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


def double(x):
    return x * 2


@pytest.mark.parametrize("shape", [3, [3, 2], (None, 2), (-2,), (1.0,)], ids=str)
def test_shapes(shape) -> None:
    with pytest.raises(ArgumentError, match="is no shape: give a tuple of ints"):
        NumPyDomain().array("float64", shape)


def test_a_symbol_is_an_input_under_the_name_of_its_parameter() -> None:
    captured = symexec.trace(double)(symexec.symbol("anything", NumPyDomain().array("float64", (2,))))
    assert captured.input_paths == ("x",)
    assert repr(captured) == "<Captured double: 1 operations, 3 guards, 0 effects>"
    assert np.array_equal(captured(np.ones(2)), np.full(2, 2.0))


def test_subscripts_are_written_as_in_python() -> None:
    def views(x):
        return x[:, None, 1:-1], x[..., 0], x[::2], x[(1,)], x[:, (0, 1)], x[()]

    text = str(symexec.trace(views)(np.ones((4, 4))).graph)
    assert [line.split(" = v0")[1].split("  #")[0] for line in text.splitlines() if " = v0[" in line] == [
        "[:, None, 1:-1]", "[..., 0]", "[::2]", "[(1,)]", "[:, (0, 1)]", "[()]"
    ]  # fmt: skip
