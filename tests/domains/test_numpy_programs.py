"""NumPy as people write it: captured whole, compiled to the same results, traced on symbols alone."""

from __future__ import annotations

import pickle

import pytest

import symexec
from symexec.domains.numpy import NumPyDomain
from symexec.values.graph import evaluate
from tests.support import arguments, assert_same

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
programs = pytest.importorskip("tests.domains.numpy_programs")

NAMES = [function.__name__ for function, _ in programs.WHOLE]
BY_NAME = {function.__name__: (function, args) for function, args in programs.WHOLE}


@pytest.mark.parametrize("name", NAMES)
def test_each_program_is_one_graph_and_gives_what_python_gives(name):
    function, args = BY_NAME[name]
    compiled = assert_same(function, lambda: arguments(*(arg.copy() for arg in args)))
    stats = symexec.stats(compiled)
    assert [str(reason) for reason in stats.breaks] == []
    assert stats.traces == 1
    assert stats.operations >= 2


@pytest.mark.parametrize("name", NAMES)
def test_each_program_is_traced_on_symbols_alone(name):
    function, args = BY_NAME[name]
    domain = NumPyDomain()
    names = function.__code__.co_varnames
    symbols = [symexec.symbol(names[at], domain.describe(arg)) for at, arg in enumerate(args)]
    captured = symexec.trace(function, domains=[domain])(*symbols)
    assert_same(function, lambda: arguments(*args), transform=lambda _: captured.function)
    for node in captured.graph.operations:
        assert node.place is not None
        assert str(node.spec)


@pytest.mark.parametrize("name", NAMES)
def test_every_node_has_the_type_and_spec_that_it_says(name):
    function, args = BY_NAME[name]
    domain = NumPyDomain()
    captured = symexec.trace(function, domains=[domain])(*args)
    graph = captured.graph
    given = {node: arg for node in graph.inputs for arg in [_value_of(node, function, args)]}
    graph.outputs = tuple(graph.nodes)
    for node, value in zip(graph.nodes, evaluate(graph, [given[node] for node in graph.inputs]), strict=True):
        assert type(value) is node.type, node
        if domain.claims(value):
            assert domain.describe(value) == node.spec, node


def _value_of(node, function, args):
    """What an input node stands for: an argument or a global."""
    names = function.__code__.co_varnames[: len(args)]
    return dict(zip(names, args, strict=True)).get(str(node.target), getattr(programs, str(node.target), None))


def in_place(x, y):
    z = x + y
    z += 1
    z[0] = y[0]
    np.maximum(z, 0, out=z)
    return z * 2


def grows(x):
    x.sort()
    x += 1
    return x[x > 2]


def views(x):
    row = x[0]
    turned = x.T
    flat = x.reshape(-1)
    row[0] = 10.0
    return turned, flat, row + 1


def raises(x, y):
    scaled = x * 2
    return scaled @ y + 1


def item(x):
    total = x.sum()
    if float(total) > 3:
        return x / total.item()
    return x


def random_draw(x):
    rng = np.random.default_rng(3)
    return x + rng.normal(size=x.shape) * 2


def of_many_kinds(x):
    return x * 2 + x.sum()


MATRIX = np.arange(6.0).reshape(2, 3)


def test_writes_into_arrays_happen_once_and_where_they_are_written():
    assert_same(in_place, lambda: arguments(MATRIX.copy(), MATRIX.copy()))
    assert_same(grows, lambda: arguments(np.array([3.0, 1.0, 2.0])))
    assert_same(views, lambda: arguments(MATRIX.copy()))


def test_shape_errors_are_numpys_own():
    assert_same(raises, lambda: arguments(MATRIX, MATRIX))
    assert_same(raises, lambda: arguments(MATRIX, MATRIX.T.copy()), lambda: arguments(MATRIX, np.ones(4)))


def test_data_dependent_programs_run_as_written():
    assert_same(item, lambda: arguments(MATRIX), lambda: arguments(MATRIX - 10))
    assert_same(random_draw, lambda: arguments(MATRIX))


def test_each_dtype_and_shape_has_its_own_trace_and_no_other_is_used():
    kinds = [
        MATRIX,
        MATRIX.astype("f4"),
        MATRIX.astype(int),
        MATRIX[0],
        MATRIX.T,
        np.float64(2),
        np.float32(3),
        MATRIX > 2,
    ]
    kinds += [
        pickle.loads(pickle.dumps(MATRIX)),
        MATRIX.astype(">f8"),
        MATRIX.astype(object),
        np.ma.array(MATRIX),
        3,
        2.5,
    ]
    compiled = symexec.compile(of_many_kinds)
    for kind in (*kinds[:6], *kinds[:6]):
        result, expected = compiled(kind), of_many_kinds(kind)
        assert type(result) is type(expected)
        assert result.dtype == expected.dtype
        assert np.array_equal(result, expected)
    assert symexec.stats(compiled).traces == 6
    for kind in kinds:
        fresh = (
            symexec.compile(lambda x: x * 2 + x.sum()) if hasattr(kind, "sum") else symexec.compile(lambda x: x * 2 + x)
        )
        found = [fresh(kind) for _ in range(3)]
        expected = kind * 2 + (kind.sum() if hasattr(kind, "sum") else kind)
        assert all(type(result) is type(expected) and np.array_equal(result, expected) for result in found)


def test_an_unpickled_array_is_captured_whole():
    array = pickle.loads(pickle.dumps(MATRIX))
    compiled = symexec.compile(of_many_kinds)
    for _ in range(3):
        assert np.array_equal(compiled(array), of_many_kinds(array))
    assert symexec.stats(compiled).traces == 1
    assert symexec.stats(compiled).breaks == ()
    assert np.array_equal(compiled(MATRIX), of_many_kinds(MATRIX))
    assert symexec.stats(compiled).traces == 1  # what holds for any dtype object holds for NumPy's own
    assert np.array_equal(compiled(MATRIX > 1), of_many_kinds(MATRIX > 1))
    assert symexec.stats(compiled).traces == 2
