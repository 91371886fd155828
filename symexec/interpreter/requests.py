"""What is in a request to a domain: the values that are traced, and their nodes."""

from __future__ import annotations

from collections.abc import Iterator

from symexec.values.domain import Request
from symexec.values.graph import Argument, Kind, target_name
from symexec.values.model import Traced


def traced_in(argument: Argument) -> Iterator[Traced]:
    """Every traced value in an argument, depth first."""
    if isinstance(argument, Traced):
        yield argument
    elif type(argument) is tuple or type(argument) is list:
        for item in argument:
            yield from traced_in(item)
    elif type(argument) is dict:
        for item in argument.values():
            yield from traced_in(item)
    elif type(argument) is slice:
        yield from traced_in((argument.start, argument.stop, argument.step))


def to_nodes(argument: Argument) -> Argument:
    """The same argument with each traced value replaced by its node."""
    if isinstance(argument, Traced):
        return argument.node
    if type(argument) is tuple:
        return tuple(to_nodes(item) for item in argument)
    if type(argument) is list:
        return [to_nodes(item) for item in argument]
    if type(argument) is dict:
        return {key: to_nodes(item) for key, item in argument.items()}
    if type(argument) is slice:
        return slice(*(to_nodes(part) for part in (argument.start, argument.stop, argument.step)))
    return argument


def describe_request(request: Request) -> str:
    """What is asked for, for messages."""
    match request.kind:
        case Kind.METHOD:
            return f"the method {request.target!r}"
        case Kind.ATTRIBUTE:
            return f"the attribute {request.target!r}"
        case _:
            return target_name(request.target)
