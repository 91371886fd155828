"""What one trace has found out about the classes and functions that it met, so that each is looked at once.

Pure data, kept by the machine.  Whether a fact has been guarded is undone on rollback by whoever records it.
"""

from __future__ import annotations

from enum import Enum
from types import FunctionType

import attrs

from symexec.bytecode.model import Routine
from symexec.values.model import Value
from symexec.values.origin import Origin


class FoundKind(Enum):
    """What stands under a name in a class, by what an attribute load does with it."""

    ABSENT = "absent"
    FUNCTION = "function"
    STATIC = "static method"
    CLASS = "class method"
    PROPERTY = "property"
    SLOT = "slot"  # a member descriptor of C, or a field of a named tuple: data, read without running code
    GETSET = "getset"  # a computed attribute of C
    C_METHOD = "C method"
    C_CLASS_METHOD = "C class method"
    DATA = "data descriptor"
    DESCRIPTOR = "non-data descriptor"
    PLAIN = "plain value"


@attrs.frozen(eq=False, repr=False)
class Found:
    """What the method resolution order of a class has under a name: the object in the class's own namespace."""

    kind: FoundKind
    raw: object


@attrs.define(eq=False, repr=False)
class ClassRecord:
    """A class: `origin` reaches it (once it was identified), `fixed` says that nothing can change it.

    `names` is what it has under names looked up so far, `facts` what has been guarded, `loaded` what loads through the
    class itself gave: a function and the class, or `NULL` and the attribute.  `identified` holds the origins known to
    reach it, `written` names that the trace may have given other values in it or in a base.
    """

    type: type
    origin: Origin
    fixed: bool
    has_dict: bool  # its instances have one
    names: dict[str, Found] = attrs.Factory(dict)
    facts: set[str] = attrs.Factory(set)
    loaded: dict[str, tuple[Value, Value]] = attrs.Factory(dict)
    identified: set[Origin] = attrs.Factory(set)
    written: set[str] = attrs.Factory(set)


@attrs.define(eq=False, repr=False)
class FunctionRecord:
    """An existing Python function that is inlined: its routine and what it closes over, its code guarded.

    `origin` is the first that reached it, `identified` holds all that are known to.  One that `is_made_anew` each time
    is any function of this code.
    """

    function: FunctionType
    origin: Origin
    routine: Routine
    globals: Value
    closure: tuple[Value, ...]
    identified: set[Origin]
    defaults: tuple[Value, ...] | None = None  # once consulted
    is_made_anew: bool = False
