"""One Python file as the checks see it, and the walks over its syntax tree that they share."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import attrs

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Source:
    """A module's dotted name, its text and its syntax tree.  `is_package`: it is the module of a folder."""

    name: str
    text: str
    tree: ast.Module
    is_package: bool = False

    @classmethod
    def from_text(cls, name: str, text: str, *, is_package: bool = False) -> Source:
        return cls(name, text, ast.parse(text), is_package)

    def at(self, line: int, complaint: str) -> str:
        return f"{self.name}:{line}: {complaint}"


def sources_in(folder: Path, name: str) -> list[Source]:
    """All Python files in `folder`, whose dotted name is `name`."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        dotted = ".".join([name, *(parts[:-1] if is_package else parts)])
        found.append(Source.from_text(dotted, path.read_text(encoding="utf-8"), is_package=is_package))
    return found


def functions_in(tree: ast.AST) -> Iterator[FunctionNode]:
    return (node for node in ast.walk(tree) if isinstance(node, FunctionNode))


def nodes_inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node in the body of a function or lambda, once."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_inside = waiting.pop()
        if is_inside:
            yield node
        enters = isinstance(node, FunctionNode | ast.Lambda)
        waiting.extend((child, is_inside or enters) for child in ast.iter_child_nodes(node))
