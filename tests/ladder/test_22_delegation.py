"""`yield from`: values, `send`, `throw`, `close` and results through it, over generators and other iterables."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

journal: list[object] = []


def inner(n, log):
    try:
        for i in range(n):
            try:
                received = yield i
                log.append(("inner got", received))
            except ValueError as error:
                log.append(("inner caught", error.args))
                yield "recovered"
    finally:
        log.append("inner finally")
    return n * 10


def outer(n, log):
    log.append("outer start")
    try:
        result = yield from inner(n, log)
        log.append(("result", result))
        other = yield from [n, "x"]
        log.append(other)
        return result
    except KeyError as error:
        log.append(("outer caught", error.args))
        yield "after"
    finally:
        log.append("outer finally")


@captured((2,), (0,))
def test_all_values(n):
    log = []
    return list(outer(n, log)), log


@same((3,), (1,))
def test_result(n):
    log = []

    def top():
        got = yield from outer(n, log)
        log.append(("top", got))
        return [got]

    made = top()
    values = []
    while True:
        try:
            values.append(next(made))
        except StopIteration as stop:
            return values, stop.value, log


@same((3,), (2,))
def test_send_and_throw_go_through(n):
    log = []
    made = outer(n, log)
    next(made)
    log.append(made.send("hello"))
    log.append(made.throw(ValueError("v")))
    log.append(next(made, "end"))
    try:
        log.append(made.throw(KeyError("k")))
    except KeyError as error:
        log.append(error)
    return log, next(made, "end")


@same((2,), (5,))
def test_close_goes_through(n):
    log = []
    made = outer(n, log)
    next(made)
    made.close()
    return log, list(made)


class Iterator:
    def __init__(self, log):
        self.log, self.n = log, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration("result of the iterator")
        return self.n


class Full(Iterator):
    def send(self, value):
        self.log.append(("send", value))
        return next(self)

    def throw(self, *error):
        self.log.append(("throw", error[0]))
        return "thrown"

    def close(self):
        self.log.append("close")


@pytest.mark.parametrize("kind", [Iterator, Full])
def test_user_iterators(kind):
    def program(x):
        log = []

        def delegate():
            log.append((yield from kind(log)))
            return "done"

        log.append(list(delegate()))
        made = delegate()
        next(made)
        for action in (lambda: made.send(x), lambda: made.throw(ValueError(x)), lambda: next(made), made.close):
            try:
                log.append(action())
            except (AttributeError, ValueError, StopIteration) as error:
                log.append(error)
        return log

    check(program, (1,), ("s",))


@same(([1, [2, [3, []]], 4],), ([],), ("text",))
def test_flatten(tree):
    def flatten(node):
        if isinstance(node, list):
            for child in node:
                yield from flatten(child)
        else:
            yield node

    return list(flatten(tree))


@same((0,), (1,))
def test_error_of_the_inner_one(x):
    def failing():
        journal.append("inner")
        yield 1
        yield 1 // x

    def delegate():
        try:
            yield from failing()
        except ZeroDivisionError as error:
            journal.append(error.args)
            yield "handled"
            raise

    seen = []
    for item in delegate():
        seen.append(item)
    return seen


@same((5,), (None,), ([1],))
def test_what_is_no_iterable(x):
    log = []

    def delegate():
        try:
            yield from x
        except TypeError as error:
            log.append(error.args)
            yield "handled"

    return list(delegate()), log


@same((2,), (3,))
def test_deep_delegation(depth):
    def level(k):
        if k:
            received = yield from level(k - 1)
        else:
            received = yield "bottom"
        return [k, received]

    made = level(depth)
    first = next(made)
    try:
        made.send("down")
    except StopIteration as stop:
        return first, stop.value


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right


@captured((1,), (5,))
def test_tree(x):
    tree = Tree(x, Tree(x - 1), Tree(x + 2, Tree(x + 1)))
    return [value * 2 for value in tree], sum(tree), x in tree


def own_delegation(n, log):
    """Is compiled itself."""
    result = yield from inner(n, log)
    log.append(result)
    return result


@pytest.mark.parametrize(
    "drive",
    [list, lambda g: (next(g), g.close()), lambda g: (next(g), g.throw(ValueError("v")), next(g))],
    ids=["list", "close", "throw"],
)
def test_compiled_generator_function(drive):
    check(own_delegation, (3, []), (2, []), conditions=Conditions(drive=drive))
