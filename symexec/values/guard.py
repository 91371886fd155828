"""What a trace relies on: guards, in the order in which they must be checked.

Pure data: `capture` emits them, `report` prints them.  A guard runs no user code and has no effect.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Hashable, Sequence
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Final, TypeAlias

import attrs
from typing_extensions import override

from symexec.values.origin import DictKey, Fixed, Item, Origin, base_of


def _identity(value: object) -> int:
    return id(value)


def _typed(value: object) -> object:
    """Distinguish what `==` does not: `1`, `True`, `1.0`; `0.0`, `-0.0`; nested in tuples too."""
    if type(value) is tuple:
        return tuple(_typed(item) for item in value)
    if type(value) is float or type(value) is complex:
        return type(value), repr(value)
    return type(value), value


@attrs.frozen
class TypeIs:
    """`type(it) is type`."""

    type: type = attrs.field(eq=_identity)


@attrs.frozen
class Is:
    """`it is value`.  `value` must be weakly referencable or `Fixed`-worthy."""

    value: object = attrs.field(eq=_identity)


@attrs.frozen
class Equals:
    """It has exactly the type and value of `value`: an int, float, complex, str, bytes, bool, None or tuple of such.

    Zeros differ by sign; a NaN equals every NaN.  With `typed` false the type is known already (`x.shape`).
    """

    value: object = attrs.field(eq=_typed)
    typed: bool = True


@attrs.frozen
class Length:
    """`len(it) == length`, of an exact builtin container."""

    length: int


def _identities(types: tuple[type, ...] | None) -> tuple[int, ...] | None:
    return None if types is None else tuple(map(id, types))


@attrs.frozen
class KeysAre:
    """The keys of an exact dict, in order, are these: exact builtin scalars, what is process-wide, `ObjectKey`s.

    They are of exactly the `types`, where those are given: subclasses of the scalars'.
    """

    keys: tuple[Hashable, ...] = attrs.field(eq=_typed)
    types: tuple[type, ...] | None = attrs.field(default=None, eq=_identities)


@attrs.frozen
class KeyTypes:
    """The keys of a dict or set, at most `limit`, are of these exact types; that those still exist was guarded before.

    Comparing such keys runs no code.
    """

    types: tuple[type, ...] = attrs.field(eq=_identities)
    limit: int


@attrs.frozen
class ContainsKey:
    """`(key in it) is present`, of an exact builtin dict, set or frozenset and a constant or an `ObjectKey`."""

    key: Hashable = attrs.field(eq=_typed)
    present: bool


@attrs.frozen
class Lacks:
    """An ordinary attribute load of `name` raises `AttributeError`; no user code can run in it."""

    name: str


@attrs.frozen
class IsBoundMethod:
    """It is a bound method of exactly the function `function` (and so was not shadowed on the way)."""

    function: object = attrs.field(eq=_identity)


@attrs.frozen
class IsBoundBuiltin:
    """It is exactly the C method `function`, of a builtin type, bound to an object."""

    function: object = attrs.field(eq=_identity)


@attrs.frozen
class SameAs:
    """`(it is what other reaches) is same`: two paths are, or are not, aliases."""

    other: Origin
    same: bool


@attrs.frozen
class Present:
    """It is there: loading it raises nothing.  Nor would loading `otherwise`, another way to it."""

    otherwise: Origin | None = None


@attrs.frozen
class CellIsEmpty:
    """It is a cell with nothing in it."""


@attrs.frozen
class HasBits:
    """`it & mask == bits`, of an exact int."""

    mask: int
    bits: int


@attrs.frozen
class Gives:
    """Calling it, a C function without arguments, gives the int `value`."""

    value: int


Check: TypeAlias = (
    TypeIs
    | Is
    | Equals
    | Length
    | KeysAre
    | KeyTypes
    | ContainsKey
    | Lacks
    | IsBoundMethod
    | IsBoundBuiltin
    | SameAs
    | Present
    | CellIsEmpty
    | HasBits
    | Gives
)


@attrs.frozen(cache_hash=True)
class Guard:
    """One fact about what `origin` reaches at the anchor."""

    origin: Origin
    check: Check

    @override
    def __str__(self) -> str:
        return describe(self)


class GuardList:
    """The guards of one trace: appended in order, each once, cut back by `rollback`."""

    def __init__(self) -> None:
        self.guards: list[Guard] = []
        self._seen: set[Guard] = set()

    def add(self, origin: Origin, check: Check) -> None:
        """Record that the trace relies on `check` holding for `origin`.

        Facts of fixed objects need no guard, nor do those of a dict's keys, and of what is in keys that are tuples: all
        of them were guarded before.
        """
        if isinstance(origin, Fixed) and isinstance(check, (TypeIs, Is)):
            return
        base = origin.base if isinstance(origin, Item) else origin
        if isinstance(base, DictKey) and isinstance(check, (TypeIs, Equals)):
            return
        guard = Guard(origin, check)
        if guard not in self._seen:
            self._seen.add(guard)
            self.guards.append(guard)

    def mark(self) -> int:
        """A place to roll back to."""
        return len(self.guards)

    def rollback(self, mark: int) -> None:
        """Forget every guard added since `mark`."""
        while len(self.guards) > mark:
            self._seen.discard(self.guards.pop())


def describe(guard: Guard) -> str:
    """The guard as a Python-like condition."""
    it = str(guard.origin)
    match guard.check:
        case TypeIs(type=type_):
            return f"type({it}) is {class_name(type_)}"
        case Is(value=value):
            return f"{it} is {object_name(value)}"
        case Equals(value=value):
            return f"{it} == {value!r}"
        case Length(length=length):
            return f"len({it}) == {length}"
        case KeysAre(keys=keys):
            return f"tuple({it}) == {keys!r}"
        case KeyTypes(types=types, limit=limit):
            return f"len({it}) <= {limit} and {{*map(type, {it})}} <= {{{', '.join(map(class_name, types))}}}"
        case ContainsKey(key=key, present=present):
            return f"{key!r} {'in' if present else 'not in'} {it}"
        case Lacks(name=name):
            return f"not hasattr({it}, {name!r})"
        case IsBoundBuiltin(function=function):
            return f"{it} == {object_name(function)}.__get__({it}.__self__)"
        case IsBoundMethod(function=function):
            return f"{it}.__func__ is {object_name(function)}"
        case SameAs(other=other, same=same):
            return f"{it} {'is' if same else 'is not'} {other}"
        case Present():
            return f"{it} is there"
        case CellIsEmpty():
            return f"{it} is empty"
        case HasBits(mask=mask, bits=bits):
            return f"{it} & {mask:#x} == {bits:#x}"
        case Gives(value=value):
            return f"{it}() == {value}"


def needed(guards: Sequence[Guard]) -> tuple[Guard, ...]:
    """The guards without those for the presence of what another one loads anyway."""
    loaded: set[Origin] = set()
    for guard in guards:
        check = guard.check
        steps = [base_of(guard.origin) if isinstance(check, Present) else guard.origin]
        if isinstance(check, SameAs):
            steps.append(check.other)
        for step in steps:
            while step is not None and step not in loaded:
                loaded.add(step)
                step = base_of(step)
    return tuple(guard for guard in guards if not _is_loaded(guard, loaded))


def _is_loaded(guard: Guard, loaded: set[Origin]) -> bool:
    check = guard.check
    return isinstance(check, Present) and (guard.origin in loaded or check.otherwise in loaded)


_BUILT_IN: Final = frozenset(
    {
        BuiltinFunctionType,
        ClassMethodDescriptorType,
        GetSetDescriptorType,
        MemberDescriptorType,
        MethodDescriptorType,
        WrapperDescriptorType,
    }
)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
class_name: Final[Callable[[type], str]] = type.__dict__["__qualname__"].__get__
"""The qualified name of a class; asks no metaclass."""

_bases: Final[Callable[[type], tuple[type, ...]]] = type.__dict__["__mro__"].__get__
_namespace: Final[Callable[[type], dict[str, object]]] = type.__dict__["__dict__"].__get__
_module_name: Final[Callable[[object, str], object]] = ModuleType.__getattribute__


def object_name(value: object) -> str:
    """What to call an object in a message: the same in every process; runs no user code."""
    kind = type(value)
    if issubclass(kind, type) and isinstance(value, type):
        return f"<class {class_name(value)}>"
    if type(value) is CodeType:
        return f"<code of {value.co_qualname}>"
    if type(value) is FunctionType:
        return f"<function {value.__qualname__}>"
    if kind in _BUILT_IN:
        return f"<built-in {getattr(value, '__qualname__', kind.__name__)}>"
    if kind is ModuleType:
        return f"<module {_module_name(value, '__name__')}>"
    if _is_written_in_c(kind) and not gc.is_tracked(value):
        return _ADDRESS.sub("", repr(value))  # it refers to nothing that could have a repr of its own
    return _ADDRESS.sub("", object.__repr__(value))


def _is_written_in_c(kind: type) -> bool:
    """Whether the `repr` of objects of that type is."""
    found = next(space["__repr__"] for base in _bases(kind) if "__repr__" in (space := _namespace(base)))
    return type(found) is WrapperDescriptorType
