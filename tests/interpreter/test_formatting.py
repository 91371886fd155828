"""Texts of constants and builtin containers, against Python's own; objects format themselves, so they break."""

from __future__ import annotations

import pytest

from symexec.interpreter.protocol.formatting import build_string, convert_value, format_value
from symexec.values.model import Constant
from tests.interpreter.machines import failing_guard, fresh_machine, known, outcome_in_python, outcome_of

TEXTS = [1, -2.5, True, None, "a\né", b"b", 3j, (1, "x"), [1, [2.0]], {"k": (1,), 2: None}, range(3), [], {}]
SPECS = ["", ">8", "03d", ".2f", "x", "!", "s", ",", "e"]


def test_formats_are_pythons():
    followed = 0
    for subject in TEXTS:
        for spec in SPECS:
            machine = fresh_machine()
            (value,) = known(machine, subject)
            found = outcome_of(machine, format_value(machine, value, Constant(spec)))
            expected = outcome_in_python(format, subject, spec)
            assert found == expected
            assert failing_guard(machine, subject) is None
            followed += found[0] == "gives"
    assert followed > 30


@pytest.mark.parametrize(("kind", "function"), [(1, str), (2, repr), (3, ascii)])
def test_conversions_are_pythons(kind, function):
    for subject in TEXTS:
        machine = fresh_machine()
        found = outcome_of(machine, convert_value(machine, kind, *known(machine, subject)))
        assert found == ("gives", function(subject))
        assert failing_guard(machine, subject) is None


class Speaking:
    def __format__(self, spec):
        raise AssertionError("user code ran")

    __str__ = __repr__ = __format__


def test_containers_of_objects_and_unordered_sets_are_left_to_python():
    for subject in ([Speaking()], {"k": Speaking()}, {1, 2}):
        machine = fresh_machine()
        (value,) = known(machine, subject)
        assert outcome_of(machine, format_value(machine, value, None)) == ("breaks", "SX2110")
        assert outcome_of(machine, convert_value(machine, 2, value)) == ("breaks", "SX2110")


def test_what_depends_on_the_locale_is_left_to_python():
    machine = fresh_machine()
    assert outcome_of(machine, format_value(machine, Constant(1), Constant("n"))) == ("breaks", "SX2110")


def test_pieces_are_joined():
    machine = fresh_machine()
    values = known(machine, "a", "", "b")
    assert outcome_of(machine, build_string(machine, values)) == ("gives", "ab")
    assert failing_guard(machine, "a", "", "c") is not None


def test_huge_texts_are_left_to_python():
    machine = fresh_machine()
    pieces = [Constant("x" * 90_000)] * 2
    assert outcome_of(machine, build_string(machine, pieces))[1] == "SX9102"
    assert outcome_of(machine, format_value(machine, Constant(1), Constant(">1000000000")))[1] == "SX9102"
