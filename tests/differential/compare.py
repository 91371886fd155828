"""Runs a generated program as written and compiled, and tells the first difference of all that shows."""

from __future__ import annotations

import contextlib
import gc
import io
import linecache
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator

import attrs

import symexec
from tests.differential.generate import Generated
from tests.differential.portrait import Portrait

Function = Callable[..., object]
FILE = "<generated program>"
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


@attrs.frozen
class Comparison:
    """What came of it: the first difference, if any, and what was traced."""

    difference: str | None
    stats: symexec.Stats
    raised: int


def backend_of(seed: int) -> str:
    return "reference" if seed % 7 == 0 else "eager"


def compile_as(seed: int) -> Callable[[Function], Function]:
    """The way in which the program of a seed is compiled."""
    domains = (["numpy", "scalars"], ["scalars"], ["numpy"])[seed % 3] if "numpy" in sys.modules else ["scalars"]
    return lambda function: symexec.compile(
        function, domains=domains, backend=backend_of(seed), config=symexec.Config(strict=True)
    )


def compare(program: Generated) -> Comparison:
    """Run both, call for call."""
    compiled: list[Function] = []

    def transform(function: Function) -> Function:
        compiled.append(compile_as(program.seed)(function))
        return compiled[0]

    try:
        code = code_of(program)
    except SyntaxError:
        return Comparison(None, symexec.stats(symexec.compile(compare)), 0)
    expected = run(program, code, lambda function: function)
    found = run(program, code, transform)
    raised = sum(any(line.startswith("raised") for line in call) for call in expected)
    return Comparison(first_difference(expected, found), symexec.stats(compiled[0]), raised)


def first_difference(expected: list[list[str]], found: list[list[str]]) -> str | None:
    for index, (left, right) in enumerate(zip(expected, found, strict=True)):
        if left != right:
            for first, second in zip([*left, "(end)"], [*right, "(end)"], strict=False):
                if first != second:
                    shown = excerpt(first, second), excerpt(second, first)
                    return f"call {index}\n  as written: {shown[0]}\n  compiled:   {shown[1]}"
    return None


def excerpt(line: str, other: str) -> str:
    """The line from a little before the place where the other one differs."""
    equal = next((index for index, pair in enumerate(zip(line, other, strict=False)) if pair[0] != pair[1]), len(line))
    return line[:500] if equal < 250 else f"{line[:20]} ... {line[equal - 200 : equal + 300]}"


def code_of(program: Generated) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(program.source, FILE, "exec")


def run(program: Generated, code: types.CodeType, transform: Callable[[Function], Function]) -> list[list[str]]:
    """What each call shows: result or exception, output, warnings, and the state of all globals after it."""
    module = types.ModuleType("program")
    namespace = vars(module)
    linecache.cache[FILE] = (len(program.source), None, program.source.splitlines(keepends=True), FILE)
    with in_modules(module), without_collector():
        exec(code, namespace)
        namespace["subject"] = transform(namespace["subject"])
        count = backend_of(program.seed) == "eager"
        pairs = zip(program.calls, program.before, strict=True)
        return [run_call(namespace, call, before, lines_count=count) for call, before in pairs]


@contextlib.contextmanager
def in_modules(module: types.ModuleType) -> Iterator[None]:
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        for name in (module.__name__, "helpers"):
            sys.modules.pop(name, None)


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """When generators in cycles are closed is no matter of the program."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def run_call(namespace: dict[str, object], call: str, before: str, *, lines_count: bool) -> list[str]:
    """One call.  Lines of warnings do not count where a backend is called: it warns in its own code."""
    lines: list[str] = []
    with contextlib.suppress(Exception):
        exec(before, namespace)
    function = namespace["subject"]
    assert callable(function)
    arguments: list[tuple[object, ...]] = []
    namespace["subject"] = lambda *given: arguments.append(given)
    try:
        exec(call, namespace)
    except Exception as error:
        return [f"arguments: {type(error).__name__}"]
    finally:
        namespace["subject"] = function
    output = io.StringIO()
    result: object = None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(output):
        warnings.simplefilter("always")
        try:
            result = function(*arguments[0])
            kind = "returned"
        except Exception as error:
            result = error
            kind = "raised"
    portrait = Portrait(FILE)
    lines.append(f"{kind} {portrait.of(result)}")
    lines.append(f"output {output.getvalue()!r}")
    lines.extend(
        f"warning {entry.category.__name__} {entry.message} {entry.lineno if lines_count else ''}" for entry in caught
    )
    lines.append(f"arguments {portrait.of(arguments)}")
    skipped = ("__builtins__", "subject", "__warningregistry__")
    lines.extend(f"{name} = {portrait.of(value)}" for name, value in list(namespace.items()) if name not in skipped)
    return [ADDRESS.sub("0x", line) for line in lines]
