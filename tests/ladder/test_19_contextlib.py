"""`contextlib`: generator-based managers, `ExitStack`, `suppress`, `closing`, `nullcontext`, decorators."""

from __future__ import annotations

import contextlib
import io

from tests.ladder.both import captured, same

journal: list[object] = []


@contextlib.contextmanager
def logged(log, name):
    log.append(("enter", name))
    try:
        yield name
    except KeyError as error:
        log.append(("swallowed", error.args))
    except TypeError as error:
        raise ValueError("replaced") from error
    else:
        log.append(("left", name))
    finally:
        log.append(("finally", name))


@contextlib.contextmanager
def yields_twice():
    yield 1
    yield 2


@contextlib.contextmanager
def yields_never():
    return
    yield


@captured((1,), ("x",))
def test_generator_based(x):
    log = []
    with logged(log, x) as name, logged(log, [x]):
        log.append(name)
    return log


@same(({"a": 1}, "a"), ({}, "a"), (5, "a"), ([], 9))
def test_generator_sees_the_exception(table, key):
    log = []
    try:
        with logged(log, "m"):
            log.append(table[key])
        log.append("after")
    except (ValueError, IndexError) as error:
        log.append((error, error.__cause__, error.__context__))
    return log


@same((0,), ("s",), (1,))
def test_exception_leaves_generator_based(x):
    with logged(journal, "outer"), logged(journal, "inner") as name:
        print(name)
        journal.append(1 // x)
    return journal


@same((1,), (0,))
def test_generators_that_misbehave(x):
    log = []
    for make in (yields_twice, yields_never):
        try:
            with make() as value:
                log.append(value)
                1 // x
        except (RuntimeError, ZeroDivisionError) as error:
            log.append(error)
    return log


@same((0,), (1,), (None,))
def test_suppress(x):
    log = []
    with contextlib.suppress(ZeroDivisionError, TypeError):
        log.append(1 // x)
        log.append("not suppressed")
    with contextlib.suppress(KeyError), contextlib.suppress(IndexError):
        {}["a"]
    with contextlib.suppress():
        log.append("nothing")
    with contextlib.suppress(KeyError):
        log.append([][len(log)])
    return log


@same((0,), (1,))
def test_exit_stack(x):
    log = []
    try:
        with contextlib.ExitStack() as stack:
            names = [stack.enter_context(logged(log, i)) for i in range(2)]
            stack.callback(log.append, "callback")
            stack.callback(lambda *a, **k: log.append((a, k)), 1, k=2)
            stack.push(lambda kind, error, trace: log.append(("push", kind)))
            log.append(names)
            log.append(1 // x)
    except ZeroDivisionError as error:
        log.append(error.args)
    return log


@same((0,), (1,))
def test_exit_stack_swallows_and_replaces(x):
    log = []
    with contextlib.ExitStack() as stack:
        stack.push(lambda *details: log.append(details[0]) or True)
        stack.enter_context(logged(log, "inner"))
        stack.callback(lambda: {}["in callback"] if x else None)
        log.append(1 // x)
    kept = contextlib.ExitStack()
    with contextlib.ExitStack() as stack:
        stack.callback(log.append, "moved")
        kept = stack.pop_all()
    log.append("not yet")
    kept.close()
    return log


@captured((1,), (None,))
def test_nullcontext(x):
    with contextlib.nullcontext(x) as value, contextlib.nullcontext() as nothing:
        return value, nothing


@same((0,), (1,))
def test_closing_and_redirects(x):
    class Resource:
        def close(self):
            journal.append("closed")

    with contextlib.closing(Resource()) as resource:
        journal.append(type(resource).__name__)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print("inside", x)
    print("outside")
    return text.getvalue(), journal


@same((0,), (2,))
def test_as_decorators(x):
    log = []

    @logged(log, "decorator")
    def divide(value):
        """Doc."""
        return {}[value] if value == 0 else 10 // value

    class Manager(contextlib.ContextDecorator):
        def __enter__(self):
            log.append("enter")
            return self

        def __exit__(self, *details):
            log.append(details[0])
            return x == 0

    @Manager()
    def fails(value):
        return [][value]

    try:
        return divide(x), divide(x), fails(x), divide.__name__, log
    except IndexError as error:
        return error.args, log


class Base(contextlib.AbstractContextManager):
    def __exit__(self, *details):
        journal.append(details[0])


@same((0,), (1,))
def test_abstract_base_class(x):
    with Base() as base:
        journal.append(isinstance(base, contextlib.AbstractContextManager))
    with Base():
        return 1 // x


@same(([1, 2],), ([],))
def test_loop_with_generator_managers(items):
    log = []
    for item in items:
        with logged(log, item), contextlib.suppress(LookupError):
            if item == 1:
                continue
            raise LookupError(item)
    return log


@same((1,), (2,))
def test_state_of_the_manager_object(x):
    manager = logged(journal, x)
    with manager:
        journal.append("once")
    try:
        with manager:
            journal.append("never")
    except (RuntimeError, AttributeError) as error:
        journal.append(type(error))
    return journal
