"""Scripts for generators: what is done to one, step by step, and a transcript of all that shows."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from types import GeneratorType

import attrs

import symexec
from symexec.bytecode.decode import decode
from tests.support.describe import Describer
from tests.support.look import Scope

Function = Callable[..., object]

STRICT = symexec.Config(strict=True, install="always", anchors=10_000, traces=3, misses=8)


@attrs.frozen
class Step:
    """`send`, `throw` or `close`, with what is sent or thrown (`next` is to send `None`)."""

    verb: str
    value: object = None


NEXT = Step("send", None)


def throw(kind: type[BaseException]) -> Step:
    return Step("throw", kind)


ENDINGS = (
    NEXT,
    Step("send", 1),
    Step("send", 2),
    Step("send", 3),
    Step("send", 7),
    throw(ValueError),
    throw(TypeError),
    throw(LookupError),
    throw(StopIteration),
    throw(GeneratorExit),
    throw(KeyboardInterrupt),
    Step("close"),
    Step("drop"),
)


def scripts(steps: int) -> list[tuple[Step, ...]]:
    """At every point up to `steps`, everything that can be done there; after it the generator is gone through.

    A sample of these, all with SYMEXEC_FULL.
    """
    tail = (NEXT, Step("send", 2), *[NEXT] * 3, Step("close"))
    every = [(*[NEXT] * before, ending, *tail) for ending in ENDINGS for before in range(steps + 1)]
    return every if os.environ.get("SYMEXEC_FULL") else every[::6]


def perform(generator: GeneratorType[object, object, object], step: Step) -> object:
    if step.verb == "close":
        generator.close()
        return "closed"
    if step.verb == "throw":
        assert isinstance(step.value, type)
        return generator.throw(step.value("thrown"))
    return generator.send(step.value)


def portray(describer: Describer, number: int, generator: GeneratorType[object, object, object]) -> None:
    """What shows of a generator between two steps."""
    frame = generator.gi_frame
    describer.add(f"{number} running", (generator.gi_running, generator.gi_suspended, frame is None))
    describer.add(f"{number} yields from", type(generator.gi_yieldfrom).__name__)
    describer.add(f"{number} handled outside", sys.exc_info()[0])
    if frame is not None:
        describer.add(f"{number} line", frame.f_lineno)
        describer.add(f"{number} locals", dict(sorted(frame.f_locals.items())))


@contextlib.contextmanager
def unraisable_errors() -> Iterator[list[object]]:
    """The types and arguments of the errors that finalizers raise meanwhile."""
    errors: list[object] = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda found: errors.append((found.exc_type, getattr(found.exc_value, "args", None)))
    try:
        yield errors
    finally:
        sys.unraisablehook = before


def transcript(function: Function, script: Sequence[Step], make: Callable[[], tuple[object, ...]]) -> list[str]:
    """All that shows when the script is performed on what `function` makes."""
    describer = Describer(Scope(hidden_folders=()))
    args = make()
    generator = function(*args)
    assert isinstance(generator, GeneratorType)
    for number, step in enumerate(script):
        if step.verb == "drop":
            with unraisable_errors() as errors:
                del generator
                gc.collect()
            describer.add("dropped", errors)
            break
        try:
            describer.add(f"{number} {step.verb}", perform(generator, step))
        except BaseException as error:
            describer.add(f"{number} {step.verb} raised", error)
        portray(describer, number, generator)
    describer.add("arguments", args)
    return describer.lines


def compile_everywhere(function: Function, domains: Sequence[str]) -> Function:
    """Compiled, with an anchor at every place where one may stand, from the start."""
    compiled = symexec.compile(function, domains=domains, config=STRICT)
    record = symexec.api._STATE.compiled.find(compiled)
    for index in range(1, len(decode(record.code).instructions)):
        if record._survey.landings.may_land(index):
            record._add_anchor(index)
    record._install()
    return compiled


def compile_scalars(function: Function) -> Function:
    """Compiled with numbers as values of the graph."""
    return symexec.compile(function, domains=["scalars"], config=STRICT)


def compile_constants(function: Function) -> Function:
    """Compiled with numbers as constants under guards."""
    return symexec.compile(function, domains=[], config=STRICT)


def compile_scalars_everywhere(function: Function) -> Function:
    return compile_everywhere(function, ["scalars"])


def compile_constants_everywhere(function: Function) -> Function:
    return compile_everywhere(function, [])


COMPILERS = (compile_scalars, compile_constants, compile_scalars_everywhere, compile_constants_everywhere)
