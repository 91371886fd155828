"""The operations of a trace as Python-like lines, inputs under the paths by which the program reaches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from symexec.report.places import line_text
from symexec.values.graph import Kind, Node, format_expression, map_nodes
from symexec.values.origin import Origin

_WIDEST: Final = 64  # expressions longer than this do not push the places of the others to the right


def name_inputs(nodes: Sequence[Node], origins: Mapping[int, Origin]) -> dict[int, Node]:
    """Copies of the nodes, by index, in which an input is named by its origin: `lst[0]`, `self.weights`."""
    named: dict[int, Node] = {}

    def renamed(node: Node) -> object:
        return named[node.index]

    for node in nodes:
        origin = origins.get(node.index)
        named[node.index] = attrs.evolve(
            node,
            name=node.name if origin is None else str(origin),
            args=tuple(map_nodes(argument, renamed) for argument in node.args),
            kwargs=tuple((key, map_nodes(argument, renamed)) for key, argument in node.kwargs),
        )
    return named


def input_lines(named: Mapping[int, Node]) -> list[str]:
    """One line for each input: its path and what it is."""
    return [f"{node!r}: {node.spec}" for node in named.values() if node.kind is Kind.INPUT]


def operation_lines(named: Mapping[int, Node], *, described: bool = True) -> list[str]:
    """One line for each operation: name, what it is if `described`, expression, place."""
    operations = [node for node in named.values() if node.kind is not Kind.INPUT]
    texts = [f"{node!r}{f': {node.spec}' if described else ''} = {format_expression(node)}" for node in operations]
    width = max((len(text) for text in texts if len(text) <= _WIDEST), default=0)
    return [
        text if node.place is None else f"{text:<{width}}  # {line_text(node.place)}"
        for node, text in zip(operations, texts, strict=True)
    ]
