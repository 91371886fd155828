"""Sorting: keys are computed on values; the order of constant keys comes from Python's own sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.contents import set_items
from symexec.interpreter.protocol.folding import holds_nan
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.special import is_among
from symexec.values.heap import ListContent
from symexec.values.model import Constant, Value

_sorted: Final[object] = sorted
_SMALL: Final = 1 << 31  # of a C int


def sort_keys(machine: Machine, items: Sequence[Value], key: Value | None) -> list[Value] | Raise | Break:
    """What the items are sorted by."""
    keys = list(items)
    if key is not None and not (isinstance(key, Constant) and key.value is None):
        for at, item in enumerate(items):
            reply = machine.call(machine, key, [item], ())
            if isinstance(reply, STOPS):
                return reply
            keys[at] = reply
    return keys


def sort_order(machine: Machine, keys: Sequence[Value], reverse: bool) -> list[int] | Raise | Break:
    """The indices of the keys in sorted order."""
    found = copies(machine, keys)
    if found is None or (len(found) > 1 and any(holds_nan(each) for each in found)):
        return machine.stop("SX2117", "what is sorted by is not wholly made of constants", "sort by numbers or strings")
    if not callable(_sorted):
        raise InternalError("sorted cannot be called")
    try:
        order = _sorted(range(len(keys)), key=found.__getitem__, reverse=reverse)
    except TypeError as error:
        return Raise(error.with_traceback(None))
    return list(order)


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
        return elements if isinstance(elements, Break) else [Constant(element) for element in elements]
    return iterate_all(machine, value)


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
