"""Generators and coroutines that the trace made: CPython's Objects/genobject.c on suspended frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import CO_COROUTINE, CO_GENERATOR, CO_ITERABLE_COROUTINE
from types import CoroutineType, GeneratorType
from typing import Final, TypeAlias

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.errors import InternalError
from symexec.interpreter.frame import Frame, SlotState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Finished, Outcome, Raise, Return, Yield
from symexec.interpreter.protocol.nothing import is_none, turns_out_none
from symexec.interpreter.protocol.raising import (
    as_exception,
    change,
    fields_of,
    is_raised,
    set_context,
    stop_value,
)
from symexec.interpreter.suspended import Status, Suspended
from symexec.interpreter.unwinding import unwind
from symexec.values.effect import effect_values
from symexec.values.heap import GeneratorContent
from symexec.values.model import NONE, Made, Value

Advance: TypeAlias = Value | Finished | Raise | Break
"""What advancing an iterator gives: an item, its end, or why there is neither."""

_Action: TypeAlias = Callable[[], Advance | None]
_FROM_ITERATOR: Final = 2  # locations of a RESUME: behind `yield from`, and behind `await`
_FROM_AWAIT: Final = 3


def make_generator(machine: Machine, frame: Frame) -> Made | Break:
    """What calling a generator or coroutine function gives: its frame waits at its start."""
    flags = frame.routine.flags
    if flags & CO_GENERATOR:
        kind: type = GeneratorType
    elif flags & CO_COROUTINE:
        kind = CoroutineType
    else:
        return machine.stop("SX1010", f"{frame.routine.qualified_name} makes an async generator, which Python runs")
    made = machine.heap.make(GeneratorContent(kind))
    machine.generators[made.object_id] = Suspended(frame)
    machine.heap.record(lambda: machine.generators.pop(made.object_id))
    return made


def generator_content(machine: Machine, value: Value) -> GeneratorContent | None:
    """The content of a generator or coroutine that the trace made."""
    content = machine.heap.content(value) if isinstance(value, Made) else None
    return content if isinstance(content, GeneratorContent) else None


def suspended_frame(machine: Machine, made: Made) -> Suspended:
    """The frame of a generator that the trace made."""
    return machine.generators[made.object_id]


def is_iterable_coroutine(machine: Machine, made: Made) -> bool:
    """Whether a generator may be awaited (`types.coroutine`)."""
    return bool(suspended_frame(machine, made).frame.routine.flags & CO_ITERABLE_COROUTINE)


def send(machine: Machine, made: Made, sent: Value) -> Advance:
    """`generator.send(sent)`, which for `None` is `next`."""
    suspended = suspended_frame(machine, made)
    name = _kind(suspended)
    if suspended.status is Status.CREATED and not turns_out_none(machine, sent):
        return Raise(TypeError(f"can't send non-None value to a just-started {name}"))
    stop = _not_resumable(machine, suspended)
    return stop if stop is not None else _resume(machine, suspended, sent, None)


def _kind(suspended: Suspended) -> str:
    return "coroutine" if suspended.frame.routine.flags & CO_COROUTINE else "generator"


def _not_resumable(machine: Machine, suspended: Suspended) -> Finished | Raise | Break | None:
    if suspended.status is Status.RUNNING:
        return Raise(ValueError(f"{_kind(suspended)} already executing"))
    if suspended.status is Status.FINISHED:
        if suspended.frame.routine.flags & CO_COROUTINE:
            return Raise(RuntimeError("cannot reuse already awaited coroutine"))
        return Finished(NONE)
    if len(machine.frames) > machine.config.depth:
        return machine.stop("SX9003", f"calls are nested {machine.config.depth} deep, the limit of Config.depth")
    return None


def _resume(machine: Machine, suspended: Suspended, sent: Value, thrown: Raise | None) -> Advance:
    """Let the frame go on: with what was sent, or with an exception raised where it stands."""
    frame, before = suspended.frame, suspended.snapshot()
    machine.heap.record(lambda: suspended.restore(before))
    started = suspended.status is Status.SUSPENDED
    suspended.status = Status.RUNNING
    machine.frames.append(frame)
    machine.handled.append(suspended.handled)
    outcome: Outcome | None = None
    if started:
        frame.state.stack.append(sent)
        if thrown is None:
            frame.state.position += 1
        else:
            outcome = _unwind_thrown(machine, frame, suspended.handled, thrown)
    elif thrown is not None:
        outcome = thrown
    if outcome is None:
        outcome = machine.execute(frame)
    machine.frames.pop()
    suspended.handled = machine.handled.pop()
    return _after(machine, suspended, outcome)


def _unwind_thrown(machine: Machine, frame: Frame, handled: Value, thrown: Raise) -> Raise | None:
    """Raise in the frame; what the generator itself is handling becomes the context (`_PyErr_ChainStackItem`)."""
    if not is_none(handled):
        set_context(machine, as_exception(machine, thrown))
    return unwind(machine, frame, thrown)


def _after(machine: Machine, suspended: Suspended, outcome: Outcome) -> Advance:
    suspended.status = Status.SUSPENDED if isinstance(outcome, Yield) else Status.FINISHED
    match outcome:
        case Yield(value=value):
            return value
        case Return(value=value):
            return Finished(value)
        case Raise() if is_raised(machine, outcome, StopIteration):
            return Raise(wrap_stop(machine, as_exception(machine, outcome), _kind(suspended)))
        case Raise() | Break():
            return outcome
        case _:
            raise InternalError(f"a generator ended with {outcome}")


def wrap_stop(machine: Machine, exception: Made, kind: str) -> Made:
    """The `RuntimeError` that a `StopIteration` becomes where it leaves a generator."""
    error = as_exception(machine, Raise(RuntimeError(f"{kind} raised StopIteration")))
    fields = fields_of(machine, error)
    change(machine, fields, "cause", exception)
    change(machine, fields, "context", exception)
    change(machine, fields, "suppress_context", True)
    return error


# -- throwing and closing --------------------------------------------------------------------------------------------


def delegate_of(machine: Machine, suspended: Suspended) -> Value | None:
    """What a suspended generator delegates to: `gi_yieldfrom`."""
    if suspended.status is not Status.SUSPENDED:
        return None
    state = suspended.frame.state
    following = suspended.frame.routine.instructions[state.position + 1]
    delegates = following.op is Op.RESUME and following.arg & 3 in (_FROM_ITERATOR, _FROM_AWAIT)
    return state.stack[-1] if delegates else None


def throw(machine: Machine, made: Made, thrown: Raise) -> Advance:
    """`generator.throw(exception)`, the exception being made already."""
    suspended = suspended_frame(machine, made)
    if suspended.status is Status.RUNNING:
        return Raise(ValueError(f"{_kind(suspended)} already executing"))
    delegate = delegate_of(machine, suspended)
    if delegate is None:
        return _throw_here(machine, suspended, thrown)
    if is_raised(machine, thrown, GeneratorExit):
        stop = _running(machine, suspended, lambda: close_delegate(machine, delegate))
        if isinstance(stop, Break):
            return stop
        return _throw_here(machine, suspended, stop if isinstance(stop, Raise) else thrown)
    inner = _running(machine, suspended, lambda: _throw_into(machine, delegate, thrown))
    if inner is None:
        return _throw_here(machine, suspended, thrown)
    if isinstance(inner, Finished):
        return _go_on_behind(machine, suspended, inner)
    return _throw_here(machine, suspended, inner) if isinstance(inner, Raise) else inner


def _running(machine: Machine, suspended: Suspended, action: _Action) -> Advance | None:
    """Do something during which the generator counts as running."""
    suspended.status = Status.RUNNING
    machine.heap.record(lambda: setattr(suspended, "status", Status.SUSPENDED))
    reply = action()
    suspended.status = Status.SUSPENDED
    return reply


def _throw_here(machine: Machine, suspended: Suspended, thrown: Raise) -> Advance:
    exception = as_exception(machine, thrown)
    if suspended.status is Status.FINISHED:
        if suspended.frame.routine.flags & CO_COROUTINE:
            return Raise(RuntimeError("cannot reuse already awaited coroutine"))
        return Raise(exception)
    return _resume(machine, suspended, NONE, Raise(exception))


def _throw_into(machine: Machine, delegate: Value, thrown: Raise) -> Advance | None:
    """Throw into what is delegated to; `None` if it cannot be thrown into."""
    if isinstance(delegate, Made) and generator_content(machine, delegate) is not None:
        return throw(machine, delegate, thrown)
    method = machine.get_attribute(machine, delegate, "throw")
    if is_raised(machine, method, AttributeError):
        return None
    if isinstance(method, STOPS):
        return method
    reply = machine.call(machine, method, [as_exception(machine, thrown)], ())
    return _finish_on_stop(machine, reply)


def _finish_on_stop(machine: Machine, reply: Value | Raise | Break) -> Advance:
    if isinstance(reply, Raise) and is_raised(machine, reply, StopIteration):
        return Finished(stop_value(machine, reply))
    return reply


def _go_on_behind(machine: Machine, suspended: Suspended, finished: Finished) -> Advance:
    """What is delegated to has ended: the generator goes on behind its `yield from`, with the result."""
    frame = suspended.frame
    before = suspended.snapshot()
    machine.heap.record(lambda: suspended.restore(before))
    index = machine.index(frame.routine)
    send_at = _send_before(frame.routine.instructions, frame.state.position)
    target = send_at.target.instruction if send_at.target is not None else None
    if target is None:
        raise InternalError("a SEND without a target")
    frame.state.position = index[target] - 1  # `_resume` goes one on
    return _resume(machine, suspended, finished.value, None)


def _send_before(instructions: Sequence[Instruction], position: int) -> Instruction:
    while instructions[position].op is not Op.SEND:
        position -= 1
    return instructions[position]


def close_delegate(machine: Machine, delegate: Value) -> Raise | Break | None:
    """`gen_close_iter`."""
    if isinstance(delegate, Made) and generator_content(machine, delegate) is not None:
        reply = close(machine, delegate)
        return reply if isinstance(reply, STOPS) else None
    method = machine.get_attribute(machine, delegate, "close")
    if is_raised(machine, method, AttributeError):
        return None
    reply = method if isinstance(method, STOPS) else machine.call(machine, method, (), ())
    return reply if isinstance(reply, STOPS) else None


def close(machine: Machine, made: Made) -> Value | Raise | Break:
    """`generator.close()`; gives what the generator returned, where it did."""
    suspended = suspended_frame(machine, made)
    if suspended.status is Status.RUNNING:
        return Raise(ValueError(f"{_kind(suspended)} already executing"))
    if suspended.status is Status.FINISHED:
        return NONE
    if suspended.status is Status.CREATED:
        before = suspended.snapshot()
        machine.heap.record(lambda: suspended.restore(before))
        suspended.status = Status.FINISHED
        return NONE
    delegate = delegate_of(machine, suspended)
    stop = None
    if delegate is not None:
        found = _running(machine, suspended, lambda: close_delegate(machine, delegate))
        if isinstance(found, Break):
            return found
        stop = found if isinstance(found, Raise) else None
    outcome = _throw_here(machine, suspended, stop or Raise(GeneratorExit()))
    if isinstance(outcome, Finished):
        return outcome.value
    if isinstance(outcome, Raise) and is_raised(machine, outcome, GeneratorExit):
        return NONE
    if isinstance(outcome, STOPS):
        return outcome
    return Raise(RuntimeError(f"{_kind(suspended)} ignored GeneratorExit"))


def let_go(machine: Machine, made: Made) -> Break | None:
    """A reference to a generator goes away: if it was the last, Python closes it at once."""
    suspended = suspended_frame(machine, made)
    if suspended.status is not Status.SUSPENDED or not _runs_when_closed(machine, suspended):
        return None
    if _is_referred_to(machine, made):
        return None
    reply = close(machine, made)
    if isinstance(reply, Raise):
        return machine.stop("SX1012", "closing a generator that nobody has any more raises, which Python reports")
    return reply if isinstance(reply, Break) else None


def _is_referred_to(machine: Machine, made: Made) -> bool:
    frames = [*machine.frames, *(suspended.frame for suspended in machine.generators.values())]
    states = [frame.state for frame in frames]
    roots: list[Value] = [value for state in states for value in state.stack]
    roots += [slot for state in states for slot in state.slots if not isinstance(slot, SlotState)]
    roots += [value for effect in machine.heap.effects for value in effect_values(effect)]
    return any(isinstance(value, Made) and value.object_id == made.object_id for value in machine.heap.reachable(roots))


# -- what the trace leaves behind ------------------------------------------------------------------------------------


def unfinished_business(machine: Machine) -> str | None:
    """Why the trace must not end as it is: a generator that it drops would run code when it is closed."""
    for suspended in machine.generators.values():
        if suspended.status is Status.FINISHED:
            continue
        name = suspended.frame.routine.qualified_name
        if suspended.frame.routine.flags & CO_COROUTINE:
            return f"the coroutine {name} has not ended"
        if suspended.status is Status.SUSPENDED and _runs_when_closed(machine, suspended):
            return f"the generator {name} has not ended, and closing it would run code"
    return None


def _runs_when_closed(machine: Machine, suspended: Suspended) -> bool:
    instructions = suspended.frame.routine.instructions
    handler = instructions[suspended.frame.state.position + 1].handler  # of the RESUME
    landed = None if handler is None else handler.label.instruction
    if landed is not None and not (landed.op is Op.CALL_INTRINSIC_1 and landed.name == "STOPITERATION_ERROR"):
        return True
    delegate = delegate_of(machine, suspended)
    return delegate is not None and generator_content(machine, delegate) is None
