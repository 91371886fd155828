"""Instances and dicts that the trace writes are two places: no dict is the one that holds an instance's attributes.

Where it is, `instance_dicts` makes them one place, or the trace breaks.  Only what could meet is asked about: the same
name, or a whole dict.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import class_name, class_record, find_in_class, look_up
from symexec.interpreter.records import FoundKind
from symexec.values.guard import ContainsKey, SameAs, TypeIs
from symexec.values.heap import ABSENT, ObjectContent
from symexec.values.model import Constant, Known, Made
from symexec.values.origin import Attribute

_load: Final = object.__getattribute__


def note_attribute(machine: Machine, owner: Known, name: str) -> None:
    """An attribute of an existing instance is written."""
    _note(machine, machine.written_attributes, name, owner)


def note_item(machine: Machine, container: Known, key: Hashable) -> None:
    """An item of an existing dict is written."""
    if type(key) is str:
        _note(machine, machine.written_items, key, container)


def _note(machine: Machine, places: dict[str, dict[int, Known]], name: str, known: Known) -> None:
    written = places.setdefault(name, {})
    key = id(known.value)
    if key not in written:
        written[key] = known
        machine.heap.record(lambda: written.pop(key))


def part_from_dicts(machine: Machine, owner: Known | Made | Constant, name: str) -> Break | None:
    """Guard that no dict in which the trace wrote under a name holds the attributes of an existing instance."""
    if not isinstance(owner, Known):
        return None
    for container in tuple(machine.written_items.get(name, {}).values()):
        stop = _part(machine, owner, container, name)
        if stop is not None:
            return stop
    return None


def part_from_instances(machine: Machine, container: Known, key: Hashable) -> Break | None:
    """Guard that an existing dict does not hold an attribute of that name that the trace wrote."""
    if not machine.written_attributes or type(key) is not str:
        return None
    return _part_from(machine, container, key, machine.written_attributes.get(key, {}).values())


def part_from_all_instances(machine: Machine, container: Known) -> Break | None:
    """Guard that an existing dict holds no attribute that the trace wrote."""
    for name, owners in machine.written_attributes.items():
        stop = _part_from(machine, container, name, owners.values())
        if stop is not None:
            return stop
    return None


def _part_from(machine: Machine, container: Known, name: str, owners: Iterable[Known]) -> Break | None:
    for owner in tuple(owners):
        stop = _part(machine, owner, container, name)
        if stop is not None:
            return stop
    return None


def _part(machine: Machine, owner: Known, container: Known, name: str) -> Break | None:
    """Guard that the dict is not the instance's own, which is joined to it already if it is known to be."""
    content = machine.heap.existing(owner)
    namespace = content.namespace if isinstance(content, ObjectContent) else None
    if isinstance(namespace, Known) and namespace.value is container.value:
        return None
    record = class_record(machine, type(owner.value))
    if not record.has_dict or look_up(record, name).kind is FoundKind.SLOT:
        return None
    own: object = _load(owner.value, "__dict__") if find_in_class(record.type, "__dict__") is not ABSENT else None
    if own is container.value or type(own) is not dict or type(container.value) is not dict:
        return machine.stop("SX2014", f"an object of {class_name(record.type)} and its __dict__ are both written")
    if name in own and name not in container.value and look_up(record, name).kind is FoundKind.ABSENT:
        machine.guards.add(Attribute(owner.origin, name), TypeIs(type(own[name])))
        machine.guards.add(container.origin, ContainsKey(name, False))
    else:
        machine.guards.add(Attribute(owner.origin, "__dict__"), SameAs(container.origin, False))
    return None
