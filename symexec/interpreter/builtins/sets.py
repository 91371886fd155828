"""The methods of sets and frozensets, as functions of the set and the other arguments."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import set_content, set_items, unknown_order
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.keys import raise_key_error, usable_element, usable_key
from symexec.interpreter.protocol.sets import set_add, set_clear, set_discard, set_update
from symexec.interpreter.protocol.special import is_among
from symexec.values.heap import SetContent
from symexec.values.model import NONE, Constant, Value


def _base(machine: Machine, value: Value) -> type:
    """The builtin type that the value is made like."""
    type_ = machine.type_of(value)
    return builtin_base(type_) or type_


def _add(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2) or _base(machine, args[0]) is not set:
        return misfit(machine)
    return set_add(machine, args[0], args[1]) or NONE


def _discard(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    found = _removed(machine, args, kwargs)
    return NONE if isinstance(found, bool) else found


def _remove(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    found = _removed(machine, args, kwargs)
    if found is False:
        element = usable_key(machine, args[1])
        return element if isinstance(element, Break) else raise_key_error(machine, args[1], element)
    return NONE if isinstance(found, bool) else found


def _removed(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> bool | Break:
    if not positional(args, kwargs, 2, 2) or _base(machine, args[0]) is not set:
        return misfit(machine)
    element = usable_key(machine, args[1])
    return element if isinstance(element, Break) else set_discard(machine, args[0], element)


def _clear(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1) or _base(machine, args[0]) is not set:
        return misfit(machine)
    return set_clear(machine, args[0]) or NONE


def _copy(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    if machine.type_of(args[0]) is frozenset:
        return args[0]
    content = set_content(machine, args[0])
    if isinstance(content, Break):
        return content
    elements = set_items(machine, args[0])
    return elements if isinstance(elements, Break) else machine.heap.make(SetContent(set(elements), None))


def _update(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if kwargs or not args or _base(machine, args[0]) is not set:
        return misfit(machine)
    for other in args[1:]:
        stop = set_update(machine, args[0], other)
        if stop is not None:
            return stop
    return NONE


def _other(machine: Machine, value: Value) -> object:
    """A concrete collection with the elements of `value`."""
    if is_among(_base(machine, value), (set, frozenset)):
        return set_items(machine, value)
    items = iterate_all(machine, value)
    if isinstance(items, STOPS):
        return items
    elements: list[Hashable] = []
    for item in items:
        element = usable_element(machine, item)
        if isinstance(element, Break):
            return element
        elements.append(element)
    return elements


def _algebra(name: str) -> Rule:
    """A method that changes nothing and gives a new set or a bool."""
    least, most = (1, 1 << 16) if name in _OF_MANY else (2, 2)

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, least, most) or not is_among(_base(machine, args[0]), (set, frozenset)):
            return misfit(machine)
        given: list[object] = []
        for arg in args:
            found = _other(machine, arg)
            if isinstance(found, STOPS):
                return found
            given.append(found)
        reply = fold(machine, getattr(type(given[0]), name), given)
        unordered = (
            machine.type_of(args[0]) is frozenset and isinstance(reply, Constant) and type(reply.value) is frozenset
        )
        return unknown_order(machine) if unordered else reply

    return rule


_OF_MANY: Final = ("difference", "intersection", "union")
_ALGEBRA: Final = (
    "difference",
    "intersection",
    "isdisjoint",
    "issubset",
    "issuperset",
    "symmetric_difference",
    "union",
)

SET_RULES: Final[dict[object, Rule]] = {
    set.add: _add,
    set.discard: _discard,
    set.remove: _remove,
    set.clear: _clear,
    set.copy: _copy,
    frozenset.copy: _copy,
    set.update: _update,
    **{getattr(type_, name): _algebra(name) for type_ in (set, frozenset) for name in _ALGEBRA},
}
