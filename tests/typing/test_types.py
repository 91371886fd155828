"""The tool passes the type checker under the project's own settings, and mistakes in such a tool are found."""

from __future__ import annotations

from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api", reason="mypy is not installed for this Python")

ROOT = Path(__file__).parents[2]

MISTAKES = """
from symexec import compile, symbol, trace
from symexec.values.domain import Domain
from tests.typing.vectors import Vector, VectorDomain


class Half:
    name = "half"

    def claims(self, value: object) -> bool:
        return False


half: Domain = Half()
whole: Domain = VectorDomain()


@compile
def double(x: Vector) -> Vector:
    return x * 2


double("a")
wrong: int = double(Vector([1.0]))
right: Vector = double(Vector([1.0]))
"""


def check(*files: Path) -> tuple[str, int]:
    """What mypy says, and its exit status."""
    report, errors, status = api.run(["--config-file", str(ROOT / "mypy.ini"), "--no-pretty", *map(str, files)])
    assert not errors
    return report, status


def test_the_tool_is_strictly_typed() -> None:
    folder = Path(__file__).parent
    report, status = check(folder / "vectors.py", folder / "tool.py", folder / "test_tool.py")
    assert status == 0, report


def test_mistakes_are_found(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(MISTAKES)
    report, status = check(program)
    assert status == 1, report
    lines = MISTAKES.splitlines()
    wrong = {int(line.split(":")[1]) for line in report.splitlines() if ": error: " in line}
    assert {lines[number - 1] for number in wrong} == {
        "half: Domain = Half()",
        'double("a")',
        "wrong: int = double(Vector([1.0]))",
    }
