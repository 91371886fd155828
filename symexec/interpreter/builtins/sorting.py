"""Sorting: keys are computed on values; Python's own sort puts them in order.

Where keys are no constants it is given stand-ins, whose comparisons are those of the keys, in the trace: so they come
in the order in which the sort of the running Python asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.comparisons import LESS, compare
from symexec.interpreter.protocol.contents import set_items
from symexec.interpreter.protocol.folding import holds_nan
from symexec.interpreter.protocol.getters import KEY_TYPE
from symexec.interpreter.protocol.keys import element_value
from symexec.interpreter.protocol.length_hints import items_for_list
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.special import is_among
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.interpreter.protocol.truth import truth
from symexec.values.heap import ListContent
from symexec.values.model import Constant, Traced, Value

_sorted: Final[object] = sorted
_SMALL: Final = 1 << 31  # of a C int


def sort_keys(machine: Machine, items: Sequence[Value], key: Value | None) -> list[Value] | Raise | Break:
    """What the items are sorted by."""
    keys = list(items)
    if key is not None and not turns_out_none(machine, key):
        for at, item in enumerate(items):
            reply = machine.call(machine, key, [item], ())
            if isinstance(reply, STOPS):
                return reply
            keys[at] = reply
    return keys


def sort_order(machine: Machine, keys: Sequence[Value], reverse: bool) -> list[int] | Raise | Break:
    """The indices of the keys in sorted order."""
    found = copies(machine, keys)
    if found is None and _compare_themselves(machine, keys):
        return _order_by_comparing(machine, keys, reverse)
    if found is None or (len(found) > 1 and any(holds_nan(each) for each in found)):
        return machine.stop("SX2117", "what is sorted by is not wholly made of constants", "sort by numbers or strings")
    if not callable(_sorted):
        raise InternalError("sorted cannot be called")
    try:
        order = _sorted(range(len(keys)), key=found.__getitem__, reverse=reverse)
    except TypeError as error:
        return Raise(error.with_traceback(None))
    return list(order)


class _StoppedError(Exception):
    """A comparison gave no answer: the sort is left."""


class _StandIn:
    """What Python sorts in place of a key; at the first comparison without an answer `stops` says why."""

    __slots__ = ("key", "machine", "stops")

    def __init__(self, machine: Machine, key: Value, stops: list[Raise | Break]) -> None:
        self.machine, self.key, self.stops = machine, key, stops

    def __lt__(self, other: _StandIn) -> bool:
        answer = _is_less(self.machine, self.key, other.key)
        if isinstance(answer, STOPS):
            self.stops.append(answer)
            raise _StoppedError
        return answer


def _compare_themselves(machine: Machine, keys: Sequence[Value]) -> bool:
    """Whether all keys are of one class of the user's, or such as `functools.cmp_to_key` makes."""
    types = [machine.type_of(key) for key in keys]
    if not types or any(isinstance(key, Traced) for key in keys):
        return False
    return all(type_ is types[0] for type_ in types) and (types[0] is KEY_TYPE or not is_static_type(types[0]))


def _order_by_comparing(machine: Machine, keys: Sequence[Value], reverse: bool) -> list[int] | Raise | Break:
    stops: list[Raise | Break] = []
    stand_ins = [_StandIn(machine, key, stops) for key in keys]
    try:
        return sorted(range(len(keys)), key=stand_ins.__getitem__, reverse=reverse)
    except _StoppedError:
        return stops[0]


def _is_less(machine: Machine, left: Value, right: Value) -> bool | Raise | Break:
    """`left < right`, as `unsafe_object_compare` (`Objects/listobject.c`) asks for it."""
    if machine.type_of(left) is KEY_TYPE:
        reply = compare(machine, LESS, left, right)
        return reply if isinstance(reply, STOPS) else truth(machine, reply)
    method = special_method(machine, left, "__lt__")
    if isinstance(method, STOPS):
        return method
    if method is None or is_builtin(method):
        name = class_name(machine.type_of(left))
        return machine.stop("SX2117", f"objects of {name} do not say which is less", "sort by numbers or strings")
    reply = call_special(machine, method, left, right)
    if isinstance(reply, STOPS):
        return reply
    answer = machine.resolve(reply)
    if isinstance(answer, Constant) and answer.value is NotImplemented:
        return machine.stop("SX2117", "objects that are sorted do not compare with each other; Python asks once more")
    return truth(machine, answer)


def wants_reverse(machine: Machine, value: Value | None) -> bool | Raise | Break:
    """What the argument `reverse` says, which may be missing.

    Only a small number: what else is true or false here differs between versions.
    """
    if value is None:
        return False
    found = machine.concrete(value)
    if (type(found) is bool or type(found) is int) and -_SMALL < found < _SMALL:
        return bool(found)
    return machine.stop("SX2117", "the argument reverse= is not a bool or a small int", "pass a bool")


def _items(machine: Machine, value: Value, keyed: bool) -> list[Value] | Raise | Break:
    """The items to sort: of a set in any order, as all of them differ."""
    if not keyed and is_among(machine.type_of(value), (set, frozenset)):
        elements = set_items(machine, value)
        return elements if isinstance(elements, Break) else [element_value(element) for element in elements]
    return items_for_list(machine, value)


def _sort(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = dict(kwargs)
    if len(args) != 1 or set(given) - {"key", "reverse"}:
        return misfit(machine)
    items = _items(machine, args[0], "key" in given)
    if isinstance(items, STOPS):
        return items
    reverse = wants_reverse(machine, given.get("reverse"))
    if isinstance(reverse, STOPS):
        return reverse
    keys = sort_keys(machine, items, given.get("key"))
    order = keys if isinstance(keys, STOPS) else sort_order(machine, keys, reverse)
    return order if isinstance(order, STOPS) else machine.heap.make(ListContent([items[at] for at in order]))


SORTING_RULES: Final[dict[object, Rule]] = {sorted: _sort}
