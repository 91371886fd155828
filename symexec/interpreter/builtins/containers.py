"""Special methods of builtin containers that are called by name: `list.__getitem__(items, 0)` and their like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.items import delete_item, get_item, set_item
from symexec.interpreter.protocol.iterate import get_iterator
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.truth import get_length
from symexec.values.model import NONE, Value, boolean

_Protocol: TypeAlias = Callable[[Machine, Sequence[Value]], Reply | bool | None]


def _rule(type_: type, count: int, protocol: _Protocol) -> Rule:
    """The protocol, for an object of exactly the type: a subclass may have a special method that calls this one."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, count, count) or machine.type_of(args[0]) is not type_:
            return misfit(machine)
        reply = protocol(machine, args)
        if isinstance(reply, bool):
            return boolean(reply)
        return NONE if reply is None else reply

    return rule


def _contains(machine: Machine, args: Sequence[Value]) -> bool | Raise | Break:
    return contains(machine, args[0], args[1])


def _of_type(type_: type) -> dict[object, Rule]:
    protocols: dict[str, tuple[int, _Protocol]] = {
        "__len__": (1, lambda machine, args: get_length(machine, args[0])),
        "__iter__": (1, lambda machine, args: get_iterator(machine, args[0])),
        "__contains__": (2, _contains),
        "__getitem__": (2, lambda machine, args: get_item(machine, args[0], args[1])),
        "__setitem__": (3, lambda machine, args: set_item(machine, args[0], args[1], args[2])),
        "__delitem__": (2, lambda machine, args: delete_item(machine, args[0], args[1])),
    }
    names = vars(type_)
    return {
        names[name]: _rule(type_, count, protocol) for name, (count, protocol) in protocols.items() if name in names
    }


CONTAINER_RULES: Final[dict[object, Rule]] = {
    function: rule
    for type_ in (list, tuple, dict, set, frozenset, str, bytes, range)
    for function, rule in _of_type(type_).items()
}
