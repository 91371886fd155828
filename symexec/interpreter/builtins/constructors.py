"""Builtin types that are called: numbers, strings, containers, and the iterators that are classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.contents import (
    SIZE_LIMIT,
    dict_content,
    unknown_order,
)
from symexec.interpreter.protocol.dicts import dict_update, store_entry
from symexec.interpreter.protocol.folding import fold, too_large
from symexec.interpreter.protocol.formatting import convert_value
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.keys import usable_element
from symexec.interpreter.protocol.length_hints import items_for_list, items_for_tuple
from symexec.interpreter.protocol.sequences import make_tuple
from symexec.interpreter.protocol.sets import set_update
from symexec.interpreter.protocol.truth import truth
from symexec.values.graph import Kind
from symexec.values.heap import DictContent, ListContent, SetContent, SliceContent
from symexec.values.keys import ObjectKey
from symexec.values.model import NONE, Constant, Traced, Value, boolean


def _number(type_: type) -> Rule:
    """`int`, `float` or `complex` of constants, or of a traced value that its domain can convert."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        values = [machine.resolve(arg) for arg in args]
        if len(values) == 1 and not kwargs:
            if isinstance(values[0], Traced):
                return machine.operate(Kind.CALL, type_, values)
            if isinstance(values[0], Constant) and type(values[0].value) is type_:
                return args[0]
        found = copies(machine, values)
        if found is None or kwargs:
            return machine.stop("SX2116", f"converting an object to {type_.__name__} is not interpreted")
        return fold(machine, type_, found)

    return rule


def _bool(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 1):
        return misfit(machine)
    answer = truth(machine, args[0]) if args else False
    return answer if isinstance(answer, STOPS) else boolean(answer)


def _str(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not args and not kwargs:
        return Constant("")
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    return args[0] if machine.type_of(args[0]) is str else convert_value(machine, 1, args[0])


def _bytes(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    found = copies(machine, args)
    if found is None or kwargs or any(isinstance(each, str) for each in found[1:]):
        return misfit(machine)
    if found and isinstance(found[0], int) and found[0] > SIZE_LIMIT:
        return too_large(machine, found[0])
    return fold(machine, bytes, found)


def _tuple(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 1):
        return misfit(machine)
    if not args:
        return Constant(())
    if machine.type_of(args[0]) is tuple:
        return args[0]
    items = items_for_tuple(machine, args[0])
    return items if isinstance(items, STOPS) else make_tuple(machine, tuple(items))


def _list(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 1):
        return misfit(machine)
    items = items_for_list(machine, args[0]) if args else []
    return items if isinstance(items, STOPS) else machine.heap.make(ListContent(items))


def _dict(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if len(args) > 1:
        return misfit(machine)
    entries, keys = {}, {}
    if args and machine.type_of(args[0]) is dict:
        content = dict_content(machine, args[0], complete=True)
        if isinstance(content, Break):
            return content
        entries, keys = dict(content.entries), dict(content.keys)
    made = machine.heap.make(DictContent(entries, complete=True, keys=keys))
    stop = dict_update(machine, made, args[0]) if args and not entries else None
    for name, value in kwargs:
        stop = stop or store_entry(machine, made, name, value)
    return made if stop is None else stop


def _set(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 1):
        return misfit(machine)
    made = machine.heap.make(SetContent(set()))
    stop = set_update(machine, made, args[0]) if args else None
    return made if stop is None else stop


def _frozenset(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 0, 1):
        return misfit(machine)
    type_ = machine.type_of(args[0]) if args else tuple
    if type_ is frozenset:
        return args[0]
    if type_ is set or type_ is dict:
        return unknown_order(machine)
    items = iterate_all(machine, args[0]) if args else []
    if isinstance(items, STOPS):
        return items
    elements: list[Hashable] = []
    for item in items:
        element = usable_element(machine, item)
        if isinstance(element, Break):
            return element
        elements.append(element)
    if any(isinstance(element, ObjectKey) for element in elements):
        return machine.stop("SX2104", "a frozenset of objects is made by Python", "use a set")
    return Constant(frozenset(elements))


def _slice(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 3):
        return misfit(machine)
    parts = [NONE, args[0], NONE] if len(args) == 1 else [*args, NONE][:3]
    return machine.heap.make(SliceContent(parts[0], parts[1], parts[2]))


def _range(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 3):
        return misfit(machine)
    found = copies(machine, args)
    if found is None:
        return machine.stop("SX4006", "a bound of a range is not a constant")
    return fold(machine, range, found)


CONSTRUCTOR_RULES: Final[dict[object, Rule]] = {
    int: _number(int),
    float: _number(float),
    complex: _number(complex),
    bool: _bool,
    str: _str,
    bytes: _bytes,
    tuple: _tuple,
    list: _list,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    slice: _slice,
    range: _range,
}
