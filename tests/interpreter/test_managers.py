"""Context managers on the way of exceptions, and those of `contextlib`."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress

import pytest

from tests.interpreter.programs import check_same, check_whole


@contextmanager
def logged(log, name):
    log.append(("in", name))
    try:
        yield name
    except ValueError as e:
        log.append(("ve", e.args))
    finally:
        log.append(("out", name))


def one_manager():
    log = []
    with logged(log, "a") as x:
        log.append(x)
    return log


def nested_managers_swallow():
    log = []
    with logged(log, "a") as x, logged(log, "b") as y:
        log.append(x + y)
        raise ValueError(3)
    return log


def suppressed():
    with suppress(KeyError):
        {}["x"]
    return 5


def returned_from_null_context():
    with nullcontext(7) as x:
        return x


def exit_stack():
    log = []
    with ExitStack() as s:
        s.enter_context(logged(log, "a"))
        s.enter_context(logged(log, "b"))
        s.callback(log.append, "cb")
        log.append("body")
    return log


def exit_stack_swallows():
    log = []
    with ExitStack() as s:
        s.enter_context(logged(log, "a"))
        raise ValueError("x")
    return log


def manager_lets_pass():
    log = []
    try:
        with logged(log, "a"):
            raise KeyError("k")
    except KeyError as e:
        log.append(("caught", e.args, e.__context__ is None))
    return log


@contextmanager
def twice():
    yield 1
    yield 2


def generator_does_not_stop():
    try:
        with twice():
            pass
    except RuntimeError as e:
        return str(e)


class Closable:
    def close(self):
        self.closed = True


def closed_afterwards():
    c = Closable()
    with closing(c) as d:
        pass
    return c.closed


def pushed_exit_swallows():
    try:
        with ExitStack() as s:
            s.push(lambda *a: True)
            1 / 0
        return "swallowed"
    except ZeroDivisionError:
        return "no"


WHOLE = [
    (one_manager, [()]),
    (nested_managers_swallow, [()]),
    (suppressed, [()]),
    (returned_from_null_context, [()]),
    (manager_lets_pass, [()]),
    (generator_does_not_stop, [()]),
    (closed_afterwards, [()]),
]
PARTLY = [
    (exit_stack, [()]),
    (exit_stack_swallows, [()]),
    (pushed_exit_swallows, [()]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
