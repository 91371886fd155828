"""Conditions and loops: `if`, `while`, `for`, `break`, `continue`, `else`."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same


@captured(([3, 8, 5],), ([],), ([1, 2],))
def test_for_else(items):
    log = []
    for item in items:
        if item > 6:
            log.append("found")
            break
        log.append(item)
    else:
        log.append("none")
    return log


@captured((5,), (0,), (1,))
def test_while_else(n):
    log = []
    while n:
        n -= 1
        if n == 3:
            continue
        log.append(n)
    else:
        log.append("done")
    return log, n


@same((10,), (3,), (0,))
def test_while_with_break_in_nested_loop(n):
    log = []
    i = 0
    while True:
        i += 1
        for j in range(i):
            if j * i > n:
                log.append(("inner", i, j))
                break
            if j == 2:
                continue
        else:
            if i > n:
                log.append(("outer", i))
                break
            continue
        if i > 2:
            return log
    return log, "end"


@same(([1, 0, 2],), ([0],), ([4, 4],))
def test_error_in_the_middle_of_a_loop(items):
    done = []
    for item in items:
        done.append(item)
        print(10 // item)
    return done


@same(([1, 0, 2, "x", None],), ([],), ([0, 0],))
def test_errors_are_counted_in_a_loop(items):
    done, errors = [], []
    for item in items:
        try:
            done.append(10 // item)
        except ZeroDivisionError:
            errors.append("zero")
            continue
        except TypeError as error:
            errors.append(error.args)
        done.append("next")
    return done, errors


@captured((7,), (12,), (2,))
def test_primes(n):
    primes = []
    for candidate in range(2, n + 1):
        for prime in primes:
            if candidate % prime == 0:
                break
        else:
            primes.append(candidate)
    return primes


@same((27,), (1,), (6,))
def test_collatz(n):
    steps = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps.append(n)
    return steps


@captured((["a", "b"],), ([],))
def test_enumerate_zip_and_reversed(items):
    log = []
    for i, item in enumerate(items, start=1):
        log.append((i, item))
    for left, right in zip(items, reversed(items)):
        log.append(left + right)
    for key, value in {"x": 1, **dict.fromkeys(items)}.items():
        log.append((key, value))
    return log


@same(([1, 2, 3, 4],), ([],))
def test_loop_over_a_shared_iterator(items):
    iterator = iter(items)
    log = []
    for item in iterator:
        log.append((item, next(iterator, "nothing")))
    return log, list(iterator)


@same((3,), (0,))
def test_print_inside_a_loop(n):
    total = 0
    for i in range(n):
        total += i
        print(i, total)
        total *= 2
    return total


@same((0,), (1,), ("",), ([],), ([0],), (None,), (0.0,), (float("nan"),), ((),), ({},), (b"\0",), (range(0),))
def test_truth_of_builtins(value):
    log = []
    if value:
        log.append("true")
    if not value:
        log.append("false")
    while value:
        log.append("once")
        break
    return log, bool(value), not value, value and 1, value or 2


@pytest.mark.parametrize("limit", [0, 1, 5, 50])
def test_loop_with_a_changing_bound(limit):
    def program(items):
        i = 0
        while i < len(items):
            if len(items) < limit:
                items.append(i)
            i += 1
        return i, items

    check(program, ([1],), ([],), ([1, 2, 3, 4, 5, 6],))


@same((2,), (9,), (11,))
def test_long_chain_of_elif(n):
    if n < 1:
        result = "none"
    elif n < 3 and n != 1:
        result = "few"
    elif n in (5, 7, 9):
        result = "odd"
    elif not n % 2 or n > 20:
        result = "even or many"
    else:
        result = "other"
    if n > 10:
        pass
    elif n > 5:
        result += "!"
    return result


@same((3,), (1,))
def test_return_from_within_loops(n):
    for i in range(5):
        while True:
            for j in (i, i + 1):
                if j == n:
                    return i, j
            break
    return "never"


@same((100,), (150,))
def test_loop_that_is_long(n):
    total, seen = 0, set()
    for i in range(n):
        total += i * i % 7
        if total in seen:
            continue
        seen.add(total)
    return total, len(seen), sorted(seen)[:3]


@same(([5, 3, 8, 1],), ([],), ([1, 1],))
def test_bubble_sort(items):
    n = len(items)
    while True:
        swapped = False
        for i in range(n - 1):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            return items


@same(([[1, 2], [3]],), ([[], []],), ([],))
def test_loop_variables_leak_and_rebind(rows):
    log = []
    row = cell = None
    for row in rows:
        for cell in row:
            row = cell
        log.append(row)
    return row, cell, log


@same((4,), (0,))
def test_loop_target_is_an_item_or_attribute(n):
    class Box:
        pass

    box, items = Box(), [None] * 2
    for items[n % 2] in range(n):
        pass
    for box.value in "xyz"[:n]:
        pass
    return items, vars(box)
