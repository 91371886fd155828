"""Giving a function another code object while it may be running and while tools may be watching it."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Final

_TOOLS: Final = range(6)


def install(function: FunctionType, code: CodeType) -> None:
    """Swap the function's code; events that tools had set for the old code are set again for the new one."""
    old = function.__code__
    function.__code__ = code
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is not None:
        for tool in _TOOLS:
            if monitoring.get_tool(tool) is not None:
                events = monitoring.get_local_events(tool, old)
                if events:
                    monitoring.set_local_events(tool, code, events)
