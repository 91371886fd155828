"""Every program gives plain Python's results compiled, three calls each; and at least 29 become one graph.

"Captured whole" means: one trace from entry to return, no break, and the operations counted.
Where the shared corpus lies beside the project its programs are run as well.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import partial

import attrs
import pytest

import symexec
from symexec.domains.numpy import NumPyDomain
from symexec.values.domain import Domain
from tests.corpus.programs import PROGRAMS, Maker, Program
from tests.support import assert_same
from tests.support.run import Arguments
from tests.support.shared import NOT_THERE, SHARED
from tests.typing.vectors import Vector, VectorDomain

if importlib.util.find_spec("numpy") is not None:
    pass  # its state is compared: it must not be loaded by what is compared

ALWAYS = symexec.Config(install="always", strict=True)
SHARED_FILE = SHARED / "corpus.py"
LEAST_WHOLE = 29
OUTSIDE = frozenset({"SX4001", "SX5101"})  # branches on data, and output

WHOLE_IN_SHARED = frozenset(
    """
    arith5 arith100 loop10 loop100 loop1000 pyloop1000 whileloop helper_d1 helper_d5 helper_d20 closure_cells
    closure_nonlocal args_kwargs build_unpack comprehension fstring_const class_methods class_construct dataclass_obj
    config_pipeline with_stmt generator_sum try_except mutate_list mutate_dict mutate_obj mutate_counter fib_rec
    mlp50
    """.split()
)


@attrs.frozen
class Flavour:
    """What the programs run on."""

    make: Maker
    domain: Callable[[], Domain]

    def compile(self, function: Callable[..., object]) -> Callable[..., object]:
        """Compiled with every trace installed."""
        return symexec.compile(function, config=ALWAYS, domains=[self.domain()])

    def run(self, function: Callable[..., object], make: Callable[[Maker], tuple[object, ...]]) -> symexec.Stats:
        """Three calls, plain against compiled; what the compiled function has come to."""
        compiled = assert_same(function, *[partial(positional, make, self.make)] * 3, transform=self.compile)
        return symexec.stats(compiled)


def positional(make: Callable[[Maker], tuple[object, ...]], operand: Maker) -> Arguments:
    """Arguments made anew.  It mentions nothing, so that little is reached, and compared, through it."""
    return make(operand), {}


def make_array(values: list[float]) -> object:
    import numpy as np

    return np.array(values, dtype=np.float32)


ARRAYS = Flavour(make_array, NumPyDomain)
VECTORS = Flavour(Vector, VectorDomain)
HAS_NUMPY = importlib.util.find_spec("numpy") is not None
NO_NUMPY = pytest.mark.skipif(not HAS_NUMPY, reason="NumPy is not installed here")
if HAS_NUMPY:
    importlib.import_module("numpy.random")  # its state is compared: what is compared must not be the first to load it
every_flavour = pytest.mark.parametrize(
    "flavour", [pytest.param(ARRAYS, id="arrays", marks=NO_NUMPY), pytest.param(VECTORS, id="vectors")]
)


@every_flavour
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_program(program: Program, flavour: Flavour) -> None:
    figures = flavour.run(program.function, program.arguments)
    assert figures.fallbacks == 0
    if program.whole is None:
        assert figures.breaks
        assert {reason.code for reason in figures.breaks} <= OUTSIDE
    else:
        assert figures.breaks == ()
        assert (figures.traces, figures.misses) == (1, 1)
        assert figures.operations == program.whole


def test_there_are_as_many_programs_as_should_be() -> None:
    assert len(PROGRAMS) == len({program.name for program in PROGRAMS}) == 36
    assert sum(program.whole is not None for program in PROGRAMS) >= LEAST_WHOLE
    assert len(WHOLE_IN_SHARED) == LEAST_WHOLE


def shared_cases() -> dict[str, object]:
    """The shared corpus's cases by name; none where it is not there."""
    if not SHARED_FILE.exists():
        return {}
    spec = importlib.util.spec_from_file_location("shared_corpus", SHARED_FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return {case.name: case for case in module.CASES}


SHARED_CASES = shared_cases()


@pytest.mark.skipif(not SHARED_CASES, reason=NOT_THERE)
@every_flavour
@pytest.mark.parametrize("name", SHARED_CASES)
def test_shared_program(name: str, flavour: Flavour) -> None:
    case = SHARED_CASES[name]
    figures = flavour.run(case.fn, case.make_args)
    assert figures.fallbacks == 0
    if name in WHOLE_IN_SHARED:
        assert figures.breaks == ()
        assert (figures.traces, figures.misses) == (1, 1)
        assert figures.operations > 0
    else:
        assert figures.breaks
        assert {reason.code for reason in figures.breaks} <= OUTSIDE


@pytest.mark.skipif(not SHARED_CASES, reason=NOT_THERE)
def test_the_shared_corpus_is_the_one_that_is_meant() -> None:
    assert len(SHARED_CASES) == 36
    assert WHOLE_IN_SHARED <= SHARED_CASES.keys()
