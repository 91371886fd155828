"""Functions to be explained, listed and disassembled, as people write them."""

from __future__ import annotations

import symexec

RATE = 0.5
calls = 0


class Account:
    def __init__(self, total: float) -> None:
        self.total = total

    def deposit(self, amount):
        self.total = self.total + amount
        return self.total


def settle(x, rates, account):
    y = x * rates[0]
    account.total = y + 1.5
    rates[1] = y
    symexec.graph_break("the books are closed")
    return [y - account.total, {"left": (y, 3)}]


def interest(x, years):
    return x * RATE * years


def counted(x):
    global calls
    calls = calls + 1
    return x + calls


class Meter:
    def __init__(self) -> None:
        self.ticks = 0

    def tick(self, x):
        self.ticks += 1
        return x * 2.0


def tangled(x):
    a = [x + 1.0]
    a.append(a)
    return {"a": a, "t": (1, a)}, lambda: x


def changing(s, d):
    s.add(3)
    del d["k"]
    d["j"] = 4.0
    return d


def in_loop(xs, report):
    total = 0.0
    for x in xs:
        total = total + x * 2.0
        report(total)
    return total


def counting(n):
    yield n


def nothing_to_capture(x):
    symexec.graph_break()
    return x
