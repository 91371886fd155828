"""Neutral code as text: basic blocks, live slots, stack depth, where NULLs lie on the stack, what is open around it.

Reads a routine and its analyses; knows nothing of traces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import Final

from symexec.analysis.analysis import Analysis
from symexec.analysis.flow import NOWHERE, BasicBlock
from symexec.analysis.stack import StackEntry
from symexec.analysis.structure import Block, HandlerBlock, LoopBlock, TryBlock, WithBlock
from symexec.bytecode.decode import decode
from symexec.bytecode.effects import Operand
from symexec.bytecode.model import Instruction, Routine
from symexec.bytecode.ops import Op

_MARKS: Final = {StackEntry.VALUE: "v", StackEntry.NULL: "N", StackEntry.EITHER: "?"}
_UNREACHED: Final = "unreached"
_LONGEST_CONSTANT: Final = 40

LEGEND: Final = (
    "columns: source line, index, instruction, stack before it (bottom first: v value, N NULL, ? either), live slots"
)


def disassemble(code: CodeType, *, nested: bool = False) -> str:
    """The neutral code of `code`, and with `nested` that of the code objects in its constants, all levels.

    Raises what `decode` and the analyses raise.
    """
    pieces, waiting = [], [code]
    while waiting:
        current = waiting.pop()
        pieces.append(describe_routine(decode(current)))
        if nested:
            waiting += [constant for constant in reversed(current.co_consts) if isinstance(constant, CodeType)]
    return "\n\n".join([*pieces, LEGEND])


def describe_routine(routine: Routine) -> str:
    """The text of one routine, without the legend."""
    return "\n".join(_Disassembly(routine).lines())


class _Disassembly:
    def __init__(self, routine: Routine) -> None:
        self._routine = routine
        self._analysis = Analysis(routine)
        self._names = slot_names(routine)
        self._indices = {id(instruction): index for index, instruction in enumerate(routine.instructions)}
        self._line: int | None = None

    def lines(self) -> Iterator[str]:
        """All lines, in order."""
        yield from self._head()
        blocks = self._analysis.flow.blocks
        for number, block in enumerate(blocks):
            yield ""
            yield self._block_head(number, block)
            for index in range(block.start, block.end):
                yield self._instruction(index)

    def _head(self) -> Iterator[str]:
        routine = self._routine
        yield f"{routine.qualified_name}  ({routine.filename}:{routine.first_line})"
        slots = [f"{slot} {name}{self._role(slot)}" for slot, name in enumerate(self._names)]
        yield f"slots:  {', '.join(slots) or 'none'}"
        yield f"prefix: {', '.join(self._prefix_text(instruction) for instruction in routine.prefix)}"

    def _role(self, slot: int) -> str:
        routine = self._routine
        roles = []
        if slot < routine.parameter_count:
            roles.append("parameter")
        if slot in routine.cell_slots:
            roles.append("cell")
        if slot >= routine.first_free_slot:
            roles.append("free")
        return f" ({', '.join(roles)})" if roles else ""

    def _prefix_text(self, instruction: Instruction) -> str:
        return f"{instruction.op.name} {self._operand(instruction)}".rstrip()

    def _block_head(self, number: int, block: BasicBlock) -> str:
        depth = self._analysis.stack.depth(block.start)
        parts = [f"block {number}", _UNREACHED if depth == NOWHERE else f"depth {depth}"]
        if block.successors:
            parts.append(f"to {', '.join(str(successor) for successor in block.successors)}")
        if block.handler != NOWHERE:
            parts.append(f"handler {block.handler}")
        around = [_block_name(each) for each in self._analysis.structure.enclosing(block.start)]
        if around:
            parts.append(f"in {' > '.join(around)}")
        return "  ".join(parts)

    def _instruction(self, index: int) -> str:
        instruction = self._routine.instructions[index]
        line = None if instruction.position is None else instruction.position.line
        shown = "" if line is None or line == self._line else str(line)
        self._line = line
        text = f"{instruction.op.name} {self._operand(instruction)}".rstrip()
        stack = self._analysis.stack
        entries = "".join(_MARKS[entry] for entry in stack.entries(index)) or "-"
        if stack.depth(index) == NOWHERE:
            entries = _UNREACHED
        live = ", ".join(self._live(index)) or "-"
        return f"{shown:>6} {index:>5}  {text:<36}  {entries:<10}  {live}"

    def _live(self, index: int) -> Iterator[str]:
        live = self._analysis.liveness.before(index)
        return (name for slot, name in enumerate(self._names) if live >> slot & 1)

    def _operand(self, instruction: Instruction) -> str:
        match instruction.op.effect.operand:
            case Operand.NONE:
                return ""
            case Operand.NUMBER:
                return _number_text(instruction)
            case Operand.SLOT:
                return self._names[instruction.arg]
            case Operand.NAME:
                number = f" {instruction.arg}" if instruction.op in _NAMED_AND_NUMBERED else ""
                return instruction.name + number
            case Operand.CONSTANT:
                return constant_text(instruction.const)
            case Operand.LABEL:
                return self._target(instruction)

    def _target(self, instruction: Instruction) -> str:
        target = None if instruction.target is None else instruction.target.instruction
        if target is None:
            return "to nowhere"
        index = self._indices[id(target)]
        return f"to {index} (block {self._analysis.flow.block_of[index]})"


_NAMED_AND_NUMBERED: Final = frozenset({Op.LOAD_SUPER_ATTR, Op.LOAD_SUPER_METHOD})
_BINARY: Final = ("+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^")
_SYMBOLS: Final = {
    Op.BINARY_OP: (*_BINARY, *(f"{symbol}=" for symbol in _BINARY)),
    Op.COMPARE_OP: ("<", "<=", "==", "!=", ">", ">="),
    Op.IS_OP: ("is", "is not"),
    Op.CONTAINS_OP: ("in", "not in"),
}


def _number_text(instruction: Instruction) -> str:
    symbols = _SYMBOLS.get(instruction.op, ())
    return symbols[instruction.arg] if instruction.arg < len(symbols) else str(instruction.arg)


def slot_names(routine: Routine) -> tuple[str, ...]:
    """A name for each slot: the variable's, with the slot's number where a name owns several slots."""
    counts = Counter(routine.slots)
    return tuple(name if counts[name] == 1 else f"{name}#{slot}" for slot, name in enumerate(routine.slots))


def constant_text(value: object) -> str:
    """A constant of code, briefly; runs no user code (what is not of a builtin type shows its type only)."""
    if isinstance(value, CodeType):
        return f"<code {value.co_qualname}>"
    if type(value) in (tuple, frozenset):
        return _shorten(repr(value)) if _is_plain(value) else f"<{type(value).__name__}>"
    return _shorten(repr(value)) if _is_plain(value) else f"<{type(value).__qualname__}>"


def _is_plain(value: object) -> bool:
    if type(value) is tuple or type(value) is frozenset:
        return all(_is_plain(item) for item in value)
    return type(value) in (int, float, complex, str, bytes, bool, type(None), type(...), type(len), type, range)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_CONSTANT else text[: _LONGEST_CONSTANT - 3] + "..."


def _block_name(block: Block) -> str:
    return f"{_block_kind(block)} {block.start}-{block.end - 1}"


def _block_kind(block: Block) -> str:
    match block:
        case TryBlock(is_finally=is_finally):
            return "try/finally" if is_finally else "try"
        case WithBlock(is_async=is_async):
            return "async with" if is_async else "with"
        case HandlerBlock():
            return "handler"
        case LoopBlock(is_await=True):
            return "await"
        case LoopBlock(for_iter=for_iter):
            return "loop" if for_iter is None else "for"
