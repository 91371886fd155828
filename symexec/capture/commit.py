"""Effects as instructions: stores, deletes, builds and in-place operators on exact builtin types.

No call, no jump, nothing that polls: a commit cannot stop half way.
"""

from __future__ import annotations

from collections.abc import Hashable

from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.capture.reconstruct import Rebuilder
from symexec.interpreter.protocol.keys import element_value
from symexec.values.effect import (
    AddToSet,
    Append,
    CombineSet,
    DeleteAttribute,
    DeleteItem,
    Effect,
    SetAttribute,
    SetContents,
    SetItem,
    SetSlice,
)
from symexec.values.heap import CellContent, Heap
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Cell, Globals


def home_slot(heap: Heap, cell: Value) -> int | None:
    """The slot of the frame that holds the cell, `None` if none does."""
    if isinstance(cell, Made):
        content = heap.content(cell)
        return content.home if isinstance(content, CellContent) else None
    if isinstance(cell, Known) and isinstance(cell.origin, Cell):
        return cell.origin.slot
    return None


class Committer:
    """Writes effects whose values have been made ready."""

    def __init__(self, assembly: Assembly, heap: Heap, rebuilder: Rebuilder) -> None:
        self._assembly = assembly
        self._heap = heap
        self._push = rebuilder.push

    def write(self, effect: Effect) -> None:
        """Commit one effect."""
        assembly = self._assembly
        match effect:
            case SetItem(container=Known(origin=Globals()), key=str() as name, value=value):
                self._push(value)
                self._store(Op.STORE_GLOBAL, 1, name)
            case DeleteItem(container=Known(origin=Globals()), key=str() as name):
                self._store(Op.DELETE_GLOBAL, 0, name)
            case SetItem(container=container, entry=Made() as entry):
                self._push(container)
                self._push(entry)
                assembly.emit(Op.DICT_UPDATE, 1)  # it knows the hash already
                assembly.drop()
                assembly.pop_top()
            case SetItem(container=container, key=key, value=value, key_object=key_object):
                self._push(value)
                self._push(container)
                self._push_key(key, key_object)
                self._store(Op.STORE_SUBSCR, 3)
            case DeleteItem(container=container, key=key, key_object=key_object):
                self._push(container)
                self._push_key(key, key_object)
                self._store(Op.DELETE_SUBSCR, 2)
            case Append(container=container, value=value):
                self._push(container)
                self._push(value)
                assembly.emit(Op.LIST_APPEND, 1)
                assembly.drop()
                assembly.pop_top()
            case SetSlice():
                self._set_slice(effect)
            case SetAttribute(owner=owner, name=name, value=value):
                self._push(value)
                self._push(owner)
                self._store(Op.STORE_ATTR, 2, name)
            case DeleteAttribute(owner=owner, name=name):
                self._push(owner)
                self._store(Op.DELETE_ATTR, 1, name)
            case SetContents(cell=cell, value=content):
                self._set_contents(cell, content)
            case AddToSet(container=container, value=member):
                self._push(container)
                self._push(element_value(member))
                assembly.emit(Op.SET_ADD, 1)  # as `add` does; `|=` may order the set otherwise
                assembly.drop()
                assembly.pop_top()

            case CombineSet():
                self._combine(effect)

    def _combine(self, effect: CombineSet) -> None:
        self._push(effect.container)
        self._push(effect.other)
        self._assembly.emit(Op.BINARY_OP, effect.operator)
        self._assembly.drop()
        self._assembly.pop_top()

    def _push_key(self, key: Hashable, key_object: Known | Made | None) -> None:
        if key_object is None:
            self._assembly.load_constant(key)
        else:
            self._push(key_object)

    def _store(self, op: Op, popped: int, name: str = "") -> None:
        self._assembly.emit(op, name=name)
        self._assembly.drop(popped)

    def _set_slice(self, effect: SetSlice) -> None:
        assembly = self._assembly
        for value in effect.values:
            self._push(value)
        assembly.emit(Op.BUILD_LIST, len(effect.values))
        assembly.drop(len(effect.values))
        assembly.push()
        self._push(effect.container)
        assembly.load_constant(effect.start)
        assembly.load_constant(effect.stop)
        assembly.emit(Op.BUILD_SLICE, 2)
        assembly.drop()
        self._store(Op.STORE_SUBSCR, 3)

    def _set_contents(self, cell: Value, content: Value | None) -> None:
        assembly = self._assembly
        slot = home_slot(self._heap, cell)
        if content is not None:
            self._push(content)
        if slot is not None:
            assembly.emit(Op.DELETE_DEREF if content is None else Op.STORE_DEREF, slot)
            assembly.drop(0 if content is None else 1)
            return
        self._push(cell)
        if content is None:
            self._store(Op.DELETE_ATTR, 1, "cell_contents")
        else:
            self._store(Op.STORE_ATTR, 2, "cell_contents")
