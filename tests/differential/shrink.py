"""Makes a program that shows a fault smaller: statements and calls are taken out as long as it shows a fault."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import attrs

from tests.differential.generate import Generated


def shrink(program: Generated, fault: Callable[[Generated], str | None]) -> Generated:
    """The smallest program found for which `fault` still tells the same kind of fault."""
    kind = kind_of(fault(program))
    while True:
        for candidate in candidates(program):
            if kind_of(fault(candidate)) == kind:
                program = candidate
                break
        else:
            return program


def kind_of(fault: str | None) -> str:
    if fault is None:
        return "none"
    if fault.startswith("failed"):
        return fault.strip().splitlines()[-1][:40]
    return fault.split()[0]


def candidates(program: Generated) -> Iterator[Generated]:
    """Programs that are a little smaller."""
    for index in range(len(program.calls)):
        if len(program.calls) > 1:
            calls = program.calls[:index] + program.calls[index + 1 :]
            before = program.before[:index] + program.before[index + 1 :]
            yield attrs.evolve(program, calls=calls, before=before)
        if program.before[index]:
            yield attrs.evolve(program, before=(*program.before[:index], "", *program.before[index + 1 :]))
    start = program.source.index("def subject")
    head, text = program.source[:start], program.source[start:]
    for index in range(len(places(ast.parse(text)))):
        for unwrap in (False, True):
            new = without(text, index, unwrap=unwrap)
            if new is not None and is_valid(head + new):
                yield attrs.evolve(program, source=head + new)


def without(text: str, index: int, *, unwrap: bool) -> str | None:
    """The function without a statement, or with what is in it in its place; `None` if that is not smaller."""
    tree = ast.parse(text)
    body, position = places(tree)[index]
    statement = body[position]
    inner = [line for name in ("body", "orelse", "finalbody") for line in getattr(statement, name, [])]
    if unwrap and (not inner or isinstance(statement, ast.FunctionDef)):
        return None
    body[position : position + 1] = inner if unwrap else []
    for node in ast.walk(tree):
        if getattr(node, "body", None) == []:
            vars(node)["body"] = [ast.Pass()]
    new = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return new if len(new) < len(text) else None


def is_valid(source: str) -> bool:
    try:
        compile(source, "candidate", "exec")
    except SyntaxError:
        return False
    return True


def places(tree: ast.Module) -> list[tuple[list[ast.stmt], int]]:
    """Every statement of the function, outer ones first, as its list and place."""
    found = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        for name in ("body", "orelse", "finalbody", "handlers"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                if name != "handlers":
                    found.extend((inner, index) for index in range(len(inner)))
                waiting.extend(inner)
    return found
