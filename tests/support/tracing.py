"""Short ways into the layers below the public verbs: a translator for one call, a function's prefix as `dis` has it.

The prefix is read and derived here from the code object alone, independently of the package's own rules.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Sequence

from symexec.bytecode import Routine, decode, features
from symexec.config import Config
from symexec.domains.scalars import ScalarDomain
from symexec.interpreter.machine import Machine
from symexec.interpreter.translator import InstructionTranslator
from symexec.runtime.functions import make_binder
from symexec.runtime.starting import closure_values, entry_state
from symexec.values.domain import Domain
from symexec.values.model import Known, Value
from symexec.values.origin import Globals

SCALARS = (ScalarDomain(),)


def translator_of(
    function: types.FunctionType,
    *args: object,
    domains: Sequence[Domain] = SCALARS,
    config: Config = Config(),
    routine: Routine | None = None,
) -> InstructionTranslator:
    """A translator at the entry of `function`, called with `args`; of `routine` if its code is to be another."""
    routine = routine or decode(function.__code__)
    state = entry_state(routine, make_binder(function)(*args))
    machine = Machine(domains, config)
    return InstructionTranslator(routine, state, machine, Known(function.__globals__, Globals()))


def closure_of(function: types.FunctionType) -> tuple[Value, ...]:
    """What `InstructionTranslator.run` wants to know of `function`'s closure."""
    return closure_values(decode(function.__code__), function)


Shown = tuple[str, object]  # an instruction's name, and its argument in words where it has one


def shown(instruction: dis.Instruction) -> Shown:
    """A prefix instruction in words: a slot by its name."""
    name = instruction.opname
    if name == "MAKE_CELL":
        return name, instruction.argval
    return name, instruction.arg if name in ("COPY_FREE_VARS", "RESUME") else None


def prefix_in(code: types.CodeType) -> list[Shown]:
    """The instructions that `code` begins with, up to its first `RESUME`."""
    found: list[Shown] = []
    for instruction in instructions_of(code):
        found.append(shown(instruction))
        if instruction.opname == "RESUME":
            break
    return found


def instructions_of(code: types.CodeType) -> Iterator[dis.Instruction]:
    """The instructions of `code`, each with its whole argument."""
    return (each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG")


def prefix_due(code: types.CodeType) -> list[Shown]:
    """The prefix that `code`'s own cells, free variables and flags call for."""
    found: list[Shown] = []
    if code.co_freevars:
        found.append(("COPY_FREE_VARS", len(code.co_freevars)))
    parameters = code.co_varnames
    in_slots = [name for name in parameters if name in code.co_cellvars]
    found += [("MAKE_CELL", name) for name in [*in_slots, *(n for n in code.co_cellvars if n not in parameters)]]
    if code.co_flags & (dis_flag("GENERATOR") | dis_flag("COROUTINE") | dis_flag("ASYNC_GENERATOR")):
        found += [("RETURN_GENERATOR", None), ("POP_TOP", None)]
    found.append(("RESUME", 0))
    return found


def dis_flag(name: str) -> int:
    """The bit of a code object's flags that `dis` calls `name`."""
    return next(bit for bit, found in dis.COMPILER_FLAG_NAMES.items() if found == name)


def check_prefix(code: types.CodeType) -> None:
    """`code` begins with the prefix of its own cells and free variables, and has it once."""
    due = prefix_due(code)
    assert prefix_in(code) == due
    rest = [shown(instruction) for instruction in instructions_of(code)][len(due) :]
    once = {"COPY_FREE_VARS", "RETURN_GENERATOR"} | (set() if features.HAS_INLINED_COMPREHENSIONS else {"MAKE_CELL"})
    assert [again for again in rest if again[0] in once or again == ("RESUME", 0)] == []


def codes_in(code: types.CodeType) -> list[types.CodeType]:
    """`code` and the code objects among its constants, at any depth."""
    found = [code]
    for inner in found:
        found.extend(constant for constant in inner.co_consts if isinstance(constant, types.CodeType))
    return found
