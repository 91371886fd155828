"""Exception groups that the trace makes: CPython's Objects/exceptions.c, `BaseExceptionGroup`, and `except*`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from symexec.bytecode.features import WRAPPING_WRITES_TRACEBACK
from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import class_name, class_record, look_up, rely_on_loads, rely_on_name
from symexec.interpreter.protocol.contents import constant_of, tuple_items
from symexec.interpreter.protocol.exceptions import exception_of, is_exception_class, require_made
from symexec.interpreter.protocol.instances import note
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.nothing import is_none
from symexec.interpreter.protocol.raising import fields_of, note_raised
from symexec.interpreter.protocol.special import mro_of
from symexec.values.heap import Absent, ExceptionContent, ListContent, ObjectContent, TupleContent
from symexec.values.model import NONE, Constant, Known, Made, Value

Test: TypeAlias = Callable[[Value], "bool | Raise | Break"]
Halves: TypeAlias = tuple[Value, Value]
"""What matches of an exception or group, and the rest; `None` where there is nothing."""

_DERIVE: Final = BaseExceptionGroup.__dict__["derive"]


def is_group(machine: Machine, value: Value) -> bool:
    """Whether the value is an exception group."""
    return any(base is BaseExceptionGroup for base in mro_of(machine.type_of(value)))


def make_group(machine: Machine, type_: type, message: Value, members: Sequence[Value], given: Value) -> Made | Break:
    """What `BaseExceptionGroup.__new__` makes: `given` are the members as they were passed."""
    plain = all(any(base is Exception for base in mro_of(machine.type_of(member))) for member in members)
    if type_ is BaseExceptionGroup and plain:
        type_ = ExceptionGroup
    if type_ is not BaseExceptionGroup and not plain:
        return machine.stop("SX2022", f"a {class_name(type_)} is refused members that are no Exception")
    record = class_record(machine, type_)
    stop = rely_on_loads(machine, record) or rely_on_name(machine, record, "derive")
    if stop is not None:
        return stop
    exceptions = machine.heap.make(TupleContent(tuple(members)))
    args = machine.heap.make(TupleContent((message, given)))
    fields = ExceptionContent(args, {"message": message, "exceptions": exceptions})
    return machine.heap.make(ObjectContent(type_, {}, fields))


def new_group(machine: Machine, type_: type, args: Sequence[Value]) -> Made | Break:
    """`BaseExceptionGroup.__new__(type_, message, exceptions)`, where nothing is wrong with the arguments."""
    refused = machine.stop("SX2022", f"{class_name(type_)} is called with arguments that it may refuse")
    if len(args) != 2 or not isinstance(constant_of(machine, args[0]), str):
        return refused
    if machine.type_of(args[1]) is not list and machine.type_of(args[1]) is not tuple:
        return refused
    members = iterate_all(machine, args[1])
    if isinstance(members, STOPS) or not members:
        return refused
    if not all(is_exception_class(machine.type_of(member)) for member in members):
        return refused
    return make_group(machine, type_, args[0], members, args[1])


def _members(machine: Machine, group: Made) -> Sequence[Value] | Break:
    return tuple_items(machine, fields_of(machine, group).members["exceptions"])


def split(machine: Machine, value: Value, test: Test) -> Halves | Raise | Break:
    """`group.split`: what the test wants, as a group of the same shape, and the rest."""
    answer = test(value)
    if isinstance(answer, STOPS):
        return answer
    if answer:
        return value, NONE
    if not is_group(machine, value):
        return NONE, value
    group = require_made(machine, value)
    members = group if isinstance(group, Break) else _members(machine, group)
    if isinstance(group, Break) or isinstance(members, Break):
        return machine.stop("SX1008", "an exception group that existed before the trace is split by Python")
    wanted: list[Value] = []
    rest: list[Value] = []
    for member in members:
        halves = split(machine, member, test)
        if isinstance(halves, STOPS):
            return halves
        for part, found in zip((wanted, rest), halves, strict=True):
            if not is_none(found):
                part.append(found)
    first, second = _subset(machine, group, wanted), _subset(machine, group, rest)
    if isinstance(first, Break):
        return first
    return second if isinstance(second, Break) else (first, second)


def _subset(machine: Machine, group: Made, members: Sequence[Value]) -> Value | Break:
    """`exceptiongroup_subset`: a group of some members, with all else as in the original."""
    if not members:
        return NONE
    record = class_record(machine, machine.made_type(group))
    if look_up(record, "derive").raw is not _DERIVE:
        return machine.stop("SX2022", f"{class_name(record.type)} derives groups in a way of its own")
    old = fields_of(machine, group)
    given = machine.heap.make(ListContent(list(members)))
    made = make_group(machine, BaseExceptionGroup, old.members["message"], members, given)
    if isinstance(made, Break):
        return made
    fields = fields_of(machine, made)
    fields.traceback, fields.context, fields.cause = old.traceback, old.context, old.cause
    fields.suppress_context = True  # as whoever sets a cause does, `None` included
    fields.obstacle = old.obstacle
    return _copy_notes(machine, group, made) or made


def _copy_notes(machine: Machine, group: Made, made: Made) -> Break | None:
    notes = _notes(machine, group)
    content = machine.heap.content(made)
    if notes is None or not isinstance(content, ObjectContent):
        return None
    items = iterate_all(machine, notes) if machine.type_of(notes) is list else None
    if items is None or isinstance(items, STOPS):
        return machine.stop("SX2014", "__notes__ of an exception is no list")
    note(machine, content.attributes, "__notes__", machine.heap.make(ListContent(items)))
    return None


def _notes(machine: Machine, value: Value) -> Value | None:
    content = machine.heap.content(value) if isinstance(value, Made) else None
    found = content.attributes.get("__notes__") if isinstance(content, ObjectContent) else None
    return None if isinstance(found, Absent) else found


# -- except* ---------------------------------------------------------------------------------------------------------


def match_group(machine: Machine, value: Value, test: Test) -> Halves | Raise | Break:
    """`exception_group_match`: the part of what was raised that an `except*` clause handles, and the rest."""
    if is_none(value):
        return NONE, NONE
    answer = test(value)
    if isinstance(answer, STOPS):
        return answer
    if answer and not is_group(machine, value):
        made = _wrap(machine, [value])
        if isinstance(made, Break):
            return made
        if WRAPPING_WRITES_TRACEBACK:
            note_raised(machine, made, may_go_on=machine.frames[-1].routine.is_generator_like, is_handled=True)
        return made, NONE
    return (value, NONE) if answer else split(machine, value, test)


def _wrap(machine: Machine, members: Sequence[Value]) -> Made | Break:
    given = machine.heap.make(ListContent(list(members)))
    return make_group(machine, BaseExceptionGroup, Constant(""), members, given)


def prepare_reraise(machine: Machine, original: Value, collected: Sequence[Value]) -> Value | Break:
    """`_PyExc_PrepReraiseStar`: what is raised after all `except*` clauses, `None` if everything was handled."""
    left = [value for value in collected if not is_none(value)]
    if not left:
        return NONE
    made = require_made(machine, original)
    if isinstance(made, Break):
        return made
    if not is_group(machine, made):
        return left[0]
    raised: list[Value] = []
    again: list[Value] = []
    for value in left:
        (again if _is_same(machine, value, made) else raised).append(value)
    projection = _project(machine, made, again)
    if isinstance(projection, STOPS):
        return machine.stop("SX1008", "an exception group is put together by Python")
    if not raised:
        return projection
    if not is_none(projection):
        raised.append(projection)
    return raised[0] if len(raised) == 1 else _wrap(machine, raised)


def _is_same(machine: Machine, value: Value, original: Made) -> bool:
    """`is_same_exception_metadata`."""
    fields, other = exception_of(machine, value), fields_of(machine, original)
    if fields is None:
        return False
    mine, its = _notes(machine, value), _notes(machine, original)
    pairs = [(fields.traceback, other.traceback), (fields.cause, other.cause), (fields.context, other.context)]
    same_notes = mine is its or (mine is not None and its is not None and _identity(mine) == _identity(its))
    return same_notes and all(_identity(left) == _identity(right) for left, right in pairs)


def _identity(value: Value) -> object:
    match value:
        case Made(object_id=object_id):
            return ("made", object_id)
        case Known(value=found) | Constant(value=found):
            return id(found)
        case _:
            raise InternalError("exceptions refer to objects")


def _project(machine: Machine, original: Made, kept: Sequence[Value]) -> Value | Raise | Break:
    """`exception_group_projection`: the part of the original whose leaves are among those of `kept`."""
    leaves: set[object] = set()
    waiting = list(kept)
    while waiting:
        value = waiting.pop()
        if not is_group(machine, value):
            leaves.add(_identity(value))
            continue
        group = require_made(machine, value)
        members = group if isinstance(group, Break) else _members(machine, group)
        if isinstance(members, Break):
            return members
        waiting.extend(members)
    halves = split(machine, original, lambda value: not is_group(machine, value) and _identity(value) in leaves)
    return halves if isinstance(halves, STOPS) else halves[0]


def handle(machine: Machine, matching: Value) -> None:
    """From here on the matching part is being handled."""
    machine.handled[-1] = matching

