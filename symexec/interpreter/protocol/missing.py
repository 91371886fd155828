"""What Python says of an attribute that an instance has not got: to a load, to a deletion, of a slot or of any name."""

from __future__ import annotations

from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.classes import class_name, rely_on_metaclass
from symexec.interpreter.protocol.nothing import is_none
from symexec.interpreter.protocol.raising import as_exception, change, fields_of, is_raised
from symexec.interpreter.protocol.refusals import name_in_messages, raise_naming, rely_on_own_names
from symexec.interpreter.protocol.special import find_on_type
from symexec.interpreter.records import ClassRecord
from symexec.values.guard import Equals
from symexec.values.model import NONE
from symexec.values.origin import Attribute

_qualified_name_of: Final = type.__dict__["__qualname__"].__get__


def missing(machine: Machine, type_: type, name: str) -> Raise | Break:
    """What a load of an attribute that an instance of `type_` has not got raises."""
    text = f"' object has no attribute '{name}'"
    return raise_naming(machine, type_, lambda own: AttributeError(f"'{own}{text}", name=name))


def missing_slot(machine: Machine, record: ClassRecord, name: str) -> Raise | Break:
    """What a load of a slot in which there is nothing raises; from 3.14 on it tells the module of the class."""
    found = find_on_type(record.type, "__module__")
    module = None if found is None else found[1]
    if not record.fixed:
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        if type(module) is not str:
            return machine.stop("SX2014", f"the module of {class_name(record.type)} is not known")
        machine.guards.add(Attribute(record.origin, "__module__"), Equals(module))
    names = {"__slots__": (name,), "__module__": module, "__qualname__": _qualified_name_of(record.type)}
    stop = rely_on_own_names(machine, record)
    if stop is not None:
        return stop
    stand_in = type(class_name(record.type), (), names)
    try:
        getattr(stand_in(), name)
    except AttributeError as error:
        return Raise(AttributeError(*error.args, name=name))
    return machine.stop("SX2014", f"an empty slot {name!r} of an object of {class_name(record.type)} is not known")


def missing_to_delete(machine: Machine, type_: type, name: str) -> Raise | Break:
    """What a deletion of an attribute that an instance of `type_` has not got raises."""
    own = name_in_messages(machine, type_)
    return own if isinstance(own, Break) else _without_name(machine, f"'{own}' object has no attribute '{name}'")


def missing_slot_to_delete(machine: Machine, name: str) -> Raise:
    """What a deletion of what is in a slot raises where there is nothing."""
    return _without_name(machine, name)


def _without_name(machine: Machine, text: str) -> Raise:
    """Whether such an error has a `name` depends on the version and on how the instance is laid out."""
    made = as_exception(machine, Raise(AttributeError(text)))
    fields_of(machine, made).members.pop("name", None)
    return Raise(made)


def leave_load(machine: Machine, stop: Raise) -> Raise:
    """What leaves a load of an attribute: an `AttributeError` without a name may have got one on the way.

    `PyObject_GetAttr` gives name and object to one that has neither; a specialised load does not.
    """
    if not is_raised(machine, stop, AttributeError):
        return stop
    made = as_exception(machine, stop)
    fields = fields_of(machine, made)
    if all(is_none(fields.members.get(name, NONE)) for name in ("name", "obj")):
        rest = {name: value for name, value in fields.members.items() if name not in ("name", "obj")}
        change(machine, fields, "members", rest)
    return Raise(made, stop.again)
