"""Stack and slot effects of neutral instructions, written in the notation of CPython's `bytecodes.c`.

`"left, right -- result"` pops two and pushes one; `"values[oparg] -- list"` pops `oparg`.  The part after `/` is
what lies above the inputs' base when the jump is taken, where that differs.  Knows nothing of versions.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import attrs


class Operand(Enum):
    """What an instruction's operand is, and which field of `Instruction` holds it."""

    NONE = "none"
    NUMBER = "number"  # arg: a count, an index into the stack, an operator, flags
    SLOT = "slot"  # arg: a localsplus slot
    NAME = "name"  # name
    CONSTANT = "constant"  # const
    LABEL = "label"  # target


class SlotUse(Enum):
    """What an instruction does to the localsplus slot it names."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    DELETE = "delete"  # requires it bound, leaves it unbound
    CLEAR = "clear"  # reads it, bound or not, and leaves it unbound
    MAKE_CELL = "make cell"  # wraps what is there, bound or not, in a new cell
    READ_CELL = "read cell"  # reads the slot's cell; the cell's contents may be read or written


SIZES: dict[str, Callable[[int], int]] = {
    "oparg": lambda n: n,
    "oparg*2": lambda n: 2 * n,
    "oparg-1": lambda n: n - 1,
    "oparg-2": lambda n: n - 2,
    "oparg-3": lambda n: n - 3,
    "oparg&255": lambda n: n & 255,
    "oparg>>8": lambda n: n >> 8,
}


@attrs.frozen(eq=False, repr=False)
class Item:
    """One name in an effect: a single stack entry, or `size(oparg)` of them."""

    name: str
    size: str = ""

    def count(self, arg: int) -> int:
        return SIZES[self.size](arg) if self.size else 1


def _items(text: str) -> tuple[Item, ...]:
    parts = (part.strip() for part in text.split(","))
    found = []
    for part in parts:
        if part:
            name, bracket, size = part.partition("[")
            found.append(Item(name, size.rstrip("]") if bracket else ""))
    return tuple(found)


def _total(items: tuple[Item, ...], arg: int) -> int:
    return sum(item.count(arg) for item in items)


@attrs.define(eq=False)
class Effect:
    """The effect of one neutral op on stack and slots, and what its operand is."""

    notation: str
    operand: Operand
    slot: SlotUse
    terminal: bool  # control never reaches the next instruction
    inputs: tuple[Item, ...]
    outputs: tuple[Item, ...]
    jump_outputs: tuple[Item, ...]
    fixed: tuple[int, int, int] | None = None  # pops, pushes, pushes on the jump, where no size depends on the operand

    def pops(self, arg: int) -> int:
        """How many stack entries are taken."""
        return self.fixed[0] if self.fixed is not None else _total(self.inputs, arg)

    def pushes(self, arg: int, jump: bool = False) -> int:
        """How many stack entries are put back; `jump` for the taken branch of a jump."""
        if self.fixed is not None:
            return self.fixed[2 if jump else 1]
        return _total(self.jump_outputs if jump else self.outputs, arg)

    def delta(self, arg: int, jump: bool = False) -> int:
        """The change of stack depth."""
        return self.pushes(arg, jump) - self.pops(arg)


def effect(
    notation: str, operand: Operand = Operand.NONE, *, slot: SlotUse = SlotUse.NONE, terminal: bool = False
) -> Effect:
    """Parse `notation`; see the module's head."""
    flow, slash, jump = notation.partition("/")
    before, _, after = flow.partition("--")
    inputs, outputs = _items(before), _items(after)
    jump_outputs = _items(jump) if slash else outputs
    fixed = None
    if not any(item.size for item in inputs + outputs + jump_outputs):
        fixed = (len(inputs), len(outputs), len(jump_outputs))
    return Effect(notation, operand, slot, terminal, inputs, outputs, jump_outputs, fixed)
