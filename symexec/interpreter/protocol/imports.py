"""Imports of what is imported already: CPython's `PyImport_ImportModuleLevelObject`, `resolve_name` (`Python/import.c`)
and `import_from` (`Python/ceval.c`), where they only read.

Whatever would run code (an import hook, a module not yet loaded or still being loaded) is left to Python.
"""

from __future__ import annotations

import builtins
import sys
from importlib.machinery import ModuleSpec
from types import BuiltinFunctionType, ModuleType
from typing import Final

import attrs
from typing_extensions import override

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.attributes import get_attribute
from symexec.interpreter.protocol.contents import dict_entry
from symexec.interpreter.protocol.modules import module_attribute
from symexec.interpreter.protocol.namespaces import global_entry, load_builtin
from symexec.values.guard import Equals, Is, TypeIs
from symexec.values.heap import Absent
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Attribute, Fixed

_IMPORT: Final = builtins.__import__
_namespace_of: Final = vars(ModuleType)["__dict__"].__get__
_CODE: Final = "SX1011"
_HINT: Final = "import at the top of the module, where it is done once"


@attrs.frozen(eq=False, repr=False, weakref_slot=False)
class _Interpreter:
    """What the import system itself looks into: it keeps this dict, whatever becomes of the name `sys.modules`."""

    modules: dict[str, ModuleType]

    @override
    def __repr__(self) -> str:
        return "sys"


_SYSTEM: Final = _Interpreter(sys.modules)


def import_name(machine: Machine, namespace: Value, name: str, names: object, level: int) -> Reply:
    """What the statement `import name`, or `from name import names`, gets as the module.

    `namespace` is the frame's globals, `names` a tuple or `None`.
    """
    stop = _rely_on_import(machine, namespace)
    if stop is not None:
        return stop
    full_name = _full_name(machine, namespace, name, level) if level else name
    if isinstance(full_name, Break):
        return full_name
    module = _loaded(machine, full_name)
    if isinstance(module, Break):
        return module
    if not names and not level:
        return module if "." not in name else _loaded(machine, name.partition(".")[0])
    if not isinstance(names, tuple) or not names:
        return machine.stop(_CODE, f"the import of {name} is an unusual one", _HINT)
    for each in names:
        found = _member(machine, module, str(each))
        if isinstance(found, Break):
            return found
    return module


def import_from(machine: Machine, module: Value, name: str) -> Reply:
    """What `from module import name` binds the name to."""
    if isinstance(module, Known) and type(module.value) is ModuleType:
        return _member(machine, module, name)
    found = get_attribute(machine, module, name)
    return _missing(machine, name) if isinstance(found, Raise) else found


def _missing(machine: Machine, name: str) -> Break:
    return machine.stop(_CODE, f"{name!r} is no attribute of the module", _HINT)


def _member(machine: Machine, module: Known, name: str) -> Value | Break:
    """An attribute that the module has in its namespace."""
    found = module_attribute(machine, module, name)
    return _missing(machine, name) if isinstance(found, Raise) else found


def _rely_on_import(machine: Machine, namespace: Value) -> Break | None:
    """Guard that the import statement is the interpreter's own."""
    found = load_builtin(machine, namespace, "__import__")
    if isinstance(found, Break):
        return found
    if not isinstance(found, Known) or found.value is not _IMPORT or type(_IMPORT) is not BuiltinFunctionType:
        return machine.stop(_CODE, "builtins.__import__ was replaced", _HINT)
    machine.guards.add(found.origin, Is(_IMPORT))
    return None


def _loaded(machine: Machine, name: str) -> Known | Break:
    """The module of that name, if it is loaded wholly."""
    modules = Known(_SYSTEM.modules, Attribute(Fixed(_SYSTEM), "modules"))
    entry = dict_entry(machine, modules, name)
    if isinstance(entry, Break):
        return entry
    if isinstance(entry, Absent) or not isinstance(entry, Known):
        return machine.stop(_CODE, f"{name} is not imported yet", _HINT)
    module = entry.value
    if type(module) is not ModuleType:
        return machine.stop(_CODE, f"what is imported as {name} is no plain module", _HINT)
    if not _is_initialised(module):
        return machine.stop(_CODE, f"{name} is still being imported", _HINT)
    machine.guards.add(entry.origin, Is(module))
    machine.type_of(entry)  # its class may be replaced
    return entry


def _is_initialised(module: ModuleType) -> bool:
    """Whether nobody is loading the module, as its spec says; nothing turns that back for the same module."""
    namespace: object = _namespace_of(module)
    if type(namespace) is not dict or ("__spec__" not in namespace and "__getattr__" in namespace):
        return False
    spec: object = namespace.get("__spec__")
    if spec is None:
        return True
    return type(spec) is ModuleSpec and vars(spec).get("_initializing", False) is False


def _full_name(machine: Machine, namespace: Value, name: str, level: int) -> str | Break:
    """The absolute name of a relative import."""
    package = _package(machine, namespace)
    if isinstance(package, Break):
        return package
    for _ in range(1, level):
        package = package.rpartition(".")[0]
    if not package:
        return machine.stop(_CODE, "a relative import goes beyond its package: it raises", _HINT)
    return f"{package}.{name}" if name else package


def _package(machine: Machine, namespace: Value) -> str | Break:
    """The package of the code that imports, by `__package__`, which `__spec__` confirms."""
    package, spec = global_entry(machine, namespace, "__package__"), global_entry(machine, namespace, "__spec__")
    name = package if isinstance(package, Absent) else machine.resolve(package)
    parent: str | None
    if isinstance(spec, Known) and type(spec.value) is ModuleSpec:
        parent = _parent(machine, spec, spec.value)
    else:
        parent = None if isinstance(spec, Absent) or machine.concrete(spec) is None else ""
    if isinstance(name, Constant) and type(name.value) is str and parent in (None, name.value):
        return name.value
    return machine.stop(_CODE, "the package of a relative import is not plain", _HINT)


def _parent(machine: Machine, known: Known, spec: ModuleSpec) -> str:
    """`spec.parent`, what it is computed from guarded."""
    machine.guards.add(known.origin, Is(spec))
    name, places = spec.name, spec.submodule_search_locations
    if type(name) is not str:
        return ""
    machine.guards.add(Attribute(known.origin, "name"), Equals(name))
    place = Attribute(known.origin, "submodule_search_locations")
    machine.guards.add(place, Equals(None) if places is None else TypeIs(type(places)))
    return name.rpartition(".")[0] if places is None else name
