"""A captured graph as the plainest Python function that computes it, without guards and writes: the limit."""

from __future__ import annotations

from collections.abc import Callable

from programs import block, define

from symexec.values.graph import INFIX, Graph, Kind, Node


def write_bare(graph: Graph) -> Callable[..., object]:
    """A function of the graph's inputs, in order; gives its outputs as a tuple."""
    writer = _Writer()
    operations = [writer.statement(node) for node in graph.operations]
    lines = [*operations, f"return ({''.join(f'{node!r}, ' for node in graph.outputs)})"]
    return define(block(lines, "bare", ", ".join(map(repr, graph.inputs))), "bare", **writer.names)


class _Writer:
    def __init__(self) -> None:
        self.names: dict[str, object] = {}

    def statement(self, node: Node) -> str:
        return f"{node!r} = {self._expression(node)}"

    def _expression(self, node: Node) -> str:
        args = [self._argument(argument) for argument in node.args]
        named = [f"{name}={self._argument(argument)}" for name, argument in node.kwargs]
        if node.kind is Kind.ATTRIBUTE:
            return f"{args[0]}.{node.target}"
        if node.kind is Kind.METHOD:
            return f"{args[0]}.{node.target}({', '.join(args[1:] + named)})"
        sign = INFIX.get(getattr(node.target, "__name__", "")) if len(args) == 2 else None
        if sign is not None and getattr(node.target, "__module__", "") == "_operator":
            return f"{args[0]} {sign} {args[1]}"
        return f"{self._constant(node.target)}({', '.join(args + named)})"

    def _argument(self, argument: object) -> str:
        if isinstance(argument, Node):
            return repr(argument)
        if type(argument) is tuple:
            return f"({''.join(f'{self._argument(item)}, ' for item in argument)})"
        if type(argument) is list:
            return f"[{', '.join(map(self._argument, argument))}]"
        if type(argument) is slice:
            return f"slice({', '.join(map(self._argument, (argument.start, argument.stop, argument.step)))})"
        if argument is None or type(argument) in (int, str, bool):
            return repr(argument)
        if type(argument) is float and abs(argument) < 1e300:  # neither infinite nor NaN
            return repr(argument)
        return self._constant(argument)

    def _constant(self, value: object) -> str:
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name
