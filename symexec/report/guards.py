"""Guards as text, by the variable that they are about, and what has to change for a trace not to fit any more."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from symexec.values.effect import Effect, SetAttribute, SetContents, SetItem
from symexec.values.guard import (
    CellIsEmpty,
    ContainsKey,
    Equals,
    Gives,
    Guard,
    HasBits,
    Is,
    IsBoundBuiltin,
    IsBoundMethod,
    KeysAre,
    KeyTypes,
    Lacks,
    Length,
    Present,
    SameAs,
    TypeIs,
    describe,
)
from symexec.values.model import Constant, Known
from symexec.values.origin import Attribute, Contents, Fixed, Global, Globals, Held, Item, Origin, base_of

WIDTH: Final = 100
_NAMED: Final = (Global, Contents, Held, Fixed)  # where the paths to functions begin that are called by name


def root_of(origin: Origin) -> Origin:
    """Where in the frame the path begins; a cell and its contents are the same variable."""
    while not (isinstance(origin, Contents) and base_of(origin.cell) is None):
        base = base_of(origin)
        if base is None:
            return origin
        origin = base
    return origin


def guard_lines(guards: Sequence[Guard]) -> list[str]:
    """All guards, those of one variable together, in the order in which variables are first met."""
    groups: dict[str, list[str]] = {}
    for guard in guards:
        groups.setdefault(str(root_of(guard.origin)), []).append(describe(guard))
    return [line for texts in groups.values() for line in wrap(", ".join(texts))]


def wrap(text: str) -> list[str]:
    """The text in lines of at most `WIDTH` characters, where it can be broken."""
    return textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def recompile_lines(guards: Sequence[Guard], effects: Sequence[Effect]) -> list[str]:
    """What another trace would be made for."""
    values, sizes, kinds, aliases, definitions = _Names(), _Names(), _Names(), _Names(), _Names()
    for guard in guards:
        name, definition = str(guard.origin), _definition(guard)
        if definition is not None:
            definitions.add(definition)
            continue
        match guard.check:
            case Equals(value=value):
                values.add(name, f"{name} (now {value!r})")
            case Length(length=length):
                sizes.add(name, f"len({name}) (now {length})")
            case KeysAre() | KeyTypes():
                sizes.add(name, f"the keys of {name}")
            case ContainsKey(key=key, present=present):
                sizes.add(f"{name} {key!r}", f"whether {key!r} is in {name} (now {present})")
            case SameAs(other=other):
                aliases.add(f"whether {name} is {other}")
            case TypeIs() | Present() | CellIsEmpty() | Is() | IsBoundMethod() | IsBoundBuiltin() | Lacks() | HasBits():
                kinds.add(str(root_of(guard.origin)))
            case Gives():
                kinds.add(name)
    kinds.drop(values)
    lines = values.lines("another value of") + sizes.lines("another length or other keys")
    lines += kinds.lines("another type or object in") + aliases.lines("another answer to")
    lines += definitions.lines("a new definition of")
    return lines + list(_counters(guards, effects))


def _definition(guard: Guard) -> str | None:
    """The class, function or module whose definition the guard is about; `None` if it is about data."""
    step: Origin | None = guard.origin
    while step is not None:
        match step:
            case Held(value=value) | Fixed(value=value):
                return f"attributes of {step}" if issubclass(type(value), type) else str(step)
            case Attribute(base=Held() | Fixed()):
                step = base_of(step)
            case Attribute(base=base, name=name) if name.startswith("__") and isinstance(root_of(base), _NAMED):
                return str(base)  # a part of a function or class, such as its code
            case _:
                step = base_of(step)
    is_definition = isinstance(guard.check, (Is, IsBoundMethod, Lacks)) and isinstance(root_of(guard.origin), Global)
    if not is_definition:
        return None
    return f"{guard.origin}.{guard.check.name}" if isinstance(guard.check, Lacks) else str(guard.origin)


def _counters(guards: Sequence[Guard], effects: Sequence[Effect]) -> Iterator[str]:
    """Values that a trace is specialised on and that it changes itself: it never fits twice."""
    compared = {guard.origin: guard.check.value for guard in guards if isinstance(guard.check, Equals)}
    written: dict[Origin, object] = {}
    for effect in effects:
        target = _written(effect)
        if target is not None:
            written[target] = _new_value(effect)
    for origin, value in written.items():
        if origin in compared and Equals(value) != Equals(compared[origin]):
            yield f"note: the function itself changes {origin}, so that every call is a new case"


def _written(effect: Effect) -> Origin | None:
    match effect:
        case SetAttribute(owner=Known(origin=origin), name=name):
            return Attribute(origin, name)
        case SetItem(container=Known(origin=Globals()), key=str() as name):
            return Global(name)
        case SetItem(container=Known(origin=origin), key=key):
            return Item(origin, key)
        case SetContents(cell=Known(origin=origin)):
            return Contents(origin)
        case _:
            return None


def _new_value(effect: Effect) -> object:
    """The constant that is written, or something that equals no constant."""
    match effect:
        case SetAttribute(value=Constant(value=value)) | SetItem(value=Constant(value=value)):
            return value
        case SetContents(value=Constant(value=value)):
            return value
        case _:
            return effect


class _Names:
    """Names in order, each once, with what is said of them."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, name: str, text: str = "") -> None:
        """Remember a name."""
        self._texts.setdefault(name, text or name)

    def drop(self, others: _Names) -> None:
        """Forget the names that `others` has."""
        for name in others._texts:
            self._texts.pop(name, None)

    def lines(self, what: str) -> list[str]:
        """One sentence for all, or none."""
        return wrap(f"{what}: {', '.join(self._texts.values())}") if self._texts else []
