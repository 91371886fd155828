"""What the NumPy domain claims, how it describes and guards it, what it says when it declines."""

from __future__ import annotations

import operator
import pickle
import subprocess
import sys

import pytest

from symexec.domains.numpy import ArraySpec, NumPyDomain, ScalarSpec, TupleSpec
from symexec.domains.scalars import ScalarDomain
from symexec.errors import ArgumentError, InternalError, MissingExtraError, SymexecError
from symexec.values.domain import Declined, Request, Result, Static
from symexec.values.graph import Kind, Node
from symexec.values.guard import Equals, Is, TypeIs
from symexec.values.model import Traced
from symexec.values.origin import Attribute, Local
from tests.domains.expressions import ask, parse, symbol

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

CLAIMED = [
    np.ones(3),
    np.ones((2, 0), np.int8),
    np.zeros((), bool),
    np.float32(1),
    np.bool(True),
    np.complex64(1),
    np.int64(3),
]


class Liar:
    """Says it is an array; looking must not run its code."""

    @property
    def __class__(self):
        raise AssertionError

    def __eq__(self, other):
        raise AssertionError

    def __hash__(self):
        raise AssertionError

    def __getattribute__(self, name):
        raise AssertionError


class Meta(type):
    """Classes whose hash must not be asked for."""

    def __hash__(cls):
        raise AssertionError

    def __eq__(cls, other):
        raise AssertionError


class OfMeta(metaclass=Meta):
    pass


class Array(np.ndarray):
    pass


class Tuple(tuple):
    def __iter__(self):
        raise AssertionError


UNCLAIMED = [
    np.ones(3).view(Array),
    np.ma.ones(3),
    np.array([None]),
    np.array(["a"]),
    np.zeros(2, "i4,f4"),
    np.zeros(2, "V3"),
    np.zeros(2, "M8[s]"),
    np.ones(2, ">f8" if sys.byteorder == "little" else "<f8"),
    np.ones(2, np.dtype("f8", metadata={"a": 1})),
    np.str_("a"),
    np.datetime64(1, "s"),
    np.void(b"a"),
    1,
    1.0,
    True,
    None,
    [np.ones(2)],
    (np.ones(2),),
    Tuple((1,)),
    Liar(),
    OfMeta(),
    OfMeta,
    np,
    np.ndarray,
    np.dtype(float),
]


@pytest.fixture
def domain():
    return NumPyDomain()


@pytest.fixture
def x(domain):
    return symbol(domain, np.ones((2, 3), np.float32))


def traced(domain, answer):
    """A value as the answer describes it."""
    assert isinstance(answer, Result), answer
    node = Node(0, Kind.INPUT, "x", (), (), answer.type, answer.spec)
    return Traced(node, answer.type, answer.spec, domain.name)


@pytest.mark.parametrize("value", CLAIMED, ids=repr)
def test_arrays_and_scalars_of_numbers_are_claimed(domain, value):
    assert domain.claims(value)
    spec = domain.describe(value)
    assert domain.owns(spec)
    assert domain.type_of(spec) is type(value)
    assert spec == domain.describe(value.copy())
    assert hash(spec) == hash(domain.describe(value.copy()))


@pytest.mark.parametrize("index", range(len(UNCLAIMED)))
def test_everything_else_is_not_and_its_code_does_not_run(domain, index):
    value = UNCLAIMED[index]
    assert not domain.claims(value)
    assert not domain.handles(value) or value is np.ndarray or type(value) is type(np.dtype(float))


def test_specs_are_readable_and_differ_by_dtype_and_shape(domain):
    assert str(domain.describe(np.ones(4, np.float32))) == "float32[4]"
    assert str(domain.describe(np.ones((2, 3)))) == "float64[2, 3]"
    assert str(domain.describe(np.ones(()))) == "float64[]"
    assert str(domain.describe(np.int8(1))) == "int8"
    specs = {domain.describe(np.ones(shape, char)) for shape in [(), (1,), (1, 1)] for char in "?bBhHiIlLefdgFDG"}
    assert len(specs) == 3 * 16
    assert domain.array("float32", (4,)) == domain.describe(np.ones(4, np.float32))
    assert domain.scalar(np.int8) == domain.describe(np.int8(1))
    assert not domain.owns(ArraySpec(np.dtype(object), (2,)))
    assert not domain.owns("float32[4]")
    for wrong in (object, "S3", "nothing", ">i4", None, 3):
        with pytest.raises(ArgumentError):
            domain.array(wrong, (2,))


def test_long_long_is_not_claimed_where_it_is_another_name_of_long(domain):
    if np.dtype("q") is np.dtype("i8"):
        pytest.skip("long long is the only integer of its size here")
    assert not domain.claims(np.ones(2, "q"))
    assert not domain.claims(np.longlong(1))


def test_guards_look_at_type_then_dtype_then_shape(domain):
    origin = Local(0, "x")
    spec = domain.describe(np.ones((2, 3), np.float32))
    assert domain.guards(origin, spec) == [
        (origin, TypeIs(np.ndarray)),
        (Attribute(origin, "dtype"), Is(np.dtype("float32"))),
        (Attribute(origin, "shape"), Equals((2, 3), typed=False)),
    ]
    assert domain.guards(origin, domain.describe(np.int8(1))) == [(origin, TypeIs(np.int8))]
    with pytest.raises(InternalError):
        domain.guards(origin, TupleSpec(tuple, (spec,)))
    with pytest.raises(InternalError):
        domain.guards(origin, "float32[3]")


def holds(check, value):
    """Whether a check holds, as the trace would see it."""
    match check:
        case TypeIs(type=kind):
            return type(value) is kind
        case Is(value=other):
            return value is other
        case Equals(value=other):
            return value == other


def test_guards_hold_for_exactly_what_has_the_same_spec(domain):
    values = [*CLAIMED, *UNCLAIMED[:9], *(np.ones(s, c) for s in [(), (3,), (3, 1)] for c in "?bBhHiIlLqQefdgFDG")]
    values += [pickle.loads(pickle.dumps(value)) for value in values if isinstance(value, np.ndarray)]
    claimed = [value for value in values if domain.claims(value)]
    for first in claimed:
        guards = domain.guards(Local(0, "x"), domain.describe(first))
        for other in values:
            expected = domain.claims(other) and domain.describe(other) == domain.describe(first)
            found = True
            for origin, check in guards:
                steps = []
                while isinstance(origin, Attribute):
                    steps.append(origin.name)
                    origin = origin.base
                reached = other
                for name in reversed(steps):
                    reached = getattr(reached, name)
                found = holds(check, reached)
                if not found:
                    break
            same_but_own_dtype = (
                found and not domain.describe(first).singleton if isinstance(first, np.ndarray) else False
            )
            assert found == expected or same_but_own_dtype, (first.dtype, other, guards)


def test_an_unpickled_array_has_a_dtype_of_its_own_which_is_not_shown(domain):
    array = pickle.loads(pickle.dumps(np.ones((2, 3), np.float32)))
    assert array.dtype is not np.dtype("float32")
    spec = domain.describe(array)
    assert spec == ArraySpec(np.dtype("float32"), (2, 3), singleton=False)
    names = {
        "np": np,
        "x": symbol(domain, array),
        "y": symbol(domain, np.ones(3, np.float32)),
        "z": symbol(domain, array),
    }
    assert isinstance(ask(domain, parse("x.dtype"), names), Declined)
    assert isinstance(ask(domain, parse("np.result_type(x, x)"), names), Declined)
    assert ask(domain, parse("x.shape"), names) == Static((2, 3))
    for text in ("x + y", "x + x", "x[0]", "np.stack([x, z])", "x.T", "np.where(x, x, y)", "divmod(x, y)"):
        answer = ask(domain, parse(text), names)
        again = traced(domain, answer)
        if isinstance(answer.spec, TupleSpec):
            again = traced(domain, ask(domain, parse("t[0]"), {"t": again}))
        assert isinstance(ask(domain, parse("x.dtype"), {"x": again}), Declined), text
    assert ask(domain, parse("x.sum()"), names).spec == ScalarSpec(np.dtype("float32"))
    converted = traced(domain, ask(domain, parse("x.astype('float32')"), names))
    assert ask(domain, parse("x.dtype"), {"x": converted}) == Static(np.dtype("float32"))


IN_PLACE = "iadd isub imul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor imatmul"


@pytest.mark.parametrize("name", IN_PLACE.split())
def test_in_place_operators_are_declined_for_arrays_alone(domain, x, name):
    in_place = getattr(operator, name)
    plain = getattr(operator, {"iand": "and_", "ior": "or_"}.get(name, name[1:]))
    answer = domain.apply(Request(Kind.CALL, in_place, (x, x)))
    assert isinstance(answer, Declined)
    assert "in place" in answer.why
    assert "x = x + y" in answer.hint
    for left in (symbol(domain, np.float64(2.0)), symbol(domain, np.int8(3)), 2, 2.5):
        request = Request(Kind.CALL, in_place, (left, symbol(domain, np.ones(3, np.int8))))
        assert domain.apply(request) == domain.apply(Request(Kind.CALL, plain, request.args))


def test_what_is_declined_says_why(domain, x):
    b = symbol(domain, np.ones(3, bool))
    names = {"np": np, "x": x, "b": b}
    for text, why in {
        "x.item()": "data",
        "bool(x)": "data",
        "x[b]": "mask",
        "np.unique(x)": "shape of its result depends",
        "x.sort()": "in place",
        "np.empty(3)": "memory",
        "x.strides": "memory",
        "x.nothing()": "method nothing",
        "x + None": "neither an array",
        "np.random.rand(3)": "not in the vocabulary",
        "x @ x": "shapes",
    }.items():
        answer = ask(domain, parse(text), names)
        assert isinstance(answer, Declined), text
        assert why in answer.why, (text, answer.why)


def test_values_of_other_domains_are_no_operands_but_python_numbers_are(domain, x):
    number = symbol(ScalarDomain(), 2.0)
    stranger = Traced(number.node, object, "what", "elsewhere")
    assert isinstance(domain.apply(Request(Kind.CALL, operator.add, (x, number))), Result)
    assert isinstance(domain.apply(Request(Kind.CALL, operator.add, (x, stranger))), Declined)
    assert isinstance(domain.apply(Request(Kind.CALL, np.sum, ([x, stranger],))), Declined)


def test_python_numbers_among_themselves_are_none_of_its_business(domain):
    names = {"k": symbol(ScalarDomain(), 2.0), "n": symbol(ScalarDomain(), 2)}
    for text in ("k + n", "-k", "n ** 2", "True + n", "abs(k)", "divmod(k, n)", "k < n"):
        assert isinstance(ask(domain, parse(text), names), Declined), text


def test_the_vocabulary_is_what_lives_as_long_as_the_process(domain):
    for word in (np.sin, np.sum, np.zeros, np.float32, np.linalg.inv, np.floating, np.dtype("f4"), np.finfo, np.dtype):
        assert domain.handles(word), word
    made = np.frompyfunc(abs, 1, 1)
    for word in (
        made,
        np.random.rand,
        np.vectorize,
        np.apply_along_axis,
        np.save,
        np.seterr,
        np.errstate,
        len,
        abs,
        float,
    ):
        assert not domain.handles(word), word
    assert not domain.handles(np.dtype("i4,f4"))
    assert not domain.handles(Liar())


def test_tuples_of_results_are_looked_into(domain, x):
    pair = traced(domain, ask(domain, parse("divmod(x, 2)"), {"x": x}))
    assert str(pair.spec) == "(float32[2, 3], float32[2, 3])"
    assert ask(domain, parse("len(p)"), {"p": pair}) == Static(2)
    assert ask(domain, parse("p[1]"), {"p": pair}).spec == x.spec
    assert ask(domain, parse("p[-2]"), {"p": pair}).spec == x.spec
    assert isinstance(ask(domain, parse("p[2]"), {"p": pair}), Declined)
    square = symbol(domain, np.eye(3))
    eigen = traced(domain, ask(domain, parse("np.linalg.eigh(x)"), {"np": np, "x": square}))
    assert ask(domain, parse("e.eigenvalues"), {"e": eigen}).spec == ArraySpec(np.dtype(float), (3,))
    assert isinstance(ask(domain, parse("e.nothing"), {"e": eigen}), Declined)


def test_dtypes_can_be_asked(domain):
    names = {"np": np, "d": np.dtype("float32"), "o": np.dtype("i4,f4")}
    attributes = ("d.kind", "d.itemsize", "d.name", "d.char", "d.type")
    for text in (
        *attributes,
        "d == np.float32",
        "d == 'f4'",
        "d != float",
        "d == d",
        "np.float64 == d",
        "d != np.int8",
    ):
        answer = ask(domain, parse(text), names)
        assert isinstance(answer, Static), text
        assert answer.value == eval(text, names)
        assert type(answer.value) is type(eval(text, names))
    for text in (
        "d.fields",
        "o.kind",
        "o == d",
        "d == None",
        "d == 3",
        "d < d",
        "d == np.floating",
        "d.newbyteorder()",
    ):
        assert isinstance(ask(domain, parse(text), names), Declined), text


def test_limits_of_numbers(domain):
    info = traced(domain, ask(domain, parse("np.finfo(np.float32)"), {"np": np}))
    assert str(info.spec) == "finfo(float32)"
    for name in ("eps", "max", "min", "tiny", "resolution", "bits", "nmant"):
        answer = ask(domain, parse(f"i.{name}"), {"i": info})
        real = getattr(np.finfo(np.float32), name)
        assert answer == (Static(real) if type(real) is int else Result(np.float32, ScalarSpec(np.dtype("f4"))))
    whole = traced(domain, ask(domain, parse("np.iinfo('i4')"), {"np": np}))
    assert ask(domain, parse("i.max"), {"i": whole}) == Static(2**31 - 1)
    assert isinstance(ask(domain, parse("np.finfo(int)"), {"np": np}), Declined)
    assert isinstance(ask(domain, parse("i.dtype"), {"i": info}), Declined)


def test_memory_of_answers_is_bounded(domain):
    for size in range(5000):
        domain.apply(Request(Kind.CALL, np.zeros, (size,)))
    assert len(domain._answers._remembered) <= 4096


def test_views_and_elements_run_no_foreign_code_and_the_rest_may(domain, x):
    names = {"np": np, "x": x, "i": symbol(domain, np.array([0]))}
    for text in ("x.T", "x[0]", "x[:, 1:]", "x[0, 1]", "x.transpose()", "x.swapaxes(0, 1)"):
        assert not ask(domain, parse(text), names).foreign, text
    for text in ("x + x", "x.sum()", "np.sin(x)", "x[i]", "x.reshape(-1)", "np.flip(x)"):
        assert ask(domain, parse(text), names).foreign, text


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_numpy_is_not_imported_before_a_domain_is_made():
    found = run(
        "import sys, symexec.domains.numpy as module\n"
        "assert 'numpy' not in sys.modules\n"
        "module.NumPyDomain()\n"
        "print('numpy' in sys.modules)"
    )
    assert found.stdout.strip() == "True", found.stderr


def test_without_numpy_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtraError, match=r"symexec\[numpy\]") as caught:
        NumPyDomain()
    assert isinstance(caught.value, SymexecError)
    assert isinstance(caught.value, ImportError)


def test_an_old_numpy_is_refused(monkeypatch):
    monkeypatch.setattr(np, "__version__", "1.26.4")
    with pytest.raises(MissingExtraError, match=r"not 1\.26\.4"):
        NumPyDomain()
