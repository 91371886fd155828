"""Events that come at odd places may leave an exception behind as being handled: it must not outlive the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Call the test in a generator, which has a record of its own of what is being handled."""
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    def call() -> Iterator[bool]:
        pyfuncitem.obj(**arguments)
        yield True

    return next(call())
