"""What is in a request to a domain: the values that are traced, and their nodes."""

from __future__ import annotations

from collections.abc import Iterator

from symexec.values.domain import Request
from symexec.values.graph import Argument, Kind, leaves_in, map_leaves, target_name
from symexec.values.model import Traced


def traced_in(argument: Argument) -> Iterator[Traced]:
    """Every traced value in an argument, depth first."""
    return leaves_in(argument, Traced)


def to_nodes(argument: Argument) -> Argument:
    """The same argument with each traced value replaced by its node."""
    return map_leaves(argument, Traced, lambda traced: traced.node)


def describe_request(request: Request) -> str:
    """What is asked for, for messages."""
    match request.kind:
        case Kind.METHOD:
            return f"the method {request.target!r}"
        case Kind.ATTRIBUTE:
            return f"the attribute {request.target!r}"
        case _:
            return target_name(request.target)
