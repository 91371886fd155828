"""Builtin functions that go over an iterable: sums, extremes, quantifiers, and `functools.reduce`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Reply
from symexec.interpreter.protocol.comparisons import compare
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.operators import binary_operation
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.special import is_among
from symexec.interpreter.protocol.truth import truth
from symexec.values.graph import Kind
from symexec.values.heap import TupleContent
from symexec.values.model import FALSE, TRUE, Constant, Traced, Value, boolean

_ADD: Final = 0
_LESS, _GREATER = 0, 4
_NUMBERS: Final = (int, float, complex, bool)


def _sum(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """Numbers at the beginning are summed by Python, which compensates rounding; the rest is added one by one."""
    start = dict(kwargs).get("start", args[1] if len(args) == 2 else Constant(0))
    if len(args) + len(kwargs) > 2 or not args or (kwargs and kwargs[0][0] != "start"):
        return misfit(machine)
    iterable = machine.resolve(args[0])
    if isinstance(iterable, Traced):
        return machine.operate(Kind.CALL, sum, [iterable, *args[1:]], kwargs)
    iterator = get_iterator(machine, iterable)
    if isinstance(iterator, STOPS):
        return iterator
    total = machine.resolve(start)
    if isinstance(total, Constant) and is_among(type(total.value), (str, bytes)):
        return fold(machine, sum, ([], total.value))
    return _add_all(machine, iterator, total)


def _add_all(machine: Machine, iterator: Value, total: Value) -> Reply:
    numbers: list[object] = []
    item = next_item(machine, iterator)
    if isinstance(total, Constant) and is_among(type(total.value), _NUMBERS):
        while item is not None and not isinstance(item, STOPS):
            number = machine.resolve(item)
            if not isinstance(number, Constant) or not is_among(type(number.value), _NUMBERS):
                break
            numbers.append(number.value)
            item = next_item(machine, iterator)
        reply = fold(machine, sum, (numbers, total.value)) if numbers else total
        if isinstance(reply, STOPS):
            return reply
        total = reply
    while item is not None:
        reply = item if isinstance(item, STOPS) else binary_operation(machine, _ADD, total, item)
        if isinstance(reply, STOPS):
            return reply
        total = reply
        item = next_item(machine, iterator)
    return total


def _extreme(function: object, index: int) -> Rule:
    """`min` or `max`, by the comparison of that index."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        given = dict(kwargs)
        if not args or set(given) - {"key", "default"} or (len(args) > 1 and "default" in given):
            return misfit(machine)
        first = machine.resolve(args[0])
        if len(args) == 1 and isinstance(first, Traced):
            return machine.operate(Kind.CALL, function, [first], kwargs)
        several = machine.heap.make(TupleContent(tuple(args)))
        iterator = get_iterator(machine, first if len(args) == 1 else several)
        key = given.get("key")
        key = None if key is None or turns_out_none(machine, key) else key
        best = iterator if isinstance(iterator, STOPS) else _best(machine, iterator, key, index)
        return given.get("default") or fold(machine, function, ([],)) if best is None else best

    return rule


def _best(machine: Machine, iterator: Value, key: Value | None, index: int) -> Reply | None:
    """The first item that none is better than; `None` where there is none."""
    best: Value | None = None
    best_key: Value | None = None
    while True:
        item = next_item(machine, iterator)
        if item is None:
            return best
        reply: Reply = item if key is None or isinstance(item, STOPS) else machine.call(machine, key, [item], ())
        if isinstance(item, STOPS) or isinstance(reply, STOPS):
            return reply
        if best is None or best_key is None:
            best, best_key = item, reply
            continue
        better = compare(machine, index, reply, best_key)
        wanted = better if isinstance(better, STOPS) else truth(machine, better)
        if isinstance(wanted, STOPS):
            return wanted
        if wanted:
            best, best_key = item, reply


def _quantifier(decisive: bool) -> Rule:
    """`any` (a true item decides) or `all` (a false one)."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 1):
            return misfit(machine)
        iterator = get_iterator(machine, args[0])
        if isinstance(iterator, STOPS):
            return iterator
        while True:
            item = next_item(machine, iterator)
            if item is None:
                return boolean(not decisive)
            answer = item if isinstance(item, STOPS) else truth(machine, item)
            if isinstance(answer, STOPS):
                return answer
            if answer is decisive:
                return TRUE if decisive else FALSE

    return rule


def _reduce(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 3):
        return misfit(machine)
    iterator = get_iterator(machine, args[1])
    if is_raised(machine, iterator, TypeError):
        return fold(machine, functools.reduce, (max, None))
    if isinstance(iterator, STOPS):
        return iterator
    total = args[2] if len(args) == 3 else next_item(machine, iterator)
    if total is None:
        return fold(machine, functools.reduce, (max, []))
    if isinstance(total, STOPS):
        return total
    while True:
        item = next_item(machine, iterator)
        if item is None:
            return total
        reply = item if isinstance(item, STOPS) else machine.call(machine, args[0], [total, item], ())
        if isinstance(reply, STOPS):
            return reply
        total = reply


REDUCTION_RULES: Final[dict[object, Rule]] = {
    sum: _sum,
    min: _extreme(min, _LESS),
    max: _extreme(max, _GREATER),
    any: _quantifier(True),
    all: _quantifier(False),
    functools.reduce: _reduce,
}
