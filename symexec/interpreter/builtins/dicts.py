"""The methods of dicts, as functions of the dict and the other arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import dict_content, dict_entry, opaque
from symexec.interpreter.protocol.dicts import dict_set, dict_update, drop_entry, store_entry, take_entry
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.keys import element_value, raise_key_error, usable_key
from symexec.interpreter.protocol.stepping import key_value
from symexec.values.heap import Absent, DictContent, TupleContent, ViewContent
from symexec.values.model import NONE, Known, Value
from symexec.values.origin import Fixed


def _get(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 3):
        return misfit(machine)
    key = usable_key(machine, args[1])
    if isinstance(key, Break):
        return key
    entry = dict_entry(machine, args[0], key)
    if isinstance(entry, Absent):
        return args[2] if len(args) > 2 else NONE
    return entry


def _pop(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 3):
        return misfit(machine)
    key = usable_key(machine, args[1])
    if isinstance(key, Break):
        return key
    entry = take_entry(machine, args[0], key)
    if isinstance(entry, Absent):
        return args[2] if len(args) > 2 else raise_key_error(machine, args[1], key)
    return entry


def _setdefault(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 3):
        return misfit(machine)
    key = usable_key(machine, args[1])
    if isinstance(key, Break):
        return key
    entry = dict_entry(machine, args[0], key)
    if not isinstance(entry, Absent):
        return entry
    value = args[2] if len(args) > 2 else NONE
    stop = dict_set(machine, args[0], args[1], value)
    return value if stop is None else stop


def _view(kind: str) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 1):
            return misfit(machine)
        if builtin_base(machine.type_of(args[0])) is not dict:
            return opaque(machine, args[0])
        return machine.heap.make(ViewContent(kind, args[0]))

    return rule


def _update(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not 1 <= len(args) <= 2:
        return misfit(machine)
    if len(args) == 2:
        stop = dict_update(machine, args[0], args[1])
        if stop is not None:
            return stop
    for name, value in kwargs:
        stop = store_entry(machine, args[0], name, value)
        if stop is not None:
            return stop
    return NONE


def _clear(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    content = dict_content(machine, args[0], complete=True)
    if isinstance(content, Break):
        return content
    for key in reversed(tuple(content.entries)):
        stop = drop_entry(machine, args[0], key, element_value(key))
        if stop is not None:
            return stop
    return NONE


def _copy(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    content = dict_content(machine, args[0], complete=True)
    if isinstance(content, Break):
        return content
    return machine.heap.make(DictContent(dict(content.entries), complete=True, keys=dict(content.keys)))


def _popitem(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    content = dict_content(machine, args[0], complete=True)
    if isinstance(content, Break):
        return content
    if not content.entries:
        return Raise(KeyError("popitem(): dictionary is empty"))
    key = next(reversed(content.entries))
    key_object = key_value(machine, args[0], content, key, len(content.entries) - 1)
    entry = take_entry(machine, args[0], key)
    if isinstance(entry, Absent):
        return opaque(machine, args[0])
    return entry if isinstance(entry, Break) else machine.heap.make(TupleContent((key_object, entry)))


def _fromkeys(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 3) or not (isinstance(args[0], Known) and args[0].origin == Fixed(dict)):
        return misfit(machine)
    iterator = get_iterator(machine, args[1])
    if isinstance(iterator, STOPS):
        return iterator
    made = machine.heap.make(DictContent({}, complete=True))
    value = args[2] if len(args) > 2 else NONE
    while True:
        key = next_item(machine, iterator)
        if key is None:
            return made
        stop = key if isinstance(key, STOPS) else dict_set(machine, made, key, value)
        if stop is not None:
            return stop


DICT_RULES: Final[dict[object, Rule]] = {
    dict.get: _get,
    dict.pop: _pop,
    dict.setdefault: _setdefault,
    dict.keys: _view("keys"),
    dict.values: _view("values"),
    dict.items: _view("items"),
    dict.update: _update,
    dict.clear: _clear,
    dict.copy: _copy,
    dict.popitem: _popitem,
    dict.__dict__["fromkeys"]: _fromkeys,
}
"""`fromkeys` gets the class as its first argument."""
