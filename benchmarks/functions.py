"""Functions to measure: each works on any operand with arithmetic, comparison and `sum()`, and imports no framework.

`SUBJECTS` lists them in order.  A function called again with the same arguments does the same again; the tag "counter"
marks one that changes a number on purpose, so that no two calls see the same state.  "breaks" marks those that have to
break, "writes" those that change their arguments.
"""

from collections.abc import Callable
from dataclasses import dataclass

Maker = Callable[[list[float]], object]


@dataclass
class Subject:
    """A function, and what makes arguments for it out of lists of numbers."""

    name: str
    function: Callable[..., object]
    arguments: Callable[[Maker], tuple[object, ...]]
    tags: frozenset[str]


SUBJECTS: list[Subject] = []


def one(make):
    return (make([1.5, -0.5, 0.25, 3.0]),)


def two(make):
    return make([1.5, -0.5, 0.25, 3.0]), make([0.75, 2.0, 1.0, 0.5])


def subject(*tags, arguments=one):
    """Registers a function."""

    def register(function):
        SUBJECTS.append(Subject(function.__name__, function, arguments, frozenset(tags)))
        return function

    return register


# -- straight lines ---------------------------------------------------------------------------------------------------


@subject(arguments=two)
def five_operations(price, rate):
    gross = price * rate
    net = gross - price
    taxed = net * 0.75
    shared = taxed / 2.0
    return shared + rate


@subject(arguments=two)
def hundred_operations(a, b):
    t = a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    t = ((((t - b) * 0.5 + a) / 1.25 - 0.5) * b + 2.0) * 0.25 - a
    return t / 2.0


# -- loops ------------------------------------------------------------------------------------------------------------


@subject()
def loop_of_10(height):
    for second in range(10):
        height = height - second
    return height


@subject()
def loop_of_1000(height):
    for second in range(1000):
        height = height - second
    return height


@subject()
def python_loop_of_1000(height):
    seed = 11
    for turn in range(1000):
        seed = (seed * 7 + turn) % 1021
    return height * seed


@subject()
def while_loop(height):
    left = 60
    while left:
        if left % 3 == 0:
            height = height * 0.5
        left -= 1
    return height


# -- helpers ----------------------------------------------------------------------------------------------------------


def descend(value, levels):
    if levels == 0:
        return value
    return descend(value * 0.5, levels - 1) + 1.0


@subject()
def helpers_1_deep(value):
    return descend(value, 1)


@subject()
def helpers_20_deep(value):
    return descend(value, 20)


def ways(steps):
    return 1 if steps < 2 else ways(steps - 1) + ways(steps - 2)


@subject()
def recursion(value):
    return value * ways(9)


# -- closures and arguments -------------------------------------------------------------------------------------------


def make_mixer(share, offset):
    def mix(a, b):
        return a * share + b * (1.0 - share)

    def mix_and_shift(a, b):
        return mix(a, b) + offset

    return mix_and_shift


mixer = make_mixer(0.25, 2.0)


@subject(arguments=two)
def closures(a, b):
    return mixer(a, b) - mixer(b, a)


@subject()
def closure_that_counts(value):
    count = 0

    def step(change):
        nonlocal count, value
        count += 1
        value = value - change

    for part in (0.5, 0.25, 0.125):
        step(part)
    return value * count


def combine(first, *others, scale=1.0, **changes):
    for other in others:
        first = first + other
    for name, change in changes.items():
        first = first / change if name.endswith("share") else first - change
    return first * scale


@subject(arguments=two)
def arguments_of_every_kind(a, b):
    others = (b, 3.0)
    changes = {"equal_share": 4.0, "cost": b}
    return combine(a, *others, 1.0, scale=0.5, **changes) + combine(b)


# -- containers -------------------------------------------------------------------------------------------------------


@subject(arguments=two)
def packing_and_unpacking(a, b):
    left, right = pair = (b, a)
    row = [left + right, *pair, 2.0]
    head, *body, tail = row
    more = {"body": body[0]}
    book = {"head": head, "tail": tail, **more}
    book["total"] = book.pop("head") * tail
    return book["total"] - book["body"], row[1:3], list(book)


@subject(arguments=two)
def comprehensions(a, b):
    scaled = [a * step for step in range(10) if step % 2 == 0]
    named = {f"step {number}": value - b for number, value in enumerate(scaled)}
    return [value * 0.5 for value in named.values()], {name: value for name, value in named.items() if name[-1] != "3"}


@subject()
def strings(value):
    name = f"run-{7:04d}/{'x'!r:>6}"
    weights = {name: 0.5, "rest": 1.0}
    layout = "{:>12} {:.2f}"
    return value * weights[name] + len(layout.format(name.upper(), 0.125))


# -- classes ----------------------------------------------------------------------------------------------------------


class Sensor:
    gain = 4.0

    def __init__(self, zero):
        self.zero = zero
        self.readings = 0

    @property
    def offset(self):
        return self.zero * 0.25

    @staticmethod
    def damp(value):
        return value * 0.5

    @classmethod
    def amplify(cls, value):
        return value * cls.gain

    def __call__(self, value):
        return self.amplify(self.damp(value - self.offset)) + self.zero


sensor = Sensor(2.0)


@subject()
def methods(value):
    return sensor(value) - sensor.offset


@subject()
def construction(value):
    made = Sensor(0.5)
    made.last = value
    return made(value) + made.last


@dataclass
class Plan:
    rate: float = 0.25
    rounds: int = 5
    kind: str = "linear"


@subject(arguments=lambda make: (*one(make), Plan()))
def dataclasses(value, plan):
    if plan.kind == "linear":
        for _ in range(plan.rounds):
            value = value - value * plan.rate
    return value


class Layer:
    def __init__(self, number):
        self.weight = 0.75 - 0.005 * number
        self.shift = 0.05 * number
        self.shape = "bent" if number % 3 == 0 else "flat"

    def __call__(self, value):
        return self.forward(value)

    def forward(self, value):
        result = value * self.weight - self.shift
        if self.shape == "bent":
            result = result * 0.5
        return result


class Network:
    def __init__(self, depth):
        self.layers = [Layer(number) for number in range(depth)]
        self.skips = True

    def __call__(self, value):
        for layer in self.layers:
            result = layer(value)
            value = value + result if self.skips else result
        return value


network = Network(50)


@subject()
def network_of_50(value):
    return network(value)


SETTINGS = {
    "rounds": 3,
    "stages": [
        {"do": "raise", "by": 1.5},
        {"do": "scale", "by": 0.5, "when": True},
        {"do": "scale", "by": 9.0, "when": False},
        {"do": "mirror"},
        {"do": "divide", "by": 2.0},
    ],
}
STEPS = {
    "raise": lambda value, stage: value + stage["by"],
    "scale": lambda value, stage: value * stage["by"],
    "mirror": lambda value, stage: value * value,
    "divide": lambda value, stage: value / stage.get("by", 1.0),
}


@subject()
def pipeline_from_settings(value):
    for _ in range(SETTINGS["rounds"]):
        for stage in SETTINGS["stages"]:
            if stage.get("when", True):
                value = STEPS[stage["do"]](value, stage)
    return value


# -- writes -----------------------------------------------------------------------------------------------------------


@subject("writes", arguments=lambda make: (*one(make), list(two(make))))
def writes_to_a_list(value, row):
    row.append(value - 1.0)
    row[0] = value * 0.5
    row.pop(1)
    return row[0] * row[-1]


@subject("writes", arguments=lambda make: (*one(make), {"sum": one(make)[0], "rate": 2.0}))
def writes_to_a_dict(value, book):
    book["sum"] = value * book["rate"]
    book["spare"] = value - 1.0
    return book.pop("spare") + book["sum"]


@subject("writes", arguments=lambda make: (*one(make), Sensor(1.0)))
def writes_to_an_object(value, sensor):
    sensor.last = value - sensor.zero
    sensor.last = sensor.last * 0.5
    return sensor.last + sensor.gain


@subject("writes", "counter", arguments=lambda make: (*one(make), Sensor(1.0)))
def counts_on_an_object(value, sensor):
    sensor.readings += 1
    return value * sensor.gain - sensor.readings


# -- breaks -----------------------------------------------------------------------------------------------------------


@subject("breaks")
def branches_on_data(value):
    scaled = value * 0.5
    if scaled.sum() > 1:
        return scaled - 1.0
    return scaled + 1.0


@subject("breaks")
def prints(value):
    scaled = value * 0.5
    print("scaled by", 0.5)
    return scaled + 1.0


@subject("breaks")
def prints_thrice(value):
    first = value * 0.5
    print("first")
    second = first - value
    print("second")
    third = second / 4.0
    print("third")
    return first + second * third


@subject("breaks")
def prints_in_a_loop(value):
    for turn in range(4):
        value = value - turn
        print("turn")
        value = value * 2.0
    return value


class Journal:
    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append("begun")
        return self

    def __exit__(self, *details):
        self.lines.append("ended")
        return False


@subject("breaks")
def prints_in_a_with(value):
    lines = []
    with Journal(lines):
        value = value - 1.0
        print("within")
        value = value * 0.5
    return value + len(lines)


@subject("breaks")
def prints_in_a_try(value):
    try:
        value = value - 1.0
        print("trying")
        value = value * 0.5
    finally:
        value = value + 2.0
    return value
