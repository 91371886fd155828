"""What symexec itself brings along: the namespaces, functions and classes of equivalents, which nobody changes.

They are constants to a trace: nothing about them is guarded.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.equivalents.ends import END
from symexec.interpreter.equivalents.table import CLASSES
from symexec.values.model import Constant, Known, Value
from symexec.values.origin import Fixed

_CLASS_IDS: Final = frozenset(map(id, CLASSES))
_SCALAR_IDS: Final = frozenset(map(id, (int, float, str, bytes, bool, type(None))))
_BUILTINS: Final[Mapping[str, object]] = dict(vars(builtins))  # as they are before any program runs


def is_fixed_class(type_: type) -> bool:
    """Whether it is the class of an equivalent."""
    return id(type_) in _CLASS_IDS


def is_fixed_namespace(namespace: Value) -> bool:
    """Whether these globals are those of an equivalent."""
    return type(namespace) is Known and type(namespace.origin) is Fixed


def is_end(value: Value) -> bool:
    """Whether it is the mark of an end that equivalents give."""
    return type(value) is Known and value.value is END


def fixed_value(found: object) -> Value:
    """An object of symexec's own, or a builtin one, as a value."""
    return Constant(found) if id(type(found)) in _SCALAR_IDS else Known(found, Fixed(found))


def fixed_name(namespace: Known, name: str) -> Value:
    """What `LOAD_GLOBAL name` gives in an equivalent."""
    names = namespace.value
    if type(names) is not dict:
        raise InternalError("globals are a dict")
    if name in names:
        return fixed_value(names[name])
    if name in _BUILTINS:
        return fixed_value(_BUILTINS[name])
    raise InternalError(f"an equivalent uses a name that is not there: {name}")


def fixed_values(found: Sequence[object] | None) -> tuple[Value, ...]:
    """Objects of that kind, one by one."""
    return tuple([fixed_value(each) for each in found or ()])
