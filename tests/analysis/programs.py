"""Functions that the analyses are shown on, and random routines."""

from __future__ import annotations

from hypothesis import strategies as st

from symexec.bytecode.effects import Operand
from symexec.bytecode.model import Handler, Instruction, Label, Position, Routine
from symexec.bytecode.ops import JUMPS, PREFIX_OPS, Op

SLOTS = ("a", "b", "c", "d", "e")
PARAMETERS = 2

_STRAIGHT = [
    op
    for op in Op
    if op not in PREFIX_OPS and op not in JUMPS and not op.effect.terminal and op.effect.operand is not Operand.NAME
]
_SLOT_OPS = [op for op in Op if op.effect.operand is Operand.SLOT]
_JUMPS = sorted(JUMPS, key=lambda op: op.index)
_TERMINAL = [Op.RETURN_VALUE, Op.RAISE_VARARGS, Op.RERAISE]


def routine_of(instructions: list[Instruction]) -> Routine:
    """A function of two parameters, three variables, the last of them a free one."""
    return Routine(
        name="f",
        qualified_name="f",
        filename="<random>",
        first_line=1,
        flags=3,
        argument_count=PARAMETERS,
        positional_only_count=0,
        keyword_only_count=0,
        variables=SLOTS[:-1],
        cellvars=(),
        freevars=SLOTS[-1:],
        slots=SLOTS,
        cell_slots=(),
        instructions=instructions,
    )


@st.composite
def random_routines(draw: st.DrawFn, longest: int = 24) -> Routine:
    """Any flow at all, any slots; the stack makes no sense."""
    count = draw(st.integers(1, longest))
    ops = draw(
        st.lists(
            st.one_of(
                st.sampled_from(_SLOT_OPS),
                st.sampled_from(_STRAIGHT),
                st.sampled_from(_JUMPS),
                st.sampled_from(_TERMINAL),
            ),
            min_size=count,
            max_size=count,
        )
    )
    instructions = [Instruction(op, position=Position(1, 1, 0, 1)) for op in ops]
    instructions.append(Instruction(Op.RETURN_VALUE, position=Position(1, 1, 0, 1)))
    indices = st.integers(0, count)
    for instruction in instructions:
        if instruction.op in JUMPS:
            instruction.target = Label(instructions[draw(indices)])
        elif instruction.op.effect.operand is Operand.SLOT:
            instruction.arg = draw(st.integers(0, len(SLOTS) - 1))
    for _ in range(draw(st.integers(0, 3))):
        handler = Handler(Label(instructions[draw(indices)]), draw(st.integers(0, 1)), draw(st.booleans()))
        start = draw(indices)
        for instruction in instructions[start : start + draw(st.integers(1, 8))]:
            instruction.handler = handler
    return routine_of(instructions)


def sequential_ifs(count: int) -> str:
    """The source of a function with that many conditional statements in a row."""
    return "def f(x):\n    y = 0\n" + "    if x:\n        y = x\n" * count + "    return y\n"
