"""Builtin functions and types that make or advance iterators: `iter`, `next`, `enumerate`, `zip`, `map`, ..."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, named, positional
from symexec.interpreter.builtins.functions import is_callable
from symexec.interpreter.equivalents.made_by_iter import Backward, Calls
from symexec.interpreter.equivalents.table import ITERATORS
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Finished, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.equivalents import make_equivalent
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.iterate import (
    get_iterator,
    step_iterator,
)
from symexec.interpreter.protocol.raising import is_raised, raise_stop
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.reversing import reverse_iterator
from symexec.interpreter.protocol.special import names_of
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.interpreter.protocol.truth import truth
from symexec.values.heap import IteratorContent, TupleContent
from symexec.values.model import Constant, Made, Traced, Value


def _iter(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 2):
        return misfit(machine)
    if len(args) == 1:
        return get_iterator(machine, args[0])
    answer = is_callable(machine, args[0])
    if isinstance(answer, Break):
        return answer
    return make_equivalent(machine, Calls, args) if answer else fold(machine, iter, (0, 0))


def _next(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 2):
        return misfit(machine)
    item = step_iterator(machine, args[0])
    if isinstance(item, Finished):
        return args[1] if len(args) == 2 else raise_stop(machine, item.value)
    return args[1] if len(args) == 2 and is_raised(machine, item, StopIteration) else item


def _enumerate(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = named(args, kwargs, ("iterable", "start"))
    if given is None or "iterable" not in given:
        return misfit(machine)
    start = constant_of(machine, given.get("start", Constant(0)))
    if not isinstance(start, int):
        return misfit(machine)
    iterator = get_iterator(machine, given["iterable"])
    if isinstance(iterator, STOPS):
        return iterator
    return machine.heap.make(IteratorContent(enumerate, iterator, int(start)))


def _iterators(machine: Machine, values: Sequence[Value]) -> list[Value] | Raise | Break:
    found: list[Value] = []
    for value in values:
        iterator = get_iterator(machine, value)
        if isinstance(iterator, STOPS):
            return iterator
        found.append(iterator)
    return found


def _make(machine: Machine, kind: type, sources: Sequence[Value], index: int = 0) -> Made:
    return machine.heap.make(IteratorContent(kind, machine.heap.make(TupleContent(tuple(sources))), index))


def _zip(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    strict: bool | Raise | Break = False
    if kwargs:
        strict = truth(machine, kwargs[0][1])
        if isinstance(strict, STOPS):
            return strict
        if len(kwargs) != 1 or kwargs[0][0] != "strict":
            return misfit(machine)
    iterators = _iterators(machine, args)
    return iterators if isinstance(iterators, STOPS) else _make(machine, zip, iterators, strict is True)


def _map(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if kwargs or len(args) < 2:
        return misfit(machine)
    iterators = _iterators(machine, args[1:])
    return iterators if isinstance(iterators, STOPS) else _make(machine, map, [args[0], *iterators])


def _filter(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    iterators = _iterators(machine, args[1:])
    return iterators if isinstance(iterators, STOPS) else _make(machine, filter, [args[0], *iterators])


def _reversed(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 1, 1):
        return misfit(machine)
    value = machine.resolve(args[0])
    type_ = machine.type_of(value)
    if not is_static_type(type_):
        return _user_reversed(machine, value, type_)
    if isinstance(value, Traced):
        return machine.stop("SX2116", f"reversing a {class_name(type_)} is not captured", "index it with [::-1]")
    if builtin_base(type_) not in (None, type_):
        return _user_reversed(machine, value, type_)
    return reverse_iterator(machine, type_, value)


def _user_reversed(machine: Machine, value: Value, type_: type) -> Reply:
    method = special_method(machine, value, "__reversed__")
    if isinstance(method, STOPS):
        return method
    if method is not None:
        return call_special(machine, method, value)
    method = special_method(machine, value, "__getitem__")
    if isinstance(method, STOPS):
        return method
    if method is None:
        return raise_naming(machine, type_, lambda name: TypeError(f"'{name}' object is not reversible"))
    if is_builtin(method):
        return machine.stop("SX2116", f"reversing an object of type {class_name(type_)} is not interpreted")
    return make_equivalent(machine, Backward, [value])


def _next_of(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`__next__` of an iterator that the trace made."""
    return _next(machine, args, kwargs) if len(args) == 1 and _is_made(machine, args[0]) else misfit(machine)


def _iter_of(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`__iter__` of an iterator that the trace made."""
    return args[0] if positional(args, kwargs, 1, 1) and _is_made(machine, args[0]) else misfit(machine)


def _is_made(machine: Machine, value: Value) -> bool:
    return isinstance(value, Made) and isinstance(machine.heap.content(value), IteratorContent)


_KINDS: Final = {
    *ITERATORS.values(),
    *(enumerate, zip, map, filter),
    *map(type, map(iter, ([], (), "", b"", range(0), set(), {}, {}.values(), {}.items()))),
    *map(type, (reversed([]), reversed({}), reversed({}.values()), reversed({}.items()))),
} - {tuple}

ITERATOR_RULES: Final[dict[object, Rule]] = {
    iter: _iter,
    next: _next,
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    reversed: _reversed,
    **{names_of(kind)["__next__"]: _next_of for kind in _KINDS},
    **{names_of(kind)["__iter__"]: _iter_of for kind in _KINDS},
}
