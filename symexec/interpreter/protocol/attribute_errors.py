"""What CPython says of attributes that cannot be read, set or deleted, by asking it on a stand-in.

A stand-in is an object of a new class of the same name: no code of the user's runs.  Callers have guarded what the
class has under the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_weakly_referencable
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.classes import class_name, look_up, writes_plainly
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.refusals import rely_on_own_names
from symexec.interpreter.protocol.special import inherits, names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import Is
from symexec.values.origin import Attribute

_qualified_name: Final = type.__dict__["__qualname__"].__get__
_FUNCTIONS: Final = {"get": "fget", "set": "fset", "delete": "fdel"}  # of a property, by what is done
_LIKE_PLAIN: Final = (FoundKind.FUNCTION, FoundKind.STATIC, FoundKind.CLASS, FoundKind.PLAIN, FoundKind.C_METHOD)
_SAMPLES: Final[tuple[object, ...]] = (
    None, 0, 0.0, 0j, False, "", b"", (), range(0), slice(None), [], {}, set(), frozenset(),
)  # fmt: skip


def _set(self: object, name: str, value: object) -> None:
    return None


def no_accessor(machine: Machine, record: ClassRecord, name: str, action: str) -> Raise | Break:
    """What a property of the class raises that lacks the function for the action: "get", "set" or "delete"."""
    raw = look_up(record, name).raw
    place = Attribute(record.origin, name)
    instance = _stand_in(record.type, {})
    if type(raw) is not property or instance is None:
        return _unknown(machine, record, name)
    getter: object = raw.fget
    if getter is not None and (type(getter) is not FunctionType or not is_weakly_referencable(getter)):
        return _unknown(machine, record, name)  # it is asked for its name
    machine.guards.add(Attribute(place, "fget"), Is(getter))
    machine.guards.add(Attribute(place, _FUNCTIONS[action]), Is(None))
    method = names_of(property)[f"__{action}__"]
    extra = (None,) if action == "set" else ()
    return _error_of(machine, record, name, method, raw, instance, *extra)


def refused_write(machine: Machine, record: ClassRecord, name: str, action: str) -> Raise | Break:
    """What setting or deleting raises, where the class prevents that."""
    found = look_up(record, name)
    if record.fixed:
        return refused_by_builtin(machine, record, name, action)
    if found.kind is FoundKind.SLOT and inherits(record.type, tuple):
        extra = (None,) if action == "set" else ()
        field = names_of(type(found.raw))[f"__{action}__"]
        return _error_of(machine, record, name, field, found.raw, None, *extra)
    if record.has_dict or (found.kind not in _LIKE_PLAIN and found.kind is not FoundKind.ABSENT):
        return _unknown(machine, record, name)
    if not _is_ordinary(name):
        return _unknown(machine, record, name)
    own: dict[str, object] = {} if found.kind is FoundKind.ABSENT else {name: None}
    if not (writes_plainly(record.type) and writes_plainly(record.type, "__delattr__")):
        own["__setattr__"] = _set  # the words differ where the class has one
    instance = _stand_in(record.type, {"__slots__": (), **own})
    if instance is None:
        return _unknown(machine, record, name)
    return _write(machine, record, instance, name, action)


def refused_by_builtin(machine: Machine, record: ClassRecord, name: str, action: str) -> Raise | Break:
    """What setting or deleting an attribute of an object of a builtin type without a dict raises."""
    sample: object = next((each for each in _SAMPLES if type(each) is record.type), NOT_CONCRETE)
    if sample is NOT_CONCRETE or (name == "__class__" and action == "set"):  # what is said depends on the value
        return _unknown(machine, record, name)
    return _write(machine, record, sample, name, action)


def _write(machine: Machine, record: ClassRecord, instance: object, name: str, action: str) -> Raise | Break:
    if action == "delete":
        return _error_of(machine, record, name, object.__delattr__, instance, name)
    return _error_of(machine, record, name, object.__setattr__, instance, name, None)


def _is_ordinary(name: str) -> bool:
    """Whether the name means nothing to the making of a class."""
    return not name.startswith("__") and name.isidentifier()


def _stand_in(type_: type, namespace: Mapping[str, object]) -> object | None:
    """An object of a new class with the names of a class of the user's."""
    module = names_of(type_).get("__module__")
    if type(module) is not str:
        return None
    names = {"__module__": module, "__qualname__": _qualified_name(type_)}
    instance: object = type(class_name(type_), (), {**namespace, **names})()
    return instance


def _error_of(machine: Machine, record: ClassRecord, name: str, function: object, *args: object) -> Raise | Break:
    reply = rely_on_own_names(machine, record) or fold(machine, function, args)
    return reply if isinstance(reply, (Raise, Break)) else _unknown(machine, record, name)


def _unknown(machine: Machine, record: ClassRecord, name: str) -> Break:
    return machine.stop("SX2015", f"{name!r} of an object of {class_name(record.type)} is written by Python")
