"""Methods of `dict` called on an `OrderedDict` go past its order, which then no longer fits; Python makes the mess."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import symexec
from tests.hard.flavours import STRICT
from tests.support import arguments, assert_same


class Ordered(OrderedDict):
    pass


def look(found):
    answers = []
    for question in (lambda: found["a"], lambda: list(found), lambda: len(found)):
        try:
            answers.append(question())
        except (KeyError, RuntimeError) as error:
            answers.append((type(error), error.args))
    return answers


def past_the_order(type_, change):
    found = type_()
    found["a"] = 1
    found["b"] = 2
    change(found)
    return look(found)


CHANGES = [
    lambda found: dict.__delitem__(found, "a"),
    lambda found: dict.pop(found, "a"),
    lambda found: dict.popitem(found),
]


@pytest.mark.parametrize("type_", [OrderedDict, Ordered])
@pytest.mark.parametrize("change", CHANGES, ids=range(len(CHANGES)))
def test_dict_methods_on_ordered_dicts(type_, change) -> None:
    transform = lambda function: symexec.compile(function, config=STRICT)
    assert_same(past_the_order, lambda: arguments(type_, change), transform=transform)


def test_keys_past_the_order() -> None:
    def program(value):
        found = OrderedDict(a=value, b=2)
        found.move_to_end("a")
        return list(dict.keys(found)), list(dict.__iter__(found)), list(dict.items(found)), list(found)

    assert_same(program, lambda: arguments(1), transform=lambda function: symexec.compile(function, config=STRICT))
