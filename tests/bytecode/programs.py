"""Small functions that between them use every construct of the language; each returns something to compare."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator


def arithmetic() -> object:
    a, b = 7, 3
    total = [a + b, a - b, a * b, a / b, a // b, a % b, a**b, a << b, a >> b, a & b, a | b, a ^ b, -a, +a, ~a]
    a += b
    a *= 2
    return total, a, not a, a is b, a is not b, a in total, a not in total


def comparisons() -> object:
    out = []
    for left in (1, 2.0, float("nan"), "a", None):
        for right in (1, 2, "a", None):
            out.append((left == right, left != right))
            if isinstance(left, (int, float)) and isinstance(right, int):
                out.append((left < right, left <= right, left > right, left >= right, 0 < right <= left < 9))
    return out


def conditions(values: object = (0, 1, "", "x", None, [], [0])) -> object:
    out = []
    for value in values:
        if value:
            out.append("yes")
        elif value is None:
            out.append("none")
        else:
            out.append("no")
        out.append((value and 1) or 2)
        out.append(value or "other")
        out.append(1 if not value else 2)
        while value is not None and len(out) % 2:
            out.append(0)
    return out


def loops() -> object:
    out = []
    for i in range(6):
        if i == 1:
            continue
        if i == 5:
            break
        for j in (1, 2):
            if j == 2:
                break
            out.append((i, j))
        else:
            out.append("not here")
    else:
        out.append("nor here")
    while True:
        out.append(len(out))
        if len(out) > 9:
            break
    for _ in ():
        out.append("never")
    else:
        out.append("else")
    return out


def comprehensions() -> object:
    x = "kept"
    squares = [x * x for x in range(4)]
    late = [lambda: y for y in range(3)]
    nested = {a: {b for b in range(a)} for a in range(3) if a}
    return x, squares, [f() for f in late], nested, sum(z for z in range(5)), [(a, b) for a in "xy" for b in (1, 2)]


def closures() -> object:
    count = 0

    def bump(step: int = 1, *, times: int = 1) -> int:
        nonlocal count
        for _ in range(times):
            count += step
        return count

    bump()
    bump(2, times=3)
    kept = count
    del count
    try:
        bump()
    except NameError as error:
        return kept, str(error), bump.__defaults__, bump.__kwdefaults__
    return None


def calls() -> object:
    def show(*args: object, **kwargs: object) -> object:
        return args, kwargs

    pair, table = (1, 2), {"k": 3}
    return (
        show(),
        show(1, 2),
        show(1, a=2),
        show(*pair),
        show(*pair, 3, **table),
        show(0, *pair, b=4, **table),
        show(**table, c=5),
        show(*pair, *pair, **table, **{"d": 6}),
        "a-b".split("-"),
        f"{1}{2}",
        max([3, 1], key=lambda v: -v),
    )


def strings() -> object:
    value, width = "v", 7
    number = 3.14159
    return (
        f"{value}",
        f"{value!r}",
        f"{value!a}>{value!s}",
        f"{number:.2f}",
        f"{number:{width}.{2}f}",
        f"{value!r:>{width}}",
        f"{value=} {number}" + "tail",
    )


def unpacking() -> object:
    a, (b, *c), d = 1, (2, 3, 4), 5
    *e, f = "xyz"
    g, *h, i = range(5)
    first, second = second, first = 1, 2
    whole = [*h, *"ab"], {*h, 9}, {**{"p": 1}, "q": 2}, (*e, f)
    return a, b, c, d, e, f, g, h, i, first, second, whole


def items() -> object:
    data = list(range(10))
    data[2:4] = "ab"
    data[0] = data[-1]
    del data[5]
    del data[6:8]
    data[1] += 5
    step = slice(None, None, 2)
    table = {"x": {"y": 1}}
    table["x"]["y"] += 1
    return data, data[1:3], data[::2], data[step], data[:], table


def exceptions() -> object:
    out: list[object] = []

    def risky(kind: int) -> object:
        try:
            try:
                if kind == 1:
                    raise ValueError("one")
                if kind == 2:
                    raise KeyError("two") from ValueError("cause")
                if kind == 3:
                    return "returned"
                out.append("body")
            except ValueError as error:
                out.append(("value", str(error)))
                raise
            else:
                out.append("else")
            finally:
                out.append("inner")
        except (ValueError, LookupError) as error:
            out.append((type(error).__name__, type(error.__cause__).__name__, type(error.__context__).__name__))
        finally:
            out.append("outer")
        for _ in range(2):
            try:
                if kind == 4:
                    return "left"
                continue
            finally:
                out.append("between")
        return None

    results = [risky(kind) for kind in range(5)]
    try:
        assert results == [], "message"
    except AssertionError as error:
        out.append(str(error))
    return results, out


def groups() -> object:
    out = []
    for errors in ([ValueError(1)], [KeyError(2), ValueError(3)], [KeyError(4)]):
        try:
            raise ExceptionGroup("group", errors)
        except* ValueError as group:
            out.append(("value", [str(error) for error in group.exceptions]))
        except* KeyError as group:
            out.append(("key", [str(error) for error in group.exceptions]))
    return out


@contextlib.contextmanager
def noting(out: list[object], name: str, swallow: bool = False) -> Iterator[str]:
    out.append(("enter", name))
    try:
        yield name
    except ValueError:
        out.append(("caught", name))
        if not swallow:
            raise
    finally:
        out.append(("exit", name))


def contexts() -> object:
    out: list[object] = []
    with noting(out, "a") as a, noting(out, "b", swallow=True) as b:
        out.append(a + b)
        raise ValueError
    for i in range(3):
        with noting(out, str(i)):
            if i == 1:
                continue
            out.append(i)
            if i == 2:
                break

    def leaving() -> str:
        with noting(out, "leaving"):
            return "left"

    return out, leaving()


def generators() -> object:
    log: list[object] = []

    def inner() -> Iterator[object]:
        try:
            got = yield 1
            log.append(got)
            yield from (2, 3)
        except KeyError:
            log.append("key")
            yield "recovered"
        finally:
            log.append("closed")
        return "done"

    def outer() -> Iterator[object]:
        result = yield from inner()
        log.append(result)
        yield 4

    one = outer()
    values = [next(one), one.send("sent"), *one]
    two = outer()
    values += [next(two), two.throw(KeyError("x"))]
    two.close()
    three = outer()
    try:
        three.throw(RuntimeError("early"))
    except RuntimeError as error:
        values.append(str(error))

    def stopping() -> Iterator[int]:
        yield 1
        raise StopIteration

    try:
        list(stopping())
    except RuntimeError as error:
        values.append(str(error))
    return values, log


def coroutines() -> object:
    log: list[object] = []

    async def give(value: int) -> int:
        await asyncio.sleep(0)
        return value

    async def numbers(count: int) -> AsyncIterator[int]:
        for i in range(count):
            try:
                yield await give(i)
            finally:
                log.append(i)

    class Door:
        async def __aenter__(self) -> str:
            log.append("open")
            return "door"

        async def __aexit__(self, *what: object) -> bool:
            log.append(what[0] and what[0].__name__)
            return True

    async def main() -> object:
        seen = []
        async for number in numbers(3):
            seen.append(number)
        async with Door() as door:
            seen.append(door)
            raise ValueError
        seen += [n async for n in numbers(2)]
        seen.append(1 if await give(0) else await give(5))
        return seen

    # driven by hand: what is under test is the bytecode, not the event loop
    task = main()
    try:
        while True:
            task.send(None)
    except StopIteration as stop:
        return stop.value, log


def classes() -> object:
    base_value = 5

    class Base:
        value = base_value
        items = [value for value in range(2)]

        def method(self, x: int) -> object:
            return ("base", x)

        @property
        def prop(self) -> int:
            return self.value

        @classmethod
        def make(cls) -> Base:
            return cls()

    class Derived(Base):
        value = 6

        def method(self, x: int) -> object:
            return (*super().method(x), super().prop, __class__.__name__, super().method(2))

    one = Derived.make()
    one.extra = 1
    one.extra += 2
    extra = one.extra
    del one.extra
    return one.method(1), one.prop, extra, hasattr(one, "extra"), Base.items


def matching() -> object:
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x: int, y: int) -> None:
            self.x, self.y = x, y

    def classify(subject: object) -> object:
        match subject:
            case 0 | 1:
                return "small"
            case [1, 2, *rest]:
                return ("list", rest)
            case [x, y] if x == y:
                return ("pair", x)
            case {"k": value, **others}:
                return ("dict", value, others)
            case Point(0, y=other):
                return ("point", other)
            case str() as text:
                return ("text", text)
            case None:
                return "none"
            case _:
                return "other"

    subjects = (0, [1, 2, 3], [4, 4], {"k": 1, "l": 2}, Point(0, 9), Point(1, 1), "s", None, 3.5, [])
    return [classify(subject) for subject in subjects]


GLOBAL = 1


def names() -> object:
    global GLOBAL, MADE
    GLOBAL += 1
    MADE = GLOBAL
    seen = MADE
    del MADE
    GLOBAL -= 1
    import os.path as path
    from os import sep as separator

    local = 1
    try:
        for _ in range(2):
            del local
    except UnboundLocalError as error:
        return seen, path.__name__ != "", separator, str(error)
    return None


def parameters() -> object:
    def everything(a: int, /, b: int, *rest: int, c: int = 3, **more: int) -> object:
        def use() -> object:
            return a, b, rest, c, more

        b += 1
        return use()

    return everything(1, 2), everything(1, 2, 3, 4, c=5, d=6)


PROGRAMS: list[Callable[[], object]] = [
    arithmetic,
    comparisons,
    conditions,
    loops,
    comprehensions,
    closures,
    calls,
    strings,
    unpacking,
    items,
    exceptions,
    groups,
    contexts,
    generators,
    coroutines,
    classes,
    matching,
    names,
    parameters,
]
