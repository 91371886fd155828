"""Generator functions to be driven in every way; each takes an operand and what it notes things in.

`note` is a list; what is written there, in which order, is compared as well.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Iterator
from typing import Final

Subject = Callable[..., Generator[object, object, object]]

LIMIT = [3]


class Noting:
    """A context manager that notes how it is left, and swallows `LookupError`s."""

    def __init__(self, note: list[object]) -> None:
        self.note = note

    def __enter__(self) -> int:
        self.note.append("enter")
        return 2

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> bool:
        self.note.append(("exit", kind, traceback is not None))
        return kind is not None and issubclass(kind, LookupError)


class Plain:
    """An iterator without `send`, `throw` and `close`."""

    def __init__(self, count: int) -> None:
        self.left = count

    def __iter__(self) -> Plain:
        return self

    def __next__(self) -> int:
        if not self.left:
            raise StopIteration("plain end")
        self.left -= 1
        return self.left


def add(a, b, c):
    return a + b * c


def straight(x, note):
    y = x * 2 + 1
    sent = yield y
    z = y * x - 3
    note.append(sent)
    yield z
    w = z * z + y
    yield w
    return w - x


def accumulating(x, note):
    total = x * 0
    for step in range(4):
        got = yield total
        if got is not None:
            total = total + got * x
        total = total + step
        note.append(step)
    return total


def endless(x, note):
    a, b = x, x + 1
    while True:
        sent = yield a
        if sent == 7:
            return b
        a, b = b, a + b
        note.append(sent)


def guarded(x, note):
    y = x + 1
    try:
        y = y * 2
        got = yield y
        y = y + x
        note.append(got)
        yield y * y
    except ValueError as error:
        y = y - 1
        note.append(("caught", error.args))
        yield y * 3
        y = y + 5
    else:
        note.append("else")
        yield y + 100
    finally:
        y = y * x + 1
        note.append(("finally", sys.exception() if sys.version_info >= (3, 11) else None))
        yield y
    z = y * 2 + x
    yield z
    return z


def handling(x, note):
    try:
        raise KeyError("inside")
    except KeyError as error:
        note.append(sys.exc_info()[1] is error)
        y = x * 2 + 1
        yield y
        note.append(sys.exc_info()[1] is error)
        y = y * y - x
        got = yield y
        note.append((got, sys.exc_info()[0]))
        y = y + 1
        if got == 1:
            raise
        if got == 2:
            raise TypeError("other") from error
        if got == 3:
            raise TypeError("chained")
        yield y * 3
    note.append(sys.exc_info()[1])
    y = y * 2 + 1
    yield y


def managed(x, note):
    with Noting(note) as entered:
        y = x * entered + 1
        yield y
        y = y * y + x
        with contextlib.suppress(TypeError):
            y = y + 1
            got = yield y
            y = y * 2
            note.append(got)
        y = y + 3
        yield y
    y = y * 2 - x
    yield y
    return y


def delegating(x, note):
    y = x + 1
    result = yield from straight(y, note)
    y = y * 2 + result
    note.append(result)
    yield y
    try:
        result = yield from guarded(y, note)
        note.append(result)
    except TypeError as error:
        note.append(error.args)
        y = y * 3
        yield y
    last = yield from [1, 2]
    note.append(last)
    y = y + x
    last = yield from Plain(2)
    note.append(last)
    return y * 2


def stopping(x, note):
    y = x * 2
    yield y
    y = y * y + 1
    if (yield y) is None:
        raise StopIteration(y)
    raise ValueError("sent") from KeyError("cause")


def stopping_in_a_call(x, note):
    y = x * 2 + 1
    yield y
    y = y * 2 + 1
    next(iter(()))
    yield y


def stubborn(x, note):
    y = x + 1
    while True:
        try:
            y = y * 2 + x
            yield y
        except GeneratorExit:
            note.append("not yet")
            y = y - 1
            if y > 40:
                return


def returning(x, note):
    for step in (1, 2, 3):
        try:
            y = x * step + 1
            got = yield y
            if got == 1:
                continue
            if got == 2:
                break
            if got == 3:
                return y
            y = y + 2
        finally:
            note.append(step)
            y = x + step
            if step == 3:
                y = y * 2
                yield y
    yield y * 2


def closing_over(x, note):
    factor = x * 2

    def scaled(value):
        nonlocal factor
        factor = factor + 1
        return value * factor + x

    y = scaled(x)
    got = yield y
    x = x + 1
    y = scaled(y) + factor
    yield y
    note.append([scaled(value) for value in (1, 2, got)] if got is not None else factor)
    yield factor * x
    return scaled


def in_arguments(x, note):
    y = add((yield x + 1), (yield x * 2), x) if note is not None else 0
    z = [x * 2, (yield y), x + y]
    note.append(z)
    w = f"{z[1]!r} {(yield y * 2)!r}"
    yield {"w": w, "z": [value for value in z if value is not None]}


def global_limit(x, note):
    count = 0
    while count < LIMIT[0]:
        y = x * count + 1
        note.append(y)
        yield y * y
        count += 1
    return count


def failing(x, note):
    y = x * 2 + 1
    yield y
    y = y * 3 - x
    try:
        yield y
        y = y / (x * 0)
        yield "not reached"
    except ZeroDivisionError as error:
        note.append((type(error), error.args))
        y = y * 2 + x
        yield y
    try:
        y = y + 1
        y = {}[y]
    except LookupError:
        y = y * 2 + 1
        note.append("lookup")
        yield y
    y = y * 2 + x
    yield y
    y = y + x + note[-1]
    yield y


def nested(x, note):
    try:
        try:
            y = x * 2 + 1
            yield y
        finally:
            note.append("inner")
            y = x * 3 + 1
            yield y
    except (ValueError, TypeError) as error:
        note.append(repr(error.__context__))
        try:
            y = y * 2 + x
            yield y
        except ValueError as again:
            note.append((again.__context__ is error, again.args))
            y = y * 2 - 1
            yield y
        y = y + 1
        yield y
    return y


def grouped(x, note):
    try:
        y = x * 2 + 1
        yield y
        y = y * 2 + 1
        yield y
    except* ValueError as group:
        note.append(group.exceptions)
        y = y * 3 + 1
    y = y + x
    yield y


def walking(tree, note):
    if isinstance(tree, tuple):
        for branch in tree:
            yield from walking(branch, note)
        weight = len(tree) * 2 + 1
        note.append(weight)
        return weight
    value = tree * 2 + 1
    yield value
    return value


def resumed_by_itself(x, note):
    y = x * 2 + 1
    yield y
    y = y + 1
    try:
        next(note[0])
    except ValueError as error:
        note.append(error.args)
    y = y * 2 + x
    yield y


SUBJECTS: Final[tuple[Subject, ...]] = (
    straight,
    accumulating,
    endless,
    guarded,
    handling,
    managed,
    delegating,
    stopping,
    stopping_in_a_call,
    stubborn,
    returning,
    closing_over,
    in_arguments,
    global_limit,
    failing,
    nested,
    grouped,
)


def iterate(items: list[object]) -> Iterator[object]:
    """A plain generator, to delegate to."""
    yield from items
