"""`with`: user classes, order, swallowing, exceptions in `__enter__` and `__exit__`, several in one statement."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same
from tests.support import Conditions

journal: list[object] = []


class Logged:
    """Logs entering and leaving; `swallow` is what `__exit__` gives; it raises where `fail` says so."""

    def __init__(self, log, name, swallow=False, fail=()):
        self.log, self.name, self.swallow, self.fail = log, name, swallow, fail

    def __enter__(self):
        self.log.append(("enter", self.name))
        if "enter" in self.fail:
            raise RuntimeError(f"entering {self.name}")
        return self.name

    def __exit__(self, kind, error, trace):
        self.log.append(("exit", self.name, kind, None if error is None else error.args, trace is None))
        if "exit" in self.fail:
            raise KeyError(f"leaving {self.name}")
        return self.swallow


@captured((1,), ("x",))
def test_plain(x):
    log = []
    with Logged(log, "a") as a, Logged(log, [x]) as b:
        log.append((a, b))
    return log


@captured((0,), (1,))
def test_return_from_inside(x):
    log = []

    def inner():
        with Logged(log, "a"):
            if x:
                return "inside"
            log.append("not returned")
        return "outside"

    return inner(), log


@pytest.mark.parametrize("swallow", [False, True, 0, 1, "", "text", None, [], [0]])
def test_swallowing(swallow):
    def program(x):
        log = []
        result = None
        try:
            with Logged(log, "a", swallow):
                log.append("body")
                result = 1 // x
            log.append("after")
        except ZeroDivisionError as error:
            log.append(error.__traceback__ is not None)
        return log, result

    check(program, (0,), (2,))


@same((0,), (1,))
def test_exception_leaves(x):
    with Logged(journal, "a") as name:
        print(name, x)
        journal.append(1 // x)
    return journal


FAILURES = [((), ("enter",)), (("enter",), ()), (("exit",), ()), ((), ("exit",)), (("exit",), ("exit",))]


@pytest.mark.parametrize("fails", FAILURES)
def test_enter_or_exit_fails(fails):
    def program(x):
        log = []
        try:
            with Logged(log, "a", True, fails[0]), Logged(log, "b", False, fails[1]):
                log.append(1 // x)
            log.append("after")
        except Exception as error:
            log.append((error, error.__context__))
        return log

    def leaves(x):
        with Logged(journal, "a", False, fails[0]), Logged(journal, "b", False, fails[1]):
            journal.append(1 // x)

    check(program, (0,), (1,))
    check(leaves, (0,), (1,))
    check(leaves, (0,), conditions=Conditions(handling=lambda: OSError("of the caller")))


@same(([1, 0, 2, 5],), ([],))
def test_break_and_continue_inside(items):
    log = []
    for item in items:
        with Logged(log, item):
            if item == 0:
                continue
            if item == 2:
                break
            log.append("body")
    return log


@same((1,), (0,))
def test_targets(x):
    class Box:
        pass

    log, box, items = [], Box(), [None]
    with Logged(log, x) as box.attribute, Logged(log, [x, 2]) as items[0], Logged(log, (x, "b")) as (a, *b):
        log.append((box.attribute, items, a, b))
    try:
        with Logged(log, "outer"), Logged(log, 5) as (c, d):
            log.append("never")
    except TypeError as error:
        log.append(error.args)
    return log


class OnlyEnter:
    def __enter__(self):
        raise AssertionError("must not be called")


class OnlyExit:
    def __exit__(self, *args):
        raise AssertionError("must not be called")


@same((1,), (2,))
def test_no_context_manager(x):
    log = []
    for thing in (x, None, OnlyEnter(), OnlyExit(), OnlyEnter):
        try:
            with Logged(log, "first"), thing:
                log.append("never")
        except (TypeError, AttributeError) as error:
            log.append(error)
    with x:
        pass


class Instance:
    """Special methods on the instance do not count."""

    def __init__(self):
        self.__enter__ = lambda: "wrong"

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.seen = len(args)
        return NotTrue()


class NotTrue:
    def __bool__(self):
        raise ValueError("no truth")


@same((0,), (1,))
def test_special_methods_of_the_class_and_truth_of_the_answer(x):
    manager = Instance()
    log = []
    try:
        with manager as itself:
            log.append(itself is manager)
            log.append(1 // x)
    except Exception as error:
        log.append((error, error.__context__))
    return log, manager.seen


class Transaction:
    def __init__(self, items):
        self.items = items

    def __enter__(self):
        self.saved = list(self.items)
        return self.items

    def __exit__(self, kind, error, trace):
        if kind is not None and issubclass(kind, LookupError):
            self.items[:] = self.saved
            return True


@same(([1, 2], 0), ([], 0), ([5], 7), ([1], "x"))
def test_transaction(items, at):
    with Transaction(items) as inside:
        inside.append("added")
        inside[at] = inside[at]
        inside.pop(0)
        inside.append({}[at] if at == 7 else at)
    return items


@same((3,), (0,))
def test_nested_and_recursive(depth):
    log = []

    def descend(k):
        with Logged(log, k, swallow=k == 1):
            if k == 0:
                raise ValueError("bottom")
            descend(k - 1)
            log.append(("after", k))
        return k

    try:
        return descend(depth), log
    except ValueError as error:
        return error.args, log


@same((0,), (1,))
def test_with_inside_except_and_finally(x):
    log = []
    try:
        log.append(1 // x)
    except ZeroDivisionError as error:
        with Logged(log, "handler", swallow=True):
            raise KeyError("in with") from error
    finally:
        with Logged(log, "finally"):
            log.append("body")
    return log


@same((0,), (1,))
def test_exit_changes_the_exception(x):
    class Note:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            if error is not None:
                error.add_note("left")
                journal.append((kind, error, trace.tb_lineno > 0))

    with Note(), Note():
        journal.append("in")
        return 1 // x


@same((1,), (0,))
def test_reentrant_and_reused(x):
    log = []
    manager = Logged(log, "m", swallow=True)
    with manager, manager:
        1 // x
    with manager:
        log.append("again")
    return log
