"""Each check finds what it is for, on small bad samples, and leaves the good ones alone."""

from __future__ import annotations

import pytest

from tests.architecture import layers, style
from tests.architecture.source import Source

MODULES = frozenset(
    f"symexec{name}"
    for name in (
        "", ".api", ".cli", ".config", ".errors", ".bytecode", ".bytecode.ops", ".analysis", ".analysis.flow",
        ".values", ".values.model", ".interpreter", ".interpreter.machine", ".capture", ".capture.plan", ".runtime",
        ".domains", ".domains.numpy", ".backends", ".report",
    )
)  # fmt: skip


def layer_complaints(name: str, text: str, *, is_package: bool = False) -> list[str]:
    return layers.check_layers(Source.from_text(name, text, is_package=is_package), MODULES)


FORBIDDEN_IMPORTS = [
    ("symexec.bytecode.ops", "import symexec.analysis"),
    ("symexec.bytecode.ops", "from symexec.analysis.flow import Flow"),
    ("symexec.analysis.flow", "from symexec import values"),
    ("symexec.values.model", "from symexec.interpreter import machine"),
    ("symexec.values.model", "from ..interpreter.machine import Machine"),
    ("symexec.values", "from ..interpreter import Machine"),
    ("symexec.interpreter.machine", "from symexec.capture.plan import Plan"),
    ("symexec.capture.plan", "from symexec.runtime import Miss"),
    ("symexec.runtime.misses", "from symexec.api import compile"),
    ("symexec.runtime.misses", "from symexec import compile"),
    ("symexec.runtime.misses", "import symexec"),
    ("symexec.interpreter.machine", "from symexec.domains.numpy import Arrays"),
    ("symexec.runtime.misses", "import symexec.backends"),
    ("symexec.capture.plan", "from symexec.report import Text"),
    ("symexec.report.text", "from symexec.api import explain"),
    ("symexec.api", "from symexec.cli import main"),
    ("symexec.errors", "from symexec.values.model import Known"),
    ("symexec.errors", "from symexec.config import Config"),
    ("symexec.domains.numpy", "from symexec.runtime import Miss"),
    ("symexec.domains.numpy", "from symexec.backends import Eager"),
    ("symexec.domains.numpy", "from symexec.interpreter.machine import get_attribute"),
    ("symexec.domains.numpy", "from symexec.interpreter import machine"),
    ("symexec.backends.eager", "import symexec.capture.plan"),
    ("symexec.values.model", "if TYPE_CHECKING:\n    from symexec.interpreter.machine import Machine"),
    ("symexec.values.model", "def f():\n    from symexec.interpreter.machine import Machine"),
    ("symexec.values.model", "importlib.import_module('symexec.runtime')"),
    ("symexec.extras.model", ""),
]

ALLOWED_IMPORTS = [
    ("symexec.bytecode.ops", "from symexec.errors import DecodeError\nfrom symexec.config import Config"),
    ("symexec.bytecode.ops", "from symexec.bytecode.effects import effect\nfrom .effects import effect"),
    ("symexec.runtime.misses", "from symexec.capture.plan import Plan\nfrom symexec.bytecode import ops"),
    ("symexec.domains.numpy", "from symexec.values.model import known_type\nfrom symexec import errors"),
    ("symexec.domains.numpy", "from symexec.interpreter.machine import Machine"),
    ("symexec.report.text", "from symexec.domains.numpy import describe\nfrom symexec.runtime import misses"),
    ("symexec.api", "from symexec.report import text\nimport symexec.backends"),
    ("symexec.cli", "import symexec\nfrom symexec.api import explain"),
    ("symexec", "from symexec.api import compile\nfrom symexec.bytecode import Op"),
    ("symexec.values.model", "import numpy\nimport symexecutor"),
]


@pytest.mark.parametrize(("name", "text"), FORBIDDEN_IMPORTS, ids=range(len(FORBIDDEN_IMPORTS)))
def test_forbidden_imports(name: str, text: str) -> None:
    assert len(layer_complaints(name, text, is_package=name in ("symexec", "symexec.values"))) == 1


@pytest.mark.parametrize(("name", "text"), ALLOWED_IMPORTS, ids=range(len(ALLOWED_IMPORTS)))
def test_allowed_imports(name: str, text: str) -> None:
    assert layer_complaints(name, text, is_package=name == "symexec") == []


BAD = [
    (layers.check_function_imports, "symexec.values.model", "def f():\n    import os"),
    (layers.check_function_imports, "symexec.values.model", "def f():\n    if 1:\n        from numpy import ndarray"),
    (layers.check_function_imports, "symexec.values.model", "class C:\n    async def f(self):\n        import os"),
    (layers.check_function_imports, "symexec.values.model", "def f():\n    class C:\n        import os"),
    (layers.check_function_imports, "symexec.values.model", "f = lambda: __import__('os')"),
    (layers.check_function_imports, "symexec.values.model", "def f():\n    importlib.import_module('os')"),
    (layers.check_function_imports, "symexec.domains.numpy", "def f():\n    import os"),
    (layers.check_function_imports, "symexec.domains.numpy", "def f():\n    import attrs"),
    (layers.check_function_imports, "symexec.backends.jax", "def f():\n    from symexec.values import model"),
    (style.check_versions, "symexec.values.model", "import sys\nnew = sys.version_info >= (3, 12)"),
    (style.check_versions, "symexec.values.model", "from sys import version_info"),
    (style.check_versions, "symexec.values.model", "import sys\nnew = getattr(sys, 'version_info')"),
    (style.check_versions, "symexec.values.model", "import platform\nnew = platform.python_version()"),
    (style.check_versions, "symexec.values.model", "import dis"),
    (style.check_versions, "symexec.values.model", "from opcode import opmap"),
    (style.check_sizes, "symexec.values.model", "x = 1\n" * (style.FILE_LINES + 1)),
    (style.check_sizes, "symexec.values.model", "def f():\n" + "    x = 1\n" * style.FUNCTION_LINES),
    (style.check_silencing, "symexec.values.model", "x = 1  # type: ignore"),
    (style.check_silencing, "symexec.values.model", "x = 1  #type:ignore[assignment]"),
    (style.check_silencing, "symexec.values.model", "# mypy: ignore-errors\nx = 1"),
    (style.check_silencing, "symexec.values.model", "# ruff: noqa\nx = 1"),
    (style.check_any, "symexec.values.model", "from typing import Any\ndef f(x: Any) -> int: ..."),
    (style.check_any, "symexec.values.model", "from typing import Any\ndef f() -> dict[str, Any]: ..."),
    (style.check_any, "symexec.values.model", "from typing import Any as Whatever\ndef f(*x: Whatever): ..."),
    (style.check_any, "symexec.values.model", "import typing\nasync def f(*, x: typing.Any): ..."),
    (style.check_any, "symexec.values.model", "from typing import Any\ndef f(x: 'list[Any]'): ..."),
    (style.check_any, "symexec.values.model", "from typing import Any\nclass C:\n    def f(self, x: Any): ..."),
    (style.check_any, "symexec.values.model", "from typing import Any\nclass C:\n    def __init__(self, x: Any): ..."),
    (style.check_any, "symexec.values.model", "from typing import Any\nclass C:\n    field: Any"),
    (style.check_any, "symexec.values.model", "from typing import Any\nif 1:\n    def f(x: Any): ..."),
    (style.check_names, "symexec.values.model", "class FrameManager: ..."),
    (style.check_names, "symexec.values.model", "def f():\n    class HelperOfFrames: ..."),
    (style.check_names, "symexec.values.model", "class VariableTracker: ..."),
    (style.check_names, "symexec.values.utils", ""),
    (style.check_head, "symexec.values.model", "x = 1"),
    (style.check_head, "symexec.values.model", ""),
    (style.check_head, "tests.values.test_model", "# comment\nx = 1\n'late'"),
]

GOOD = [
    (layers.check_function_imports, "symexec.values.model", "import os\nif 1:\n    import re\nclass C:\n    import io"),
    (layers.check_function_imports, "symexec.domains.numpy", "def f():\n    import numpy.linalg"),
    (layers.check_function_imports, "symexec.values.model", "def f(name):\n    return importlib.import_module(name)"),
    (style.check_versions, "symexec.bytecode.features", "import dis, sys\nnew = sys.version_info >= (3, 12)"),
    (style.check_versions, "symexec.values.model", "from symexec.bytecode import dis\nversion = 1"),
    (style.check_sizes, "symexec.values.model", "x = 1\n" * style.FILE_LINES),
    (style.check_sizes, "symexec.values.model", "def f():\n" + "    x = 1\n" * (style.FUNCTION_LINES - 1)),
    (style.check_sizes, "symexec.values.model", "def f():\n    '''" + "x\n" * 60 + "'''\n    return 1"),
    (style.check_silencing, "symexec.values.model", "x = '# type: ignore'  # the type is ignored"),
    (style.check_any, "symexec.values.model", "from typing import Any\ndef _f(x: Any): ...\n_x: Any = 1"),
    (style.check_any, "symexec.values.model", "class Any: ...\ndef f(x: AnyStr, y: object) -> 'Anything': ..."),
    (style.check_names, "symexec.values.model", "class Helpful: ...\nclass Managed: ...\nmanager = 1"),
    (style.check_head, "symexec.values.model", "'''Says what it is for.'''"),
]


@pytest.mark.parametrize(("check", "name", "text"), BAD, ids=range(len(BAD)))
def test_violations_are_found(check, name: str, text: str) -> None:
    assert len(check(Source.from_text(name, text))) == 1


@pytest.mark.parametrize(("check", "name", "text"), GOOD, ids=range(len(GOOD)))
def test_good_source_is_left_alone(check, name: str, text: str) -> None:
    assert check(Source.from_text(name, text)) == []


def test_own_modules_that_need_an_optional_package_may_be_imported_late() -> None:
    sources = [
        Source.from_text("symexec.domains.numpy", "def f():\n    from symexec.domains.arrays import Arrays"),
        Source.from_text("symexec.domains.arrays", "from symexec.domains import array_types"),
        Source.from_text("symexec.domains.array_types", "import numpy"),
        Source.from_text("symexec.domains.scalars", "import math\ndef f():\n    import numpy"),
        Source.from_text("symexec.values.arrays", "import numpy"),
    ]
    behind = layers.modules_behind_options(sources)
    assert behind == {"symexec.domains.arrays", "symexec.domains.array_types"}
    assert layers.check_function_imports(sources[0], behind) == []
    assert len(layers.check_function_imports(sources[0])) == 1
    elsewhere = Source.from_text("symexec.api", "def f():\n    from symexec.domains.arrays import Arrays")
    other_plugin = Source.from_text("symexec.backends.eager", "def f():\n    from symexec.domains import arrays")
    assert len(layers.check_function_imports(elsewhere, behind)) == 1
    assert len(layers.check_function_imports(other_plugin, behind)) == 1


def test_empty_package_files() -> None:
    assert style.check_head(Source.from_text("tests.values", "", is_package=True)) == []
    assert len(style.check_head(Source.from_text("symexec.values", "", is_package=True))) == 1


def test_every_layer_may_import_exactly_the_layers_under_it() -> None:
    order = ("bytecode", "analysis", "values", "interpreter", "capture", "runtime")
    for index, layer in enumerate(order):
        assert layers.ALLOWED[layer] == {"errors", "config", *order[:index]}
    assert layers.ALLOWED["errors"] == frozenset()
