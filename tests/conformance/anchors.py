"""Compiles whatever a module defines: its functions and the methods of its classes, in place.

For a control they can be replaced by plain copies instead: programs may notice that a function is another object.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType

import attrs

import symexec
from tests.conformance.child import CONFIG, is_compiled

Method = FunctionType | staticmethod | classmethod


@attrs.frozen
class Place:
    """Where a function stands: a member of a module or a class, as it was written."""

    owner: ModuleType | type
    name: str
    written: Method

    def put(self, make: Callable[[Method], object]) -> bool:
        """Put there what is made of the function; whether the owner lets itself be written to."""
        try:
            setattr(self.owner, self.name, make(self.written))
        except (TypeError, AttributeError):
            return False
        return True


def compile_module(name: str) -> list[Place]:
    """Compile the functions and methods of a module, or of a package's modules."""
    importlib.import_module(name)
    modules = [module for key, module in sys.modules.items() if key == name or key.startswith(f"{name}.")]
    places = [place for module in modules for place in places_in(module)]
    return [place for place in places if place.put(lambda written: symexec.compile(written, config=CONFIG))]


def copy_functions(places: Sequence[Place]) -> None:
    """Put plain copies where compiled functions stand."""
    for place in places:
        place.put(copy_of)


def places_in(module: ModuleType) -> Iterator[Place]:
    """The functions that a module's source defines, and the methods of its classes."""
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from (Place(value, key, item) for key, item in list(vars(value).items()) if is_own(item, module))
        elif is_own(value, module):
            yield Place(module, name, value)


def is_own(value: object, module: ModuleType) -> bool:
    """Whether it is a function that the module's source defines and that is not compiled yet."""
    function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    if not isinstance(function, FunctionType) or function.__globals__ is not vars(module) or is_compiled(function):
        return False
    return function.__code__.co_filename == module.__file__


def copy_of(written: Method) -> Method:
    if isinstance(written, staticmethod | classmethod):
        return type(written)(copy_of(written.__func__))
    copied = FunctionType(
        written.__code__, written.__globals__, written.__name__, written.__defaults__, written.__closure__
    )
    copied.__kwdefaults__ = written.__kwdefaults__
    for name in ("__module__", "__qualname__", "__doc__", "__annotations__"):
        setattr(copied, name, getattr(written, name))
    copied.__dict__.update(written.__dict__)
    return copied
