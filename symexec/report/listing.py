"""A trace as it is emitted, in the form of source: guards, operations, validation, commit, and how it goes on.

Printed from what the emitted code is written from, not decompiled.  Runs no user code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from symexec.capture.exits import changed_slots, kept_entries
from symexec.capture.recording import Recording
from symexec.capture.texts import ValueText
from symexec.capture.trace import Site, needed_values
from symexec.capture.validate import plan_places
from symexec.interpreter.frame import SlotState
from symexec.report.disassembly import slot_names
from symexec.report.graphs import name_inputs, operation_lines
from symexec.report.places import indent, line_text, place_of
from symexec.runtime.reports import NewTrace
from symexec.values.guard import describe

_STEP: Final = 4


def list_trace(trace: NewTrace) -> str:
    """The text of one trace."""
    return "\n".join(_Listing(trace).lines())


class _Listing:
    def __init__(self, trace: NewTrace) -> None:
        self._trace = trace
        self._recording: Recording = trace.recording
        self._site: Site = trace.site
        self._slots = slot_names(trace.routine)
        self._nodes = name_inputs(self._recording.nodes, self._recording.origins)
        self._text = ValueText(self._recording.heap, self._nodes, self._slots)
        self._values = needed_values(self._recording, self._site)

    def lines(self) -> Iterator[str]:
        """All lines, the head first."""
        trace = self._trace
        place = place_of(trace.routine, trace.anchor)
        where = "at its entry" if trace.anchor == 0 else f"before instruction {trace.anchor}"
        yield f"trace {trace.number + 1} of {trace.routine.qualified_name} {where} ({line_text(place)}):"
        body = [*self._guards(), *self._operations(), *self._builds(), *self._commit(), *self._exit()]
        yield from indent(body, _STEP)

    def _guards(self) -> Iterator[str]:
        yield from _conditions("if not", [describe(guard) for guard in self._recording.guards], "goto the next trace")

    def _operations(self) -> list[str]:
        if not self._trace.by_backend:
            return operation_lines(self._nodes, described=False)
        graph = self._trace.graph
        inputs = ", ".join(repr(self._nodes[node.index]) for node in graph.inputs)
        outputs = ", ".join(repr(self._nodes[node.index]) for node in graph.outputs)
        return [f"({outputs}{',' if len(graph.outputs) == 1 else ''}) = backend({inputs})"]

    def _builds(self) -> list[str]:
        return self._text.build_lines(self._values)

    def _commit(self) -> Iterator[str]:
        effects = self._recording.effects
        if not effects:
            return
        yield from _conditions("validate: if not", list(self._validated()), "goto the code as written")
        yield "commit:"
        yield from indent([self._text.effect(effect) for effect in effects], _STEP)

    def _validated(self) -> Iterator[str]:
        places = plan_places(self._recording)
        yield from (f"{origin} is what it was" for origin in places.checked)
        yield from (describe(guard) for guard in places.contents)

    def _exit(self) -> Iterator[str]:
        recording, text = self._recording, self._text
        if recording.ending.value is not None:
            yield f"return {text(recording.ending.value)}"
            return
        state = recording.state
        stored, unbound = changed_slots(recording.heap, self._site.start, state, self._site.live)
        for slot in stored:
            value = state.slots[slot]
            if not isinstance(value, SlotState):
                yield f"{self._slots[slot]} = {text(value)}"
        yield from (f"del {self._slots[slot]}" for slot in unbound)
        kept = kept_entries(state.stack)
        pushed = ", ".join(text(value) for value in state.stack[kept:])
        below = f", above the {kept} that lay there" if kept else ""
        stack = f" with [{pushed}] on the stack{below}" if pushed else ""
        place = place_of(self._trace.routine, state.position)
        op = self._trace.routine.instructions[state.position].op.name
        yield f"goto {line_text(place)}, instruction {state.position} ({op}){stack}"


def _conditions(head: str, conditions: Sequence[str], target: str) -> Iterator[str]:
    """`if not (a and b): goto ...`, one condition a line; nothing where there is no condition."""
    if not conditions:
        return
    if len(conditions) == 1:
        yield f"{head} {conditions[0]}: {target}"
        return
    yield f"{head} ({conditions[0]}"
    join = " " * (len(head) - 2) + "and "
    yield from (join + condition for condition in conditions[1:-1])
    yield f"{join}{conditions[-1]}): {target}"
