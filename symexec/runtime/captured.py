"""`Captured`: what `trace` gives: one graph for one call, its guards, how inputs bind and outputs are rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from typing_extensions import override

from symexec.bytecode.decode import decode
from symexec.bytecode.model import Label
from symexec.capture.recording import Recording, freeze
from symexec.capture.results import result_structure
from symexec.capture.standalone import write_alone
from symexec.capture.texts import ValueText
from symexec.capture.trace import Site, graph_of, needed_values, trace_obstacle
from symexec.errors import ArgumentError, GraphBreakError
from symexec.interpreter.frame import Snapshot
from symexec.interpreter.machine import Machine
from symexec.interpreter.translator import InstructionTranslator
from symexec.runtime.functions import copy_function, make_binder
from symexec.runtime.record import Settings
from symexec.runtime.starting import closure_values, entry_state
from symexec.runtime.symbols import Symbol
from symexec.values.effect import effect_target
from symexec.values.graph import Argument, Graph, check, format_argument, format_node, plain_argument
from symexec.values.guard import Guard
from symexec.values.model import Known, Made
from symexec.values.origin import Globals, Local, Origin


class Captured:
    """One typed operation graph of one call of a function.

    `graph` is what it computes, `guards` what that relies on, `input_paths` where each graph input comes from (as text,
    in the order of `graph.inputs`).  `result` is what the function returns: a structure of constants, lists, tuples,
    dicts, sets and slices with the graph's nodes in place of traced values, and `Other(text)` for what is none of them.
    `effects` are the writes to objects that existed before, in order, as statements.  Calling it runs the function as
    captured: it checks the guards (`GuardError` if one does not hold), runs the graph, does the writes and rebuilds the
    result.  Where an operation raises, what the function does then is done: its handlers run, what it writes before is
    written.  Only where it draws a value at run time, which cannot be drawn again, the exception just leaves.
    """

    def __init__(
        self, function: FunctionType, recording: Recording, start: Snapshot, settings: Settings, slots: Sequence[str]
    ) -> None:
        self.graph: Graph = graph_of(recording, recording.results())
        check(self.graph)
        self.guards: tuple[Guard, ...] = recording.guards
        texts = ValueText(recording.heap, {}, slots)
        value = recording.ending.value
        self.result: Argument = None if value is None else result_structure(recording.heap, value, texts)
        self.effects: tuple[str, ...] = tuple(
            texts.effect(effect) for effect in recording.effects if not isinstance(effect_target(effect), Made)
        )
        self.input_paths: tuple[str, ...] = tuple(
            str(recording.origins.get(node.index, node.target)) for node in self.graph.inputs
        )
        self._function = function
        self._recording = recording
        self._start = start
        self._settings = settings
        self._compiled: FunctionType | None = None

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Run the captured computation on arguments that fit the guards; gives the function's result."""
        result: object = self.function(*args, **kwargs)
        return result

    @property
    def function(self) -> FunctionType:
        """The captured computation as a plain function with the signature of the original."""
        if self._compiled is None:
            compiled = None
            if self._settings.backend is not None:
                needed = graph_of(self._recording, needed_values(self._recording, _site(self._start)))
                compiled = self._settings.backend(needed, ())
            code = write_alone(self._function.__code__, self._recording, self._start, compiled)
            self._compiled = copy_function(self._function, code, closure=bool(code.co_freevars))
        return self._compiled

    @override
    def __repr__(self) -> str:
        counts = f"{len(self.graph.operations)} operations, {len(self.guards)} guards, {len(self.effects)} effects"
        return f"<Captured {self._function.__qualname__}: {counts}>"

    @override
    def __str__(self) -> str:
        lines = [f"captured {self._function.__qualname__}", "inputs:"]
        lines += [f"  {node!r} = {path}" for node, path in zip(self.graph.inputs, self.input_paths, strict=True)]
        lines += ["guards:", *(f"  {guard}" for guard in self.guards), "graph:"]
        lines += [f"  {format_node(node)}" for node in self.graph.nodes]
        if self.effects:
            lines += ["effects:", *(f"  {effect}" for effect in self.effects)]
        return "\n".join([*lines, f"result: {format_argument(self.result)}"])

    def to_dict(self) -> dict[str, object]:
        """A plain structure of dicts, lists, strings and numbers."""
        return {
            "function": self._function.__qualname__,
            "inputs": list(self.input_paths),
            "guards": [str(guard) for guard in self.guards],
            "effects": list(self.effects),
            "result": plain_argument(self.result),
            "graph": self.graph.to_dict(),
        }


def _site(start: Snapshot) -> Site:
    return Site(start, None, None, Label(), Label(), Label(), 0)


def capture(function: FunctionType, args: Sequence[object], kwargs: dict[str, object], settings: Settings) -> Captured:
    """Trace one call from entry to return.

    Arguments may be `Symbol`s.  Raises `GraphBreakError` if one graph is not possible, `TypeError` for arguments that
    do not fit the signature, `ArgumentError` for a symbol that no domain owns.  Runs nothing of the user's.
    """
    routine = decode(function.__code__)
    if routine.is_generator_like:
        raise ArgumentError(f"{function.__qualname__} is a generator or coroutine function; trace a plain function")
    bound: tuple[object, ...] = make_binder(function)(*args, **kwargs)
    domains = settings.domains()
    machine = Machine(domains, settings.config, allow_draws=True)
    machine.original_code = settings.original_code
    state = entry_state(routine, bound)
    symbols: list[tuple[int, Origin]] = []
    for slot, value in enumerate(bound):
        if isinstance(value, Symbol):
            domain = next((domain for domain in domains if domain.owns(value.spec)), None)
            if domain is None:
                names = ", ".join(domain.name for domain in domains) or "none"
                raise ArgumentError(f"no domain owns the spec {value.spec!r} of {value.name!r}; domains: {names}")
            traced = machine.symbol(value.name, value.spec, domain)
            state.slots[slot] = traced
            origin = Local(slot, routine.slots[slot])
            symbols.append((traced.node.index, origin))
            for place, check_ in domain.guards(origin, value.spec):
                machine.guards.add(place, check_)
    start = state.snapshot()
    translator = InstructionTranslator(routine, state, machine, Known(function.__globals__, Globals()))
    try:
        ending = translator.run(closure_values(routine, function))
        if ending.reason is not None:
            raise GraphBreakError(ending.reason)
        recording = freeze(translator, ending, symbols)
        obstacle = trace_obstacle(recording, _site(start))
        if obstacle is not None:
            raise GraphBreakError(translator.explain_obstacle(obstacle))
        return Captured(function, recording, start, settings, routine.slots)
    finally:
        translator.close()
