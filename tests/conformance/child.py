"""Runs one test in this process, which is a child made for it: compiles it if asked to, and reports an `Outcome`.

It does not know what a test should come to.
"""

from __future__ import annotations

import copy
import logging
import os
import unittest
from types import CellType, FunctionType

import symexec
from tests.conformance.outcome import INTERNAL, PASS, Outcome
from tests.conformance.suite import Subject
from tests.support.loud import Collector

CONFIG = symexec.Config(strict=True)
DETAIL = 6000  # characters of a failure's text that are kept, from its end
WHY = 100  # characters of a break's reason


def run(subject: Subject, runs: int, *, compiled: bool) -> Outcome:
    """Run a test several times over; the first that does not pass ends it."""
    function = compile_test(subject) if compiled else None
    collector = Collector()
    logging.getLogger("symexec").addHandler(collector)
    state, detail, done = PASS, "", 0
    while done < runs and state == PASS:
        state, detail = run_once(subject.test)
        if collector.errors:
            state, detail = INTERNAL, collector.errors[0]
        done += state == PASS
    if function is None:
        return Outcome(state, done, detail[-DETAIL:])
    stats = symexec.stats(function)
    breaks = tuple((reason.code, reason.why[:WHY]) for reason in stats.breaks)
    return Outcome(state, done, detail[-DETAIL:], stats.traces, breaks, compiled=True)


def run_once(test: unittest.TestCase) -> tuple[str, str]:
    """One run with the fixtures of class and module, on a fresh instance: the state and the text of a failure."""
    result = unittest.TestResult()
    try:
        unittest.TestSuite([copy.copy(test)]).run(result)
    except BaseException as error:
        return "error", f"it left the test: {error!r}"
    for state, found in (("fail", result.failures), ("error", result.errors)):
        if found:
            return state, found[0][1]
    if result.unexpectedSuccesses or result.expectedFailures or result.skipped or result.testsRun != 1:
        return "skip or expected failure", ""
    return PASS, ""


def compile_test(subject: Subject) -> FunctionType | None:
    """Compile the function of a test, and the functions that it wraps; `None` if it is none."""
    function = subject.function()
    if function is None:
        return None
    for inner, cell in wrapped_functions(function):
        cell.cell_contents = symexec.compile(inner, config=CONFIG)
    if is_compiled(function):
        return function
    made = symexec.compile(function, config=CONFIG)
    assert isinstance(made, FunctionType)
    subject.replace(made)
    return made


def wrapped_functions(function: FunctionType) -> list[tuple[FunctionType, CellType]]:
    """What a function wraps (`functools.wraps` says so), each with the cell that it is called by."""
    found = []
    inner = getattr(function, "__wrapped__", None)
    while isinstance(inner, FunctionType):
        for cell in function.__closure__ or ():
            if not is_empty(cell) and cell.cell_contents is inner and not is_compiled(inner):
                found.append((inner, cell))
        function, inner = inner, getattr(inner, "__wrapped__", None)
    return found


def is_empty(cell: CellType) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return True
    return False


def is_compiled(function: FunctionType) -> bool:
    try:
        symexec.stats(function)
    except symexec.ArgumentError:
        return False
    return True


def silence() -> None:
    """Let what tests print go nowhere, and what they read come from nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
