"""Contexts, causes, notes and tracebacks of exceptions that are raised, raised again, kept and let go."""

from __future__ import annotations

import sys

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers


def started_in_except(x):
    try:
        raise KeyError(1)
    except KeyError as k:
        print("b")
        try:
            raise ValueError(2)
        except ValueError as v:
            return chain(v), v.__context__ is k


def started_in_except2(l):
    try:
        raise KeyError(1)
    except KeyError as k:
        print("b")
        try:
            raise ValueError(2)
        except ValueError as v:
            l.append(1)
            print("c", chain(v))
            try:
                [][1]  # noqa: PLE0643
            except IndexError as i:
                return chain(i)


def finally_ctx(l):
    try:
        try:
            raise KeyError(1)
        finally:
            print("b")
            l.append(sys.exception())
            l[0] = type(l[0])
            try:
                raise ValueError(2)
            except ValueError as v:
                l.append(chain(v))
    except KeyError as e:
        l.append(chain(e))
    return l


def leaves_with_context():
    try:
        raise KeyError(1)
    except KeyError:
        raise ValueError(2)


def leaves_cause():
    try:
        raise KeyError(1)
    except KeyError as e:
        raise ValueError(2) from e


def leaves_from_none():
    try:
        raise KeyError(1)
    except KeyError as e:
        raise ValueError(2) from None


def h1(x):
    if x:
        raise ValueError(x)
    return 0


def h2(x):
    try:
        return h1(x)
    except ValueError as e:
        raise KeyError(x) from e


def helpers(x):
    try:
        return h2(x)
    except KeyError as e:
        return chain(e), e.__cause__ is e.__context__


def helpers_leave(x):
    return h2(x)


def helpers_leave2(x):
    try:
        h2(x)
    finally:
        x += 1


def helper_leave_print(x):
    try:
        h2(x)
    except KeyError:
        print(x)
        raise


def reraise_saved(x):
    try:
        h1(x)
    except ValueError as e:
        s = e
    try:
        raise s
    except ValueError as e2:
        return e2 is s, chain(s)


def reraise_saved_leave(x):
    try:
        h1(x)
    except ValueError as e:
        s = e
    print("a")
    raise s


def return_exc(x):
    try:
        h1(x)
    except ValueError as e:
        return e


def store_exc(l):
    try:
        h1(3)
    except ValueError as e:
        l.append(e)
    print(len(l))
    return l


def store_exc2(l):
    try:
        h1(3)
    except ValueError as e:
        l.append(e)
    try:
        raise l[-1]
    except ValueError as e:
        l.append(chain(e))
    return l


class Holder:
    pass


G = None


def store_attr(o):
    try:
        h1(3)
    except ValueError as e:
        o.err = e
    return chain(o.err)


def store_global():
    global G
    try:
        h1(3)
    except ValueError as e:
        G = e
    r = chain(G)
    G = None
    return r


def nested_handlers(l):
    for i in range(3):
        try:
            try:
                if i == 0:
                    raise KeyError(i)
                if i == 1:
                    raise ValueError(i)
                l.append(i)
            except KeyError as e:
                l.append(chain(e))
                raise TypeError(i)
            finally:
                l.append(("f", i, type(sys.exception()).__name__))
        except (TypeError, ValueError) as e:
            l.append(chain(e))
    return l, sys.exception() is None


def context_set(x):
    a = ValueError(1)
    b = KeyError(2)
    a.__context__ = b
    try:
        raise a
    except ValueError as e:
        r = [chain(e)]
    try:
        try:
            raise TypeError(9)
        except TypeError:
            raise a
    except ValueError as e:
        r.append(chain(e))
    a.__cause__ = b
    r.append(chain(a))
    try:
        a.__context__ = 5
    except TypeError as e:
        r.append(str(e))
    try:
        a.__cause__ = 5
    except TypeError as e:
        r.append(str(e))
    try:
        del a.__context__
    except TypeError as e:
        r.append(str(e))
    try:
        a.args = 5
    except TypeError as e:
        r.append(str(e))
    try:
        a.__traceback__ = 5
    except TypeError as e:
        r.append(str(e))
    try:
        a.__suppress_context__ = 5
    except TypeError as e:
        r.append(str(e))
    return r


def cycle_case():
    a = ValueError("a")
    b = ValueError("b")
    c = ValueError("c")
    try:
        try:
            try:
                try:
                    raise a
                except ValueError:
                    raise b
            except ValueError:
                raise c
        except ValueError:
            raise b
    except ValueError as e:
        return chain(e), chain(a), chain(c)


def cycle_user():
    a = ValueError("a")
    b = ValueError("b")
    a.__context__ = b
    b.__context__ = a
    try:
        try:
            raise a
        except ValueError:
            raise TypeError("t")
    except TypeError as e:
        return chain(e)


def cycle_user2():
    a = ValueError("a")
    b = ValueError("b")
    c = ValueError("c")
    a.__context__ = b
    b.__context__ = a
    try:
        try:
            raise a
        except ValueError:
            raise c
    except ValueError as e:
        return chain(e)


def self_context():
    a = ValueError("a")
    a.__context__ = a
    try:
        raise a
    except ValueError as e:
        return chain(e)


def tb_case():
    e = ValueError(1)
    r = [e.__traceback__ is None]
    try:
        raise e
    except ValueError:
        r.append(e.__traceback__ is None)
    e.__traceback__ = None
    r.append(e.__traceback__ is None)
    return r


def with_tb():
    try:
        raise ValueError(1)
    except ValueError as e:
        tb = e.__traceback__
        k = KeyError(2).with_traceback(tb)
        r = [k.__traceback__ is tb, tb.tb_lineno > 0, tb.tb_next is None]
    return r


def notes_case(l):
    e = ValueError(1)
    try:
        e.add_note(5)
    except TypeError as t:
        l.append(str(t))
    l.append(hasattr(e, "__notes__"))
    e.add_note("a")
    e.add_note("b")
    l.append(e.__notes__)
    try:
        raise e
    except ValueError as f:
        f.add_note("c")
        l.append(list(f.__notes__))
    return l


def notes_leave():
    try:
        raise ValueError(1)
    except ValueError as e:
        e.add_note("x")
        raise


def notes_leave2():
    try:
        h1(3)
    except ValueError as e:
        e.extra = [1]
        e.args = (5, 6)
        raise


PROGRAMS = [
    (started_in_except, [(3,), (0,), (2,), (3,)]),
    (started_in_except2, [([],)]),
    (finally_ctx, [([],)]),
    (leaves_with_context, [()]),
    (leaves_cause, [()]),
    (leaves_from_none, [()]),
    (helpers, [(3,), (0,), (2,), (3,)]),
    (helpers_leave, [(3,), (0,), (2,), (3,)]),
    (helpers_leave2, [(3,), (0,), (2,), (3,)]),
    (helper_leave_print, [(3,), (0,), (2,), (3,)]),
    (reraise_saved, [(3,), (0,), (2,), (3,)]),
    (reraise_saved_leave, [(3,), (0,), (2,), (3,)]),
    (return_exc, [(3,), (0,), (2,), (3,)]),
    (store_exc, [([],)]),
    (store_exc2, [([],)]),
    (store_attr, [(Holder(),)]),
    (store_global, [()]),
    (nested_handlers, [([],)]),
    (context_set, [(3,), (0,), (2,), (3,)]),
    (cycle_case, [()]),
    (cycle_user, [()]),
    (cycle_user2, [()]),
    (self_context, [()]),
    (tb_case, [()]),
    (with_tb, [()]),
    (notes_case, [([],)]),
    (notes_leave, [()]),
    (notes_leave2, [()]),
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
