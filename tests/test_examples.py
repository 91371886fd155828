"""The tour runs and what it says is true."""

from __future__ import annotations

import builtins
import importlib
import re
import sys

import pytest


def test_tour(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy")
    tour = importlib.import_module("examples.tour")
    tour.main()
    out = capsys.readouterr().out
    stations = re.split(r"^=== ", out, flags=re.MULTILINE)
    assert len(stations) == 7
    _, traced, called, compiled, stats, explained, emitted = stations
    assert "captured predict\n" in traced and "numpy.exp(" in traced and "type(prepare) is Standardizer" in traced
    assert called.rstrip().endswith("True") and compiled.rstrip().endswith("True")
    assert re.search(r"Stats\(traces=1, operations=2\d, .*breaks=\(\), misses=1, fallbacks=0", stats)
    assert re.findall(r"^loss (0\.\d+)$", explained, re.MULTILINE) == ["0.6931", "0.623", "0.5682"]
    assert "SX5101 at " in explained and "captured 2" in explained
    assert "commit:\n            totals['all'] = v3\n" in emitted


def test_tour_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name.partition(".")[0] == "numpy":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.delitem(sys.modules, "examples.tour", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(SystemExit, match="install numpy"):
        importlib.import_module("examples.tour")
