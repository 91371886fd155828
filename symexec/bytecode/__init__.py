"""A version-neutral, typed instruction set for CPython 3.11 to 3.14: decode, encode, verify."""

from __future__ import annotations

from symexec.bytecode import features
from symexec.bytecode.dataflow import Dataflow, FrameShape, trace_shapes
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
from symexec.bytecode.slots import add_free_variable, add_variables
from symexec.bytecode.verify import verify

__all__ = [
    "JUMPS",
    "PREFIX_OPS",
    "Dataflow",
    "Effect",
    "ExceptionRegion",
    "FrameShape",
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
    "add_free_variable",
    "add_variables",
    "decode",
    "derive_prefix",
    "encode",
    "features",
    "first_real_instruction",
    "has_begun",
    "trace_shapes",
    "verify",
]
