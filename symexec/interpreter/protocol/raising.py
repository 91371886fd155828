"""What is raised, as a value: exceptions of the trace, their context, and what is being handled.

Follows CPython's `_PyErr_SetObject` and `_PyErr_GetTopmostException` (Python/errors.c).
"""

from __future__ import annotations

from types import GetSetDescriptorType, MemberDescriptorType, TracebackType
from typing import Final

from symexec.bytecode.features import HANDLERS_WRITE_TRACEBACKS
from symexec.errors import InternalError
from symexec.interpreter.machine import NOT_CONCRETE, Machine
from symexec.interpreter.outcomes import STOPS, Raise
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.folding import copied, is_plain, wrap
from symexec.interpreter.protocol.nothing import is_none, turns_out_none
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.values.heap import Absent, Content, ExceptionContent, ObjectContent, TupleContent
from symexec.values.model import NONE, TRUE, Known, Made, Value

_FIELDS: Final = (GetSetDescriptorType, MemberDescriptorType)
_LONGEST: Final = 80  # characters of arguments that messages show
_UNTOLD: Final = frozenset({"obj"})  # of an `AttributeError`: whoever raises a new one here does not say
_RAISED: Final = "an exception that was raised keeps its traceback, which is Python's to write"
_TRACEBACK: Final = TracebackType
_MAY_GO_ON: Final = "frames that may go on"  # noted of a traceback that has frames of generators


def raised_type(machine: Machine, stop: Raise) -> type:
    """The class of what is raised."""
    raised = stop.exception
    return machine.made_type(raised) if isinstance(raised, Made) else type(raised)


def is_raised(machine: Machine, reply: object, class_: type[BaseException]) -> bool:
    """Whether the reply is an exception of the builtin class, or of one that inherits from it."""
    return isinstance(reply, Raise) and any(base is class_ for base in mro_of(raised_type(machine, reply)))


def exception_content(content: Content | None) -> ExceptionContent | None:
    """What an exception holds as such, `None` for a content of another kind."""
    base = content.base if isinstance(content, ObjectContent) else None
    return base if isinstance(base, ExceptionContent) else None


def fields_of(machine: Machine, exception: Made) -> ExceptionContent:
    """What an exception of the trace holds as such."""
    found = exception_content(machine.heap.content(exception))
    if found is None:
        raise InternalError("an exception without an exception's fields")
    return found


def as_exception(machine: Machine, stop: Raise) -> Made:
    """What is raised as an object of the trace; a new one gets what is being handled as its context."""
    raised = stop.exception
    if isinstance(raised, Made):
        return raised
    made = machine.heap.make(ObjectContent(type(raised), {}, fields_from(machine, raised)))
    set_context(machine, made)
    return made


def fields_from(machine: Machine, exception: BaseException) -> ExceptionContent:
    """What a new exception of a builtin class holds, as far as it can be followed."""
    args = wrap(machine, exception.args)
    fields = ExceptionContent(None if isinstance(args, STOPS) else args)
    for base in mro_of(type(exception)):
        if base is BaseException:
            break
        for name, raw in names_of(base).items():
            if isinstance(raw, _FIELDS) and name not in _UNTOLD:
                member = _member(machine, raw, exception)
                if member is not None:
                    fields.members[name] = member
    return fields


def _member(
    machine: Machine, raw: GetSetDescriptorType | MemberDescriptorType, exception: BaseException
) -> Value | None:
    """A field of the C structure; `None` where it is not set or cannot be followed."""
    try:
        value: object = raw.__get__(exception)
    except AttributeError:
        return None
    reply = wrap(machine, value)
    return None if isinstance(reply, STOPS) else reply


def handled_exception(machine: Machine) -> Value:
    """What is being handled: the innermost exception of all that run; `NONE`, or the `Known` from before the trace."""
    for value in reversed(machine.handled):
        if not is_none(value):
            return value
    return NONE


def change(machine: Machine, content: ExceptionContent, name: str, value: object) -> None:
    """Give one of the fields another value, until it is rolled back."""
    before: object = getattr(content, name)
    setattr(content, name, value)
    machine.heap.record(lambda: setattr(content, name, before))


def set_context(machine: Machine, exception: Made) -> None:
    """Let what is being handled be the exception's context, as each `raise` does; chains never become cycles."""
    handled = handled_exception(machine)
    if isinstance(handled, Made) and handled.object_id == exception.object_id:
        return
    context = fields_of(machine, exception).context
    if isinstance(handled, Known) and not is_none(context):
        machine.type_of(handled)  # what it has already stays only if nothing is being handled
        handled = machine.specialise(handled)
    if is_none(handled):
        return
    link, seen = handled, set[int]()
    while isinstance(link, Made) and link.object_id not in seen:  # the program may have made a cycle
        seen.add(link.object_id)
        fields = fields_of(machine, link)
        following = fields.context
        if isinstance(following, Made) and following.object_id == exception.object_id:
            change(machine, fields, "context", NONE)
            break
        link = following
    change(machine, fields_of(machine, exception), "context", handled)


def note_raised(machine: Machine, exception: Made, *, may_go_on: bool, is_handled: bool) -> None:
    """It goes through a frame, or to a handler there: Python would write its traceback.

    `may_go_on`: the frame is a generator's.
    """
    fields = fields_of(machine, exception)
    if fields.obstacle is None:
        change(machine, fields, "obstacle", _RAISED)
    if HANDLERS_WRITE_TRACEBACKS and not is_handled:
        return  # the frame has ended: it does not go on
    may_go_on = may_go_on or (fields.traceback is not NONE and not is_of_calls(machine, fields.traceback))
    attributes: dict[str, Value | Absent] = {_MAY_GO_ON: TRUE} if may_go_on else {}
    change(machine, fields, "traceback", machine.heap.make(ObjectContent(_TRACEBACK, attributes)))


def is_of_calls(machine: Machine, traceback: Value) -> bool:
    """Whether it is a traceback of the trace whose frames are all of calls, which end or are running."""
    content = machine.heap.content(traceback) if isinstance(traceback, Made) else None
    return isinstance(content, ObjectContent) and content.type is _TRACEBACK and _MAY_GO_ON not in content.attributes


def is_traceback(machine: Machine, value: Value) -> bool:
    """Whether the value is, or stands for, a traceback."""
    return isinstance(value, (Made, Known)) and machine.type_of(value) is _TRACEBACK


def stop_value(machine: Machine, stop: Raise) -> Value:
    """What the `StopIteration` that is raised carries."""
    return fields_of(machine, as_exception(machine, stop)).members.get("value", NONE)


def raise_stop(machine: Machine, value: Value) -> Raise:
    """The `StopIteration` at the end of an iterator that returned `value` (`gen_set_stop_iteration`)."""
    if turns_out_none(machine, value):
        return Raise(StopIteration())
    made = as_exception(machine, Raise(StopIteration()))
    fields = fields_of(machine, made)
    fields.args = machine.heap.make(TupleContent((value,)))
    fields.members["value"] = value
    return Raise(made)


def describe_raised(machine: Machine, stop: Raise) -> str:
    """What is raised, for messages: its class, and its arguments where they are constants."""
    type_ = raised_type(machine, stop)
    args: object = NOT_CONCRETE
    if isinstance(stop.exception, Made):
        value = fields_of(machine, stop.exception).args
        args = NOT_CONCRETE if value is None else copied(machine, value)
    elif is_plain(stop.exception.args):
        args = stop.exception.args
    if not isinstance(args, tuple):
        return class_name(type_)
    text = ", ".join(map(repr, args))
    return f"{class_name(type_)}({text if len(text) <= _LONGEST else text[:_LONGEST] + ' ...'})"
