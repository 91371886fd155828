"""The tests of one of CPython's test modules, one by one; doctests among them as functions.

It does not know how they are run.
"""

from __future__ import annotations

import doctest
import importlib
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final

import attrs

from tests.conformance.doctests import ProgramCase, case_of

LIST: Final = Path(__file__).with_name("modules.txt")


def module_names() -> list[str]:
    """The modules that the conformance run goes through."""
    return LIST.read_text(encoding="utf-8").split()


@attrs.frozen(eq=False)
class Subject:
    """One test, and the function of it that is compiled: `owner.__dict__[attribute]`, perhaps inherited."""

    name: str
    test: unittest.TestCase
    owner: type
    attribute: str

    def function(self) -> FunctionType | None:
        """The function itself, or `None` if the test is not a plain function."""
        found = getattr(self.owner, self.attribute, None)
        return found if isinstance(found, FunctionType) else None

    def replace(self, function: Callable[..., object]) -> None:
        """Let the test use another function instead."""
        is_program = issubclass(self.owner, ProgramCase)
        setattr(self.owner, self.attribute, staticmethod(function) if is_program else function)


def flatten(suite: unittest.TestSuite | unittest.TestCase) -> Iterator[unittest.TestCase]:
    if isinstance(suite, unittest.TestCase):
        yield suite
        return
    for item in suite:
        yield from flatten(item)


def module_of(name: str) -> str:
    """The full name of a test module: those without a package are of CPython's `test`."""
    return name if "." in name else f"test.{name}"


def load(module_name: str) -> list[Subject]:
    """Every test of a module; raises what the module raises when it is imported (`SkipTest`, if it does not apply)."""
    full_name = module_of(module_name)
    module = importlib.import_module(full_name)
    loader = unittest.TestLoader()
    subjects = []
    seen: dict[str, int] = {}
    for test in flatten(loader.loadTestsFromName(full_name)):
        subject = subject_of(test, module)
        if subject is not None:
            count = seen[subject.name] = seen.get(subject.name, 0) + 1
            subjects.append(subject if count == 1 else attrs.evolve(subject, name=f"{subject.name}#{count}"))
    if loader.errors:
        raise ImportError(loader.errors[0])
    return subjects


def subject_of(test: unittest.TestCase, module: ModuleType) -> Subject | None:
    if isinstance(test, doctest.DocTestCase):
        made = case_of(test, module)
        if made is None:
            return None
        return Subject(f"{module.__name__}.{type(made).__name__}", made, type(made), "program")
    return Subject(test.id(), test, type(test), test._testMethodName)
