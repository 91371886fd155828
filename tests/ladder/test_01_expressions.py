"""Expressions and operators of numbers, strings and the like: values, order of evaluation, errors."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

NUMBERS = [(7, 3), (-7, 3), (7, -3), (2.5, 0.5), (-0.0, 3.0), (True, 5), (2, 0.5), (10**20, 7), (3, -1), (1 + 2j, 2)]


@pytest.mark.parametrize(
    "program",
    [
        lambda a, b: a + b - a * b,
        lambda a, b: (a / b, a // b, a % b, divmod(a, b)),
        lambda a, b: (a**3, (a * 10) ** (b if abs(b) < 9 else 2), 0.5**a, b**0.5),
        lambda a, b: (a < b, a <= b, a == b, a != b, a >= b, a > b),
        lambda a, b: (-a, +b, abs(a), not a, not b),
        lambda a, b: (a & b, a | b, a ^ b, ~a, a << 2, a >> 1),
        lambda a, b: (a and b, a or b, not a or b, a and not b),
        lambda a, b: (a if a > b else b, min(a, b), max(a, b)),
        lambda a, b: (pow(a, b), round(a, 1), int(a), float(b), bool(a), complex(a, b)),
    ],
    ids=["sums", "divisions", "powers", "comparisons", "signs", "bits", "logic", "choices", "conversions"],
)
def test_arithmetic(program):
    """Every pair of operands is its own set of guards; many pairs raise."""
    for start in range(0, len(NUMBERS), 3):
        check(program, *NUMBERS[start : start + 3])


@captured((1, 2, 3), (3, 2, 1), (1, 1, 1))
def test_chained_comparison_evaluates_each_once(a, b, c):
    log = []

    def see(x):
        log.append(x)
        return x

    return see(a) < see(b) < see(c), log


@same((1, 0), (0, 1), (5, 5), (0.0, -0.0))
def test_division_fails_after_effects(a, b):
    log = ["start"]
    try:
        log.append(a / b)
        log.append(b / a)
        return log
    finally:
        print(log)


@same((1, []), ([], [0]), (None, ""), ("x", 0.0))
def test_short_circuits_keep_the_operand_itself(a, b):
    return a and b, a or b, not (a and b), (a or b) is a, (a and b) is a


@captured(([1], 0), ([], 5), ([1, 2], 7))
def test_conditional_expressions_skip_the_other_side(items, x):
    log = []
    result = (log.append("yes") or x + 1) if items else (log.append("no") or x - 1)
    nested = "none" if not items else "one" if len(items) == 1 else "many"
    return result, nested, log


@same((2, 3), (-2, 3), (2.0, 3), (0, 0))
def test_order_of_evaluation(a, b):
    log = []

    def see(name, value):
        log.append(name)
        return value

    result = see("a", a) * see("b", b) + see("c", a) ** see("d", b)
    table = {see("k1", a): see("v1", b), see("k2", b): see("v2", a)}
    call = (lambda *p, **k: (p, k))(see("p1", a), *see("p2", [b]), key=see("k", a), **see("kk", {"more": b}))
    return result, table, call, see("x", [1, 2, 3])[see("i", 0) : see("j", 2)], log


@same((1, "a"), ("a", 1), ([], ()), (None, 1), (b"x", "x"), ({}, {}))
def test_operands_of_wrong_types(a, b):
    log = []
    for name, operation in (
        ("+", lambda: a + b),
        ("-", lambda: a - b),
        ("*", lambda: a * b),
        ("<", lambda: a < b),
        ("|", lambda: a | b),
        ("@", lambda: a @ b),
        ("-a", lambda: -a),
        ("[]", lambda: a[b]),
        ("in", lambda: b in a),
        ("()", lambda: a(b)),
    ):
        try:
            log.append((name, operation()))
        except TypeError as error:
            log.append((name, error.args))
    return log


@same((1, "a"), ("a", 1), ([], ()))
def test_uncaught_type_error_has_its_carets(a, b):
    first = [a, b]
    first.append(len(first))
    return first, (a + a) - (b + a)


@same((257, 256 + 1), ("ab", "a" + "b"), (1, True), (0.0, -0.0), (None, False))
def test_identity_and_equality(a, b):
    return a == b, a is b, a is None, b is not None, (a, b) == (b, a), [a] == [b]


@captured((3, 4), (-1, 9))
def test_walrus(a, b):
    if (total := a + b) > 5 and (rest := total % 5) >= 0:
        return total, rest
    return total, [y := a, y**2, y], y


@same(("", 1), ("abc", 2), ([1], 0), ((), -1))
def test_repetition_and_concatenation(text, times):
    return text * times, times * text, text + text[:1], (text * 2)[1:], text[times:] + text[:times]


@same((1.5,), (float("nan"),), (float("inf"),), (-0.0,), (1e308,))
def test_floats_at_the_edges(x):
    return x * 10, x - x, x == x, x != x, -x, x * 0, repr(x), x in [x], [x] == [x], x is x, abs(x), str(x)


@same((10**30, 3), (-(2**63), 2), (2**64 - 1, -1))
def test_long_integers(a, b):
    return a + b, a * a, a // b, a % b, -a // b, a >> 40, a & 0xFF, a.bit_length(), hash(a), f"{a:x}", a == float(a)


@same((True, False), (1, True), (False, 0.0))
def test_booleans_are_integers(a, b):
    return a + b, a & b, a ^ b, a | b, ~a, -a, [10, 20][b], str(a), a == b, {a: "a", b: "b"}, type(a & b)


@same((-1,), (3,), (200,), ("x",), (1.5,))
def test_negative_shifts_and_powers(n):
    log = []
    try:
        log.append(1 << n)
        log.append(2**n)
        log.append((-8) ** n)
        log.append(pow(3, n, 7))
    except (ValueError, TypeError, ZeroDivisionError) as error:
        log.append(error)
    return log


@same(([3, 1, 2], 1), ((3, 1, 2), -1), ("abc", 0), ([1], 5))
def test_slices_of_everything(items, at):
    return items[at], items[:at], items[at:], items[::-1], items[at::2], items[-2:], items[5:1], items[:: at or 1]


@same((1, 2), (2, 1), ("a", "b"))
def test_starred_displays(a, b):
    inner = [a, b]
    return [*inner, a, *inner], (*inner, *"xy"), {*inner, a}, {**{"a": a}, "b": b, **{"a": b}}, [*range(2), *{}]
