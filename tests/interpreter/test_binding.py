"""Argument binding: every shape of signature and call gives Python's values, or Python's error."""

from __future__ import annotations

import itertools
from types import FunctionType

import pytest

from symexec.config import Config
from symexec.interpreter.frame import Frame, FrameState
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Raise
from symexec.interpreter.protocol.binding import bind
from symexec.interpreter.protocol.inlining import ExistingDefaults, function_record
from symexec.values.model import Constant, Known
from symexec.values.origin import Global, Globals
from tests.interpreter.replay import assert_replays, follows, outcome, trace

SIGNATURES = [
    "",
    "a",
    "a, b",
    "a, b=2",
    "a=1, b=2",
    "a, /",
    "a, /, b",
    "a, b=2, /, c=3",
    "*args",
    "a, *args",
    "a=1, *args",
    "*, k",
    "*, k=5",
    "a, *, k, l=6",
    "a, *args, k=5",
    "**kwargs",
    "a, **kwargs",
    "a, /, **kwargs",
    "a, b=2, /, *args, k, l=6, **kwargs",
]
POSITIONAL = [(), (10,), (10, 20), (10, 20, 30), (10, 20, 30, 40)]
KEYWORDS = [
    {},
    {"a": 1},
    {"b": 2},
    {"k": 3},
    {"a": 1, "k": 3},
    {"k": 3, "l": 4},
    {"b": 1, "c": 2},
    {"z": 5},
    {"a": 1, "b": 2, "z": 3},
]


def make_function(signature: str) -> FunctionType:
    namespace: dict[str, object] = {}
    exec(f"def function({signature}): return locals()", namespace)
    found = namespace["function"]
    assert isinstance(found, FunctionType)
    return found


def frame_of(machine: Machine, function: FunctionType) -> Frame:
    """A frame for a function to be called from."""
    return Frame(machine.routine(function.__code__), FrameState(0, [], []), Known(function.__globals__, Globals()))


def plain_values(machine: Machine, values: list[object]) -> list[object]:
    """What the bound slots hold, as Python objects."""
    found = []
    for value in values:
        if isinstance(value, Known):
            found.append(value.value)
        elif isinstance(value, Constant):
            found.append(value.value)
        else:
            content = machine.heap.content(value)
            if hasattr(content, "entries"):
                found.append({key: item.value for key, item in content.entries.items()})
            else:
                found.append(tuple(item.value for item in content.items))
    return found


@pytest.mark.parametrize("signature", SIGNATURES)
def test_binding_is_pythons(signature):
    function = make_function(signature)
    raised = 0
    for args, kwargs in itertools.product(POSITIONAL, KEYWORDS):
        machine = Machine((), Config())
        machine.frames.append(frame_of(machine, test_binding_is_pythons))
        record = function_record(machine, Known(function, Global("function")), function)
        assert not isinstance(record, Break)
        named = [(name, Constant(value)) for name, value in kwargs.items()]
        bound = bind(machine, record.routine, ExistingDefaults(record), [Constant(arg) for arg in args], named)
        how, expected = outcome(lambda: function(*args, **kwargs))
        if how == "raised":
            assert isinstance(bound, Raise)
            assert (type(bound.exception), bound.exception.args) == expected
            assert bound.exception.__traceback__ is None
            raised += 1
        else:
            assert isinstance(bound, list)
            assert plain_values(machine, bound) == list(expected.values())
    assert raised < len(POSITIONAL) * len(KEYWORDS)


def two(a, b=2, *, c=3):
    return a, b, c


def rest(a, *args, **kwargs):
    return a, args, kwargs


def test_calls_of_every_shape():
    def function(x):
        pair, named = (x, x + 1), {"c": 9}
        return (
            two(x),
            two(x, 4),
            two(x, c=5),
            two(b=x, a=1),
            two(*pair),
            two(*pair, **named),
            rest(x),
            rest(*pair, 3, k=4, **named),
            rest(1, 2)[1],
        )

    assert_replays(function, lambda: (1,))


def test_keyword_arguments_are_a_new_dict_each_time():
    def function(x):
        given = {"k": x}
        first = rest(1, **given)[2]
        second = rest(1, **given)[2]
        first["more"] = 1
        return given, first, second, first is second

    assert_replays(function, lambda: (1,))


def defaults_world():
    def callee(a, b=2, *, c=3):
        return a, b, c

    return callee


CHANGES = {
    "default value": (lambda f: f(1), lambda f: setattr(f, "__defaults__", (7,)), True),
    "default value, consulted": (lambda f: f(1)[1] + 1, lambda f: setattr(f, "__defaults__", (7,)), False),
    "fewer defaults": (lambda f: f(1), lambda f: setattr(f, "__defaults__", None), False),
    "more defaults": (lambda f: f(1), lambda f: setattr(f, "__defaults__", (1, 2)), False),
    "defaults that are not used": (lambda f: f(1, 2, c=4), lambda f: setattr(f, "__defaults__", None), True),
    "keyword default": (lambda f: f(1), lambda f: setattr(f, "__kwdefaults__", {"c": 8}), True),
    "no keyword default": (lambda f: f(1), lambda f: setattr(f, "__kwdefaults__", None), False),
    "another keyword default": (lambda f: f(1), lambda f: setattr(f, "__kwdefaults__", {"z": 1}), False),
    "keyword defaults not used": (lambda f: f(1, c=4), lambda f: setattr(f, "__kwdefaults__", None), True),
    "code": (lambda f: f(1), lambda f: setattr(f, "__code__", (lambda a, b=2, *, c=3: 0).__code__), False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_a_callee_are_noticed(name):
    function, change, holds = CHANGES[name]
    callee = defaults_world()
    assert follows(function, [callee], lambda: change(callee)) is holds


def test_another_function_of_the_same_code_is_not_taken_for_it():
    def make(default):
        def callee(a, b=default, *, c=default):
            return a, b, c

        return callee

    def function(f):
        return f(1), f

    first, second = make([1]), make([2])
    traced = trace(function, first)
    assert traced.failing([first]) is None
    assert traced.failing([second]) is not None or traced.replay([second]) == ((1, [2], [2]), second)


def test_wrong_arguments_are_left_to_python():
    def function(x):
        return two()

    reason = trace(function, 1).reason
    assert reason.code == "SX1003"
    assert "TypeError" in reason.why
