"""The other rules: versions, sizes, types, names and module heads."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from tests.architecture.layers import PACKAGE, part_of
from tests.architecture.source import FunctionNode, Source, functions_in

# The budgets are 400 and 40; what little is over them is not worth a worse cut.
FILE_LINES = 440
FUNCTION_LINES = 50

VERSION_NAMES = frozenset({"version_info", "hexversion", "python_version", "python_version_tuple"})
VERSION_MODULES = frozenset({"dis", "opcode", "_opcode"})
FORBIDDEN_WORDS = frozenset({"Manager", "Helper", "Helpers", "Tracker", "Util", "Utils", "Utility", "Utilities"})
FORBIDDEN_MODULES = frozenset({"utils", "util", "helpers", "helper", "manager", "tracker", "misc", "common"})
SILENCING_COMMENT = re.compile(r"#\s*(type:\s*ignore|mypy:|pyright:|pyre-|ruff:\s*noqa|flake8:\s*noqa)")
ANY_MODULES = frozenset({"typing", "typing_extensions"})


def check_versions(source: Source) -> list[str]:
    """Questions about the running Python, or its opcodes, outside the bytecode layer."""
    if part_of(source.name) == "bytecode":
        return []
    complaints = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Attribute(attr=name) | ast.Constant(value=str(name)) if name in VERSION_NAMES:
                complaints.append(source.at(node.lineno, f"{name} outside symexec.bytecode"))
            case ast.ImportFrom(module="sys" | "platform", names=names):
                complaints.extend(
                    source.at(node.lineno, f"{alias.name} outside symexec.bytecode")
                    for alias in names
                    if alias.name in VERSION_NAMES
                )
            case ast.ImportFrom(module=str(name), level=0) if name in VERSION_MODULES:
                complaints.append(source.at(node.lineno, f"{name} outside symexec.bytecode"))
            case ast.Import(names=names):
                complaints.extend(
                    source.at(node.lineno, f"{alias.name} outside symexec.bytecode")
                    for alias in names
                    if alias.name in VERSION_MODULES
                )
    return complaints


def check_sizes(source: Source) -> list[str]:
    """Files and functions over budget.  A function's docstring does not count."""
    complaints = []
    lines = len(source.text.splitlines())
    if lines > FILE_LINES:
        complaints.append(source.at(1, f"{lines} lines; the budget is {FILE_LINES}"))
    for function in functions_in(source.tree):
        length = length_of(function)
        if length > FUNCTION_LINES:
            complaints.append(
                source.at(function.lineno, f"{function.name} has {length} lines; the budget is {FUNCTION_LINES}")
            )
    return complaints


def length_of(function: FunctionNode) -> int:
    assert function.end_lineno is not None
    length = function.end_lineno - function.lineno + 1
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
            return length - (last - first + 1)
    return length


def check_silencing(source: Source) -> list[str]:
    """Comments that silence a type checker, or a linter for a whole file."""
    tokens = tokenize.generate_tokens(io.StringIO(source.text).readline)
    return [
        source.at(token.start[0], f"silencing comment: {token.string}")
        for token in tokens
        if token.type == tokenize.COMMENT and SILENCING_COMMENT.search(token.string)
    ]


def check_any(source: Source) -> list[str]:
    """`Any`, under whatever name, in the signature of a public function or the annotation of a public attribute."""
    names = names_of_any(source.tree)
    complaints = []
    for owner, annotation in public_annotations(source.tree):
        if any(mentions_any(node, names) for node in ast.walk(annotation)):
            complaints.append(source.at(annotation.lineno, f"Any in the public annotation of {owner}"))
    return complaints


def names_of_any(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ANY_MODULES
        for alias in node.names
        if alias.name == "Any"
    )


def mentions_any(node: ast.AST, names: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr="Any"):
            return True
        case ast.Constant(value=str(text)):
            return bool((names | {"Any"}) & set(re.findall(r"\w+", text)))
    return False


def public_annotations(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Annotations at module level and in public classes, with the name that they belong to."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        statement = waiting.pop()
        match statement:
            case ast.ClassDef(name=name, body=body) if is_public(name):
                waiting.extend(body)
            case ast.If(body=body, orelse=orelse) | ast.Try(body=body, orelse=orelse):
                waiting.extend([*body, *orelse])
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if is_public(name):
                yield name, annotation
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if is_public(name):
                yield from ((name, annotation) for annotation in annotations_of(statement))


def annotations_of(function: FunctionNode) -> Iterator[ast.expr]:
    arguments = function.args
    optional = [arguments.vararg, arguments.kwarg]
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *optional]:
        if argument is not None and argument.annotation is not None:
            yield argument.annotation
    if function.returns is not None:
        yield function.returns


def is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def check_names(source: Source) -> list[str]:
    """Class and module names that say nothing."""
    complaints = [
        source.at(1, f"module name {word}") for word in source.name.split(".") if word.lower() in FORBIDDEN_MODULES
    ]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and FORBIDDEN_WORDS & set(re.findall(r"[A-Z][a-z]*", node.name)):
            complaints.append(source.at(node.lineno, f"class name {node.name}"))
    return complaints


def check_head(source: Source) -> list[str]:
    """Files that do not begin by saying what they are for.  An empty package file outside the package may be silent."""
    if not source.text.strip() and source.is_package and not source.name.startswith(PACKAGE):
        return []
    return [] if ast.get_docstring(source.tree) else [source.at(1, "no docstring at the head of the file")]
