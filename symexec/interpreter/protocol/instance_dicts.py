"""The dicts that hold instances' attributes: once one is asked for, attributes are read and written through it.

So the dict and the instance are one place, whichever way it is come by.  Knows nothing of descriptors.
"""

from __future__ import annotations

from types import GetSetDescriptorType, MemberDescriptorType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    find_in_class,
    is_quiet,
    look_up,
    rely_on_found,
)
from symexec.interpreter.protocol.contents import dict_content, dict_entry
from symexec.interpreter.protocol.dicts import drop_entry, store_entry
from symexec.interpreter.protocol.instances import Owner, object_content
from symexec.interpreter.protocol.missing import missing_to_delete
from symexec.interpreter.records import FoundKind
from symexec.values.effect import DeleteAttribute, Effect, SetAttribute
from symexec.values.heap import ABSENT, Absent, DictContent, ObjectContent
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute, Past

_load: Final = object.__getattribute__
_PLAIN: Final = (GetSetDescriptorType, MemberDescriptorType)


def has_plain_dict(type_: type) -> bool:
    """Whether `__dict__` of the class's instances is the one that C made for them."""
    return type(find_in_class(type_, "__dict__")) in _PLAIN


def instance_dict(machine: Machine, owner: Owner) -> Known | Made | Break:
    """The dict of an instance that has one; its class is guarded already."""
    reply = object_content(machine, owner)
    if isinstance(reply, Break):
        return reply
    first, content = reply
    if content.namespace is not None:
        return content.namespace
    if not has_plain_dict(content.type) or content.base is not None:
        return machine.stop("SX2014", f"the __dict__ of an object of {class_name(content.type)} is not known")
    if isinstance(first, Known):
        return _dict_of_existing(machine, first, content)
    made = machine.heap.make(DictContent({}, complete=True, owner=first if isinstance(first, Made) else None))
    inside = machine.heap.content(made)
    if isinstance(inside, DictContent):
        inside.entries.update(_split(machine, content, made))
    return made


def _dict_of_existing(machine: Machine, owner: Known, content: ObjectContent) -> Known | Break:
    loaded: object = _load(owner.value, "__dict__")
    stop = rely_on_found(machine, class_record(machine, content.type))
    origin = Attribute(owner.origin, "__dict__") if stop is None else Past(owner.origin, "__dict__")
    found = Known(loaded, origin)
    effects = [effect for effect in machine.heap.effects if _writes(effect, owner)]
    if effects and machine.heap.existing(found) is not None:
        return machine.stop("SX2014", "an object's attributes are written in two ways")
    inside = dict_content(machine, found, complete=False)
    if isinstance(inside, Break):
        return inside
    _split(machine, content, found)
    for effect in effects:
        if isinstance(effect, (SetAttribute, DeleteAttribute)) and not _is_slot(machine, content, effect.name):
            _enter(machine, inside, effect.name, effect.value if isinstance(effect, SetAttribute) else ABSENT)
    return found


def _writes(effect: Effect, owner: Known) -> bool:
    if not isinstance(effect, (SetAttribute, DeleteAttribute)):
        return False
    return isinstance(effect.owner, Known) and effect.owner.value is owner.value


def _enter(machine: Machine, content: DictContent, name: str, value: Value | Absent) -> None:
    entries = content.entries
    before = entries.get(name)
    entries[name] = value

    def undo() -> None:
        if before is None:
            del entries[name]
        else:
            entries[name] = before

    machine.heap.record(undo)


def _is_slot(machine: Machine, content: ObjectContent, name: str) -> bool:
    return look_up(class_record(machine, content.type), name).kind is FoundKind.SLOT


def _split(machine: Machine, content: ObjectContent, namespace: Known | Made) -> dict[str, Value | Absent]:
    """Leave the content the attributes in slots; gives the others."""
    before = content.attributes
    slots = {name: value for name, value in before.items() if _is_slot(machine, content, name)}
    content.attributes, content.namespace = slots, namespace

    def undo() -> None:
        content.attributes, content.namespace = before, None

    machine.heap.record(undo)
    return {name: value for name, value in before.items() if name not in slots and not isinstance(value, Absent)}


def is_through_dict(machine: Machine, owner: Owner, content: ObjectContent) -> bool:
    """Whether the instance's attributes are to be read and written through its dict."""
    if content.namespace is not None:
        return True
    return isinstance(owner, Known) and not is_quiet(class_record(machine, content.type))


def read_through_dict(machine: Machine, owner: Owner, name: str) -> Value | Absent | Break:
    """What the instance itself holds under a name that no slot of its class has; guarded."""
    content = machine.heap.content(owner) if isinstance(owner, Made) else None
    if isinstance(content, ObjectContent) and content.namespace is None:
        return content.attributes.get(name, ABSENT)
    namespace = instance_dict(machine, owner)
    return namespace if isinstance(namespace, Break) else dict_entry(machine, namespace, name)


def write_through_dict(machine: Machine, owner: Owner, name: str, value: Value) -> Raise | Break | None:
    """Let the instance hold the value under a name that no slot of its class has."""
    namespace = instance_dict(machine, owner)
    return namespace if isinstance(namespace, Break) else store_entry(machine, namespace, name, value)


def delete_through_dict(machine: Machine, owner: Owner, type_: type, name: str) -> Raise | Break | None:
    """Let the instance hold nothing under a name that no slot of its class has."""
    namespace = instance_dict(machine, owner)
    if isinstance(namespace, Break):
        return namespace
    entry = dict_entry(machine, namespace, name)
    if isinstance(entry, Break):
        return entry
    if isinstance(entry, Absent):
        return missing_to_delete(machine, type_, name)
    return drop_entry(machine, namespace, name, Constant(name))
