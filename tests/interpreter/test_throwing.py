"""Generators: what is thrown into them, what they raise, what is handled in them and around them."""

from __future__ import annotations

import sys

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


def suspended_in_except():
    def g():
        try:
            raise KeyError(1)
        except KeyError as e:
            yield 1
            yield chain(sys.exception())
            try:
                raise ValueError(2)
            except ValueError as v:
                yield chain(v)
        yield sys.exception() is None

    x = g()
    r = [next(x), sys.exception() is None]
    try:
        raise TypeError(3)
    except TypeError as t:
        r.append(next(x))
        r.append(chain(sys.exception()))
        r.append(next(x))
        r.append(chain(sys.exception()))
        r.append(next(x))
    return r


def gen_context_of_caller():
    def g():
        yield chain(sys.exception()) if sys.exception() else None
        try:
            raise ValueError(2)
        except ValueError as v:
            yield chain(v)
        raise IndexError(5)

    x = g()
    r = []
    try:
        raise TypeError(3)
    except TypeError:
        r.append(next(x))
    try:
        raise TypeError(4)
    except TypeError:
        r.append(next(x))
    try:
        try:
            raise TypeError(5)
        except TypeError:
            next(x)
    except IndexError as e:
        r.append(chain(e))
    return r


def throw_class():
    def g():
        try:
            yield 1
        except ValueError as e:
            yield chain(e)

    x = g()
    next(x)
    try:
        raise KeyError(1)
    except KeyError:
        r = [x.throw(ValueError)]
    r.append(outcome(lambda: x.throw(TypeError("t"))))
    r.append(outcome(lambda: x.throw(TypeError("u"))))
    r.append(outcome(lambda: next(x)))
    return r


def throw_unstarted():
    def g():
        yield 1

    x = g()
    r = [outcome(lambda: x.throw(ValueError("a"))), outcome(lambda: next(x))]
    y = g()
    r.append(outcome(lambda: y.throw(StopIteration(3))))
    r.append(outcome(lambda: y.throw(5)))
    r.append(outcome(lambda: g().throw(5)))
    r.append(outcome(lambda: g().throw(int)))
    return r


def throw_deep():
    log = []

    def a():
        try:
            yield 1
        except ValueError as e:
            log.append(("a", chain(e)))
            yield 2
            raise KeyError("from a")
        finally:
            log.append("fa")

    def b():
        try:
            r = yield from a()
        except KeyError as e:
            log.append(("b", chain(e)))
            yield 3
            return "b done"
        finally:
            log.append("fb")

    def c():
        r = yield from b()
        log.append(r)
        yield 4

    x = c()
    r = [next(x)]
    r.append(x.throw(ValueError("v")))
    r.append(next(x))
    r.append(next(x))
    r.append(outcome(lambda: next(x)))
    return r, log


def close_deep():
    log = []

    def a():
        try:
            yield 1
        finally:
            log.append(("fa", chain(sys.exception())))

    def b():
        try:
            yield from a()
        finally:
            log.append(("fb", chain(sys.exception())))

    x = b()
    next(x)
    x.close()
    r = outcome(lambda: next(x))
    y = b()
    next(y)
    r2 = outcome(lambda: y.throw(GeneratorExit("mine")))
    return r, r2, log


def close_raises():
    log = []

    def a():
        try:
            yield 1
        finally:
            raise ValueError("in close")

    def b():
        try:
            yield from a()
        except ValueError as e:
            log.append(chain(e))
            raise

    x = b()
    next(x)
    r = outcome(x.close)
    return r, log, outcome(lambda: next(x))


def close_returns():
    def a():
        try:
            yield 1
        except GeneratorExit:
            return 5

    x = a()
    next(x)
    return x.close(), x.close()


def close_unstarted():
    def a():
        try:
            yield 1
        finally:
            l.append(1)

    l = []
    x = a()
    x.close()
    return l, outcome(lambda: next(x))


def stopiter_places():
    def a():
        yield 1
        next(iter([]))

    def b():
        try:
            yield 1
        except ValueError:
            raise StopIteration(9)

    def c():
        yield from a()

    x = b()
    next(x)

    def d():
        raise StopIteration(4)
        yield

    def e():
        try:
            raise StopIteration(7)
        except StopIteration as s:
            yield s.value
        return 8

    def f():
        r = yield from e()
        yield r

    class It:
        def __iter__(self):
            return self

        def __next__(self):
            raise StopIteration(55)

    def g():
        r = yield from It()
        yield r

    return [
        outcome(lambda: list(a())),
        outcome(lambda: x.throw(ValueError("q"))),
        outcome(lambda: list(c())),
        outcome(lambda: list(d())),
        list(f()),
        list(g()),
        outcome(lambda: [next(iter([])) for _ in [1]]),
        outcome(lambda: list(next(iter([])) for _ in [1])),
        outcome(lambda: max(next(iter([])) for _ in [1])),
        outcome(lambda: list(map(lambda q: next(iter([])), [1, 2]))),
        outcome(lambda: sum(map(lambda q: next(iter([])), [1, 2]))),
        outcome(lambda: dict(map(lambda q: next(iter([])), [1, 2]))),
        outcome(lambda: [*map(lambda q: next(iter([])), [1, 2])]),
        outcome(lambda: any(map(lambda q: next(iter([])), [1, 2]))),
        outcome(lambda: {q: next(iter([])) for q in [1]}),
        outcome(lambda: sorted([1, 2], key=lambda q: next(iter([])))),
    ]


def stopiter_values():
    out = []
    for v in (None, 1, (1, 2), (), [3], ValueError(3)):

        def g():
            return v
            yield

        try:
            next(g())
        except StopIteration as e:
            out.append(
                (
                    e.value if not isinstance(e.value, Exception) else chain(e.value),
                    e.args if not isinstance(v, Exception) else len(e.args),
                )
            )

        def h():
            r = yield from g()
            return r

        try:
            next(h())
        except StopIteration as e:
            out.append(e.value is v)
    s = StopIteration(1, 2)
    out.append((s.value, s.args))
    s.value = 7
    out.append((s.value, s.args))
    out.append(StopIteration().value)
    return out


def reenter():
    log = []

    def g():
        log.append(outcome(lambda: next(x)))
        yield 1
        log.append(outcome(lambda: x.send(3)))
        log.append(outcome(lambda: x.throw(KeyError(3))))
        log.append(outcome(lambda: x.close()))
        yield 2

    x = g()
    return list(x), log


def reenter_delegate():
    log = []

    def inner():
        log.append(outcome(lambda: next(y)))
        yield 1

    def outer():
        yield from inner()

    y = outer()
    return list(y), log


PROGRAMS = [
    (suspended_in_except, [()]),
    (gen_context_of_caller, [()]),
    (throw_class, [()]),
    (throw_unstarted, [()]),
    (throw_deep, [()]),
    (close_deep, [()]),
    (close_raises, [()]),
    (close_returns, [()]),
    (close_unstarted, [()]),
    (stopiter_places, [()]),
    (stopiter_values, [()]),
    (reenter, [()]),
    (reenter_delegate, [()]),
]

NAMES = {"ids": lambda value: getattr(value, "__name__", "")}


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_give_the_same(program, calls):
    check_same(program, calls)
    check_same(program, calls, inside_handlers())


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, **NAMES)
def test_programs_with_breaks_give_the_same(program, calls):
    for variant in broken_variants(program):
        check_same(variant, calls)
