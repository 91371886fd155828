"""One routine with anchors: the original instructions, stubs in front of the anchored ones, and behind them the traces.

The original is laid out once; an anchor puts a stub in front of an instruction (jumps and handlers that went to the
instruction land on the stub from then on) and a chain at the end: the guards of each trace in turn, and at last the
call that asks for another.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Final, Protocol

import attrs

from symexec.bytecode.decode import decode
from symexec.bytecode.encode import encode
from symexec.bytecode.model import Handler, Instruction, Label, Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.verify import verify
from symexec.capture.assembly import Assembly
from symexec.capture.fallback import Judge, is_from_outside, write_handler
from symexec.capture.recording import Recording
from symexec.capture.trace import Site, TraceWriter
from symexec.interpreter.frame import UNREADABLE, Snapshot
from symexec.values.backend import Compiled

ENTRY_INDEX: Final = 0
"""The anchor here is passed on entry only: a loop that goes back to the first instruction goes to it itself."""

_gettrace: Final = sys.gettrace

class Hook(Protocol):
    """What an anchor calls when no trace fits: with what lies on the stack and in its slots.  Hashes by identity."""

    def __call__(self, state: tuple[object, ...]) -> object:
        """Perhaps make a trace, for the next time."""


@attrs.define(eq=False, repr=False)
class Anchor:
    """A place where traces hang.

    `depth` entries lie on the stack and `slots` are handed to `hook` when no trace fits: first the entries from the
    bottom (`UNREADABLE` in place of those that may be NULL), then what the slots hold (cells themselves).  `hook` makes
    it for a chain of so many traces, and is `None` once no more traces are wanted.
    """

    index: int
    depth: int
    slots: tuple[int, ...]
    hook: Callable[[int], Hook] | None
    unreadable: frozenset[int] = frozenset()
    chain: Label = attrs.Factory(Label)
    original: Label = attrs.Factory(Label)
    traces: list[tuple[Label, list[Instruction]]] = attrs.Factory(list)  # the label of its miss, and the trace
    stub: list[Instruction] = attrs.Factory(list)


class Splice:
    """A routine of its own (decoded anew), its anchors and their traces."""

    def __init__(self, code: CodeType, judge: Judge = is_from_outside) -> None:
        self._judge = judge
        self.routine: Routine = decode(code)
        self.original: tuple[Instruction, ...] = tuple(self.routine.instructions)
        self.anchors: dict[int, Anchor] = {}
        first_free, count = self.routine.first_free_slot, len(self.routine.slots)
        self._cells = sum(1 << slot for slot in (*self.routine.cell_slots, *range(first_free, count)))
        self._labels: dict[int, list[Label]] = {}
        for label in _labels(self.original):
            self._labels.setdefault(id(label.instruction), []).append(label)

    def add_anchor(self, anchor: Anchor) -> None:
        """Put a stub in front of the anchored instruction."""
        instruction = self.original[anchor.index]
        anchor.original.instruction = instruction
        assembly = Assembly(anchor.depth, instruction.position, instruction.handler)
        assembly.begin_call(lambda: assembly.load_bare(_gettrace))
        assembly.call(0)
        assembly.emit(Op.POP_JUMP_IF_NOT_NONE, target=anchor.original)
        assembly.emit(Op.JUMP_NO_INTERRUPT, target=anchor.chain)
        anchor.stub = assembly.instructions
        self.anchors[anchor.index] = anchor

    def site(self, anchor: Anchor, start: Snapshot, end: int | None, live: int) -> Site:
        """Where a trace from the anchor to the instruction `end` (`None` if it returns) would hang."""
        instruction = self.original[anchor.index]
        target = Label() if end is None else Label(self.original[end])
        position, handler = instruction.position, instruction.handler
        return Site(start, position, handler, Label(), anchor.original, target, live, self._judge, self._cells)

    def add_trace(self, anchor: Anchor, recording: Recording, site: Site, compiled: Compiled | None) -> None:
        """Append a trace to the anchor's chain."""
        anchor.traces.append((site.miss, TraceWriter(recording, site, compiled).write()))

    def encode(self) -> CodeType:
        """The code object, verified."""
        instructions: list[Instruction] = []
        alive = {index: anchor for index, anchor in self.anchors.items() if anchor.traces or anchor.hook is not None}
        for index, instruction in enumerate(self.original):
            if index in alive:
                instructions += alive[index].stub
            instructions.append(instruction)
        for index, anchor in self.anchors.items():
            if index != ENTRY_INDEX:
                head = anchor.stub[0] if index in alive else self.original[index]
                for label in self._labels.get(id(self.original[index]), ()):
                    label.instruction = head
        for anchor in alive.values():
            instructions += self._chain(anchor)
        self.routine.instructions = instructions
        verify(self.routine)
        return encode(self.routine)

    def _chain(self, anchor: Anchor) -> list[Instruction]:
        tail = self._ask(anchor)
        chain: list[Instruction] = []
        pieces = [trace for _, trace in anchor.traces] + [tail]
        anchor.chain.instruction = pieces[0][0]
        for (miss, _), following in zip(anchor.traces, pieces[1:], strict=True):
            miss.instruction = following[0]
        for piece in pieces:
            chain += piece
        return chain

    def _ask(self, anchor: Anchor) -> list[Instruction]:
        """Hand the state to the hook, if there is one, and go on with the original instruction."""
        instruction = self.original[anchor.index]
        assembly = Assembly(anchor.depth, instruction.position, instruction.handler)
        if anchor.hook is not None:
            hook = anchor.hook(len(anchor.traces))
            no_room = Label()
            assembly.handler = Handler(no_room, anchor.depth, True)
            assembly.begin_call(lambda: assembly.load_bare(hook))
            for entry in range(anchor.depth):
                if entry in anchor.unreadable:
                    assembly.load_bare(UNREADABLE)
                else:
                    assembly.copy_below(entry)
            for slot in anchor.slots:
                assembly.emit(Op.LOAD_FAST, slot)
                assembly.push()
            count = anchor.depth + len(anchor.slots)
            assembly.emit(Op.BUILD_TUPLE, count)
            assembly.drop(count)
            assembly.push()
            assembly.call(1)
            assembly.pop_top()
            assembly.handler = instruction.handler
            assembly.emit(Op.JUMP_NO_INTERRUPT, target=anchor.original)
            write_handler(assembly, no_room, anchor.original, None)
            return assembly.instructions
        assembly.emit(Op.JUMP_NO_INTERRUPT, target=anchor.original)
        return assembly.instructions


def _labels(instructions: Sequence[Instruction]) -> list[Label]:
    """Every label that instructions refer to: of jumps and of handlers, raw ones included, each once."""
    found: dict[int, Label] = {}
    for instruction in instructions:
        for label in (instruction.target, instruction.handler.label if instruction.handler is not None else None):
            if label is not None:
                found[id(label)] = label
        for raw in instruction.group.raw if instruction.group is not None else ():
            for label in (raw.target, raw.handler.label if raw.handler is not None else None):
                if label is not None:
                    found[id(label)] = label
    return list(found.values())
