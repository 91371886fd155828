"""Objects of C that are called: `operator.attrgetter`, `itemgetter` and `methodcaller`, `functools.partial`.

What the trace makes is a call of the original that makes it again; existing getters are looked into where all that they
hold are constants, so that an identity guard says everything about them.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.folding import is_plain
from symexec.interpreter.protocol.items import get_item
from symexec.interpreter.protocol.special import is_among
from symexec.values.guard import Is
from symexec.values.heap import CalledContent, TupleContent
from symexec.values.model import Constant, Known, Made, Value

Keywords: TypeAlias = Sequence[tuple[str, Value]]

GETTERS: Final = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
KEY_TYPE: Final[type] = type(functools.cmp_to_key(max))
PLACEHOLDER: Final = vars(functools).get("Placeholder", object())  # 3.14


def getter_of(machine: Machine, known: Known) -> CalledContent | Break | None:
    """What an existing getter holds, its identity guarded; `None` for an object of another type."""
    getter = known.value
    type_ = type(getter)
    if not is_among(type_, GETTERS):
        return None
    reduced = getter.__reduce__()
    function, args = reduced[0], reduced[1]
    if not isinstance(args, tuple):
        raise InternalError(f"what makes a {type_.__name__} again is not known")
    keywords: dict[str, object] = {}
    if type(function) is partial:  # of a method caller with keywords
        keywords, args = function.keywords, (*function.args, *args)
    held = (*args, *keywords.values())
    if not all(is_plain(each) for each in held):
        return machine.stop("SX2021", f"{type_.__name__} of more than constants is called")
    machine.guards.add(known.origin, Is(getter))
    return CalledContent(type_, type_, tuple([Constant(each) for each in held]), tuple(keywords))


def call_called(machine: Machine, content: CalledContent, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """Call an object of one of these types."""
    if content.type is partial:
        split = len(content.args) - len(content.names)
        merged = dict(zip(content.names, content.args[split:], strict=True))
        merged.update(kwargs)
        return machine.call(machine, content.args[0], [*content.args[1:split], *args], tuple(merged.items()))
    if content.type is KEY_TYPE:
        if len(args) != 1 or kwargs or len(content.args) != 1:
            return machine.stop("SX2116", "a key of cmp_to_key is called with other than one argument")
        return machine.heap.make(CalledContent(KEY_TYPE, make_key, (content.args[0], args[0])))
    get = next((get for type_, get in _GET.items() if type_ is content.type), None)
    if get is None or len(args) != 1 or kwargs:
        return machine.stop("SX2116", f"{content.type.__name__} is called with other than one argument")
    return get(machine, content, args[0])


def make_key(comparison: Callable[[object, object], int], value: object) -> object:
    """A key of `functools.cmp_to_key` for a value: what emitted code calls."""
    return functools.cmp_to_key(comparison)(value)


def compared_keys(machine: Machine, left: Value, right: Value) -> Reply | None:
    """What the comparison of two keys of `cmp_to_key` gives, to be compared with 0; `None` for other objects."""
    first, second = _key_content(machine, left), _key_content(machine, right)
    if first is None or second is None:
        return None
    return machine.call(machine, first.args[0], [first.args[1], second.args[1]], ())


def _key_content(machine: Machine, value: Value) -> CalledContent | None:
    content = machine.heap.content(value) if isinstance(value, Made) else None
    is_key = isinstance(content, CalledContent) and content.type is KEY_TYPE and len(content.args) == 2
    return content if is_key and isinstance(content, CalledContent) else None


def called_attribute(machine: Machine, content: CalledContent, name: str) -> Reply:
    """An attribute of one of these objects that the trace made: `func` and `args` of a partial are known."""
    unknown = machine.stop("SX2014", f"{name!r} of a new {content.type.__name__} is not known")
    if content.type is not partial:
        return unknown
    split = len(content.args) - len(content.names)
    if name == "func":
        return content.args[0]
    items = content.args[1:split]
    if name == "args" and all(isinstance(item, Constant) for item in items):
        found = constant_of(machine, machine.heap.make(TupleContent(items)))
        return Constant(found)
    return unknown


def _several(machine: Machine, found: Sequence[Value]) -> Value:
    return found[0] if len(found) == 1 else machine.heap.make(TupleContent(tuple(found)))


def _get_attributes(machine: Machine, content: CalledContent, owner: Value) -> Reply:
    found: list[Value] = []
    for path in content.args:
        value = owner
        for name in str(constant_of(machine, path)).split("."):
            reply = machine.get_attribute(machine, value, name)
            if isinstance(reply, STOPS):
                return reply
            value = reply
        found.append(value)
    return _several(machine, found)


def _get_items(machine: Machine, content: CalledContent, owner: Value) -> Reply:
    found: list[Value] = []
    for key in content.args:
        reply = get_item(machine, owner, key)
        if isinstance(reply, STOPS):
            return reply
        found.append(reply)
    return _several(machine, found)


def _call_method(machine: Machine, content: CalledContent, owner: Value) -> Reply:
    method = machine.get_attribute(machine, owner, str(constant_of(machine, content.args[0])))
    if isinstance(method, STOPS):
        return method
    split = len(content.args) - len(content.names)
    named = tuple(zip(content.names, content.args[split:], strict=True))
    return machine.call(machine, method, content.args[1:split], named)


_GET: Final[Mapping[type, Callable[[Machine, CalledContent, Value], Reply]]] = {
    operator.attrgetter: _get_attributes,
    operator.itemgetter: _get_items,
    operator.methodcaller: _call_method,
}


def is_placeholder(value: Value) -> bool:
    """Whether it marks a place to be filled in a partial (from 3.14 on)."""
    return isinstance(value, (Known, Constant)) and value.value is PLACEHOLDER


def partial_content(machine: Machine, value: Value) -> CalledContent | None:
    """What a partial made by the trace holds."""
    content = machine.heap.content(value) if isinstance(value, Made) else None
    return content if isinstance(content, CalledContent) and content.type is partial else None
