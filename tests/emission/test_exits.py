"""How traces end in the middle of the original code: the stack as it is expected there, NULLs and what lay below
included; slots stored, cleared or left alone; iterators and cells handed over.

Each function breaks in a place that is hard to hand over; it is compared with plain Python, and the trace has to end at
the very break.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

import symexec
from symexec.bytecode import Op, decode
from tests.support import Conditions, arguments, assert_same

STRICT = symexec.Config(strict=True)
Function = Callable[..., object]


def compile_scalars(function: Function) -> Function:
    return symexec.compile(function, domains=["scalars"], config=STRICT)


def stop(value: object = None, *more: object, key: object = None) -> object:
    """A break that gives a value; more arguments for the stack."""
    symexec.graph_break()
    return value


class Owner:
    def __init__(self) -> None:
        self.function = stop
        self.value = 2.0

    def method(self, *values):
        return stop(sum(values))

    def keep(self, *values):
        self.value = values
        return self


OWNER = Owner()

# -- the stack --------------------------------------------------------------------------------------------------------


def calls_in_calls(x, y):
    return (x + y) * stop(x * y, stop(x - y, y + 1.0), stop(stop(y * 2.0), x)) - y


def null_under_and_over(x, y):
    found = max(x * 2.0, min(y * 3.0, stop(x + 1.0), y), abs(stop(y - x)))
    return found, (x, [y * 2.0, stop(x * y, x), {"k": stop(x)}])


def method_loads(x, y):
    first = OWNER.method(x * 2.0, stop(y + x))
    second = OWNER.function(y * 2.0, stop(x * x))
    third = [x, y].index(stop(y) * 1.0)
    return first + second - third


def keywords(x, y):
    return stop(x * 2.0, stop(y + x, key=x - y), key=stop(key=y * y, value=x))


def starred(x, y):
    pack = [x * 2.0, y]
    return stop(*pack, stop(x + y), **{"key": stop(y * x)}), pack


def comparison_chain(x, y):
    return (x < stop(x + y) < y * 100.0, x + y == stop(x + y) != x)


def conditional(x, y):
    return (x * 2.0, y + x if stop(True) else x, [stop(y * x) or y])


def building(x, y):
    a = [x * 2.0, *(y, stop(x)), stop(y)]
    b = {"x": x * y, **{"s": stop(y + 1.0)}, "z": stop(x)}
    c = (x + 1.0, {1, 2, stop(3)}, f"{x * 2.0} {stop(y)!r:>8} end")
    return a, b, c, a[stop(0) : stop(2) : stop(1)]


def subscript_store(x, y):
    items = [x, y, x * y]
    items[stop(0)] = y + x
    items[1] += stop(x * 2.0)
    book = {}
    book[stop("k")] = items[2] - x
    book["k"] -= stop(y)
    return items, book


def attribute_store(x, y, owner):
    owner.value = x * y
    owner.value += stop(x + y)
    owner.keep(owner.value * 2.0).value = stop(y) + 1.0
    return owner.value


def unpacking(x, y):
    (a, b), *rest = (x * 2.0, stop(y)), x + y, stop(x), y
    return a - b, rest


def walrus(x, y):
    return (z := x * y) + stop(z + 1.0) + (z := stop(z) * z) - z


def assertion(x, y):
    assert stop(x + y) == x + y, stop("never")
    return x * y - stop(y)


ON_THE_STACK = [
    calls_in_calls, null_under_and_over, method_loads, keywords, starred, comparison_chain, conditional, building,
    subscript_store, unpacking, walrus, assertion,
]  # fmt: skip


@pytest.mark.parametrize("function", ON_THE_STACK, ids=lambda function: function.__name__)
def test_the_stack_is_handed_over(function: Function) -> None:
    compiled = assert_same(function, *[lambda: arguments(3.0, 4.0)] * 8, transform=compile_scalars)
    check_ends(function, compiled)


def test_attributes_of_an_argument() -> None:
    compiled = assert_same(attribute_store, *[lambda: arguments(3.0, 4.0, Owner())] * 8, transform=compile_scalars)
    check_ends(attribute_store, compiled)


def check_ends(function: Function, compiled: Function) -> None:
    """Traces were made, and each call of `stop` in the function was the place where one ended."""
    figures = symexec.stats(compiled)
    assert figures.traces >= 2
    assert figures.operations
    ends = {reason.where for reason in figures.breaks if "graph_break" in reason.why}
    assert ends
    assert figures.fallbacks == 0
    obstacles = [reason for reason in figures.breaks if "cannot end" in reason.why]
    assert obstacles == []


def test_null_lies_on_the_stack_where_these_functions_break() -> None:
    ops = [each.op for each in decode(calls_in_calls.__code__).instructions]
    assert ops.count(Op.PUSH_NULL) >= 4
    assert any(each.op is Op.LOAD_METHOD for each in decode(method_loads.__code__).instructions)


# -- what lay below: iterators and managers at anchors in loops -------------------------------------------------------


def nested_loops(rows, x):
    last = x
    for row in rows:
        for value in row:
            last = x
            x = x * 0.5 + stop(value * 2.0)
        x = x + stop(row[0]) - last
        if x > 13.0:
            break
    else:
        x = -x
    return x, last


def loop_left_early(rows, x):
    for row in rows:
        for value in row:
            x = x + stop(value) * value
            if x > 30.0:
                return x * 2.0, [x]
            if value == 2.0:
                continue
            x = x - value / 4.0
    return x


def while_with_break(x, limit):
    count = 0
    while True:
        x = x * 1.5 + stop(1.0)
        count += 1
        if x > limit:
            break
        x = x - 0.25
    return x, count


def in_middle_of_expression_in_loop(values, x):
    return [x * value + stop(value, x) - (x + value) for value in values], x


def comprehension_over_unbound(values, x):
    found = [hidden * x + stop(hidden) for hidden in values]
    hidden = found[0] - x
    again = {hidden: stop(hidden) * x for hidden in values}
    return found, again, hidden


def nested_comprehensions(values, x):
    return [[inner * outer + stop(inner) * x for inner in values] for outer in values if stop(outer) > 1.0]


def manager_in_loop(values, x):
    log = []
    for value in values:
        with Section(log) as section:
            x = x + stop(value) * 2.0
            section.note(x * value)
        x = x - value
    return x, log


class Section:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, *error):
        self.log.append("exit")

    def note(self, value):
        self.log.append(value)


VALUES = [1.0, 2.0, 3.0]
IN_LOOPS = {
    "nested loops, left": (nested_loops, lambda: arguments([[1.0, 2.0], [3.0], [4.0, 5.0, 6.0]], 2.0)),
    "nested loops, ended": (nested_loops, lambda: arguments([[1.0, 2.0], [3.0]], 2.0)),
    "loop left early": (loop_left_early, lambda: arguments([[1.0, 2.0], [3.0], [4.0, 5.0, 6.0]], 2.0)),
    "while": (while_with_break, lambda: arguments(2.0, 60.0)),
    "in the middle of an expression": (in_middle_of_expression_in_loop, lambda: arguments(VALUES, 2.0)),
    "comprehensions, unbound": (comprehension_over_unbound, lambda: arguments(VALUES, 2.0)),
    "comprehensions, nested": (nested_comprehensions, lambda: arguments(VALUES, 2.0)),
    "manager": (manager_in_loop, lambda: arguments(VALUES, 2.0)),
}


@pytest.mark.parametrize(("function", "call"), IN_LOOPS.values(), ids=IN_LOOPS)
def test_anchors_in_loops(function: Function, call: Callable[[], object]) -> None:
    compiled = assert_same(function, *[call] * 6, transform=compile_scalars)
    figures = symexec.stats(compiled)
    assert figures.traces
    assert figures.fallbacks == 0
    counts = []
    for _ in range(5):  # each may find one break more
        args, kwargs = call()
        compiled(*args, **kwargs)
        counts.append(symexec.stats(compiled).misses)
    assert counts[-1] == counts[-2]


def test_iterators_are_rebuilt_in_the_middle_of_their_loop() -> None:
    """Unrolled loops whose break lies in a later round: the trace hands over an iterator that it had advanced."""

    def later(x):
        log = []
        for number in range(6):
            x = x + number * 0.5
            if number == 3:
                log.append(stop(x))
        for letter in "abc":
            for item in (1.0, 2.0):
                x = x * item
                if letter == "b":
                    log.append((letter, stop(x - item)))
        for item in [x, 2.0, 3.0]:
            x = x + item
            if item == 2.0:
                log.append(stop(item))
        return x, log

    compiled = assert_same(later, *[lambda: arguments(3.0)] * 6, transform=compile_scalars)
    figures = symexec.stats(compiled)
    assert figures.traces >= 3
    assert figures.fallbacks == 0


# -- slots ------------------------------------------------------------------------------------------------------------


def slots_of_every_kind(x, y):
    kept = x * y
    dead = kept + x
    gone = dead - y
    again = 1.0
    del gone, again
    swapped, x = x, kept
    made = [kept, {"k": swapped}]

    def reader():
        return x, made

    stop()
    again = made[0] * 2.0
    return kept, reader(), again, swapped, y


def looked_at(x, y, look):
    kept = x * y
    dead = kept + x
    gone = dead - y
    del gone
    y = [kept, dead]
    symexec.graph_break()
    look()
    dead = kept - x
    symexec.graph_break()
    look()
    return dead


def test_slots_are_stored_cleared_and_left_alone() -> None:
    conditions = Conditions(drive=repr)
    compiled = assert_same(
        slots_of_every_kind, *[lambda: arguments(3.0, 4.0)] * 5, transform=compile_scalars, conditions=conditions
    )
    assert symexec.stats(compiled).traces == 2


def test_a_debugger_sees_the_same_locals_after_a_trace() -> None:
    seen: list[object] = []

    def look() -> None:
        seen.append(sorted((name, repr(value)) for name, value in sys._getframe(1).f_locals.items() if name != "look"))

    plain = [looked_at(3.0, 4.0, look) for _ in range(4)]
    expected = seen[:]
    seen.clear()
    compiled = compile_scalars(looked_at)
    assert [compiled(3.0, 4.0, look) for _ in range(4)] == plain
    assert seen == expected
    assert symexec.stats(compiled).traces >= 2


def cells_handed_over(x, y):
    total = x

    def add(more):
        nonlocal total
        total = total + more
        return total

    def later():
        return unbound, y

    first = add(y * 2.0)
    stop()
    second = add(x * first)
    stop(second)
    unbound = second - total
    stop()
    return add(1.0), later(), total


def test_cells_of_the_frame_and_functions_that_share_them() -> None:
    compiled = assert_same(cells_handed_over, *[lambda: arguments(3.0, 4.0)] * 6, transform=compile_scalars)
    assert symexec.stats(compiled).traces >= 2


def made_cells_in_inlined_calls(x):
    def counter(start):
        def count(by):
            nonlocal start
            start = start + by
            return start

        return count, lambda: start

    count, read = counter(x * 2.0)
    a = count(1.0)
    other, read_other = counter(a)
    stop()
    b = other(x) + read()
    return a, b, count, read, other, read_other


def test_cells_without_a_home() -> None:
    def use(result):
        a, b, count, read, other, read_other = result
        return a, b, count(1.0), read(), other(2.0), read_other(), read() - read_other()

    compiled = assert_same(
        made_cells_in_inlined_calls,
        *[lambda: arguments(3.0)] * 5,
        transform=compile_scalars,
        conditions=Conditions(drive=use),
    )
    assert symexec.stats(compiled).traces >= 1


def cyclic(x):
    items = [x * 2.0]
    items.append(items)
    book = {"items": items}
    book["self"] = book
    items.append((book, items))
    stop()
    items[0] = items[0] + x
    return items, book


def test_made_objects_that_contain_themselves() -> None:
    compiled = assert_same(cyclic, *[lambda: arguments(3.0)] * 4, transform=compile_scalars)
    assert symexec.stats(compiled).traces


def effects_then_break(x, items, book, owner):
    items.append(x * 2.0)
    book["k"] = items[-1] + x
    owner.value = book["k"] * 2.0
    items[0] = owner
    stop(len(items))
    items.extend([x, owner.value])
    del book["k"]
    owner.other = items
    return owner.value - x


def test_effects_are_committed_before_the_break_and_seen_after_it() -> None:
    def call() -> object:
        items = [1.0, 2.0]
        return arguments(3.0, items, {"i": items}, Owner())

    compiled = assert_same(effects_then_break, *[call] * 5, transform=compile_scalars)
    assert symexec.stats(compiled).traces == 2


def test_a_trace_that_returns_from_a_deep_stack_cleans_it() -> None:
    def deep(x, y):
        for a in (1.0, 2.0):
            for b in [x, y]:
                with Section([]):
                    z = stop(a) * b + x
                    if z > y:
                        return z * 2.0, a, b
        return None

    compiled = assert_same(deep, *[lambda: arguments(3.0, 4.0)] * 6, transform=compile_scalars)
    assert symexec.stats(compiled).traces
