"""The functions of the `operator` module."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Final

from symexec.bytecode.ops import Op
from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, positional
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.comparisons import COMPARISONS, compare, identical
from symexec.interpreter.protocol.items import delete_item, get_item, set_item
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.operators import binary_operation, unary_operation, unary_positive
from symexec.interpreter.protocol.truth import truth
from symexec.values.model import NONE, Value, boolean


def _binary(code: int) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 2, 2):
            return misfit(machine)
        return binary_operation(machine, code, args[0], args[1])

    return rule


def _comparison(index: int) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        return compare(machine, index, args[0], args[1]) if positional(args, kwargs, 2, 2) else misfit(machine)

    return rule


def _unary(apply: Callable[[Machine, Value], Reply]) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        return apply(machine, args[0]) if positional(args, kwargs, 1, 1) else misfit(machine)

    return rule


def _question(ask: Callable[[Machine, Value, Value], bool | Raise | Break], invert: bool = False) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 2, 2):
            return misfit(machine)
        answer = ask(machine, args[0], args[1])
        return answer if isinstance(answer, STOPS) else boolean(answer is not invert)

    return rule


def _getitem(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return get_item(machine, args[0], args[1]) if positional(args, kwargs, 2, 2) else misfit(machine)


def _setitem(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 3, 3):
        return misfit(machine)
    return set_item(machine, args[0], args[1], args[2]) or NONE


def _delitem(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    return delete_item(machine, args[0], args[1]) or NONE


def _truth(invert: bool) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 1):
            return misfit(machine)
        answer = truth(machine, args[0])
        return answer if isinstance(answer, STOPS) else boolean(answer is not invert)

    return rule


OPERATOR_RULES: Final[dict[object, Rule]] = {
    **{operation.function: _binary(code) for code, operation in enumerate(OPERATORS)},
    **{operation.in_place: _binary(code + COUNT) for code, operation in enumerate(OPERATORS)},
    **{function: _comparison(index) for index, function in enumerate(COMPARISONS)},
    operator.neg: _unary(lambda machine, value: unary_operation(machine, Op.UNARY_NEGATIVE, value)),
    operator.invert: _unary(lambda machine, value: unary_operation(machine, Op.UNARY_INVERT, value)),
    operator.pos: _unary(unary_positive),
    operator.is_: _question(identical),
    operator.is_not: _question(identical, invert=True),
    operator.contains: _question(contains),
    operator.truth: _truth(False),
    operator.not_: _truth(True),
    operator.getitem: _getitem,
    operator.setitem: _setitem,
    operator.delitem: _delitem,
}
