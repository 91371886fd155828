"""Binding a call's arguments to parameters: CPython's `initialize_locals`, on values.

Knows nothing of how a function was reached: its defaults are asked for only when they are needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Final, Protocol

from symexec.bytecode.model import Routine
from symexec.errors import InternalError
from symexec.interpreter.frame import Slot, SlotState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.values.heap import Absent, DictContent, TupleContent
from symexec.values.model import Constant, Value

_EMPTY: Final = (lambda: None).__code__
_NO_ARGUMENTS: Final = Constant(())
_UNBOUND: Final = SlotState.UNBOUND


class Defaults(Protocol):
    """The defaults of a function; what is consulted is guarded."""

    def qualified_name(self, machine: Machine) -> str | Break:
        """The function's `__qualname__`, for messages."""

    def positional(self, machine: Machine) -> tuple[Value, ...] | Break:
        """The defaults of the last positional parameters."""

    def keyword(self, machine: Machine, name: str) -> Value | Break | None:
        """The default of a keyword-only parameter, if it has one."""


def bind(
    machine: Machine, routine: Routine, defaults: Defaults, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> list[Slot] | Raise | Break:
    """The slots of a new frame: parameters bound, the rest unbound.  Arguments that do not fit raise as in CPython."""
    count, total = routine.argument_count, routine.argument_count + routine.keyword_only_count
    given = len(args)
    slots: list[Slot] = [_UNBOUND] * len(routine.slots)
    slots[: min(given, count)] = args[:count]
    rest = total
    if routine.flags & CO_VARARGS:
        slots[rest] = machine.heap.make(TupleContent(tuple(args[count:]))) if given > count else _NO_ARGUMENTS
        rest += 1
        given = min(given, count)
    entries: dict[Hashable, Value | Absent] | None = None
    if routine.flags & CO_VARKEYWORDS:
        entries = {}
        slots[rest] = machine.heap.make(DictContent(entries, complete=True))
    fits = given <= count and (not kwargs or _bind_keywords(routine, slots, kwargs, entries))
    if fits and (given < count or total > count):
        filled = _fill_in_defaults(machine, routine, defaults, given, slots)
        if isinstance(filled, Break):
            return filled
        fits = filled
    return slots if fits else _misfit(machine, routine, defaults, len(args), kwargs)


def _bind_keywords(
    routine: Routine,
    slots: list[Slot],
    kwargs: Sequence[tuple[str, Value]],
    entries: dict[Hashable, Value | Absent] | None,
) -> bool:
    """Bind keyword arguments; `entries` takes those that name no parameter.  False if one does not fit."""
    names = routine.variables
    first, last = routine.positional_only_count, routine.argument_count + routine.keyword_only_count
    for name, value in kwargs:
        try:
            slot = names.index(name, first, last)
        except ValueError:
            if entries is None:
                return False
            entries[name] = value
        else:
            if slots[slot] is not _UNBOUND:
                return False
            slots[slot] = value
    return True


def _fill_in_defaults(
    machine: Machine, routine: Routine, defaults: Defaults, given: int, slots: list[Slot]
) -> bool | Break:
    """Bind parameters that got no argument to their defaults.  False if one has none."""
    count = routine.argument_count
    if any(slots[slot] is _UNBOUND for slot in range(given, count)):
        values = defaults.positional(machine)
        if isinstance(values, Break):
            return values
        start = count - len(values)
        for slot in range(given, count):
            if slots[slot] is _UNBOUND:
                if slot < start:
                    return False
                slots[slot] = values[slot - start]
    for slot in range(count, count + routine.keyword_only_count):
        if slots[slot] is _UNBOUND:
            value = defaults.keyword(machine, routine.variables[slot])
            if isinstance(value, Break):
                return value
            if value is None:
                return False
            slots[slot] = value
    return True


def _misfit(
    machine: Machine, routine: Routine, defaults: Defaults, given: int, kwargs: Sequence[tuple[str, Value]]
) -> Raise | Break:
    """What Python raises for arguments that do not fit, from a stand-in with the same signature and no body."""
    count, last = routine.argument_count, routine.argument_count + routine.keyword_only_count
    values = defaults.positional(machine)
    if isinstance(values, Break):
        return values
    own_name = defaults.qualified_name(machine)
    if isinstance(own_name, Break):
        return own_name
    keyword_defaults: dict[str, object] = {}
    for name in routine.variables[count:last]:
        value = defaults.keyword(machine, name)
        if isinstance(value, Break):
            return value
        if value is not None:
            keyword_defaults[name] = None
    names = routine.variables[: routine.parameter_count]
    code = _EMPTY.replace(
        co_argcount=count,
        co_posonlyargcount=routine.positional_only_count,
        co_kwonlyargcount=routine.keyword_only_count,
        co_nlocals=len(names),
        co_varnames=names,
        co_flags=_EMPTY.co_flags | (routine.flags & (CO_VARARGS | CO_VARKEYWORDS)),
    )
    stand_in = FunctionType(code, {}, routine.name, (None,) * len(values))
    stand_in.__qualname__ = own_name
    stand_in.__kwdefaults__ = keyword_defaults
    try:
        stand_in(*(None,) * given, **dict.fromkeys(name for name, _ in kwargs))
    except TypeError as error:
        return Raise(error.with_traceback(None))
    raise InternalError(f"arguments that do not fit {routine.qualified_name} do")
