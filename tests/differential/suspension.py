"""Statements about generators, chains of exceptions, context managers and patterns, for random programs."""

from __future__ import annotations

import random
from collections.abc import Callable

import attrs

from tests.differential.expressions import Expressions

ERRORS = [
    "ValueError('here')",
    "KeyError('k')",
    "ZeroDivisionError",
    "Refused('no', 3)",
    "Refused('never')",
    "StopIteration(5)",
]
CAUGHT = ["Exception", "ValueError", "(KeyError, Refused)", "RuntimeError", "Refused", "LookupError"]
Block = Callable[[int, int], list[str]]


@attrs.define
class Suspension:
    """Makes compound statements; `block` makes the lines of nested ones, indented."""

    chance: random.Random
    make: Expressions
    block: Block

    def statement(self, depth: int) -> list[str]:
        kinds = [self.generator, self.generator, self.chained, self.chained, self.managed, self.match, self.group]
        return self.chance.choice(kinds)(depth)

    def error(self) -> str:
        return self.chance.choice(ERRORS)

    def generator(self, depth: int) -> list[str]:
        """A generator function, and some way of using it."""
        name = self.make.new("g")
        before, loops = dict(self.make.names), self.make.loops
        self.make.loops = 0
        count = self.chance.choice(["2", "3", "len(xs) % 4"])
        body = self.chance.choice([self._plain, self._careful, self._delegating, self._recursive])(name)
        self.make.names, self.make.loops = before, loops
        return [f"def {name}(count, seen=()):", *["    " + line for line in body], *self._use(name, count)]

    def _plain(self, name: str) -> list[str]:
        self.make.names["each"] = "number"
        return [
            "for each in range(count):",
            f"    got = yield {self.make.number(1)}",
            "    LOG.append(got)",
            f"    if got == 2: {self.chance.choice(['return got', 'raise ' + self.error(), 'continue'])}",
            f"return {self.make.any(2)}",
        ]

    def _careful(self, name: str) -> list[str]:
        then = ["raise", "pass", f"raise {self.error()} from error", "return error.args"]
        last = ["LOG.append('closed')", "yield 'late'", f"raise {self.error()}", "return 7", "LOG.append(count)"]
        return [
            "try:",
            "    each = 0",
            "    while each < count:",
            "        each += 1",
            f"        yield {self.make.number(1)}",
            f"        {self.chance.choice(['pass', 'raise ' + self.error(), 'LOG.append(each)'])}",
            f"except {self.chance.choice(CAUGHT)} as error:",
            "    yield type(error).__name__, chain(error)",
            f"    {self.chance.choice(then)}",
            "finally:",
            f"    {self.chance.choice(last)}",
        ]

    def _delegating(self, name: str) -> list[str]:
        source = self.chance.choice(
            ["Steps(count)", "(n * 2 for n in range(count))", "[1, 2, 3][:count]", "range(count)", "counted(count)"]
        )
        return [
            "try:",
            f"    result = yield from {source}",
            "    LOG.append(('result', result))",
            f"except {self.chance.choice(CAUGHT)} as error:",
            "    LOG.append(chain(error))",
            "    result = yield 'caught'",
            "return result",
        ]

    def _recursive(self, name: str) -> list[str]:
        return [
            "if count > 0:",
            f"    yield {self.make.number(2)}",
            f"    yield from {name}(count - 1)",
            f"    {self.chance.choice(['yield count', 'LOG.append(count)', 'return count'])}",
        ]

    def _use(self, name: str, count: str) -> list[str]:
        made, item = self.make.new("s"), self.make.new("i")
        call = f"{name}({count})"
        loop = [f"for {item} in {call}:", f"    LOG.append({item})"]
        if self.chance.random() < 0.4:
            loop.append(f"    if {item} == {self.make.number(2)}: break")
        steps = [f"{made} = {call}", f"LOG.append(next({made}, 'none'))"]
        steps += self.chance.sample(
            [
                f"LOG.append({made}.send({self.chance.choice(['1', '2', 'None'])}))",
                f"LOG.append({made}.throw({self.error()}))",
                f"{made}.close()",
                f"LOG.append(list({made}))",
                f"LOG.append(next({made}, 'end'))",
            ],
            k=self.chance.randint(1, 4),
        )
        whole = self.chance.choice(
            [f"LOG.append(list({call}))", f"LOG.append([*{call}])", f"LOG.append(dict(enumerate({call})))",
             f"LOG.append(tuple(zip({call}, {call})))", f"LOG.append(any({call}))"]
        )  # fmt: skip
        lines = self.chance.choice([loop, steps, [whole]])
        if self.chance.random() < 0.75:
            return [
                "try:",
                *["    " + line for line in lines],
                "except Exception as error:",
                "    LOG.append(chain(error))",
            ]
        return lines

    def chained(self, depth: int) -> list[str]:
        """Exceptions raised while others are being handled, and what is then known of them."""
        name = self.make.new("e")
        second = self.chance.choice(
            [f"raise {self.error()}", f"raise {self.error()} from {name}", f"raise {self.error()} from None", "raise",
             f"raise {name}", f"{name}.add_note('noted')", "pass", f"LOG.append(str({name}))", "1 / 0"]
        )  # fmt: skip
        first = self.chance.choice([f"raise {self.error()}", f"{self.make.number(1)}", "[][1]", "{}['k']", "int('x')"])
        lines = ["try:", "    try:", f"        {first}"]
        lines += [f"    except {self.chance.choice(CAUGHT)} as {name}:", f"        {second}"]
        if self.chance.random() < 0.3:
            final = ["LOG.append('finally')", f"raise {self.error()}", f"LOG.append({self.make.number(2)})"]
            lines += ["    finally:", f"        {self.chance.choice(final)}"]
        lines += ["except Exception as error:", "    LOG.append(chain(error))"]
        return lines + self.block(depth + 1, 1)

    def managed(self, depth: int) -> list[str]:
        name = self.make.new("c")
        swallow = self.chance.choice(["", ", ValueError", ", Exception", ", (KeyError, TypeError)"])
        manager = self.chance.choice(
            [f"managed('{name}'{swallow})", "contextlib.suppress(ValueError, KeyError)", "contextlib.nullcontext(3)"]
        )
        last = self.chance.choice([f"raise {self.error()}", "pass", f"LOG.append({name})"])
        return [f"with {manager} as {name}:", *self.block(depth + 1, 1), f"    {last}"]

    def match(self, depth: int) -> list[str]:
        subject = self.chance.choice(["a", "xs", "d", "p", self.make.any(1)])
        patterns = ["0 | 1", "int() as n", "[first, *rest]", "{'a': got, **rest}", "Point(x=0)", "Point(x=px, y=py)",
                    "str()", "None", "[1, 2, third]", "list()", "(float() | bool()) as n"]  # fmt: skip
        lines = [f"match {subject}:"]
        for pattern in self.chance.sample(patterns, k=self.chance.randint(1, 4)):
            guard = f" if {self.make.condition(2)}" if self.chance.random() < 0.2 else ""
            lines += [f"    case {pattern}{guard}:", *["    " + line for line in self.block(depth + 1, 1)]]
        return [*lines, "    case _:", f"        LOG.append({self.make.number(2)})"]

    def group(self, depth: int) -> list[str]:
        members = ", ".join(self.chance.sample(ERRORS[:2] + ERRORS[3:], k=self.chance.randint(1, 3)))
        name = self.make.new("e")
        inside = self.chance.choice(["pass", "raise", "1 / 0", f"LOG.append(len({name}.exceptions))"])
        lines = ["try:", "    try:", f"        raise ExceptionGroup('group', [{members}])"]
        lines += [
            f"    except* {self.chance.choice(CAUGHT[1:4])} as {name}:",
            f"        LOG.append({name}.exceptions[0].args)",
        ]
        lines += [f"        {inside}", "except Exception as error:", "    LOG.append(chain(error))"]
        return lines
