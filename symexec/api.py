"""The public verbs: trace, compile, explain and their like; the one file that knows all layers."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Final, ParamSpec, Protocol, TypeAlias, TypeVar, cast, overload

import attrs

from symexec.backends import find_backend
from symexec.bytecode import features
from symexec.bytecode.model import GENERATOR_FLAGS
from symexec.config import Config
from symexec.domains.functions import AllowedFunctions, Typing
from symexec.domains.numpy import NumPyDomain
from symexec.domains.scalars import ScalarDomain
from symexec.errors import ArgumentError, BreakReason, SymexecWarning
from symexec.interpreter.marks import DISABLED, is_disabled
from symexec.report.explanation import Collector, Explanation, explain_record
from symexec.report.logs import VARIABLE, LogObserver, configure_logs
from symexec.runtime.captured import Captured, capture
from symexec.runtime.functions import copy_function
from symexec.runtime.record import Record, Settings
from symexec.runtime.registry import Registry
from symexec.runtime.targets import Target, find_target
from symexec.values.backend import Backend
from symexec.values.domain import Domain

P = ParamSpec("P")
R = TypeVar("R")

DomainChoice: TypeAlias = str | Domain
"""A domain by name ("numpy", "scalars") or one of your own."""


class CaptureCall(Protocol):
    """Captures one call with these arguments."""

    def __call__(self, *args: object, **kwargs: object) -> Captured:
        """Trace; see `trace`."""


class _State:
    """What the package remembers: compiled functions, allowed functions, the domains known by name."""

    def __init__(self) -> None:
        self.compiled = Registry()
        self.allowed = AllowedFunctions(self.present)
        self.explaining: list[tuple[Record, Collector]] | None = None  # what is looked at instead of compiled
        self._scalars = ScalarDomain()
        self._numpy: NumPyDomain | None = None

    def present(self) -> list[Domain]:
        """Every built-in domain that can have values in this process."""
        found: list[Domain] = [self.find("numpy")] if "numpy" in sys.modules else []
        return [*found, self._scalars]

    def find(self, choice: DomainChoice) -> Domain:
        """A domain by name, or as given; `ArgumentError` for an unknown name and for what is no domain."""
        if not isinstance(choice, str):
            return _checked_domain(choice)
        if choice == "numpy":
            self._numpy = self._numpy or NumPyDomain()
            return self._numpy
        if choice == "scalars":
            return self._scalars
        raise ArgumentError(f"there is no domain {choice!r}: use 'numpy', 'scalars', or a Domain of your own")

    def chosen(self, domains: Sequence[DomainChoice] | None, *, scalars: bool) -> Callable[[], tuple[Domain, ...]]:
        """What gives the domains in force: those chosen, or those present, with the allowed functions."""
        if isinstance(domains, str) or not isinstance(domains, Sequence | None):
            raise ArgumentError(f"domains={domains!r}: give a list of domains, as in domains=['numpy']")
        if domains is not None:
            fixed = (*(self.find(choice) for choice in domains), self.allowed)
            return lambda: fixed
        return lambda: (*(d for d in self.present() if scalars or d is not self._scalars), self.allowed)


def _checked_domain(choice: Domain) -> Domain:
    if isinstance(choice, type):
        name = choice.__qualname__
        raise ArgumentError(f"{name} is a class, not a domain: give an instance, {name}()")
    missing = [name for name in _DOMAIN_MEMBERS if not hasattr(choice, name)]
    if missing:
        raise ArgumentError(f"{choice!r} is no Domain: it has no {', '.join(missing)}")
    return choice


def _checked_config(config: Config | None) -> Config:
    if config is None:
        return Config()
    if type(config) is not Config:
        raise ArgumentError(f"config={config!r}: give a symexec.Config, as in config=Config(traces=4)")
    return config


_DOMAIN_MEMBERS: Final = ("name", "claims", "describe", "owns", "type_of", "guards", "handles", "apply")
_STATE: Final = _State()

configure_logs(os.environ.get(VARIABLE, ""))


@attrs.frozen
class Stats:
    """What a compiled function has come to.

    `traces`: traces it holds.  `operations` and `instructions`: graph operations in them, and interpreted instructions
    they stand for.  `breaks`: the distinct reasons for which tracing stopped, but for what is in the course of things:
    suspensions of generators and coroutines, loops and handlers that go on after another break.  `misses`: calls or
    passes for which no trace fitted and one was asked for.  `fallbacks`: times a trace gave way to the original: an
    operation raised, or others had changed meanwhile what it relied on.  `code_size`: bytes of bytecode.
    """

    traces: int
    operations: int
    instructions: int
    breaks: tuple[BreakReason, ...]
    misses: int
    fallbacks: int
    code_size: int


@overload
def compile(
    function: Callable[P, R],
    /,
    *,
    backend: str | Backend = "eager",
    fullgraph: bool = False,
    domains: Sequence[DomainChoice] | None = None,
    config: Config | None = None,
) -> Callable[P, R]: ...
@overload
def compile(
    function: None = None,
    /,
    *,
    backend: str | Backend = "eager",
    fullgraph: bool = False,
    domains: Sequence[DomainChoice] | None = None,
    config: Config | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def compile(
    function: Callable[P, R] | None = None,
    /,
    *,
    backend: str | Backend = "eager",
    fullgraph: bool = False,
    domains: Sequence[DomainChoice] | None = None,
    config: Config | None = None,
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """A new function that does what `function` does and runs captured graphs through `backend` where it can.

    `function` itself is left alone.  It may be a function (also used as a decorator, with or without arguments), a
    bound method or an object with a Python `__call__` (then a bound method is returned), a `staticmethod` or
    `classmethod` object.  `fullgraph` raises `GraphBreakError` where a call cannot be captured whole.  `domains` says
    which values are captured (default: NumPy's, once NumPy is imported).  Of generator and coroutine functions
    what they run between suspensions is captured.

    Raises `ArgumentError` for a class, a builtin or anything else without bytecode, and with `fullgraph` for a
    generator or coroutine function; `BackendError` for an unknown backend.
    """
    settings = Settings(
        _STATE.chosen(domains, scalars=False),
        _checked_config(config),
        _STATE.compiled.original_code,
        find_backend(backend),
        fullgraph=fullgraph,
        observer=LogObserver(),
    )
    if function is None:
        return lambda wrapped: _compile(wrapped, settings)
    return _compile(function, settings)


def _compile(function: Callable[P, R], settings: Settings) -> Callable[P, R]:
    wrapped: object = function
    if isinstance(wrapped, (staticmethod, classmethod)):
        inner = _compile_target(find_target(wrapped.__func__, "compile"), settings)
        return cast("Callable[P, R]", type(wrapped)(inner))
    return cast("Callable[P, R]", _compile_target(find_target(wrapped, "compile"), settings))


def _compile_target(target: Target, settings: Settings) -> FunctionType | MethodType:
    if settings.fullgraph and target.function.__code__.co_flags & GENERATOR_FLAGS:
        name = target.function.__qualname__
        raise ArgumentError(f"{name} is a generator or coroutine function: it has no full graph")
    if is_disabled(target.function):
        compiled = target.function
    elif _STATE.explaining is not None:
        collector = Collector(settings.config)
        compiled, record = _make(_original(target.function), _probing(settings.domains, collector))
        _STATE.explaining.append((record, collector))
    else:
        compiled, _ = _make(_original(target.function), settings)
    return MethodType(compiled, target.owner) if target.bound else compiled


def _make(function: FunctionType, settings: Settings) -> tuple[FunctionType, Record]:
    compiled = copy_function(function, function.__code__)
    record = Record(compiled, settings)
    if features.IS_FREE_THREADED:
        warnings.warn("symexec leaves functions as they are on a free-threaded Python", SymexecWarning, stacklevel=4)
    else:
        record.start()
    _STATE.compiled.add(compiled, record)
    return compiled, record


def trace(
    function: Callable[P, R],
    /,
    *,
    backend: str | Backend = "eager",
    domains: Sequence[DomainChoice] | None = None,
    config: Config | None = None,
) -> CaptureCall:
    """What captures one call: `trace(function)(*args, **kwargs)` gives a `Captured`, without running anything.

    An argument (not an item of one) may be `symbol(name, spec)`: any value that `spec` describes.  Python numbers
    become inputs of the graph.  The call raises `GraphBreakError`, with the user's own line, if one graph is not
    possible.
    """
    in_force = _STATE.chosen(domains, scalars=True)
    settings = Settings(in_force, _checked_config(config), _STATE.compiled.original_code, find_backend(backend))
    target = find_target(function, "trace")
    original_ = _original(target.function)

    def capture_call(*args: object, **kwargs: object) -> Captured:
        owner = (target.owner,) if target.bound else ()
        return capture(original_, (*owner, *args), kwargs, settings)

    return capture_call


def explain(
    function: Callable[P, R],
    /,
    *,
    domains: Sequence[DomainChoice] | None = None,
    config: Config | None = None,
) -> Callable[P, Explanation]:
    """What explains one call: `explain(function)(*args, **kwargs)` runs the function exactly once.

    The `Explanation` prints what was captured, what broke and why, and the guards.  What the function raises is raised.
    The code of a generator or coroutine function runs later: `now()` of its `Explanation` tells of it then.
    """
    in_force = _STATE.chosen(domains, scalars=False)
    target = find_target(function, "explain")
    limits = _checked_config(config)

    def explain_call(*args: P.args, **kwargs: P.kwargs) -> Explanation:
        collector = Collector(limits)
        compiled, record = _make(_original(target.function), _probing(in_force, collector))
        owner = (target.owner,) if target.bound else ()
        result: object = compiled(*owner, *args, **kwargs)

        def renew() -> Explanation:
            return explain_record(record, collector, result, renew)

        is_later = compiled.__code__.co_flags & GENERATOR_FLAGS
        return renew() if is_later else explain_record(record, collector, result)

    return explain_call


@contextmanager
def explaining() -> Iterator[Callable[[], list[Explanation]]]:
    """Until it is left, functions that are compiled are only looked at, as by `explain`, however often they are called.

    What it gives tells of each of them, in the order in which they were compiled, what was seen so far.
    """
    before, found = _STATE.explaining, list[tuple[Record, Collector]]()
    _STATE.explaining = found
    try:
        yield lambda: [explain_record(record, collector, None) for record, collector in found]
    finally:
        _STATE.explaining = before


def _probing(domains: Callable[[], tuple[Domain, ...]], collector: Collector) -> Settings:
    return Settings(domains, collector.limits, _STATE.compiled.original_code, observer=collector, probe=True)


def disable(function: Callable[P, R], /) -> Callable[P, R]:
    """A copy of the function that calls never trace: neither compiled nor inlined, always run as written.

    `trace` and `explain`, given the copy itself, look into it all the same.
    """
    target = find_target(function, "disable")
    copied = copy_function(target.function, target.function.__code__)
    copied.__dict__[DISABLED] = True
    return cast("Callable[P, R]", MethodType(copied, target.owner) if target.bound else copied)


def allow_in_graph(function: Callable[P, R], /, *, result: Typing | None = None) -> Callable[P, R]:
    """Make calls of `function` single graph operations; gives `function` back.

    It must be pure and repeatable: it may run twice for one call of the program, and its exceptions are raised by
    running it again.  `result` computes the spec of what it gives from the specs of traced arguments (constants as they
    are); without it nothing is known of the result, which can then only be passed on and returned.
    """
    if not isinstance(function, FunctionType):
        raise ArgumentError(f"cannot allow {function!r}: it is not a Python function; write one that calls it")
    _STATE.allowed.allow(function, result)
    return function


def original(function: Callable[P, R], /) -> Callable[P, R]:
    """The function as written, for a compiled one; any other function itself."""
    target = find_target(function, "look up")
    plain = _original(target.function)
    return cast("Callable[P, R]", MethodType(plain, target.owner) if target.bound else plain)


def _original(function: FunctionType) -> FunctionType:
    code = _STATE.compiled.original_code(function)
    return function if code is None else copy_function(function, code)


def reset(function: Callable[P, R], /) -> None:
    """Forget every trace of a compiled function.  `ArgumentError` if it is not compiled."""
    _record(function, "reset").reset()


def stats(function: Callable[P, R], /) -> Stats:
    """What a compiled function has come to.  `ArgumentError` if it is not compiled."""
    record = _record(function, "count traces of")
    return Stats(
        traces=len(record.traces),
        operations=sum(trace.operations for trace in record.traces),
        instructions=sum(trace.instructions for trace in record.traces),
        breaks=tuple(record.breaks),
        misses=record.misses,
        fallbacks=record.fallbacks,
        code_size=record.code_size(),
    )


def _record(function: object, verb: str) -> Record:
    target = find_target(function, verb)
    record = _STATE.compiled.find(target.function)
    if record is None:
        raise ArgumentError(f"{target.function.__qualname__} is not compiled: use symexec.compile first")
    return record
