"""Functions that `allow_in_graph` makes single operations: what may be done with their results."""

from __future__ import annotations

import pytest

import symexec
from symexec.domains.numpy import NumPyDomain
from symexec.domains.scalars import ScalarSpec
from symexec.values.graph import Kind

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

NUMPY = NumPyDomain()


def unknown(x):
    return x * 3


def triple(x):
    return x * 3


def total(x):
    return float(x.sum())


def pair(x):
    return x


@pytest.fixture(autouse=True)
def allowed() -> None:
    symexec.allow_in_graph(unknown)
    symexec.allow_in_graph(triple, result=lambda arguments: arguments[0])
    symexec.allow_in_graph(total, result=lambda arguments: ScalarSpec(float))
    symexec.allow_in_graph(pair, result=lambda arguments: "nobody's")


def pass_on(x):
    return unknown(x)


def use_unknown(x):
    return unknown(x) + 1


def use(x):
    y = triple(x) + 1
    return y.sum() * y.shape[0], triple(y)


def use_number(x):
    return total(x) / 2 + 1


def use_undescribed(x):
    return pair(x) + 1


def test_a_call_is_one_operation() -> None:
    assert symexec.allow_in_graph(unknown) is unknown
    captured = symexec.trace(pass_on)(np.ones(2))
    (operation,) = captured.graph.operations
    assert operation.kind is Kind.CALL and operation.target is unknown
    assert np.array_equal(captured(np.ones(2)), np.full(2, 3.0))


def test_without_a_declared_result_it_is_only_passed_on() -> None:
    with pytest.raises(symexec.GraphBreakError, match="nothing is known of what the allowed function gave"):
        symexec.trace(use_unknown)(np.ones(2))


def test_a_declared_result_is_a_value_of_its_domain() -> None:
    captured = symexec.trace(use)(np.ones(2))
    targets = [operation.target for operation in captured.graph.operations]
    assert targets.count(triple) == 2 and len(targets) == 5
    expected = use(np.arange(2.0))
    number, array = captured(np.arange(2.0))
    assert number == expected[0] and np.array_equal(array, expected[1])


def test_in_a_compiled_function() -> None:
    fast = symexec.compile(use, fullgraph=True)
    for x in (np.ones(2), np.arange(2.0)):
        (number, array), expected = fast(x), use(x)
        assert number == expected[0] and np.array_equal(array, expected[1])
    assert symexec.stats(fast).traces == 1


def test_a_symbol() -> None:
    captured = symexec.trace(use)(symexec.symbol("x", NUMPY.array("float32", (5,))))
    assert [str(node.spec) for node in captured.graph.outputs] == ["float32", "float32[5]"]


def test_a_number() -> None:
    captured = symexec.trace(use_number)(np.ones(2))
    assert captured.graph.outputs[0].type is float
    assert captured(np.arange(2.0)) == use_number(np.arange(2.0))


def test_a_result_that_no_domain_owns() -> None:
    with pytest.raises(symexec.GraphBreakError, match=r"no domain owns the spec .* that was declared for pair"):
        symexec.trace(use_undescribed)(np.ones(2))
