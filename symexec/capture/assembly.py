"""A list of neutral instructions being written, with what is known to lie on the stack above the anchor's entries.

Entries are named by keys (see `Key`); an entry named `None` is rubbish.  Knows nothing of guards, graphs or effects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from symexec.bytecode import features
from symexec.bytecode.model import Handler, Instruction, Label, Position
from symexec.bytecode.ops import Op
from symexec.capture.holders import Box, WeakHolder
from symexec.errors import InternalError
from symexec.interpreter.machine import is_process_wide
from symexec.values.origin import Origin

Key: TypeAlias = tuple[str, int] | Origin
"""Names a stack entry: ("node", index), ("made", id), ("constant", id), or an origin whose object was kept."""

ATOMS = (int, float, complex, str, bytes, bool, type(None), type(...), range)


def is_bare(value: object) -> bool:
    """Whether `value` may stand in constants as it is: atoms, tuples and slices of such, process-wide objects."""
    if type(value) is tuple:
        return all(is_bare(item) for item in value)
    return type(value) in ATOMS or is_process_wide(value)


def is_loaded_bare(value: object) -> bool:
    """Whether an object is loaded from the constants as it is; else a holder is called for it.

    What cannot be referred to weakly is here because a domain vouches for it: a dtype, a C function.
    """
    return is_bare(value) or not type(value).__weakrefoffset__


def fresh(value: object) -> object:
    """`value` with every tuple made anew: a code object writes interned strings into nested tuples in place."""
    return tuple([fresh(item) for item in value]) if type(value) is tuple else value


class Assembly:
    """Writes instructions; `position` and `handler` are given to each."""

    def __init__(self, depth: int, position: Position | None, handler: Handler | None) -> None:
        self.instructions: list[Instruction] = []
        self.position = position
        self.handler = handler
        self.depth = depth  # entries of the anchor's own stack, below `entries`
        self.entries: list[Key | None] = []
        self.uses: Counter[Key] = Counter()  # how often each key will still be needed
        self._places: dict[Key, int] = {}

    # -- instructions ------------------------------------------------------------------------------------------

    def emit(self, op: Op, arg: int = 0, name: str = "", const: object = None, target: Label | None = None) -> None:
        """Append one instruction; the caller accounts for the stack."""
        self.instructions.append(Instruction(op, arg, name, const, target, self.position, self.handler))

    def place(self, label: Label) -> None:
        """Let `label` name the next instruction: a `NOP` of its own."""
        self.emit(Op.NOP)
        label.instruction = self.instructions[-1]

    def push(self, key: Key | None = None) -> None:
        """Account for an entry that was pushed."""
        if key is not None:
            self._places[key] = len(self.entries)
        self.entries.append(key)

    def drop(self, count: int = 1) -> None:
        """Account for entries that were popped."""
        if count > len(self.entries):
            raise InternalError("more entries are popped than were pushed")
        for _ in range(count):
            key = self.entries.pop()
            if key is not None:
                del self._places[key]

    def pop_top(self, count: int = 1) -> None:
        """Pop entries."""
        for _ in range(count):
            self.emit(Op.POP_TOP)
        self.drop(count)

    # -- pushing -----------------------------------------------------------------------------------------------

    def load_constant(self, value: object) -> None:
        """Push a constant: bare where that is safe, through a box otherwise."""
        if is_bare(value):
            self.emit(Op.LOAD_CONST, const=fresh(value))
            self.push()
        else:
            self.load_held(Box(value))

    def load_held(self, holder: Callable[[], object]) -> None:
        """Push what a holder holds."""
        self.begin_call(lambda: self.load_bare(holder))
        self.emit(Op.CALL, 0)
        self.drop(2)
        self.push()

    def load_object(self, value: object) -> None:
        """Push an object by identity: through a weak reference, or bare if it is process-wide."""
        if is_loaded_bare(value):
            self.load_bare(value)
        else:
            self.load_held(WeakHolder(value))

    def load_bare(self, value: object) -> None:
        """Push a constant that hashes by identity or is process-wide, as it is."""
        self.emit(Op.LOAD_CONST, const=value)
        self.push()

    def begin_call(self, load_callable: Callable[[], None]) -> None:
        """Push a callable and its NULL, in the order that the running Python wants."""
        if not features.NULL_ABOVE_CALLABLE:
            self.emit(Op.PUSH_NULL)
            self.push()
        load_callable()
        if features.NULL_ABOVE_CALLABLE:
            self.emit(Op.PUSH_NULL)
            self.push()

    def call(self, count: int) -> None:
        """Call what `begin_call` and `count` pushes have prepared; its result is on top, unnamed."""
        self.emit(Op.CALL, count)
        self.drop(count + 2)
        self.push()

    # -- named entries -----------------------------------------------------------------------------------------

    def name_top(self, key: Key) -> None:
        """Call the top entry `key` from now on."""
        self.drop()
        self.push(key)

    def has(self, key: Key) -> bool:
        """Whether an entry is called `key`."""
        return key in self._places

    def is_top(self, key: Key | None) -> bool:
        """Whether the top entry is called `key`."""
        return key is not None and bool(self.entries) and self.entries[-1] == key

    def copy(self, key: Key) -> None:
        """Push a copy of the entry `key`, or move the entry itself on top if this is its last use."""
        distance = len(self.entries) - self._places[key]
        self.uses[key] -= 1
        if self.uses[key] > 0:
            self.emit(Op.COPY, distance)
            self.push()
            return
        self._forget(key)
        if distance > 1:
            self.emit(Op.LOAD_CONST)
            self.push()
            self.emit(Op.SWAP, distance + 1)

    def copy_below(self, index: int) -> None:
        """Push a copy of entry `index` of the anchor's own stack."""
        self.emit(Op.COPY, self.depth + len(self.entries) - index)
        self.push()

    def take(self, keys: Sequence[Key | None]) -> int:
        """Make operands of the entries on top that are the first of `keys`, in order, each at its last use.

        Gives how many there were; the others have to be pushed.
        """
        for count in range(min(len(keys), len(self.entries)), 0, -1):
            wanted = list(keys[:count])
            if self.entries[-count:] == wanted and all(key is not None and self.uses[key] == 1 for key in wanted):
                for key in wanted:
                    if key is not None:
                        self.uses[key] -= 1
                        self._forget(key)
                return count
        return 0

    def release(self, key: Key) -> None:
        """Need the entry `key` once less; without any use left it is rubbish."""
        self.uses[key] -= 1
        if self.uses[key] <= 0 and key in self._places:
            self._forget(key)

    def _forget(self, key: Key) -> None:
        self.entries[self._places.pop(key)] = None

    def clear_rubbish(self) -> None:
        """Pop rubbish that lies on top; no operand may be in flight."""
        while self.entries and self.entries[-1] is None:
            self.pop_top()
