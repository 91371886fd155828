"""Checking once more, right before a commit, what others could have changed since the guards were checked.

Every guard's call can let another thread or a signal handler in.  So what was read from changeable places is kept on
the stack, and just before the first write each place is read again: it must hold the very same object.  Nothing here
calls anything, so that nobody gets in between these tests and the writes.
"""

from __future__ import annotations

from collections.abc import Container, Hashable
from typing import Final

import attrs

from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.capture.checks import EQUAL, Misses
from symexec.capture.compute import is_steady
from symexec.capture.paths import load_anew, load_key, load_keys, load_origin
from symexec.capture.recording import Recording
from symexec.values.guard import ContainsKey, Guard, IsBoundBuiltin, IsBoundMethod, KeysAre, Length
from symexec.values.keys import origins_of, runs_code
from symexec.values.origin import Attribute, Fixed, Globals, Held, Item, Origin, TypeOf, base_of, is_mutable

_FACTS: Final = frozenset(
    {"__code__", "__closure__", "__defaults__", "__kwdefaults__", "__globals__", "__func__", "__self__"}
)
"""Attributes of functions and methods, which programs do not write while they run them."""


def is_data(origin: Origin, inputs: Container[Origin]) -> bool:
    """Whether `origin` is a place that the program's own threads may write.

    Facts about classes and functions are none, nor is what a domain read of one of the graph's `inputs` (`x.shape`
    gives another tuple each time).
    """
    if isinstance(origin, Globals) or not is_mutable(origin):
        return False
    step: Origin | None = origin
    while step is not None:
        if step is not origin and step in inputs:
            return False
        if isinstance(step, (Held, Fixed, TypeOf)) or (isinstance(step, Attribute) and step.name in _FACTS):
            return False
        step = base_of(step)
    return True


@attrs.frozen(eq=False)
class Places:
    """What a trace reads once and keeps on the stack, and what of it is checked once more before the first write."""

    kept: tuple[Origin, ...]
    checked: tuple[Origin, ...]
    contents: tuple[Guard, ...]


def plan_places(recording: Recording) -> Places:
    """What could change between two loads and is needed again is kept; without effects nothing is checked."""
    guards, inputs = recording.guards, frozenset(recording.origins.values())
    kept = dict.fromkeys(origin for origin in recording.origins.values() if not is_steady(origin))
    if not recording.effects:
        return Places(tuple(kept), (), ())
    bound = (IsBoundMethod, IsBoundBuiltin)
    methods = {guard.origin for guard in guards if isinstance(guard.check, bound)}  # another one at each load
    kept |= dict.fromkeys(
        guard.origin for guard in guards if guard.origin not in methods and is_data(guard.origin, inputs)
    )
    checked = [origin for origin in kept if is_data(origin, inputs)]
    contents = [
        guard
        for guard in guards
        if (guard.origin in kept or not is_mutable(guard.origin))
        and isinstance(guard.check, (Length, KeysAre, ContainsKey))
    ]
    checked.sort(key=lambda origin: not (isinstance(origin, Item) and runs_code(origin.key)))
    contents.sort(key=lambda guard: not any(map(runs_code, _keys_of(guard))))
    keys = [key for guard in contents for key in _keys_of(guard)]
    keys += [origin.key for origin in checked if isinstance(origin, Item)]
    kept |= dict.fromkeys(origin for key in keys for origin in origins_of(key) if isinstance(origin, Held))
    return Places(tuple(kept), tuple(checked), tuple(contents))


def _keys_of(guard: Guard) -> tuple[Hashable, ...]:
    match guard.check:
        case ContainsKey(key=key):
            return (key,)
        case KeysAre(keys=keys):
            return keys
        case _:
            return ()


def validate_place(assembly: Assembly, abandon: Misses, origin: Origin) -> None:
    """Abandon the trace unless `origin` still reaches the object that was kept under its name."""
    load_anew(assembly, origin)
    load_origin(assembly, origin)
    assembly.emit(Op.IS_OP, 0)
    assembly.drop()
    _test(assembly, abandon)


def validate_contents(assembly: Assembly, abandon: Misses, guard: Guard) -> None:
    """Abandon the trace unless a container's length and keys are still what its guard says."""
    match guard.check:
        case Length(length=length):
            load_origin(assembly, guard.origin)
            assembly.emit(Op.GET_LEN)
            assembly.push()
            _compare(assembly, abandon, length)
            assembly.pop_top()
        case ContainsKey(key=key, present=present):
            load_key(assembly, key)
            load_origin(assembly, guard.origin)
            assembly.emit(Op.CONTAINS_OP, 0 if present else 1)
            assembly.drop()
            _test(assembly, abandon)
        case KeysAre(keys=keys):
            load_origin(assembly, guard.origin)
            assembly.emit(Op.GET_LEN)
            assembly.push()
            _compare(assembly, abandon, len(keys))
            assembly.emit(Op.UNPACK_SEQUENCE, len(keys))
            assembly.emit(Op.BUILD_TUPLE, len(keys))
            load_keys(assembly, keys[::-1])
            _compare_top(assembly, abandon)
        case _:
            pass


def _compare(assembly: Assembly, abandon: Misses, value: object) -> None:
    assembly.load_constant(value)
    _compare_top(assembly, abandon)


def _compare_top(assembly: Assembly, abandon: Misses) -> None:
    assembly.emit(Op.COMPARE_OP, EQUAL)
    assembly.drop()
    assembly.emit(Op.TO_BOOL)
    _test(assembly, abandon)


def _test(assembly: Assembly, abandon: Misses) -> None:
    assembly.drop()
    assembly.emit(Op.POP_JUMP_IF_FALSE, target=abandon.at(len(assembly.entries)))
