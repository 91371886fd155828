"""Runs a function for a sequence of calls and writes down everything that shows from outside.

It does not know whether the function is as its author wrote it or transformed, nor what the records are compared with.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import io
import random
import sys
import types
import warnings
from collections.abc import Callable, Sequence

import attrs

from tests.support.arrays import digest
from tests.support.describe import Describer
from tests.support.look import Scope
from tests.support.reach import UNSTABLE_GLOBALS, Namespace, Reach

Arguments = tuple[tuple[object, ...], dict[str, object]]
Factory = Callable[[], Arguments]

STATES_PER_CALL = 50  # how many writes to the output are recorded with the state at their time


def leave_alone(result: object) -> object:
    return result


@attrs.frozen
class Conditions:
    """Under which conditions calls are made, and what is compared of them.

    `drive`: applied to the result inside the call, for example `list` where it is a generator.
    `handling`: makes an exception that is being handled while the call is made.
    `watch`: further objects whose state is compared and, between the two sides, restored.
    `every_identity`: compare the identity of numbers, strings and other wholly immutable values, too.
    `hidden_folders`: frames of code in these do not count in tracebacks.
    `packages`: further top-level modules whose classes and functions are looked into.
    """

    drive: Callable[[object], object] = leave_alone
    handling: Callable[[], BaseException] | None = None
    watch: Sequence[object] = ()
    every_identity: bool = False
    hidden_folders: tuple[str, ...] = ()
    packages: frozenset[str] = frozenset()


@attrs.frozen
class Program:
    """A function as written, and all that its runs can reach besides their arguments.

    `namespaces` are the entries of each module at the start.
    """

    roots: list[object]
    reach: Reach
    namespaces: dict[int, dict[str, object]]
    conditions: Conditions

    def describe_state(self, describer: Describer) -> None:
        for index, root in enumerate(self.roots):
            describer.add(f"root {index}", root)
        for key, namespace in self.reach.namespaces.items():
            for name in sorted(namespace.names & namespace.entries.keys()):
                describer.add(f"global {name}", namespace.entries[name])
            describer.add("unmentioned globals", changed_names(self.namespaces[key], namespace))
        describer.add("random state", random_digest())

    def describer(self) -> Describer:
        return Describer(self.reach.scope, every_identity=self.conditions.every_identity)


def changed_names(before: dict[str, object], namespace: Namespace) -> tuple[str, ...]:
    """The names of a module that no code mentions and that nevertheless came, went or stand for another object."""
    nothing = object()
    names = (before.keys() | namespace.entries.keys()) - namespace.names - UNSTABLE_GLOBALS
    changed = (name for name in names if before.get(name, nothing) is not namespace.entries.get(name, nothing))
    return tuple(sorted(changed))


def random_digest() -> str:
    numpy_random = sys.modules.get("numpy.random")
    states = [random.getstate(), None if numpy_random is None else numpy_random.get_state(legacy=False)]
    return digest(repr(states).encode())


def program_of(function: object, factories: Sequence[Factory], conditions: Conditions) -> Program:
    """Find what `function` can reach: by its code, cells, defaults and self, and by its arguments and their makers."""
    plain = underlying_function(function)
    home = str(plain.__module__ or "tests").partition(".")[0]
    reach = Reach(Scope(Scope().packages | conditions.packages | {home}, conditions.hidden_folders))
    roots = [plain, *conditions.watch] if plain is function else [plain, function, *conditions.watch]
    reach.extend([*roots, *factories])
    reach.extend([factory() for factory in factories])
    namespaces = {key: dict(namespace.entries) for key, namespace in reach.namespaces.items()}
    return Program(roots, reach, namespaces, conditions)


def underlying_function(function: object) -> types.FunctionType:
    if isinstance(function, types.FunctionType):
        return function
    if isinstance(function, types.MethodType | staticmethod | classmethod):
        return underlying_function(function.__func__)
    if isinstance(function, functools.partial):
        return underlying_function(function.func)
    call_method = type(function).__call__
    if not isinstance(call_method, types.FunctionType):
        raise TypeError(f"there is no Python function in {function!r}")
    return call_method


class Stream(io.TextIOBase):
    """Takes the place of standard output or error; each write is recorded with the state of the program then."""

    def __init__(self, name: str, record: Callable[[str, str], None]) -> None:
        super().__init__()
        self.name = name
        self.record = record

    def write(self, text: str) -> int:
        self.record(self.name, text)
        return len(text)


@attrs.define
class Recorder:
    """Records the writes of one call."""

    program: Program
    arguments: Arguments
    lines: list[str] = attrs.field(factory=list)
    writes: int = 0
    last_state: frozenset[str] = frozenset()

    def record(self, stream: str, text: str) -> None:
        self.lines.append(f"{stream} write {self.writes}: {text!r}")
        self.writes += 1
        if self.writes <= STATES_PER_CALL:
            describer = self.program.describer()
            describe_arguments(describer, self.arguments)
            self.program.describe_state(describer)
            self.lines.append(f"  state then: {digest(repr(describer.lines).encode())}, of which is new:")
            self.lines.extend(f"    {line}" for line in describer.lines if line not in self.last_state)
            self.last_state = frozenset(describer.lines)


def describe_arguments(describer: Describer, arguments: Arguments) -> None:
    positional, keywords = arguments
    for index, argument in enumerate(positional):
        describer.add(f"args[{index}]", argument)
    for name, argument in keywords.items():
        describer.add(f"kwargs[{name!r}]", argument)


@attrs.define
class Outcome:
    """What came of one call: a result or an exception."""

    result: object = None
    error: BaseException | None = None

    def describe(self, describer: Describer, place: str) -> None:
        if self.error is not None:
            describer.add(f"{place} raised", self.error)
        else:
            describer.add(f"{place} returned", self.result)


@attrs.frozen
class Record:
    """Everything observed in a sequence of calls: the lines of each call, and of all calls together at the end."""

    calls: list[list[str]]
    end: list[str]


def run_calls(program: Program, function: Callable[..., object], factories: Sequence[Factory]) -> Record:
    """Call `function` once for each factory, in one fresh copy of the current context."""
    return contextvars.copy_context().run(run_calls_here, program, function, factories)


def run_calls_here(program: Program, function: Callable[..., object], factories: Sequence[Factory]) -> Record:
    calls: list[list[str]] = []
    kept: list[tuple[Arguments, Outcome]] = []
    for factory in factories:
        before = program.describer()
        describe_arguments(before, factory())  # not those of the call, which nobody has looked at before it
        arguments = factory()
        recorder = Recorder(program, arguments)
        outcome, warned = run_call(program, function, recorder)
        after = program.describer()
        describe_arguments(after, arguments)
        program.describe_state(after)
        outcome.describe(after, "call")
        calls.append([*(f"before, {line}" for line in before.lines), *recorder.lines, *warned, *after.lines])
        kept.append((arguments, outcome))
    return Record(calls, describe_end(program, kept))


def describe_end(program: Program, kept: list[tuple[Arguments, Outcome]]) -> list[str]:
    """All arguments and results in one description: what one call shares with another shows here."""
    describer = program.describer()
    for index, (arguments, outcome) in enumerate(kept):
        describer.add(f"arguments of call {index}", list(arguments))
        outcome.describe(describer, f"call {index}")
    program.describe_state(describer)
    return describer.lines


def run_call(program: Program, function: Callable[..., object], recorder: Recorder) -> tuple[Outcome, list[str]]:
    """Make one call with output, warnings and exceptions caught."""
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(Stream("stdout", recorder.record)),
        contextlib.redirect_stderr(Stream("stderr", recorder.record)),
    ):
        warnings.simplefilter("always")
        outcome = call_while_handling(program.conditions, function, recorder.arguments)
    return outcome, [
        f"warning: {entry.category.__name__} {entry.message} at {entry.filename}:{entry.lineno}" for entry in caught
    ]


def call_while_handling(conditions: Conditions, function: Callable[..., object], arguments: Arguments) -> Outcome:
    if conditions.handling is None:
        return call(conditions, function, arguments)
    try:
        raise conditions.handling()
    except BaseException:
        return call(conditions, function, arguments)


def call(conditions: Conditions, function: Callable[..., object], arguments: Arguments) -> Outcome:
    positional, keywords = arguments
    try:
        return Outcome(result=conditions.drive(function(*positional, **keywords)))
    except BaseException as error:
        return Outcome(error=error)
