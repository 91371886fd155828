"""Asking an iterable how many items to expect, which C code does before it fills a list (`PyObject_LengthHint`).

What the answer is does not show; that Python code is asked does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Final

from symexec.interpreter.equivalents.made_by_iter import Backward, Indexed
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import SIZE_LIMIT
from symexec.interpreter.protocol.equivalents import equivalent_of
from symexec.interpreter.protocol.folding import fold, is_plain, too_large
from symexec.interpreter.protocol.iterate import all_of_iterator, get_iterator, items_at_hand
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.special import inherits
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, special_method
from symexec.interpreter.protocol.truth import length_of
from symexec.values.heap import Absent, IteratorContent, ObjectContent
from symexec.values.model import Constant, Known, Made, Traced, Value


def items_for_list(machine: Machine, value: Value) -> list[Value] | Raise | Break:
    """All items of `value`, as `list(value)` gets them."""
    return _items(machine, value, asks=True)


def items_for_tuple(machine: Machine, value: Value) -> list[Value] | Raise | Break:
    """All items of `value`, as `tuple(value)` gets them."""
    return _items(machine, value, asks=_TUPLES_ASK)


def _items(machine: Machine, value: Value, asks: bool) -> list[Value] | Raise | Break:
    found = items_at_hand(machine, value)
    if found is not None:
        return found
    iterator = get_iterator(machine, value)
    if isinstance(iterator, STOPS):
        return iterator
    stop = ask_length(machine, value) if asks else None
    return stop or all_of_iterator(machine, iterator)


def ask_length(machine: Machine, value: Value) -> Raise | Break | None:
    """Run what Python code says how many items `value` will give; its iterator was asked for before."""
    value = machine.resolve(value)
    if isinstance(value, (Constant, Traced)):
        return None
    content = machine.heap.content(value) if isinstance(value, Made) else None
    if isinstance(content, IteratorContent):
        return _ask_behind(machine, content)
    type_ = machine.type_of(value)
    if is_static_type(type_):
        return None
    method = special_method(machine, value, "__len__")
    if isinstance(method, STOPS):
        return method
    if method is not None:
        stop = _ask_len(machine, method, value, type_)
        if not is_raised(machine, stop, TypeError):
            return stop
    return _ask_hint(machine, value, type_)


def _ask_behind(machine: Machine, content: IteratorContent) -> Raise | Break | None:
    """The iterators that ask a sequence of the user's for its length; a `TypeError` of its own is no error."""
    source = content.source
    equivalent = equivalent_of(machine.heap, source)
    if equivalent is not Indexed and equivalent is not Backward:
        return None
    behind = machine.heap.content(source) if isinstance(source, Made) else None
    sequence = behind.attributes.get("sequence") if isinstance(behind, ObjectContent) else None
    if sequence is None or isinstance(sequence, (Absent, Constant, Traced)):
        return None
    method = special_method(machine, sequence, "__len__")
    if method is None or isinstance(method, STOPS):
        return method
    stop = _ask_len(machine, method, sequence, machine.type_of(sequence))
    return None if is_raised(machine, stop, TypeError) else stop


def _ask_len(machine: Machine, method: Value, value: Value, type_: type) -> Raise | Break | None:
    if is_builtin(method):
        return _trust(machine, method, type_)
    length = length_of(machine, value)
    if isinstance(length, STOPS):
        return length
    return too_large(machine, length) if length > SIZE_LIMIT else None


def _trust(machine: Machine, method: Value, type_: type) -> Break | None:
    """C code that tells the length of a builtin container runs no other, and refuses nothing."""
    owner: object = getattr(method.value, "__objclass__", None) if isinstance(method, Known) else None
    if isinstance(owner, type) and inherits(type_, owner):
        return None
    return machine.stop("SX2112", f"{class_name(type_)} tells its length by a C function of another type")


def _ask_hint(machine: Machine, value: Value, type_: type) -> Raise | Break | None:
    method = special_method(machine, value, "__length_hint__")
    if method is None or isinstance(method, STOPS):
        return method
    if is_builtin(method):
        return machine.stop("SX2112", f"{class_name(type_)} inherits its length hint from C code")
    reply = call_special(machine, method, value)
    if is_raised(machine, reply, TypeError):
        return None
    if isinstance(reply, STOPS):
        return reply
    answer = machine.resolve(reply)
    if not isinstance(answer, Constant) or not is_plain(answer.value):
        return machine.stop("SX2112", "__length_hint__ gave no constant")
    hint = answer.value
    stand_in: object = type("object", (), {"__length_hint__": lambda _: hint})()
    checked = fold(machine, operator.length_hint, (stand_in,))
    if isinstance(checked, STOPS):
        return checked
    size = checked.value if isinstance(checked, Constant) else None
    return too_large(machine, size) if isinstance(size, int) and size > SIZE_LIMIT else None


class _Asked:
    """Notes whether its length is asked for."""

    def __init__(self) -> None:
        self.count = 0

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        self.count += 1
        return 0


def _asks(function: Callable[[_Asked], object]) -> bool:
    probe = _Asked()
    function(probe)
    return probe.count > 0


_TUPLES_ASK: Final = _asks(tuple)
"""Whether the running Python asks when it makes a tuple."""
