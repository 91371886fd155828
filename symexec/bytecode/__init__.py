"""A version-neutral, typed instruction set for CPython 3.11 to 3.14: decode, encode, verify."""

from __future__ import annotations

from symexec.bytecode.decode import decode
from symexec.bytecode.effects import Effect, Operand, SlotUse
from symexec.bytecode.encode import encode
from symexec.bytecode.model import (
    ExceptionRegion,
    Group,
    Handler,
    Instruction,
    Label,
    Position,
    RawInstruction,
    Routine,
    Source,
    derive_prefix,
)
from symexec.bytecode.ops import JUMPS, PREFIX_OPS, Op
from symexec.bytecode.prologue import Prologue, first_real_instruction, has_begun

__all__ = [
    "JUMPS",
    "PREFIX_OPS",
    "Effect",
    "ExceptionRegion",
    "Group",
    "Handler",
    "Instruction",
    "Label",
    "Op",
    "Operand",
    "Position",
    "Prologue",
    "RawInstruction",
    "Routine",
    "SlotUse",
    "Source",
    "decode",
    "derive_prefix",
    "encode",
    "first_real_instruction",
    "has_begun",
]
