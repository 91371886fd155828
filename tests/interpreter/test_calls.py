"""Calls by kind of callable, and inlining: recursion, closures, limits, rollback."""

from __future__ import annotations

from functools import partial

import pytest

import symexec
from symexec.config import Config
from symexec.domains.scalars import ScalarDomain
from symexec.values.guard import Present, needed
from tests.interpreter.replay import assert_replays, breaks, follows, trace

LEVEL = 1


def add(a, b):
    return a + b


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def endless(n):
    return endless(n + 1)


async def numbers_later(n):
    yield n


def shout(text):
    print(text)


def after_work(x, o):
    o.x = 5
    return shout(x)


class Scaler:
    factor = 3

    def __init__(self, bias):
        self.bias = bias

    def __call__(self, x, more=0):
        return x * self.factor + self.bias + more


class Plain:
    pass


def make_counter():
    count, step = 0, 2

    def bump(by=None):
        nonlocal count
        count += step if by is None else by
        return count

    return bump


def test_functions_and_recursion():
    def function(n):
        return add(n, 1), fib(n), even(n), odd(n), (lambda v: v * 2)(n)

    assert_replays(function, lambda: (7,))


def test_closures_that_existed():
    def function(bump):
        return bump(), bump(5), bump()

    traced = trace(function, make_counter())
    assert traced.reason is None
    bump = make_counter()
    if traced.failing([bump]) is None:  # another function, with cells of its own
        assert traced.replay([bump]) == (2, 7, 9)
        assert bump() == 11

    first = make_counter()
    traced = trace(function, first)
    assert traced.failing([first]) is None
    assert traced.replay([first]) == (2, 7, 9)
    assert first() == 11
    assert traced.failing([first]) is not None  # the count it started from has changed


def test_functions_made_in_the_trace():
    def function(n):
        total = 0

        def inner(a, b=n, *rest, c=1, **named):
            nonlocal total
            total += a + b + c
            return total, rest, named

        first = inner(1)
        second = inner(2, 3, 4, c=5, d=6)
        return first, second, total, inner

    def values(n):
        def make(k):
            def scale(x):
                return x * k + LEVEL

            return scale

        double, triple = make(2), make(3)
        return double(n), triple(n), double(triple(n))

    assert_replays(values, lambda: (4,))
    assert trace(function, 4).reason is None


def test_callable_objects():
    def function(scale, x):
        return scale(x), scale(x, more=1), Scaler(2)(x)

    assert_replays(function, lambda: (Scaler(1), 10))
    owner = Scaler(1)

    def call(o):
        return o(1)

    old = Scaler.__call__
    try:
        assert follows(call, [owner], lambda: setattr(Scaler, "__call__", lambda self, x: 0)) is False
    finally:
        Scaler.__call__ = old

    def shadowed(o):
        o.__call__ = add
        return o(1)

    assert_replays(shadowed, lambda: (Scaler(1),))


def test_a_global_function_that_is_replaced():
    def function(n):
        return add(n, 1)

    def replace():
        globals()["add"] = lambda a, b: 0

    old = add
    try:
        assert follows(function, [1], replace) is False
    finally:
        globals()["add"] = old


def test_globals_of_another_module():
    namespace = {"rate": 2}
    exec("def tax(x):\n    return x * rate\n", namespace)
    tax = namespace["tax"]

    def function(f, x):
        return f(x), LEVEL

    assert_replays(function, lambda: (tax, 5))
    assert follows(function, [tax, 5], lambda: namespace.update(rate=3)) is False


def test_what_is_not_callable():
    def function(o):
        return o(1)

    assert breaks(function, 5) == "SX1003"
    assert breaks(function, Plain()) == "SX1003"


def test_async_generators_and_unknown_c_functions_break():
    def generator(n):
        return numbers_later(n)

    def bound(append):
        return append(1)

    assert breaks(generator, 1) == "SX1010"
    assert breaks(bound, [].append) == "SX2018"


def test_depth_is_limited():
    def function(n):
        return endless(n)

    reason = trace(function, 1, config=Config(depth=10)).reason
    assert reason.code == "SX9003"
    assert reason.where.function == "endless"


def test_a_break_inside_a_call_undoes_the_whole_call():
    def function(x, o):
        a = x + 1
        return after_work(a, o)

    owner = Scaler(1)
    traced = trace(function, 1, owner)
    assert traced.reason is not None
    assert traced.reason.where.function == "shout"
    assert traced.machine.heap.effects == []
    assert traced.machine.frames == []
    assert id(after_work) not in traced.machine.functions
    guards = [guard for guard in traced.machine.guards.guards if not isinstance(guard.check, Present)]
    assert all("after_work" not in str(guard) for guard in guards)


def test_wanted_breaks():
    def function(x):
        symexec.graph_break("here")
        return x

    reason = trace(function, 1).reason
    assert reason.code == "SX1000"
    assert "here" in reason.why


def test_methods_of_traced_values():
    """A method of a traced scalar is asked of the domain, however it is reached."""

    def method(x):
        return x.is_integer()

    def by_type(x):
        return float.is_integer(x)

    def bound(x):
        m = x.is_integer
        return m()

    for function in (method, by_type, bound):
        traced = trace(function, 1.5, domains=[ScalarDomain()])
        assert traced.reason is None
        assert [node.target for node in traced.machine.nodes][1:] == ["is_integer"]
        assert traced.replay([2.0]) is True


@pytest.mark.parametrize("n", [0, 1, 6])
def test_recursion_records_its_guards_once(n):
    traced = trace(fib, n)
    assert traced.ending.value.value == fib(n)
    assert len(needed(traced.machine.guards.guards)) <= 3


def test_partials():
    def callee(a, b, *rest, c=3, **named):
        return a, b, rest, c, named

    def function(p, q):
        return p(2), p(2, 4, c=5), q(z=1, c=9)

    def make():
        return partial(callee, 1), partial(callee, 1, 2, y=0, c=7)

    assert_replays(function, make)
    p, q = make()
    traced = trace(function, p, q)
    assert traced.failing([partial(callee, 1, 2), q]) is not None
    assert traced.failing([p, partial(callee, 1, 2, y=0)]) is not None
    assert traced.failing([partial(shout, 1), q]) is not None
