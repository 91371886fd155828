"""What an expression raises, caught inside the trace: its class, its arguments, its text, to the letter."""

from __future__ import annotations

import warnings

import pytest

from tests.interpreter.programs import check_same, check_whole


def strict(a, /, b, *, c=1):
    return a, b, c


class Slotted:
    __slots__ = ("x",)

    def method(self, one):
        return one


class Mixed:
    __slots__ = ("_Mixed__hidden", "__dict__", "x")

    def hidden(self):
        return self.__hidden


class Plain:
    pass


def delete_x(owner):
    del owner.x


SUBJECT = """
def subject(one):
    try:
        return {}
    except Exception as error:
        return type(error).__name__, error.args, str(error), error.__context__, error.__cause__
"""


def subject_of(expression, text=SUBJECT):
    namespace = {"__name__": __name__, "strict": strict, "Slotted": Slotted}
    namespace |= {"Mixed": Mixed, "Plain": Plain, "delete_x": delete_x}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(text.format(expression), namespace)
    return namespace["subject"]


EXPRESSIONS = [
    "[].pop()",
    "{}.pop('x')",
    "{}.popitem()",
    "set().remove(3)",
    "{}['q']",
    "{}[1, 2]",
    "(1,)[2]",
    "'ab'[3]",
    "[1][5]",
    "[1]['a']",
    "one + 'a'",
    "'a' + one",
    "[1] + (2,)",
    "-'a'",
    "one < 'a'",
    "len(one)",
    "iter(one)",
    "next(iter([]))",
    "int('x')",
    "one()",
    "None.foo",
    "one in 5",
    "one[0]",
    "max([])",
    "[1, 2][1:2:0]",
    "one // 0",
    "one % 0",
    "1.0 / 0",
    "2 << -one",
    "[].index(5)",
    "[].remove(5)",
    "strict()",
    "strict(1)",
    "strict(1, 2, 3)",
    "strict(1, 2, d=3)",
    "strict(a=1, b=2)",
    "strict(1, 2, b=3)",
    "strict(*[1], **{'b': 1, 'c': 2, 'd': 3})",
    "Slotted().x",
    "Slotted().y",
    "Mixed().x",
    "Mixed().y",
    "Mixed().hidden()",
    "delete_x(Slotted())",
    "delete_x(Mixed())",
    "delete_x(Plain())",
    "Slotted().method()",
    "Slotted.method()",
    "Slotted(1)",
    "Slotted() + 1",
    "Slotted() < Slotted()",
    "len(Slotted())",
    "iter(Slotted())",
    "[*one]",
    "(lambda a: a)()",
    "(lambda: 1)(1)",
    "[a for a, b in [(1, 2, 3)]]",
    "[a for a, b in [(1,)]]",
    "[a for a, b in [one]]",
    "undefined",
    "int.nothing",
    "Slotted.nothing",
    "'abc'.index('z')",
    "(1, 2).index(3)",
    "float('x')",
    "divmod(1, 0)",
    "pow(0, -1)",
    "chr(-1)",
    "ord('ab')",
    "'%d' % 'x'",
    "'{}'.format()",
    "range(1, 2, 0)",
    "sorted([1, 'a'])",
    "sum(['a'])",
    "raise_it",
]

LEFT_TO_PYTHON = [
    "[1, 'a'].sort()",
    "isinstance(1, 2)",
    "Slotted()()",
    "Slotted()[0]",
    "strict(*5)",
    "{}[[]]",
    "set().pop()",
    "[1].pop(9)",
    "[].insert('a', 1)",
    "[].__setitem__(9, 1)",
    "strict(**5)",
    "strict(1, 2, **{1: 2})",
    "dict([(1,)])",
    "dict([1])",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_errors_are_traced(expression):
    check_same(subject_of(expression), [(1,)])
    check_whole(subject_of(expression), [(1,)])


@pytest.mark.parametrize("expression", LEFT_TO_PYTHON)
def test_errors_that_are_left_to_python(expression):
    check_same(subject_of(expression), [(1,)])


NAMED = """
def subject(one):
    try:
        return {}
    except AttributeError as error:
        return error.name
"""


@pytest.mark.parametrize(
    "expression",
    ["Slotted().x", "Slotted().y", "Plain().x", "delete_x(Slotted())", "delete_x(Mixed())", "delete_x(Plain())"],
)
def test_names_of_missing_attributes(expression):
    check_same(subject_of(expression, NAMED), [(1,)])
