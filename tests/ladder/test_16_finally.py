"""`finally` and what leaves it: return, break, continue, exceptions that replace others; loops around and inside."""

from __future__ import annotations

import warnings

from tests.ladder.both import captured, check, same

journal: list[object] = []


@captured((1,), (0,))
def test_runs_on_every_way_out(x):
    log = []

    def way(value):
        try:
            if value:
                return "returned"
            log.append("fell through")
        finally:
            log.append("finally")
        return "after"

    return way(x), way(not x), log


@same((0,), (1,))
def test_runs_when_an_exception_leaves(x):
    try:
        journal.append("try")
        return 1 // x
    finally:
        journal.append("finally")
        print(journal)


RETURN_IN_FINALLY = """
def swallowed(x):
    log = []
    try:
        log.append(1 // x)
        return "try", log
    except TypeError:
        return "except", log
    finally:
        log.append("finally")
        return "finally", log

def replaced(x):
    for i in range(3):
        try:
            if i == x:
                return "try"
            1 // x
        finally:
            if i == 1:
                break
            continue
    return "end", i

def nested(x):
    log = []
    while True:
        try:
            try:
                return 1 // x
            finally:
                log.append("inner")
                if x:
                    break
        except ZeroDivisionError:
            log.append("caught")
            return log
        finally:
            log.append("outer")
    return "left", log
"""


def test_return_break_and_continue_in_finally():
    namespace: dict[str, object] = {"__name__": __name__}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(RETURN_IN_FINALLY, __file__, "exec"), namespace)
    for name in ("swallowed", "replaced", "nested"):
        check(namespace[name], (0,), (1,), (2,), (None,))


@same(([1, 0, 2],), ([0],), ([],))
def test_continue_and_break_through_finally(items):
    log = []
    for item in items:
        try:
            if item == 0:
                continue
            if item == 2:
                break
            log.append(item)
        finally:
            log.append(("cleanup", item))
    else:
        log.append("else")
    return log


@same((0,), (1,))
def test_exception_in_finally_replaces(x):
    try:
        journal.append(x)
        1 // x
    finally:
        journal.append("finally")
        {}[x]


@same((0,), (1,), ("s",))
def test_else_and_finally_order(x):
    log = []
    try:
        try:
            log.append("try")
            value = 1 // x
        except ZeroDivisionError:
            log.append("except")
        else:
            log.append("else")
            value = [][value]
        finally:
            log.append("finally")
    except (IndexError, TypeError) as error:
        log.append(error)
    return log


@same((2,), (0,))
def test_value_returned_is_evaluated_before_finally(x):
    items = [x]

    def text():
        try:
            return str(items)
        finally:
            items.append("later")

    def itself():
        try:
            return items
        finally:
            items.append("seen")

    return text(), itself(), items


@captured((5,), (1,))
def test_finally_in_a_loop_that_returns(n):
    log = []

    def search():
        for i in range(n):
            try:
                if i == 2:
                    return i
            finally:
                log.append(i)
        return None

    return search(), log


@same((3,), (1,))
def test_nested_finally_with_print(depth):
    def descend(k):
        try:
            if k == 0:
                raise ValueError("bottom")
            descend(k - 1)
        finally:
            print("leave", k)
            journal.append(k)

    try:
        descend(depth)
    except ValueError as error:
        return error, journal


@same((0,), (2,))
def test_variables_bound_in_try(x):
    try:
        before = 1
        middle = before // x
        after = middle + 1
    except ZeroDivisionError:
        pass
    finally:
        log = sorted(name for name in ("before", "middle", "after") if name in locals())
    try:
        return log, after
    except NameError as error:
        return log, error.args


@same((0,), (1,), (2,))
def test_return_in_except_and_else(x):
    def choose(value):
        try:
            result = 2 // value
        except ZeroDivisionError as error:
            return "except", error.args
        else:
            if result > 1:
                return "else", result
        finally:
            journal.append(value)
        return "after", result

    return choose(x), choose(0), journal


@same(([3, 0, "x", 1],), ([],))
def test_retry_loop(values):
    attempts = []
    for value in values:
        for attempt in range(3):
            try:
                attempts.append((attempt, 6 // value))
            except ZeroDivisionError:
                value += 1
                continue
            except TypeError:
                attempts.append("give up")
                break
            else:
                break
            finally:
                attempts.append("tried")
        else:
            attempts.append("exhausted")
    return attempts


@same((True,), (False,))
def test_deleting_and_rebinding_in_finally(fail):
    resource = ["open"]
    alias = resource
    try:
        resource.append("used")
        if fail:
            raise OSError("broken")
    except OSError as error:
        resource.append(error.args)
    finally:
        resource.append("closed")
        del resource
    try:
        return alias, resource
    except UnboundLocalError:
        return alias, "unbound"


@same((0,), (1,))
def test_generator_expression_fails_in_try(x):
    log = []
    try:
        log.extend(1 // i for i in (2, 1, x))
    except ZeroDivisionError:
        log.append("failed")
    finally:
        log.append("done")
    return log
