"""Special methods of builtin types that are called by name, or found in the classes of instances of subclasses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.comparisons import compare_base
from symexec.interpreter.protocol.dicts import dict_update, store_entry
from symexec.interpreter.protocol.items import base_item, delete_base_item, set_base_item
from symexec.interpreter.protocol.iterators import base_iterator
from symexec.interpreter.protocol.lists import list_extend
from symexec.interpreter.protocol.membership import base_contains
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.operators import base_operation
from symexec.interpreter.protocol.reversing import reverse_iterator
from symexec.interpreter.protocol.sets import set_clear, set_update
from symexec.interpreter.protocol.truth import builtin_length
from symexec.values.model import NONE, Constant, Value, boolean

_Protocol: TypeAlias = Callable[[Machine, type, Sequence[Value]], Reply | bool | None]

_CONTAINERS: Final = (list, tuple, dict, set, frozenset)
_TYPES: Final = (*_CONTAINERS, str, bytes, range)
_COMPARISONS: Final = ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")


def _rule(type_: type, least: int, most: int, protocol: _Protocol) -> Rule:
    """The protocol, for an instance of the type or of a subclass, which may have a method that calls this one."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, least, most):
            return misfit(machine)
        given = machine.type_of(args[0])
        if given is not type_ and builtin_base(given) is not type_:
            return misfit(machine)
        reply = protocol(machine, type_, args)
        if isinstance(reply, bool):
            return boolean(reply)
        return NONE if reply is None else reply

    return rule


def _length(machine: Machine, type_: type, args: Sequence[Value]) -> Reply:
    length = builtin_length(machine, args[0], type_)
    if length is None:
        return misfit(machine)
    return length if isinstance(length, STOPS) else Constant(length)


def _contains(machine: Machine, type_: type, args: Sequence[Value]) -> bool | Raise | Break:
    return base_contains(machine, type_, args[0], args[1])


def _set(machine: Machine, type_: type, args: Sequence[Value]) -> Raise | Break | None:
    return set_base_item(machine, type_, args[0], args[1], args[2])


def _delete(machine: Machine, type_: type, args: Sequence[Value]) -> Raise | Break | None:
    return delete_base_item(machine, type_, args[0], args[1])


_PROTOCOLS: Final[dict[str, tuple[int, _Protocol]]] = {
    "__len__": (1, _length),
    "__iter__": (1, lambda machine, type_, args: base_iterator(machine, type_, args[0])),
    "__reversed__": (1, lambda machine, type_, args: reverse_iterator(machine, type_, args[0])),
    "__contains__": (2, _contains),
    "__getitem__": (2, lambda machine, type_, args: base_item(machine, type_, args[0], args[1])),
    "__setitem__": (3, _set),
    "__delitem__": (2, _delete),
}


def _comparison(index: int) -> _Protocol:
    return lambda machine, type_, args: compare_base(machine, index, args[0], args[1])


def _operation(code: int, reflected: bool) -> _Protocol:
    def protocol(machine: Machine, type_: type, args: Sequence[Value]) -> Reply:
        left, right = (args[1], args[0]) if reflected else (args[0], args[1])
        return base_operation(machine, code, left, right)

    return protocol


def _of_type(type_: type) -> dict[object, Rule]:
    names = vars(type_)
    found = {
        names[name]: _rule(type_, count, count, protocol)
        for name, (count, protocol) in _PROTOCOLS.items()
        if name in names
    }
    if type_ in _CONTAINERS:
        for index, name in enumerate(_COMPARISONS):
            if name in names:
                found[names[name]] = _rule(type_, 2, 2, _comparison(index))
        for code, operation in enumerate(OPERATORS):
            stem = operation.stem
            for name, at, reflected in (
                (f"__{stem}__", code, False),
                (f"__r{stem}__", code, True),
                (f"__i{stem}__", code + COUNT, False),
            ):
                if name in names:
                    found[names[name]] = _rule(type_, 2, 2, _operation(at, reflected))
    return found


def _initialise_list(machine: Machine, type_: type, args: Sequence[Value]) -> Raise | Break | None:
    """`list.__init__`, of a list that is empty: else what it held is dropped before the iterable is asked for."""
    if builtin_length(machine, args[0], list) != 0:
        return machine.stop("SX2116", "a list that is not empty is initialised again")
    return list_extend(machine, args[0], args[1]) if len(args) > 1 else None


def _initialise_set(machine: Machine, type_: type, args: Sequence[Value]) -> Raise | Break | None:
    stop = set_clear(machine, args[0])
    return stop or (set_update(machine, args[0], args[1]) if len(args) > 1 else None)


def _initialise_dict(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not 1 <= len(args) <= 2 or builtin_base(machine.type_of(args[0])) is not dict:
        return misfit(machine)
    stop = dict_update(machine, args[0], args[1]) if len(args) > 1 else None
    for name, value in kwargs:
        stop = stop or store_entry(machine, args[0], name, value)
    return stop or NONE


CONTAINER_RULES: Final[dict[object, Rule]] = {
    **{function: rule for type_ in _TYPES for function, rule in _of_type(type_).items()},
    list.__init__: _rule(list, 1, 2, _initialise_list),
    set.__init__: _rule(set, 1, 2, _initialise_set),
    dict.__init__: _initialise_dict,
}
