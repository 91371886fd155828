"""Every builtin function, type and method that the machine knows, against the original on many arguments."""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
import time
import types
import warnings

import pytest

from symexec.interpreter.builtins.arguments import named
from symexec.interpreter.builtins.deques import DEQUE_RULES
from symexec.interpreter.builtins.exceptions import EXCEPTION_RULES
from symexec.interpreter.builtins.generators import SUSPENSION_RULES
from symexec.interpreter.builtins.getters import GETTER_RULES
from symexec.interpreter.builtins.iterators import ITERATOR_RULES
from symexec.interpreter.builtins.mappings import MAPPING_RULES
from symexec.interpreter.builtins.plain_objects import PLAIN_OBJECT_RULES
from symexec.interpreter.equivalents.table import CLASSES
from symexec.interpreter.outcomes import STOPS
from symexec.interpreter.protocol.builtin_calls import RULES, call_builtin
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.values.heap import IteratorContent
from symexec.values.model import Constant, Known, Made
from symexec.values.origin import Fixed
from tests.interpreter.machines import (
    failing_guard,
    fresh_machine,
    known,
    now,
    outcome_in_python,
    outcome_of,
    same,
)

SAMPLES = {
    str: ["", "b", "a,b", "Ab 1", "0x1f"],
    bytes: [b"", b"ab", b"\xff"],
    int: [0, -7, 300],
    float: [0.0, -2.5, float("inf")],
    complex: [1j, 2 - 1j],
    bool: [True, False],
    range: [range(0), range(3), range(5, 0, -2)],
    slice: [slice(None), slice(1, 2)],
    list: [[], [3, 1, 2], ["b", "a"], [[1], [1]]],
    tuple: [(), (3, 1, 3), ("a", [1])],
    dict: [{}, {"a": 1}, {1: "x", 2: [3]}],
    set: [set(), {1, 2}],
    frozenset: [frozenset(), frozenset([1])],
}
OTHERS = [0, 2, -1, 1.5, "a", "", b"a", None, True, [1, 2], (1, "a"), {"a": 3}, [], "utf-8", int, {1, 5}]
LEFT_TO_PYTHON = {
    builtins.__build_class__,
    print,
    input,
    open,
    id,
    type,
    callable,
    super,
    *SUSPENSION_RULES,
    *EXCEPTION_RULES,
}
TRIED_ELSEWHERE = {*DEQUE_RULES, *MAPPING_RULES}  # in test_collections
ENDLESS = {itertools.count, itertools.cycle, itertools.repeat}
GIVE_ITERATORS = {itertools.groupby, itertools.tee}
NEEDS_MORE = {functools.reduce, map, filter, setattr, delattr, iter, next, getattr, hasattr, vars, operator.setitem}
OF_ITERATORS = {rule for rule in ITERATOR_RULES if getattr(rule, "__name__", "") in ("__next__", "__iter__")}
NOT_TRIED = {*LEFT_TO_PYTHON, *NEEDS_MORE, *ENDLESS, *GIVE_ITERATORS, *CLASSES, *OF_ITERATORS, *GETTER_RULES}
NOT_TRIED |= TRIED_ELSEWHERE
NOT_TRIED |= PLAIN_OBJECT_RULES.keys()  # what they make equals nothing else
TOLD_APART = (types.MethodDescriptorType, types.WrapperDescriptorType)


def copied(value):
    return value.copy() if isinstance(value, (list, dict, set)) else value


def arguments_of(function):
    """Tuples of arguments to try: for a method, first one of its own kind of object."""
    rest = [(), *((other,) for other in OTHERS), *itertools.product(OTHERS[:7], repeat=2)]
    if isinstance(function, TOLD_APART):
        for first in SAMPLES[function.__objclass__]:
            for others in rest:
                yield (first, *others)
        return
    flat = [sample for samples in SAMPLES.values() for sample in samples]
    yield ()
    yield from ((sample,) for sample in flat)
    yield from itertools.product(OTHERS, [*OTHERS[:9], int, (int, str)])
    yield from itertools.product(OTHERS[:4], repeat=3)


def drained(machine, reply):
    """The items of an iterator, which two runs cannot share."""
    if isinstance(reply, Made) and isinstance(machine.heap.content(reply), IteratorContent):
        return outcome_of(machine, iterate_all(machine, reply))
    return ("gives", now(machine, reply)) if isinstance(reply, Known) else outcome_of(machine, reply)


def try_call(function, args):
    """Whether the machine follows the call; it must then do what the original does."""
    machine = fresh_machine()
    values = [
        Known(arg, Fixed(arg)) if isinstance(arg, type) else value
        for arg, value in zip(args, known(machine, *map(copied, args)), strict=True)
    ]
    found = drained(machine, call_builtin(machine, function, values, ()))
    assert failing_guard(machine, *args) is None
    if found[0] == "breaks":
        return False
    mine = [copied(arg) for arg in args]
    expected = outcome_in_python(function, *mine)
    if expected[0] == "gives" and hasattr(expected[1], "__next__"):
        expected = outcome_in_python(list, expected[1])
    assert found[0] == expected[0], (args, expected, found)
    assert same(found[1], expected[1]), (args, expected, found)
    assert same([now(machine, value) for value in values], mine), args
    return True


def name_of(function):
    return f"{getattr(function, '__objclass__', type).__name__}.{function.__name__}"


FUNCTIONS = [
    function
    for function in RULES
    if function not in NOT_TRIED and not isinstance(function, types.ClassMethodDescriptorType)
]


@pytest.mark.parametrize("part", range(8))
def test_builtins_do_what_the_originals_do(part):
    never = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for function in FUNCTIONS[part::8]:
            followed = [try_call(function, args) for args in arguments_of(function)]
            if not any(followed):
                never.append(name_of(function))
    assert never == []


def call(function, *args, **kwargs):
    """What the machine gives for existing arguments, in plain Python."""
    machine = fresh_machine()
    names = list(kwargs)
    values = known(machine, *args, *kwargs.values())
    return outcome_of(
        machine, call_builtin(machine, function, values[: len(args)], list(zip(names, values[len(args) :])))
    )


def items_of(function, *args):
    """The items of the iterator that the machine gives."""
    machine = fresh_machine()
    return outcome_of(machine, iterate_all(machine, call_builtin(machine, function, known(machine, *args), ())))


def negative(number):
    return -number


def is_small(number):
    return number < 2


def add(left, right):
    return left + right


NUMBERS = [3, 1, 2]


def test_functions_of_the_program_are_called_back():
    assert items_of(map, negative, NUMBERS) == ("gives", [-3, -1, -2])
    assert items_of(map, add, NUMBERS, (10, 20)) == ("gives", [13, 21])
    assert items_of(filter, is_small, NUMBERS) == ("gives", [1])
    assert call(functools.reduce, add, NUMBERS) == ("gives", 6)
    assert call(functools.reduce, add, [], 7) == ("gives", 7)
    assert call(sorted, NUMBERS, key=negative) == ("gives", [3, 2, 1])
    assert call(max, NUMBERS, key=negative) == ("gives", 1)
    assert call(min, NUMBERS, key=negative, default=0) == ("gives", 3)


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (sum, ([1, 2],), {"start": 5}),
        (sum, ([0.1] * 10,), {}),
        (sum, ([0.1, 0.2, 3, 4j],), {}),
        (sum, ([[1], [2]], []), {}),
        (sum, (["a"],), {}),
        (sum, (["a"], ""), {}),
        (max, ([],), {"default": 4}),
        (max, ([],), {}),
        (min, ((),), {}),
        (sorted, ([3, 1],), {"reverse": True}),
        (sorted, ([3, "a"],), {}),
        (int, ("z", 36), {}),
        (int, ("1_0",), {}),
        (int, ("x",), {}),
        (round, (2.675, 2), {}),
        (round, (2.5,), {"ndigits": None}),
        (pow, (3, -1, 7), {}),
        (dict, (), {"a": 1}),
        (dict, ([("a", 1), ["b", 2]],), {"c": 3}),
        (dict.update, ({"a": 1},), {"b": 2}),
        (str.format, ("{0}-{x!r:>5}", 1), {"x": "y"}),
        (str.split, ("a b c",), {"maxsplit": 1}),
        (enumerate, ([],), {"start": 1.5}),
        (functools.reduce, (add, []), {}),
        (isinstance, (True, (str, int)), {}),
        (next, ([],), {}),
    ],
)
def test_keywords_and_corner_cases(function, args, kwargs):
    found = call(function, *args, **kwargs)
    expected = outcome_in_python(functools.partial(function, **kwargs), *map(copied, args))
    assert found[0] == "breaks" or (found[0] == expected[0] and same(found[1], expected[1])), (found, expected)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (str.ljust, ("a", 10**9)),
        (str.replace, ("a" * 1000, "a", "b" * 10_000)),
        (str.join, ("," * 50_000, ["a"] * 10)),
        (str.format, ("{:1000000000}", 1)),
        (str.format, ("{:{}}", 1, 10**9)),
        (format, (1, "1000000000")),
        (list, (range(10**9),)),
        (tuple, (range(10**9),)),
        (bytes, (10**9,)),
        (int.to_bytes, (1, 10**9, "big")),
        (pow, (10, 10**8)),
        (math.factorial, (10**6,)),
    ],
)
def test_huge_results_are_left_to_python(function, args):
    found = call(function, *args)
    assert found[0] == "breaks"
    assert found[1].startswith("SX9")


class Loud:
    """Nothing of it may run while tracing a C function that could call it."""

    def __getattr__(self, name):
        raise AssertionError(name)

    def _run(self, *args):
        raise AssertionError("user code ran")

    __int__ = __float__ = __index__ = __str__ = __repr__ = __format__ = __hash__ = __round__ = _run


LISTENING = (int, float, str, repr, format, hash, round, chr, hex, bytes, range)


def test_code_of_objects_never_runs_while_tracing():
    for function in (*LISTENING, functools.partial(str.format, "{}")):
        machine = fresh_machine()
        values = known(machine, Loud())
        if isinstance(function, functools.partial):
            function, values = function.func, [Constant("{}"), *values]
        assert isinstance(call_builtin(machine, function, values, ()), STOPS)


def test_class_methods_of_builtin_types():
    for bound, args in ((dict.fromkeys, ("ab", 1)), (int.from_bytes, (b"ab", "big")), (float.fromhex, ("0x1p3",))):
        assert call(bound, *args) == outcome_in_python(bound, *args)


def test_other_functions_are_not_known():
    assert call_builtin(fresh_machine(), time.time, [], ()) is None
    assert call_builtin(fresh_machine(), memoryview, [], ()) is None


def test_arguments_by_name():
    one, two = Constant(1), Constant(2)
    assert named([one], [("b", two)], ("a", "b")) == {"a": one, "b": two}
    assert named([one], [("a", two)], ("a", "b")) is None
    assert named([one], [("c", two)], ("a", "b")) is None
    assert named([one, two], [], ("a",)) is None
