"""Exceptions that are raised and die inside a trace, context managers on the way, suspended frames."""

from __future__ import annotations

import copy

import pytest

import symexec
from symexec.config import Config
from tests.support import arguments, assert_same

ALWAYS = Config(strict=True, install="always")


def compile_always(function):
    return symexec.compile(function, config=ALWAYS)


class CodedError(ValueError):
    def __init__(self, code, *a):
        ValueError.__init__(self, f"code {code}", *a)
        self.code = code


def caught_by_one_of_several(x):
    try:
        if x > 0:
            raise ValueError("neg", x)
        return 1
    except (KeyError, ValueError) as e:
        return e.args, str(e), repr(e), type(e)


def missing_key_and_finally(d, k):
    try:
        return d[k]
    except KeyError as e:
        return ("missing", e.args)
    finally:
        d["done"] = k


def errors_in_a_loop(l):
    out = []
    for i in range(5):
        try:
            out.append(l[i])
        except IndexError:
            out.append(None)
        else:
            out.append("ok")
    return out


def class_of_the_users():
    try:
        raise CodedError(3, "x")
    except ValueError as e:
        return e.code, e.args, str(e)


def raised_from():
    try:
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise KeyError("k") from e
    except KeyError as e:
        return type(e.__cause__), type(e.__context__), e.__suppress_context__, e.__cause__ is e.__context__, e.args


def context_in_finally():
    try:
        try:
            1 / 0
        finally:
            x = [].pop()
    except IndexError as e:
        return type(e.__context__), str(e)


class Manager:
    def __init__(self, log, sw):
        self.log = log
        self.sw = sw

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, t, v, tb):
        self.log.append((t, v and v.args, tb is None))
        return self.sw


def manager(sw):
    log = []
    try:
        with Manager(log, sw) as c:
            log.append("in")
            raise ValueError(1)
    except ValueError:
        log.append("caught")
    return log


def counting(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                yield got * 10
    finally:
        pass
    return n


def consumed_by_builtins(n):
    return list(counting(n)), sum(counting(n)), [x for x in counting(3)]


def sent_and_stopped():
    g = counting(3)
    r = [next(g), g.send(5), next(g)]
    try:
        while True:
            r.append(next(g))
    except StopIteration as e:
        r.append(e.value)
    return r


def delegating():
    r = yield from counting(2)
    yield ("r", r)


def delegation():
    return list(delegating())


def patient():
    while True:
        try:
            yield 1
        except ValueError as e:
            yield ("v", e.args)
        except GeneratorExit:
            raise


def thrown_and_closed():
    g = patient()
    next(g)
    r = g.throw(ValueError(7))
    r2 = next(g)
    g.close()
    try:
        next(g)
    except StopIteration:
        return r, r2, "done"


def stopping():
    yield 1
    raise StopIteration


def stop_iteration_inside():
    try:
        return list(stopping())
    except RuntimeError as e:
        return str(e), type(e.__cause__), type(e.__context__)


def generator_expressions():
    return sum(x * x for x in range(10)), {k: v for k, v in ((i, i * 2) for i in range(3))}


def made_but_not_raised():
    e = ValueError("made", 1)
    e.extra = 5
    e.add_note("n")
    return e


def unknown_name(x):
    try:
        return undefined_name
    except NameError as e:
        return e.name, str(e)


def unbound_local():
    try:
        del y  # noqa: F821
        y = 1
    except UnboundLocalError as e:
        return str(e)


def finally_with_continue_and_return(x):
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                return "r"
        finally:
            x.append(i)


async def plus_one(x):
    return x + 1


async def adding():
    a = await plus_one(1)
    b = await plus_one(2)
    return a + b


def coroutines():
    c = adding()
    try:
        c.send(None)
    except StopIteration as e:
        return e.value


def folded(x):
    try:
        int("zz")
    except ValueError as e:
        return str(e)


def missing_attribute():
    try:
        (1).foo
    except AttributeError as e:
        return str(e), e.name


def nothing_to_raise_again():
    try:
        raise  # noqa: PLE0704
    except RuntimeError as e:
        return str(e)


PROGRAMS = [
    (caught_by_one_of_several, [(1,)]),
    (missing_key_and_finally, [({}, 1), ({1: 2}, 1)]),
    (errors_in_a_loop, [([1, 2],)]),
    (class_of_the_users, [()]),
    (raised_from, [()]),
    (context_in_finally, [()]),
    (manager, [(True,), (False,)]),
    (consumed_by_builtins, [(4,)]),
    (sent_and_stopped, [()]),
    (delegation, [()]),
    (thrown_and_closed, [()]),
    (stop_iteration_inside, [()]),
    (generator_expressions, [()]),
    (made_but_not_raised, [()]),
    (unknown_name, [(1,)]),
    (unbound_local, [()]),
    (finally_with_continue_and_return, [([],)]),
    (coroutines, [()]),
    (folded, [(1,)]),
    (missing_attribute, [()]),
    (nothing_to_raise_again, [()]),
]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    assert_same(
        program, *[lambda call=call: arguments(*copy.deepcopy(call)) for call in calls], transform=compile_always
    )
    for call in calls:
        compiled = compile_always(program)
        compiled(*copy.deepcopy(call))
        assert symexec.stats(compiled).breaks == ()
        assert symexec.stats(compiled).traces == 1
