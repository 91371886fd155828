"""Instances: what they hold themselves, under guards where they existed before the trace, and writing it.

Knows nothing of descriptors: callers have looked at the class and relied on what it has under the name.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import BuiltinFunctionType, MethodType, MethodWrapperType
from typing import Final, TypeAlias, TypeVar

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.apart import note_attribute
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.drops import may_drop
from symexec.interpreter.protocol.missing import missing_slot_to_delete, missing_to_delete
from symexec.interpreter.protocol.special import is_among
from symexec.values.effect import DeleteAttribute, SetAttribute
from symexec.values.guard import IsBoundBuiltin, IsBoundMethod, Lacks, Present, SameAs
from symexec.values.heap import ABSENT, Absent, MethodContent, ObjectContent
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute

_load: Final = object.__getattribute__
_BOUND: Final = (BuiltinFunctionType, MethodWrapperType)

Key = TypeVar("Key", bound=Hashable)
Owner: TypeAlias = Known | Made | Constant


def object_content(machine: Machine, owner: Owner) -> tuple[Owner, ObjectContent] | Break:
    """What is known of an instance's attributes, and the value under which an existing one was first looked into."""
    if type(owner) is Made:
        content = machine.heap.content(owner)
        if isinstance(content, ObjectContent):
            return owner, content
        raise InternalError("only instances have attributes of their own here")
    if type(owner) is not Known:
        raise InternalError("only objects have attributes of their own")
    found = machine.heap.existing(owner)
    if found is None:
        content = ObjectContent(machine.type_of(owner), {})
        machine.heap.adopt(owner, content)
        return owner, content
    first = machine.heap.first_known(owner)
    if first is None or not isinstance(found, ObjectContent):
        name = class_name(type(owner.value))
        return machine.stop("SX2014", f"an object of type {name} is used as a container and by its attributes")
    if first.origin is not owner.origin and first.origin != owner.origin:
        machine.guards.add(owner.origin, SameAs(first.origin, True))
    return first, found


def note(machine: Machine, attributes: dict[Key, Value | Absent], name: Key, value: Value | Absent) -> None:
    """Put what is known of a name among a content's attributes or entries, until it is rolled back."""
    old = attributes.get(name)
    attributes[name] = value

    def undo() -> None:
        if old is None:
            del attributes[name]
        else:
            attributes[name] = old

    machine.heap.record(undo)


def read(machine: Machine, owner: Owner, content: ObjectContent, name: str) -> Value | Absent:
    """What a load of `name` gives where the class has nothing under the name, a slot or a plain value.

    For a made instance only what it holds itself.  Absence is guarded, a value is not.
    """
    found = content.attributes.get(name)
    if found is not None:
        return found
    if type(owner) is not Known:
        return ABSENT
    value: Value | Absent
    try:
        loaded: object = _load(owner.value, name)
    except AttributeError:
        machine.guards.add(owner.origin, Lacks(name))
        value = ABSENT
    else:
        value = Known(loaded, Attribute(owner.origin, name))
        machine.guards.add(value.origin, Present())
    note(machine, content.attributes, name, value)
    return value


def read_over_method(
    machine: Machine, owner: Owner, content: ObjectContent, name: str, method: MethodContent
) -> Value | Absent:
    """What the instance itself holds where the class gives `method`, of an existing function, under the name.

    That it holds nothing is guarded: the load gives that very method.
    """
    function, bound_to = method.function, method.owner
    if type(owner) is not Known or type(bound_to) is not Known or type(function) is not Known:
        return ABSENT
    loaded: object = _load(owner.value, name)
    origin = Attribute(owner.origin, name)
    value: Value | Absent = ABSENT
    if _is_fresh_method(owner.value, name, loaded, function.value, bound_to.value):
        machine.guards.add(origin, IsBoundMethod(function.value))
        machine.guards.add(Attribute(origin, "__self__"), SameAs(bound_to.origin, True))
    else:
        value = Known(loaded, origin)
        machine.guards.add(origin, Present())
    note(machine, content.attributes, name, value)
    return value


def read_over_builtin(
    machine: Machine, owner: Known, content: ObjectContent, name: str, function: object
) -> Value | Absent:
    """What an existing instance itself holds where the class gives a C method of a builtin type under the name.

    That it holds nothing is guarded: the load gives that very method, bound to it.
    """
    loaded: object = _load(owner.value, name)
    origin = Attribute(owner.origin, name)
    value: Value | Absent = ABSENT
    fresh = is_among(type(loaded), _BOUND) and _load(owner.value, name) is not loaded
    if fresh and loaded == type(function).__dict__["__get__"](function, owner.value):
        machine.guards.add(origin, IsBoundBuiltin(function))
        machine.guards.add(Attribute(origin, "__self__"), SameAs(owner.origin, True))
    else:
        value = Known(loaded, origin)
    note(machine, content.attributes, name, value)
    return value


def _is_fresh_method(owner: object, name: str, loaded: object, function: object, bound_to: object) -> bool:
    """Whether the load made a new method: one that the instance holds would be the same each time."""
    if type(loaded) is not MethodType or loaded.__func__ is not function or loaded.__self__ is not bound_to:
        return False
    return _load(owner, name) is not loaded


def write(machine: Machine, owner: Owner, content: ObjectContent, name: str, value: Value) -> Break | None:
    """Let the instance hold `value` under the name; what it held before, if anything, was read."""
    if type(owner) is Known:
        old = content.attributes.get(name)
        if old is None:
            raise InternalError(f"{name!r} is written before it was read")
        stop = None if isinstance(old, Absent) else may_drop(machine, old, f"the attribute {name!r}")
        if stop is not None:
            return stop
        machine.heap.emit(SetAttribute(owner, name, value))
        note_attribute(machine, owner, name)
    note(machine, content.attributes, name, value)
    return None


def remove(machine: Machine, owner: Owner, content: ObjectContent, name: str, *, is_slot: bool) -> Raise | Break | None:
    """Let the instance hold nothing under the name, where the class has nothing under it, or a slot."""
    old = read(machine, owner, content, name)
    if isinstance(old, Absent):
        return missing_slot_to_delete(machine, name) if is_slot else missing_to_delete(machine, content.type, name)
    if type(owner) is Known:
        stop = may_drop(machine, old, f"the attribute {name!r}")
        if stop is not None:
            return stop
        machine.heap.emit(DeleteAttribute(owner, name))
        note_attribute(machine, owner, name)
        note(machine, content.attributes, name, ABSENT)
        return None
    before = dict(content.attributes)
    del content.attributes[name]

    def undo() -> None:
        content.attributes.clear()
        content.attributes.update(before)

    machine.heap.record(undo)
    return None
