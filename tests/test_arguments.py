"""What the public functions say to arguments of the wrong kind: the value, and what to do instead."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

import symexec
from symexec.domains.numpy import NumPyDomain
from symexec.errors import ArgumentError
from symexec.values.domain import Request


def double(x):
    return x * 2


def numbers(n):
    yield n


class HalfADomain:
    name = "half"

    def claims(self, value: object) -> bool:
        return False

    def apply(self, request: Request) -> None:
        return None


class Rescaled:
    @property
    def factor(self):
        return 2


@pytest.mark.parametrize("verb", [symexec.compile, symexec.trace, symexec.explain], ids=lambda verb: verb.__name__)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"domains": "numpy"}, r"domains='numpy': give a list of domains"),
        ({"domains": 5}, r"domains=5: give a list of domains"),
        ({"domains": ["nump"]}, r"there is no domain 'nump': use 'numpy', 'scalars', or a Domain of your own"),
        ({"domains": [5]}, r"5 is no Domain: it has no name, claims"),
        ({"domains": [NumPyDomain]}, r"NumPyDomain is a class, not a domain: give an instance, NumPyDomain\(\)"),
        ({"domains": [HalfADomain()]}, r"is no Domain: it has no describe, owns, type_of, guards, handles$"),
        ({"config": {"traces": 3}}, r"config=\{'traces': 3\}: give a symexec.Config"),
        ({"config": symexec.Config}, r"config=<class .*: give a symexec.Config"),
    ],
)
def test_options(verb, options: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        verb(double, **options)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (functools.partial(double, 1), "compile the function in it, its 'func'"),
        (functools.lru_cache(double), "compile the function in it, its '__wrapped__'"),
        (vars(Rescaled)["factor"], "cannot compile a property object: compile the function in it, its 'fget'"),
        (len, "the builtin len: it has no bytecode"),
        (Rescaled, "the class Rescaled: compile its methods one by one"),
        (5, "cannot compile 5"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_compiled(value: Callable[..., object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        symexec.compile(value)


@pytest.mark.parametrize(
    "limits",
    [{"traces": -1}, {"traces": "8"}, {"unroll": 1.5}, {"nodes": True}, {"depth": None}, {"install": "never"}],
    ids=str,
)
def test_limits(limits: dict[str, object]) -> None:
    ((name, value),) = limits.items()
    with pytest.raises(ArgumentError, match=rf"Config\({name}={value!r}\): it is "):
        symexec.Config(**limits)


def test_a_generator_has_no_full_graph() -> None:
    with pytest.raises(ArgumentError, match="numbers is a generator or coroutine function"):
        symexec.compile(numbers, fullgraph=True)
    assert list(symexec.compile(numbers)(3)) == [3]
