"""For all tests: an error of symexec itself fails the test in which it happens, even where the program goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.loud import internal_errors


@pytest.fixture(autouse=True)
def no_internal_errors() -> Iterator[list[str]]:
    """A test that provokes such errors empties the list when it has looked at them."""
    with internal_errors() as errors:
        yield errors
    assert not errors, "\n".join(["symexec itself failed:", *errors])
