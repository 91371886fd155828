"""Random expressions of a kind that is wanted, most of the time."""

from __future__ import annotations

import random
from collections.abc import Callable

import attrs

from tests.differential import prelude

PARAMETERS = {
    "a": "number",
    "b": "number",
    "xs": "list",
    "d": "dict",
    "p": "object",
    "q": "object",
    "m": "array",
    "g": "guard",
}
CLASSES = ["int", "float", "list", "Point", "(int, str)", "bool"]
STRANGE = 0.012  # share of expressions of another kind than fits


@attrs.define
class Expressions:
    """Makes expressions.  `names`: the local variables there may be, with the kind each most likely has.

    `loops`: loops around the place, in which nothing may grow for ever.  `more` makes expressions of another source.
    """

    chance: random.Random
    arrays: bool
    names: dict[str, str] = attrs.field(factory=lambda: dict(PARAMETERS))
    counter: int = 0
    loops: int = 0
    more: Callable[[str, int], str] | None = None

    def pick(self, *choices: Callable[[], str]) -> str:
        return self.chance.choice(choices)()

    def new(self, prefix: str = "v") -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def variable(self, kind: str) -> str | None:
        found = [name for name, have in self.names.items() if have == kind]
        return self.chance.choice(found) if found else None

    def expression(self, kind: str, depth: int = 0) -> str:
        if self.chance.random() < STRANGE:
            return self.any(depth + 1)
        makers = {
            "number": self.number,
            "list": self.list_,
            "dict": self.dict_,
            "object": self.object_,
            "array": self.array,
            "guard": lambda depth: self.variable("guard") or "SHARED_GUARD",
            "function": self.function_value,
            "string": self.string,
        }
        return makers[kind](depth)

    def any(self, depth: int = 0) -> str:
        if self.chance.random() < 0.4 and self.names:
            return self.chance.choice(list(self.names))
        if self.more is not None and depth < 3 and self.chance.random() < 0.25:
            return f"({self.more('value', 2)})"
        if depth > 3:
            return self.chance.choice(["1", "None", "a", "p", "xs", "'a'"])
        return self.pick(
            lambda: self.number(depth + 1),
            lambda: self.list_(depth + 1),
            lambda: self.dict_(depth + 1),
            lambda: self.object_(depth + 1),
            lambda: self.array(depth + 1),
            lambda: self.condition(depth + 1),
            lambda: self.string(depth + 1),
            lambda: f"({self.any(depth + 1)}, {self.any(depth + 1)})",
            lambda: f"({self.any(depth + 1)} if {self.condition(depth + 1)} else {self.any(depth + 1)})",
            lambda: f"({self.any(depth + 1)} {self.chance.choice(['and', 'or'])} {self.any(depth + 1)})",
            lambda: self.chance.choice(["None", "Colour.RED", "NOTHING", "Point", "type(p)", "...", "Point.norm"]),
        )

    def number(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.4:
            name = self.variable("number")
            if name and self.chance.random() < 0.75:
                return name
            return self.chance.choice([*prelude.NUMBERS[:10], "FACTOR", "LIMIT", "tools.rate"])
        e = self.expression
        d = depth + 1
        return self.pick(
            lambda: f"({e('number', d)} {self.chance.choice('+-*')} {e('number', d)})",
            lambda: f"({e('number', d)} {self.chance.choice(['/', '//', '%'])} {self.divisor(d)})",
            lambda: (
                f"(int({e('number', d)}) {self.chance.choice('&|^')} {self.chance.choice(['3', 'True', 'len(xs)'])})"
            ),
            lambda: f"(-{e('number', d)})",
            lambda: f"abs({e('number', d)})",
            lambda: f"{e('list', d)}[{self.index(d)}]" if self.chance.random() < 0.5 else f"(*{e('list', d)}, 1)[0]",
            lambda: f"{e('dict', d)}[{self.key(d)}]" if self.chance.random() < 0.2 else f'{e("dict", d)}.get("b", 2)',
            lambda: f"{e('dict', d)}.get({self.key(d)}, {e('number', d)})",
            lambda: f"{e('object', d)}.{self.chance.choice(['x', 'y', 'scale'])}",
            lambda: f"{e('object', d)}.{self.chance.choice(['x', 'y', 'scale'])}",
            lambda: f"{e('object', d)}.norm()",
            lambda: f"len({self.chance.choice([self.list_, self.dict_])(d)})",
            lambda: f"{self.chance.choice(['sum', 'min', 'max', 'any', 'all'])}({e('list', d)})",
            lambda: f"{self.chance.choice(['min', 'max'])}({e('number', d)}, {e('number', d)})",
            lambda: f"{self.chance.choice(['early', 'risky', 'careful'])}({e('number', d)})",
            lambda: self.combined(d),
            lambda: "count_up()",
            lambda: f"ADDER({e('number', d)})",
            lambda: f"fill({e('list', d)}, {e('number', d)})" if not self.loops else "LIMIT",
            lambda: f"pick({e('dict', d)}, {self.key(d)})",
            lambda: f"{self.chance.choice(['int', 'float', 'bool', 'Whole'])}({e('number', d)})",
            lambda: f"({e('number', d)} if {self.condition(d)} else {e('number', d)})",
            lambda: f"({self.walrus()} := {e('number', d)})",
            lambda: f"{e('function', d)}({e('number', d)})",
            lambda: f"tools.apply({e('number', d)})",
            lambda: f"getattr({e('object', d)}, {self.chance.choice(['x', 'extra', 'y'])!r}, {e('number', d)})",
            lambda: f"round({e('number', d)}, 2)",
            lambda: f"divmod({e('number', d)}, {self.divisor(d)})[{self.chance.choice('01')}]",
            lambda: (
                f"{e('list', d)}.pop()" if self.chance.random() < 0.2 else f"{e('list', d)}.count({e('number', d)})"
            ),
            lambda: f"math.floor({e('number', d)})",
        )

    def divisor(self, depth: int) -> str:
        if self.chance.random() < 0.15:
            return self.number(depth)
        return self.chance.choice([f"(abs({self.number(depth)}) + 1)", "2", "3", "2.0"])

    def walrus(self) -> str:
        name = self.new("w")
        self.names[name] = "number"
        return name

    def combined(self, d: int) -> str:
        e = self.expression
        return self.pick(
            lambda: f"combine({e('number', d)})",
            lambda: f"combine({e('number', d)}, {e('number', d)}, {e('number', d)})",
            lambda: f"combine({e('number', d)}, scale={e('number', d)})",
            lambda: f"combine(*{e('list', d)})",
            lambda: f"combine({e('number', d)}, **{e('dict', d)})",
            lambda: f"combine(b={e('number', d)}, a={e('number', d)}, other=1)",
        )

    def index(self, depth: int) -> str:
        if self.chance.random() < 0.2:
            return self.number(depth)
        return self.chance.choice(["0", "-1", "1", "2", "0", "-2", "True"])

    def key(self, depth: int) -> str:
        if self.chance.random() < 0.2:
            return self.any(depth + 1)
        return self.chance.choice(['"a"', '"a"', '"b"', '"z"', "1", "3", "True", "1.0"])

    def list_(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.5:
            name = self.variable("list")
            return name if name and self.chance.random() < 0.8 else self.chance.choice(["ITEMS", "SHARED_LIST", "[]"])
        e = self.expression
        d = depth + 1
        return self.pick(
            lambda: "[" + ", ".join(e("number", d) for _ in range(self.chance.randint(0, 3))) + "]",
            lambda: f"[{self.any(d)}, {self.any(d)}]",
            lambda: f"({e('list', d)} + {e('list', d)})[:6]",
            lambda: f"{e('list', d)}[{self.chance.choice(['1:', ':-1', '::2', '::-1', ':', '-2:', '1:2'])}]",
            lambda: f"sorted({e('list', d)})",
            lambda: f"sorted({e('list', d)}, key=lambda each: {self.inside('each')}, reverse={self.condition(d)})",
            lambda: f"list({self.iterable(d)})",
            lambda: f"tuple({self.iterable(d)})",
            lambda: f"[*{self.iterable(d)}, {self.any(d)}]",
            lambda: f"[{self.inside('each')} for each in {self.iterable(d)}]",
            lambda: f"[{self.inside('each')} for each in {self.iterable(d)} if {self.inside('each')}]",
            lambda: f"{e('object', d)}.both",
            lambda: f"list(map({e('function', d)}, {e('list', d)}))",
            lambda: f"{e('list', d)}.copy()",
            lambda: f"({e('list', d)} * 2)[:6]",
        )

    def inside(self, name: str) -> str:
        """An expression in which `name` is a variable too."""
        before = dict(self.names)
        self.names[name] = "number"
        self.loops += 1
        text = self.number(1)
        self.loops -= 1
        self.names = before
        return text.replace(":=", "+") if ":=" in text else text

    def dict_(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.5:
            name = self.variable("dict")
            return name if name and self.chance.random() < 0.8 else self.chance.choice(["TABLE", "SHARED_DICT", "{}"])
        e = self.expression
        d = depth + 1
        return self.pick(
            lambda: f"{{{self.key(d)}: {e('number', d)}, {self.key(d)}: {self.any(d)}}}",
            lambda: f"{{**{e('dict', d)}, {self.key(d)}: {e('number', d)}}}",
            lambda: f"dict({e('dict', d)})",
            lambda: f"dict(a={e('number', d)}, y={e('number', d)})",
            lambda: f"{{each: {self.inside('each')} for each in {self.iterable(d)}}}",
            lambda: f"({e('dict', d)} | {e('dict', d)})",
            lambda: f"vars({e('object', d)})",
            lambda: f"dict(zip({e('list', d)}, {e('list', d)}))",
            lambda: f"{e('dict', d)}.copy()",
        )

    def object_(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.6:
            return self.variable("object") or "SHARED_POINT"
        e = self.expression
        d = depth + 1
        kind = self.chance.choice(["Point", "Child", "Slotted", "Data", "Pair", "Loud", "Point.make", "Child.make"])
        return self.pick(
            lambda: f"{kind}({e('number', d)}, {e('number', d)})",
            lambda: f"{kind}({e('number', d)})",
            lambda: f"{e('object', d)}.move({e('number', d)})",
            lambda: f"({e('object', d)} + {e('object', d)})",
            lambda: f"type({e('object', d)})({e('number', d)})",
        )

    def array(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.4 or not self.arrays:
            return self.variable("array") or "SHARED_ARRAY" if self.arrays else self.number(depth)
        e = self.expression
        d = depth + 1
        return self.pick(
            lambda: f"({e('array', d)} {self.chance.choice('+-*/')} {e('number', d)})",
            lambda: f"({e('array', d)} {self.chance.choice('+-*/')} {e('array', d)})",
            lambda: f"({e('number', d)} {self.chance.choice('+-*/')} {e('array', d)})",
            lambda: f"({e('array', d)} {self.chance.choice(['<', '>=', '=='])} {e('number', d)})",
            lambda: f"{e('array', d)}.{self.chance.choice(['sum()', 'mean()', 'T', 'copy()', 'max()', 'cumsum()'])}",
            lambda: f"{e('array', d)}[{self.chance.choice(['0', '1:', '::-1', '-1', '...', 'None', '[0]', 'm > 1'])}]",
            lambda: f"np.{self.chance.choice(['sqrt', 'abs', 'exp', 'sin', 'sign', 'log'])}({e('array', d)})",
            lambda: f"np.where({e('array', d)} > 1, {e('array', d)}, {e('number', d)})",
            lambda: f"{e('array', d)}.reshape(-1)",
            lambda: f"{e('array', d)}.astype({self.chance.choice(['int', 'float', 'np.float32', 'bool'])})",
            lambda: f"np.maximum({e('array', d)}, {e('number', d)})",
            lambda: f"({e('array', d)} @ {e('array', d)})",
            lambda: f"np.zeros({self.chance.choice(['3', '(2, 2)', 'm.shape', 'len(xs)'])})",
            lambda: f"np.{self.chance.choice(['array', 'asarray', 'stack', 'sum'])}({e('list', d)})",
            lambda: f"{e('array', d)}.{self.chance.choice(['shape', 'size', 'ndim', 'dtype'])}",
        )

    def function_value(self, depth: int = 0) -> str:
        name = self.variable("function")
        if name and self.chance.random() < 0.6:
            return name
        return self.pick(
            lambda: f"(lambda value: {self.inside('value')})",
            lambda: f"(lambda value, other={self.number(2)}: {self.inside('value')})",
            lambda: self.chance.choice(["early", "risky", "combine", "abs", "ADDER", "float", "str", "Point.twice"]),
            lambda: f"{self.object_(2)}.{self.chance.choice(['move', 'norm', 'twice', 'make'])}",
            lambda: f"make_adder({self.number(2)})",
            lambda: f"{self.dict_(2)}.get",
        )

    def string(self, depth: int = 0) -> str:
        return self.pick(
            lambda: self.chance.choice(["'a'", "'b'", "'xyz'"]),
            lambda: f"f'{{{self.number(2).replace(chr(39), chr(34))}}}!'" if not self.loops else "'c'",
            lambda: f"str({self.number(depth + 1)})[:5]",
            lambda: f"type({self.any(depth + 1)}).__name__",
            lambda: f"'-'.join(str(each) for each in {self.list_(depth + 1)})[:9]",
        )

    def iterable(self, depth: int) -> str:
        e = self.expression
        d = depth + 1
        return self.pick(
            lambda: f"range({self.chance.choice(['3', '1, 4', '4, 0, -1', '0', 'len(xs)', '2, 9, 3', 'int(a) % 5'])})",
            lambda: e("list", d),
            lambda: e("list", d),
            lambda: f"enumerate({e('list', d)})",
            lambda: f"zip({e('list', d)}, {e('list', d)})",
            lambda: f"reversed({e('list', d)})",
            lambda: f"{e('dict', d)}{self.chance.choice(['', '.items()', '.values()', '.keys()'])}",
            lambda: f"counted({self.chance.choice(['2', '3'])})",
            lambda: f"({e('number', d)}, {e('number', d)})",
            lambda: f"set({e('list', d)})",
            lambda: "'abc'",
            lambda: f"map({e('function', d)}, {e('list', d)})",
            lambda: e("array", d),
        )

    def condition(self, depth: int = 0) -> str:
        e = self.expression
        d = depth + 1
        if depth > 3:
            return "a"
        return self.pick(
            lambda: f"{e('number', d)} {self.chance.choice(['<', '>', '==', '!=', '<=', '>='])} {e('number', d)}",
            lambda: f"{self.number(d)} < {self.number(d)} <= {self.number(d)}",
            lambda: f"{self.any(d)} is {self.chance.choice(['None', 'not None', 'p', 'q', 'xs', 'True'])}",
            lambda: f"{self.any(d)} == {self.any(d)}",
            lambda: f"{self.any(d)} in {self.chance.choice([e('list', d), e('dict', d)])}",
            lambda: f"{self.any(d)} not in {self.pick(lambda: e('list', d), lambda: e('dict', d))}",
            lambda: f"isinstance({self.any(d)}, {self.chance.choice(CLASSES)})",
            lambda: f"not {self.any(d)}",
            lambda: e("list", d),
            lambda: e("number", d),
            lambda: e("object", d),
            lambda: f"hasattr({e('object', d)}, {self.chance.choice(['x', 'extra', 'norm'])!r})",
            lambda: f"callable({self.any(d)})",
            lambda: f"({self.condition(d)}) {self.chance.choice(['and', 'or'])} ({self.condition(d)})",
            lambda: f"({e('array', d)}).any()" if self.arrays else "b",
        )
