"""Objects that the trace made and that are part of themselves, through attributes and items of every kind."""

from __future__ import annotations

import random

import pytest

import symexec
from tests.hard.flavours import STRICT
from tests.support import arguments, assert_same


class Number(int):
    pass


class Row(tuple):
    pass


class Text(str):
    pass


class Rows(list):
    pass


class Plain:
    pass


def numbers_that_know_each_other(value):
    one, two = Number(value), Number(2)
    one.other, two.other = two, one
    return one


def row_that_knows_itself(value):
    row = Row((value, [value]))
    row.me = row
    return row


def row_in_its_own_item(value):
    inner = [value]
    row = Row((inner, Text("a")))
    inner.append(row)
    row.me = row
    row[1].row = row
    return inner, row


def two_ways_to_the_same_list(value):
    end = [value]
    both = ([end], [end])
    end.append(both)
    return both


def two_ways_to_the_same_tuple(value):
    left, right = [value], [value]
    both = (left, right)
    back = (both,)
    left.append(back)
    right.append(back)
    return both, back


def instance_in_its_own_dict(value):
    plain, row = Plain(), Row((value,))
    plain.row, row.plain = row, plain
    plain.namespace = plain.__dict__
    return row


def function_that_knows_itself(value):
    def function():
        return value

    function.me = [function]
    return function.me[0].me is function.me, function


PROGRAMS = [
    numbers_that_know_each_other,
    row_that_knows_itself,
    row_in_its_own_item,
    two_ways_to_the_same_list,
    two_ways_to_the_same_tuple,
    instance_in_its_own_dict,
    function_that_knows_itself,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_cycles_of_made_objects(program) -> None:
    compiled = assert_same(program, lambda: arguments(1), transform=lambda f: symexec.compile(f, config=STRICT))
    if program is not function_that_knows_itself:
        assert symexec.stats(compiled).traces and not symexec.stats(compiled).breaks


def tangle(seed: int):
    """A function that makes objects of many kinds, each of some made before, then links them at random."""
    draw = random.Random(seed)
    lines = ["def program(value):"]
    names = [f"made_{index}" for index in range(8)]
    for index, name in enumerate(names):
        older = names[:index]
        items = ", ".join([*draw.sample(older, min(len(older), draw.randrange(3))), "value"])
        forms = ["[{}]", "({},)", "Row(({},))", "Number(value)", "Plain()", "dict(a=[{}])", "Rows([{}])"]
        lines.append(f"    {name} = {draw.choice(forms).format(items)}")
    for _ in range(8):
        name, item = draw.choice(names), draw.choice(names)
        lines.append(f"    if type({name}) in (list, Rows): {name}.append({item})")
        lines.append(f"    elif type({name}) is dict: {name}['k'] = {item}")
        lines.append(f"    elif type({name}) is not tuple: {name}.link = {item}")
    lines.append(f"    return {', '.join(draw.sample(names, 3))}")
    namespace = {"Row": Row, "Number": Number, "Plain": Plain, "Rows": Rows, "__name__": __name__}
    exec("\n".join(lines), namespace)
    return namespace["program"]


@pytest.mark.parametrize("seed", range(12))
def test_tangles(seed: int) -> None:
    compiled = assert_same(tangle(seed), lambda: arguments(1), transform=lambda f: symexec.compile(f, config=STRICT))
    assert symexec.stats(compiled).traces and not symexec.stats(compiled).breaks
