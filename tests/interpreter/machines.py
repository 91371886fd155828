"""A machine to call protocol functions on, and what values and outcomes stand for, in plain Python."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence

from symexec.bytecode import decode
from symexec.config import Config
from symexec.interpreter.frame import FrameState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.raising import exception_content, raised_type
from symexec.interpreter.translator import InstructionTranslator
from symexec.values.domain import Domain
from symexec.values.effect import AddToSet, Append, CombineSet, DeleteItem, SetItem, SetSlice
from symexec.values.heap import Absent, DictContent, ListContent, SetContent, SliceContent, TupleContent, ViewContent
from symexec.values.model import Constant, Known, Made, Traced, Value
from symexec.values.origin import Globals, Local
from tests.interpreter.replay import Trace


def _subject(first, second, third):
    return None


_ROUTINE = decode(_subject.__code__)


def fresh_machine(domains: Sequence[Domain] = ()) -> Machine:
    """A machine in the middle of a function of three parameters, able to call."""
    machine = Machine(domains, Config())
    translator = InstructionTranslator(_ROUTINE, FrameState(0, [], []), machine, Known(globals(), Globals()))
    machine.frames.append(translator.frame)
    return machine


def known(machine: Machine, *objects: object) -> list[Value]:
    """The objects as the function's arguments."""
    return [Known(each, Local(slot)) for slot, each in enumerate(objects)]


def failing_guard(machine: Machine, *args: object) -> object:
    """The first guard of the machine that does not hold for these arguments; `None` if all do."""
    return Trace(_subject, machine, None).failing(args)


def python(machine: Machine, value: Value) -> object:
    """The object that a value stands for, existing ones as they are, made ones built from what they contain now."""
    match value:
        case Constant(value=found) | Known(value=found):
            return found
        case Made():
            return _made(machine, value)
        case Traced(node=node):
            return node
    raise AssertionError(value)


def _made(machine: Machine, value: Made) -> object:
    match machine.heap.content(value):
        case ListContent(items=items):
            return [python(machine, item) for item in items]
        case TupleContent(items=items):
            return tuple(python(machine, item) for item in items)
        case DictContent(entries=entries):
            return {k: python(machine, item) for k, item in entries.items() if not isinstance(item, Absent)}
        case SetContent(items=items):
            return items
        case SliceContent(start=start, stop=stop, step=step):
            return slice(*(python(machine, part) for part in (start, stop, step)))
        case ViewContent(kind=kind, mapping=mapping):
            return getattr(now(machine, mapping), kind)()
        case content:
            return content


def now(machine: Machine, value: Value) -> object:
    """The object as the trace has changed it so far: of one that existed before, a copy with the effects applied."""
    if not isinstance(value, Known) or not isinstance(value.value, (list, dict, set)):
        return python(machine, value)
    found = value.value.copy()
    for effect in machine.heap.effects:
        if isinstance(effect.container, Known) and effect.container.value is value.value:
            _apply(machine, found, effect)
    content = machine.heap.existing(value)
    match content:
        case ListContent(items=items, complete=complete):
            there = [python(machine, item) for item in items]
            assert same(there, found if complete else found[len(found) - len(there) :])
        case DictContent(entries=entries, complete=True):
            assert same({key: python(machine, item) for key, item in entries.items()}, found)
        case DictContent(entries=entries):
            for key, item in entries.items():
                assert (key not in found) if isinstance(item, Absent) else same(python(machine, item), found[key])
        case SetContent(items=items):
            assert same(items, found)
        case _:
            assert content is None
    return found


def _apply(machine: Machine, container: object, effect: object) -> None:
    match effect:
        case SetItem(key=key, value=value):
            container[key] = python(machine, value)
        case DeleteItem(key=key):
            del container[key]
        case Append(value=value):
            container.append(python(machine, value))
        case SetSlice(start=start, stop=stop, values=values):
            assert 0 <= start <= stop <= len(container)
            container[start:stop] = [python(machine, value) for value in values]
        case AddToSet(value=element):
            container.add(element)
        case CombineSet(operator=code, other=other):
            OPERATORS[code - COUNT].in_place(container, python(machine, other))
        case _:
            raise AssertionError(effect)


Outcome = tuple[str, object]
"""What happened and its result: ("gives", object), ("raises", type and arguments), ("breaks", code)."""


def outcome_of(machine: Machine, reply: Reply | bool | None) -> Outcome:
    """What a protocol function answered."""
    match reply:
        case Raise(exception=Made() as error):
            fields = exception_content(machine.heap.content(error))
            assert fields is not None
            return "raises", (raised_type(machine, reply), python(machine, fields.args))
        case Raise(exception=error):
            return "raises", (type(error), error.args)
        case Break(reason=reason):
            return "breaks", reason.code
        case bool() | int() | None:
            return "gives", reply
        case list():
            return "gives", [python(machine, item) for item in reply]
        case _:
            return "gives", python(machine, reply)


def outcome_in_python(function: Callable[..., object], *args: object) -> Outcome:
    """What Python does."""
    try:
        return "gives", function(*args)
    except Exception as error:
        return "raises", (type(error), error.args)


def same(left: object, right: object) -> bool:
    """Whether two results are equal and of the same types throughout (a NaN equals a NaN)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return list(map(repr, left)) == list(map(repr, right)) and all(map(same, left.values(), right.values()))
    if isinstance(left, (set, frozenset)):
        return sorted(map(repr, left)) == sorted(map(repr, right))
    if isinstance(left, (types.BuiltinFunctionType, type, types.FunctionType)):
        return left is right
    return repr(left) == repr(right)
