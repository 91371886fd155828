"""Objects as keys of dicts and elements of sets: what the heap, guards and effects have in their place.

Keys that are exact builtin constants stand for themselves.  An object that hashes and compares by identity is an
`ObjectKey`, and so is a tuple with such an object in it: none of the program's own code runs to hash or compare it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import attrs
from typing_extensions import override

from symexec.errors import InternalError
from symexec.values.model import Known, Made
from symexec.values.origin import DictKey, Origin


@attrs.frozen(repr=False)
class ObjectKey:
    """An object as a key: equal to the key of the same object, or of a tuple with the same parts.

    `identity` is a number that the object alone has, or the tuple's parts as keys.  With `runs_code` hashing it is the
    work of Python code (of an enumeration's), harmless but not to be done where nothing may poll.
    """

    identity: int | tuple[Hashable, ...]
    value: Known | Made = attrs.field(eq=False)
    runs_code: bool = attrs.field(default=False, eq=False)

    @property
    def is_new(self) -> bool:
        """Whether an object in it was made by the trace, so that no container of before has it."""
        if isinstance(self.identity, tuple):
            return any(isinstance(part, ObjectKey) and part.is_new for part in self.identity)
        return isinstance(self.value, Made)

    @override
    def __repr__(self) -> str:
        if isinstance(self.value, Known):
            return str(self.value.origin)
        return repr(self.identity) if isinstance(self.identity, tuple) else f"object {-self.value.object_id}"


def existing_key(key: Hashable) -> Hashable:
    """The key itself as it was before the trace, or a tuple equal to it; not for what the trace made."""
    if not isinstance(key, ObjectKey):
        return key
    if isinstance(key.identity, tuple):
        return tuple([existing_key(part) for part in key.identity])
    if isinstance(key.value, Made):
        raise InternalError("an object of the trace did not exist before")
    return key.value.value


def runs_code(key: Hashable) -> bool:
    """Whether hashing the key runs Python code."""
    return isinstance(key, ObjectKey) and key.runs_code


def held_by(keys: Iterable[Hashable]) -> Iterator[Known | Made]:
    """The values that stand for objects among the keys."""
    return (key.value for key in keys if isinstance(key, ObjectKey))


def loaded_from(key: ObjectKey) -> Origin | None:
    """Where the object itself is loaded from; `None` for a tuple that is made anew, which calls nothing."""
    origin = key.value.origin if isinstance(key.value, Known) else None
    return None if isinstance(origin, DictKey) else origin


def origins_of(key: Hashable) -> Iterator[Origin]:
    """The origins from which the key is loaded."""
    if isinstance(key, ObjectKey):
        origin = loaded_from(key)
        if origin is not None:
            yield origin
        elif isinstance(key.identity, tuple):
            for part in key.identity:
                yield from origins_of(part)
