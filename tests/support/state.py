"""Remembers the state of everything a program can reach from some roots, and puts it back in place.

Objects keep their identity and what did not change is not touched, so that a second run starts where the first one
did.  Positions of iterators and generators cannot be put back.
"""

from __future__ import annotations

import random
import sys
import types
from collections import deque
from collections.abc import Callable, Mapping

import attrs

from tests.support.look import Scope, class_namespace, instance_namespace, instance_slots, is_of
from tests.support.objects import UNSTABLE_CLASS_ENTRIES
from tests.support.reach import UNSTABLE_GLOBALS, Reach

Restore = Callable[[], object]


@attrs.frozen
class Snapshot:
    """The state of all that was reachable when it was taken."""

    restores: list[Restore]

    def restore(self) -> None:
        """Put everything back, in place."""
        for restore in self.restores:
            restore()


def take_snapshot(reach: Reach) -> Snapshot:
    """Remember the objects in `reach`, and which objects the names of its namespaces stand for."""
    restores = [remember_namespace(namespace.entries) for namespace in reach.namespaces.values()]
    restores.extend(remember_random())
    for value in reach.objects:
        restores.extend(remember(value, reach.scope))
    return Snapshot(restores)


def remember(value: object, scope: Scope) -> list[Restore]:
    """How to put back what `value` itself holds: nothing for what cannot change, or is not the test's own."""
    restores: list[Restore] = []
    for kind, remember_kind in CHANGEABLE.items():
        if is_of(value, kind):
            restores.append(remember_kind(value))
    numpy = sys.modules.get("numpy")
    if numpy is not None and is_of(value, numpy.ndarray):
        restores.append(remember_array(value))
    if is_of(value, type):
        return [*restores, remember_class(value)] if scope.owns_class(value) else restores
    if is_of(value, types.ModuleType):
        return restores
    if is_of(value, types.FunctionType) and scope.owns_function(value):
        restores.append(remember_function(value))
    elif scope.owns_class(type(value)) or is_of(value, types.SimpleNamespace, BaseException):
        namespace = instance_namespace(value)
        if namespace is not None:
            restores.append(remember_dict(namespace))
        restores.extend(remember_slot(value, *slot) for slot in instance_slots(value, scope))
    return restores


def remember_list(value: list[object]) -> Restore:
    saved = list(list.__iter__(value))

    def restore() -> None:
        if not same_elements(list.__iter__(value), saved):
            list.__setitem__(value, slice(None), saved)

    return restore


def same_elements(left: object, right: object) -> bool:
    left, right = list(left), list(right)
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))


def remember_dict(value: dict[object, object]) -> Restore:
    saved = list(dict.items(value))

    def restore() -> None:
        now = list(dict.items(value))
        if not same_elements([key for key, _ in now], [key for key, _ in saved]):
            dict.clear(value)
            now = []
        if not same_elements([entry for _, entry in now], [entry for _, entry in saved]):
            for key, entry in saved:
                dict.__setitem__(value, key, entry)

    return restore


def remember_namespace(value: dict[str, object]) -> Restore:
    """Like `remember_dict`, for a namespace that must never be empty, as running code looks into it."""
    saved = dict(value)

    def restore() -> None:
        for name in [name for name in value if name not in saved and name not in UNSTABLE_GLOBALS]:
            del value[name]
        for name, entry in saved.items():
            if name not in value or value[name] is not entry:
                value[name] = entry

    return restore


def remember_set(value: set[object]) -> Restore:
    saved = list(set.__iter__(value))

    def restore() -> None:
        if not same_elements(set.__iter__(value), saved):
            set.clear(value)
            set.update(value, saved)

    return restore


def remember_deque(value: deque[object]) -> Restore:
    saved = list(deque.__iter__(value))

    def restore() -> None:
        if not same_elements(deque.__iter__(value), saved):
            deque.clear(value)
            deque.extend(value, saved)

    return restore


def remember_bytearray(value: bytearray) -> Restore:
    saved = bytes(value)

    def restore() -> None:
        if bytes(value) != saved:
            bytearray.__setitem__(value, slice(None), saved)

    return restore


def remember_cell(value: types.CellType) -> Restore:
    try:
        saved = value.cell_contents
    except ValueError:
        return lambda: empty_cell(value)

    def restore() -> None:
        value.cell_contents = saved

    return restore


def empty_cell(value: types.CellType) -> None:
    try:
        del value.cell_contents
    except ValueError:
        return  # it is empty already


CHANGEABLE: Mapping[type, Callable[..., Restore]] = {
    list: remember_list,
    dict: remember_dict,
    set: remember_set,
    deque: remember_deque,
    bytearray: remember_bytearray,
    types.CellType: remember_cell,
    random.Random: lambda value: remember_generator(value),
}


def remember_generator(value: random.Random) -> Restore:
    saved = random.Random.getstate(value)
    return lambda: random.Random.setstate(value, saved)


def remember_random() -> list[Restore]:
    """The state of the generators that `random` and `numpy.random` keep for everyone."""
    state = random.getstate()
    restores: list[Restore] = [lambda: random.setstate(state)]
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        legacy = numpy_random.get_state(legacy=False)
        restores.append(lambda: numpy_random.set_state(legacy))
    return restores


def remember_array(value: object) -> Restore:
    numpy = sys.modules["numpy"]
    plain = numpy.ndarray.view(value, numpy.ndarray)
    saved, shape, writeable = plain.copy(), plain.shape, plain.flags.writeable

    def restore() -> None:
        now = numpy.ndarray.view(value, numpy.ndarray)
        if now.shape != shape:
            value.shape = shape
        if value.flags.writeable != writeable:
            value.flags.writeable = writeable
        if now.tobytes() != saved.tobytes():
            numpy.ndarray.view(value, numpy.ndarray)[...] = saved

    return restore


def remember_class(cls: type) -> Restore:
    saved = {key: entry for key, entry in class_namespace(cls).items() if key not in UNSTABLE_CLASS_ENTRIES}

    def restore() -> None:
        now = class_namespace(cls)
        for key in [key for key in now if key not in saved and key not in UNSTABLE_CLASS_ENTRIES]:
            type.__delattr__(cls, key)
        for key, entry in saved.items():
            if key not in now or now[key] is not entry:
                type.__setattr__(cls, key, entry)

    return restore


def remember_function(function: types.FunctionType) -> Restore:
    saved = {name: getattr(function, name) for name in ("__code__", "__defaults__", "__kwdefaults__", "__name__")}
    restore_entries = remember_dict(vars(function))

    def restore() -> None:
        for name, entry in saved.items():
            if getattr(function, name) is not entry:
                setattr(function, name, entry)
        restore_entries()

    return restore


def remember_slot(value: object, descriptor: types.MemberDescriptorType, name: str, saved: object) -> Restore:
    return lambda: descriptor.__set__(value, saved)
