"""How instances of subclasses of builtin types come to be: what `list.__new__(cls, ...)` and its like make."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.bases import SCALAR_BASES, builtin_base
from symexec.interpreter.protocol.length_hints import items_for_tuple
from symexec.interpreter.protocol.special import names_of
from symexec.values.heap import (
    Content,
    DequeContent,
    DictContent,
    ListContent,
    ScalarContent,
    SetContent,
    TupleContent,
)
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Fixed

_MAKERS: Final[Mapping[int, type]] = {
    id(names_of(type_)["__new__"]): type_ for type_ in (list, tuple, dict, set, deque, *SCALAR_BASES)
}
_INITIALISED: Final = (list, dict, set, deque, OrderedDict, defaultdict)
_INITIALISERS: Final = frozenset(id(names_of(type_)["__init__"]) for type_ in _INITIALISED)


def made_by(function: object) -> type | None:
    """The builtin type whose `__new__` the function is."""
    return _MAKERS.get(id(function))


def is_initialiser(function: object) -> bool:
    """Whether it is the `__init__` of a builtin container."""
    return id(function) in _INITIALISERS


def make_and_drop(type_: type) -> None:
    """Make an object of the type as its builtin base does; what cannot be made so raises `TypeError`."""
    maker = names_of(builtin_base(type_) or object)["__new__"]
    if callable(maker):
        maker(type_)


def held_at_first(
    machine: Machine, base: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Content | Raise | Break:
    """What an instance holds as an object of the builtin type after `base.__new__(cls, *args, **kwargs)`."""
    if base is list:
        return ListContent([])
    if base is dict:
        return DictContent({}, complete=True)
    if base is set:
        return SetContent(set())
    if base is deque:
        return DequeContent([], None)
    if base is tuple:
        if kwargs or len(args) > 1:
            return machine.stop("SX2022", "a tuple is made with arguments that it may refuse")
        items = items_for_tuple(machine, args[0]) if args else []
        return items if isinstance(items, STOPS) else TupleContent(tuple(items))
    made = machine.call(machine, Known(base, Fixed(base)), args, kwargs)
    if isinstance(made, STOPS):
        return made
    plain = machine.specialise(machine.resolve(made))
    if isinstance(plain, Constant) and type(plain.value) is base:
        return ScalarContent(plain)
    return machine.stop("SX2022", f"what a {base.__name__} is made of is not a constant")
