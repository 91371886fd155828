"""Whatever fails inside symexec, the program runs as written; `Config(strict=True)` tells."""

from __future__ import annotations

import pytest

import symexec
from symexec.runtime.record import Record


def function(x):
    return x * 2.0 + 1.0


@pytest.mark.parametrize("method", ["_add_anchor", "_install", "_translator", "_settle", "_keep"])
def test_an_error_of_symexec_itself_is_logged_and_the_function_runs_as_written(
    method: str, monkeypatch: pytest.MonkeyPatch, no_internal_errors: list[str]
) -> None:
    assert callable(getattr(Record, method))

    def fail(*_: object) -> object:
        raise LookupError("made to fail")

    monkeypatch.setattr(Record, method, fail)
    compiled = symexec.compile(function, domains=["scalars"])
    assert [compiled(2.0), compiled(3.0)] == [5.0, 7.0]
    assert [("made to fail" in error) for error in no_internal_errors] == [True]
    no_internal_errors.clear()


def test_strict_lets_the_error_out(monkeypatch: pytest.MonkeyPatch, no_internal_errors: list[str]) -> None:
    def fail(*_: object) -> object:
        raise LookupError("made to fail")

    monkeypatch.setattr(Record, "_settle", fail)
    compiled = symexec.compile(function, domains=["scalars"], config=symexec.Config(strict=True))
    with pytest.raises(LookupError, match="made to fail"):
        compiled(2.0)
    assert compiled(2.0) == 5.0  # it asks no more
    no_internal_errors.clear()
