"""Running Python functions, existing and made, as new frames inside the trace."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import CO_NEWLOCALS, CO_OPTIMIZED
from types import CellType, CodeType, FunctionType
from typing import Final

import attrs

from symexec.errors import InternalError
from symexec.interpreter.frame import Frame, FrameState
from symexec.interpreter.machine import Machine
from symexec.interpreter.marks import DISABLED
from symexec.interpreter.outcomes import Break, Raise, Reply, Return
from symexec.interpreter.protocol.binding import bind
from symexec.interpreter.protocol.contents import dict_entry, tuple_items
from symexec.interpreter.protocol.fixed import fixed_value, fixed_values
from symexec.interpreter.protocol.generators import make_generator
from symexec.interpreter.records import FunctionRecord
from symexec.values.guard import Equals, Is, Lacks, SameAs, TypeIs
from symexec.values.heap import Absent, FunctionContent
from symexec.values.model import Known, Value
from symexec.values.origin import Attribute, Contents, Fixed, Held, Item, Local, Origin, Stack

_code_of: Final = FunctionType.__dict__["__code__"].__get__
_closure_of: Final = FunctionType.__dict__["__closure__"].__get__
_globals_of: Final = FunctionType.__dict__["__globals__"].__get__
_defaults_of: Final = FunctionType.__dict__["__defaults__"].__get__
_keyword_defaults_of: Final = FunctionType.__dict__["__kwdefaults__"].__get__
_qualified_name_of: Final = FunctionType.__dict__["__qualname__"].__get__
_PLAIN: Final = CO_OPTIMIZED | CO_NEWLOCALS


@attrs.frozen(eq=False, repr=False)
class ExistingDefaults:
    """The defaults of a function that existed before the trace."""

    record: FunctionRecord

    def qualified_name(self, machine: Machine) -> str | Break:
        name: str = _qualified_name_of(self.record.function)
        if type(self.record.origin) is not Fixed:
            if type(name) is not str:
                return machine.stop("SX1003", "it raises, and the function's name is no exact string")
            machine.guards.add(Attribute(self.record.origin, "__qualname__"), Equals(name))
        return name

    def positional(self, machine: Machine) -> tuple[Value, ...] | Break:
        record = self.record
        if record.defaults is not None:
            return record.defaults
        if type(record.origin) is Fixed:
            return fixed_values(_defaults_of(record.function))
        origin = Attribute(record.origin, "__defaults__")
        found: object = _defaults_of(record.function)
        values: tuple[Value, ...] = ()
        if found is None:
            machine.guards.add(origin, Equals(None))
        else:
            items = tuple_items(machine, Known(found, origin))
            if isinstance(items, Break):
                return items
            values = items
        record.defaults = values
        machine.heap.record(lambda: setattr(record, "defaults", None))
        return values

    def keyword(self, machine: Machine, name: str) -> Value | Break | None:
        origin = Attribute(self.record.origin, "__kwdefaults__")
        found: dict[str, object] | None = _keyword_defaults_of(self.record.function)
        if type(self.record.origin) is Fixed:
            return fixed_value(found[name]) if found is not None and name in found else None
        if found is None:
            machine.guards.add(origin, Equals(None))
            return None
        value = dict_entry(machine, Known(found, origin), name)
        return None if isinstance(value, Absent) else value


@attrs.frozen(eq=False, repr=False)
class MadeDefaults:
    """The defaults of a function made by the trace."""

    content: FunctionContent

    def qualified_name(self, machine: Machine) -> str:
        return self.content.qualified_name

    def positional(self, machine: Machine) -> tuple[Value, ...] | Break:
        return self.content.defaults or ()

    def keyword(self, machine: Machine, name: str) -> Value | Break | None:
        return (self.content.keyword_defaults or {}).get(name)


def function_record(machine: Machine, known: Known, function: FunctionType) -> FunctionRecord | Break:
    """What the trace knows of an existing function: its code is guarded, and its identity where it is to last."""
    record = machine.functions.get(id(function))
    origin = known.origin
    if record is None:
        code: CodeType = _code_of(function)
        if code.co_flags & _PLAIN != _PLAIN:
            return machine.stop("SX2024", f"{code.co_qualname} is no ordinary function")
        is_anew = _is_made_anew(machine, origin, function)
        if is_anew:
            _recognise(machine, origin)
        else:
            _identify(machine, origin, function)
        record = _look_into(machine, origin, function)
        record.is_made_anew = is_anew
        machine.functions[id(function)] = record
        machine.heap.record(lambda: machine.functions.pop(id(function)))
    elif origin not in record.identified:
        if record.is_made_anew:
            machine.guards.add(origin, SameAs(record.origin, True))
        else:
            _identify(machine, origin, function)
        identified = record.identified
        identified.add(origin)
        machine.heap.record(lambda: identified.discard(origin))
    return record


def _identify(machine: Machine, origin: Origin, function: FunctionType) -> None:
    if type(origin) is not Held:
        machine.guards.add(origin, Is(function))


def _is_made_anew(machine: Machine, origin: Origin, function: FunctionType) -> bool:
    """Whether the program probably makes another such function each time: one of a `def` or `lambda` inside another
    function, met in a variable, with the globals of the traced frame.
    """
    code: CodeType = _code_of(function)
    outermost = machine.frames[0].globals
    return (
        isinstance(origin, (Local, Contents, Stack))
        and ("<locals>" in code.co_qualname or "<lambda>" in code.co_qualname)
        and machine.original_code(function) is None
        and isinstance(outermost, Known)
        and outermost.value is _globals_of(function)
    )


def _recognise(machine: Machine, origin: Origin) -> None:
    """Rely on all that its code (which is guarded as well) does not tell of a function that is made anew."""
    outermost = machine.frames[0].globals
    if not isinstance(outermost, Known):
        raise InternalError("the outermost frame's globals exist")
    machine.guards.add(origin, TypeIs(FunctionType))
    machine.guards.add(Attribute(origin, "__globals__"), SameAs(outermost.origin, True))
    machine.guards.add(origin, Lacks(DISABLED))


def _look_into(machine: Machine, origin: Origin, function: FunctionType) -> FunctionRecord:
    """A new record; what is on a long way is held instead of reached anew."""
    base = Held(function) if isinstance(origin, (Attribute, Item)) else origin
    original = machine.original_code(function)
    code: CodeType = _code_of(function) if original is None else original
    if original is None and type(base) is not Fixed:
        machine.guards.add(Attribute(base, "__code__"), Is(code))
    cells: tuple[CellType, ...] = _closure_of(function) or ()
    closure_origin = Attribute(base, "__closure__")
    closure = tuple([Known(cell, Item(closure_origin, index)) for index, cell in enumerate(cells)])
    globals_ = _globals(machine, base, function)
    return FunctionRecord(function, base, machine.routine(code), globals_, closure, {origin, base})


def _globals(machine: Machine, origin: Origin, function: FunctionType) -> Value:
    """The function's globals: the very value that another frame has, if it is the same dict."""
    namespace: object = _globals_of(function)
    if type(origin) is Fixed:
        return Known(namespace, Fixed(namespace))
    for frame in machine.frames:
        if isinstance(frame.globals, Known) and frame.globals.value is namespace:
            return frame.globals
    return Known(namespace, Attribute(origin, "__globals__"))


def inline_existing(
    machine: Machine,
    known: Known,
    function: FunctionType,
    args: Sequence[Value],
    kwargs: Sequence[tuple[str, Value]],
) -> Reply:
    """Call an existing Python function."""
    record = function_record(machine, known, function)
    if isinstance(record, Break):
        return record
    slots = bind(machine, record.routine, ExistingDefaults(record), args, kwargs)
    if not isinstance(slots, list):
        return slots
    state = FrameState(0, slots, [])
    frame = Frame(record.routine, state, record.globals, record.closure, known, len(machine.frames))
    return run_frame(machine, frame)


def inline_made(
    machine: Machine,
    function: Value,
    content: FunctionContent,
    args: Sequence[Value],
    kwargs: Sequence[tuple[str, Value]],
) -> Reply:
    """Call a Python function that the trace made."""
    routine = machine.routine(content.code)
    slots = bind(machine, routine, MadeDefaults(content), args, kwargs)
    if not isinstance(slots, list):
        return slots
    state = FrameState(0, slots, [])
    frame = Frame(routine, state, content.globals, content.closure, function, len(machine.frames))
    return run_frame(machine, frame)


def run_frame(machine: Machine, frame: Frame) -> Reply:
    """Run a new frame to its end; a generator's or coroutine's waits to be resumed."""
    name = frame.routine.qualified_name
    if frame.routine.is_generator_like:
        return make_generator(machine, frame)
    limit = machine.config.depth
    if frame.depth > limit:
        return machine.stop("SX9003", f"calls are nested {limit} deep, the limit of Config.depth")
    machine.frames.append(frame)
    outcome = machine.execute(frame)
    machine.frames.pop()
    if type(outcome) is Return:
        return outcome.value
    if isinstance(outcome, (Raise, Break)):
        return outcome
    raise InternalError(f"{name} ended with {outcome}")
