"""Exceptions whose chain of contexts is a cycle, made by the program, may be handled while another is raised."""

from __future__ import annotations

import symexec
from tests.hard.flavours import STRICT
from tests.support import assert_same


def cycle_of_one():
    try:
        try:
            raise ValueError(1)
        except ValueError as error:
            error.__context__ = error
            raise TypeError(2)
    except TypeError as error:
        found = error
    return [type(found), type(found.__context__), found.__context__.__context__ is found.__context__]


def cycle_of_two():
    try:
        try:
            raise KeyError("a")
        except KeyError as outer:
            first = outer
            try:
                raise IndexError("b")
            except IndexError as inner:
                first.__context__ = inner
                raise TypeError("c")
    except TypeError as error:
        chain = [error, error.__context__, error.__context__.__context__, error.__context__.__context__.__context__]
    return [type(link) for link in chain], chain[1] is chain[3]


def cycle_through_what_is_raised():
    try:
        try:
            raise KeyError("a")
        except KeyError as outer:
            try:
                raise IndexError("b")
            except IndexError as inner:
                outer.__context__ = inner
                raise outer
    except KeyError as error:
        return type(error.__context__), error.__context__.__context__


def test_cycles_of_contexts() -> None:
    for program in (cycle_of_one, cycle_of_two, cycle_through_what_is_raised):
        compiled = assert_same(program, transform=lambda f: symexec.compile(f, config=STRICT))
        assert not symexec.stats(compiled).breaks, program.__name__
