"""`super()`: CPython's `super_init`, `supercheck` and `super_getattro` (`Objects/typeobject.c`).

What is found in the namespaces behind a class in a method resolution order is guarded place by place: the order, that
the classes in between lack the name, and what the one has that has it.
"""

from __future__ import annotations

from types import FunctionType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.frame import Frame, SlotState
from symexec.interpreter.machine import SCALARS, Machine, is_class, is_process_wide
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.cells import cell_content
from symexec.interpreter.protocol.classes import (
    ORDER,
    class_function,
    class_name,
    class_record,
    classify,
    find_in_class,
    identify_class,
    rely_on_gaps,
    rely_on_metaclass,
    rely_on_plain,
    static_function,
)
from symexec.interpreter.protocol.descriptors import Pair, object_attribute
from symexec.interpreter.protocol.special import inherits, mro_of, names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import Is, TypeIs
from symexec.values.heap import ABSENT, Absent, SuperContent
from symexec.values.model import NULL, Constant, Known, Null, Value
from symexec.values.origin import Attribute, Fixed, Held, Item

_getter: Final = property.__dict__["fget"].__get__


def make_super(machine: Machine, class_: Value, owner: Value) -> SuperContent | Raise | Break:
    """What `super(class_, owner)` makes, for an owner that is an instance or a subclass of the class."""
    if not isinstance(class_, Known) or not is_class(class_.value):
        return machine.stop("SX2120", "the first argument of super() is not a class that is known")
    type_ = class_.value
    stop = identify_class(machine, class_record(machine, type_), class_)
    if stop is not None:
        return stop
    if isinstance(owner, Null):
        raise InternalError("NULL is no owner")
    if isinstance(owner, Known) and is_class(owner.value) and inherits(owner.value, type_):
        stop = identify_class(machine, class_record(machine, owner.value), owner)
        return stop or SuperContent(class_, owner, type_, owner.value, is_class_mode=True)
    start = machine.type_of(owner)
    if not inherits(start, type_):
        return machine.stop("SX2120", f"a {class_name(start)} is given to super() of {class_name(type_)}")
    return SuperContent(class_, owner, type_, start, is_class_mode=False)


def super_of_frame(machine: Machine, frame: Frame) -> SuperContent | Raise | Break:
    """What `super()` makes: of the frame's `__class__` cell and its first argument."""
    routine, slots = frame.routine, frame.state.slots
    if routine.argument_count == 0:
        return Raise(RuntimeError("super(): no arguments"))
    first = slots[0]
    if first is SlotState.UNKNOWN:
        return machine.stop("SX1002", f"whether {routine.slots[0]!r} is bound is not known here")
    owner = first
    if not isinstance(first, SlotState) and 0 in routine.cell_slots:
        found = cell_content(machine, first).value
        owner = SlotState.UNBOUND if isinstance(found, Absent) else found
    if isinstance(owner, SlotState):
        return Raise(RuntimeError("super(): arg[0] deleted"))
    if "__class__" not in routine.freevars:
        return Raise(RuntimeError("super(): __class__ cell not found"))
    cell = slots[routine.first_free_slot + routine.freevars.index("__class__")]
    if isinstance(cell, SlotState):
        raise InternalError("a free variable's slot holds its cell")
    class_ = cell_content(machine, cell).value
    if isinstance(class_, Absent):
        return Raise(RuntimeError("super(): empty __class__ cell"))
    return make_super(machine, class_, owner)


def super_attribute(machine: Machine, content: SuperContent, name: str) -> Pair | Raise | Break:
    """An attribute of a `super` object."""
    if name == "__class__":
        return NULL, Known(super, Fixed(super))
    found = _find(machine, content, name)
    if isinstance(found, Break):
        return found
    if found is None:
        return _of_itself(machine, content, name)
    record, raw = found
    match classify(raw):
        case FoundKind.FUNCTION | FoundKind.C_METHOD:
            return _method(machine, content, record, name, raw)
        case FoundKind.STATIC:
            return _static(machine, record, name, raw)
        case FoundKind.CLASS:
            return _class_method(machine, content, record, name, raw)
        case FoundKind.PLAIN:
            return _plain(machine, record, name, raw)
        case FoundKind.PROPERTY if not content.is_class_mode and not record.fixed:
            return _property(machine, content, record, name, raw)
        case FoundKind.SLOT | FoundKind.GETSET if not content.is_class_mode:
            if find_in_class(content.start, name) is raw and isinstance(content.owner, Known):
                return object_attribute(machine, content.owner, content.start, name)
            return _left_to_python(machine, record, name)
        case _:
            return _left_to_python(machine, record, name)


def _left_to_python(machine: Machine, record: ClassRecord, name: str) -> Break:
    return machine.stop("SX2012", f"super().{name}, of {class_name(record.type)}, can only be read by Python")


def _find(machine: Machine, content: SuperContent, name: str) -> tuple[ClassRecord, object] | Break | None:
    """The first class behind the one of `super` that has the name, and what it has there, but for its own guard."""
    order = mro_of(content.start)
    first = next(index for index, each in enumerate(order) if each is content.class_)
    between: list[ClassRecord] = []
    found = None
    for last in range(first + 1, len(order)):
        record = class_record(machine, order[last])
        if name in record.written:
            return machine.stop("SX2106", f"{class_name(record.type)}.{name} may have been written in the trace")
        if name in names_of(record.type):
            found = record, names_of(record.type)[name]
            break
        between.append(record)
    stop = _rely_on_order(machine, content.start, first, len(order) if found is None else last + 1)
    if stop is None:
        stop = rely_on_gaps(machine, between, name)
    if stop is None and found is not None:
        stop = rely_on_metaclass(machine, found[0])
    return found if stop is None else stop


def _rely_on_order(machine: Machine, start: type, first: int, end: int) -> Break | None:
    """Guard a part of the method resolution order of `start`."""
    record = class_record(machine, start)
    if record.fixed:
        return None
    if find_in_class(type(start), "__mro__") is not ORDER:
        return machine.stop("SX2010", f"the metaclass of {class_name(start)} has an order of its own")
    stop = rely_on_metaclass(machine, record)
    if stop is not None:
        return stop
    order = mro_of(start)
    known_first = first == 0 and type(start) is type  # a class comes first in its own order
    for index in range(1 if known_first else first, end):
        machine.guards.add(Item(Attribute(record.origin, "__mro__"), index), Is(order[index]))
    return None


def _place(record: ClassRecord, name: str) -> Item:
    return Item(Attribute(record.origin, "__dict__"), name)


def _method(machine: Machine, content: SuperContent, record: ClassRecord, name: str, raw: object) -> Pair | Break:
    origin: Held | Fixed = Held(raw)
    if type(raw) is not FunctionType:
        layout: object = getattr(raw, "__objclass__", None)
        if not machine.is_fixed(raw) or not any(each is layout for each in mro_of(content.start)):
            return _left_to_python(machine, record, name)
        origin = Fixed(raw)
    if not record.fixed:
        machine.guards.add(_place(record, name), Is(raw))
    function = Known(raw, origin)
    return (NULL, function) if content.is_class_mode else (function, content.owner)


def _static(machine: Machine, record: ClassRecord, name: str, raw: object) -> Pair | Break:
    function = static_function(raw)
    if record.fixed:
        if is_process_wide(function):
            return NULL, Known(function, Fixed(function))
        return _left_to_python(machine, record, name)
    machine.guards.add(_place(record, name), TypeIs(staticmethod))
    return NULL, Known(function, Attribute(_place(record, name), "__func__"))


def _class_method(
    machine: Machine, content: SuperContent, record: ClassRecord, name: str, raw: object
) -> Pair | Break:
    function = class_function(raw)
    if record.fixed or type(function) is not FunctionType:
        return _left_to_python(machine, record, name)
    machine.guards.add(_place(record, name), TypeIs(classmethod))
    machine.guards.add(Attribute(_place(record, name), "__func__"), Is(function))
    return Known(function, Held(function)), Known(content.start, class_record(machine, content.start).origin)


def _plain(machine: Machine, record: ClassRecord, name: str, raw: object) -> Pair | Break:
    if record.fixed:
        if type(raw) in SCALARS:
            return NULL, Constant(raw)
        return (NULL, Known(raw, Fixed(raw))) if is_process_wide(raw) else _left_to_python(machine, record, name)
    stop = rely_on_plain(machine, _place(record, name), raw)
    return stop or (NULL, Known(raw, _place(record, name)))


def _property(
    machine: Machine, content: SuperContent, record: ClassRecord, name: str, raw: object
) -> Pair | Raise | Break:
    getter: object = _getter(raw)
    if getter is None:
        return _left_to_python(machine, record, name)
    machine.guards.add(_place(record, name), TypeIs(property))
    reply = machine.call(machine, Known(getter, Attribute(_place(record, name), "fget")), [content.owner], ())
    return reply if isinstance(reply, STOPS) else (NULL, reply)


def _of_itself(machine: Machine, content: SuperContent, name: str) -> Pair | Raise | Break:
    """What the `super` object has itself."""
    match name:
        case "__thisclass__":
            return NULL, content.class_value
        case "__self__":
            return NULL, content.owner
        case "__self_class__":
            return NULL, Known(content.start, class_record(machine, content.start).origin)
        case _ if find_in_class(super, name) is not ABSENT:
            return machine.stop("SX2014", f"{name!r} of a super object is not known")
        case _:
            return Raise(AttributeError(f"'super' object has no attribute '{name}'", name=name))
