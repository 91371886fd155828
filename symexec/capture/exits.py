"""How a trace ends: by returning, or in the original code with exactly the slots and the stack expected there."""

from __future__ import annotations

from collections.abc import Sequence

from symexec.bytecode.model import Label
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.capture.commit import home_slot
from symexec.capture.obstacles import find_obstacle
from symexec.capture.reconstruct import Rebuilder
from symexec.interpreter.frame import Slot, SlotState, Snapshot
from symexec.values.heap import Heap
from symexec.values.model import Known, Null, Value
from symexec.values.origin import Cell, Local, Stack


def kept_entries(stack: Sequence[Value]) -> int:
    """How many entries of the anchor's stack, from the bottom, are still the same ones."""
    for index, value in enumerate(stack):
        if not isinstance(value, Known) or value.origin != Stack(index):
            return index
    return len(stack)


def is_unchanged(heap: Heap, slot: int, value: Slot) -> bool:
    """Whether the slot holds what it held at the anchor."""
    if isinstance(value, SlotState):
        return value is SlotState.UNKNOWN
    if isinstance(value, Known):
        return value.origin in (Local(slot), Cell(slot))
    return home_slot(heap, value) == slot


def changed_slots(heap: Heap, start: Snapshot, end: Snapshot, live: int) -> tuple[list[int], list[int]]:
    """The slots to be stored, and those to be unbound, when the frame goes on.

    Dead ones are stored too, since tracebacks and debuggers show them, but where their value cannot be made real.
    """
    stored, unbound = [], []
    for slot, value in enumerate(end.slots):
        if is_unchanged(heap, slot, value):
            continue
        if not isinstance(value, SlotState) and (live >> slot & 1 or find_obstacle(heap, [value]) is None):
            stored.append(slot)
        elif start.slots[slot] is not SlotState.UNBOUND:
            unbound.append(slot)
    return stored, unbound


class Exit:
    """Writes the end of a trace.

    `start` is the frame's state at the anchor, `live` the slots that are read later, `cells` those that hold cells
    from the prefix on (an inlined comprehension may use them for variables of its own).
    """

    def __init__(self, assembly: Assembly, heap: Heap, rebuilder: Rebuilder, start: Snapshot, cells: int = 0) -> None:
        self._assembly = assembly
        self._heap = heap
        self._push = rebuilder.push
        self._key = rebuilder.key
        self._start = start
        self._cells = cells

    def leave(self, value: Value) -> None:
        """Return `value`."""
        if not self._assembly.is_top(self._key(value)):
            self._push(value)
        self._uncover(0)
        self._drop_below(0, 1)
        self._assembly.emit(Op.RETURN_VALUE)
        self._assembly.drop()

    def go_on(self, state: Snapshot, live: int, target: Label) -> None:
        """Set slots and stack and jump to the original instruction at `target`, without polling."""
        assembly = self._assembly
        kept = kept_entries(state.stack)
        wanted = state.stack[kept:]
        values = [value for value in wanted if not isinstance(value, Null)]
        below = len(assembly.entries) + assembly.depth - kept
        packed = len(values) > 1 and below > 0
        for value in reversed(values) if packed else values:
            self._push(value)
        if packed:
            assembly.emit(Op.BUILD_TUPLE, len(values))
            assembly.drop(len(values))
            assembly.push()
        self._set_slots(state, live)
        self._uncover(kept)
        self._drop_below(kept, 1 if values and below else 0 if not values else len(values))
        if packed:
            assembly.emit(Op.UNPACK_SEQUENCE, len(values))
            assembly.drop()
            for _ in values:
                assembly.push()
        self._insert_nulls(wanted)
        assembly.emit(Op.JUMP_NO_INTERRUPT, target=target)

    def _uncover(self, kept: int) -> None:
        """Leave the anchor's region if its handler wants entries that are about to go.  What follows cannot raise."""
        handler = self._assembly.handler
        if handler is not None and handler.depth > kept:
            self._assembly.handler = None

    def _set_slots(self, state: Snapshot, live: int) -> None:
        """Store and unbind what has changed.

        Last, and out of the region, what its handler relies on: that a slot is bound, or holds a cell.
        """
        assembly = self._assembly
        stored, unbound = changed_slots(self._heap, self._start, state, live)
        stored.sort(key=self._holds_cell, reverse=True)
        for slot in stored:
            value = state.slots[slot]
            if not isinstance(value, SlotState):
                self._push(value)
        for slot in reversed(stored):
            if self._holds_cell(slot):
                assembly.handler = None
            assembly.emit(Op.STORE_FAST, slot)
            assembly.drop()
        for slot in unbound:
            assembly.handler = None
            if self._start.slots[slot] is SlotState.UNKNOWN:
                assembly.emit(Op.LOAD_CONST)  # what it held, if anything, goes; then it surely can be deleted
                assembly.emit(Op.STORE_FAST, slot)
            assembly.emit(Op.DELETE_FAST, slot)

    def _holds_cell(self, slot: int) -> bool:
        return bool(self._cells >> slot & 1)

    def _drop_below(self, kept: int, above: int) -> None:
        """Pop what lies between the first `kept` entries of the anchor's stack and the top `above` (0, 1, or all)."""
        assembly = self._assembly
        rubbish = len(assembly.entries) - above + assembly.depth - kept
        for _ in range(rubbish):
            if above:
                assembly.emit(Op.SWAP, 2)
            assembly.emit(Op.POP_TOP)
        if rubbish:
            entries = [*assembly.entries[len(assembly.entries) - above :]] if above else []
            assembly.drop(len(assembly.entries))
            for _ in entries:
                assembly.push()

    def _insert_nulls(self, wanted: Sequence[Value]) -> None:
        """Put NULLs where the frame expects them among the entries on top."""
        assembly = self._assembly
        for index, value in enumerate(wanted):
            if isinstance(value, Null):
                above = sum(not isinstance(later, Null) for later in wanted[index + 1 :])
                assembly.emit(Op.PUSH_NULL)
                assembly.push()
                for distance in range(above + 1, 1, -1):
                    assembly.emit(Op.SWAP, distance)
