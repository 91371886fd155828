"""The text that `explain` gives: what was captured, what broke and why, and what would make another trace.

`Collector` turns traces into text while they are made; an `Explanation` refers to nothing of the user's but the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import CodeType

import attrs
from typing_extensions import override

from symexec.analysis.landing import Landings, compute_landings
from symexec.bytecode import features
from symexec.bytecode.model import GENERATOR_FLAGS, Routine
from symexec.capture.texts import ValueText
from symexec.config import Config
from symexec.errors import RAISES, SUSPENDED, BreakReason, Place
from symexec.report.disassembly import slot_names
from symexec.report.graphs import input_lines, name_inputs, operation_lines
from symexec.report.guards import guard_lines, recompile_lines
from symexec.report.listing import list_trace
from symexec.report.logs import LogObserver
from symexec.report.places import indent, line_text, place_of, reason_text, short_path
from symexec.runtime.record import Record
from symexec.runtime.reports import Miss, NewTrace, Skipped
from symexec.values.graph import Node


@attrs.frozen(eq=False, repr=False)
class TraceAccount:
    """One trace in words.

    `anchor`: the index of the instruction where it starts, 0 for the function's entry.  `start`, `ending`: where it
    starts and how it ends.  `recompiles`: for what another trace would be made.  `listing`: the trace as it would be
    emitted, in the form of source.  `reason`: the break that ends it, `None` if the function returns.
    """

    anchor: int
    start: str
    instructions: int
    operations: int
    effects: int
    guards: tuple[str, ...]
    inputs: tuple[str, ...]
    graph: tuple[str, ...]
    ending: str
    recompiles: tuple[str, ...]
    listing: str
    reason: BreakReason | None


@attrs.frozen(eq=False, repr=False)
class Explanation:
    """One run of a function: its result, the traces that there would be, and a readable account as `str()`.

    `breaks` are the distinct reasons for which tracing stopped, suspensions left aside.  `captured` counts the
    interpreted instructions in traces, `left` those that are run as written between them, each place once.
    """

    function: str
    place: str
    result: object
    traces: tuple[TraceAccount, ...]
    breaks: tuple[BreakReason, ...]
    captured: int
    left: int
    notes: tuple[str, ...] = ()
    _renew: Callable[[], Explanation] | None = None

    def now(self) -> Explanation:
        """What is known by now: the code of a generator or coroutine runs after the call that makes it."""
        return self if self._renew is None else self._renew()

    @property
    def share(self) -> float:
        """The share of instructions that are in traces, from 0 to 1."""
        total = self.captured + self.left
        return self.captured / total if total else 0.0

    @override
    def __str__(self) -> str:
        lines = [f"{self.function} ({self.place})", ""]
        for number, trace in enumerate(self.traces, 1):
            lines += [*_trace_lines(number, trace), ""]
        for reason in self.breaks:
            lines += [*reason_text(reason).splitlines(), ""]
        return "\n".join([*lines, *self.notes, self.summary()])

    @override
    def __repr__(self) -> str:
        return f"<Explanation of {self.function}: {self.summary()}>"

    def brief(self) -> str:
        """Without graphs and guards: a line for each trace, the breaks, the summary."""
        lines = [f"{self.function} ({self.place})", ""]
        lines += [f"{_head(number, trace)}; {trace.ending}" for number, trace in enumerate(self.traces, 1)]
        for reason in self.breaks:
            lines += ["", *reason_text(reason).splitlines()]
        return "\n".join([*lines, "", self.summary()])

    def summary(self) -> str:
        """One line: the captured share, traces, breaks."""
        total = self.captured + self.left
        share = f"captured {self.captured} of {total} instructions ({self.share:.0%})"
        return f"{share}, {_count(len(self.traces), 'trace')}, {_count(len(self.breaks), 'break')}"

    def listings(self) -> str:
        """Every trace as it would be emitted, in the form of source."""
        return "\n\n".join(trace.listing for trace in self.traces)


class Collector:
    """Observes one record, for an explanation; tells the logs as well."""

    def __init__(self, limits: Config) -> None:
        self.traces: list[TraceAccount] = []
        self.left = 0
        self.limits = limits
        self._logs = LogObserver()
        self._landings: Landings | None = None
        self._breaks_before: dict[int, Place] = {}  # by anchor: the place whose break it follows

    def traced(self, trace: NewTrace) -> object:
        """Put the trace into words."""
        recording = trace.recording
        named = name_inputs(recording.nodes, recording.origins)
        operations = operation_lines(named)
        self.traces.append(
            TraceAccount(
                anchor=trace.anchor,
                start=self._start(trace.routine, trace.anchor),
                instructions=recording.steps,
                operations=len(operations),
                effects=len(recording.effects),
                guards=tuple(guard_lines(recording.guards)),
                inputs=tuple(input_lines(named)),
                graph=tuple(operations),
                ending=_ending_text(trace, named),
                recompiles=tuple(recompile_lines(recording.guards, recording.effects)),
                listing=list_trace(trace),
                reason=recording.reason,
            )
        )
        if recording.reason is not None:
            self._leave(trace.routine, recording.state.position, recording.reason)
        return self._logs.traced(trace)

    def skipped(self, skipped: Skipped) -> None:
        """Count what is run as written."""
        position = skipped.anchor if skipped.end is None else skipped.end
        self.left += skipped.instructions
        self._leave(skipped.routine, position, skipped.reason)
        self._logs.skipped(skipped)

    def missed(self, miss: Miss) -> None:
        """Pass it on."""
        self._logs.missed(miss)

    def installed(self, code: CodeType) -> None:
        """Pass it on."""
        self._logs.installed(code)

    def _leave(self, routine: Routine, position: int, reason: BreakReason) -> None:
        """Count what runs as written from a break on, up to where tracing starts again."""
        self._landings = self._landings or compute_landings(routine)
        following = self._landings.after_break(position, raises=reason.code == RAISES)
        for anchor in following:
            self._breaks_before.setdefault(anchor, place_of(routine, position))
        self.left += _distance(self._landings, position)

    def _start(self, routine: Routine, anchor: int) -> str:
        place = line_text(place_of(routine, anchor))
        before = self._breaks_before.get(anchor)
        if anchor == 0 and before is None:
            return f"from the entry ({place})"
        return f"from {place}" if before is None else f"from {place}, after the break at {line_text(before)}"


def _distance(landings: Landings, position: int) -> int:
    """How many instructions there are from one to where the next trace may start, or the function ends."""
    count, waiting, seen = 0, [position], {position}
    while waiting:
        count += 1
        reached = dict.fromkeys(successor for place in waiting for successor in landings.flow.successors(place))
        if not reached or any(landings.may_land(place) for place in reached):
            return count
        waiting = [place for place in reached if place not in seen]
        seen.update(waiting)
    return count


def explain_record(
    record: Record, collector: Collector, result: object, renew: Callable[[], Explanation] | None = None
) -> Explanation:
    """The explanation of what `record` saw in its one run, and `collector` with it; `renew` gives a later one."""
    code = record.code
    return Explanation(
        function=code.co_qualname,
        place=f"{short_path(code.co_filename)}:{code.co_firstlineno}",
        result=result,
        traces=tuple(collector.traces),
        breaks=tuple(record.breaks),
        captured=sum(trace.instructions for trace in collector.traces),
        left=collector.left,
        notes=tuple(_notes(code, collector)),
        renew=renew,
    )


def _notes(code: CodeType, collector: Collector) -> Iterator[str]:
    if features.IS_FREE_THREADED:
        yield "On a free-threaded Python functions run as written: none of this is captured."
    if code.co_flags & GENERATOR_FLAGS and not collector.traces:
        yield (
            "It is a generator or coroutine function: calling it runs none of its code. Go through `result`, or await "
            "it, and ask `now()` for the explanation then."
        )
    if any(trace.recompiles for trace in collector.traces):
        limit = collector.limits.traces
        yield f"There are at most {limit} traces at a place (Config.traces); other cases then run as written."


def _trace_lines(number: int, trace: TraceAccount) -> Iterator[str]:
    """One trace, with a heading for each part that is there."""
    yield _head(number, trace)
    parts = [("inputs", trace.inputs), ("graph", trace.graph), ("guards", trace.guards)]
    for heading, lines in [*parts, ("another trace would be made for", trace.recompiles)]:
        if lines:
            yield f"  {heading}:"
            yield from indent(lines, 4)
    yield f"  {trace.ending}"


def _head(number: int, trace: TraceAccount) -> str:
    counts = [_count(trace.operations, "graph operation"), _count(trace.instructions, "instruction")]
    if trace.effects:
        counts.append(_count(trace.effects, "effect"))
    return f"trace {number} {trace.start}: {', '.join(counts)}"


def _ending_text(trace: NewTrace, named: Mapping[int, Node]) -> str:
    recording = trace.recording
    value, reason = recording.ending.value, recording.reason
    if value is None:
        if reason is not None and reason.code == SUSPENDED:
            return f"is suspended at {line_text(place_of(trace.routine, recording.state.position))}: {reason.code}"
        code = "" if reason is None else f": {reason.code}"
        return f"stops before {line_text(place_of(trace.routine, recording.state.position))}{code}"
    text = ValueText(recording.heap, named, slot_names(trace.routine))
    built = text.build_lines([value])
    if len(built) == 1:
        return f"returns {built[0].partition(' = ')[2]}"
    return f"returns {text(value)}{', where ' + '; '.join(built) if built else ''}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
