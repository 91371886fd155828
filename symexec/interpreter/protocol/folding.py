"""Computing with constants by calling the original function, within limits of size.

Only functions that run no user code for exact builtin arguments, and that do not keep their arguments, are folded.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import UnionType
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import NOT_CONCRETE, SCALARS, Machine, is_static_type
from symexec.interpreter.made_types import has_plain_keys
from symexec.interpreter.outcomes import Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.classes import class_name, class_record
from symexec.interpreter.protocol.contents import (
    SIZE_LIMIT,
    dict_content,
    list_content,
    range_of,
    slice_of,
    tuple_items,
)
from symexec.interpreter.protocol.refusals import rely_on_own_names
from symexec.interpreter.protocol.special import is_among, type_ids
from symexec.values.heap import Absent, DictContent, ListContent, SetContent, TupleContent, ViewContent
from symexec.values.keys import ObjectKey
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Fixed
from symexec.values.outside import is_from_handler

BITS_LIMIT: Final = 100_000
"""Bits of an integer beyond which nothing is computed at trace time."""

_COPY_DEPTH: Final = 20
_CONSTANT_IDS: Final = type_ids(SCALARS | {range, slice, UnionType})
_RANGE_AND_SCALAR_IDS: Final = type_ids(SCALARS | {range})
_SIZED_IDS: Final = type_ids((str, bytes, tuple, list, dict, set, frozenset))


def is_plain(value: object) -> bool:
    """Whether `value` is an exact builtin scalar, or a tuple, frozenset, range or slice of such, not nested deeply."""
    return _is_plain(value, _COPY_DEPTH)


def _is_plain(value: object, depth: int) -> bool:
    if id(type(value)) in _RANGE_AND_SCALAR_IDS:
        return True
    if depth == 0:
        return False
    if type(value) is tuple or type(value) is frozenset:
        return all(_is_plain(item, depth - 1) for item in value)
    if type(value) is slice:
        return all(_is_plain(item, depth - 1) for item in (value.start, value.stop, value.step))
    return False


def holds_nan(value: object) -> bool:
    """Whether `value`, or what is in it, is not equal to itself: then containers go by identity."""
    if type(value) is tuple or type(value) is frozenset or type(value) is list:
        return any(map(holds_nan, value))
    return (type(value) is float or type(value) is complex) and value != value


def fold(
    machine: Machine,
    function: object,
    args: Sequence[object],
    kwargs: Mapping[str, object] | None = None,
) -> Reply:
    """What `function` gives for these concrete arguments; what it raises, the program would raise."""
    if not callable(function):
        raise InternalError(f"{function!r} cannot be called")
    try:
        result: object = function(*args, **(kwargs or {}))
    except Exception as error:
        if is_from_handler(error):
            raise
        return Raise(error.with_traceback(None))
    return wrap(machine, result)


def wrap(machine: Machine, result: object) -> Reply:
    """A new or immutable builtin object, as a value; a break for what is too large or of another type."""
    kind = type(result)
    if id(kind) in _SIZED_IDS and _length(result) > SIZE_LIMIT:
        return too_large(machine, _length(result))
    if type(result) is int and result.bit_length() > BITS_LIMIT:
        return too_large(machine, result.bit_length())
    if id(kind) in _CONSTANT_IDS:
        return Constant(result)
    if type(result) is tuple or type(result) is list:
        return _wrap_sequence(machine, result)
    if type(result) is dict:
        return _wrap_dict(machine, result)
    if type(result) is set and all(is_plain(item) or isinstance(item, ObjectKey) for item in result):
        return machine.heap.make(SetContent(result, None))
    if type(result) is frozenset and is_plain(result):
        return Constant(result)
    if machine.is_fixed(result):
        return Known(result, Fixed(result))
    return machine.stop("SX2105", f"a result of type {class_name(kind)} is not followed")


def _wrap_sequence(machine: Machine, result: tuple[object, ...] | list[object]) -> Reply:
    if type(result) is tuple and is_plain(result):
        return Constant(result)
    items: list[Value] = []
    for item in result:
        reply = wrap(machine, item)
        if isinstance(reply, (Raise, Break)):
            return reply
        items.append(reply)
    return machine.heap.make(TupleContent(tuple(items)) if type(result) is tuple else ListContent(items))


def _wrap_dict(machine: Machine, result: dict[Hashable, object]) -> Reply:
    entries: dict[Hashable, Value | Absent] = {}
    for key, item in result.items():
        reply = wrap(machine, item)
        if isinstance(reply, (Raise, Break)):
            return reply
        if not is_plain(key):
            return machine.stop("SX2105", f"a key of type {class_name(type(key))} is not followed")
        entries[key] = reply
    return machine.heap.make(DictContent(entries, complete=True))


def _length(value: object) -> int:
    return len(value) if isinstance(value, (str, bytes, tuple, list, dict, set, frozenset)) else 0


def too_large(machine: Machine, size: int) -> Break:
    """The break for a result that would be too large to compute at trace time."""
    return machine.stop("SX9102", f"a result of size {size} is left to be computed at run time")


def copied(machine: Machine, value: Value) -> object:
    """A Python object equal to what `value` is now; `NOT_CONCRETE` if it is not wholly made of exact builtin constants.

    For functions that neither keep nor change their arguments.
    """
    return _copied(machine, value, _COPY_DEPTH)


def _copied(machine: Machine, value: Value, depth: int) -> object:
    value = machine.specialise(value)
    found = machine.concrete(value)
    if found is not NOT_CONCRETE:
        return found if is_plain(found) else NOT_CONCRETE
    if depth == 0 or not isinstance(value, (Made, Known)):
        return NOT_CONCRETE
    content = machine.heap.content(value) if isinstance(value, Made) else None
    if isinstance(content, ViewContent):
        whole = _copied(machine, content.mapping, depth - 1)
        if not isinstance(whole, dict):
            return NOT_CONCRETE
        return {"keys": whole.keys, "values": whole.values, "items": whole.items}[content.kind]()
    type_ = machine.type_of(value)
    if type_ is list or type_ is tuple:
        return _copied_sequence(machine, value, type_, depth)
    if type_ is range or type_ is slice:
        part = range_of(machine, value) if type_ is range else slice_of(machine, value)
        return NOT_CONCRETE if isinstance(part, Break) else part
    if type_ is dict:
        entries = dict_content(machine, value, complete=True)
        return NOT_CONCRETE if isinstance(entries, Break) else _copied_dict(machine, entries, depth)
    known_order = isinstance(content, SetContent) and (content.history is not None or len(content.items) < 2)
    if not isinstance(content, SetContent) or any(isinstance(item, ObjectKey) for item in content.items):
        return NOT_CONCRETE
    return content.items if known_order else NOT_CONCRETE


def _copied_sequence(machine: Machine, value: Made | Known, type_: type, depth: int) -> object:
    found = list_content(machine, value) if type_ is list else tuple_items(machine, value)
    if isinstance(found, Break):
        return NOT_CONCRETE
    parts: list[object] = []
    for item in found.items if isinstance(found, ListContent) else found:
        part = _copied(machine, item, depth - 1)
        if part is NOT_CONCRETE:
            return NOT_CONCRETE
        parts.append(part)
    return parts if type_ is list else tuple(parts)


def _copied_dict(machine: Machine, content: DictContent, depth: int) -> object:
    whole: dict[Hashable, object] = {}
    if not has_plain_keys(machine.heap, content):
        return NOT_CONCRETE
    for key, entry in content.entries.items():
        if isinstance(entry, Absent):
            continue
        part = _copied(machine, entry, depth - 1)
        if part is NOT_CONCRETE:
            return NOT_CONCRETE
        whole[key] = part
    return whole


def refusal(machine: Machine, function: object, values: Sequence[Value]) -> Raise | Break:
    """Python's own error for operands whose types `function` surely refuses; a break where it may not."""
    samples = [_sample(machine, value) for value in values]
    if NOT_CONCRETE not in samples:
        for value in values:
            stop = rely_on_own_names(machine, class_record(machine, machine.type_of(value)))
            if stop is not None:
                return stop
        reply = fold(machine, function, samples)
        if isinstance(reply, Raise) and isinstance(reply.exception, TypeError):
            return reply
    names = " and ".join(class_name(machine.type_of(value)) for value in values)
    return machine.stop("SX2109", f"{getattr(function, '__name__', function)} of {names} is not interpreted")


def _sample(machine: Machine, value: Value) -> object:
    """An object that refuses what `value` refuses, with the same words."""
    type_ = machine.type_of(value)
    if is_among(type_, (list, tuple, dict, set, frozenset)):
        return type_()
    if not is_static_type(type_):
        base = builtin_base(type_)
        return type(class_name(type_), () if base is None else (base,), {})()
    return value.value if isinstance(value, Constant) and is_plain(value.value) else NOT_CONCRETE
