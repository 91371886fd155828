"""Raising and handling exceptions, by CPython's own rules (Python/ceval.c, `do_raise` and the handlers' instructions).

What is raised and dies in the trace is virtual.  What would be seen outside ends the trace before it is raised.
"""

from __future__ import annotations

from typing import Final

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.builtins.types import inherits
from symexec.interpreter.frame import UNREADABLE, Frame
from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Raise
from symexec.interpreter.protocol.classes import class_name, class_record, identify_class
from symexec.interpreter.protocol.contents import tuple_items
from symexec.interpreter.protocol.exceptions import is_exception_class, require_made
from symexec.interpreter.protocol.groups import match_group, prepare_reraise
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.nothing import is_none, turns_out_none
from symexec.interpreter.protocol.raising import change, fields_of, handled_exception, set_context
from symexec.interpreter.protocol.special import mro_of
from symexec.values.model import NONE, Constant, Known, Made, Null, Value, boolean

_NO_GROUP: Final = "catching ExceptionGroup with except* is not allowed. Use except instead."
_NO_CLASS: Final = "catching classes that do not inherit from BaseException is not allowed"


def exception_class(machine: Machine, value: Value) -> type | Break | None:
    """The exception class that `value` is; `None` if it is something else.  Any class is identified."""
    if not isinstance(value, (Known, Constant)) or not is_class(value.value):
        return None
    type_ = value.value
    if isinstance(value, Known):
        stop = identify_class(machine, class_record(machine, type_), value)
        if stop is not None:
            return stop
    return type_ if is_exception_class(type_) else None


def _instance(machine: Machine, value: Value, complaint: str) -> Made | Raise | Break:
    """An exception, made by calling it if it is a class."""
    class_ = exception_class(machine, value)
    if isinstance(class_, Break):
        return class_
    if class_ is not None:
        made = machine.call(machine, value, (), ())
        if isinstance(made, STOPS):
            return made
        if not any(base is class_ for base in mro_of(machine.type_of(made))):
            return machine.stop("SX1008", "calling an exception class gave something else")
        return require_made(machine, made)
    if isinstance(value, Null) or is_exception_class(machine.type_of(value)):
        return require_made(machine, value)
    return Raise(TypeError(complaint))


def _rely_on_plain_raise(machine: Machine, exception: Made) -> Break | None:
    """`_PyErr_SetObject` asks the class whether it is its own subclass: a metaclass may answer."""
    type_ = machine.made_type(exception)
    if type(type_) is type:
        return None
    return machine.stop("SX1008", f"raising a {class_name(type_)} asks {class_name(type(type_))} about subclasses")


def raise_varargs(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`raise`, `raise exception` and `raise exception from cause`."""
    stack = frame.state.stack
    if instruction.arg == 0:
        return _raise_again(machine)
    cause = stack.pop() if instruction.arg == 2 else None
    exception = _instance(machine, stack.pop(), "exceptions must derive from BaseException")
    if isinstance(exception, STOPS):
        return exception
    if cause is not None:
        stop = _set_cause(machine, exception, cause)
        if stop is not None:
            return stop
    unknown = _rely_on_plain_raise(machine, exception)
    if unknown is not None:
        return unknown
    set_context(machine, exception)
    return Raise(exception)


def _set_cause(machine: Machine, exception: Made, cause: Value) -> Raise | Break | None:
    fields = fields_of(machine, exception)
    reason: Value = NONE
    if not turns_out_none(machine, cause):
        found = _cause(machine, cause)
        if isinstance(found, STOPS):
            return found
        reason = found
    change(machine, fields, "cause", reason)
    change(machine, fields, "suppress_context", True)
    return None


def _cause(machine: Machine, value: Value) -> Value | Raise | Break:
    if isinstance(value, Known) and not is_class(value.value) and is_exception_class(machine.type_of(value)):
        return value
    return _instance(machine, value, "exception causes must derive from BaseException")


def _raise_again(machine: Machine) -> Outcome:
    handled = handled_exception(machine)
    if isinstance(handled, Made):
        return Raise(handled, again=True)
    if handled is machine.ambient and machine.ambient.value is not None:
        return machine.stop("SX1008", "the exception being handled existed before the trace; Python raises it again")
    machine.specialise(handled)
    return Raise(RuntimeError("No active exception to reraise"))


def push_exc_info(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The exception on top is being handled from here on; what was handled before is kept below it."""
    stack = frame.state.stack
    exception = stack.pop()
    stack += (machine.handled[-1], exception)
    machine.handled[-1] = exception
    return None


def pop_except(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The exception that was handled before is being handled again."""
    if machine.handled[-1] is machine.ambient:
        return machine.stop("SX1009", "the handler was entered before the trace began; Python leaves it")
    machine.handled[-1] = frame.state.stack.pop()
    return None


def reraise(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The exception on top goes on, as it is."""
    exception = frame.state.stack.pop()
    made = require_made(machine, exception)
    return made if isinstance(made, Break) else Raise(made, again=True)


def check_exc_match(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Whether the exception below is of the class on top, or of one of a tuple of classes."""
    wanted = frame.state.stack.pop()
    answer = matches(machine, machine.type_of(frame.state.stack[-1]), wanted)
    if isinstance(answer, STOPS):
        return answer
    frame.state.stack.append(boolean(answer))
    return None


def check_eg_match(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Split what was raised by the class on top: what an `except*` clause handles goes on top of the rest."""
    stack = frame.state.stack
    wanted = stack.pop()
    classes = wanted_classes(machine, wanted)
    if isinstance(classes, STOPS):
        return classes
    for class_ in classes:
        if any(base is BaseExceptionGroup for base in mro_of(class_)):
            return Raise(TypeError(_NO_GROUP))
    halves = match_group(machine, stack.pop(), lambda value: matches_any(machine, machine.type_of(value), classes))
    if isinstance(halves, STOPS):
        return halves
    matching, rest = halves
    stack += (rest, matching)
    if not is_none(matching):
        machine.handled[-1] = matching
    return None


def wanted_classes(machine: Machine, wanted: Value) -> list[type] | Raise | Break:
    """The exception class that is wanted, or those of a tuple of classes, all identified."""
    values: tuple[Value, ...] | list[Value] = [wanted]
    if machine.type_of(wanted) is tuple:
        items = tuple_items(machine, wanted)
        if isinstance(items, Break):
            return items
        values = items
    classes: list[type] = []
    for value in values:
        class_ = exception_class(machine, value)
        if isinstance(class_, Break):
            return class_
        if class_ is None:
            machine.type_of(value)
            return Raise(TypeError(_NO_CLASS))
        classes.append(class_)
    return classes


def matches(machine: Machine, type_: type, wanted: Value) -> bool | Raise | Break:
    """`PyErr_GivenExceptionMatches`, after the check that all that is wanted are exception classes."""
    classes = wanted_classes(machine, wanted)
    return classes if isinstance(classes, STOPS) else matches_any(machine, type_, classes)


def matches_any(machine: Machine, type_: type, classes: list[type]) -> bool | Break:
    """Whether the type is, or inherits from, one of the classes."""
    for class_ in classes:
        answer = type_ is class_ or inherits(machine, type_, class_)
        if answer is not False:
            return answer
    return False


def with_except_start(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Call the exit function of a `with` statement with the exception that ends its block."""
    stack = frame.state.stack
    exception = stack[-1]
    entries = stack[-instruction.arg :][: instruction.arg - 3]
    if any(isinstance(entry, Known) and entry.value is UNREADABLE for entry in entries):
        return machine.stop("SX1007", "the with statement was entered before the trace began; Python leaves it")
    function, *own = [entry for entry in entries if not isinstance(entry, Null)]
    made = require_made(machine, exception)
    if isinstance(made, Break):
        return made
    type_ = machine.made_type(made)
    class_ = Known(type_, class_record(machine, type_).origin)
    reply = machine.call(machine, function, [*own, class_, made, fields_of(machine, made).traceback], ())
    if isinstance(reply, STOPS):
        return reply
    stack.append(reply)
    return None


def cleanup_throw(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """What was thrown into a delegating generator came out again: the end of what it delegates to, or an exception."""
    stack = frame.state.stack
    made = require_made(machine, stack.pop())
    if isinstance(made, Break):
        return made
    if not any(base is StopIteration for base in mro_of(machine.made_type(made))):
        return Raise(made, again=True)
    fields = fields_of(machine, made)
    stack[-2:] = (NONE, fields.members["value"])
    return None


def call_intrinsic_2(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """What is raised at the end of `except*` clauses; type parameters are made by Python."""
    stack = frame.state.stack
    if instruction.name != "PREP_RERAISE_STAR":
        return machine.stop("SX1001", f"the intrinsic {instruction.name} is left to Python: type parameters are made")
    collected, original = stack.pop(), stack.pop()
    values = iterate_all(machine, collected)
    if isinstance(values, STOPS):
        return values
    reply = prepare_reraise(machine, original, values)
    if isinstance(reply, Break):
        return reply
    stack.append(reply)
    return None


HANDLERS = {
    Op.RAISE_VARARGS: raise_varargs,
    Op.PUSH_EXC_INFO: push_exc_info,
    Op.POP_EXCEPT: pop_except,
    Op.RERAISE: reraise,
    Op.CHECK_EXC_MATCH: check_exc_match,
    Op.CHECK_EG_MATCH: check_eg_match,
    Op.CALL_INTRINSIC_2: call_intrinsic_2,
    Op.WITH_EXCEPT_START: with_except_start,
    Op.CLEANUP_THROW: cleanup_throw,
}
