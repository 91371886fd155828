"""The documentation is about this source: every break code has its entry, and every entry its code."""

from __future__ import annotations

import doctest
import re
import sys
from collections import Counter
from pathlib import Path

import attrs
import pytest

import symexec

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CODE = re.compile(r"\bSX\d{4}\b")

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not here")


def codes_in_source() -> set[str]:
    package = Path(symexec.__file__).parent
    return {code for path in package.rglob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}


def entries() -> dict[str, str]:
    """The text under each code's heading."""
    text = (DOCS / "breaks.md").read_text(encoding="utf-8")
    found = re.findall(r"^### (SX\d{4}): (.+?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    counts = Counter(code for code, _ in found)
    assert max(counts.values()) == 1, [code for code, count in counts.items() if count > 1]
    return dict(found)


def test_every_code_has_an_entry() -> None:
    assert codes_in_source() - entries().keys() == set()


def test_every_entry_has_a_code() -> None:
    assert entries().keys() - codes_in_source() == set()


def test_entries_are_in_order_and_say_what_to_do() -> None:
    found = entries()
    assert list(found) == sorted(found)
    silent = [code for code, text in found.items() if "**Do:**" not in text]
    assert silent == []


def test_limits_that_are_named_exist() -> None:
    fields = {field.name for field in attrs.fields(symexec.Config)}
    for path in (*DOCS.glob("*.md"), ROOT / "README.md"):
        named = re.findall(r"\bConfig\.([a-z_]+)|\bConfig\(([a-z_]+)=", path.read_text(encoding="utf-8"))
        assert {first or second for first, second in named} <= fields, path.name


def test_public_names_that_are_used_exist() -> None:
    for path in (*DOCS.glob("*.md"), ROOT / "README.md"):
        text = path.read_text(encoding="utf-8")
        unknown = {
            name
            for name in re.findall(r"\bsymexec\.([A-Za-z_]+)", text)
            if not hasattr(symexec, name) and not (Path(symexec.__file__).parent / name).is_dir()
        }
        assert unknown <= {"cli", "explore"}, path.name  # explore: design.md says that it comes later


def test_files_that_are_named_exist() -> None:
    for path in (DOCS / "breaks.md", ROOT / "README.md"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:tests|docs|examples|symexec|benchmarks)/[\w./]+)`", text):
            assert (ROOT / name).exists(), name


def test_the_readme_shows_real_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sessions are run in order; counts of instructions are those of CPython 3.13."""
    if sys.version_info[:2] != (3, 13):
        pytest.skip("the output shown is that of CPython 3.13")
    pytest.importorskip("numpy")
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    flags = doctest.ELLIPSIS
    tests = doctest.DocTestParser().get_doctest((ROOT / "README.md").read_text("utf-8"), {}, "README", "README.md", 0)
    assert len(tests.examples) > 15
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(tests, out=report.append)
    sys.modules.pop("examples.quickstart", None)
    assert result.failed == 0, "".join(report)


def test_the_readme_shows_the_quick_start_as_it_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert shown in (ROOT / "examples" / "quickstart.py").read_text(encoding="utf-8")
