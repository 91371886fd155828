"""Operators of user classes: every special method, reflection, `NotImplemented`, in-place forms, conversions."""

from __future__ import annotations

import math

import pytest

from tests.ladder.both import captured, check, same

NAMES = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
SYMBOLS = "+ - * / // % ** @ & | ^ << >>".split()
journal: list[object] = []


def forward(name):
    def method(self, other, *more):
        self.log.append((name, self.name, getattr(other, "name", other), *more))
        return NotImplemented if name.strip("_") in self.declines else (name, self.name)

    return method


class Everything:
    """Every binary operator in three forms, logged; `declines` lists those that give `NotImplemented`."""

    def __init__(self, name, log, declines=()):
        self.name, self.log, self.declines = name, log, declines


for _name in NAMES:
    for _prefix in ("", "r", "i"):
        setattr(Everything, f"__{_prefix}{_name}__", forward(f"__{_prefix}{_name}__"))


class More(Everything):
    """A subclass that overrides reflected methods."""

    def __radd__(self, other):
        self.log.append("subclass first")
        return "reflected of the subclass"


class Bare:
    name = "bare"


def apply(symbol):
    return eval(f"lambda a, b: a {symbol} b")


@pytest.mark.parametrize(("name", "symbol"), list(zip(NAMES, SYMBOLS)), ids=NAMES)
def test_binary(name, symbol):
    operation = apply(symbol)
    namespace: dict[str, object] = {}
    exec(f"def in_place(a, b):\n    a {symbol}= b\n    return a", namespace)
    in_place = namespace["in_place"]

    def program(declined):
        log = []
        a, b = Everything("a", log, declined), Everything("b", log, declined)
        for left, right in ((a, b), (a, 5), ("x", b), (a, Bare()), (Bare(), b), (a, a), (Bare(), Bare())):
            for operate in (operation, in_place):
                try:
                    log.append(operate(left, right))
                except TypeError as error:
                    log.append(str(error))
        return log

    check(program, ((),), ((name,),), ((name, "r" + name),), (("i" + name,),), graph_numbers=False)


@same(((),), (("add",),))
def test_subclass_is_asked_first(declined):
    log = []
    return Everything("a", log, declined) + More("b", log), More("a", log, declined) + Everything("b", log), log


@same((1,), (2,))
def test_unary_and_conversions(x):
    class Number:
        def __neg__(self):
            return ("neg", x)

        def __pos__(self):
            return self

        def __invert__(self):
            return NotImplemented

        def __abs__(self):
            return [x]

        def __int__(self):
            return x

        def __float__(self):
            return x / 2

        def __complex__(self):
            return complex(x, 1)

        def __index__(self):
            return x

        def __round__(self, digits=None):
            return ("round", digits)

        def __trunc__(self):
            return "trunc"

        def __floor__(self):
            return "floor"

        def __ceil__(self):
            return "ceil"

        def __divmod__(self, other):
            return ("divmod", other)

        def __rdivmod__(self, other):
            return ("rdivmod", other)

        def __pow__(self, other, modulus=None):
            return ("pow", other, modulus)

        def __bytes__(self):
            return b"bytes"

    n = Number()
    return (
        -n,
        +n is n,
        ~n,
        abs(n),
        int(n),
        float(n),
        complex(n),
        [10, 20, 30][n],
        "abc"[n:],
        range(n),
        round(n),
        round(n, 2),
        math.trunc(n),
        math.floor(n),
        math.ceil(n),
        divmod(n, 5),
        divmod(5, n),
        pow(n, 2),
        pow(n, 2, 3),
        bytes(n),
        hex(n),
        "x" * n,
        [0] * n,
        bin(n),
        chr(n),
        math.sqrt(n),
        f"{n.__index__()}",
        1 << x,
    )


@same(("text",), (1.5,), (None,), (True,))
def test_conversions_of_wrong_types(result):
    class Odd:
        def __int__(self):
            return result

        __index__ = __float__ = __len__ = __hash__ = __bool__ = __str__ = __repr__ = __complex__ = __int__

    odd, log = Odd(), []
    for use in (
        int,
        float,
        len,
        hash,
        bool,
        str,
        repr,
        complex,
        lambda o: [1, 2][o],
        range,
        lambda o: "%s" % o,
        abs,
        chr,
    ):
        try:
            log.append(use(odd))
        except (TypeError, ValueError) as error:
            log.append(error.args)
    return log


class Vector:
    def __init__(self, *parts):
        self.parts = parts

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(*[a + b for a, b in zip(self.parts, other.parts, strict=True)])

    def __mul__(self, factor):
        return Vector(*[part * factor for part in self.parts])

    __rmul__ = __mul__

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.parts, other.parts))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __eq__(self, other):
        return isinstance(other, Vector) and self.parts == other.parts

    def __getitem__(self, index):
        return self.parts[index]

    def __iter__(self):
        return iter(self.parts)

    def __repr__(self):
        return f"Vector{self.parts}"


@captured((1, 2), (0.5, -3))
def test_vector(a, b):
    v, w = Vector(a, b), Vector(b, a)
    total = v + w * 2 - 3 * v
    x, y = total
    return total.parts, v == Vector(a, b), v[0], x + y, repr(-w)


@same((1, 2), ("a", 2), (1.5, "b"))
def test_vector_errors(a, b):
    log = []
    v = Vector(a, b)
    for act in (
        lambda: v + v,
        lambda: v + 1,
        lambda: 1 + v,
        lambda: v + Vector(1),
        lambda: v - v,
        lambda: v @ v,
        lambda: v[5],
    ):
        try:
            log.append(act().parts)
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            log.append(error)
    print(log)
    return v + a


class Account:
    def __init__(self, total):
        self.total = total

    def __iadd__(self, amount):
        journal.append(amount)
        self.total += amount
        return self

    def __isub__(self, amount):
        return Account(self.total - amount)

    def __imul__(self, factor):
        return None


@same((Account(5), 1), (Account("a"), "b"), (Account(1), "x"))
def test_in_place(account, amount):
    alias = account
    account += amount
    try:
        account -= amount
    except TypeError as error:
        return error.args, alias is account, account
    other = account
    other *= 2
    return alias, account, alias is account, other, journal


@same((1,), (2,))
def test_special_methods_come_from_the_class(x):
    class Box:
        def __len__(self):
            return x

    box = Box()
    box.__len__ = lambda: 100
    box.__add__ = lambda other: "never"
    log = [len(box), box.__len__(), bool(box)]
    try:
        log.append(box + 1)
    except TypeError as error:
        log.append(error.args)
    Box.__add__ = lambda self, other: ("now", other)
    log.append(box + 1)
    Box.__len__ = lambda self: x * 10
    log.append(len(box))
    del Box.__add__
    Box.__bool__ = lambda self: False
    log.append(bool(box))
    return log


class Callable:
    def __init__(self):
        self.calls = []

    def __call__(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return len(self.calls) // (0 if args == ("fail",) else 1)


@same((1,), ("fail",))
def test_callable_instances(x):
    call = Callable()
    log = [call(), call(1, k=2), callable(call), callable(5), list(map(call, "ab"))]
    try:
        log.append(call(x))
    except ZeroDivisionError:
        log.append("failed")
    return log, call


@same((1,), (2,))
def test_error_in_an_operator_leaves(x):
    class Money:
        def __init__(self, amount):
            self.amount = amount

        def __add__(self, other):
            journal.append(self.amount)
            return Money(self.amount + other.amount)

    total = Money(x) + Money(2)
    print(total.amount)
    return total + x
