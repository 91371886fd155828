"""Exceptions whose messages name a class, as CPython makes them.

Knows nothing of what is refused: callers have found out that CPython raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.classes import class_name, class_record, find_in_class, rely_on_metaclass, remember
from symexec.interpreter.protocol.special import message_name, names_of
from symexec.interpreter.records import ClassRecord
from symexec.values.guard import Equals
from symexec.values.origin import Attribute

_LONGEST: Final = 50
"""CPython cuts names in its messages: each message at another length, none before this one."""



def raise_naming(machine: Machine, type_: type, error: Callable[[str], Exception]) -> Raise | Break:
    """The exception that `error` makes of what messages call the class."""
    name = name_in_messages(machine, type_)
    return name if isinstance(name, Break) else Raise(error(name))


def name_in_messages(machine: Machine, type_: type) -> str | Break:
    """What messages call the class; that it keeps its name is guarded."""
    name = message_name(type_)
    if len(name.encode(errors="replace")) > _LONGEST:
        return machine.stop("SX1003", f"it raises, and cuts the name {name!r} in the message")
    return _rely_on_own(machine, class_record(machine, type_), "__name__") or name


def rely_on_own_names(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that the class keeps its name and its qualified name."""
    return _rely_on_own(machine, record, "__name__") or _rely_on_own(machine, record, "__qualname__")


def _rely_on_own(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    fact = f"(own {name})"
    if record.fixed or fact in record.facts:
        return None
    metaclass, computed = type(record.type), names_of(type)[name]
    if find_in_class(metaclass, name) is not computed:
        return machine.stop("SX1003", f"it raises, and {class_name(metaclass)} has a `{name}` of its own")
    stop = rely_on_metaclass(machine, record)
    if stop is None:
        value: object = type.__getattribute__(record.type, name)  # the metaclass has a data descriptor of C
        machine.guards.add(Attribute(record.origin, name), Equals(value))
        remember(machine, record, fact)
    return stop
