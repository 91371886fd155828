"""Places as text, with the source line and carets."""

from __future__ import annotations

import linecache
import os
from pathlib import Path

import pytest

from symexec.errors import BreakReason, Place
from symexec.report.places import excerpt, line_text, place_text, reason_text, short_path

SOURCE = "def f(x):\n    größe = x.größe + g(x)\n    return h(\n        größe,\n    )\n"


@pytest.fixture
def name(tmp_path: Path) -> str:
    path = tmp_path / "source.py"
    path.write_text(SOURCE, encoding="utf-8")
    linecache.checkcache(str(path))
    return str(path)


def byte_columns(line: int, text: str) -> tuple[int, int]:
    source = SOURCE.splitlines()[line - 1].encode()
    start = source.index(text.encode())
    return start, start + len(text.encode())


def test_carets_count_characters_not_bytes(name: str) -> None:
    start, end = byte_columns(2, "g(x)")
    place = Place(name, "f", 2, start, 2, end)
    assert excerpt(place) == ["größe = x.größe + g(x)", "                  ^^^^"]
    assert place_text(place) == f"{name}:2:23, in f"


def test_of_several_lines_the_first_is_marked_to_its_end(name: str) -> None:
    start, _ = byte_columns(3, "h(")
    assert excerpt(Place(name, "f", 3, start, 5, 5)) == ["return h(", "       ^^"]


def test_without_columns_there_are_no_carets(name: str) -> None:
    assert excerpt(Place(name, "f", 2)) == ["größe = x.größe + g(x)"]
    assert place_text(Place(name, "f", 2)) == f"{name}:2, in f"


def test_without_source_there_is_the_place_alone() -> None:
    place = Place("<string>", "f", 2, 4, 2, 8)
    assert excerpt(place) == []
    assert place_text(place) == "<string>:2:5, in f"
    assert excerpt(Place("<string>", "f", None)) == [] and line_text(Place("<string>", "f", None)) == "<string>:?"


def test_beyond_the_end_of_the_file(name: str) -> None:
    assert excerpt(Place(name, "f", 99, 4, 99, 8)) == []


def test_paths_are_relative_inside_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert short_path(str(tmp_path / "a" / "b.py")) == os.path.join("a", "b.py")
    assert short_path(str(tmp_path.parent / "b.py")) == str(tmp_path.parent / "b.py")
    assert short_path("<stdin>") == "<stdin>"


def test_reason(name: str) -> None:
    start, end = byte_columns(2, "x.größe")
    where = Place(name, "f", 2, start, 2, end)
    assert reason_text(BreakReason("SX1234", where, "no", "do")) == (
        f"SX1234 at {name}:2:13, in f\n"
        "    größe = x.größe + g(x)\n"
        "            ^^^^^^^\n"
        "  why:  no\n"
        "  hint: do"
    )
    assert "hint" not in reason_text(BreakReason("SX1234", where, "no"))
