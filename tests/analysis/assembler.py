"""Routines written as text, for tests that need code that no compiler makes.

One instruction a line, `OP operand`; a slot is given by its name, a jump's target by a label.  Between `cover LABEL
DEPTH [lasti]` and `uncover` instructions are covered by that handler.  A line that begins with `~` has no position;
instructions between `{` and `}` form one group.  `#` begins a comment.
"""

from __future__ import annotations

from collections.abc import Sequence

from symexec.bytecode.effects import Operand
from symexec.bytecode.model import Group, Handler, Instruction, Label, Position, Routine
from symexec.bytecode.ops import Op


class _Reader:
    def __init__(self, slots: Sequence[str]) -> None:
        self.slots = slots
        self.labels: dict[str, Label] = {}
        self.pending: list[Label] = []
        self.handler: Handler | None = None
        self.instructions: list[Instruction] = []
        self.group_start: int | None = None

    def label(self, name: str) -> Label:
        return self.labels.setdefault(name, Label())

    def line(self, number: int, text: str) -> None:
        first, *rest = text.split()
        if text.endswith(":"):
            self.pending.append(self.label(text[:-1]))
        elif first == "cover":
            self.handler = Handler(self.label(rest[0]), int(rest[1]), rest[2:] == ["lasti"])
        elif first == "uncover":
            self.handler = None
        elif first == "{":
            self.group_start = len(self.instructions)
        elif first == "}":
            members = tuple(self.instructions[self.group_start :])
            for member in members:
                member.group = Group((), members)
        else:
            position = None if first.startswith("~") else Position(number, number, 0, 1)
            self.add(Op[first.removeprefix("~")], rest, position)

    def add(self, op: Op, rest: list[str], position: Position | None) -> None:
        instruction = Instruction(op, position=position, handler=self.handler)
        operand = op.effect.operand
        if operand is Operand.LABEL:
            instruction.target = self.label(rest[0])
        elif operand is Operand.SLOT:
            instruction.arg = self.slots.index(rest[0])
        elif operand is Operand.NAME:
            instruction.name = rest[0]
        elif operand is Operand.CONSTANT:
            instruction.const = rest[0] if rest else None
        elif operand is Operand.NUMBER:
            instruction.arg = int(rest[0])
        for label in self.pending:
            label.instruction = instruction
        self.pending.clear()
        self.instructions.append(instruction)


def assemble(
    text: str, parameters: str = "", variables: str = "", cells: str = "", free: str = "", flags: int = 3
) -> Routine:
    """The routine that `text` describes; names are given as words.  `cells` may name parameters and variables too."""
    own = (*parameters.split(), *variables.split())
    cellvars, freevars = tuple(cells.split()), tuple(free.split())
    slots = (*own, *(name for name in cellvars if name not in own), *freevars)
    reader = _Reader(slots)
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line:
            reader.line(number, line)
    return Routine(
        name="f",
        qualified_name="f",
        filename="<text>",
        first_line=1,
        flags=flags,
        argument_count=len(parameters.split()),
        positional_only_count=0,
        keyword_only_count=0,
        variables=own,
        cellvars=cellvars,
        freevars=freevars,
        slots=slots,
        cell_slots=tuple(slots.index(name) for name in cellvars),
        instructions=reader.instructions,
    )
