"""What Python says of `del thing[key]`, where things have no items, depends on whether the key is an index."""

from __future__ import annotations

import pytest

import symexec
from symexec.config import Config
from tests.support import arguments, assert_same


class Thing:
    pass


class Index:
    def __index__(self):
        LOG.append("index")
        return 1


class Wrong:
    def __index__(self):
        return "no index"  # noqa: PLE0305


LOG: list[str] = []


def get(thing, key):
    return thing[key]


def put(thing, key):
    thing[key] = 1


def delete(thing, key):
    del thing[key]


def told(action, thing, key):
    try:
        action(thing, key)
    except (TypeError, IndexError) as error:
        return type(error), error.args


KEYS = [0, True, -1, 10**30, 1.0, "a", None, (), [], Ellipsis, slice(1, 2)]


@pytest.mark.parametrize("action", [get, put, delete])
@pytest.mark.parametrize("key", [*KEYS, Index(), Wrong(), Thing()], ids=repr)
def test_keys_of_every_kind(action, key) -> None:
    def asked(thing, key):
        return told(action, thing, key)

    assert_same(asked, lambda: arguments(Thing(), key))


@pytest.mark.parametrize("key", [0, "a", None])
def test_it_is_told_without_a_break(key) -> None:
    def asked(thing):
        try:
            del thing[key]
        except TypeError as error:
            return error.args

    compiled = symexec.compile(asked, domains=["scalars"], config=Config(strict=True, install="always"))
    for _ in range(3):
        assert compiled(Thing()) == asked(Thing())
    assert symexec.stats(compiled).breaks == ()
