"""Exception objects that the trace makes: CPython's Objects/exceptions.c on values.

Only exceptions whose C structure is that of `BaseException`, or is known here; all others are made by Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import BuiltinFunctionType, GetSetDescriptorType, MemberDescriptorType, WrapperDescriptorType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_static_type
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    look_up,
    rely_on_loads,
    rely_on_name,
)
from symexec.interpreter.protocol.contents import constant_of, tuple_items
from symexec.interpreter.protocol.folding import copied, fold
from symexec.interpreter.protocol.nothing import is_none, turns_out_none
from symexec.interpreter.protocol.raising import change, exception_content, fields_of, is_traceback
from symexec.interpreter.protocol.special import is_among, mro_of, names_of
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.heap import Absent, ExceptionContent, ObjectContent, TupleContent
from symexec.values.model import NONE, Constant, Known, Made, Value, boolean

_size_of: Final = type.__dict__["__basicsize__"].__get__
_owner_of: Final = {
    GetSetDescriptorType: GetSetDescriptorType.__dict__["__objclass__"].__get__,
    MemberDescriptorType: MemberDescriptorType.__dict__["__objclass__"].__get__,
}
_NAMED: Final[dict[int, tuple[str, ...]]] = {
    id(AttributeError): ("name", "obj"),
    id(NameError): ("name",),
    id(UnboundLocalError): ("name",),
}
"""By identity: what the constructor takes by keyword beside the arguments, and keeps."""

_LINKS: Final = {"__context__": "context", "__cause__": "cause"}


def is_exception_class(type_: type) -> bool:
    """Whether the class inherits from `BaseException`, by its method resolution order alone."""
    return any(base is BaseException for base in mro_of(type_))


def layout_of(type_: type) -> type:
    """The builtin exception whose C structure the class's instances have."""
    return next(base for base in mro_of(type_) if is_static_type(base))


def is_known_layout(layout: type) -> bool:
    """Whether what a builtin exception's constructor does is known here."""
    plain = _size_of(layout) == _size_of(BaseException)
    return plain or id(layout) in _NAMED or is_among(layout, (StopIteration, SystemExit, BaseExceptionGroup))


def create_exception(machine: Machine, record: ClassRecord, args: Sequence[Value]) -> Made | Break:
    """What `BaseException.__new__` makes of a class that was identified: its arguments are kept as they are."""
    layout = layout_of(record.type)
    if not is_known_layout(layout) or layout is BaseExceptionGroup:
        return machine.stop("SX2022", f"a {class_name(record.type)} is made by C code that is not known")
    if look_up(record, "__del__").kind is not FoundKind.ABSENT:
        return machine.stop("SX5002", f"objects of {class_name(record.type)} have a finalizer")
    stop = rely_on_name(machine, record, "__del__") or rely_on_loads(machine, record)
    if stop is not None:
        return stop
    fields = ExceptionContent(_tuple(machine, args))
    for name in (*_NAMED.get(id(layout), ()), *_members_of(layout)):
        fields.members[name] = NONE
    return machine.heap.make(ObjectContent(record.type, {}, fields))


def _tuple(machine: Machine, items: Sequence[Value]) -> Value:
    return machine.heap.make(TupleContent(tuple(items))) if items else Constant(())


def _members_of(layout: type) -> tuple[str, ...]:
    if layout is StopIteration:
        return ("value",)
    return ("code",) if layout is SystemExit else ()


def initialise_exception(
    machine: Machine, exception: Made, owner: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Raise | Break | None:
    """What `owner.__init__(exception, ...)` does, for a builtin exception class `owner`."""
    layout = layout_of(owner)
    fields = fields_of(machine, exception)
    if not is_known_layout(layout):
        return machine.stop("SX2022", f"{class_name(owner)}.__init__ is C code that is not known")
    wanted = _NAMED.get(id(layout), ())
    if kwargs and not wanted:
        name = class_name(machine.made_type(exception))
        return Raise(TypeError(f"{name}() takes no keyword arguments"))
    if any(name not in wanted for name, _ in kwargs):
        return machine.stop("SX2022", f"{class_name(owner)} is called with keywords that it may refuse")
    change(machine, fields, "args", _tuple(machine, args))
    members = {**fields.members, **dict.fromkeys(wanted, NONE), **dict(kwargs)}
    for name in _members_of(layout):
        several = name == "code" and len(args) > 1
        members[name] = _tuple(machine, args) if several else args[0] if args else NONE
    change(machine, fields, "members", members)
    return None


def is_builtin_exception_method(raw: object, name: str) -> bool:
    """Whether what stands in a class, or is called, is `__new__` or `__init__` of a builtin exception."""
    if type(raw) is WrapperDescriptorType:
        owner: object = raw.__objclass__
    else:
        owner = raw.__self__ if type(raw) is BuiltinFunctionType else None
    if not is_static_type(owner) or not isinstance(owner, type) or not is_exception_class(owner):
        return False
    return names_of(owner).get(name) is raw


# -- fields ----------------------------------------------------------------------------------------------------------


def is_field(raw: object) -> bool:
    """Whether what stands in a class is a field of the C structure of a builtin exception."""
    owner = _owner_of.get(type(raw))
    return owner is not None and is_exception_class(owner(raw)) and is_static_type(owner(raw))


def exception_of(machine: Machine, owner: Value) -> ExceptionContent | None:
    """The fields of an exception that the trace made, `None` for anything else."""
    return exception_content(machine.heap.content(owner)) if isinstance(owner, Made) else None


def get_field(machine: Machine, fields: ExceptionContent, name: str) -> Value | Break:
    """`exception.name`."""
    match name:
        case "args" if fields.args is not None:
            return fields.args
        case "__traceback__":
            return fields.traceback
        case "__context__":
            return fields.context
        case "__cause__":
            return fields.cause
        case "__suppress_context__":
            return boolean(fields.suppress_context)
        case _ if name in fields.members:
            return fields.members[name]
        case _:
            return machine.stop("SX2014", f"{name!r} of an exception is not known")


def set_field(machine: Machine, fields: ExceptionContent, name: str, value: Value) -> Break | None:
    """`exception.name = value`."""
    empties = turns_out_none(machine, value)
    value = NONE if empties else value
    if name == "__traceback__" and (empties or is_traceback(machine, value)):
        change(machine, fields, "traceback", value)
        return None
    if name in _LINKS and (empties or is_exception_class(machine.type_of(value))):
        change(machine, fields, _LINKS[name], value)
        if name == "__cause__":
            change(machine, fields, "suppress_context", True)
        return None
    if name == "__suppress_context__" and isinstance(value, Constant) and type(value.value) is bool:
        change(machine, fields, "suppress_context", value.value)
        return None
    if name == "args" and machine.type_of(value) is tuple:
        change(machine, fields, "args", value)
        return None
    if name in fields.members:
        change(machine, fields, "members", {**fields.members, name: value})
        return None
    return machine.stop("SX2015", f"{name!r} of an exception is set by Python")


def exception_fields(fields: ExceptionContent) -> dict[str, Value | Absent]:
    """What must be set of a new exception to make it this one, by name, in an order in which nothing is undone."""
    found: dict[str, Value | Absent] = dict(fields.members)
    if fields.args is not None:
        found["args"] = fields.args
    found["__cause__"] = fields.cause
    found["__context__"] = fields.context
    found = {name: value for name, value in found.items() if not is_none(value)}
    if fields.suppress_context or "__cause__" in found:
        found["__suppress_context__"] = boolean(fields.suppress_context)
    return found


# -- texts -----------------------------------------------------------------------------------------------------------


def exception_text(machine: Machine, exception: Made, function: object) -> Reply:
    """`str`, `repr` or `ascii` of an exception that the trace made, where its class leaves that to a builtin one."""
    type_ = machine.made_type(exception)
    record = class_record(machine, type_)
    for name in ("__str__", "__repr__"):
        raw = look_up(record, name).raw
        if type(raw) is not WrapperDescriptorType or not is_static_type(raw.__objclass__):
            return machine.stop("SX2110", f"the text of an object of type {class_name(type_)} is left to Python")
        stop = rely_on_name(machine, record, name)
        if stop is not None:
            return stop
    layout = layout_of(type_)
    fields = fields_of(machine, exception)
    args = NOT_CONCRETE if fields.args is None else copied(machine, fields.args)
    named = function is str or type_ is layout  # repr tells the name of the class, which may change
    if not isinstance(args, tuple) or not named or not (is_known_layout(layout) or layout is KeyError):
        return machine.stop("SX2110", f"the text of an object of type {class_name(type_)} is left to Python")
    stand_in: object = layout(*args)
    return fold(machine, function, (stand_in,))


def args_of(machine: Machine, exception: Made) -> Sequence[Value] | Break:
    """The items of `exception.args`."""
    fields = fields_of(machine, exception)
    if fields.args is None:
        return machine.stop("SX2014", "the arguments of an exception are not known")
    return tuple_items(machine, fields.args)


def note_of(machine: Machine, value: Value) -> str | None:
    """A note that is a constant string."""
    found = constant_of(machine, value)
    return found if isinstance(found, str) else None


def require_made(machine: Machine, value: Value) -> Made | Break:
    """An exception that the trace made; a break for one that existed before."""
    if isinstance(value, Made) and exception_of(machine, value) is not None:
        return value
    if isinstance(value, Known):
        return machine.stop("SX1008", "an exception that existed before the trace is raised by Python")
    if isinstance(value, Made):
        raise InternalError("a made exception without fields")
    return machine.stop("SX1008", "what is raised is no exception of the trace")
