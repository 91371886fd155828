"""Exception classes with special methods of their own."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


class InitOnly(Exception):
    def __init__(self, a, b=2):
        self.a = a
        self.b = b


class SuperInit(Exception):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b


class WithNew(Exception):
    def __new__(cls, *a, **k):
        self = super().__new__(cls, *a)
        self.n = len(a)
        return self


class NewOther(Exception):
    def __new__(cls, *a):
        return ValueError("other", *a)


class NewNothing(Exception):
    def __new__(cls, *a):
        return 5


class Str(Exception):
    def __str__(self):
        return f"<{self.args}>"

    def __repr__(self):
        return "R"


class Eq(Exception):
    def __eq__(self, o):
        return True

    def __hash__(self):
        return 1


class EqNoHash(Exception):
    def __eq__(self, o):
        return True


class SetAttr(Exception):
    def __setattr__(self, n, v):
        object.__setattr__(self, n, ("set", v))


class GetAttr(Exception):
    def __getattr__(self, n):
        return ("got", n)


class GetAttribute(Exception):
    def __getattribute__(self, n):
        if n == "args":
            return ("mine",)
        return super().__getattribute__(n)


class Slots(Exception):
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


class ArgsProp(Exception):
    @property
    def args(self):
        return ("prop",)


class ClassArgs(Exception):
    code = 5
    name = "n"
    value = "v"


class Multi(KeyError, AttributeError):
    pass


class Multi2(ValueError, LookupError):
    def __init__(self, *a, **k):
        super().__init__(*a)
        self.k = k


class Derived(SuperInit):
    pass


def class_with_init(x):
    r = []
    for make in (
        lambda: InitOnly(x),
        lambda: InitOnly(x, b=3),
        lambda: InitOnly(),
        lambda: SuperInit(x),
        lambda: SuperInit(x, b=5),
        lambda: WithNew(x),
        lambda: WithNew(x, x),
        lambda: Derived(x, b=1),
    ):
        try:
            raise make()
        except Exception as e:
            r.append((chain(e), sorted(e.__dict__.items()), str(e)))
    return r


def new_keywords(x):
    try:
        raise WithNew(x, k=3)
    except TypeError as e:
        return str(e)


def class_with_new_other(x):
    try:
        raise NewOther(x)
    except Exception as e:
        return chain(e)


def new_other_class():
    try:
        raise NewOther
    except Exception as e:
        return chain(e)


def new_nothing(x):
    try:
        raise NewNothing(x)
    except Exception as e:
        return chain(e)


def new_nothing_class():
    try:
        raise NewNothing
    except Exception as e:
        return chain(e)


def class_with_str(x):
    try:
        raise Str(x)
    except Exception as e:
        return str(e), repr(e), f"{e} {e!r}", "%s" % (e,), [e.args]  # noqa: UP031


def class_with_eq(x):
    try:
        raise Eq(x)
    except Exception as e:
        return e == 5, e in [1], e is None, hash(e), {e: 1}[Eq(2)], e != 5


def class_with_eq2(x):
    a = ValueError(x)
    b = ValueError(x)
    return a == b, a == a, a != b, a in [b], a in [b, a], [b, a].index(a), {a: 1}[a], len({a, b}), bool(a)


def class_with_eq3(x):
    e = EqNoHash()
    return e == 5, outcome(lambda: hash(e)), outcome(lambda: {e})


def eq_context(x):
    try:
        try:
            raise Eq(1)
        except Eq:
            raise Eq(2)
    except Eq as e:
        return chain(e)


def class_with_setattr(x):
    try:
        raise SetAttr(x)
    except Exception as e:
        e.q = 1
        r = outcome(lambda: setattr(e, "__context__", None))  # noqa: F821
        return e.__dict__.get("q"), chain(e), r


def setattr_from(x):
    try:
        try:
            raise SetAttr(x)
        except SetAttr as s:
            raise SetAttr(2) from s
    except SetAttr as e:
        return chain(e)


def class_with_getattr(x):
    try:
        raise GetAttr(x)
    except Exception as e:
        return e.foo, e.args, e.__notes__, e.__context__


def getattribute(x):
    try:
        raise GetAttribute(x)
    except Exception as e:
        return e.args, str(e), repr(e)


def class_with_slots(x):
    try:
        raise Slots(x)
    except Exception as e:
        e.z = 3
        return e.x, outcome(lambda: e.y), e.z, e.args, e.__dict__  # noqa: F821


def args_prop(x):
    try:
        raise ArgsProp(x)
    except Exception as e:
        return e.args, str(e), repr(e)


def class_attrs(x):
    try:
        raise ClassArgs(x)
    except Exception as e:
        r = [e.code, e.name, e.value]
        e.code = 7
        r.append(e.__dict__)
        return r, ClassArgs.code


def class_with_multi(x):
    try:
        raise Multi(x)
    except AttributeError as e:
        return str(e), repr(e), e.name, e.obj, e.args


def class_with_multi2(x):
    try:
        raise Multi2(x, q=1)
    except LookupError as e:
        return str(e), repr(e), e.k, e.args


ASKED = []


class Asking(type):
    def __subclasscheck__(c, i):
        ASKED.append(1)
        return True


class AskingExc(Exception, metaclass=Asking):
    pass


def asking(x):
    try:
        raise AskingExc(x)
    except ValueError:
        return 1
    except AskingExc as e:
        return len(ASKED)


PROGRAMS = [
    (class_with_init, [(3,), (0,), (2,), (3,)]),
    (new_keywords, [(3,), (0,), (2,), (3,)]),
    (class_with_new_other, [(3,), (0,), (2,), (3,)]),
    (new_other_class, [()]),
    (new_nothing, [(3,), (0,), (2,), (3,)]),
    (new_nothing_class, [()]),
    (class_with_str, [(3,), (0,), (2,), (3,)]),
    (class_with_eq, [(3,), (0,), (2,), (3,)]),
    (class_with_eq2, [(3,), (0,), (2,), (3,)]),
    (class_with_eq3, [(3,), (0,), (2,), (3,)]),
    (eq_context, [(3,), (0,), (2,), (3,)]),
    (class_with_setattr, [(3,), (0,), (2,), (3,)]),
    (setattr_from, [(3,), (0,), (2,), (3,)]),
    (class_with_getattr, [(3,), (0,), (2,), (3,)]),
    (getattribute, [(3,), (0,), (2,), (3,)]),
    (class_with_slots, [(3,), (0,), (2,), (3,)]),
    (args_prop, [(3,), (0,), (2,), (3,)]),
    (class_attrs, [(3,), (0,), (2,), (3,)]),
    (class_with_multi, [(3,), (0,), (2,), (3,)]),
    (class_with_multi2, [(3,), (0,), (2,), (3,)]),
    (asking, [(3,), (0,), (2,), (3,)]),
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
