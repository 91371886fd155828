"""What stands in the constants of emitted code for objects that must not be referred to strongly, or not bare.

Code objects are not tracked by the garbage collector, so a strong reference from their constants to anything of the
user's leaks once it closes a cycle; and making a code object hashes nothing but compares and interns.  Holders hash
and compare by identity.  Calling one gives what it holds.
"""

from __future__ import annotations

import weakref
from typing import Generic, TypeVar

T = TypeVar("T")


class WeakHolder(weakref.ref[T]):
    """Refers weakly to a user's object; gives `None` once that is gone."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__
    __ne__ = object.__ne__


class Box(Generic[T]):
    """Refers strongly to an object of symexec's own, or one that refers to nothing of the user's."""

    __slots__ = ("_held",)

    def __init__(self, held: T) -> None:
        self._held = held

    def __call__(self) -> T:
        return self._held
