"""One trace as instructions: guards, compute, validate, commit, exit, and the handlers of its own regions.

Straight-line code that starts and ends with the frame as the original instruction at the anchor expects it; a miss
leaves it untouched.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from symexec.bytecode.model import Handler, Instruction, Label, Position
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.capture.checks import Misses, check_guard
from symexec.capture.commit import Committer
from symexec.capture.compute import Computation
from symexec.capture.exits import Exit, changed_slots, kept_entries
from symexec.capture.fallback import Judge, is_from_outside, write_handler
from symexec.capture.holders import Box
from symexec.capture.obstacles import find_obstacle
from symexec.capture.paths import is_call_free, load_origin
from symexec.capture.reconstruct import Rebuilder
from symexec.capture.recording import Recording
from symexec.capture.validate import plan_places, validate_contents, validate_place
from symexec.interpreter.frame import SlotState, Snapshot
from symexec.values.backend import Compiled
from symexec.values.effect import effect_values
from symexec.values.graph import Graph, Kind, Node
from symexec.values.model import Known, Null, Traced, Value
from symexec.values.origin import Held, Origin


@attrs.frozen(eq=False, repr=False)
class Site:
    """Where a trace hangs: the anchor's position and region, the state there, and where control goes.

    `miss` is the next trace's guards, or what follows them; `original` is the anchored instruction itself, `target`
    the instruction where the trace ends, if it does not return; `live` are the slots that are live there and
    `cells` those that hold cells from the prefix on.  `judge` says which exceptions of the computation are not its own.
    """

    start: Snapshot
    position: Position | None
    handler: Handler | None
    miss: Label
    original: Label
    target: Label
    live: int
    judge: Judge = is_from_outside
    cells: int = 0


def needed_values(recording: Recording, site: Site) -> list[Value]:
    """What commit and exit will push, in order."""
    values = [value for effect in recording.effects for value in effect_values(effect)]
    if recording.ending.value is not None:
        return [*values, recording.ending.value]
    state = recording.state
    values += [value for value in state.stack[kept_entries(state.stack) :] if not isinstance(value, Null)]
    stored, _ = changed_slots(recording.heap, site.start, state, site.live)
    slots = (state.slots[slot] for slot in stored)
    return values + [value for value in slots if not isinstance(value, SlotState)]


def trace_obstacle(recording: Recording, site: Site) -> str | None:
    """Why the trace cannot end where it does; `None` if it can."""
    return recording.unfinished or find_obstacle(recording.heap, needed_values(recording, site))


def result_nodes(recording: Recording, values: Sequence[Value]) -> tuple[Node, ...]:
    """The graph nodes that the values refer to, made objects included, each once, in order of execution."""
    from_heap = recording.heap.reachable(values)
    found = {value.node.index: value.node for value in from_heap if isinstance(value, Traced)}
    return tuple(found[index] for index in sorted(found))


def graph_of(recording: Recording, values: Sequence[Value]) -> Graph:
    """The graph of a recording, whose outputs are the computed nodes that `values` need."""
    outputs = tuple(node for node in result_nodes(recording, values) if node.kind is not Kind.INPUT)
    return Graph(list(recording.nodes), outputs)


class TraceWriter:
    """Writes one trace for one site.

    `backend`, if given, is called with the graph's inputs and gives a tuple of its outputs; otherwise operations are
    inlined.  With `alone` there is no original code: whatever is raised leaves the function, and values that are drawn
    at run time are drawn before the graph.
    """

    def __init__(
        self, recording: Recording, site: Site, backend: Compiled | None = None, *, alone: bool = False
    ) -> None:
        self._recording = recording
        self._site = site
        self._backend = backend
        self._alone = alone
        self._assembly = Assembly(len(site.start.stack), site.position, None)
        self._computation = Computation(self._assembly, recording.origins)
        self._misses = Misses()
        self._values = needed_values(recording, site)
        self._places = plan_places(recording)

    def write(self) -> list[Instruction]:
        """The instructions, in order; the first is where the guards start."""
        site, assembly = self._site, self._assembly
        guard_failed, failed = Label(), Label()
        abandon = Misses()
        assembly.handler = self._own_region(guard_failed)
        self._write_guards()
        assembly.handler = self._own_region(failed)
        self._write_computation()
        rebuilder = Rebuilder(assembly, self._recording.heap, self._computation)
        rebuilder.prepare(self._values)
        self._validate(abandon)
        assembly.handler = site.handler
        committer = Committer(assembly, self._recording.heap, rebuilder)
        for effect in self._recording.effects:
            committer.write(effect)
        self._exit(rebuilder)
        assembly.handler = site.handler
        self._landing(abandon, site.original, counted=not self._alone)
        self._landing(self._misses, site.miss)
        if not self._alone:
            self._write_handlers(guard_failed, failed)
        return assembly.instructions

    def _write_handlers(self, guard_failed: Label, failed: Label) -> None:
        site = self._site
        write_handler(self._fresh(), guard_failed, site.miss, is_from_outside)
        write_handler(self._fresh(), failed, site.original, site.judge)

    def _own_region(self, label: Label) -> Handler | None:
        return None if self._alone else Handler(label, len(self._site.start.stack), True)

    def _fresh(self) -> Assembly:
        """The assembly with nothing above the anchor's own stack."""
        self._assembly.drop(len(self._assembly.entries))
        return self._assembly

    def _landing(self, misses: Misses, target: Label, *, counted: bool = False) -> None:
        """Where failing tests arrive: pops, then a jump; what is `counted` tells the judge first."""
        self._fresh()
        misses.write(self._assembly)
        if counted and misses.are_used:
            self._assembly.begin_call(lambda: self._assembly.load_bare(self._site.judge))
            self._assembly.load_constant(None)
            self._assembly.call(1)
            self._assembly.pop_top()
        self._assembly.emit(Op.JUMP_NO_INTERRUPT, target=target)

    def _write_guards(self) -> None:
        """Check every guard; what could change between two loads and is used again is loaded once and kept."""
        assembly, recording = self._assembly, self._recording
        self._computation.count_uses(recording.nodes)
        kept = self._places.kept
        for origin in kept:
            assembly.uses[origin] += 1
        waiting = dict.fromkeys(kept)
        for guard in recording.guards:
            if guard.origin in waiting:
                del waiting[guard.origin]
                self._keep(guard.origin)
            check_guard(assembly, self._misses, guard)
        for origin in waiting:
            self._keep(origin)
        self._keep_held()
        self._count_results()
        if not recording.effects:
            for origin in kept:
                assembly.release(origin)

    def _keep(self, origin: Origin) -> None:
        load_origin(self._assembly, origin)
        self._assembly.name_top(origin)

    def _keep_held(self) -> None:
        """From here on refer strongly to what is weakly held and needed at the end: it may not go meanwhile."""
        assembly = self._assembly
        for value in self._recording.heap.reachable(self._values):
            if isinstance(value, Known) and not is_call_free(value.origin) and isinstance(value.origin, Held):
                if not assembly.has(value.origin):
                    self._keep(value.origin)
                    assembly.uses[value.origin] = 1
                    assembly.emit(Op.COPY, 1)
                    label = self._misses.at(len(assembly.entries))
                    assembly.emit(Op.POP_JUMP_IF_NONE, target=label)

    def _count_results(self) -> None:
        """Every result that commit or exit needs stays to the end."""
        for value in self._recording.heap.reachable(self._values):
            if isinstance(value, Traced):
                key = self._computation.key(value.node)
                if key is not None:
                    self._assembly.uses[key] += 1

    def _write_computation(self) -> None:
        recording, assembly = self._recording, self._assembly
        drawn = [node for node in recording.nodes if node.kind is Kind.DRAW]
        if self._backend is not None:
            self._call_backend(self._backend, drawn)
            return
        operations = [node for node in recording.nodes if node.kind not in (Kind.INPUT, Kind.DRAW)]
        for node in [*drawn, *operations]:
            self._write_node(node)
        assembly.clear_rubbish()

    def _write_node(self, node: Node) -> None:
        self._computation.write(node, self._recording.positions[node.index] or self._site.position)

    def _call_backend(self, backend: Compiled, drawn: Sequence[Node]) -> None:
        """Draw, call the backend's callable with the graph's inputs, and name its results."""
        assembly = self._assembly
        graph = graph_of(self._recording, self._values)
        for node in graph.inputs:
            key = self._computation.key(node)
            if key is not None:
                assembly.uses[key] += 1
        for node in drawn:
            self._write_node(node)
        assembly.position = self._site.position
        assembly.begin_call(lambda: assembly.load_held(Box(backend)))
        for node in graph.inputs:
            self._computation.push(node)
        assembly.call(len(graph.inputs))
        assembly.emit(Op.UNPACK_SEQUENCE, len(graph.outputs))
        assembly.drop()
        for node in reversed(graph.outputs):
            assembly.push(("node", node.index))

    def _validate(self, abandon: Misses) -> None:
        """Before the first write: what others could have changed since the guards were checked."""
        for origin in self._places.checked:
            validate_place(self._assembly, abandon, origin)
        for guard in self._places.contents:
            validate_contents(self._assembly, abandon, guard)

    def _exit(self, rebuilder: Rebuilder) -> None:
        recording, site = self._recording, self._site
        ending = Exit(self._assembly, recording.heap, rebuilder, site.start, site.cells)
        if recording.ending.value is not None:
            ending.leave(recording.ending.value)
        else:
            ending.go_on(recording.state, site.live, site.target)
