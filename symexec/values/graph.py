"""The operation graph: what a trace computes, as a list of nodes in program order.

Pure data with its own checker and a reference evaluator beside it (`evaluate`).  Knows nothing of bytecode but
source places, nor of any framework.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar

import attrs
from typing_extensions import override

from symexec.errors import InternalError, Place


class Kind(Enum):
    """What a node is."""

    INPUT = "input"  # target: the input's name
    DRAW = "draw"  # target: a callable that is called once, in order, before the graph runs; an input from then on
    CALL = "call"  # target: a callable (`operator.add`, `numpy.sin`): target(*args, **kwargs)
    METHOD = "method"  # target: a method name: args[0].target(*args[1:], **kwargs)
    ATTRIBUTE = "attribute"  # target: an attribute name: args[0].target


Argument: TypeAlias = object
Leaf = TypeVar("Leaf")
"""A `Node`, a constant, or a tuple, list, dict or slice of arguments."""


@attrs.define(eq=False, repr=False)
class Node:
    """One input or operation.  `type` and `spec` describe its result; `place` is where the user wrote it."""

    index: int
    kind: Kind
    target: object
    args: tuple[Argument, ...]
    kwargs: tuple[tuple[str, Argument], ...]
    type: type
    spec: Hashable
    place: Place | None = None
    name: str = ""

    @override
    def __repr__(self) -> str:
        return self.name or f"v{self.index}"

    def operands(self) -> Iterator[Node]:
        """The nodes among its arguments, in order, nested ones included."""
        for argument in self.args:
            yield from nodes_in(argument)
        for _, argument in self.kwargs:
            yield from nodes_in(argument)


@attrs.define(eq=False, repr=False)
class Graph:
    """`nodes` in order of execution, and those that are results."""

    nodes: list[Node] = attrs.Factory(list)
    outputs: tuple[Node, ...] = ()

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The nodes that are given from outside, drawn ones included."""
        return tuple(node for node in self.nodes if node.kind in (Kind.INPUT, Kind.DRAW))

    @property
    def operations(self) -> tuple[Node, ...]:
        """The nodes that compute."""
        return tuple(node for node in self.nodes if node.kind not in (Kind.INPUT, Kind.DRAW))

    @override
    def __str__(self) -> str:
        return "\n".join([format_node(node) for node in self.nodes] + [f"return {_tuple(self.outputs)}"])

    def to_dict(self) -> dict[str, object]:
        """A plain structure of dicts, lists, strings and numbers."""
        return {
            "nodes": [_node_dict(node) for node in self.nodes],
            "outputs": [node.index for node in self.outputs],
        }


def leaves_in(argument: Argument, kind: type[Leaf]) -> Iterator[Leaf]:
    """Everything of that kind in an argument, depth first."""
    if isinstance(argument, kind):
        yield argument
    elif type(argument) is tuple or type(argument) is list:
        for item in argument:
            yield from leaves_in(item, kind)
    elif type(argument) is dict:
        for item in argument.values():
            yield from leaves_in(item, kind)
    elif type(argument) is slice:
        yield from leaves_in((argument.start, argument.stop, argument.step), kind)


def map_leaves(argument: Argument, kind: type[Leaf], replace: Callable[[Leaf], object]) -> object:
    """`argument` with everything of that kind replaced; containers are made anew."""
    if isinstance(argument, kind):
        return replace(argument)
    if type(argument) is tuple:
        return tuple(map_leaves(item, kind, replace) for item in argument)
    if type(argument) is list:
        return [map_leaves(item, kind, replace) for item in argument]
    if type(argument) is dict:
        return {key: map_leaves(item, kind, replace) for key, item in argument.items()}
    if type(argument) is slice:
        parts = (argument.start, argument.stop, argument.step)
        return slice(*(map_leaves(part, kind, replace) for part in parts))
    return argument


def nodes_in(argument: Argument) -> Iterator[Node]:
    """Every node in an argument, depth first."""
    return leaves_in(argument, Node)


def map_nodes(argument: Argument, replace: Callable[[Node], object]) -> object:
    """`argument` with each node replaced."""
    return map_leaves(argument, Node, replace)


def check(graph: Graph) -> None:
    """Raise `InternalError` unless every node is used after it is made, once in the list, and results are in it."""
    seen: set[int] = set()
    for position, node in enumerate(graph.nodes):
        if node.index != position:
            raise InternalError(f"node {node!r} has index {node.index} at position {position}")
        for operand in node.operands():
            if id(operand) not in seen:
                raise InternalError(f"node {node!r} uses {operand!r} before it is made")
        seen.add(id(node))
    for output in graph.outputs:
        if id(output) not in seen:
            raise InternalError(f"the graph returns {output!r}, which is not in it")


def run_node(node: Node, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """Execute one operation on concrete arguments, by Python's own semantics."""
    match node.kind:
        case Kind.CALL:
            if not callable(node.target):
                raise InternalError(f"node {node!r} calls {node.target!r}")
            result: object = node.target(*args, **kwargs)
            return result
        case Kind.METHOD:
            method = getattr(args[0], str(node.target))
            outcome: object = method(*args[1:], **kwargs)
            return outcome
        case Kind.ATTRIBUTE:
            found: object = getattr(args[0], str(node.target))
            return found
        case Kind.INPUT | Kind.DRAW:
            raise InternalError(f"node {node!r} is an input")


def evaluate(graph: Graph, inputs: Sequence[object]) -> tuple[object, ...]:
    """The reference evaluator: run the graph on one value for each of `graph.inputs`, in order; gives the results.

    Raises whatever an operation raises.
    """
    given = iter(inputs)
    values: dict[int, object] = {}

    def concrete(node: Node) -> object:
        return values[node.index]

    for node in graph.nodes:
        if node.kind in (Kind.INPUT, Kind.DRAW):
            values[node.index] = next(given)
        else:
            args = [map_nodes(argument, concrete) for argument in node.args]
            kwargs = {name: map_nodes(argument, concrete) for name, argument in node.kwargs}
            values[node.index] = run_node(node, args, kwargs)
    return tuple(values[node.index] for node in graph.outputs)


INFIX: dict[str, str] = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
    "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">=",
}  # fmt: skip
"""How binary functions of the `operator` module are written."""


def _tuple(items: Sequence[Argument]) -> str:
    return "(" + ", ".join(format_argument(item) for item in items) + ("," if len(items) == 1 else "") + ")"


def format_argument(argument: Argument) -> str:
    """An argument as Python source would have it, nodes by their names."""
    if type(argument) is tuple:
        return _tuple(argument)
    if type(argument) is list:
        return "[" + ", ".join(format_argument(item) for item in argument) + "]"
    if type(argument) is slice:
        return f"slice({', '.join(format_argument(part) for part in (argument.start, argument.stop, argument.step))})"
    if isinstance(argument, type) or callable(argument):
        return target_name(argument)
    return repr(argument)


def _index(argument: Argument) -> str:
    """What stands between the brackets of a subscript."""
    if type(argument) is tuple and len(argument) > 1:
        return ", ".join(_index(item) if type(item) is not tuple else _tuple(item) for item in argument)
    if type(argument) is slice:
        parts = (argument.start, argument.stop, argument.step)
        start, stop, step = ("" if part is None else format_argument(part) for part in parts)
        return f"{start}:{stop}{':' if step else ''}{step}"
    return "..." if argument is Ellipsis else format_argument(argument)


def target_name(target: object) -> str:
    """A readable name of a callable target."""
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None)
    if not isinstance(name, str):
        return repr(target)
    module = getattr(target, "__module__", None)
    return f"{module}.{name}" if isinstance(module, str) and module not in ("builtins", "_operator") else name


def format_expression(node: Node) -> str:
    """The right-hand side of a node, as Python source would have it."""
    args = [format_argument(argument) for argument in node.args]
    named = [f"{name}={format_argument(argument)}" for name, argument in node.kwargs]
    match node.kind:
        case Kind.INPUT:
            return f"input({str(node.target)!r})"
        case Kind.DRAW:
            return f"draw({target_name(node.target)})"
        case Kind.ATTRIBUTE:
            return f"{args[0]}.{node.target}"
        case Kind.METHOD:
            return f"{args[0]}.{node.target}({', '.join(args[1:] + named)})"
        case Kind.CALL:
            name = target_name(node.target)
            if name in INFIX and len(args) == 2:
                return f"{args[0]} {INFIX[name]} {args[1]}"
            if name == "getitem" and len(args) == 2:
                return f"{args[0]}[{_index(node.args[1])}]"
            return f"{name}({', '.join(args + named)})"


def format_node(node: Node) -> str:
    """One line: name, expression, description, place."""
    place = f"  # {node.place.filename}:{node.place.line}" if node.place is not None else ""
    return f"{node!r}: {node.spec} = {format_expression(node)}{place}"


def plain_argument(argument: Argument) -> object:
    """An argument as a plain structure: `{"node": index}` for a node, `{"constant": text}` for what JSON has not."""
    if isinstance(argument, Node):
        return {"node": argument.index}
    if type(argument) is tuple or type(argument) is list:
        return [plain_argument(item) for item in argument]
    if type(argument) is dict:
        return {"dict": [[plain_argument(key), plain_argument(item)] for key, item in argument.items()]}
    if type(argument) is slice:
        return {"slice": [plain_argument(part) for part in (argument.start, argument.stop, argument.step)]}
    if argument is None or type(argument) in (bool, int, float, str):
        return argument
    return {"constant": format_argument(argument)}


def _node_dict(node: Node) -> dict[str, object]:
    return {
        "index": node.index,
        "name": repr(node),
        "kind": node.kind.value,
        "target": target_name(node.target) if callable(node.target) else str(node.target),
        "args": [plain_argument(argument) for argument in node.args],
        "kwargs": {name: plain_argument(argument) for name, argument in node.kwargs},
        "type": f"{node.type.__module__}.{node.type.__qualname__}",
        "spec": str(node.spec),
        "file": None if node.place is None else node.place.filename,
        "line": None if node.place is None else node.place.line,
    }
