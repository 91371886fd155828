"""Paths by which a compiled function can reach, at an anchor, an object that existed before the trace.

Pure data: an origin neither emits code nor checks itself.  Two equal origins reach the same object at the same time.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import attrs
from typing_extensions import override


@attrs.frozen(cache_hash=True)
class Local:
    """The value of a frame variable at the anchor, by localsplus slot; `name` is for messages only."""

    slot: int
    name: str = attrs.field(default="", eq=False)

    @override
    def __str__(self) -> str:
        return self.name or f"slot {self.slot}"


@attrs.frozen(cache_hash=True)
class Cell:
    """The cell object that a slot of the frame holds; `name` is for messages only."""

    slot: int
    name: str = attrs.field(default="", eq=False)

    @override
    def __str__(self) -> str:
        return f"cell of {self.name or self.slot}"


@attrs.frozen(cache_hash=True)
class Contents:
    """What a cell (itself reached by an origin) contains."""

    cell: Origin

    @override
    def __str__(self) -> str:
        return self.cell.name if isinstance(self.cell, Cell) and self.cell.name else f"contents of {self.cell}"


@attrs.frozen(cache_hash=True)
class Stack:
    """An entry of the value stack at the anchor, counted from the bottom."""

    index: int

    @override
    def __str__(self) -> str:
        return f"stack[{self.index}]"


@attrs.frozen(cache_hash=True)
class Global:
    """What `LOAD_GLOBAL name` gives in the frame: from its globals, or else its builtins."""

    name: str

    @override
    def __str__(self) -> str:
        return self.name


@attrs.frozen(cache_hash=True)
class Globals:
    """The globals dictionary of the frame."""

    @override
    def __str__(self) -> str:
        return "globals()"


@attrs.frozen(cache_hash=True)
class Attribute:
    """What an ordinary attribute load on `base` gives."""

    base: Origin
    name: str

    @override
    def __str__(self) -> str:
        return f"{self.base}.{self.name}"


@attrs.frozen(cache_hash=True)
class Past:
    """What `object.__getattribute__(base, name)` gives: past what the class of `base` has for looking up attributes."""

    base: Origin
    name: str

    @override
    def __str__(self) -> str:
        return f"{self.base}.{self.name}"


def _key_identity(key: Hashable) -> tuple[type, object]:
    """Keys that differ in type (`1`, `True`, `1.0`) are different steps."""
    return type(key), key


@attrs.frozen(cache_hash=True)
class Item:
    """What an ordinary subscript of `base` with a constant key gives; `base` is of an exact builtin container type."""

    base: Origin
    key: Hashable = attrs.field(eq=_key_identity)

    @override
    def __str__(self) -> str:
        return f"{self.base}[{self.key!r}]"


@attrs.frozen(cache_hash=True)
class DictKey:
    """The key object itself, at a position in the order of the dict `base`."""

    base: Origin
    index: int

    @override
    def __str__(self) -> str:
        return f"key {self.index} of {self.base}"


@attrs.frozen(cache_hash=True)
class TypeOf:
    """`type(base)`."""

    base: Origin

    @override
    def __str__(self) -> str:
        return f"type({self.base})"


@attrs.frozen(cache_hash=True)
class Handled:
    """The exception that is being handled where the frame is, `None` if there is none: `sys.exception()`."""

    @override
    def __str__(self) -> str:
        return "sys.exception()"


@attrs.frozen(cache_hash=True)
class Fixed:
    """An object that outlives every program and may stand in constants: a builtin function or type, a singleton.

    Compared by the object's identity.
    """

    value: object = attrs.field(eq=id)

    @override
    def __str__(self) -> str:
        return getattr(self.value, "__qualname__", None) or repr(self.value)


@attrs.frozen(cache_hash=True)
class Held:
    """An object reached through a weak reference that the trace itself holds: it was guarded by identity before.

    Compared by the object's identity.
    """

    value: object = attrs.field(eq=id)

    @override
    def __str__(self) -> str:
        return getattr(self.value, "__qualname__", None) or type(self.value).__name__


Origin: TypeAlias = (
    Local
    | Cell
    | Contents
    | Stack
    | Global
    | Globals
    | Attribute
    | Past
    | Item
    | DictKey
    | TypeOf
    | Handled
    | Fixed
    | Held
)


def base_of(origin: Origin) -> Origin | None:
    """The origin one step nearer to the frame, `None` for a root."""
    match origin:
        case Contents(cell=base) | Attribute(base=base) | Past(base=base) | Item(base=base):
            return base
        case DictKey(base=base) | TypeOf(base=base):
            return base
        case Local() | Cell() | Stack() | Global() | Globals() | Handled() | Fixed() | Held():
            return None


def is_mutable(origin: Origin) -> bool:
    """Whether something outside the frame can change what the origin reaches between two instructions.

    The frame's own variables and stack, and types of such, cannot change by others' doing.
    """
    match origin:
        case Local() | Cell() | Stack() | Handled() | Fixed() | Held():
            return False
        case TypeOf(base=base):
            return is_mutable(base)
        case _:
            return True
