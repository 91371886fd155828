"""Programs that leave a `finally` clause by a jump: newer Pythons warn of them when they compile them."""

from __future__ import annotations

import sys

from tests.interpreter.programs import outcome


def h1(x):
    if x:
        raise ValueError(x)
    return 0


def finally_return(x):
    try:
        h1(x)
    finally:
        return "r"


def finally_break(x):
    for i in range(3):
        try:
            h1(x)
        finally:
            break
    return i, sys.exception() is None


def finally_continue(x):
    l = []
    for i in range(3):
        try:
            h1(x)
        finally:
            l.append(type(sys.exception()).__name__)
            continue
    return l


def finally_return_print(x):
    try:
        h1(x)
    finally:
        print("q")
        return "r"


def yield_finally_return(l):
    def g():
        try:
            yield 1
        finally:
            return "swallowed"

    x = g()
    next(x)
    return outcome(lambda: x.throw(KeyError(1))), outcome(lambda: x.throw(KeyError(1)))
