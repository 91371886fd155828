"""Methods of exceptions and exception groups that the trace made, and what is being handled."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FunctionType
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.builtins.types import inherits
from symexec.interpreter.machine import Machine, is_class
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_record, identify_class
from symexec.interpreter.protocol.contents import tuple_items
from symexec.interpreter.protocol.exceptions import (
    exception_of,
    exception_text,
    is_exception_class,
    note_of,
    set_field,
)
from symexec.interpreter.protocol.groups import Test, split
from symexec.interpreter.protocol.instances import note
from symexec.interpreter.protocol.lists import list_append
from symexec.interpreter.protocol.nothing import is_none
from symexec.interpreter.protocol.raising import fields_of, handled_exception
from symexec.interpreter.protocol.special_methods import type_value
from symexec.interpreter.protocol.truth import truth
from symexec.values.heap import Absent, ListContent, ObjectContent, TupleContent
from symexec.values.model import NONE, Constant, Known, Made, Value


def _exception(machine: Machine, args: Sequence[Value]) -> Made | Break:
    if args and isinstance(args[0], Made) and exception_of(machine, args[0]) is not None:
        return args[0]
    return machine.stop("SX2014", "an exception that existed before the trace is changed by Python")


def _add_note(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _exception(machine, args)
    if isinstance(made, Break):
        return made
    text = note_of(machine, args[1]) if positional(args, kwargs, 2, 2) else None
    content = machine.heap.content(made)
    if text is None or not isinstance(content, ObjectContent):
        return misfit(machine)
    notes = content.attributes.get("__notes__")
    if notes is None or isinstance(notes, Absent):
        note(machine, content.attributes, "__notes__", machine.heap.make(ListContent([args[1]])))
        return NONE
    if machine.type_of(notes) is not list:
        return machine.stop("SX2014", "__notes__ of an exception is no list")
    return list_append(machine, notes, args[1]) or NONE


def _with_traceback(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _exception(machine, args)
    if isinstance(made, Break):
        return made
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    return set_field(machine, fields_of(machine, made), "__traceback__", args[1]) or made


def _text(function: object) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        made = _exception(machine, args)
        if isinstance(made, Break):
            return made
        return exception_text(machine, made, function) if positional(args, kwargs, 1, 1) else misfit(machine)

    return rule


def _handled(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return handled_exception(machine) if positional(args, kwargs, 0, 0) else misfit(machine)


def _exc_info(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 0):
        return misfit(machine)
    handled = machine.specialise(handled_exception(machine))
    if is_none(handled):
        return machine.heap.make(TupleContent((NONE, NONE, NONE)))
    if not isinstance(handled, Made):
        return machine.stop("SX1009", "the exception being handled existed before the trace")
    parts = (type_value(machine, handled), handled, fields_of(machine, handled).traceback)
    return machine.heap.make(TupleContent(parts))


def _matcher(machine: Machine, value: Value) -> Test | None:
    """The test that `split` and `subgroup` are given: a class, a tuple of classes or a Python function."""
    if isinstance(value, Made) and machine.made_type(value) is not tuple:
        return _predicate(machine, value) if machine.made_type(value) is FunctionType else None
    if isinstance(value, Known) and type(value.value) is FunctionType:
        return _predicate(machine, value)
    values = tuple_items(machine, value) if machine.type_of(value) is tuple else [value]
    if isinstance(values, Break):
        return None
    classes: list[type] = []
    for each in values:
        found = each.value if isinstance(each, (Known, Constant)) else None
        if not is_class(found) or not is_exception_class(found):
            return None
        if isinstance(each, Known) and identify_class(machine, class_record(machine, found), each) is not None:
            return None
        classes.append(found)

    def test(value: Value) -> bool | Break:
        type_ = machine.type_of(value)
        for class_ in classes:
            answer = type_ is class_ or inherits(machine, type_, class_)
            if answer is not False:
                return answer
        return False

    return test


def _predicate(machine: Machine, function: Value) -> Test:
    def test(value: Value) -> bool | Raise | Break:
        reply = machine.call(machine, function, [value], ())
        return reply if isinstance(reply, STOPS) else truth(machine, reply)

    return test


def _split(whole: bool) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        made = _exception(machine, args)
        if isinstance(made, Break):
            return made
        test = _matcher(machine, args[1]) if positional(args, kwargs, 2, 2) else None
        if test is None:
            return misfit(machine)
        halves = split(machine, made, test)
        if isinstance(halves, STOPS):
            return halves
        return machine.heap.make(TupleContent(halves)) if whole else halves[0]

    return rule


_of_exception: Final = BaseException.__dict__
_of_group: Final = BaseExceptionGroup.__dict__

EXCEPTION_RULES: Final[dict[object, Rule]] = {
    _of_exception["add_note"]: _add_note,
    _of_exception["with_traceback"]: _with_traceback,
    _of_exception["__str__"]: _text(str),
    _of_exception["__repr__"]: _text(repr),
    KeyError.__dict__["__str__"]: _text(str),
    _of_group["split"]: _split(True),
    _of_group["subgroup"]: _split(False),
    sys.exception: _handled,
    sys.exc_info: _exc_info,
}
