"""Runs one of the shared programs, plain or transformed, in this process, and writes down what an observer can see.

A program has `make()`, which gives a function, its calls and perhaps an observer; and perhaps `check(function)`,
a protocol of its own.  See the head of `run_cases.py` beside the programs.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from tests.cases import transform
from tests.support.describe import Describer
from tests.support.look import Scope

Function = Callable[..., object]


@attrs.frozen
class Limits:
    """How many traces the calls may take at most, and have to take at least if there are any."""

    most: int | None
    least: int | None


@attrs.define
class Account:
    """What was seen, line by line; the traces made by the calls, and by all."""

    lines: list[str] = attrs.field(factory=list)
    traces_of_calls: int = 0
    traces: int = 0
    limits: Limits = Limits(None, None)


def load(path: Path) -> types.ModuleType:
    """The program's module, made anew."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # some programs are written to be awkward
        spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def loaded(path: Path) -> Iterator[types.ModuleType]:
    """The module while the block runs."""
    try:
        yield load(path)
    finally:
        sys.modules.pop(path.stem, None)


def is_too_new(path: Path) -> bool:
    """Whether the program needs a newer Python."""
    with loaded(path) as module:
        return sys.version_info < getattr(module, "MIN_PY", (3, 0))


def run(path: Path, change: Callable[[Function], Function]) -> Account:
    """All calls of the program on `change(function)`, and its check on another such function."""
    account = Account()
    start = transform.trace_count()
    with loaded(path) as module:
        for name, replacement in (("graph_break", transform.graph_break), ("transform", change)):
            if hasattr(module, name):
                setattr(module, name, replacement)
        account.limits = Limits(getattr(module, "MAX_TRACES", None), getattr(module, "MIN_TRACES", None))
        observer = Observer(path, account)
        function, calls, *more = module.make()
        observer.look = more[0] if more else None
        changed = change(function)
        for index, entry in enumerate(calls):
            if callable(entry):
                observer.see(f"step {index}", entry, ())
            else:
                args, kwargs = entry
                observer.see(f"call {index}", lambda: changed(*args, **kwargs), (args, kwargs))
        account.traces_of_calls = transform.trace_count() - start
        observer.look = None
        if hasattr(module, "check"):
            changed = change(module.make()[0])
            observer.see("check", lambda: module.check(changed), ())
    account.traces = transform.trace_count() - start
    return account


class Observer:
    """Makes calls and writes down what comes of them."""

    def __init__(self, path: Path, account: Account) -> None:
        self._path = path
        self._lines = account.lines
        self.look: Callable[[], object] | None = None

    def see(self, what: str, action: Callable[[], object], arguments: tuple[object, ...]) -> None:
        """One call: its result or exception with the program's own lines, output, arguments afterwards."""
        output = io.StringIO()
        describer = Describer(Scope(frozenset({self._path.stem, "__main__"})))
        with contextlib.redirect_stdout(output):
            try:
                describer.add("returned", action())
            except (Exception, GeneratorExit, KeyboardInterrupt) as error:
                self._add_error(describer, error)
        describer.add("arguments", arguments)
        if self.look is not None:
            describer.add("observed", self.look())
        self._lines += [f"{what}, {line}" for line in describer.lines]
        self._lines.append(f"{what}, output: {output.getvalue()!r}")

    def _add_error(self, describer: Describer, error: BaseException) -> None:
        entries = traceback.extract_tb(error.__traceback__)
        own = [(entry.lineno, entry.name) for entry in entries if entry.filename == str(self._path)]
        describer.add("raised", type(error).__qualname__)
        describer.add("args", error.args)
        describer.add("cause and context", (error.__cause__, error.__context__, error.__suppress_context__))
        describer.add("lines", own)
