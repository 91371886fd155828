"""Which guard of a trace a state does not meet, found by checking guards in Python as the emitted code does.

What is kept of a trace for this refers to the user's objects weakly, as emitted code does.  Like the emitted guards it
runs no user code, because it stops at the first guard that does not hold.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence, Sized
from types import BuiltinFunctionType, CellType, MethodType, MethodWrapperType
from typing import TypeAlias, cast

import attrs

from symexec.capture.holders import Box, WeakHolder
from symexec.runtime.reports import Miss
from symexec.values.guard import (
    CellIsEmpty,
    Check,
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
from symexec.values.keys import ObjectKey, loaded_from
from symexec.values.origin import (
    Attribute,
    Cell,
    Contents,
    DictKey,
    Fixed,
    Global,
    Globals,
    Handled,
    Held,
    Item,
    Local,
    Origin,
    Past,
    Stack,
    TypeOf,
)
from symexec.values.outside import is_from_handler

Read: TypeAlias = Callable[[Miss], object]
Test: TypeAlias = Callable[[Miss], bool]


@attrs.frozen(eq=False, repr=False)
class GuardProbes:
    """The guards of one trace, in order, as text and test."""

    probes: tuple[tuple[str, Test], ...]

    @staticmethod
    def of(guards: Sequence[Guard]) -> GuardProbes:
        """Probes for the guards of a trace."""
        return GuardProbes(tuple((describe(guard), _test(_reader(guard.origin), guard.check)) for guard in guards))

    def first_failing(self, miss: Miss) -> str | None:
        """The first guard that does not hold for the state; `None` if all do."""
        for text, test in self.probes:
            try:
                holds = test(miss)
            except Exception as error:  # as in emitted code, an exception in a guard is a miss
                if is_from_handler(error):
                    raise
                holds = False
            if not holds:
                return text
        return None


def _reader(origin: Origin) -> Read:
    """What reads the origin from a state; raises where it reaches nothing."""
    match origin:
        case Local(slot=slot) | Cell(slot=slot):
            return lambda miss: miss.slots[slot]
        case Stack(index=index):
            return lambda miss: miss.stack[index]
        case Global(name=name):
            return lambda miss: _global(miss.globals, name)
        case Globals():
            return lambda miss: miss.globals
        case Handled():
            return lambda miss: sys.exception()
        case Fixed(value=value) | Held(value=value):
            return _holder(value)
        case Contents(cell=base):
            return _derived(base, _contents)
        case TypeOf(base=base):
            return _derived(base, type)
        case Attribute(base=base, name=name):
            return _derived(base, lambda found: getattr(found, name))
        case Past(base=base, name=name):
            return _derived(base, lambda found: object.__getattribute__(found, name))
        case Item(base=base, key=key):
            read_key = _key_reader(key)
            read_base = _reader(base)
            return lambda miss: _item(read_base(miss), read_key(miss))
        case DictKey(base=base, index=index):
            return _derived(base, lambda found: _keys(found)[index])


def _derived(base: Origin, step: Callable[[object], object]) -> Read:
    read = _reader(base)
    return lambda miss: step(read(miss))


def _holder(value: object) -> Read:
    """Reads an object that was known when the trace was made, without keeping it alive."""
    try:
        held: Callable[[], object] = WeakHolder(value)
    except TypeError:  # nothing that a weak reference can be made to is guarded by identity but what lives for ever
        held = Box(value)
    return lambda miss: held()


def _global(namespace: Mapping[str, object], name: str) -> object:
    if name in namespace:
        return namespace[name]
    builtins = namespace["__builtins__"]
    return builtins[name] if isinstance(builtins, dict) else getattr(builtins, name)


def _contents(cell: object) -> object:
    if type(cell) is not CellType:
        raise TypeError("not a cell")
    return cell.cell_contents


def _item(container: object, key: object) -> object:
    return cast("Mapping[object, object]", container)[key]


def _keys(container: object) -> tuple[object, ...]:
    return tuple(cast("Iterable[object]", container))


def _key_reader(key: Hashable) -> Read:
    """What reads a key, or a tuple equal to it, from a state."""
    if not isinstance(key, ObjectKey):
        return lambda miss: key
    origin = loaded_from(key)
    if origin is not None:
        return _reader(origin)
    parts = [_key_reader(part) for part in key.identity] if isinstance(key.identity, tuple) else []
    return lambda miss: tuple(part(miss) for part in parts)


def _are_keys(keys: tuple[object, ...], types: list[int] | None, wanted: list[object]) -> bool:
    return (types is None or types == list(map(id, map(type, keys)))) and list(keys) == wanted


def _has_types(keys: tuple[object, ...], allowed: frozenset[int], limit: int) -> bool:
    return len(keys) <= limit and all(id(type(key)) in allowed for key in keys)


def _equals(found: object, value: object) -> bool:
    return type(found) is type(value) and Equals(found) == Equals(value)


def _is_bound_builtin(method: object, function: object) -> bool:
    if not isinstance(method, (BuiltinFunctionType, MethodWrapperType)):
        return False
    try:
        return bool(method == type(function).__dict__["__get__"](function, method.__self__))
    except TypeError:
        return False


def _lacks(found: object, name: str) -> bool:
    try:
        getattr(found, name)
    except AttributeError:
        return True
    return False


def _test(read: Read, check: Check) -> Test:
    """What tells whether a state meets the check."""
    match check:
        case TypeIs(type=type_):
            wanted = _holder(type_)
            return lambda miss: type(read(miss)) is wanted(miss)
        case Is(value=value):
            same = _holder(value)
            return lambda miss: read(miss) is same(miss)
        case Equals(value=value):
            return lambda miss: _equals(read(miss), value)
        case Length(length=length):
            return lambda miss: len(cast("Sized", read(miss))) == length
        case KeysAre(keys=keys, types=types):
            if types is None and not any(isinstance(key, ObjectKey) for key in keys):
                return lambda miss: _equals(_keys(read(miss)), keys)
            wanted_keys = [_key_reader(key) for key in keys]
            kinds = None if types is None else list(map(id, types))
            return lambda miss: _are_keys(_keys(read(miss)), kinds, [read_key(miss) for read_key in wanted_keys])
        case KeyTypes(types=possible, limit=limit):
            allowed = frozenset(map(id, possible))
            return lambda miss: _has_types(_keys(read(miss)), allowed, limit)
        case ContainsKey(key=key, present=present):
            wanted_key = _key_reader(key)
            return lambda miss: (wanted_key(miss) in cast("Container[object]", read(miss))) is present
        case Lacks(name=name):
            return lambda miss: _lacks(read(miss), name)
        case IsBoundMethod(function=function):
            behind = _holder(function)
            return lambda miss: type(method := read(miss)) is MethodType and method.__func__ is behind(miss)
        case IsBoundBuiltin(function=function):
            return lambda miss: _is_bound_builtin(read(miss), function)
        case SameAs(other=other, same=wanted_same):
            read_other = _reader(other)
            return lambda miss: (read(miss) is read_other(miss)) is wanted_same
        case Present():
            return lambda miss: (read(miss), True)[1]
        case CellIsEmpty():
            return lambda miss: read(miss) == CellType()
        case HasBits(mask=mask, bits=bits):
            return lambda miss: cast("int", read(miss)) & mask == bits
        case Gives(value=value):
            return lambda miss: cast("Callable[[], object]", read(miss))() == value
