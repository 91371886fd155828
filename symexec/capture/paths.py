"""Loading what an origin reaches, as instructions: ordinary loads that run no user code once their guards hold."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Hashable
from typing import Final

from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly, is_loaded_bare
from symexec.errors import InternalError
from symexec.values.keys import ObjectKey, loaded_from
from symexec.values.origin import (
    Attribute,
    Cell,
    Contents,
    DictKey,
    Fixed,
    Global,
    Globals,
    Handled,
    Held,
    Item,
    Local,
    Origin,
    Past,
    Stack,
    TypeOf,
)

_globals: Final = builtins.globals
_type: Final = builtins.type
_tuple: Final = builtins.tuple
_exception: Final = sys.exception
_load: Final = object.__getattribute__


def is_call_free(origin: Origin) -> bool:
    """Whether loading the origin calls nothing and reads nothing that an effect could change."""
    return isinstance(origin, (Local, Cell, Stack)) or (isinstance(origin, Fixed) and is_loaded_bare(origin.value))


def load_origin(assembly: Assembly, origin: Origin) -> None:
    """Push what `origin` reaches now; an input that was kept on the stack is copied instead."""
    if assembly.has(origin):
        assembly.uses[origin] += 1
        assembly.copy(origin)
        return
    load_anew(assembly, origin)


def load_anew(assembly: Assembly, origin: Origin) -> None:
    """Push what `origin` reaches now; what it starts from may be a kept input."""
    match origin:
        case Local(slot=slot) | Cell(slot=slot):
            assembly.emit(Op.LOAD_FAST, slot)
            assembly.push()
        case Contents(cell=Cell(slot=slot)):
            assembly.emit(Op.LOAD_DEREF, slot)
            assembly.push()
        case Contents(cell=cell):
            load_origin(assembly, cell)
            assembly.emit(Op.LOAD_ATTR, name="cell_contents")
        case Stack(index=index):
            assembly.copy_below(index)
        case Global(name=name):
            assembly.emit(Op.LOAD_GLOBAL, name=name)
            assembly.push()
        case Globals():
            assembly.begin_call(lambda: assembly.load_object(_globals))
            assembly.call(0)
        case Handled():
            assembly.begin_call(lambda: assembly.load_object(_exception))
            assembly.call(0)
        case Attribute(base=base, name=name):
            load_origin(assembly, base)
            assembly.emit(Op.LOAD_ATTR, name=name)
        case Past(base=base, name=name):
            assembly.begin_call(lambda: assembly.load_object(_load))
            load_origin(assembly, base)
            assembly.load_constant(name)
            assembly.call(2)
        case Item(base=base, key=key):
            load_origin(assembly, base)
            load_key(assembly, key)
            assembly.emit(Op.BINARY_SUBSCR)
            assembly.drop()
        case DictKey(base=base, index=index):
            assembly.begin_call(lambda: assembly.load_object(_tuple))
            load_origin(assembly, base)
            assembly.call(1)
            assembly.load_constant(index)
            assembly.emit(Op.BINARY_SUBSCR)
            assembly.drop()
        case TypeOf(base=base):
            assembly.begin_call(lambda: assembly.load_object(_type))
            load_origin(assembly, base)
            assembly.call(1)
        case Fixed(value=value) | Held(value=value):
            assembly.load_object(value)


def load_key(assembly: Assembly, key: Hashable) -> None:
    """Push a key that existed before the trace, or a tuple equal to it."""
    if not isinstance(key, ObjectKey):
        assembly.load_constant(key)
    elif (origin := loaded_from(key)) is not None:
        load_origin(assembly, origin)
    elif isinstance(key.identity, tuple):
        load_keys(assembly, key.identity)
    else:
        raise InternalError("an object of the trace is no key of before")


def load_keys(assembly: Assembly, keys: tuple[Hashable, ...]) -> None:
    """Push a tuple of such keys."""
    if not any(isinstance(key, ObjectKey) for key in keys):
        assembly.load_constant(keys)
        return
    for key in keys:
        load_key(assembly, key)
    assembly.emit(Op.BUILD_TUPLE, len(keys))
    assembly.drop(len(keys))
    assembly.push()
