"""A module whose class is replaced between calls, as lazy modules do it."""

from __future__ import annotations

import types

import pytest

import symexec
from tests.hard.flavours import STRICT

LOG: list[str] = []


class Watched(types.ModuleType):
    """Its attribute is a property, so that nothing can be stored."""

    @property
    def rate(self):
        LOG.append("read")
        return 9.0


def read(module, x):
    return module.rate * x


def write(module, x):
    module.total = module.rate * x
    module.rate = module.total
    return module.total


@pytest.mark.parametrize("function", [read, write])
def test_replaced_between_calls(function) -> None:
    found = []
    for called in (function, symexec.compile(function, domains=["scalars"], config=STRICT)):
        LOG.clear()
        module = types.ModuleType("module")
        module.__dict__["rate"] = 2.0
        results: list[object] = [called(module, x) for x in (1.5, 2.5, 3.5)]
        module.__class__ = Watched
        for x in (4.5, 5.5):
            try:
                results.append(called(module, x))
            except AttributeError as error:
                entry = error.__traceback__
                assert entry is not None and entry.tb_next is not None
                results.append((error.args, entry.tb_next.tb_lineno))
        found.append((results, list(LOG), vars(module)["rate"], vars(module).get("total")))
    if not found[0][1]:
        pytest.skip("this Python, once it has specialised the load, overlooks the new class itself")
    assert found[0] == found[1]
