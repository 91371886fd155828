"""Loops whose bodies raise and handle, for changing arguments."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers


def conv(s):
    if s is None:
        raise TypeError("none")
    return int(s)


def for_loop(data):
    good = []
    bad = []
    for s in data:
        try:
            v = conv(s)
        except ValueError as e:
            bad.append((s, chain(e)))
            continue
        except TypeError:
            break
        else:
            good.append(v)
        finally:
            bad.append("f")
    else:
        good.append("all")
    return good, bad


def while_loop(data):
    n = 0
    out = []
    while True:
        try:
            out.append(data[n])
        except IndexError:
            break
        finally:
            n += 1
        try:
            if out[-1] == "x":
                raise ValueError(n)
        except ValueError as e:
            if n > 2:
                return out, chain(e)
            continue
    return out, n


def long_loop(data):
    t = 0
    for i in range(3000):
        try:
            if i % 1000 == 5:
                raise ValueError(i)
            t += i
        except ValueError as e:
            t -= e.args[0]
    return t


def retry(data):
    log = []
    for attempt in range(3):
        try:
            if attempt < len(data):
                raise ConnectionError(attempt)
            log.append("ok")
            break
        except ConnectionError as e:
            last = e
            log.append(chain(e))
    else:
        raise RuntimeError("gave up") from last
    return log


def retry_print(data):
    for attempt in range(3):
        try:
            if attempt < len(data):
                raise ConnectionError(attempt)
            break
        except ConnectionError as e:
            print("retry", attempt, chain(e))
            err = e
    else:
        raise err
    return attempt


def nested_loops(data):
    r = []
    for a in data:
        for b in range(3):
            try:
                if b == 1:
                    continue
                try:
                    r.append(int(a) // b)
                except ZeroDivisionError as z:
                    r.append("z")
                    raise KeyError(b) from z
            except KeyError as k:
                r.append(chain(k))
                break
            except ValueError:
                break
            finally:
                r.append((a, b))
    return r


TEXTS = [(["4"],), (["1", "2"],), (["1", "x", "3"],), (["1", None, "3"],), ([],), (["x", "1", "x", "x"],)]
PROGRAMS = [
    (for_loop, TEXTS),
    (while_loop, TEXTS),
    (long_loop, TEXTS),
    (retry, TEXTS),
    (retry_print, TEXTS),
    (nested_loops, TEXTS),
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
