"""Attributes of modules: CPython's `module.__getattribute__` and `__setattr__`.

A module's attributes are the entries of its namespace, which functions see as their globals: both share one content.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_record, look_up
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.instances import note
from symexec.interpreter.records import FoundKind
from symexec.values.effect import DeleteAttribute, SetAttribute
from symexec.values.guard import ContainsKey, Equals, Lacks, Present
from symexec.values.heap import ABSENT, Absent, DictContent, ObjectContent
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Attribute, Item

_load: Final = ModuleType.__getattribute__
_delete: Final = ModuleType.__delattr__
_namespace_of: Final = vars(ModuleType)["__dict__"].__get__


def _look_into(machine: Machine, owner: Known, name: str) -> tuple[dict[str, object], DictContent] | Break:
    """The module's namespace and what is known of it, the module being identified."""
    if look_up(class_record(machine, ModuleType), name).kind is not FoundKind.ABSENT:
        return machine.stop("SX2014", f"{name!r} is not a plain attribute of a module")
    first = machine.heap.first_known(owner)
    if first is None or (first is not owner and first.origin != owner.origin):
        if not machine.identify(owner):
            return machine.stop("SX2017", "the module cannot be recognised again")
        machine.type_of(owner)  # its class may be replaced
        if first is None:
            machine.heap.adopt(owner, ObjectContent(ModuleType, {}))  # all that it has is in its namespace
    namespace: object = _namespace_of(owner.value)
    if type(namespace) is not dict:
        return machine.stop("SX2014", "the module has no namespace")
    known = Known(namespace, Attribute(owner.origin, "__dict__"))
    content = machine.heap.existing(known)
    if content is None:
        content = DictContent({}, complete=False)
        machine.heap.adopt(known, content)
    if not isinstance(content, DictContent):
        return machine.stop("SX2014", "the module's namespace is no plain dict")
    return namespace, content


def _read(
    machine: Machine, owner: Known, namespace: dict[str, object], content: DictContent, name: str
) -> Value | Absent | Break:
    """What the namespace has under the name; absence is guarded, a value is not."""
    entry = content.entries.get(name)
    if entry is not None:
        return entry
    value: Value | Absent
    if name in namespace:
        value = Known(namespace[name], Attribute(owner.origin, name))
        place = Item(Attribute(owner.origin, "__dict__"), name)  # a `__getattr__` that it gets later is not to run
        machine.guards.add(place, Present(value.origin))
    elif "__getattr__" in namespace or "__getattr__" in content.entries:
        return machine.stop("SX2011", "the module has a __getattr__")
    else:
        machine.guards.add(owner.origin, Lacks("__getattr__"))
        machine.guards.add(owner.origin, Lacks(name))
        value = ABSENT
    note(machine, content.entries, name, value)
    return value


def module_attribute(machine: Machine, owner: Known, name: str) -> Value | Raise | Break:
    """An attribute of a module; nothing about its value is guarded."""
    reply = _look_into(machine, owner, name)
    if isinstance(reply, Break):
        return reply
    namespace, content = reply
    asks = "__getattr__" in namespace and "__getattr__" not in content.entries
    if asks and name not in namespace and name not in content.entries:
        return _ask(machine, owner, namespace, name)
    value = _read(machine, owner, namespace, content, name)
    if not isinstance(value, Absent):
        return value
    if "__getattr__" in namespace or "__getattr__" in content.entries:
        return machine.stop("SX2011", "the module has a __getattr__")
    return _missing(machine, owner, namespace, name)


def _ask(machine: Machine, owner: Known, namespace: dict[str, object], name: str) -> Reply:
    """What the module's own `__getattr__` gives for a name that its namespace has not got."""
    place = Attribute(owner.origin, "__dict__")
    machine.guards.add(place, ContainsKey(name, False))
    getter = Known(namespace["__getattr__"], Item(place, "__getattr__"))
    return machine.call(machine, getter, [Constant(name)], ())


def _missing(machine: Machine, owner: Known, namespace: dict[str, object], name: str) -> Raise | Break:
    """What a load of an attribute raises that is not there: of a module in the making, and of others, it says more."""
    module_name, spec = namespace.get("__name__"), namespace.get("__spec__")
    plain = f"module '{module_name}' has no attribute '{name}'"
    if type(module_name) is str and (spec is None or type(spec) is ModuleSpec):
        reply = fold(machine, _load, (owner.value, name))
        error = reply.exception if isinstance(reply, Raise) else None
        if isinstance(error, AttributeError) and error.args == (plain,):
            machine.guards.add(Item(Attribute(owner.origin, "__dict__"), "__name__"), Equals(module_name))
            return Raise(AttributeError(plain, name=name))
    return machine.stop("SX2014", f"what the module says of the missing {name!r} is not known")


def set_module_attribute(machine: Machine, owner: Known, name: str, value: Value | None) -> Raise | Break | None:
    """Set an attribute of a module; `None` deletes it."""
    if name.startswith("__"):
        return machine.stop("SX2015", f"{name!r} of a module means something to Python")
    reply = _look_into(machine, owner, name)
    if isinstance(reply, Break):
        return reply
    namespace, content = reply
    old = _read(machine, owner, namespace, content, name)
    if isinstance(old, Break):
        return old
    if isinstance(old, Absent):
        if value is None:
            refused = fold(machine, _delete, (ModuleType("a_module"), name))
            return refused if isinstance(refused, STOPS) else None
    else:
        stop = may_drop(machine, old, f"the attribute {name!r}")
        if stop is not None:
            return stop
    machine.heap.emit(DeleteAttribute(owner, name) if value is None else SetAttribute(owner, name, value))
    note(machine, content.entries, name, ABSENT if value is None else value)
    return None
