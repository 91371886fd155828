"""Operators, comparison, identity and truth of constants and builtin containers, against Python's own."""

from __future__ import annotations

import opcode
import operator

import pytest

from symexec.bytecode.ops import Op
from symexec.interpreter.protocol.comparisons import COMPARISONS, compare, identical
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.interpreter.protocol.operators import binary_operation, unary_operation, unary_positive
from symexec.interpreter.protocol.truth import get_length, truth
from symexec.values.effect import Append
from symexec.values.guard import Equals, Length, SameAs, TypeIs
from symexec.values.model import Constant
from symexec.values.origin import Item
from tests.interpreter.machines import (
    failing_guard,
    fresh_machine,
    known,
    now,
    outcome_in_python,
    outcome_of,
    same,
)

SCALARS = [
    0, 1, -3, 7, True, False, 2.5, -0.0, float("inf"), float("nan"), 1j, "", "ab", "%s!", b"", b"ab", None, ...,
    NotImplemented, 2**70,
]  # fmt: skip
CONTAINERS = [
    lambda: [], lambda: [1, 2], lambda: [1.0, 2], lambda: [1, "a"], lambda: (), lambda: (1, 2), lambda: (1, (2, [3])),
    lambda: {}, lambda: {"a": 1}, lambda: {1: [2]}, lambda: set(), lambda: {1, 2}, lambda: frozenset([1]),
    lambda: range(3), lambda: [[1], [2]], lambda: [None],
]  # fmt: skip


def agree(expected, found):
    """The machine may break; otherwise it must do what Python does.  Says whether it did not break."""
    assert found[0] == "breaks" or (found[0] == expected[0] and same(found[1], expected[1])), (expected, found)
    return found[0] != "breaks"


def test_the_table_is_cpythons():
    plain, in_place = opcode._nb_ops[:COUNT], opcode._nb_ops[COUNT : 2 * COUNT]
    assert [symbol for _, symbol in plain] == [operation.symbol for operation in OPERATORS]
    assert [symbol for _, symbol in in_place] == [operation.symbol + "=" for operation in OPERATORS]
    for operation in OPERATORS:
        assert operation.function.__doc__.startswith("Same as a ") and operation.symbol in operation.function.__doc__
        assert operation.in_place.__name__ == "i" + operation.stem
        assert operation.function.__name__.strip("_") == operation.stem


def function_of(code):
    operation = OPERATORS[code % COUNT]
    return operation.in_place if code >= COUNT else operation.function


@pytest.mark.parametrize("code", range(COUNT))
def test_scalars_are_computed_as_python_does(code):
    followed = 0
    for left in SCALARS:
        for right in SCALARS:
            machine = fresh_machine()
            found = outcome_of(machine, binary_operation(machine, code, Constant(left), Constant(right)))
            if found != ("breaks", "SX9102"):
                followed += agree(outcome_in_python(function_of(code), left, right), found)
    assert followed > len(SCALARS) ** 2 * 0.95


@pytest.mark.parametrize("code", range(2 * COUNT))
def test_containers_are_combined_as_python_does(code):
    scalars = [lambda scalar=scalar: scalar for scalar in SCALARS]
    pairs = [pair for make in CONTAINERS for other in CONTAINERS + scalars for pair in ((make, other), (other, make))]
    followed = 0
    for make_left, make_right in pairs:
        machine, left, right = fresh_machine(), make_left(), make_right()
        values = known(machine, left, right)
        reply = binary_operation(machine, code, *values)
        found = outcome_of(machine, reply)
        assert failing_guard(machine, left, right) is None
        expected_left = make_left()
        expected = outcome_in_python(function_of(code), expected_left, make_right())
        if found[0] == "gives":
            assert (reply is values[0]) is (expected[1] is expected_left) or is_immutable(expected_left)
            found = "gives", now(machine, reply)
        if agree(expected, found):
            followed += 1
            assert same(now(machine, values[0]), expected_left)
    assert followed > len(pairs) * 0.7


def is_immutable(value):
    return not isinstance(value, (list, dict, set))


@pytest.mark.parametrize("index", range(6))
def test_comparisons_are_pythons(index):
    makers = [*CONTAINERS, *(lambda scalar=scalar: scalar for scalar in SCALARS)]
    followed = 0
    for make_left in makers:
        for make_right in makers:
            machine, left, right = fresh_machine(), make_left(), make_right()
            found = outcome_of(machine, compare(machine, index, *known(machine, left, right)))
            assert failing_guard(machine, left, right) is None
            followed += agree(outcome_in_python(COMPARISONS[index], left, right), found)
    assert followed > len(makers) ** 2 * 0.9


def test_membership_is_pythons():
    makers = [*CONTAINERS, *(lambda scalar=scalar: scalar for scalar in SCALARS)]
    followed = 0
    for make_container in makers:
        for make_item in makers:
            machine, container, item = fresh_machine(), make_container(), make_item()
            found = outcome_of(machine, contains(machine, *known(machine, container, item)))
            assert failing_guard(machine, container, item) is None
            followed += agree(outcome_in_python(operator.contains, container, item), found)
    assert followed > len(makers) ** 2 * 0.6


def test_truth_and_length_are_pythons():
    for make in [*CONTAINERS, *(lambda scalar=scalar: scalar for scalar in SCALARS if scalar is not NotImplemented)]:
        for ask, function in ((truth, bool), (get_length, len)):
            machine, subject = fresh_machine(), make()
            found = outcome_of(machine, ask(machine, *known(machine, subject)))
            assert agree(outcome_in_python(function, subject), found)
            assert failing_guard(machine, subject) is None


@pytest.mark.parametrize(
    ("operate", "function"),
    [
        (lambda machine, value: unary_operation(machine, Op.UNARY_NEGATIVE, value), operator.neg),
        (lambda machine, value: unary_operation(machine, Op.UNARY_INVERT, value), operator.invert),
        (unary_positive, operator.pos),
    ],
)
def test_unary_operators_are_pythons(operate, function):
    for make in [*CONTAINERS, *(lambda scalar=scalar: scalar for scalar in SCALARS)]:
        machine, subject = fresh_machine(), make()
        found = outcome_of(machine, operate(machine, *known(machine, subject)))
        if isinstance(subject, bool) and function is operator.invert:
            assert found == ("breaks", "SX2109")
        else:
            agree(outcome_in_python(function, subject), found)


def test_huge_results_are_left_to_python():
    for symbol, left, right in (
        ("**", 10, 10**8),
        ("**", 10**30_000, 3),
        ("*", 10**30_000, 10**30_000),
        ("<<", 1, 10**9),
        ("*", "a", 10**9),
        ("*", 10**9, b"a"),
        ("%", "%1000000000d", 1),
        ("%", "%*d", (10**9, 1)),
    ):
        code = [operation.symbol for operation in OPERATORS].index(symbol)
        machine = fresh_machine()
        reply = binary_operation(machine, code, Constant(left), Constant(right))
        assert outcome_of(machine, reply) == ("breaks", "SX9102")


def test_repeating_a_list_too_often_is_left_to_python():
    machine = fresh_machine()
    values = known(machine, [0] * 10, 10**8)
    assert outcome_of(machine, binary_operation(machine, 5, *values)) == ("breaks", "SX9102")


def test_what_is_consulted_is_guarded_and_nothing_else():
    machine = fresh_machine()
    left, right = known(machine, [1, 2], [5])
    binary_operation(machine, 0, left, right)
    checks = [(guard.origin, type(guard.check)) for guard in machine.guards.guards]
    assert checks == [(left.origin, TypeIs), (right.origin, TypeIs), (left.origin, Length), (right.origin, Length)]
    compare(machine, 2, left, right)
    assert len(machine.guards.guards) == 4
    compare(machine, 0, left, right)
    compared = {(guard.origin, guard.check) for guard in machine.guards.guards[4:]}
    assert (Item(left.origin, 0), Equals(1)) in compared
    assert all(guard.origin != Item(left.origin, 1) for guard in machine.guards.guards)


def test_adding_to_an_existing_list_in_place_is_an_effect_on_it():
    machine = fresh_machine()
    left, right = known(machine, [1], (2,))
    assert binary_operation(machine, COUNT, left, right) is left
    (effect,) = machine.heap.effects
    assert isinstance(effect, Append)
    assert effect.container is left
    assert [guard.check for guard in machine.guards.guards if guard.origin == left.origin] == [TypeIs(list)]
    assert now(machine, left) == [1, 2]


def test_identity_of_existing_objects_is_guarded_as_found():
    machine = fresh_machine()
    shared = []
    first, second, third = known(machine, shared, shared, [])
    assert identical(machine, first, second) is True
    assert identical(machine, first, third) is False
    assert [guard.check for guard in machine.guards.guards] == [
        SameAs(second.origin, True),
        SameAs(third.origin, False),
    ]


def test_identity_with_a_singleton_needs_no_more_than_the_type():
    machine = fresh_machine()
    (first,) = known(machine, [])
    assert identical(machine, first, Constant(None)) is False
    assert [guard.check for guard in machine.guards.guards] == [TypeIs(list)]


def test_whether_equal_constants_are_one_object_is_not_guessed():
    machine = fresh_machine()
    assert outcome_of(machine, identical(machine, Constant(1000), Constant(1000))) == ("breaks", "SX2107")
    assert identical(machine, Constant(1), Constant("a")) is False
    assert identical(machine, Constant(True), Constant(True)) is True


def test_nans_are_themselves_and_nothing_else():
    nan = float("nan")
    machine = fresh_machine()
    first, second, items = known(machine, nan, float("nan"), [nan])
    assert contains(machine, items, first) is True
    assert contains(machine, items, second) is False
    assert outcome_of(machine, compare(machine, 2, first, first)) == ("gives", False)
