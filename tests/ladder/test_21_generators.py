"""Generators: made and driven by a traced function; `send`, `throw`, `close`, return values, `StopIteration`."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

journal: list[object] = []


def numbers(n, log):
    log.append("start")
    try:
        for i in range(n):
            received = yield i
            if received is not None:
                log.append(("received", received))
        return "returned"
    except ValueError as error:
        log.append(("caught", error.args))
        yield "recovered"
    finally:
        log.append("finally")


@captured((3,), (0,))
def test_driven_by_for(n):
    log = []
    for item in numbers(n, log):
        log.append(item)
    return log


@captured((3,), (1,))
def test_given_to_builtins(n):
    log = []
    return list(numbers(n, log)), sum(numbers(n, log)), tuple(numbers(2, log)), max(numbers(n, log)), log


@same((3,), (0,))
def test_by_hand(n):
    log = []
    made = numbers(n, log)
    log.append("made")
    try:
        log.append(next(made))
        log.append(made.send("hello"))
        log.append(next(made))
        log.append(next(made))
    except StopIteration as stop:
        log.append((stop.value, stop.args))
    return log, next(made, "ended"), made.gi_frame


@same((3,), (1,))
def test_throw_is_caught_inside(n):
    log = []
    made = numbers(n, log)
    next(made)
    log.append(made.throw(ValueError("thrown")))
    try:
        next(made)
    except StopIteration as stop:
        log.append(stop.value)
    return log


@same((3,), (1,))
def test_throw_comes_back(n):
    log = []
    made = numbers(n, log)
    next(made)
    try:
        made.throw(KeyError("thrown"))
    except KeyError as error:
        log.append(error)
    log.append(list(made))
    untouched = numbers(n, log)
    try:
        untouched.throw(ValueError("before the start"))
    except ValueError as error:
        log.append(error)
    return log


@same((2,), (0,))
def test_close(n):
    log = []
    made = numbers(n + 1, log)
    next(made)
    log.append(made.close())
    log.append(made.close())
    log.append(list(made))
    never = numbers(n, log)
    never.close()
    return log, list(never)


def stubborn(log):
    while True:
        try:
            yield 1
        except GeneratorExit:
            log.append("ignored")
            if len(log) > 1:
                return


@same((1,), (2,))
def test_generator_that_does_not_close(x):
    log = []
    made = stubborn(log)
    next(made)
    try:
        made.close()
    except RuntimeError as error:
        log.append(error.args)
    return log, next(made, "ended")


def leaky(kind, value):
    yield 1
    raise kind(value)


@pytest.mark.parametrize("kind", [StopIteration, ValueError, GeneratorExit, StopAsyncIteration])
def test_exceptions_out_of_a_generator(kind):
    def caught(x):
        log = []
        try:
            for item in leaky(kind, x):
                log.append(item)
        except BaseException as error:
            log.append((error, error.__cause__, error.__context__))
        return log

    def leaves(x):
        journal.append(x)
        return list(leaky(kind, x))

    check(caught, (1,), ("s",))
    check(leaves, (1,), ("s",))
    check(leaves, (1,), conditions=Conditions(handling=lambda: OSError("of the caller")))


@same((1,), ("x",))
def test_send_before_the_start(x):
    made = numbers(2, [])
    try:
        made.send(x)
    except TypeError as error:
        return error.args, made.send(None), made.send(None)


def coroutine_of_sums():
    total = count = 0
    average = None
    while True:
        value = yield average
        if value is None:
            return total, count
        total += value
        count += 1
        average = total / count


@captured(([10, 20, 60],), ([],), ([1.5],))
def test_running_average(values):
    made = coroutine_of_sums()
    next(made)
    averages = []
    for value in values:
        averages.append(made.send(value))
    try:
        made.send(None)
    except StopIteration as stop:
        return averages, stop.value


@captured(([10, 20, 60],), ([],))
def test_generator_in_a_cell(values):
    made = coroutine_of_sums()
    next(made)

    def send(value):
        return made.send(value)

    for value in values:
        send(value)
    try:
        send(None)
    except StopIteration as stop:
        return stop.value


@same((3,), (1,))
def test_handed_over_half_used(n):
    log = []
    made = numbers(n, log)
    next(made)
    log.append("half")
    return made, next(made, "end"), log


@same((4,), (2,))
def test_closures_and_arguments_live_on(n):
    def squares():
        nonlocal n
        for i in range(n):
            n -= 1
            yield i * i, n

    made = squares()
    first = next(made)
    n += 10
    return first, list(made), n


@same((5,), (0,))
def test_pipeline(n):
    log = []

    def source():
        for i in range(n):
            log.append(("source", i))
            yield i

    def even(items):
        for item in items:
            if item % 2 == 0:
                yield item

    def scaled(items, factor=10):
        for item in items:
            log.append(("scaled", item))
            yield item * factor

    pipeline = scaled(even(source()))
    return next(pipeline, None), list(pipeline), log


@same((10,), (3,))
def test_infinite_with_break(limit):
    def naturals():
        n = 0
        try:
            while True:
                yield n
                n += 1
        finally:
            journal.append(("closed at", n))

    made = naturals()
    for value in made:
        if value * value > limit:
            break
    made.close()
    return value, journal


@same((3,), (0,))
def test_running_generator_is_entered_again(n):
    def selfish():
        try:
            next(made)
        except ValueError as error:
            yield error.args
        yield n

    made = selfish()
    return list(made)


@same((1,), (0,))
def test_error_while_iterating_keeps_effects(x):
    def risky():
        journal.append("first")
        yield 1
        journal.append("second")
        yield 1 // x
        journal.append("third")

    seen = []
    for item in risky():
        seen.append(item)
        print(seen)
    return seen


@same((2,), (3,))
def test_handling_an_exception_around_yields(n):
    def careful():
        try:
            raise KeyError("inside")
        except KeyError:
            yield 1
            try:
                yield 2
                raise
            except KeyError as error:
                yield error.args

    log = []
    try:
        raise OSError("outside")
    except OSError:
        for item in careful():
            log.append(item)
            try:
                raise ValueError(item)
            except ValueError as error:
                log.append(error.__context__)
    return log


@same((3,), (1,))
def test_attributes(n):
    made = numbers(n, journal)
    before = made.gi_running, made.gi_frame is None, made.__name__, made.gi_yieldfrom
    next(made)
    return before, made.gi_code is numbers.__code__, made.__qualname__, iter(made) is made, type(made).__name__


@same((3,), (5,))
def test_recursive_generator(n):
    def permutations(items):
        if not items:
            yield []
        for i, item in enumerate(items):
            for rest in permutations(items[:i] + items[i + 1 :]):
                yield [item, *rest]

    return list(permutations(list(range(n % 4))))


@same((1,), ([],))
def test_yield_expression_in_a_lambda(x):
    made = (lambda: (yield x))()
    return next(made), made


def own_generator(n, log):
    """Is compiled itself."""
    log.append("start")
    total = 0
    for i in range(n):
        received = yield total
        total += i if received is None else received
        log.append(total)
    return total


@pytest.mark.parametrize(
    "drive",
    [list, lambda g: [next(g, None), next(g, None), g.close()], lambda g: (next(g), g.send(50))],
    ids=["list", "close", "send"],
)
def test_compiled_generator_function(drive):
    check(own_generator, (3, []), (5, [1]), conditions=Conditions(drive=drive))
