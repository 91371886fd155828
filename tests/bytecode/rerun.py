"""Run parts of CPython's own test suite with their code, and that of modules they test, rewritten.

    python -m tests.bytecode.rerun {renewed,padded,shuffled,none} test_generators test_with ... [--of contextlib ...]

Prints one line a test module: tests run, failures and errors (by name), and how many code objects were rewritten.
Compare with `none`, which rewrites nothing.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import io
import sys
import unittest
from contextlib import redirect_stderr, redirect_stdout
from types import CodeType, ModuleType

from symexec.bytecode import Routine
from tests.bytecode.checks import renewed
from tests.bytecode.rewrite import Rewrite, padded, rewritten, shuffled

REWRITES: dict[str, Rewrite | None] = {"renewed": renewed, "padded": padded, "shuffled": shuffled, "none": None}


class RewritingLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its source and rewrites all its code."""

    rewrite: Rewrite
    count = 0

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        module = compile(self.get_data(path), path, "exec", dont_inherit=True)

        def counted(routine: Routine) -> Routine:
            RewritingLoader.count += 1
            return self.rewrite(routine)

        return rewritten(module, counted)


class RewritingFinder(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be rewritten."""

    def __init__(self, names: set[str], rewrite: Rewrite) -> None:
        self.names, self.rewrite = names, rewrite

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = RewritingLoader(spec.loader.name, spec.loader.path)
            spec.loader.rewrite = self.rewrite
        return spec


def run(name: str) -> str:
    """Run one test module; a line about it."""
    result = unittest.TestResult()
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        suite = unittest.defaultTestLoader.loadTestsFromName(f"test.{name}")
        suite.run(result)
    wrong = sorted(str(test).split(" ")[0] for test, _ in (*result.failures, *result.errors))
    return f"{name}: {result.testsRun} run, {len(wrong)} wrong {wrong[:12]}, {RewritingLoader.count} rewritten so far"


def main(arguments: list[str]) -> None:
    """Rewrite and run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rewrite", choices=REWRITES)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--of", nargs="*", default=[], help="modules to rewrite besides the tests themselves")
    options = parser.parse_args(arguments)
    rewrite = REWRITES[options.rewrite]
    if rewrite is not None:
        names = {*options.of, *(f"test.{name}" for name in options.tests)}
        for name in [name for name in sys.modules if name in names]:
            del sys.modules[name]
        sys.meta_path.insert(0, RewritingFinder(names, rewrite))
    for name in options.tests:
        print(run(name), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
