"""Calling builtin exception classes, and their `__new__` and `__init__` by name."""

from __future__ import annotations

from collections.abc import Sequence
from types import WrapperDescriptorType

from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.classes import class_record, identify_class
from symexec.interpreter.protocol.exceptions import (
    create_exception,
    initialise_exception,
    is_builtin_exception_method,
    is_exception_class,
    layout_of,
    require_made,
)
from symexec.interpreter.protocol.groups import new_group
from symexec.interpreter.records import ClassRecord
from symexec.values.model import NONE, Constant, Known, Made, Value


def create_any(machine: Machine, record: ClassRecord, args: Sequence[Value]) -> Made | Break:
    """What the builtin `__new__` of an exception class that was identified makes."""
    if layout_of(record.type) is BaseExceptionGroup:
        return new_group(machine, record.type, args)
    return create_exception(machine, record, args)


def construct_builtin_exception(
    machine: Machine, type_: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """Call a builtin exception class, which was identified."""
    made = create_any(machine, class_record(machine, type_), args)
    if isinstance(made, Break):
        return made
    return initialise_exception(machine, made, type_, args, kwargs) or made


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
