"""Where lowering rules put raw instructions, and the constant and name tables that grow with them.

Knows nothing of versions: opcode numbers come from the rules.
"""

from __future__ import annotations

from struct import pack

import attrs

from symexec.bytecode.model import Instruction, Label, RawInstruction
from symexec.bytecode.ops import Op
from symexec.errors import EncodeError

ATOMS = (int, str, bytes, bool, type(None), type(Ellipsis))


def constant_key(value: object) -> tuple[object, ...] | None:
    """A key that is equal for interchangeable constants: exact builtin atoms and tuples of them; else `None`."""
    kind = type(value)
    if kind in ATOMS:
        return (kind, value)
    if kind is float and isinstance(value, float):
        return None if value != value else (kind, pack("d", value))
    if kind is complex and isinstance(value, complex):
        return None if value != value else (kind, pack("dd", value.real, value.imag))
    if kind is tuple and isinstance(value, tuple):
        keys = tuple(constant_key(item) for item in value)
        return None if None in keys else (kind, keys)
    return None


@attrs.define(eq=False, repr=False)
class Pool:
    """A table of constants or names: what is there keeps its index, what is new is appended."""

    entries: list[object]
    _by_identity: dict[int, int] | None = None
    _by_key: dict[tuple[object, ...], int] = attrs.Factory(dict)

    def index(self, value: object) -> int:
        """Where `value`, or a constant interchangeable with it, is; appended if it is not there."""
        if self._by_identity is None:
            self._by_identity = {}
            for place, entry in enumerate(self.entries):
                self._remember(entry, place)
        found = self._by_identity.get(id(value))
        if found is None:
            key = constant_key(value)
            found = None if key is None else self._by_key.get(key)
        if found is None:
            found = len(self.entries)
            self.entries.append(value)
            self._remember(value, found)
        return found

    def _remember(self, entry: object, place: int) -> None:
        if self._by_identity is not None:
            self._by_identity.setdefault(id(entry), place)
        key = constant_key(entry)
        if key is not None:
            self._by_key.setdefault(key, place)


def is_intact(instructions: list[Instruction], index: int) -> bool:
    """Whether a whole, unchanged group starts at `index`."""
    group = instructions[index].group
    if group is None or group.neutral[0] is not instructions[index]:
        return False
    neutral = group.neutral
    if len(neutral) == 1:
        return True
    if index + len(neutral) > len(instructions):
        return False
    return all(instructions[index + offset] is member for offset, member in enumerate(neutral))


def group_start(instructions: list[Instruction], index: int) -> int:
    """Where the whole, unchanged group starts that the instruction at `index` belongs to; -1 if it is new."""
    instruction = instructions[index]
    group = instruction.group
    if group is None:
        return -1
    for offset, member in enumerate(group.neutral):
        if member is instruction:
            return index - offset if index >= offset and is_intact(instructions, index - offset) else -1
    return -1


@attrs.define(eq=False, repr=False)
class Emission:
    """The raw instructions made so far for `instructions`, and what rules need to know to make more."""

    instructions: list[Instruction]
    constants: Pool
    names: Pool
    decoded: frozenset[int]  # ids of the instructions whose groups' raw arguments point into these tables
    raw: list[RawInstruction] = attrs.Factory(list)
    starts: list[int] = attrs.Factory(list)  # for each instruction, where in `raw` it starts
    _places: dict[int, int] | None = None
    _landings: set[int] | None = None

    def put(self, opcode: int, arg: int, source: Instruction, target: Label | None = None) -> None:
        """Append a raw instruction with the position and handler of `source`."""
        self.raw.append(RawInstruction(opcode, arg, target, source.position, source.handler))

    def is_group(self, index: int) -> bool:
        """Whether a group starts at `index` that can be emitted as it was."""
        return id(self.instructions[index]) in self.decoded and is_intact(self.instructions, index)

    def place(self, label: Label) -> int:
        """The index of the instruction that `label` names; `EncodeError` if it is not in the routine."""
        if self._places is None:
            self._places = {id(instruction): index for index, instruction in enumerate(self.instructions)}
            if len(self._places) != len(self.instructions):
                raise EncodeError("an instruction occurs twice")
        found = self._places.get(id(label.instruction))
        if found is None:
            raise EncodeError(f"{label!r} is not in the routine")
        return found

    def is_backward(self, index: int, label: Label) -> bool:
        """Whether a jump at `index` to `label` goes backward."""
        return self.place(label) <= index

    def following(self, index: int, *ops: Op, landing: bool = False, any_handler: bool = False) -> Instruction | None:
        """The instruction after `index` if it can be fused with it.

        It is one of `ops` and is not emitted as a group; unless `landing`, nothing jumps to it; unless `any_handler`,
        its handler is the same.
        """
        after = index + 1
        if after >= len(self.instructions) or self.instructions[after].op not in ops:
            return None
        instruction = self.instructions[after]
        if not any_handler and instruction.handler != self.instructions[index].handler:
            return None
        if self.is_group(after) or (not landing and id(instruction) in self._landing_ids()):
            return None
        return instruction

    def _landing_ids(self) -> set[int]:
        if self._landings is None:
            self._landings = set()
            for instruction in self.instructions:
                if instruction.target is not None:
                    self._landings.add(id(instruction.target.instruction))
                if instruction.handler is not None:
                    self._landings.add(id(instruction.handler.label.instruction))
        return self._landings
