"""Rich comparison with fallbacks, hashing, truth through `__bool__` and `__len__`."""

from __future__ import annotations

import functools

import pytest

from tests.ladder.both import captured, check, same

NOT_YET = {
    "test_truth_steers_a_loop": "SX1001: LOAD_BUILD_CLASS: class bodies and module code run as written",
}

journal: list[object] = []
COMPARISONS = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "in": lambda a, b: a in [b],
    "is": lambda a, b: a is b,
    "tuple": lambda a, b: (1, a) == (1, b),
    "list_order": lambda a, b: [a, 1] < [b, 0],
}


class Half:
    """Defines some comparisons only; gives what it was told to."""

    def __init__(self, name, answer):
        self.name, self.answer = name, answer

    def __lt__(self, other):
        journal.append(("lt", self.name))
        return self.answer

    def __le__(self, other):
        journal.append(("le", self.name))
        return self.answer

    def __eq__(self, other):
        journal.append(("eq", self.name))
        return self.answer

    __hash__ = None


class Sub(Half):
    def __gt__(self, other):
        journal.append(("gt of the subclass", self.name))
        return self.answer

    def __ne__(self, other):
        journal.append(("ne", self.name))
        return self.answer


class Plain:
    pass


@pytest.mark.parametrize("name", COMPARISONS)
def test_fallbacks(name):
    compare = COMPARISONS[name]

    def program(answer):
        journal.clear()
        log = []
        half, other, sub, plain = Half("a", answer), Half("b", answer), Sub("s", answer), Plain()
        for left, right in (
            (half, other),
            (half, sub),
            (sub, half),
            (half, 5),
            (5, half),
            (half, half),
            (plain, half),
            (plain, plain),
        ):
            try:
                log.append(compare(left, right))
            except TypeError as error:
                log.append(error.args)
        return log, journal

    check(program, (True,), (False,), (NotImplemented,), ("text",), ([],), graph_numbers=False)


@same((1, 1.0), ("1", 1), (None, 0), ((1, 2), [1, 2]), ({1}, frozenset([1])), (b"a", "a"), (float("nan"), float("nan")))
def test_builtins_of_different_types(a, b):
    log = [a == b, a != b, a is b]
    for order in (lambda: a < b, lambda: a >= b, lambda: max(a, b), lambda: sorted([a, b])):
        try:
            log.append(order())
        except TypeError as error:
            log.append(error.args)
    return log


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(int(part) for part in text.split("."))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __hash__(self):
        return hash(self.parts)


@same(("1.2", "1.10"), ("2.0", "2.0"), ("1", "1.0"))
def test_total_ordering(a, b):
    a, b = Version(a), Version(b)
    return a < b, a <= b, a > b, a >= b, a == b, a != b, max(a, b).parts, len({a, b}), sorted([b, a])[0].parts


class Truth:
    def __init__(self, answer):
        self.answer = answer

    def __bool__(self):
        journal.append("bool")
        return self.answer

    def __len__(self):
        journal.append("len")
        return 0


class Length:
    def __init__(self, answer):
        self.answer = answer

    def __len__(self):
        journal.append("len")
        return self.answer


@same((True,), (False,), (1,), (None,), ("yes",))
def test_bool_method(answer):
    truth, log = Truth(answer), []
    for use in (
        lambda: bool(truth),
        lambda: not truth,
        lambda: "yes" if truth else "no",
        lambda: truth and 1,
        lambda: truth or 2,
    ):
        try:
            log.append(use())
        except TypeError as error:
            log.append(error.args)
    return log, journal


@same((3,), (0,), (-1,), (1.5,), (2**70,), (True,))
def test_len_method(answer):
    length, log = Length(answer), []
    for use in (lambda: bool(length), lambda: len(length), lambda: [i for i in (1, 2) if length], lambda: not length):
        try:
            log.append(use())
        except (TypeError, ValueError, OverflowError) as error:
            log.append(error.args)
    return log, journal


@captured((0,), (2,))
def test_truth_steers_a_loop(n):
    class Stack:
        def __init__(self, items):
            self.items = items

        def __len__(self):
            return len(self.items)

    stack = list(range(n))
    seen = []
    while stack:
        seen.append(stack.pop())
    return seen


@same((1,), (0,))
def test_truth_fails_uncaught(x):
    class Failing:
        def __bool__(self):
            journal.append("asked")
            return bool(1 // x)

    print("before")
    if Failing() and not journal[1:]:
        return "true"
    return "false"


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))


@same((1, 2), (2, 1), ("a", None))
def test_equality_and_containers(x, y):
    a, b, c = Point(x, y), Point(x, y), Point(y, x)
    items = [c, a]
    return (
        a == b,
        a != b,
        a == c,
        a == (x, y),
        a in [b],
        b in {a},
        {a: 1}[b],
        len({a, b, c}),
        items.index(b),
        items.count(a),
        items.remove(b),
        items,
        [a] == [b],
        (a, c) == (b, c),
        {"k": a} == {"k": b},
        a is b,
    )


@same((1,), (2,))
def test_identity_comes_before_equality(x):
    class Never:
        def __eq__(self, other):
            journal.append("eq")
            return False

    never = Never()
    return (
        never == never,
        never in [never],
        [never] == [never],
        [never].index(never),
        never in (Never(), never),
        journal,
    )


@same((1,), (0,))
def test_equality_fails(x):
    class Failing:
        def __eq__(self, other):
            return 1 // x == 1

    log = []
    for use in (
        lambda: Failing() == 1,
        lambda: Failing() in [1, 2],
        lambda: [3].index(Failing()),
        lambda: Failing() != 5,
    ):
        try:
            log.append(use())
        except (ZeroDivisionError, ValueError) as error:
            log.append(error.args)
    return log


@same((1,), (2,))
def test_default_hash_and_equality(x):
    a, b = Plain(), Plain()
    a.x = b.x = x
    table = {a: "a", b: "b"}
    return a == b, a != b, a == a, table[a], table[b], len({a, b, a}), hash(a) == hash(a), a in table, Plain() in table


@same(((1, "a"), (1, 2)), (([1], 0), ([1], 1)), (((),), ((), 1)), (([2], 1), ([1, 9], 0)))
def test_nested_order(a, b):
    log = []
    try:
        log.append((a == b, a != b))
        log.append((a < b, a >= b, min(a, b)))
    except TypeError as error:
        log.append(error.args)
    return log
