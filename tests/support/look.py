"""The vocabulary of looking at objects: what one look shows, and where looking stops."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Sequence

import attrs

Part = tuple[str, object]  # how the part is reached from its owner, as text to append to the owner's place

IS_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
SUPPORT_FOLDER = os.path.dirname(os.path.abspath(__file__))
DICT_OF_CLASS = type.__dict__["__dict__"]
MRO_OF_CLASS = type.__dict__["__mro__"]
MODULE_OF_CLASS = type.__dict__["__module__"]
QUALNAME_OF_CLASS = type.__dict__["__qualname__"]


@attrs.frozen
class Look:
    """What an object shows by itself, and the objects that it refers to, in an order that is the program's own.

    If `is_unordered` is true, the order of the parts may depend on addresses and means nothing.
    """

    text: str
    parts: list[Part] = attrs.field(factory=list)
    is_unordered: bool = False


@attrs.frozen
class Scope:
    """Where looking stops: only classes and functions of `packages` (top-level module names) are the test's own.

    Frames of code in `hidden_folders` do not count in tracebacks; nor do those of this package.
    """

    packages: frozenset[str] = frozenset({"tests", "__main__"})
    hidden_folders: tuple[str, ...] = ()

    def owns_module(self, name: object) -> bool:
        return name is None or (isinstance(name, str) and name.partition(".")[0] in self.packages)

    def owns_class(self, cls: type) -> bool:
        module = class_module(cls)
        if module == "builtins":  # a class made in a namespace without __name__ says so as well
            return bool(cls.__flags__ & IS_HEAP_TYPE)
        return self.owns_module(module)

    def owns_function(self, function: types.FunctionType) -> bool:
        return self.owns_module(function.__module__) or function.__module__ == "builtins"

    def hides_file(self, filename: str) -> bool:
        folder = os.path.dirname(os.path.abspath(filename))
        return folder == SUPPORT_FOLDER or any(
            folder == hidden or folder.startswith(hidden + os.sep) for hidden in self.hidden_folders
        )


def is_of(value: object, *classes: type) -> bool:
    """Whether the real type of `value` is one of `classes` or derives from one; runs no code of the value's."""
    return issubclass(type(value), classes)


def class_namespace(cls: type) -> types.MappingProxyType[str, object]:
    """The class's own namespace, whatever its metaclass says."""
    namespace: types.MappingProxyType[str, object] = DICT_OF_CLASS.__get__(cls)
    return namespace


def bases_in_order(cls: type) -> Sequence[type]:
    order: tuple[type, ...] = MRO_OF_CLASS.__get__(cls)
    return order


def class_module(cls: type) -> str | None:
    """The name of the module that `cls` says it is from, if it says one."""
    try:
        module = MODULE_OF_CLASS.__get__(cls)
    except AttributeError:
        return None
    return module if isinstance(module, str) else None


def class_name(cls: type) -> str:
    return f"{class_module(cls)}.{QUALNAME_OF_CLASS.__get__(cls)}"


def is_standard(cls: type) -> bool:
    return (class_module(cls) or "").partition(".")[0] in sys.stdlib_module_names


def instance_namespace(value: object) -> dict[str, object] | None:
    """The instance's `__dict__`, read past any property or `__getattribute__` of the same name."""
    for cls in bases_in_order(type(value)):
        descriptor = class_namespace(cls).get("__dict__")
        if type(descriptor) is types.GetSetDescriptorType:
            namespace: dict[str, object] = descriptor.__get__(value)
            return namespace
    return None


def instance_slots(value: object, scope: Scope) -> list[tuple[types.MemberDescriptorType, str, object]]:
    """The bound `__slots__` of the test's own classes: descriptor, name and content."""
    found = []
    for cls in bases_in_order(type(value)):
        if not scope.owns_class(cls):
            continue
        for name, descriptor in class_namespace(cls).items():
            if type(descriptor) is types.MemberDescriptorType:
                try:
                    found.append((descriptor, name, descriptor.__get__(value)))
                except AttributeError:
                    continue  # unbound
    return found
