"""What `Captured` tells of a call: result, effects, and that running it does the same as the function."""

from __future__ import annotations

import json

import pytest

import symexec
from symexec.capture.results import Other
from symexec.domains.scalars import ScalarSpec


def summarise(row, log, options):
    total = row["price"] * options["rate"]
    log.append(total)
    options["last"] = total
    return {"total": total, "parts": [total + 1.0, 3, None]}, (row["name"], "done")


def call():
    return {"price": 2.0, "name": "x"}, [], {"rate": 1.5}


def test_result_has_nodes_in_place_of_traced_values() -> None:
    captured = symexec.trace(summarise)(*call())
    operations = captured.graph.operations
    structure, (name, word) = captured.result
    assert structure == {"total": operations[0], "parts": [operations[1], 3, None]}
    assert isinstance(name, Other) and name.text == "row['name']"
    assert word == "done"


def test_effects_are_statements_in_order() -> None:
    captured = symexec.trace(summarise)(*call())
    total = repr(captured.graph.operations[0])
    assert captured.effects == (f"log.append({total})", f"options['last'] = {total}")


def test_nothing_is_done_while_tracing() -> None:
    arguments = call()
    symexec.trace(summarise)(*arguments)
    assert arguments == call()


def test_running_does_what_the_function_does() -> None:
    captured = symexec.trace(summarise)(*call())
    plain, traced = call(), call()
    assert captured(*traced) == summarise(*plain)
    assert traced == plain


def test_text_and_dict_tell_the_result() -> None:
    captured = symexec.trace(summarise)(*call())
    assert "result: ({'total': " in str(captured)
    assert "effects:" in str(captured)
    assert json.loads(json.dumps(captured.to_dict()))["effects"] == list(captured.effects)


def test_constant_results_are_told() -> None:
    assert symexec.trace(lambda flag: flag is None)(None).result is True
    assert "result: True" in str(symexec.trace(lambda flag: flag is None)(None))


def test_other_arguments_are_refused() -> None:
    captured = symexec.trace(summarise)(*call())
    with pytest.raises(symexec.GuardError):
        captured({"price": 2.0, "name": "x"}, (1,), {"rate": 1.5})


class Swallowing:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("open")

    def __exit__(self, kind, error, traceback):
        self.log.append("close")
        return True


def managed(log, n):
    with Swallowing(log):
        return 10 / n
    return "handled"


def handled(log, n):
    try:
        return 10 // n
    except ZeroDivisionError as error:
        return error.args


def written_before(log, n):
    log.append("before")
    return 10 / n


def outcome(function, *args):
    try:
        return function(*args)
    except ZeroDivisionError as error:
        return type(error), error.args


@pytest.mark.parametrize("function", [managed, handled, written_before], ids=lambda function: function.__name__)
def test_an_operation_that_raises_later_does_what_the_function_does(function) -> None:
    captured = symexec.trace(function)([], 2)
    for n in (5, 0, 4, 0):
        plain, run = [], []
        assert outcome(captured, run, n) == outcome(function, plain, n)
        assert run == plain


def test_a_symbol_is_guarded_by_what_its_domain_says_of_it() -> None:
    captured = symexec.trace(lambda x: x * 2, domains=["scalars"])(symexec.symbol("x", ScalarSpec(float)))
    assert captured(1.5) == 3.0
    for other in (1, "x", None):
        with pytest.raises(symexec.GuardError):
            captured(other)
