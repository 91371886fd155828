"""What a Python version is: opcode tables, and rules that expand raw opcodes to neutral ops and lower ops again.

`py311.py` and its like fill `Rules` in; everybody else sees a finished `Dialect`.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from symexec.bytecode.effects import Operand
from symexec.bytecode.emission import Emission
from symexec.bytecode.model import Instruction, RawInstruction
from symexec.bytecode.ops import Op
from symexec.errors import DecodeError, EncodeError, InternalError

OPCODES = 256


@attrs.frozen(eq=False, repr=False)
class Operands:
    """What the arguments of raw instructions point into."""

    constants: tuple[object, ...]
    names: tuple[str, ...]
    slot_count: int


Expander = Callable[[RawInstruction, Operands], tuple[Instruction, ...]]
"""One raw instruction to the neutral ones it stands for.  An index out of range raises `IndexError`."""

Joiner = Callable[[list[RawInstruction], int, Operands], tuple[int, tuple[Instruction, ...]]]
"""Several raw instructions, from an index on, to neutral ones: how many they were, and what they stand for."""

Lowering = Callable[[Emission, int], int]
"""Emit the instruction at an index, fused with those after it where that is needed; how many were used up."""


@attrs.frozen(eq=False, repr=False)
class Dialect:
    """The bytecode of one Python version.  Lists are indexed by opcode; `lowerings` by `Op.index`."""

    version: tuple[int, int]
    opcodes: dict[str, int]
    caches: list[int]  # -1: never in a code object
    direction: list[int]  # 1 a forward jump, -1 a backward jump, 0 no jump
    turned: list[int]  # the same jump in the other direction, -1 if there is none
    expanders: list[Expander | None]
    joiners: list[Joiner | None]
    lowerings: list[Lowering]
    never: dict[str, str]  # opcodes that never occur in code objects, and why
    absent: dict[Op, str]  # ops that this version cannot express, and why
    unchecked_loads: frozenset[int]  # crash if the slot is unbound
    strong: dict[int, int]  # for loads that borrow: the load that does not
    short_jumps: frozenset[int]  # jumps that have to do without a prefix
    looks_back: frozenset[int]  # opcodes whose exceptions may be looked up by the unit before them
    exit_entries: int  # stack entries that a context manager's exit function takes: 1, or 2

    @property
    def merges_locations(self) -> bool:
        """Whether one entry of the location table covers a whole run of equal positions."""
        return self.version >= (3, 12)

    @property
    def null_above_callable(self) -> bool:
        """Whether the NULL of a call without self lies above the callable."""
        return self.version >= (3, 13)

    @property
    def has_end_for(self) -> bool:
        """Whether an exhausted `FOR_ITER` has to land on an `END_FOR`."""
        return self.version >= (3, 12)

    @property
    def has_end_send(self) -> bool:
        """Whether a finished `SEND` leaves its receiver to an `END_SEND`."""
        return self.version >= (3, 12)

    @property
    def extended_arg(self) -> int:
        """The opcode of `EXTENDED_ARG`."""
        return self.opcodes["EXTENDED_ARG"]

    def describe(self, opcode: int) -> str:
        """The name of `opcode`, and why it never occurs in code objects if so."""
        for name, number in self.opcodes.items():
            if number == opcode:
                return f"{name} ({self.never[name]})" if name in self.never else name
        return "unknown opcode"


def neutral(op: Op, raw: RawInstruction, arg: int = 0, name: str = "", const: object = None) -> Instruction:
    """A neutral instruction at the place of `raw`."""
    return Instruction(op, arg, name, const, None, raw.position, raw.handler)


def jump_of(op: Op, raw: RawInstruction) -> Instruction:
    """A neutral jump with the target of `raw`."""
    return Instruction(op, 0, "", None, raw.target, raw.position, raw.handler)


def _checked_slot(slot: int, operands: Operands) -> int:
    if slot >= operands.slot_count:
        raise DecodeError(f"slot {slot} of {operands.slot_count}")
    return slot


def expand_as(op: Op) -> Expander:
    """The rule for a raw instruction that is just `op`."""
    match op.effect.operand:
        case Operand.NONE:
            return lambda raw, _operands: (Instruction(op, 0, "", None, None, raw.position, raw.handler),)
        case Operand.NUMBER:
            return lambda raw, _operands: (Instruction(op, raw.arg, "", None, None, raw.position, raw.handler),)
        case Operand.NAME:
            return lambda raw, operands: (
                Instruction(op, 0, operands.names[raw.arg], None, None, raw.position, raw.handler),
            )
        case Operand.CONSTANT:
            return lambda raw, operands: (
                Instruction(op, 0, "", operands.constants[raw.arg], None, raw.position, raw.handler),
            )
        case Operand.LABEL:
            return lambda raw, _operands: (Instruction(op, 0, "", None, raw.target, raw.position, raw.handler),)
        case Operand.SLOT:
            return lambda raw, operands: (
                Instruction(op, _checked_slot(raw.arg, operands), "", None, None, raw.position, raw.handler),
            )


def lower_as(opcode: int, op: Op) -> Lowering:
    """The rule for `op` where one raw instruction is just that."""

    def lower_number(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        emission.put(opcode, instruction.arg, instruction)
        return 1

    def lower_name(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        emission.put(opcode, emission.names.index(instruction.name), instruction)
        return 1

    def lower_constant(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        emission.put(opcode, emission.constants.index(instruction.const), instruction)
        return 1

    match op.effect.operand:
        case Operand.NONE:
            return lower_plain(opcode)
        case Operand.NUMBER | Operand.SLOT:
            return lower_number
        case Operand.NAME:
            return lower_name
        case Operand.CONSTANT:
            return lower_constant
        case Operand.LABEL:
            raise InternalError(f"{op.name} needs a rule of its own: jumps have a direction")


def lower_plain(*opcodes: int) -> Lowering:
    """The rule for an op that is the given opcodes, all with argument 0."""

    def lower(emission: Emission, index: int) -> int:
        instruction = emission.instructions[index]
        for opcode in opcodes:
            emission.put(opcode, 0, instruction)
        return 1

    return lower


def lower_absent(op: Op, reason: str) -> Lowering:
    """The rule for an op that cannot be expressed."""

    def lower(_emission: Emission, _index: int) -> int:
        raise EncodeError(f"{op.name}: {reason}")

    return lower


@attrs.define(eq=False, repr=False)
class Rules:
    """Collects the rules of one version, then checks and freezes them."""

    version: tuple[int, int]
    opcodes: dict[str, int]
    expanders: dict[str, Expander] = attrs.Factory(dict)
    joiners: dict[str, Joiner] = attrs.Factory(dict)
    lowerings: dict[Op, Lowering] = attrs.Factory(dict)
    never: dict[str, str] = attrs.Factory(dict)
    absent: dict[Op, str] = attrs.Factory(dict)
    unchecked: tuple[str, ...] = ()
    strong: dict[str, str] = attrs.Factory(dict)
    short_jumps: tuple[str, ...] = ()
    looks_back: tuple[str, ...] = ()
    exit_entries: int = 1

    def same(self, names: str) -> None:
        """Raw opcodes that are the op of the same name, both ways; jumps only to be decoded."""
        for name in names.split():
            op = Op[name]
            self.expanders[name] = expand_as(op)
            if op.effect.operand is not Operand.LABEL:
                self.lowerings[op] = lower_as(self.opcodes[name], op)

    def expand(self, names: str, rule: Expander) -> None:
        """How to decode each of `names`."""
        for name in names.split():
            self.expanders[name] = rule

    def join(self, name: str, rule: Joiner) -> None:
        """How to decode a run that begins with `name`."""
        self.joiners[name] = rule

    def lower(self, op: Op, rule: Lowering) -> None:
        """How to encode `op`."""
        self.lowerings[op] = rule

    def never_occurs(self, reason: str, names: str) -> None:
        """Opcodes that have no rule, and why."""
        for name in names.split():
            self.never[name] = reason

    def cannot_express(self, reason: str, *ops: Op) -> None:
        """Ops that have no raw form, and why."""
        for op in ops:
            self.absent[op] = reason

    def ruleless(self) -> list[str]:
        """Opcodes of this version, and ops, that have neither a rule nor a reason."""
        covered = self.expanders.keys() | self.joiners.keys() | self.never.keys()
        opcodes = [name for name in self.opcodes if name not in covered]
        return opcodes + [op.name for op in Op if op not in self.lowerings and op not in self.absent]

    def caches(self, counts: dict[str, int]) -> list[int]:
        """Cache units for each opcode; -1 where there is no rule."""
        table = [-1] * OPCODES
        for name in self.expanders.keys() | self.joiners.keys():
            table[self.opcodes[name]] = counts.get(name, 0)
        return table

    def by_opcode(self, numbers: dict[str, int], default: int) -> list[int]:
        """A table by opcode from one by name."""
        table = [default] * OPCODES
        for name, number in numbers.items():
            table[self.opcodes[name]] = number
        return table

    def all_lowerings(self) -> list[Lowering]:
        """A rule for every op, by `Op.index`; those that cannot be expressed raise."""
        table = []
        for op in Op:
            rule = self.lowerings.get(op)
            table.append(lower_absent(op, self.absent.get(op, "no rule")) if rule is None else rule)
        return table

    def expander_table(self) -> list[Expander | None]:
        """Expanders by opcode."""
        table: list[Expander | None] = [None] * OPCODES
        for name, rule in self.expanders.items():
            table[self.opcodes[name]] = rule
        return table

    def joiner_table(self) -> list[Joiner | None]:
        """Joiners by opcode."""
        table: list[Joiner | None] = [None] * OPCODES
        for name, rule in self.joiners.items():
            table[self.opcodes[name]] = rule
        return table

    def freeze(self, cache_counts: dict[str, int], direction: dict[str, int], turned: dict[str, int]) -> Dialect:
        """The finished dialect.  `direction` and `turned` as in `Dialect`, by name."""
        return Dialect(
            version=self.version,
            opcodes=self.opcodes,
            caches=self.caches(cache_counts),
            direction=self.by_opcode(direction, 0),
            turned=self.by_opcode(turned, -1),
            expanders=self.expander_table(),
            joiners=self.joiner_table(),
            lowerings=self.all_lowerings(),
            never=self.never,
            absent=self.absent,
            unchecked_loads=frozenset(self.opcodes[name] for name in self.unchecked),
            strong={self.opcodes[borrowing]: self.opcodes[strong] for borrowing, strong in self.strong.items()},
            short_jumps=frozenset(self.opcodes[name] for name in self.short_jumps),
            looks_back=frozenset(self.opcodes[name] for name in self.looks_back),
            exit_entries=self.exit_entries,
        )
