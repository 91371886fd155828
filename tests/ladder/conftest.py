"""Reads the lists that a rung may have: `NOT_YET` (not captured so far) and `FAULTS` (wrong so far), name to reason.

Both are strict: a test that no longer fails as its list says fails, until it is taken off the list.
"""

from __future__ import annotations

import pytest

from tests.ladder.both import NotCapturedError


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        module = getattr(item, "module", None)
        if not getattr(module, "__name__", "").startswith("tests.ladder."):
            continue
        if item.name in getattr(module, "NOT_YET", {}):
            mark = pytest.mark.xfail(strict=True, raises=NotCapturedError, reason=module.NOT_YET[item.name])
            item.add_marker(mark)
        if item.name in getattr(module, "FAULTS", {}):
            item.add_marker(pytest.mark.xfail(strict=True, reason=module.FAULTS[item.name]))
