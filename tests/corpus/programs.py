"""Small programs on arrays: each works on any operand with arithmetic, comparison and `sum()`; none imports any.

`whole` is the number of graph operations of the one trace that a call becomes, `None` where the program has to break.
Called again and again with equal arguments a program does the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Operand = object
Maker = Callable[[list[float]], Operand]


@dataclass
class Program:
    """One program: its arguments are made by `arguments(make)`, where `make` turns numbers into an operand."""

    name: str
    function: Callable[..., object]
    arguments: Callable[[Maker], tuple[object, ...]]
    whole: int | None


PROGRAMS: list[Program] = []


def one(make: Maker) -> tuple[object, ...]:
    return (make([0.5, -1.5, 2.0, 0.75]),)


def two(make: Maker) -> tuple[object, ...]:
    return make([0.5, -1.5, 2.0, 0.75]), make([2.0, 1.0, 4.0, 0.5])


def program(whole: int | None, arguments: Callable[[Maker], tuple[object, ...]] = one):
    """Registers a function."""

    def register(function: Callable[..., object]) -> Callable[..., object]:
        PROGRAMS.append(Program(function.__name__, function, arguments, whole))
        return function

    return register


# -- straight lines ---------------------------------------------------------------------------------------------------


@program(5, two)
def straight_line(position, velocity):
    moved = position + velocity * 0.25
    spread = moved - position
    return spread / 2.0 - 1.0


# fmt: off
@program(96, two)
def long_straight_line(a, b):
    s = a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    s = s + b; s = s * 0.5; s = s - a; s = s / 1.25; s = s + 0.5; s = s * 0.75; s = s - b; s = s + a
    return s
# fmt: on


# -- loops ------------------------------------------------------------------------------------------------------------


@program(12)
def short_loop(level):
    for step in range(6):
        level = level + step
        level = level * 0.5
    return level


@program(100)
def middling_loop(level):
    for step in range(100):
        level = level - step
    return level


@program(1000)
def long_loop(level):
    for step in range(1000):
        level = level + step
    return level


@program(1)
def loop_over_constants(level):
    state = 7
    for step in range(1000):
        state = (state * 5 + step) % 977
    return level * state


@program(21)
def while_loop(level):
    count = 40
    while count > 0:
        if count % 2:
            level = level * 0.5
        count -= 1
    return level + count


# -- helpers ----------------------------------------------------------------------------------------------------------


def halve(a):
    return a * 0.5


def soften(a):
    return halve(a) + 1.0


def twist(a):
    return soften(a - 2.0)


def bend(a):
    return twist(a) / 4.0


def fold(a):
    return bend(a * 3.0)


@program(2)
def one_helper_deep(a):
    return halve(a) - 1.0


@program(6)
def five_helpers_deep(a):
    return fold(a) + 1.0


def descend(a, depth):
    return a - 1.0 if depth == 0 else descend(a + depth, depth - 1)


@program(20)
def twenty_helpers_deep(a):
    return descend(a, 19)


# -- closures ---------------------------------------------------------------------------------------------------------


def make_scaler(factor, offset):
    def scale(a):
        return a * factor

    def scale_and_shift(a):
        return scale(a) + offset

    return scale_and_shift


scale_and_shift = make_scaler(1.5, 0.25)


@program(3)
def closures(a):
    return scale_and_shift(a) / 2.0


@program(6)
def closure_that_counts(a):
    calls = 0
    latest = a

    def note(more):
        nonlocal calls, latest
        calls += 1
        latest = latest * more
        return calls

    while note(a) < 5:
        continue
    return latest - calls


# -- arguments --------------------------------------------------------------------------------------------------------


def weigh(first, *others, weight=1.0, **adjustments):
    for other in others:
        first = first - other
    for name, adjustment in adjustments.items():
        first = first * adjustment if name.startswith("times") else first + adjustment
    return first * weight


@program(9, two)
def arguments_of_every_kind(a, b):
    others = [b, 0.5]
    adjustments = {"times_two": 2.0, "plus": b}
    return weigh(a, *others, 0.25, weight=0.5, **adjustments) - weigh(weight=3.0, first=b) + a


# -- containers -------------------------------------------------------------------------------------------------------


@program(4, two)
def packing_and_unpacking(a, b):
    pair = a, b
    head, tail = pair
    row = [*pair, head * tail, 2.0]
    first, *middle, last = row
    book = {"first": first, "last": last, **dict(middle=middle)}
    book["sum"] = book.pop("first") + middle[-1]
    (left, right), total = book["middle"], book["sum"]
    return left - right * total, row[::2], list(book.items())[0][0], book


@program(15, two)
def comprehensions(a, b):
    scaled = [a * n for n in range(9) if n % 3]
    named = {f"n{i}": value - b for i, value in enumerate(scaled)}
    chosen = {key: value for key, value in named.items() if key not in {"n0", "n1"}}
    return [value / 2.0 for value in scaled[:3]], sorted(chosen), list(chosen.values())


@program(3)
def strings(a):
    version = 4
    key = f"run-{version:04d}-{'x'!r:>5}"
    table = {key: 0.5, "else": 1.0}
    text = "%s:%d" % (key, version) + "{:.3f}|{}".format(2.5, key.upper())  # noqa: UP031, UP032
    return a * table[key] + len(text) - text.count("0")


# -- classes ----------------------------------------------------------------------------------------------------------


class Gauge:
    unit = 4.0

    def __init__(self, zero):
        self.zero = zero
        self.readings = 0

    @property
    def double_zero(self):
        return self.zero + self.zero

    @staticmethod
    def quarter(a):
        return a / 4.0

    @classmethod
    def in_units(cls, a):
        return a * cls.unit

    def __call__(self, a):
        return self.in_units(self.quarter(a) - self.zero) + self.double_zero


gauge = Gauge(0.5)


@program(5)
def methods(a):
    return gauge(a) / gauge.double_zero


@program(6)
def construction(a):
    own = Gauge(a)
    own.other = 2.0
    return own(a) - own.other


@dataclass
class Schedule:
    rate: float = 0.25
    rounds: int = 3
    kind: str = "decay"


def scheduled(make: Maker) -> tuple[object, ...]:
    return make([0.5, -1.5, 2.0, 0.75]), Schedule()


@program(6, scheduled)
def dataclass_argument(a, schedule):
    if schedule.kind == "decay":
        for _ in range(schedule.rounds):
            a = a - a * schedule.rate
    return a


PLAN = {
    "rounds": 2,
    "steps": [
        {"do": "stretch", "by": 1.5},
        {"do": "lift", "by": 0.5, "skip": False},
        {"do": "lift", "by": 9.0, "skip": True},
        {"do": "square"},
        {"do": "shrink"},
    ],
}
ACTIONS = {
    "stretch": lambda a, step: a * step["by"],
    "lift": lambda a, step: a + step["by"],
    "square": lambda a, step: a * a,
    "shrink": lambda a, step: a / step.get("by", 8.0),
}


@program(8)
def plan_of_actions(a):
    for _ in range(PLAN["rounds"]):
        for step in PLAN["steps"]:
            if step.get("skip", False):
                continue
            a = ACTIONS[step["do"]](a, step)
    return a


# -- recursion, layers ------------------------------------------------------------------------------------------------


def count_ways(steps):
    return 1 if steps < 2 else count_ways(steps - 1) + count_ways(steps - 2)


@program(1)
def recursion(a):
    return a - count_ways(11)


class Layer:
    def __init__(self, number):
        self.weight = 1.0 - number / 64.0
        self.bias = number * 0.125
        self.is_even = number % 2 == 0

    def __call__(self, a):
        return self.apply(a)

    def apply(self, a):
        b = a * self.weight - self.bias
        if self.is_even:
            b = b / 2.0
        return b


class Stack:
    def __init__(self, size):
        self.layers = [Layer(number) for number in range(size)]
        self.adds = True

    def __call__(self, a):
        for layer in self.layers:
            b = layer(a)
            a = a + b if self.adds else b
        return a


stack = Stack(40)


@program(140)
def forty_layers(a):
    return stack(a)


# -- writes to arguments ----------------------------------------------------------------------------------------------


def with_list(make: Maker) -> tuple[object, ...]:
    return make([0.5, -1.5, 2.0, 0.75]), [make([1.0, 2.0, 3.0, 4.0]), make([4.0, 3.0, 2.0, 1.0])]


@program(4, with_list)
def writes_to_a_list(a, items):
    items.append(a * 2.0)
    items[0] = a - 1.0
    removed = items.pop(1)
    return items[0] + items[-1] * removed


def with_dict(make: Maker) -> tuple[object, ...]:
    return make([0.5, -1.5, 2.0, 0.75]), {"base": make([1.0, 2.0, 3.0, 4.0]), "step": 0.5}


@program(4, with_dict)
def writes_to_a_dict(a, book):
    book["base"] = a - book["step"]
    book["scratch"] = a * book["base"]
    scratch = book.pop("scratch")
    return scratch / 2.0 + book["base"]


def with_gauge(make: Maker) -> tuple[object, ...]:
    return make([0.5, -1.5, 2.0, 0.75]), Gauge(0.5)


@program(4, with_gauge)
def writes_to_an_object(a, owner):
    owner.latest = a * owner.zero
    owner.latest = owner.latest + a
    return owner.latest / owner.unit - 1.0


@program(2, with_gauge)
def counts_on_an_object(a, owner):
    owner.readings += 1
    return a * owner.unit - owner.readings


# -- generators, context managers, exceptions -------------------------------------------------------------------------


def multiples(a, count):
    for n in range(count):
        yield a * n


@program(19)
def generators(a):
    return sum(multiples(a, 4)) + list(multiples(a, 3))[-1] - sum(a + n for n in range(3))


class Section:
    def __init__(self, journal):
        self.journal = journal

    def __enter__(self):
        self.journal.append("open")
        return self

    def __exit__(self, *error):
        self.journal.append("close")
        return False


@program(3)
def context_managers(a):
    journal = []
    with Section(journal) as outer:
        a = a - 1.0
        with Section(outer.journal):
            a = a * 0.5
    return a + len(journal)


class Refusal(Exception):
    pass


def refuse_if(a, refused):
    if refused:
        raise Refusal("refused", 3)
    return a * 2.0


@program(4)
def exceptions(a):
    score = 0
    try:
        a = refuse_if(a, False)
        a = refuse_if(a, True)
    except Refusal as refusal:
        a = a - len(refusal.args)
        score = 1
    finally:
        a = a + 0.5
    try:
        ().index(1)
    except ValueError:
        score += 2
    return a * score


# -- breaks -----------------------------------------------------------------------------------------------------------


@program(None)
def branch_on_data(a):
    b = a - 0.25
    if b.sum() > 0:
        return b * 2.0
    return b / 2.0


@program(None)
def one_print(a):
    b = a * 3.0
    print("once", 2)
    return b - 1.0


@program(None)
def three_prints(a):
    b = a - 1.0
    print("first")
    c = b * a
    print("second")
    d = c + 0.5
    print("third")
    return b - c * d


def tell_and_halve(a):
    b = a - 1.0
    print("inside")
    return b * 0.5


@program(None)
def print_in_a_helper(a):
    b = a * 4.0
    c = tell_and_halve(b)
    return b - c


@program(None)
def print_in_a_loop(a):
    for n in range(5):
        a = a - n
        print("round")
        a = a * 0.25
    return a


@program(None)
def print_in_a_with(a):
    journal = []
    with Section(journal):
        a = a * 2.0
        print("inside")
        a = a - 1.0
    return a, journal


@program(None)
def print_in_a_try(a):
    try:
        a = a * 2.0
        print("trying")
        a = a - 1.0
    finally:
        a = a / 4.0
    return a
