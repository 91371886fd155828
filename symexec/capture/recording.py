"""What a run of the translator leaves behind: all that it takes to write a trace, frozen."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from symexec.bytecode.model import Position
from symexec.capture.remaking import settle_iterators
from symexec.errors import BreakReason
from symexec.interpreter.frame import FrameState, SlotState, Snapshot
from symexec.interpreter.machine import Machine
from symexec.interpreter.protocol.generators import unfinished_business
from symexec.interpreter.translator import Ending, InstructionTranslator
from symexec.values.effect import Effect, SetContents, effect_target, effect_values
from symexec.values.graph import Kind, Node
from symexec.values.guard import Guard, SameAs, needed
from symexec.values.heap import Heap
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Origin


@attrs.frozen(eq=False, repr=False)
class Recording:
    """One trace, from where it starts to how it ends.

    `origins` tells where input nodes come from, by index.  `state` is the frame's at the end: at the instruction that
    is left to Python, or meaningless where `ending.value` is returned.
    """

    nodes: tuple[Node, ...]
    positions: tuple[Position | None, ...]
    guards: tuple[Guard, ...]
    effects: tuple[Effect, ...]
    origins: dict[int, Origin]
    heap: Heap
    state: Snapshot
    ending: Ending
    foreign: bool
    steps: int
    covered: bool = False  # whether a handler of the program's would see an operation raise
    unfinished: str | None = None  # why nothing may end here: what is dropped would run code

    @property
    def operations(self) -> int:
        """How many graph operations there are."""
        return sum(node.kind is not Kind.INPUT for node in self.nodes)

    @property
    def reason(self) -> BreakReason | None:
        """Why it ended before the frame did."""
        return self.ending.reason

    def results(self) -> list[Value]:
        """The values that the frame needs afterwards: what it returns, or what its slots and stack hold."""
        if self.ending.value is not None:
            return [self.ending.value]
        return [*self.state.stack, *(slot for slot in self.state.slots if not isinstance(slot, SlotState))]


def freeze(translator: InstructionTranslator, ending: Ending, symbols: Sequence[tuple[int, Origin]] = ()) -> Recording:
    """The recording of a run that has ended, with the guards against unforeseen aliases added.

    `symbols` are (node index, origin) of inputs that had no concrete value.
    """
    machine = translator.machine
    _settle(machine, translator.frame.state, ending)
    origins = {traced.node.index: known.origin for known, traced in machine.inputs}
    origins.update(symbols)
    guard_aliases(machine)
    return Recording(
        nodes=tuple(machine.nodes),
        positions=tuple(machine.positions),
        guards=needed(machine.guards.guards),
        effects=_seen_effects(machine.heap, ending.value),
        origins=origins,
        heap=machine.heap,
        state=translator.frame.state.snapshot(),
        ending=ending,
        foreign=machine.foreign,
        steps=machine.steps,
        covered=machine.covered,
        unfinished=unfinished_business(machine),
    )


def _seen_effects(heap: Heap, result: Value | None) -> tuple[Effect, ...]:
    """The effects that anybody can see: where the frame ends, its own cells matter only to whoever still has them."""
    if result is None:
        return tuple(heap.effects)
    hidden: dict[int, list[Value]] = {}  # what is stored in cells of which nobody is known to have them
    roots = [result]
    for effect in heap.effects:
        cell = effect.cell if isinstance(effect, SetContents) else None
        if isinstance(cell, Made):
            hidden.setdefault(cell.object_id, []).extend(effect_values(effect))
        else:
            roots += effect_values(effect)
    while hidden and roots:
        found = {value.object_id for value in heap.reachable(roots) if isinstance(value, Made)} & hidden.keys()
        roots = [value for object_id in found for value in hidden.pop(object_id)]
    return tuple(
        effect
        for effect in heap.effects
        if not (isinstance(effect, SetContents) and isinstance(effect.cell, Made) and effect.cell.object_id in hidden)
    )


def _settle(machine: Machine, state: FrameState, ending: Ending) -> None:
    """Let iterators that may be needed after the trace be what makes them again."""
    values = [value for effect in machine.heap.effects for value in effect_values(effect)]
    values += [slot for slot in (*state.stack, *state.slots) if not isinstance(slot, SlotState)]
    settle_iterators(machine.heap, values if ending.value is None else [*values, ending.value])


def guard_aliases(machine: Machine) -> None:
    """Guard that an object which is written is none of the others of its type that were looked into."""
    written = _written(machine.heap.effects)
    looked_into = machine.heap.looked_into()
    for target in {id(known.value): known for known in written}.values():
        first = machine.heap.first_known(target) or target
        for other in looked_into:
            if other.value is not target.value and type(other.value) is type(target.value):
                machine.guards.add(first.origin, SameAs(other.origin, False))


def _written(effects: Sequence[Effect]) -> list[Known]:
    return [target for target in map(effect_target, effects) if isinstance(target, Known)]
