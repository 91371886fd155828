"""The order of the layers: who may import whom.

    bytecode <- analysis <- values <- interpreter <- capture <- runtime <- api

Arrows point left only.  `errors` and `config` are under all of them.  `domains` and `backends` stand on the values and
on the types that interpreter and capture show; `report` stands on everything but the top; only the top (`api`, `cli`
and the package itself) imports these three.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import attrs

from tests.architecture.source import Source, nodes_inside_functions

PACKAGE = "symexec"
BASE = ("errors", "config")
LAYERS = (*BASE, "bytecode", "analysis", "values", "interpreter", "capture", "runtime", "api")
TOP = ("api", "cli", PACKAGE)
PLUGINS = ("domains", "backends")
TYPES_ONLY = ("interpreter", "capture")  # of what plugins may import

# What each part may import, besides itself.
ALLOWED: dict[str, frozenset[str]] = {
    layer: frozenset(LAYERS[:index] if layer not in BASE else BASE[: BASE.index(layer)])
    for index, layer in enumerate(LAYERS)
}
ALLOWED["domains"] = ALLOWED["backends"] = frozenset((*BASE, "bytecode", "analysis", "values", *TYPES_ONLY))
ALLOWED["report"] = frozenset((*LAYERS[: LAYERS.index("api")], *PLUGINS))
ALLOWED["api"] |= {*PLUGINS, "report"}
ALLOWED["cli"] = ALLOWED["api"] | {"api", PACKAGE}
ALLOWED[PACKAGE] = ALLOWED["api"] | {"api"}

REQUIRED_PACKAGES = frozenset({"attr", "attrs", "typing_extensions"})


@attrs.frozen
class Import:
    """One imported thing: the module, and the name taken from it (empty if the module itself is imported)."""

    module: str
    name: str
    line: int


def part_of(module: str) -> str:
    """The layer, or other part, of the package that `module` belongs to."""
    names = module.split(".")
    return names[1] if len(names) > 1 else names[0]


def imports_of(source: Source, node: ast.AST) -> Iterator[Import]:
    """What `node` imports, if it is an import statement or a call that imports."""
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield Import(alias.name, "", node.lineno)
        case ast.ImportFrom(names=names):
            for alias in names:
                yield Import(absolute_name(source, node), alias.name, node.lineno)
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            yield Import(module, "", node.lineno)


def absolute_name(source: Source, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    parts = source.name.split(".")
    steps = node.level - 1 if source.is_package else node.level
    parts = parts[: len(parts) - steps]
    return ".".join([*parts, node.module] if node.module else parts)


def check_layers(source: Source, modules: frozenset[str]) -> list[str]:
    """Imports that the order of the layers forbids.  `modules`: the names of all modules of the package."""
    part = part_of(source.name)
    if part not in ALLOWED:
        return [source.at(1, f"{part} is no layer: give it a place in tests/architecture/layers.py")]
    complaints = []
    for node in ast.walk(source.tree):
        for found in imports_of(source, node):
            if found.module.split(".")[0] == PACKAGE:
                complaints.extend(complaints_about(source, part, found, modules))
    return complaints


def complaints_about(source: Source, part: str, found: Import, modules: frozenset[str]) -> list[str]:
    submodule = f"{found.module}.{found.name}"
    target = part_of(submodule if submodule in modules else found.module)
    if target == part:
        return []
    if target not in ALLOWED[part]:
        return [source.at(found.line, f"{part} must not import {target}")]
    if part in PLUGINS and target in TYPES_ONLY and (submodule in modules or not found.name[:1].isupper()):
        return [source.at(found.line, f"{part} may import types of {target} only, not {found.name or found.module}")]
    return []


def check_function_imports(source: Source, behind_options: frozenset[str] = frozenset()) -> list[str]:
    """Imports inside functions; `domains` and `backends` may import optional packages there, and own modules that need
    these (`behind_options`)."""
    part = part_of(source.name)
    complaints = []
    for node in nodes_inside_functions(source.tree):
        for found in imports_of(source, node):
            own = {found.module, f"{found.module}.{found.name}"} & behind_options
            is_own = any(part_of(module) == part for module in own)
            if not (part in PLUGINS and (is_optional(found.module) or is_own)):
                complaints.append(source.at(found.line, f"import of {found.module} inside a function"))
    return complaints


def modules_behind_options(sources: list[Source]) -> frozenset[str]:
    """The modules of `domains` and `backends` that cannot be imported where an optional package is missing."""
    needed = {
        source.name: [found for statement in source.tree.body for found in imports_of(source, statement)]
        for source in sources
        if part_of(source.name) in PLUGINS
    }
    behind = {name for name, imports in needed.items() if any(is_optional(found.module) for found in imports)}
    waiting = list(behind)
    while waiting:
        target = waiting.pop()
        for name, imports in needed.items():
            if name not in behind and any(target in (i.module, f"{i.module}.{i.name}") for i in imports):
                behind.add(name)
                waiting.append(name)
    return frozenset(behind)


def is_optional(module: str) -> bool:
    root = module.split(".")[0]
    return root not in sys.stdlib_module_names and root not in REQUIRED_PACKAGES and root != PACKAGE
