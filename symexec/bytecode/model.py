"""What a decoded function is made of: positions, labels, instructions, handlers, groups and the routine.

Pure data.  Knows nothing of versions; `decode` makes routines and `encode` turns them back into code objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType
from typing import NamedTuple

import attrs
from typing_extensions import override

from symexec.bytecode.ops import Op

GENERATOR_FLAGS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class Position(NamedTuple):
    """A source location: lines 1-based, columns 0-based UTF-8 offsets; -1 for an unknown column."""

    line: int
    end_line: int
    column: int
    end_column: int


@attrs.define(eq=False, repr=False)
class Label:
    """A place in a routine: the instruction that a jump or a handler goes to."""

    instruction: Instruction | None = None

    @override
    def __repr__(self) -> str:
        return f"Label({'' if self.instruction is None else self.instruction.op.name} @{id(self):x})"


@attrs.frozen
class Handler:
    """The exception handler that covers an instruction.

    On an exception the stack is cut to `depth`, the instruction's offset is pushed if `push_lasti`, the exception is
    pushed, and control goes to `label`.  Labels compare by identity.
    """

    label: Label
    depth: int
    push_lasti: bool


@attrs.frozen
class ExceptionRegion:
    """A maximal run `[start, end)` of instruction indices of a routine covered by one handler (a derived view)."""

    start: int
    end: int
    handler: Label
    depth: int
    push_lasti: bool


@attrs.define(eq=False, repr=False)
class Instruction:
    """One neutral instruction.  `op.effect.operand` says which of `arg`, `name`, `const`, `target` is meant.

    `position` is `None` for an artificial instruction; `handler` is the exception handler that covers it; `group` the
    raw instructions that it was decoded from, `None` if it is new.  With a `group` it is emitted as it was decoded,
    whatever is assigned to it since: put a new instruction in its place, or set `group` to `None` as well.
    """

    op: Op
    arg: int = 0
    name: str = ""
    const: object = None
    target: Label | None = None
    position: Position | None = None
    handler: Handler | None = None
    group: Group | None = None

    @override
    def __repr__(self) -> str:
        operand = self.name or (repr(self.const) if self.op is Op.LOAD_CONST else self.arg or "")
        return f"<{self.op.name} {operand}{' -> ' + repr(self.target) if self.target else ''}>"


@attrs.define(eq=False)
class RawInstruction:
    """One instruction as CPython has it, `EXTENDED_ARG`s and caches folded away.

    `target` is set for jumps, `handler` for covered ones; `width` is the number of `EXTENDED_ARG`s it was decoded
    with, and `fresh` says that a location entry starts here although the location equals the one before.
    """

    opcode: int
    arg: int
    target: Label | None = None
    position: Position | None = None
    handler: Handler | None = None
    width: int = 0
    fresh: bool = False


@attrs.define(eq=False, repr=False)
class Group:
    """A run of raw instructions and the neutral instructions that it expands to.

    As long as a routine holds exactly `neutral`, in order and adjacent, `encode` emits `raw` again as it was: to
    change an instruction, replace it (a copy made by `attrs.evolve` is new, although it names the group).
    Never place anything between the instructions of a group, nor jump to one but the first.
    """

    raw: tuple[RawInstruction, ...]
    neutral: tuple[Instruction, ...]


@attrs.frozen(eq=False, repr=False)
class Source:
    """What a routine was decoded from, and what it takes to tell whether anything has changed since.

    `exceptions` is the exception table as this package writes it; it differs from the code object's where another
    tool wrote that one in a way of its own.
    """

    code: CodeType
    prefix: tuple[RawInstruction, ...]
    instructions: tuple[Instruction, ...]
    exceptions: bytes


@attrs.define(eq=False, repr=False)
class Routine:
    """A function's code in neutral form: a header, and the instructions after the prefix.

    The prefix (`COPY_FREE_VARS`, `MAKE_CELL`, `RETURN_GENERATOR` with its `POP_TOP`, `RESUME 0`) is not stored: it
    is derived from `cell_slots`, `freevars` and `flags`, for every code object that is emitted.

    `slots` names the localsplus slots in order: variables, cells that are not variables, free variables.
    `constants` and `names` are those of the code object it came from (`constants[0]` may be the docstring); encoding
    keeps them in place and appends what is new.
    """

    name: str
    qualified_name: str
    filename: str
    first_line: int
    flags: int
    argument_count: int
    positional_only_count: int
    keyword_only_count: int
    variables: tuple[str, ...]
    cellvars: tuple[str, ...]
    freevars: tuple[str, ...]
    slots: tuple[str, ...]
    cell_slots: tuple[int, ...]
    instructions: list[Instruction]
    constants: tuple[object, ...] = ()
    names: tuple[str, ...] = ()
    stack_size: int = 0  # as declared by the code object it came from; recomputed when anything has changed
    entry_handler: Handler | None = None  # covers the prefix's RESUME 0 (generators, from 3.12 on)
    source: Source | None = None  # what it was decoded from, if it was

    @property
    def code(self) -> CodeType | None:
        """The code object it was decoded from."""
        return None if self.source is None else self.source.code

    @property
    def parameter_count(self) -> int:
        """How many slots, from 0 on, are parameters (`*args` and `**kwargs` included): they are bound on entry."""
        extra = bool(self.flags & CO_VARARGS) + bool(self.flags & CO_VARKEYWORDS)
        return self.argument_count + self.keyword_only_count + extra

    @property
    def first_free_slot(self) -> int:
        """The slot of the first free variable."""
        return len(self.slots) - len(self.freevars)

    @property
    def is_generator_like(self) -> bool:
        """Whether calling it makes a generator, coroutine or asynchronous generator."""
        return bool(self.flags & GENERATOR_FLAGS)

    @property
    def prefix(self) -> tuple[Instruction, ...]:
        """The derived prefix, made anew: what every code object emitted from this routine begins with."""
        return derive_prefix(self)

    def regions(self) -> Iterator[ExceptionRegion]:
        """The exception regions, in order, as indices into `instructions`."""
        start, current = 0, None
        for index, instruction in enumerate(self.instructions):
            if instruction.handler != current:
                if current is not None:
                    yield ExceptionRegion(start, index, current.label, current.depth, current.push_lasti)
                start, current = index, instruction.handler
        if current is not None:
            yield ExceptionRegion(start, len(self.instructions), current.label, current.depth, current.push_lasti)


def derive_prefix(routine: Routine) -> tuple[Instruction, ...]:
    """The prefix that `routine`'s own cells, free variables and flags call for, `RESUME 0` last.

    `COPY_FREE_VARS` counts the routine's free variables; a `RETURN_GENERATOR` is followed by its `POP_TOP`.
    """
    found = []
    if routine.freevars:
        found.append(Instruction(Op.COPY_FREE_VARS, len(routine.freevars)))
    found += [Instruction(Op.MAKE_CELL, slot) for slot in routine.cell_slots]
    if routine.is_generator_like:
        found += [Instruction(Op.RETURN_GENERATOR), Instruction(Op.POP_TOP)]
    found.append(Instruction(Op.RESUME, 0, handler=routine.entry_handler))
    return tuple(found)
