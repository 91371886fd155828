"""Special methods: looked up on the type, as CPython's slots do, with what the lookup relies on guarded."""

from __future__ import annotations

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_name, class_record, look_up, rely_on_name
from symexec.interpreter.records import FoundKind
from symexec.values.model import Known, Value
from symexec.values.origin import Fixed, Held


def type_value(machine: Machine, value: Value) -> Known:
    """`type(it)`, as a value."""
    type_ = machine.type_of(value)
    return Known(type_, class_record(machine, type_).origin)


def special_method(machine: Machine, value: Value, name: str) -> Value | Raise | Break | None:
    """The function that `type(value)` has under `name`, to be called with the value first; `None` if it has none.

    A C function comes back as `Known(function, Fixed(function))`.
    """
    record = class_record(machine, machine.type_of(value))
    found = look_up(record, name)
    stop = rely_on_name(machine, record, name)
    if stop is not None:
        return stop
    if name in record.written:
        return machine.stop("SX2106", f"{class_name(record.type)}.{name} may have been written in the trace")
    match found.kind:
        case FoundKind.ABSENT:
            return None
        case FoundKind.FUNCTION:
            return Known(found.raw, Held(found.raw))
        case FoundKind.C_METHOD:
            return Known(found.raw, Fixed(found.raw))
        case _:
            kind = found.kind.value
            return machine.stop("SX2106", f"{class_name(record.type)}.{name} is a {kind}, not a plain function")


def call_special(machine: Machine, method: Value, value: Value, *args: Value) -> Reply:
    """Call what `special_method` found."""
    return machine.call(machine, method, [value, *args], ())


def is_function(method: Value, function: object) -> bool:
    """Whether `special_method` found this very C function."""
    return isinstance(method, Known) and method.value is function


def is_builtin(method: Value) -> bool:
    """Whether `special_method` found a C function."""
    return isinstance(method, Known) and isinstance(method.origin, Fixed)
