"""The rules, applied to the source: the package that is imported, and the files around it where they are present."""

from __future__ import annotations

from pathlib import Path

import pytest

import symexec
from tests.architecture import layers, style
from tests.architecture.source import Source, sources_in

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = sources_in(Path(symexec.__file__).parent, "symexec")
MODULES = frozenset(source.name for source in PACKAGE)
AROUND = [
    source
    for folder in ("tests", "benchmarks", "examples", "tools")
    for source in sources_in(PROJECT / folder, folder)
]


def assert_obeyed(check, sources: list[Source], *arguments: object) -> None:
    complaints = [complaint for source in sources for complaint in check(source, *arguments)]
    assert not complaints, "\n".join(complaints)


def test_the_source_was_found() -> None:
    assert {"symexec", "symexec.errors", "symexec.bytecode", "symexec.values"} <= MODULES
    assert "tests.architecture.test_architecture" in {source.name for source in AROUND}


def test_layers() -> None:
    assert_obeyed(layers.check_layers, PACKAGE, MODULES)


def test_function_imports() -> None:
    assert_obeyed(layers.check_function_imports, PACKAGE, layers.modules_behind_options(PACKAGE))


@pytest.mark.parametrize(
    "check",
    [style.check_versions, style.check_sizes, style.check_any, style.check_names],
    ids=lambda check: check.__name__,
)
def test_package(check) -> None:
    assert_obeyed(check, PACKAGE)


@pytest.mark.parametrize("check", [style.check_silencing, style.check_head], ids=lambda check: check.__name__)
def test_package_and_all_around_it(check) -> None:
    assert_obeyed(check, PACKAGE + AROUND)
