"""Traces in the form of source: guards, operations, what is built, validation, commit, and how they go on."""

from __future__ import annotations

import re

import symexec
from tests.report import subjects


def listings(function, *args) -> list[str]:
    """The listings of a function's traces, with places, stack effects of single Pythons and padding taken out."""
    explanation = symexec.explain(function, domains=["scalars"])(*args)
    texts = [re.sub(r"[^\s(]*subjects\.py:\d+", "PLACE", trace.listing) for trace in explanation.traces]
    return [re.sub(r" +# PLACE", "", text) for text in texts]


def test_a_trace_that_stops() -> None:
    first, second = listings(subjects.settle, 2.0, [0.5, 1.0], subjects.Account(3.0))
    head, _, body = first.partition("\n")
    assert head == "trace 1 of settle at its entry (PLACE):"
    lines = body.splitlines()
    assert lines[0] == "    if not (type(rates) is list" and "        and len(rates) == 2" in lines
    assert any(line.endswith("): goto the next trace") for line in lines)
    after = lines[lines.index("    v2 = x * rates[0]") :]
    assert after[1] == "    v3 = v2 + 1.5"
    assert after[2].startswith("    validate: if not (") and after[2].endswith(" is what it was")
    validated = [line.split(" ")[-5] for line in after if line.endswith(" is what it was")]
    assert {"rates[0]", "rates[1]", "account.total"} <= {name.lstrip("(") for name in validated}
    start = after.index("    commit:")
    assert after[start - 1].endswith("len(rates) == 2): goto the code as written")
    assert after[start : start + 4] == [
        "    commit:",
        "        account.total = v3",
        "        rates[1] = v2",
        "    y = v2",
    ]
    ending = r"    goto PLACE, instruction \d+ \(CALL\) with \[.*'the books are closed'\] on the stack"
    assert re.fullmatch(ending, after[-1])
    assert second.endswith(
        "    v2 = y - account.total\n"
        "    new1 = (y, 3)\n"
        "    new2 = {'left': new1}\n"
        "    new3 = [v2, new2]\n"
        "    return new3"
    )


def test_what_contains_itself_is_filled_afterwards() -> None:
    (text,) = listings(subjects.tangled, 2.0)
    assert text.endswith(
        "    v1 = x + 1.0\n"
        "    new1 = []\n"
        "    new2 = (1, new1)\n"
        "    new3 = {'a': new1, 't': new2}\n"
        "    new4 = function tangled.<locals>.<lambda> over cell of x\n"
        "    new5 = (new3, new4)\n"
        "    new1 is filled: [v1, new1]\n"
        "    return new5"
    )


def test_effects_on_containers_and_globals() -> None:
    (text,) = listings(subjects.changing, {1}, {"k": 2})
    commit = text[text.index("    commit:\n") :]
    assert commit == (
        "    commit:\n"
        "        s.add(3)\n"
        "        del d['k']\n"
        "        d['j'] = 4.0\n"
        "    return d"
    )
    (text,) = listings(subjects.counted, 2.0)
    assert "        global calls; calls = v1\n" in text


def test_a_cell_that_is_written() -> None:
    total = 1.0

    def add(x):
        nonlocal total
        total = total + x
        return total

    (text,) = listings(add, 2.0)
    assert "    commit:\n        total = v2\n    return v2" in text
    assert total == 3.0


def test_a_backend_and_two_traces_of_one_anchor(caplog) -> None:
    caplog.set_level("DEBUG", logger="symexec.bytecode")
    compiled = symexec.compile(subjects.interest, domains=["scalars"], backend="reference")
    assert compiled(2.0, 3) == 3.0 and compiled(2, 3) == 3.0
    heads = re.findall(r"trace (\d) of interest at its entry", caplog.text)
    assert heads == ["1", "2"]
    assert len(re.findall(r"\n    \(v4,\) = backend\(x, RATE, years\)\n    return v4", caplog.text)) == 2
