"""The package as its users see it."""

from __future__ import annotations

import types

import symexec.analysis
from symexec.analysis import Analysis
from symexec.bytecode.decode import decode
from tests.analysis.corpus import sampled_routines
from tests.analysis.programs import sequential_ifs


def test_public_names_exist() -> None:
    assert sorted(symexec.analysis.__all__, key=str.upper) == sorted(set(symexec.analysis.__all__), key=str.upper)
    assert all(hasattr(symexec.analysis, name) for name in symexec.analysis.__all__)


def test_results_are_made_once() -> None:
    analysis = Analysis(decode(sequential_ifs.__code__))
    assert analysis.flow is analysis.flow
    assert analysis.liveness is analysis.liveness
    assert analysis.stack.shapes is analysis.assignment.shapes is analysis.shapes
    assert analysis.landings.flow is analysis.flow
    assert analysis.structure is analysis.structure


def test_the_routine_is_left_as_it_was() -> None:
    for routine in list(sampled_routines())[::50]:
        before = list(routine.instructions)
        analysis = Analysis(routine)
        assert analysis.landings.allowed
        assert analysis.structure is not None
        assert analysis.assignment is not None
        assert all(old is new for old, new in zip(before, routine.instructions, strict=True))


def test_twenty_thousand_branches() -> None:
    namespace: dict[str, types.FunctionType] = {}
    exec(sequential_ifs(20_000), namespace)
    analysis = Analysis(decode(namespace["f"].__code__))
    count = len(analysis.routine.instructions)
    assert count > 100_000
    assert len(analysis.flow.blocks) >= 40_000
    assert analysis.liveness.before(count - 2) == 0b10
    assert analysis.stack.deepest == 1
    assert analysis.assignment.bound(count - 1) == 0b11
    assert list(analysis.structure.blocks) == []
    assert analysis.landings.after(0) == [1]
    assert sum(analysis.landings.allowed) > 60_000
