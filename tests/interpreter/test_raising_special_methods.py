"""Special methods that raise, or give what they must not."""

from __future__ import annotations

import pytest

from tests.interpreter.breaks import broken_variants
from tests.interpreter.programs import chain, check_same, inside_handlers, outcome


class Missing(dict):
    def __missing__(self, k):
        raise LookupError(k)


class Getter:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError(i)
        return i


class GetterK:
    def __getitem__(self, i):
        if i > 2:
            raise KeyError(i)
        return i


class GetterS:
    def __getitem__(self, i):
        if i > 2:
            raise StopIteration(i)
        return i


class Len:
    def __init__(self, v):
        self.v = v

    def __len__(self):
        if isinstance(self.v, Exception):
            raise self.v
        return self.v


class Bool:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        if isinstance(self.v, Exception):
            raise self.v
        return self.v


class Contains:
    def __contains__(self, v):
        raise KeyError(v)


class Hash:
    def __hash__(self):
        raise ValueError("hash")


class Eq:
    def __eq__(self, o):
        raise ValueError("eq")

    __hash__ = object.__hash__


class IterBad:
    def __iter__(self):
        raise KeyError("iter")


class IterBad2:
    def __iter__(self):
        return 5


class Call:
    def __call__(self):
        raise KeyError("call")


class Index:
    def __index__(self):
        raise KeyError("index")


class Format:
    def __format__(self, s):
        raise KeyError(s)

    def __str__(self):
        raise KeyError("str")

    def __repr__(self):
        raise KeyError("repr")


class Arith:
    def __add__(self, o):
        raise KeyError("add")

    def __radd__(self, o):
        return NotImplemented

    def __lt__(self, o):
        raise KeyError("lt")

    def __neg__(self):
        raise KeyError("neg")

    def __enter__(self):
        raise KeyError("enter")

    def __exit__(self, *a):
        raise KeyError("exit")

    def __setitem__(self, k, v):
        raise KeyError(k)

    def __delitem__(self, k):
        raise KeyError(k)

    def __setattr__(self, k, v):
        raise KeyError(k)

    def __delattr__(self, k):
        raise KeyError(k)

    def __iadd__(self, o):
        raise KeyError("iadd")


def special1(x):
    return [
        outcome(lambda: Missing()[x]),
        outcome(lambda: list(Getter())),
        outcome(lambda: list(GetterK())),
        outcome(lambda: list(GetterS())),
        outcome(lambda: [a for a in GetterK()]),
    ]


def special2(x):
    return [
        outcome(lambda: len(Len(KeyError(1)))),
        outcome(lambda: len(Len(-1))),
        outcome(lambda: len(Len("a"))),
        outcome(lambda: bool(Len(-1))),
        outcome(lambda: bool(Len(KeyError(2)))),
        outcome(lambda: 1 if Len(0) else 2),
        outcome(lambda: not Bool(5)),
        outcome(lambda: not Bool(KeyError(3))),
        outcome(lambda: 1 if Bool(None) else 2),
    ]


def special3(x):
    return [
        outcome(lambda: 1 in Contains()),
        outcome(lambda: {Hash(): 1}),
        outcome(lambda: {1: 2}.get(Hash())),
        outcome(lambda: 1 in [Eq()]),
        outcome(lambda: Eq() == 1),
        outcome(lambda: Eq() != 1),
        outcome(lambda: list(IterBad())),
        outcome(lambda: list(IterBad2())),
        outcome(lambda: [*IterBad()]),
    ]


def special4(x):
    return [
        outcome(lambda: Call()()),
        outcome(lambda: [1][Index()]),
        outcome(lambda: range(Index())),
        outcome(lambda: f"{Format():x}"),
        outcome(lambda: f"{Format()}"),
        outcome(lambda: f"{Format()!r}"),
        outcome(lambda: str(Format())),
    ]


def special5(x):
    def sa():
        Arith().x = 1

    def da():
        del Arith().x

    def si():
        Arith()[x] = 1

    def di():
        del Arith()[x]

    def ia():
        a = Arith()
        a += 1

    def w():
        with Arith():
            pass

    return (
        [outcome(f) for f in (sa, da, si, di, ia, w)],
        outcome(lambda: Arith() + 1),
        outcome(lambda: 1 + Arith()),
        outcome(lambda: Arith() < 1),
        outcome(lambda: 1 < Arith()),
        outcome(lambda: -Arith()),
    )


def iter_bad(x):
    r = []
    for m in (IterBad, IterBad2):
        try:
            for a in m():
                pass
        except Exception as e:
            r.append(chain(e))
        try:
            a, b = m()
        except Exception as e:
            r.append(chain(e))
    return r


PROGRAMS = [
    (special1, [(3,), (0,), (2,), (3,)]),
    (special2, [(3,), (0,), (2,), (3,)]),
    (special3, [(3,), (0,), (2,), (3,)]),
    (special4, [(3,), (0,), (2,), (3,)]),
    (special5, [(3,), (0,), (2,), (3,)]),
    (iter_bad, [(3,), (0,), (2,), (3,)]),
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
