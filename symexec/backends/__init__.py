"""Backends by name: `eager` is inlined into the trace, `reference` evaluates the graph node by node."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from symexec.backends.reference import compile_reference
from symexec.errors import BackendError
from symexec.values.backend import Backend

EAGER: Final = "eager"

NAMED: Final[Mapping[str, Backend]] = MappingProxyType({"reference": compile_reference})


def find_backend(backend: str | Backend) -> Backend | None:
    """The backend of that name or the one given; `None` for `eager`.  `BackendError` for a name that is unknown."""
    if not isinstance(backend, str):
        if not callable(backend):
            raise BackendError(f"{backend!r} is not a backend: pass a name or (graph, examples) -> callable")
        return backend
    if backend == EAGER:
        return None
    found = NAMED.get(backend)
    if found is None:
        raise BackendError(f"there is no backend {backend!r}; there are {', '.join([EAGER, *NAMED])}")
    return found
