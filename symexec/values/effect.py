"""What a trace does to objects that existed before it: recorded in program order, committed at its end.

Pure data.  Each has a form in bytecode that runs no user code, calls nothing and cannot stop half way.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import attrs

from symexec.values.keys import held_by
from symexec.values.model import Known, Made, Value


@attrs.frozen(eq=False, repr=False)
class SetItem:
    """`container[key] = value`, of an exact list (key an int in range) or dict (key an exact builtin scalar).

    `key_object` is the key where a dict gets it and it is an object; such a dict has only keys that go by identity, or
    are exact builtin ones.  Where hashing the key runs code `entry` is a dict of this entry alone, made beforehand.
    """

    container: Value
    key: Hashable
    value: Value
    key_object: Known | Made | None = None
    entry: Made | None = None


@attrs.frozen(eq=False, repr=False)
class DeleteItem:
    """`del container[key]`, of an exact list or dict that has it; `key_object` is the key if it is an object."""

    container: Value
    key: Hashable
    key_object: Known | Made | None = None


@attrs.frozen(eq=False, repr=False)
class SetSlice:
    """`container[start:stop] = [*values]`, of an exact list."""

    container: Value
    start: int
    stop: int
    values: tuple[Value, ...]


@attrs.frozen(eq=False, repr=False)
class Append:
    """`container.append(value)`, of an exact list."""

    container: Value
    value: Value


@attrs.frozen(eq=False, repr=False)
class SetAttribute:
    """`owner.name = value`, where no `__setattr__` and no data descriptor but a C slot is in the way."""

    owner: Value
    name: str
    value: Value


@attrs.frozen(eq=False, repr=False)
class DeleteAttribute:
    """`del owner.name`, likewise."""

    owner: Value
    name: str


@attrs.frozen(eq=False, repr=False)
class SetContents:
    """The cell `cell` gets `value`; `None` empties it."""

    cell: Value
    value: Value | None


@attrs.frozen(eq=False, repr=False)
class AddToSet:
    """`container.add(value)`, of an exact set and a key: a constant or an `ObjectKey`."""

    container: Value
    value: Hashable


@attrs.frozen(eq=False, repr=False)
class CombineSet:
    """`container op= other`, of an exact set and an exact set or frozenset; `operator` is that of `BINARY_OP`."""

    container: Value
    operator: int
    other: Value


Effect: TypeAlias = (
    SetItem
    | DeleteItem
    | SetSlice
    | Append
    | SetAttribute
    | DeleteAttribute
    | SetContents
    | AddToSet
    | CombineSet
)


def effect_target(effect: Effect) -> Value:
    """The object that the effect changes."""
    match effect:
        case SetAttribute(owner=owner) | DeleteAttribute(owner=owner):
            return owner
        case SetContents(cell=cell):
            return cell
        case _:
            return effect.container


def effect_values(effect: Effect) -> list[Value]:
    """The values that committing the effect pushes."""
    match effect:
        case Append(container=container, value=value):
            return [container, value]
        case SetItem(container=container, entry=Made() as entry):
            return [container, entry]
        case SetItem(container=container, value=value, key_object=key):
            return [container, value] if key is None else [container, value, key]
        case DeleteItem(container=container, key_object=key):
            return [container] if key is None else [container, key]
        case AddToSet(container=container, value=element):
            return [container, *held_by((element,))]
        case CombineSet(container=container, other=other):
            return [container, other]
        case SetSlice(container=container, values=values):
            return [container, *values]
        case SetAttribute(owner=owner, value=value):
            return [owner, value]
        case DeleteAttribute(owner=owner):
            return [owner]
        case SetContents(cell=cell, value=content):
            return [cell] if content is None else [cell, content]
