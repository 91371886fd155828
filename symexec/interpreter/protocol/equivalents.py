"""Running equivalents: the machine interprets a plain Python function or class of ours in place of C code.

The user never sees them: where one of their instructions breaks, the call of the original is what breaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.equivalents.table import ITERATORS
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.fixed import is_end, is_fixed_class
from symexec.interpreter.protocol.special import names_of
from symexec.values.heap import Heap, IteratorContent, ObjectContent
from symexec.values.model import Known, Made, Value
from symexec.values.origin import Fixed

_KINDS: Final[Mapping[int, type]] = {id(class_): kind for class_, kind in ITERATORS.items()}


def fits(function: FunctionType, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> bool:
    """Whether the function takes these arguments; where it does not, the original has its own words."""
    code = function.__code__
    positional, total = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    if len(args) > positional and not code.co_flags & CO_VARARGS:
        return False
    given = set(range(min(len(args), positional)))
    for name, _ in kwargs:
        if name in code.co_varnames[code.co_posonlyargcount : total]:
            place = code.co_varnames.index(name)
            if place in given:
                return False
            given.add(place)
        elif not code.co_flags & CO_VARKEYWORDS:
            return False
    defaults = range(positional - len(function.__defaults__ or ()), positional)
    named = {code.co_varnames.index(name) for name in function.__kwdefaults__ or ()}
    return given.union(defaults, named).issuperset(range(total))


def call_equivalent(
    machine: Machine, function: FunctionType, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]] = ()
) -> Reply:
    """Call a function of ours; the arguments must fit."""
    return machine.call(machine, Known(function, Fixed(function)), args, kwargs)


def method_of(class_: type, name: str) -> FunctionType:
    """A method of an equivalent."""
    found = names_of(class_)[name]
    if not isinstance(found, FunctionType):
        raise InternalError(f"{name} of an equivalent is no function")
    return found


def make_equivalent(
    machine: Machine, class_: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]] = ()
) -> Reply:
    """Call a class of ours; the arguments must fit.  An iterator is of the original's type."""
    made = machine.heap.make(ObjectContent(class_, {}))
    reply = call_equivalent(machine, method_of(class_, "__init__"), [made, *args], kwargs)
    if isinstance(reply, STOPS):
        return reply
    kind = _KINDS.get(id(class_))
    return made if kind is None else machine.heap.make(IteratorContent(kind, made, 0))


def equivalent_of(heap: Heap, source: Value | None) -> type | None:
    """The class of ours that stands behind an iterator of that source, if one does."""
    content = heap.content(source) if isinstance(source, Made) else None
    found = content.type if isinstance(content, ObjectContent) else None
    return found if found is not None and is_fixed_class(found) else None


def advance_equivalent(machine: Machine, class_: type, source: Value) -> Value | Raise | Break | None:
    """The next item of an iterator that a class of ours stands behind."""
    reply = call_equivalent(machine, method_of(class_, "advance"), [source])
    return None if not isinstance(reply, STOPS) and is_end(reply) else reply
