"""Compiles whatever a test module defines: its functions and the methods of its classes, in place."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

import symexec
from tests.conformance.child import CONFIG, is_compiled


def compile_module(name: str) -> int:
    """Compile the functions and methods of a module, or of a package's modules; how many there were."""
    modules = [module for key, module in sys.modules.items() if key == name or key.startswith(f"{name}.")]
    return sum(compile_members(module) for module in modules)


def compile_members(module: ModuleType) -> int:
    count = 0
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            count += compile_methods(value)
        elif is_own(value, module):
            setattr(module, name, symexec.compile(value, config=CONFIG))
            count += 1
    return count


def compile_methods(owner: type) -> int:
    """Compile what stands in a class; classes that refuse to be written to, and their members that do, stay."""
    count = 0
    for name, value in list(vars(owner).items()):
        function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if is_own(function, sys.modules[owner.__module__]):
            try:
                setattr(owner, name, symexec.compile(value, config=CONFIG))
                count += 1
            except (TypeError, AttributeError):
                continue
    return count


def is_own(value: object, module: ModuleType) -> bool:
    """Whether it is a function that the module's source defines and that is not compiled yet."""
    if not isinstance(value, FunctionType) or value.__globals__ is not vars(module) or is_compiled(value):
        return False
    return value.__code__.co_filename == module.__file__
