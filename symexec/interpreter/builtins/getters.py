"""Making objects of C that are called: `operator.attrgetter`, `itemgetter` and `methodcaller`, `functools.partial`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from functools import partial
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, named
from symexec.interpreter.builtins.functions import is_callable
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.getters import KEY_TYPE, is_placeholder, partial_content
from symexec.values.heap import CalledContent
from symexec.values.model import Known, Value


def _attrgetter(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if kwargs or not args or not all(type(constant_of(machine, arg)) is str for arg in args):
        return misfit(machine)
    return machine.heap.make(CalledContent(operator.attrgetter, operator.attrgetter, tuple(args)))


def _itemgetter(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if kwargs or not args:
        return misfit(machine)
    return machine.heap.make(CalledContent(operator.itemgetter, operator.itemgetter, tuple(args)))


def _methodcaller(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not args or type(constant_of(machine, args[0])) is not str:
        return misfit(machine)
    values = (*args, *(value for _, value in kwargs))
    names = tuple(name for name, _ in kwargs)
    return machine.heap.make(CalledContent(operator.methodcaller, operator.methodcaller, values, names))


def _partial(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not args or any(is_placeholder(value) for value in (*args, *(value for _, value in kwargs))):
        return misfit(machine)
    function = args[0]
    answer = is_callable(machine, function)
    if isinstance(answer, Break):
        return answer
    if not answer:
        return Raise(TypeError("the first argument must be callable"))
    if isinstance(function, Known) and type(function.value) is partial:
        return machine.stop("SX2021", "a partial of a partial that existed before the trace is not interpreted")
    under = partial_content(machine, function)
    named: dict[str, Value] = {}
    if under is not None:
        split = len(under.args) - len(under.names)
        named.update(zip(under.names, under.args[split:], strict=True))
        args = [*under.args[:split], *args[1:]]
    named.update(kwargs)
    return machine.heap.make(CalledContent(partial, partial, (*args, *named.values()), tuple(named)))


def _cmp_to_key(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = named(args, kwargs, ("mycmp",))
    if given is None or "mycmp" not in given:
        return misfit(machine)
    return machine.heap.make(CalledContent(KEY_TYPE, functools.cmp_to_key, (given["mycmp"],)))


GETTER_RULES: Final[dict[object, Rule]] = {
    operator.attrgetter: _attrgetter,
    operator.itemgetter: _itemgetter,
    operator.methodcaller: _methodcaller,
    partial: _partial,
    functools.cmp_to_key: _cmp_to_key,
}
