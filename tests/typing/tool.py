"""A tool that embeds symexec: it writes what a function of vectors computes as one expression, and runs it fused.

`describe` works on symbols alone, with the translator itself; `fused` captures a call on concrete vectors and runs it
by a backend that goes over the elements once for each stretch of element-wise operations.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Final

import attrs

from symexec import Captured, Config, GraphBreakError, InstructionTranslator, trace
from symexec.bytecode.decode import decode
from symexec.interpreter.frame import FrameState, Slot, SlotState
from symexec.interpreter.machine import Machine
from symexec.values.backend import Compiled
from symexec.values.graph import Argument, Graph, Kind, Node, run_node
from symexec.values.model import Known, Traced
from symexec.values.origin import Globals
from tests.typing.vectors import ELEMENTWISE, Vector, VectorDomain, VectorSpec

_SIGNS: Final[Mapping[object, str]] = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.iadd: "+",
    operator.isub: "-",
    operator.imul: "*",
    operator.itruediv: "/",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.matmul: "@",
}


# -- on symbols alone ------------------------------------------------------------------------------------------


def capture_symbolically(function: FunctionType, sizes: Mapping[str, int]) -> Graph:
    """The graph of `function` for vectors of these sizes, by the names of its parameters; there are no vectors yet.

    Raises `GraphBreakError`, with the place in the function, where it does something that the tool cannot follow.
    """
    routine = decode(function.__code__)
    domain = VectorDomain()
    machine = Machine([domain], Config())
    slots: list[Slot] = [SlotState.UNBOUND] * len(routine.slots)
    for slot, name in enumerate(routine.slots[: function.__code__.co_argcount]):
        slots[slot] = machine.symbol(name, VectorSpec(sizes[name]), domain)
    state = FrameState(-1, slots, [])
    translator = InstructionTranslator(routine, state, machine, Known(function.__globals__, Globals()))
    try:
        ending = translator.run()
    finally:
        translator.close()
    if ending.reason is not None:
        raise GraphBreakError(ending.reason)
    if not isinstance(ending.value, Traced):
        raise TypeError(f"{function.__name__} returns nothing that is computed from vectors")
    return Graph(list(machine.nodes), (ending.value.node,))


def describe(function: FunctionType, sizes: Mapping[str, int]) -> str:
    """What `function` computes, as one expression of its parameters."""
    graph = capture_symbolically(function, sizes)
    texts: dict[int, str] = {}
    for node in graph.nodes:
        texts[node.index] = _expression(node, texts)
    text = texts[graph.outputs[0].index]
    return text[1:-1] if text.startswith("(") and graph.outputs[0].target in _SIGNS else text


def _expression(node: Node, texts: Mapping[int, str]) -> str:
    args = [texts[argument.index] if isinstance(argument, Node) else repr(argument) for argument in node.args]
    match node.kind:
        case Kind.INPUT | Kind.DRAW:
            return str(node.target)
        case Kind.METHOD:
            return f"{args[0]}.{node.target}({', '.join(args[1:])})"
        case Kind.ATTRIBUTE:
            return f"{args[0]}.{node.target}"
        case Kind.CALL:
            if node.target in _SIGNS:
                return f"({args[0]} {_SIGNS[node.target]} {args[1]})"
            if node.target is operator.neg:
                return f"(-{args[0]})"
            return f"{getattr(node.target, '__name__', node.target)}({', '.join(args)})"


# -- on concrete vectors ---------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Stretch:
    """Element-wise operations on vectors of one size, done in one pass over the elements."""

    size: int
    nodes: list[Node]

    def run(self, values: dict[int, object]) -> None:
        """Compute all of them."""
        columns: dict[int, list[float]] = {node.index: [] for node in self.nodes}
        for position in range(self.size):
            row: dict[int, float] = {}
            for node in self.nodes:
                left, right = (_element(argument, position, row, values) for argument in node.args)
                function = node.target
                if not callable(function):
                    raise TypeError(f"{function!r} is not a function")
                row[node.index] = float(function(left, right))
                columns[node.index].append(row[node.index])
        for index, column in columns.items():
            values[index] = Vector(column)


def _element(argument: Argument, position: int, row: Mapping[int, float], values: Mapping[int, object]) -> object:
    """What an operand is at one position: an element of a vector, or a number."""
    if isinstance(argument, Node):
        if argument.index in row:
            return row[argument.index]
        argument = values[argument.index]
    return argument.items[position] if isinstance(argument, Vector) else argument


def _is_elementwise(node: Node) -> bool:
    return node.kind is Kind.CALL and node.type is Vector and any(node.target is known for known in ELEMENTWISE)


def stretches(graph: Graph) -> list[Stretch | Node]:
    """The operations in order, element-wise ones of one size that follow each other joined."""
    plan: list[Stretch | Node] = []
    for node in graph.operations:
        if not _is_elementwise(node) or not isinstance(node.spec, VectorSpec):
            plan.append(node)
        elif plan and isinstance(plan[-1], Stretch) and plan[-1].size == node.spec.size:
            plan[-1].nodes.append(node)
        else:
            plan.append(Stretch(node.spec.size, [node]))
    return plan


def fuse(graph: Graph, examples: Sequence[object]) -> Compiled:
    """The backend."""
    plan = stretches(graph)

    def run(*inputs: object) -> Sequence[object]:
        values: dict[int, object] = {node.index: value for node, value in zip(graph.inputs, inputs, strict=True)}
        for step in plan:
            if isinstance(step, Stretch):
                step.run(values)
            else:
                args = [values[item.index] if isinstance(item, Node) else item for item in step.args]
                values[step.index] = run_node(step, args, {})
        return [values[node.index] for node in graph.outputs]

    return run


def fused(function: Callable[..., object], *args: object) -> Captured:
    """`function` captured for arguments like these, to be run by the fusing backend."""
    return trace(function, backend=fuse, domains=[VectorDomain()])(*args)
