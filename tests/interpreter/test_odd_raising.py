"""What is raised and caught that is no plain exception, and exceptions that existed before."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers


class SuperInit(Exception):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b


class NewNothing(Exception):
    def __new__(cls, *a):
        return 5


class InitReturns(Exception):
    def __init__(self):
        return 5  # noqa: PLE0101


class InitRaises(Exception):
    def __init__(self):
        raise KeyError("init")


class Derived(SuperInit):
    pass


def wrong_types(x):
    r = []
    for v in (5, "s", None, int, object(), (ValueError,), [ValueError]):
        try:
            raise v
        except TypeError as e:
            r.append(chain(e))
        try:
            raise ValueError from v
        except (TypeError, ValueError) as e:
            r.append(chain(e))
        try:
            try:
                raise ValueError(1)
            except v:
                r.append("caught")
        except (TypeError, ValueError) as e:
            r.append(chain(e))
    return r


def wrong_match_order(x):
    r = []
    for v in ((ValueError, 5), (5, ValueError), (), ((ValueError,),), (KeyError, (ValueError,)), ValueError(3)):
        try:
            try:
                raise ValueError(1)
            except v:
                r.append("caught")
        except (TypeError, ValueError) as e:
            r.append(chain(e))
    try:
        r.append("nothing")
    except 5:
        pass
    return r


def raise_from_class(x):
    r = []
    try:
        raise ValueError from KeyError
    except ValueError as e:
        r.append((chain(e), chain(e.__cause__)))
    try:
        raise ValueError(1) from KeyError("k")
    except ValueError as e:
        r.append((chain(e), chain(e.__cause__)))
    try:
        raise ValueError(1) from InitRaises
    except (ValueError, KeyError) as e:
        r.append(chain(e))
    try:
        raise InitRaises from KeyError
    except (ValueError, KeyError) as e:
        r.append(chain(e))
    try:
        raise InitReturns
    except TypeError as e:
        r.append(chain(e))
    try:
        raise NewNothing from 5
    except TypeError as e:
        r.append(chain(e))
    try:
        raise ValueError from NewNothing
    except (ValueError, TypeError) as e:
        r.append(chain(e))
    return r


def evaluation_order(l):
    def f(n, v):
        l.append(n)
        return v

    try:
        raise f("a", ValueError(1)) from f("b", KeyError(2))
    except f("c", KeyError):
        pass
    except f("d", (ValueError, KeyError)):
        l.append("in")
    except f("e", KeyError):
        pass
    return l


def raise_existing(e):
    try:
        raise e
    except ValueError as f:
        return f is e, chain(f), f.__traceback__ is None


def from_existing(e):
    try:
        raise KeyError(1) from e
    except KeyError as f:
        return f.__cause__ is e, chain(f)


def existing_args(e):
    return e.args, str(e), repr(e), e.__context__, e.__cause__, e.__traceback__, e.__suppress_context__


def existing_note(e):
    e.add_note("x")
    return e.__notes__


def existing_context(e):
    try:
        raise KeyError(1)
    except KeyError as k:
        k.__context__ = e
        return chain(k)


def isinst(x):
    try:
        raise Derived(x)
    except Exception as e:
        r = isinstance(e, SuperInit), isinstance(e, (KeyError, ValueError))
        return r, type(e) is Derived, e.__class__, issubclass(type(e), Exception)


def oserror(x):
    r = []
    for a in ((), (2,), (2, "m"), (2, "m", "f"), (13, "p")):
        try:
            raise OSError(*a)
        except OSError as e:
            r.append((type(e).__name__, e.errno, e.strerror, e.filename, e.args))
    return r


def class_with_unicode(x):
    try:
        "\udc80".encode()
    except UnicodeEncodeError as e:
        return str(e), e.start, e.reason


def class_with_syntax(x):
    try:
        raise SyntaxError("m", ("f", 1, 2, "t"))
    except SyntaxError as e:
        return e.msg, e.lineno, e.args


def assertions(x):
    r = []
    try:
        assert x == 4
    except AssertionError as e:
        r.append(e.args)
    try:
        assert x == 4, x
    except AssertionError as e:
        r.append(e.args)
    try:
        assert x == 4, (1, 2)
    except AssertionError as e:
        r.append(e.args)
    return r


PROGRAMS = [
    (wrong_types, [(3,), (0,), (2,), (3,)]),
    (wrong_match_order, [(3,), (0,), (2,), (3,)]),
    (raise_from_class, [(3,), (0,), (2,), (3,)]),
    (evaluation_order, [([],)]),
    (raise_existing, [(ValueError("existing", 1),)]),
    (from_existing, [(ValueError("existing", 1),)]),
    (existing_args, [(ValueError("existing", 1),)]),
    (existing_note, [(ValueError("existing", 1),)]),
    (existing_context, [(ValueError("existing", 1),)]),
    (isinst, [(3,), (0,), (2,), (3,)]),
    (oserror, [(3,), (0,), (2,), (3,)]),
    (class_with_unicode, [(3,), (0,), (2,), (3,)]),
    (class_with_syntax, [(3,), (0,), (2,), (3,)]),
    (assertions, [(3,), (0,), (2,), (3,)]),
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
