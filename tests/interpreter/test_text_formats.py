"""`%` and `str.format` with objects that have texts of their own, field by field."""

from __future__ import annotations

import collections
from typing import NamedTuple

import pytest

from tests.interpreter.captures import assert_captured, compiled
from tests.support import arguments, assert_same


class Money:
    def __init__(self, amount, currency="EUR"):
        self.amount = amount
        self.currency = currency

    def __str__(self):
        return f"{self.amount} {self.currency}"

    def __repr__(self):
        return f"Money({self.amount!r}, {self.currency!r})"

    def __format__(self, spec):
        return format(self.amount, spec) if spec else str(self)

    def __rmod__(self, other):
        raise AssertionError("the format comes first")


class Loud:
    def __init__(self, log):
        self.log = log

    def __str__(self):
        self.log.append("str")
        return "loud"


class Failing:
    def __str__(self):
        raise LookupError("no text")


class Point(NamedTuple):
    x: int
    y: int = 5


Pair = collections.namedtuple("Pair", "a b", defaults=[7])  # noqa: PYI024 - that is what is tested

MONEY = Money(3)
TEMPLATE = "%s %d %s"

CAPTURED = r"""
"%s" % MONEY
"%s and %r, %10s|%-8.3s|%a%%" % (MONEY, Money(4), MONEY, Money(5), MONEY)
"%d of %s: %5.2f %x" % (3, Money(1), 2.5, 255)
"%(a)s %(b)05d %(a)r" % {"a": MONEY, "b": 7, "c": 1}
"%s" % (MONEY,)
"%s" % [MONEY, Money(2)]
"{} {!r} {:>4}|{!s:>9}".format(MONEY, Money(2), MONEY, MONEY)
"{0} {1} {0.amount} {{}}".format(MONEY, 5)
"{a.amount:03} {a} {b}".format(a=MONEY, b=[1])
"{.currency} {.amount}".format(MONEY, Money(8))
repr(Point(1)) + repr(Pair(1)) + str(Point(2, Money(2)))
"%s %s" % Point(1, MONEY)
"""

OTHERS = r"""
"%s %s" % MONEY
"%s" % (MONEY, 1)
"%d" % MONEY
"%*d %s" % (5, 3, MONEY)
"%q" % MONEY
"%" % MONEY
"%(a)s" % MONEY
"%(b)s" % {"a": MONEY}
"%(a)%" % {"a": MONEY}
"%(a)s %s" % {"a": MONEY}
"nothing" % MONEY
"nothing" % {"a": MONEY}
"nothing" % [MONEY]
"{} {1}".format(MONEY, MONEY)
"{0[1]} {1:{2}}".format([MONEY, 2], 3, 5)
"{absent}".format(a=MONEY)
"{0.absent}".format(MONEY)
"{} {}".format(MONEY)
"{!q}".format(MONEY)
"{".format(MONEY)
"{:q}".format(MONEY)
"{-1}".format(MONEY)
"{0x} {00}".format(MONEY)
"{\u00b2}".format(MONEY)
"%s" % Failing()
"%d %s" % ("x", Failing())
"{:d} {}".format("x", Failing())
"""


def programs(text):
    for line in text.strip().splitlines():
        namespace = dict(globals())
        exec(f"def program():\n    return {line}", namespace)
        yield pytest.param(namespace["program"], id=line)


@pytest.mark.parametrize("function", list(programs(CAPTURED)))
def test_formats_are_captured(function):
    assert_captured(function)


@pytest.mark.parametrize("function", list(programs(OTHERS)))
def test_formats_do_the_same(function):
    assert_same(function, *(arguments,) * 3, transform=compiled)


def test_texts_are_asked_for_in_order():
    def program(log):
        first = Loud(log)
        try:
            _ = TEMPLATE % (first, "x", first)
        except TypeError as error:
            log.append(str(error))
        return log

    assert_same(program, lambda: arguments([]), lambda: arguments([]), transform=compiled)
