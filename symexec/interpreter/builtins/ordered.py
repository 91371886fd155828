"""`bisect` and `heapq` on exact lists: equivalents do it, once the arguments were checked."""

from __future__ import annotations

import bisect
import heapq
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.equivalents import ordered
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.contents import constant_of, list_content
from symexec.interpreter.protocol.equivalents import call_equivalent, fits
from symexec.values.model import Value


def _ours(name: str) -> FunctionType:
    found = vars(ordered)[name]
    if not isinstance(found, FunctionType):
        raise InternalError(f"{name} is no function")
    return found


def _heap(name: str, empty: bool) -> Rule:
    """On a heap, which may be empty or not."""
    function = _ours(name)
    count = function.__code__.co_argcount

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, count, count) or machine.type_of(args[0]) is not list:
            return misfit(machine)
        content = list_content(machine, args[0])
        if isinstance(content, Break):
            return content
        if not content.complete or len(content.items) > ordered.HEAP_LIMIT or not (content.items or empty):
            return misfit(machine)
        return call_equivalent(machine, function, args)

    return rule


def _bisect(name: str) -> Rule:
    """In a list, for a value of a builtin type: it does not say twice that it cannot be compared."""
    function = _ours(name)

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not fits(function, args, kwargs):
            return misfit(machine)
        given = {**dict(zip(("a", "x", "lo", "hi"), args, strict=False)), **dict(kwargs)}
        for name in ("lo", "hi"):
            number = constant_of(machine, given[name]) if name in given else 0
            if not (type(number) is int and 0 <= number <= sys.maxsize) and not (number is None and name == "hi"):
                return misfit(machine)
        if machine.type_of(given["a"]) is not list or not is_static_type(machine.type_of(given["x"])):
            return misfit(machine)
        return call_equivalent(machine, function, args, kwargs)

    return rule


_RULES: Final[dict[object, Rule]] = {
    bisect.bisect_left: _bisect("bisect_left"),
    bisect.bisect_right: _bisect("bisect_right"),
    bisect.insort_left: _bisect("insort_left"),
    bisect.insort_right: _bisect("insort_right"),
    heapq.heapify: _heap("make_heap", empty=True),
    heapq.heappop: _heap("heap_pop", empty=False),
    heapq.heappush: _heap("heap_push", empty=True),
    heapq.heappushpop: _heap("heap_push_pop", empty=True),
    heapq.heapreplace: _heap("heap_replace", empty=False),
}
ORDERED_RULES: Final[dict[object, Rule]] = {
    function: rule for function, rule in _RULES.items() if type(function) is BuiltinFunctionType
}
"""Where these are written in Python, that is interpreted."""
