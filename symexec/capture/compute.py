"""The graph as instructions: every node in order, with its original position, results kept on the stack.

This is the `eager` backend, inlined.  A node whose result nobody needs is executed all the same: it may raise or warn.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Final

from symexec.bytecode.model import Position
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly, Key
from symexec.capture.paths import load_origin
from symexec.errors import InternalError
from symexec.interpreter.protocol.operator_table import OPERATORS
from symexec.values.graph import Argument, Kind, Node, nodes_in
from symexec.values.origin import Cell, Fixed, Held, Local, Origin, Stack

_BINARY: Final[Mapping[int, int]] = {
    id(function): code
    for code, function in enumerate([each.function for each in OPERATORS] + [each.in_place for each in OPERATORS])
}
_COMPARE: Final[Mapping[int, int]] = {
    id(function): code
    for code, function in enumerate(
        (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)
    )
}  # fmt: skip
_UNARY: Final[Mapping[int, Op]] = {id(operator.neg): Op.UNARY_NEGATIVE, id(operator.invert): Op.UNARY_INVERT}
# by identity: a target may be anything, and is not to be hashed


def is_steady(origin: Origin) -> bool:
    """Whether loading `origin` twice surely gives the same object: it need not be kept on the stack."""
    return isinstance(origin, (Local, Cell, Stack, Fixed, Held))


class Computation:
    """Writes nodes; knows which origin an input node is loaded from."""

    def __init__(self, assembly: Assembly, origins: Mapping[int, Origin]) -> None:
        self._assembly = assembly
        self._origins = origins

    def key(self, node: Node) -> Key | None:
        """The stack entry that holds the node's result; `None` if it is loaded anew at each use."""
        origin = self._origins.get(node.index)
        if origin is None:
            return ("node", node.index)
        return None if is_steady(origin) else origin

    def count_uses(self, nodes: Sequence[Node]) -> None:
        """Tell the assembly how often the nodes' operands will be needed by `nodes`."""
        for node in nodes:
            for operand in node.operands():
                key = self.key(operand)
                if key is not None:
                    self._assembly.uses[key] += 1

    def push(self, node: Node) -> None:
        """Push the node's result."""
        key = self.key(node)
        if key is None:
            load_origin(self._assembly, self._origins[node.index])
        else:
            self._assembly.copy(key)

    def write(self, node: Node, position: Position | None) -> None:
        """Execute one operation; its result becomes a named entry, or rubbish if nobody needs it."""
        assembly = self._assembly
        assembly.clear_rubbish()
        assembly.position = position  # and what follows keeps it: lines never go back
        self._execute(node)
        key: Key = ("node", node.index)
        if assembly.uses[key] > 0:
            assembly.name_top(key)
        else:
            assembly.pop_top()

    def _execute(self, node: Node) -> None:
        assembly = self._assembly
        match node.kind:
            case Kind.ATTRIBUTE:
                self._operands(node.args)
                assembly.emit(Op.LOAD_ATTR, name=str(node.target))
            case Kind.METHOD:
                self._push_argument(node.args[0])
                assembly.emit(Op.LOAD_METHOD, name=str(node.target))
                assembly.push()
                self._arguments(node.args[1:], node.kwargs)
            case Kind.CALL | Kind.DRAW:
                if not self._operator(node):
                    assembly.begin_call(lambda: assembly.load_object(node.target))
                    self._arguments(node.args, node.kwargs)
            case Kind.INPUT:
                raise InternalError(f"{node!r} is an input, not an operation")

    def _operator(self, node: Node) -> bool:
        """Write an operator as its own instruction; false if the node is an ordinary call."""
        assembly, count = self._assembly, len(node.args)
        if node.kwargs or node.kind is Kind.DRAW:
            return False
        target = id(node.target)
        if count == 2 and target in _BINARY:
            op, arg = Op.BINARY_OP, _BINARY[target]
        elif count == 2 and target in _COMPARE:
            op, arg = Op.COMPARE_OP, _COMPARE[target]
        elif count == 2 and node.target is operator.getitem:
            op, arg = Op.BINARY_SUBSCR, 0
        elif count == 1 and target in _UNARY:
            op, arg = _UNARY[target], 0
        else:
            return False
        self._operands(node.args)
        assembly.emit(op, arg)
        assembly.drop(count)
        assembly.push()
        return True

    def _operands(self, args: Sequence[Argument]) -> None:
        """Push operands; those that lie on top already are used where they are."""
        keys = [self.key(argument) if isinstance(argument, Node) else None for argument in args]
        taken = self._assembly.take(keys)
        for argument in args[taken:]:
            self._push_argument(argument)

    def _arguments(self, args: Sequence[Argument], kwargs: Sequence[tuple[str, Argument]]) -> None:
        """Push a call's arguments and call."""
        assembly = self._assembly
        for argument in args:
            self._push_argument(argument)
        for _, argument in kwargs:
            self._push_argument(argument)
        count = len(args) + len(kwargs)
        if kwargs:
            assembly.load_constant(tuple(name for name, _ in kwargs))
            assembly.drop()
            assembly.emit(Op.CALL_KW, count)
            assembly.drop(count + 2)
            assembly.push()
        else:
            assembly.call(count)

    def _push_argument(self, argument: Argument) -> None:
        if isinstance(argument, Node):
            self.push(argument)
        elif any(True for _ in nodes_in(argument)) or type(argument) in (list, dict):
            self._build(argument)
        elif type(argument) is slice:
            self._build(argument)
        else:
            self._assembly.load_constant(argument)

    def _build(self, argument: Argument) -> None:
        assembly = self._assembly
        if type(argument) is dict:
            for key, item in argument.items():
                assembly.load_constant(key)
                self._push_argument(item)
            count, op, popped = len(argument), Op.BUILD_MAP, 2 * len(argument)
        elif type(argument) is slice:
            for part in (argument.start, argument.stop, argument.step):
                self._push_argument(part)
            count, op, popped = 3, Op.BUILD_SLICE, 3
        elif type(argument) is list or type(argument) is tuple:
            for item in argument:
                self._push_argument(item)
            count = popped = len(argument)
            op = Op.BUILD_LIST if type(argument) is list else Op.BUILD_TUPLE
        else:
            raise InternalError(f"{argument!r} is not an argument")
        assembly.emit(op, count)
        assembly.drop(popped)
        assembly.push()
