"""User functions as single graph operations: what `allow_in_graph` declares."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from types import FunctionType
from typing import Final, TypeAlias

import attrs
from typing_extensions import override

from symexec.values.domain import Answer, Declined, Domain, Request, Result
from symexec.values.graph import Argument, Kind
from symexec.values.guard import Check
from symexec.values.model import Traced
from symexec.values.origin import Origin

Typing: TypeAlias = Callable[[Sequence[object]], Hashable]
"""Given the arguments (specs for traced values, constants as they are), the spec of the result."""


@attrs.frozen
class Opaque:
    """A result of which nothing is known: it can be passed on and returned."""

    function: str

    @override
    def __str__(self) -> str:
        return f"result of {self.function}"


class AllowedFunctions:
    """The functions that were allowed; refers to them weakly."""

    name: Final = "functions"

    def __init__(self, domains: Callable[[], Sequence[Domain]]) -> None:
        self._domains = domains
        self._allowed: weakref.WeakKeyDictionary[FunctionType, Typing | None] = weakref.WeakKeyDictionary()

    def allow(self, function: FunctionType, typing: Typing | None) -> None:
        """Make calls of `function` single operations; it must be pure and repeatable."""
        self._allowed[function] = typing

    def claims(self, value: object) -> bool:
        """No values: only functions."""
        return False

    def describe(self, value: object) -> Hashable:
        """Never asked."""
        return Opaque(type(value).__qualname__)

    def owns(self, spec: Hashable) -> bool:
        """Opaque results only."""
        return isinstance(spec, Opaque)

    def type_of(self, spec: Hashable) -> type:
        """Not known."""
        return object

    def guards(self, origin: Origin, spec: Hashable) -> Sequence[tuple[Origin, Check]]:
        """Nothing is claimed, so nothing is guarded."""
        return ()

    def handles(self, target: object) -> bool:
        """Whether `target` was allowed."""
        return type(target) is FunctionType and target in self._allowed

    def apply(self, request: Request) -> Answer:
        """A call of an allowed function is one operation."""
        target = request.target
        if request.kind is not Kind.CALL or type(target) is not FunctionType or target not in self._allowed:
            return Declined("nothing is known of what the allowed function gave", "say so with allow_in_graph(result=)")
        typing = self._allowed[target]
        if typing is None:
            return Result(object, Opaque(target.__qualname__))
        spec = typing([_described(argument) for argument in request.args])
        for domain in self._domains():
            if domain.owns(spec):
                return Result(domain.type_of(spec), spec, domain=domain.name)
        return Declined(f"no domain owns the spec {spec!r} that was declared for {target.__qualname__}")


def _described(argument: Argument) -> object:
    return argument.spec if isinstance(argument, Traced) else argument
