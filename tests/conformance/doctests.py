"""Doctests as functions of no arguments, so that they can be compiled: each becomes a test case of its own.

The names that a doctest binds become locals of the function.  It does not know what is done with the function.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import traceback
import unittest
from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Final

import attrs

FRAME: Final = """
def program():
    pass
"""
PREFIX: Final = "program.<locals>."  # in the qualified names of what examples define
EXAMPLE: Final = """
begin_example({index})
try:
    pass
except Exception as error:
    note_exception(error)
    del error
"""


@attrs.define
class Transcript:
    """What the examples printed and raised, in order; `starts` are positions in the output."""

    output: io.StringIO = attrs.field(factory=io.StringIO)
    starts: list[int] = attrs.field(factory=list)
    errors: dict[int, str] = attrs.field(factory=dict)

    def begin_example(self, index: int) -> None:
        """What follows is of the next example."""
        self.starts.append(self.output.tell())

    def note_exception(self, error: BaseException) -> None:
        """The example raised this."""
        self.errors[len(self.starts) - 1] = traceback.format_exception_only(error)[-1].replace(PREFIX, "")

    def show(self, value: object) -> None:
        """The value of an expression that stands alone, as the interactive prompt shows it."""
        if value is not None:
            self.output.write(f"{value!r}\n")

    def shown(self, index: int) -> str:
        """What an example printed, as if it stood in a module; always with a line's end, as doctests have it."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else None
        text = self.output.getvalue()[self.starts[index] : end].replace(PREFIX, "")
        return f"{text}\n" if text and not text.endswith("\n") else text


class ShowExpressions(ast.NodeTransformer):
    """Turns the expressions that stand alone into calls of `show`, but for those in functions and classes."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = ast.Call(ast.Name("show", ast.Load()), [node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


class ProgramCase(unittest.TestCase):
    """One doctest; `program` is its function, a static method of the class made for it."""

    transcript: Transcript
    examples: Sequence[doctest.Example]
    flags = 0

    def run_program(self) -> None:
        """Run the function and compare what it shows with what the examples want."""
        self.transcript.__init__()
        with contextlib.redirect_stdout(self.transcript.output):
            self.program()
        for index, example in enumerate(self.examples):
            flags = self.flags
            for flag, is_set in example.options.items():
                flags = flags | flag if is_set else flags & ~flag
            if not flags & doctest.SKIP:
                self.check_example(index, example, flags)

    def check_example(self, index: int, example: doctest.Example, flags: int) -> None:
        """Compare what one example did with what it wants."""
        raised, shown = self.transcript.errors.get(index), self.transcript.shown(index)
        check = doctest.OutputChecker().check_output
        if raised is None or example.exc_msg is None:
            right = raised is None and example.exc_msg is None and check(example.want, shown, flags)
        elif flags & doctest.IGNORE_EXCEPTION_DETAIL:
            right = name_of(raised) == name_of(example.exc_msg)
        else:
            right = check(example.exc_msg, raised, flags)
        if not right:
            self.fail(f"{example.source}wanted:\n{example.want}shown:\n{shown}raised: {raised}")


def name_of(text: str) -> str:
    """The bare name of the exception in a message."""
    return text.partition(":")[0].strip().rpartition(".")[2]


def function_of(examples: Sequence[doctest.Example], namespace: dict[str, object], filename: str) -> FunctionType:
    """One function for all examples, which must be valid source each.  `SyntaxError` if together they are not."""
    tree = ast.parse(FRAME)
    body: list[ast.stmt] = []
    for index, example in enumerate(examples):
        parsed = ast.parse(example.source, filename, "single")
        [begin, guarded] = ast.parse(EXAMPLE.format(index=index)).body
        assert isinstance(guarded, ast.Try)
        guarded.body = [ShowExpressions().visit(statement) for statement in parsed.body]
        for statement in (begin, guarded):
            body.append(ast.fix_missing_locations(statement))
    [definition] = tree.body
    assert isinstance(definition, ast.FunctionDef)
    definition.body = body or definition.body
    exec(compile(tree, filename, "exec"), namespace)
    function = namespace.pop("program")
    assert isinstance(function, FunctionType)
    return function


def case_of(case: doctest.DocTestCase, module: ModuleType) -> unittest.TestCase | None:
    """The test case for a doctest, or `None` if it cannot be a function (a star import, a global declaration)."""
    test: doctest.DocTest = case._dt_test
    transcript = Transcript()
    namespace = dict(test.globs)
    names = ("begin_example", "note_exception", "show")
    namespace.update((name, getattr(transcript, name)) for name in names)
    examples = [example for example in test.examples if is_source(example)]
    try:
        program = function_of(examples, namespace, test.filename or "<doctest>")
    except SyntaxError:
        return None
    members = {
        "__module__": module.__name__,
        "program": staticmethod(program),
        "transcript": transcript,
        "examples": examples,
        "flags": case._dt_optionflags,
    }
    made: type[ProgramCase] = type("doctest:" + test.name.removeprefix(module.__name__ + "."), (ProgramCase,), members)
    return made("run_program")


def is_source(example: doctest.Example) -> bool:
    try:
        compile(example.source, "<doctest>", "single")
    except SyntaxError:
        return False
    return True
