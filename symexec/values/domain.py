"""What a framework has to say about its values: the single seam through which operations become graph nodes.

A domain claims concrete values, describes them by hashable specs, and answers for each operation on values so
described what comes out.  It consults specs only, never data.  See `symexec.domains` for those that exist.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeAlias

import attrs

from symexec.values.graph import Argument, Kind
from symexec.values.guard import Check
from symexec.values.origin import Origin


@attrs.frozen
class Request:
    """An operation asked of a domain.

    `kind` is `CALL`, `METHOD` or `ATTRIBUTE` and `target` as in `Node`: a callable (operators are those of the
    `operator` module, in-place ones `operator.iadd` ...; indexing is `operator.getitem`), a method name, or an
    attribute name.  `METHOD` is asked for what the traced value's type (`Domain.type_of`) defines as a function,
    `ATTRIBUTE` for every other name: a class that only stands for values needs the methods that these shall have.

    In `args` and `kwargs` a traced value stands as a `Traced`; everything else is the concrete constant, in tuples,
    lists, dicts and slices.
    """

    kind: Kind
    target: object
    args: tuple[Argument, ...]
    kwargs: tuple[tuple[str, Argument], ...] = ()


@attrs.frozen
class Result:
    """The operation becomes a node; its result is of `type` and is described by `spec`.

    The operation must be pure and repeatable.  With `foreign` it may run code that switches threads or that the
    domain does not know.  `domain` names the domain whose value the result is, if that is not the one that answers.
    """

    type: type
    spec: Hashable
    foreign: bool = True
    domain: str = ""


@attrs.frozen
class Drawn:
    """The operation gives another value each time (a random number): drawn before the graph, once, in order."""

    type: type
    spec: Hashable


@attrs.frozen
class Static:
    """The answer follows from the specs alone (`x.shape`, `len(x)`): an immutable constant, and no node."""

    value: object


@attrs.frozen
class Declined:
    """The domain does not know, or will not: tracing breaks here and Python runs the operation."""

    why: str
    hint: str = ""


Answer: TypeAlias = Result | Drawn | Static | Declined


class Domain(Protocol):
    """A kind of values whose operations become graph nodes."""

    @property
    def name(self) -> str:
        """What it is called in `domains=` and in `Traced.domain`."""

    def claims(self, value: object) -> bool:
        """Whether the concrete `value` is one of the domain's (exact types only; never runs user code)."""

    def describe(self, value: object) -> Hashable:
        """The spec of a claimed value: all that its results' specs depend on."""

    def owns(self, spec: Hashable) -> bool:
        """Whether `spec` is one of this domain's, as given to `symbol(name, spec)`."""

    def type_of(self, spec: Hashable) -> type:
        """The exact Python type of the values that `spec` describes."""

    def guards(self, origin: Origin, spec: Hashable) -> Sequence[tuple[Origin, Check]]:
        """Checks, in order, that hold exactly when what `origin` reaches is described by `spec`.

        The first must establish the exact type; later ones may read attributes of that type through
        `Attribute(origin, ...)`.
        """

    def handles(self, target: object) -> bool:
        """Whether the callable `target` is an operation of this domain even when no argument is claimed.

        Only objects that live as long as the process may be handled.
        """

    def apply(self, request: Request) -> Answer:
        """What the operation gives.  Never raises for what the program may have done wrong: it declines."""
