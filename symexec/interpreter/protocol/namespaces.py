"""Global and builtin names, as `LOAD_GLOBAL` and its like see them."""

from __future__ import annotations

import builtins
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.fixed import fixed_name, is_fixed_namespace
from symexec.values.effect import DeleteItem, SetItem
from symexec.values.guard import ContainsKey, Lacks, Present
from symexec.values.heap import ABSENT, Absent, DictContent
from symexec.values.model import Known, Value
from symexec.values.origin import Attribute, Fixed, Global, Globals, Item

_BUILTINS: Final = builtins
_NAMES: Final = builtins.__dict__


def _content(machine: Machine, namespace: Value) -> tuple[Known, DictContent]:
    if not isinstance(namespace, Known):
        raise InternalError("the globals of a frame existed before the trace")
    content = machine.heap.existing(namespace)
    if content is None:
        content = DictContent({}, complete=False)
        machine.heap.adopt(namespace, content)
    if not isinstance(content, DictContent):
        raise InternalError("globals are a dict")
    return namespace, content


def _dictionary(namespace: Known) -> dict[str, object]:
    found = namespace.value
    if type(found) is not dict:
        raise InternalError("globals are a dict")
    return found


def load_global(machine: Machine, namespace: Value, name: str) -> Value | Raise | Break:
    """The value of a global or builtin name; nothing is guarded until it is consulted."""
    if isinstance(namespace, Known) and is_fixed_namespace(namespace):
        return fixed_name(namespace, name)
    known, content = _content(machine, namespace)
    found = content.entries.get(name)
    if isinstance(found, Absent):
        return load_builtin(machine, known, name)
    if found is not None:
        return found
    dictionary = _dictionary(known)
    if name not in dictionary:
        return load_builtin(machine, known, name)
    value = dictionary[name]
    own = isinstance(known.origin, Globals)
    loaded = Known(value, Global(name) if own else Item(known.origin, name))
    machine.guards.add(loaded.origin, Present())
    content.entries[name] = loaded
    machine.heap.record(lambda: content.entries.pop(name))
    return loaded


def load_builtin(machine: Machine, namespace: Value, name: str) -> Value | Raise | Break:
    """What a function with these globals has under the name in its builtins."""
    if not isinstance(namespace, Known):
        raise InternalError("the globals of a frame existed before the trace")
    dictionary = _dictionary(namespace)
    used = dictionary.get("__builtins__", _BUILTINS)
    if used is not _BUILTINS and used is not _NAMES:
        return machine.stop("SX2003", "the function has builtins of its own")
    written = _written_builtin(machine, name)
    if written is not None or name not in _NAMES:
        if name not in dictionary:
            machine.guards.add(namespace.origin, ContainsKey(name, False))
        if written is None:
            machine.guards.add(Fixed(_BUILTINS), Lacks(name))
        if written is None or isinstance(written, Absent):
            return Raise(NameError(f"name '{name}' is not defined", name=name))
        return written
    value = _NAMES[name]
    if isinstance(namespace.origin, Globals) and name not in dictionary:
        machine.guards.add(Global(name), Present())
        return Known(value, Global(name))
    if name not in dictionary:
        machine.guards.add(namespace.origin, ContainsKey(name, False))
    return Known(value, Attribute(Fixed(_BUILTINS), name))


def global_entry(machine: Machine, namespace: Value, name: str) -> Value | Absent:
    """What the namespace itself has under the name, presence or absence guarded."""
    known, content = _content(machine, namespace)
    return _current(machine, known, content, name)


def _written_builtin(machine: Machine, name: str) -> Value | Absent | None:
    """What the trace itself has written as, or read of, an attribute of the module of builtins."""
    content = machine.heap.existing(Known(_NAMES, Attribute(Fixed(_BUILTINS), "__dict__")))
    return content.entries.get(name) if isinstance(content, DictContent) else None


def store_global(machine: Machine, namespace: Value, name: str, value: Value) -> Break | None:
    """Bind a global name."""
    known, content = _content(machine, namespace)
    old = _current(machine, known, content, name)
    if isinstance(old, Known):
        stop = may_drop(machine, old, f"the global {name!r}")
        if stop is not None:
            return stop
    _replace(machine, content, name, value)
    machine.heap.emit(SetItem(known, name, value))
    return None


def delete_global(machine: Machine, namespace: Value, name: str) -> Raise | Break | None:
    """Unbind a global name."""
    known, content = _content(machine, namespace)
    old = _current(machine, known, content, name)
    if isinstance(old, Absent):
        return Raise(NameError(f"name '{name}' is not defined", name=name))
    stop = may_drop(machine, old, f"the global {name!r}")
    if stop is not None:
        return stop
    _replace(machine, content, name, ABSENT)
    machine.heap.emit(DeleteItem(known, name))
    return None


def _current(machine: Machine, known: Known, content: DictContent, name: str) -> Value | Absent:
    """What the name is bound to in the namespace itself now, its presence or absence guarded."""
    found = content.entries.get(name)
    if found is not None:
        return found
    dictionary = _dictionary(known)
    if name in dictionary:
        value = Known(dictionary[name], Global(name) if isinstance(known.origin, Globals) else Item(known.origin, name))
        machine.guards.add(known.origin, ContainsKey(name, True))
        return value
    machine.guards.add(known.origin, ContainsKey(name, False))
    return ABSENT


def _replace(machine: Machine, content: DictContent, name: str, value: Value | Absent) -> None:
    missing = name not in content.entries
    old = content.entries.get(name)

    def undo() -> None:
        if missing or old is None:
            content.entries.pop(name, None)
        else:
            content.entries[name] = old

    content.entries[name] = value
    machine.heap.record(undo)
