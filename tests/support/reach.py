"""Finds what a function can reach: objects, and the names of module namespaces that its code and its callees mention.

It errs on the side of more.  It does not know what is done with what it finds.
"""

from __future__ import annotations

import types
from collections.abc import Iterable

import attrs

from tests.support.describe import look_into
from tests.support.look import Scope
from tests.support.plain import plain_text

# Entries of a module's namespace that are Python's own business.
UNSTABLE_GLOBALS = frozenset({"__builtins__", "__warningregistry__", "__cached__", "__loader__", "__spec__"})

# Code that mentions one of these may reach any name.
UNLIMITED = frozenset({"globals", "eval", "exec", "__globals__", "f_globals", "modules", "import_module", "__import__"})


@attrs.define
class Namespace:
    """The namespace of one module, and those of its names that are mentioned."""

    entries: dict[str, object]
    names: set[str] = attrs.field(factory=set)


@attrs.define
class Reach:
    """All that can be reached.  Holding the objects keeps their identities from being used again."""

    scope: Scope
    objects: list[object] = attrs.field(factory=list)
    namespaces: dict[int, Namespace] = attrs.field(factory=dict)

    def extend(self, roots: Iterable[object]) -> None:
        """Find what can be reached from `roots`, which are themselves part of it."""
        seen = {id(found) for found in self.objects}
        waiting = list(roots)
        while waiting:
            value = waiting.pop()
            if id(value) in seen or plain_text(value) is not None:
                continue
            seen.add(id(value))
            self.objects.append(value)
            waiting.extend(part for _, part in look_into(value, self.scope).parts)
            if isinstance(value, types.FunctionType) and self.scope.owns_function(value):
                waiting.extend(self.mentioned_by(value))

    def mentioned_by(self, function: types.FunctionType) -> list[object]:
        """What `function` mentions of its module's namespace and no function before it did."""
        entries = function.__globals__
        namespace = self.namespaces.setdefault(id(entries), Namespace(entries))
        names = mentioned_names(function.__code__)
        if names & UNLIMITED:
            names |= entries.keys()
        new = names - namespace.names - UNSTABLE_GLOBALS
        namespace.names |= new
        return [entries[name] for name in new if name in entries]


def mentioned_names(code: types.CodeType) -> set[str]:
    """The names of globals, and of attributes, in `code` and in the code inside it."""
    names: set[str] = set()
    waiting = [code]
    while waiting:
        inner = waiting.pop()
        names.update(inner.co_names)
        waiting.extend(constant for constant in inner.co_consts if isinstance(constant, types.CodeType))
    return names
