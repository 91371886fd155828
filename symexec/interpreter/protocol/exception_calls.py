"""Calling builtin exception classes, and their `__new__` and `__init__` by name."""

from __future__ import annotations

from collections.abc import Sequence
from types import WrapperDescriptorType

from symexec.interpreter.builtins.arguments import copies
from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_name, class_record, identify_class
from symexec.interpreter.protocol.exceptions import (
    create_exception,
    initialise_exception,
    is_builtin_exception_method,
    is_exception_class,
    is_known_layout,
    layout_of,
    require_made,
)
from symexec.interpreter.protocol.groups import new_group
from symexec.interpreter.protocol.raising import fields_from
from symexec.interpreter.records import ClassRecord
from symexec.values.heap import ObjectContent
from symexec.values.model import NONE, Constant, Known, Made, Value
from symexec.values.outside import is_from_handler


def create_any(machine: Machine, record: ClassRecord, args: Sequence[Value]) -> Made | Break:
    """What the builtin `__new__` of an exception class that was identified makes."""
    if layout_of(record.type) is BaseExceptionGroup:
        return new_group(machine, record.type, args)
    return create_exception(machine, record, args)


def construct_builtin_exception(
    machine: Machine, type_: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """Call a builtin exception class, which was identified."""
    if not is_known_layout(layout_of(type_)):
        return _made_by_python(machine, type_, args, kwargs)
    made = create_any(machine, class_record(machine, type_), args)
    if isinstance(made, Break):
        return made
    return initialise_exception(machine, made, type_, args, kwargs) or made


def _made_by_python(
    machine: Machine, type_: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """An exception with a C structure of its own, made by its class from constants."""
    given, named = copies(machine, args), copies(machine, [value for _, value in kwargs])
    if given is None or named is None:
        return machine.stop("SX2022", f"a {class_name(type_)} is made by C code of arguments that are no constants")
    try:
        made: object = type_(*given, **dict(zip([name for name, _ in kwargs], named, strict=True)))
    except Exception as error:
        if is_from_handler(error):
            raise
        return Raise(error.with_traceback(None))
    if not isinstance(made, BaseException):
        return machine.stop("SX2022", f"calling {class_name(type_)} gave something else")
    fields = fields_from(machine, made)
    fields.obstacle = "an exception with a C structure of its own is made by Python"
    return machine.heap.make(ObjectContent(type(made), {}, fields))


def call_exception_method(
    machine: Machine, raw: object, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply | None:
    """`BaseException.__new__(class, ...)` and `BaseException.__init__(self, ...)` by name, of any builtin one."""
    if is_builtin_exception_method(raw, "__init__") and type(raw) is WrapperDescriptorType and args:
        made = require_made(machine, args[0])
        if isinstance(made, Break):
            return made
        return initialise_exception(machine, made, raw.__objclass__, args[1:], kwargs) or NONE
    if is_builtin_exception_method(raw, "__new__") and args and isinstance(args[0], (Known, Constant)):
        class_ = args[0].value
        if is_class(class_) and is_exception_class(class_):
            record = class_record(machine, class_)
            stop = None if isinstance(args[0], Constant) else identify_class(machine, record, args[0])
            return stop or create_any(machine, record, args[1:])
    return None
