"""The programs with breaks put between their statements: at one place, and at all places at once.

Whatever a break is put amid (loops, handlers, context managers, inner functions), results stay plain Python's.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from functools import partial

import pytest

import symexec
from tests.corpus import programs
from tests.corpus.programs import PROGRAMS, Program
from tests.corpus.test_corpus import ALWAYS, positional
from tests.support import assert_same
from tests.typing.vectors import Vector, VectorDomain

Function = Callable[..., object]
MARK = "graph_break_here"
SHORT = [program for program in PROGRAMS if program.name not in ("long_straight_line", "long_loop", "middling_loop")]


class Insertion(ast.NodeTransformer):
    """Puts a call of the mark before the statements whose numbers are chosen; counts them all."""

    def __init__(self, chosen: Callable[[int], bool]) -> None:
        self._chosen = chosen
        self.count = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Every list of statements in a node."""
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list) and not isinstance(node, ast.Module):
                setattr(node, field, [each for statement in statements for each in self._before(statement)])
        return node

    def _before(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        self.count += 1
        if self._chosen(self.count - 1) and not isinstance(statement, (ast.Nonlocal, ast.Global)):
            mark = ast.Expr(ast.Call(ast.Name(MARK, ast.Load()), [], []))
            yield ast.fix_missing_locations(ast.copy_location(mark, statement))
        yield statement


def with_breaks(function: types.FunctionType, chosen: Callable[[int], bool]) -> tuple[types.FunctionType, int]:
    """A function like this one with breaks before the chosen statements; how many statements there are."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    insertion = Insertion(chosen)
    tree = ast.fix_missing_locations(insertion.visit(tree))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    code = compile(tree, programs.__file__, "exec", dont_inherit=True)
    inner = next(each for each in code.co_consts if isinstance(each, types.CodeType))
    namespace = vars(programs)
    return types.FunctionType(inner, namespace, function.__name__), insertion.count


@pytest.fixture(autouse=True)
def mark_in_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, MARK, symexec.graph_break, raising=False)


def compile_vectors(function: Function) -> Function:
    return symexec.compile(function, config=ALWAYS, domains=[VectorDomain()])


def compare(program: Program, function: Function) -> Function:
    calls = [partial(positional, program.arguments, Vector)] * 4
    return assert_same(function, *calls, transform=compile_vectors)


@pytest.mark.parametrize("program", SHORT, ids=lambda program: program.name)
def test_a_break_before_every_statement(program: Program) -> None:
    function, count = with_breaks(program.function, lambda number: True)
    assert count
    figures = symexec.stats(compare(program, function))
    assert figures.breaks
    assert figures.fallbacks == 0


@pytest.mark.parametrize("program", SHORT, ids=lambda program: program.name)
def test_a_break_before_one_statement(program: Program) -> None:
    _, count = with_breaks(program.function, lambda number: False)
    for number in range(count):
        function, _ = with_breaks(program.function, lambda at, number=number: at == number)
        assert symexec.stats(compare(program, function)).fallbacks == 0


def test_the_functions_with_breaks_are_the_programs() -> None:
    module = importlib.import_module(programs.__name__)
    for program in SHORT:
        function, _ = with_breaks(program.function, lambda number: False)
        original = program.function.__code__
        assert function.__code__.co_names == original.co_names
        assert function.__code__.co_varnames == original.co_varnames
        assert function.__globals__ is vars(module)
