"""The runtime record of one compiled function: its anchors and traces, and how a new trace comes about.

A function is traced by one thread at a time and nobody waits: whoever comes while it is being traced runs the
original.  The record refers to the function weakly; the function's code refers to the record weakly.
"""

from __future__ import annotations

import logging
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from inspect import CO_ITERABLE_COROUTINE
from types import CodeType, FunctionType
from typing import Final

import attrs

from symexec.bytecode.decode import decode
from symexec.capture.recording import Recording, freeze
from symexec.capture.splice import Anchor, Splice
from symexec.capture.survey import Survey
from symexec.capture.trace import Site, graph_of, needed_values, trace_obstacle
from symexec.config import Config
from symexec.errors import ORDINARY, RAISES, BreakReason, GraphBreakError, Place
from symexec.interpreter.frame import FrameState, Snapshot
from symexec.interpreter.machine import Machine
from symexec.interpreter.translator import Ending, InstructionTranslator
from symexec.runtime.reports import SILENCE, Miss, NewTrace, Observer, Skipped, TraceReport
from symexec.runtime.starting import anchor_state, closure_values, contents_of, entry_state
from symexec.runtime.swap import install
from symexec.values.backend import Backend, Compiled
from symexec.values.domain import Domain
from symexec.values.graph import Graph
from symexec.values.model import Known
from symexec.values.origin import Globals
from symexec.values.outside import came_in_between, is_from_outside

WORTHWHILE: Final = 12  # interpreted instructions from which a trace without operations or effects is kept
_log: Final = logging.getLogger("symexec")


@attrs.frozen(eq=False, repr=False)
class Settings:
    """How a function is compiled.  Without a `backend` operations are inlined.

    `domains` gives those in force when a trace is made: a framework may be imported after the function is compiled.
    `original_code` gives the code of other compiled functions as it was written, `None` for functions that are not.
    """

    domains: Callable[[], tuple[Domain, ...]]
    config: Config
    original_code: Callable[[FunctionType], CodeType | None]
    backend: Backend | None = None
    fullgraph: bool = False
    observer: Observer = SILENCE
    probe: bool = False  # anchors everywhere from the start, traces only looked at: one run tells all


class AskHook:
    """Stands in the constants of the code: passes the state of an anchor on to the record, if that still lives.

    Generators may be closed when the interpreter ends, with modules gone: it names nothing of its module's then.
    """

    __slots__ = ("_index", "_record", "_traces")
    is_finalizing: Final = staticmethod(sys.is_finalizing)

    def __init__(self, record: weakref.ref[Record], index: int, traces: int) -> None:
        self._record = record
        self._index = index
        self._traces = traces

    def __call__(self, state: tuple[object, ...]) -> None:
        record = self._record()
        if record is not None and not self.is_finalizing():
            record.ask(self._index, self._traces, state)


class FallbackJudge:
    """Stands in the constants of the code: judges exceptions of traces, and counts those that fall back."""

    __slots__ = ("_record",)

    def __init__(self, record: weakref.ref[Record]) -> None:
        self._record = record

    def __call__(self, exception: BaseException | None) -> bool:
        if is_from_outside(exception):
            return True
        record = self._record()
        if record is not None:
            record.fallbacks += 1
        return False


class Record:
    """Everything about one compiled function but the function itself."""

    def __init__(self, function: FunctionType, settings: Settings) -> None:
        self.settings = settings
        self.code: CodeType = function.__code__
        self.misses = 0
        self.fallbacks = 0
        self.traces: list[TraceReport] = []
        self.breaks: dict[BreakReason, None] = {}
        self._function = weakref.ref(function)
        self._lock = threading.Lock()
        self._routine = decode(self.code)
        self._survey = Survey(self._routine)
        self._flags = 0  # that the function was given since
        self._splice = self._new_splice()
        self._asked: dict[int, int] = {}
        self._readable: dict[int, tuple[int, ...]] = {}
        self._expected = {0}
        self._installed = self.code

    def _new_splice(self) -> Splice:
        splice = Splice(self.code, FallbackJudge(weakref.ref(self)))
        splice.routine.flags |= self._flags
        return splice

    def start(self) -> None:
        """Put the first anchor at the function's entry."""
        if self.settings.config.anchors <= 0:
            return
        try:
            self._add_anchor(0)
            if self.settings.probe:
                for index in range(1, len(self._routine.instructions)):
                    if self._survey.landings.may_land(index):
                        self._add_anchor(index)
            self._install()
        except Exception as error:
            if came_in_between(error):
                raise
            self._fail(0, error)

    def reset(self) -> None:
        """Forget every trace; the function is as on the day it was compiled."""
        function = self._function()
        with self._lock:
            self._asked.clear()
            self._readable.clear()
            self.traces.clear()
            self.breaks.clear()
            self.misses = self.fallbacks = 0
            self._splice = self._new_splice()
            if function is not None:
                if self._adopt_flags(function):
                    self._put(function, self.code.replace(co_flags=self.code.co_flags | self._flags))
                self.start()

    def code_size(self) -> int:
        """Bytes of bytecode of the function as it is now."""
        function = self._function()
        return 0 if function is None else len(function.__code__.co_code)

    def ask(self, index: int, traces: int, handed: Sequence[object]) -> None:
        """No trace of the anchor fits this state: perhaps make one.

        `traces` is how many the asking code knew of: an old frame's are too few, and it could not use another.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            anchor = self._splice.anchors.get(index)
            if anchor is not None and anchor.hook is not None and self._wants(anchor, traces):
                self.misses += 1
                self._asked[index] = self._asked.get(index, 0) + 1
                self._trace(anchor, handed)
        except GraphBreakError:
            raise
        except Exception as error:
            if came_in_between(error):
                raise
            self._fail(index, error)
        finally:
            self._lock.release()

    def _wants(self, anchor: Anchor, traces: int) -> bool:
        if self.settings.probe:
            return anchor.index in self._expected and not self._asked.get(anchor.index)
        return len(anchor.traces) == traces

    # -- tracing -----------------------------------------------------------------------------------------------

    def _trace(self, anchor: Anchor, handed: Sequence[object]) -> None:
        function, config = self._function(), self.settings.config
        if function is None:
            return
        if self.settings.fullgraph and len(anchor.traces) >= config.traces:
            raise GraphBreakError(self._no_more_traces())
        if anchor.traces:
            self.settings.observer.missed(self._miss(function, anchor, handed))
        translator = self._translator(function, anchor, handed)
        try:
            self._record(function, anchor, translator)
        finally:
            translator.close()
        spent = self._asked[anchor.index] >= config.misses or len(anchor.traces) >= config.traces
        if spent and not self.settings.fullgraph:
            self._close(anchor)
            self._drop_useless(anchor)
        if not self.settings.probe:
            self._install()

    def _no_more_traces(self) -> BreakReason:
        place = Place(self.code.co_filename, self.code.co_qualname, self.code.co_firstlineno)
        limit = self.settings.config.traces
        why = f"there are {limit} traces already, the limit of Config.traces, and this call is another case"
        return BreakReason("SX9004", place, why, "raise Config.traces, or let what changes be an input (domains)")

    def _drop_useless(self, anchor: Anchor) -> None:
        """Its budget is spent on special cases without a graph: what is left of them is the cost of guards."""
        if self.settings.config.install == "profitable":
            traces = [trace for trace in self.traces if trace.anchor == anchor.index]
            if len(traces) > 1 and not any(trace.operations for trace in traces):
                anchor.traces.clear()
                self.traces = [trace for trace in self.traces if trace.anchor != anchor.index]

    def _record(self, function: FunctionType, anchor: Anchor, translator: InstructionTranslator) -> None:
        start = translator.frame.state.snapshot()
        ending = translator.run(closure_values(self._routine, function))
        found = self._settle(translator, anchor, start, ending)
        if isinstance(found, BreakReason):
            self._check_whole(found)
            self._skip(Skipped(self._routine, anchor.index, 0, None, found))
            return
        recording, site = found
        self._check_whole(recording.reason)
        self._keep(anchor, recording, site, translator.machine)
        if recording.reason is not None:
            self._follow(recording.state.position, recording.reason)

    def _translator(self, function: FunctionType, anchor: Anchor, handed: Sequence[object]) -> InstructionTranslator:
        machine = Machine(self.settings.domains(), self.settings.config)
        machine.original_code = self.settings.original_code
        state: FrameState
        if anchor.index == 0:
            arguments = [contents_of(value) if slot in self._routine.cell_slots else value
                         for slot, value in enumerate(handed)]  # fmt: skip
            state = entry_state(self._routine, arguments)
        else:
            readable = self._readable[anchor.index]
            state = anchor_state(self._routine, anchor.index, anchor.depth, readable, handed)
        return InstructionTranslator(self._routine, state, machine, Known(function.__globals__, Globals()))

    def _settle(
        self, translator: InstructionTranslator, anchor: Anchor, start: Snapshot, ending: Ending
    ) -> tuple[Recording, Site] | BreakReason:
        """The recording, backed up to where the frame can be handed over; what is in the way if that is nowhere."""
        reason = ending.reason
        while True:
            recording = freeze(translator, ending)
            end = None if ending.value is not None else recording.state.position
            live = 0 if end is None else self._survey.liveness.before(end)
            site = self._splice.site(anchor, start, end, live)
            if end is None or self._survey.may_end(end):
                obstacle = trace_obstacle(recording, site)
                if obstacle is None:
                    return recording, site
                if reason is None:
                    reason = translator.explain_obstacle(obstacle)
            reason = reason or translator.explain_obstacle("the frame cannot be left here")
            if not translator.back_up():
                return reason
            ending = Ending(None, reason)

    def _keep(self, anchor: Anchor, recording: Recording, site: Site, machine: Machine) -> None:
        """Add the trace, if it does anything."""
        reason, steps = recording.reason, recording.steps
        worthwhile = recording.operations or recording.effects or steps >= WORTHWHILE
        if reason is not None and not worthwhile:
            self._skip(Skipped(self._routine, anchor.index, steps, recording.state.position, reason))
            return
        if reason is not None:
            self._note_break(reason)
        graph = graph_of(recording, needed_values(recording, site))
        compiled = self._compile(graph, machine)
        made = NewTrace(self._routine, anchor.index, len(anchor.traces), recording, site, graph, compiled is not None)
        self._splice.add_trace(anchor, recording, site, compiled)
        note = self.settings.observer.traced(made)
        operations, effects = recording.operations, len(recording.effects)
        self.traces.append(TraceReport(anchor.index, operations, steps, effects, reason, note))

    def _skip(self, skipped: Skipped) -> None:
        """Leave an anchor without a trace."""
        self._note_break(skipped.reason)
        self._close(self._splice.anchors[skipped.anchor])
        self.settings.observer.skipped(skipped)

    def _note_break(self, reason: BreakReason) -> None:
        """Count it, unless it is in the course of things."""
        if reason.code not in ORDINARY:
            self.breaks[reason] = None

    def _check_whole(self, reason: BreakReason | None) -> None:
        if self.settings.fullgraph and reason is not None:
            raise GraphBreakError(reason)

    def _miss(self, function: FunctionType, anchor: Anchor, handed: Sequence[object]) -> Miss:
        slots: dict[int, object] = dict(enumerate(function.__closure__ or (), self._routine.first_free_slot))
        slots.update(zip(self._readable[anchor.index], handed[anchor.depth :], strict=True))
        traces = tuple(trace for trace in self.traces if trace.anchor == anchor.index)
        return Miss(self._routine, anchor.index, traces, slots, handed[: anchor.depth], function.__globals__)

    def _compile(self, graph: Graph, machine: Machine) -> Compiled | None:
        if self.settings.backend is None or not graph.operations:
            return None
        examples = [known.value for known, _ in machine.inputs]
        return self.settings.backend(graph, examples)

    def _follow(self, position: int, reason: BreakReason) -> None:
        """Put anchors where the frame can be traced again after the instruction that is left to Python."""
        for index in self._survey.landings.after_break(position, raises=reason.code == RAISES):
            self._expected.add(index)
            if index not in self._splice.anchors and len(self._splice.anchors) < self.settings.config.anchors:
                self._add_anchor(index)

    # -- anchors -----------------------------------------------------------------------------------------------

    def _add_anchor(self, index: int) -> None:
        slots = self._survey.readable_slots(index) if index else tuple(range(self._routine.parameter_count))
        self._readable[index] = slots
        depth = self._survey.depth(index) if index else 0
        unreadable = self._survey.unreadable_entries(index) if index else frozenset[int]()
        me = weakref.ref(self)
        self._splice.add_anchor(Anchor(index, depth, slots, lambda traces: AskHook(me, index, traces), unreadable))

    def _close(self, anchor: Anchor) -> None:
        """Let the anchor ask no more."""
        anchor.hook = None

    def _install(self) -> None:
        function = self._function()
        if function is None or not self._adopt_flags(function):
            return
        code = self._splice.encode()
        if len(code.co_code) > self.settings.config.code_size:
            for anchor in self._splice.anchors.values():
                anchor.hook = None
            _log.warning("symexec: %s reached Config.code_size; it keeps the traces it has", self.code.co_qualname)
            return
        self._put(function, code)
        self.settings.observer.installed(code)

    def _put(self, function: FunctionType, code: CodeType) -> None:
        install(function, code)
        self._installed = code

    def _adopt_flags(self, function: FunctionType) -> bool:
        """Whether the function still has the code it was given, but for flags (`types.coroutine` adds one).

        A program that gave it other code wants that one: it is left alone.
        """
        now, given = function.__code__, self._installed
        if now is given:
            return True
        if now.replace(co_flags=given.co_flags) != given:
            return False
        self._flags = now.co_flags & CO_ITERABLE_COROUTINE
        self._splice.routine.flags |= self._flags
        self._installed = now
        return True

    def _fail(self, index: int, error: Exception) -> None:
        """An error of symexec itself: the function runs as written, and the anchor asks no more.

        Where there was no room to trace there may be later.
        """
        if isinstance(error, (RecursionError, MemoryError)):
            _log.info("symexec: no room to trace %s just now", self.code.co_qualname)
            return
        _log.error("symexec: tracing %s failed", self.code.co_qualname, exc_info=error)
        anchor = self._splice.anchors.get(index)
        if anchor is not None:
            anchor.hook = None
        if self.settings.config.strict:
            raise error
