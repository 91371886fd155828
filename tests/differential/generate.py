"""Makes random programs: a function, the calls of it, and statements that change the world between the calls.

Programs may raise anything anywhere, but always end: loops are bounded and numbers and lists do not grow without limit.
"""

from __future__ import annotations

import random

import attrs

from tests.differential import topics
from tests.differential.expressions import PARAMETERS, Expressions
from tests.differential.grammar import Grammar
from tests.differential.suspension import Suspension

MAX_DEPTH = 3  # of statements in statements


@attrs.frozen
class Generated:
    """A program: text that defines `subject`, expressions that call it, and what is executed before each call."""

    seed: int
    source: str
    calls: tuple[str, ...]
    before: tuple[str, ...]


def generate(seed: int, *, arrays: bool = True) -> Generated:
    """The program of this seed."""
    chance = random.Random(seed)
    topic = topics.choose(chance, arrays=arrays)
    body = Body(chance, Expressions(chance, arrays), topic)
    source = (topic.prelude + body.function()).lstrip()
    count = chance.choice([3, 4, 4, 5] if topic.rules is None else [4, 6, 8, 10])
    calls = make_calls(chance, count, topic)
    often = 0.45 if topic.rules is None else 0.7
    before = ["", "", *(chance.choice(topic.between) if chance.random() < often else "" for _ in range(count))][:count]
    return Generated(seed, source, tuple(calls), tuple(before))


def make_calls(chance: random.Random, count: int, topic: topics.Topic) -> list[str]:
    pools = topic.usual if chance.random() < 0.5 else topic.pools  # usual kinds only: more calls get to their end
    current = {name: chance.choice(pools[kind]) for name, kind in PARAMETERS.items()}
    calls = []
    for index in range(count):
        for name, kind in PARAMETERS.items():
            if index > 1 and chance.random() < 0.2:
                current[name] = chance.choice(pools[kind])
        chosen = dict(current)
        if chance.random() < 0.06:
            first, second = chance.sample(list(PARAMETERS), 2)
            chosen[first] = chosen[second]
        if chance.random() < 0.1:
            chosen["q"] = "SHARED_POINT"
            chosen["p"] = "SHARED_POINT"
        calls.append("subject(" + ", ".join(chosen.values()) + ")")
    return calls


@attrs.define
class Body:
    """Writes the statements of one function, `budget` of them at most."""

    chance: random.Random
    make: Expressions
    topic: topics.Topic
    budget: int = 0
    suspension: Suspension = attrs.field(
        init=False, default=attrs.Factory(lambda self: Suspension(self.chance, self.make, self.block), takes_self=True)
    )
    grammar: Grammar | None = attrs.field(init=False, default=None)

    def function(self) -> str:
        self.budget = self.chance.choice([4, 8, 12, 20, 30] if self.topic.rules is None else [1, 2, 3, 5, 8])
        if self.topic.rules is not None:
            self.grammar = Grammar(self.chance, self.make, self.topic.rules, self.block)
            self.make.more = self.grammar.piece
        lines = ["", "def subject(" + ", ".join(PARAMETERS) + "):"]
        if self.chance.random() < 0.15:
            lines.append("    global FACTOR")
            self.make.names["FACTOR"] = "number"
        body = self.block(0, self.chance.randint(2, 8))
        if self.chance.random() < 0.7:
            lines += [
                f"    {letter}{number} = {value}"
                for number in range(1, self.make.counter + 1)
                for letter, value in (("v", self.chance.choice(["a", "2", "1.5"])), ("w", "b"))
                if any(f"{letter}{number}" in line for line in body)
            ]
        lines += body
        lines.append("    return " + self.results())
        return "\n".join(lines) + "\n"

    def results(self) -> str:
        names = [name for name in self.make.names if self.chance.random() < 0.5]
        return "[" + ", ".join(names) + "]" if names else self.make.any()

    def block(self, depth: int, count: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            if self.budget > 0 or not lines:
                self.budget -= 1
                lines += self.statement(depth)
        return ["    " + line for line in lines]

    def statement(self, depth: int) -> list[str]:
        if self.grammar is not None and depth < MAX_DEPTH and self.chance.random() < 0.6:
            return self.grammar.statement(depth)
        simple = [self.assign, self.assign, self.assign, self.change, self.change, self.store, self.break_, self.call]
        rare = [self.delete, self.leave, self.raise_, self.unpack]
        compound = [self.if_, self.for_, self.if_, self.for_, self.while_, self.try_, self.with_, self.define]
        compound += [self.suspension.statement] * 4
        if depth < MAX_DEPTH and self.chance.random() < 0.4:
            before = dict(self.make.names)
            lines = self.chance.choice(compound)(depth)
            if self.chance.random() < 0.9:  # what is bound in a branch is seldom used behind it
                self.make.names = before | {name: kind for name, kind in self.make.names.items() if kind == "function"}
            return lines
        line = self.chance.choice(rare if self.chance.random() < 0.12 else simple)()
        caught = 0.25 if self.grammar is None else 0.7
        if self.chance.random() < caught and depth < MAX_DEPTH and line not in ("break", "continue"):
            return ["try:", "    " + line, "except Exception as error:", "    LOG.append(type(error).__name__)"]
        return [line]

    def assign(self) -> str:
        kind = self.chance.choice(
            ["number", "number", "list", "dict", "object", "array", "array", "function", "string"]
        )
        old = self.make.variable(kind)
        name = old if old and self.chance.random() < 0.45 else self.make.new()
        value = self.make.expression(kind)
        self.make.names[name] = kind
        return f"{name} = {value}"

    def change(self) -> str:
        kind = self.chance.choice(["number", "number", "list", "array", "array", "dict", "object"])
        name = self.make.variable(kind) or "xs"
        operators = {"list": ["+="], "dict": ["|="], "object": ["+="]}.get(kind, ["+=", "-=", "*=", "/=", "//=", "%="])
        value = self.make.expression(kind if kind != "array" or self.chance.random() < 0.5 else "number", 1)
        if kind == "list":
            value += "[:2]"
        elif kind == "number" and self.chance.random() < 0.6:
            return f"{name} {self.chance.choice(['+=', '-=', '/='])} {self.make.divisor(1)}"
        elif kind == "object":
            return f"{name}.x {self.chance.choice(['+=', '-='])} {self.make.number(1)}"
        return f"{name} {self.chance.choice(operators)} {value}"

    def store(self) -> str:
        e = self.make.expression
        attribute = self.chance.choice(["x", "y", "y", "extra", "both", "scale"])
        operator = self.chance.choice(["=", "=", "=", "+=", "-="])
        return self.make.pick(
            lambda: f"{e('object', 2)}.{attribute} {operator} {e('number', 1)}",
            lambda: f"{e('object', 2)}.{attribute} = {self.make.any(1)}",
            lambda: f"{e('list', 2)}[{self.make.index(2)}] {operator} {e('number', 1)}",
            lambda: f"{e('dict', 2)}[{self.make.key(2)}] {operator} {e('number', 1)}",
            lambda: f"{e('list', 2)}[{self.chance.choice(['1:', ':1', '::2', ':0'])}] = {e('list', 2)}[:3]",
            lambda: (
                f"{e('array', 2)}[{self.chance.choice(['0', '1:', '...', '-1', 'm > 1'])}] {operator} {e('number', 1)}"
            ),
            lambda: f"{e('dict', 2)}[{self.make.key(2)}] = {self.make.any(1)}",
            lambda: f"{self.chance.choice(['Point.scale', 'tools.rate', 'Child.rate'])} = {e('number', 1)}",
        )

    def call(self) -> str:
        e = self.make.expression
        return self.make.pick(
            lambda: (
                f"{e('list', 2)}.append({self.make.any(1)})" if not self.make.loops else f"{e('list', 2)}.reverse()"
            ),
            lambda: f"{e('list', 2)}.{self.chance.choice(['sort()', 'reverse()', 'clear()', 'pop(0)', 'pop(-1)'])}",
            lambda: f"{e('list', 2)}.extend({e('list', 2)}[:2])",
            lambda: (
                f"{e('list', 2)}.insert({self.make.index(2)}, {e('number', 1)})"
                if not self.make.loops
                else "count_up()"
            ),
            lambda: (
                f"{e('list', 2)}.remove({e('number', 1)})" if self.chance.random() < 0.1 else f"{e('dict', 2)}.clear()"
            ),
            lambda: f"{e('dict', 2)}.{self.chance.choice(['pop', 'setdefault'])}({self.make.key(2)}, {e('number', 1)})",
            lambda: f"{e('dict', 2)}.update({e('dict', 2)})",
            lambda: f"{e('object', 2)}.move({e('number', 1)}, {e('number', 1)})",
            lambda: f"{e('object', 2)}.move(dy={e('number', 1)}, dx={e('number', 1)})",
            lambda: f"setattr({e('object', 2)}, {self.chance.choice(['x', 'extra'])!r}, {self.make.any(1)})",
            lambda: f"{e('function', 1)}({self.make.any(1)})",
            lambda: f"LOG.append({self.make.any(1)})" if not self.make.loops else "LOG.append(1)",
            lambda: f"LOG.append({self.make.string(1)})",
        )

    def break_(self) -> str:
        return self.make.pick(
            lambda: "print('break')",
            lambda: f"print({self.make.string(2)})",
            lambda: f"print(len({self.make.list_(2)}))",
            lambda: "breakpoint_()",
        ).replace("breakpoint_()", "next(counted(1))")

    def delete(self) -> str:
        name = self.chance.choice([*self.make.names, "x"])
        return self.make.pick(
            lambda: f"del {name}" if name in self.make.names else "pass",
            lambda: f"del {self.make.expression('object', 2)}.{self.chance.choice(['x', 'y', 'extra'])}",
            lambda: f"del {self.make.expression('list', 2)}[{self.make.index(2)}]",
            lambda: f"del {self.make.expression('dict', 2)}[{self.make.key(2)}]",
        )

    def leave(self) -> str:
        if self.make.loops and self.chance.random() < 0.8:
            return self.chance.choice(["break", "continue"])
        return f"if {self.make.condition()}: return {self.make.any()}"

    def raise_(self) -> str:
        error = self.chance.choice(["ValueError('here')", "KeyError(a)", "ZeroDivisionError", "p"])
        return self.chance.choice(
            [f"if {self.make.condition(2)}: raise {error}", f"assert {self.make.condition(1)}, {self.make.any(2)}"]
        )

    def unpack(self) -> str:
        first, second = self.make.new(), self.make.new()
        value = self.make.pick(
            lambda: f"{self.make.any(1)}, {self.make.any(1)}",
            lambda: self.make.list_(1),
            lambda: f"{self.make.object_(1)}.both",
        )
        self.make.names.setdefault(first, "number")
        self.make.names.setdefault(second, "number")
        return self.chance.choice([f"{first}, {second} = {value}", f"{first}, *{second} = {value}", "a, b = b, a"])

    def if_(self, depth: int) -> list[str]:
        lines = [f"if {self.make.condition()}:", *self.block(depth + 1, self.chance.randint(1, 3))]
        if self.chance.random() < 0.2:
            lines += [f"elif {self.make.condition()}:", *self.block(depth + 1, 2)]
        if self.chance.random() < 0.5:
            lines += ["else:", *self.block(depth + 1, self.chance.randint(1, 3))]
        return lines

    def for_(self, depth: int) -> list[str]:
        name = self.make.new("i")
        iterable = self.make.iterable(0)
        target = name
        if ("enumerate" in iterable or "zip" in iterable or ".items" in iterable) and self.chance.random() < 0.8:
            other = self.make.new("j")
            target = f"{name}, {other}"
            self.make.names[other] = "number"
        self.make.names[name] = "number"
        limit = self.make.new("n")
        lines = [f"{limit} = 0", f"for {target} in {iterable}:", f"    {limit} += 1", f"    if {limit} > 9: break"]
        if not any(kind in iterable for kind in ("xs", "LIST", "ITEMS", "map", "d", "v")):
            lines = [lines[1]]
        self.make.loops += 1
        lines += self.block(depth + 1, self.chance.randint(1, 4))
        self.make.loops -= 1
        if self.chance.random() < 0.2:
            lines += ["else:", *self.block(depth + 1, 1)]
        return lines

    def while_(self, depth: int) -> list[str]:
        name = self.make.new("k")
        self.make.loops += 1
        body = self.block(depth + 1, self.chance.randint(1, 3))
        self.make.loops -= 1
        extra = f" and ({self.make.condition(1)})" if self.chance.random() < 0.4 else ""
        lines = [
            f"{name} = 0",
            f"while {name} < {self.chance.choice(['2', '3', '5'])}{extra}:",
            f"    {name} += 1",
            *body,
        ]
        if self.chance.random() < 0.2:
            lines += ["else:", *self.block(depth + 1, 1)]
        return lines

    def try_(self, depth: int) -> list[str]:
        lines = ["try:", *self.block(depth + 1, self.chance.randint(1, 3))]
        form = self.chance.random()
        if form < 0.8:
            error = self.chance.choice(
                ["Exception", "ValueError", "(TypeError, KeyError)", "AttributeError", "IndexError"]
            )
            name = self.make.new("e")
            lines.append(f"except {error} as {name}:")
            lines.append(f"    LOG.append((type({name}).__name__, {name}.args))")
            lines += self.block(depth + 1, 1)
            if self.chance.random() < 0.2:
                lines += ["else:", *self.block(depth + 1, 1)]
        if form > 0.6:
            lines += ["finally:", *self.block(depth + 1, self.chance.randint(1, 2))]
        return lines

    def with_(self, depth: int) -> list[str]:
        name = self.make.new("c")
        self.make.names[name] = "number"
        return [f"with {self.make.expression('guard')} as {name}:", *self.block(depth + 1, self.chance.randint(1, 3))]

    def define(self, depth: int) -> list[str]:
        name = self.make.new("f")
        before, loops = dict(self.make.names), self.make.loops
        numbers = [have for have in before if before[have] == "number" and have not in ("FACTOR", "value", "each")]
        self.make.names["value"] = "number"
        self.make.loops = 0
        lines = [f"def {name}(value, other={self.make.number(2)}):"]
        if numbers and self.chance.random() < 0.5:
            chosen = self.chance.choice(numbers)
            lines += [f"    nonlocal {chosen}", f"    {chosen} = {self.make.number(1)}"]
            self.make.names.pop(chosen)
        lines += ["    " + line.replace(":=", "+") for line in (f"{self.store()}", f"return {self.make.number()}")]
        self.make.names, self.make.loops = before, loops
        self.make.names[name] = "function"
        return lines
