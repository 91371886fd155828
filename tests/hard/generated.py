"""Small random programs: numbers, lists, dicts, objects, closures, loops, handlers, managers, deletions and breaks.

Every program ends after a bounded number of steps, and uses operands only in ways that may fail in few, known ways.
"""

from __future__ import annotations

import random
import types
from collections.abc import Callable

import symexec


class Holder:
    """An object to write attributes of."""

    kind = 3.0

    def __init__(self, value):
        self.value = value
        self.items = []

    @property
    def double(self):
        return self.value * 2.0

    def bump(self, by):
        self.value = self.value + by
        return self.value

    def __eq__(self, other):
        return isinstance(other, Holder) and self.value == other.value

    __hash__ = None


class Section:
    """A context manager that notes and perhaps swallows."""

    def __init__(self, log, swallows):
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append("exit" if kind is None else kind.__name__)
        return self.swallows


def helper(a, b=2.0, *rest, scale=1.0):
    for item in rest:
        a = a + item
    return a * scale - b


def failing(a):
    return a / (a - a)


NAMESPACE = {
    "Holder": Holder,
    "Section": Section,
    "helper": helper,
    "failing": failing,
    "graph_break": symexec.graph_break,
    "shared": 1.5,
    "table": {"k": 2.0, "n": 3},
    "__name__": __name__,
    "__builtins__": __builtins__,
}


class Writer:
    """Writes one program; `names` are variables that hold numbers, and are surely bound."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.names = ["x", "y"]
        self.counter = 0
        self.budget = 28
        self.in_function = 0

    def source(self) -> str:
        """The text of a function `program(x, y, items, book, holder, log)`."""
        self.lines = ["def program(x, y, items, book, holder, log):"]
        self.block(1, 3 + self.random.randrange(6))
        returned = ", ".join(dict.fromkeys([*self.names, "items", "book", "holder.value", "holder.items", "log"]))
        self.line(1, f"return {returned}")
        return "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self) -> str:
        self.counter += 1
        return f"v{self.counter}"

    def name(self) -> str:
        return self.random.choice(self.names)

    def number(self) -> str:
        return self.random.choice(["0.5", "2.0", "-1.0", "3", "1", "shared", "table['k']", "holder.kind", "0.0"])

    def expression(self, depth: int = 0) -> str:
        kind = self.random.randrange(14 if depth < 3 else 3)
        left = self.name
        if kind <= 1:
            return left()
        if kind == 2:
            return self.number()
        inner = lambda: self.expression(depth + 1)
        return {
            3: lambda: f"({inner()} + {inner()})",
            4: lambda: f"({inner()} - {inner()})",
            5: lambda: f"({inner()} * {self.number()})",
            6: lambda: f"helper({inner()}, {inner()})",
            7: lambda: f"helper({inner()}, *[{left()}, {self.number()}], scale={self.number()})",
            8: lambda: f"({inner()} if {self.condition()} else {inner()})",
            9: lambda: f"[{inner()}, {left()}][{self.random.randrange(2)}]",
            10: lambda: "holder.value",
            11: lambda: f"holder.bump({self.number()})",
            12: lambda: f"sum([{left()}, {inner()}])",
            13: lambda: f"(graph_break() or {inner()})",
        }[kind]()

    def condition(self) -> str:
        return self.random.choice(
            [
                f"{self.name()} > {self.number()}",
                "len(items) > 2",
                "'k' in book",
                "holder.items",
                f"isinstance({self.name()}, float)",
                "shared == 1.5",
                "not log",
            ]
        )

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement(depth)
        if not self.lines[-1].startswith("    " * depth) or self.lines[-1].rstrip().endswith(":"):
            self.line(depth, "pass")

    def statement(self, depth: int) -> None:
        simple: list[Callable[[int], None]] = [
            self.assign, self.assign, self.augment, self.break_, self.containers, self.attributes, self.unpack,
            self.log, self.comprehension, self.delete,
        ]  # fmt: skip
        compound: list[Callable[[int], None]] = [
            self.if_, self.for_, self.while_, self.try_, self.with_, self.closure, self.for_,
        ]  # fmt: skip
        choice = self.random.choice(compound if depth < 4 and self.random.random() < 0.4 else simple)
        choice(depth)

    def assign(self, depth: int) -> None:
        text = self.expression()
        name = self.fresh() if self.random.random() < 0.5 and depth == 1 else self.name()
        self.line(depth, f"{name} = {text}")
        if name not in self.names:
            self.names.append(name)

    def augment(self, depth: int) -> None:
        self.line(depth, f"{self.name()} {self.random.choice(['+=', '-=', '*='])} {self.expression()}")

    def break_(self, depth: int) -> None:
        self.line(depth, "graph_break()")

    def log(self, depth: int) -> None:
        self.line(depth, f"log.append({self.random.choice(['len(items)', repr('mark'), self.name(), 'sorted(book)'])})")

    def containers(self, depth: int) -> None:
        self.line(
            depth,
            self.random.choice(
                [
                    f"items.append({self.expression()})",
                    f"items[{self.random.choice(['0', '-1', '1'])}] = {self.expression()}",
                    f"items[1:2] = [{self.expression()}, {self.name()}]",
                    "items.pop()",
                    f"items.extend([{self.name()}, {self.expression()}])",
                    f"book['{self.random.choice('abk')}'] = {self.expression()}",
                    f"{self.name()} = book.get('k', {self.expression()})",
                    "book.pop('a', None)",
                    f"book.setdefault('b', {self.expression()})",
                    f"{self.name()} = items[0]",
                    f"{self.name()} = items[-1] * 1.5",
                    f"book.update(a={self.expression()}, c={self.name()})",
                    f"items.insert(1, {self.expression()})",
                ]
            ),
        )

    def attributes(self, depth: int) -> None:
        self.line(
            depth,
            self.random.choice(
                [
                    f"holder.value = {self.expression()}",
                    f"holder.value -= {self.expression()}",
                    f"holder.items = [holder.value, {self.name()}]",
                    f"holder.items.append({self.expression()})",
                    f"{self.name()} = holder.double",
                    f"{self.name()} = Holder({self.expression()}).bump({self.number()})",
                    "holder.items = items",
                    "items = holder.items + items",
                ]
            ),
        )

    def unpack(self, depth: int) -> None:
        first, second = self.name(), self.name()
        self.line(
            depth,
            self.random.choice(
                [
                    f"{first}, {second} = {self.expression()}, {self.expression()}",
                    f"({first}, *rest), {second} = [{self.expression()}, 1.0, 2.0], {self.name()}",
                    f"{first} = {second} = {self.expression()}",
                ]
            ),
        )

    def comprehension(self, depth: int) -> None:
        hidden = self.random.choice([self.name(), "item", "item"])
        kind = self.random.choice(["[{0}]", "sum([{0}])", "list({{k: {0} for k in 'ab'}}.values())"])
        value = f"{hidden} * {self.number()} + {self.name()}"
        if "for k" in kind:
            body = f"{self.name()} * 2.0"
        else:
            source = self.random.choice(["items", f"[{self.name()}, 2.0]", "range(3)", "list(book.values())"])
            condition = self.random.choice(["", f" if {hidden} != 2.0", " if graph_break() is None"])
            body = f"{value} for {hidden} in {source}{condition}"
        text = kind.format(body)
        target = self.name() if text.startswith("sum") else "items"
        self.line(depth, f"{target} = {text}")

    def delete(self, depth: int) -> None:
        name = self.fresh()
        self.line(depth, f"{name} = {self.expression()}")
        self.line(depth, f"{self.name()} = {name} - {self.number()}")
        if self.random.random() < 0.5:
            self.line(depth, "graph_break()")
        self.line(depth, f"del {name}")

    def if_(self, depth: int) -> None:
        self.line(depth, f"if {self.condition()}:")
        self.block(depth + 1, 1 + self.random.randrange(3))
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, 1 + self.random.randrange(2))

    def for_(self, depth: int) -> None:
        item = self.fresh()
        source = self.random.choice(
            ["range(3)", "list(items[:4])", "[1.0, 2.0, 3.0]", f"({self.name()}, 2.0)", "list(book.values())[:3]"]
        )
        if self.random.random() < 0.3:
            self.line(depth, f"for {self.fresh()}, {item} in enumerate({source}):")
        else:
            self.line(depth, f"for {item} in {source}:")
        self.names.append(item)
        self.block(depth + 1, 1 + self.random.randrange(3))
        if self.random.random() < 0.3:
            self.line(depth + 1, f"if {self.condition()}:")
            self.line(depth + 2, self.random.choice(["break", "continue"]))
            self.line(depth + 1, f"{self.name()} = {self.expression()}")
        if self.random.random() < 0.2:
            self.line(depth, "else:")
            self.line(depth + 1, f"{self.name()} = {self.expression()}")
        self.names.remove(item)

    def while_(self, depth: int) -> None:
        count = self.fresh()
        self.line(depth, f"{count} = 0")
        self.line(depth, f"while {count} < {self.random.randrange(1, 5)}:")
        self.line(depth + 1, f"{count} += 1")
        self.block(depth + 1, 1 + self.random.randrange(3))

    def try_(self, depth: int) -> None:
        self.line(depth, "try:")
        self.block(depth + 1, 1 + self.random.randrange(2))
        if self.random.random() < 0.6:
            self.line(
                depth + 1,
                self.random.choice(
                    [
                        f"{self.name()} = failing({self.name()})",
                        f"{self.name()} = book['missing']",
                        f"raise ValueError({self.name()})",
                        f"{self.name()} = items[99]",
                        f"{self.name()} = 1.0 / {self.number()}",
                    ]
                ),
            )
        if self.random.random() < 0.3:
            self.block(depth + 1, 1)
        handled = self.random.random() < 0.8
        if handled:
            self.line(depth, "except (ArithmeticError, LookupError, ValueError) as error:")
            self.line(depth + 1, "log.append((type(error).__name__, error.args))")
            self.block(depth + 1, 1)
        if not handled or self.random.random() < 0.4:
            self.line(depth, "finally:")
            self.block(depth + 1, 1)

    def with_(self, depth: int) -> None:
        self.line(depth, f"with Section(log, {self.random.random() < 0.5}):")
        self.block(depth + 1, 1 + self.random.randrange(3))
        if self.random.random() < 0.3:
            self.line(depth + 1, f"{self.name()} = failing({self.name()})")

    def closure(self, depth: int) -> None:
        function, written = self.fresh(), self.name()
        read = self.name()
        self.line(depth, f"def {function}(more, by=2.0):")
        if depth == 1 and written not in ("more", "by"):
            self.line(depth + 1, f"nonlocal {written}")
            self.line(depth + 1, f"{written} = {written} + more * by")
        if self.random.random() < 0.3:
            self.line(depth + 1, "graph_break()")
        self.line(depth + 1, f"return {read} * by + more")
        self.line(depth, f"{self.name()} = {function}({self.expression()})")
        if self.random.random() < 0.4:
            self.line(depth, f"{self.name()} = {function}({self.name()}, by={self.number()}) - {self.name()}")


def program(seed: int) -> tuple[types.FunctionType, str]:
    """The program of a seed, and its text."""
    source = Writer(seed).source()
    namespace = dict(NAMESPACE)
    exec(compile(source, f"<program {seed}>", "exec", dont_inherit=True), namespace)
    return namespace["program"], source
