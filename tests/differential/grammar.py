"""Random text from templates: `<kind>` in a template stands for another piece of that kind.

A kind is a rule of the grammar, or one of the kinds of `Expressions`.  A template of several lines makes a statement; a
line `<block>` in it stands for nested statements.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

import attrs

from tests.differential.expressions import Expressions

SLOT = re.compile(r"<(\w+)>")
LINE = re.compile(r"\s*<block>")
DEPTH = 3  # of templates in templates
Rules = Mapping[str, Sequence[str]]
Block = Callable[[int, int], list[str]]


def read_rules(text: str) -> dict[str, list[str]]:
    """Rules from text: `== kind`, then alternatives, three spaces or a line break apart.

    Below `== blocks` are statements of several lines, with empty lines between them.
    """
    rules: dict[str, list[str]] = {}
    for part in text.strip().removeprefix("== ").split("\n== "):
        kind, _, body = part.partition("\n")
        if kind == "blocks":
            rules["statement"].extend(body.split("\n\n"))
        else:
            rules[kind] = [option for line in body.splitlines() for option in line.split("   ")]
    return rules


@attrs.define
class Grammar:
    """Fills templates in; `block` makes the lines of nested statements, indented."""

    chance: random.Random
    make: Expressions
    rules: Rules
    block: Block

    def statement(self, depth: int) -> list[str]:
        """The lines of a random statement."""
        before = dict(self.make.names)
        lines: list[str] = []
        for line in self.chance.choice(self.rules["statement"]).split("\n"):
            if LINE.fullmatch(line):
                space = line[: len(line) - len(line.lstrip()) - 4]
                lines += [space + inner for inner in self.block(depth + 1, 1)]
            else:
                lines.append(self.fill(line))
        bound = [name for name in self.make.names if name not in before]
        if len(lines) > 1:
            self.make.names = before
        if self.chance.random() < 0.85:
            caught = ["try:", *["    " + line for line in lines], "except Exception as error:"]
            lines = [*caught, "    LOG.append(words(error))"]
        if bound and len(lines) == 1:
            lines.append(f"LOG.append({bound[-1]})")
        return lines

    def piece(self, kind: str, depth: int = 0) -> str:
        """Random text of a kind."""
        if kind == "new":
            name = self.make.new()
            self.make.names[name] = "number"
            return name
        options = self.rules.get(kind)
        if options is None:
            return self.foreign(kind, depth)
        if depth > DEPTH:
            options = [option for option in options if "<" not in option] or options[:1]
        return self.fill(self.chance.choice(options), depth)

    def foreign(self, kind: str, depth: int) -> str:
        level = min(depth + 1, 3)
        makers: dict[str, Callable[[int], str]] = {
            "any": self.make.any,
            "condition": self.make.condition,
            "index": self.make.index,
            "key": self.make.key,
            "iterable": self.make.iterable,
        }
        maker = makers.get(kind)
        return maker(level) if maker is not None else self.make.expression(kind, level)

    def fill(self, template: str, depth: int = 0) -> str:
        return SLOT.sub(lambda found: self.piece(found.group(1), depth + 1), template)
