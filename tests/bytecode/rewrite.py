"""Ways to change a routine that leave its meaning alone, and to put the result into a function."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from types import CodeType, FunctionType

import attrs

from symexec.bytecode import Instruction, Label, Op, Routine, add_variables, decode, encode, verify
from symexec.bytecode.emission import is_intact
from symexec.bytecode.running import DIALECT
from tests.bytecode.checks import renewed

Rewrite = Callable[[Routine], Routine]


def padded(routine: Routine, count: int = 1) -> Routine:
    """`count` instructions without effect after every group that control leaves at its end."""
    instructions: list[Instruction] = []
    index = 0
    while index < len(routine.instructions):
        length = 1
        if is_intact(routine.instructions, index):
            group = routine.instructions[index].group
            assert group is not None
            length = len(group.neutral)
        run = routine.instructions[index : index + length]
        instructions += run
        index += length
        if not run[-1].op.effect.terminal and run[-1].op is not Op.PUSH_NULL:
            place = run[-1]
            instructions += [Instruction(Op.NOP, position=place.position, handler=place.handler) for _ in range(count)]
    return attrs.evolve(routine, instructions=instructions)


def far(routine: Routine) -> Routine:
    """So much padding that jumps need prefixes."""
    return padded(routine, 150)


def shuffled(routine: Routine, seed: int = 1) -> Routine:
    """The stretches between jumps in another order, with jumps where control used to fall through.

    Only what `FOR_ITER` and `SEND` land on stays behind them: they go forward in every version.
    """
    routine = renewed(routine)
    stretches = _stretches(routine)
    loops = [i.target.instruction for i in routine.instructions if i.op in (Op.FOR_ITER, Op.SEND) and i.target]
    landings = set(map(id, loops))
    movable = [run for run in stretches if id(run[0]) not in landings]
    fixed = [run for run in stretches if id(run[0]) in landings]
    random.Random(seed).shuffle(movable)
    entry = Instruction(Op.JUMP, target=Label(routine.instructions[0]))
    return attrs.evolve(routine, instructions=[entry, *(i for run in movable + fixed for i in run)])


def widened(routine: Routine) -> Routine:
    """Two more variables, before the cells and free variables: those move."""
    add_variables(routine, ("one more", "and another"))
    return routine


def _stretches(routine: Routine) -> list[list[Instruction]]:
    """Runs of instructions, each ended by a jump to the next if control would fall through."""
    targets = {id(i.target.instruction) for i in routine.instructions if i.target is not None}
    targets |= {id(i.handler.label.instruction) for i in routine.instructions if i.handler is not None}
    if routine.entry_handler is not None:
        targets.add(id(routine.entry_handler.label.instruction))
    # what is fused with the instruction before it stays there
    bound = {
        Op.YIELD_VALUE,
        Op.RESUME,
        Op.CALL_KW,
        Op.CALL_FUNCTION_EX,
        Op.SET_FUNCTION_ATTRIBUTE,
        Op.LOAD_FROM_DICT_OR_DEREF,
    }
    if not DIALECT.has_end_send:
        bound.add(Op.END_SEND)  # 3.11 wants it near its SEND
    runs: list[list[Instruction]] = []
    cut = True
    for instruction in routine.instructions:
        if (cut or id(instruction) in targets) and instruction.op not in bound:
            runs.append([])
        runs[-1].append(instruction)
        cut = instruction.op.effect.terminal or instruction.target is not None
    for run, after in pairwise(runs):
        last = run[-1]
        if not last.op.effect.terminal:
            run.append(Instruction(Op.JUMP, target=Label(after[0]), position=last.position, handler=last.handler))
    return runs


def rewritten(code: CodeType, rewrite: Rewrite) -> CodeType:
    """`code` and all code in its constants, rewritten; verified before and after encoding.

    Not functions that evaluate annotations: 3.14 has them jump on a comparison that need not be a bool.
    """
    if code.co_name == "__annotate__" or code.co_varnames[:1] == (".format",):
        return code
    routine = decode(code)
    changed = rewrite(routine)
    verify(changed)
    result = encode(changed)
    verify(decode(result))
    constants = tuple(
        rewritten(constant, rewrite) if isinstance(constant, CodeType) else constant for constant in result.co_consts
    )
    return result.replace(co_consts=constants)


def with_code(function: Callable[..., object], code: CodeType) -> Callable[..., object]:
    """A function like `function` with other code."""
    assert isinstance(function, FunctionType)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
