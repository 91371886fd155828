"""Objects of builtin types that hold nothing but attributes: `object` and `types.SimpleNamespace`."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Reply
from symexec.values.heap import ObjectContent
from symexec.values.model import Value


def _object(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return misfit(machine) if args or kwargs else machine.heap.make(ObjectContent(object, {}))


def _namespace(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return misfit(machine) if args else machine.heap.make(ObjectContent(SimpleNamespace, dict(kwargs)))


PLAIN_OBJECT_RULES: Final[dict[object, Rule]] = {object: _object, SimpleNamespace: _namespace}
