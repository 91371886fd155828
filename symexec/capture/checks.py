"""Guards as instructions: ordinary loads and tests that run no user code and have no effect.

A failing test jumps to the miss of its stack depth, where what is on the stack by then is popped.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from types import BuiltinFunctionType, CellType, MethodType, MethodWrapperType, WrapperDescriptorType
from typing import Final, TypeAlias

from symexec.bytecode.model import Label
from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly, is_loaded_bare
from symexec.capture.holders import Box
from symexec.capture.paths import load_key, load_keys, load_origin
from symexec.errors import InternalError
from symexec.values.guard import (
    CellIsEmpty,
    ContainsKey,
    Equals,
    Gives,
    Guard,
    HasBits,
    Is,
    IsBoundBuiltin,
    IsBoundMethod,
    KeysAre,
    KeyTypes,
    Lacks,
    Length,
    Present,
    SameAs,
    TypeIs,
)
from symexec.values.keys import ObjectKey, existing_key
from symexec.values.origin import Origin

_type: Final = builtins.type
_len: Final = builtins.len
_tuple: Final = builtins.tuple
_map: Final = builtins.map
_getattr: Final = builtins.getattr
_repr: Final = builtins.repr
_set: Final = builtins.set
_id: Final = builtins.id
_chain: Final = chain.from_iterable

_Load: TypeAlias = Callable[[], None]

EQUAL: Final = 2  # indexes into dis.cmp_op
AT_MOST: Final = 1
AND: Final = 1  # index into CPython's _nb_ops
MISSING: Final = Box("missing")  # a default that no attribute of a user's is
EMPTY_CELL: Final = Box(CellType())


class Misses:
    """The labels to jump to when a test fails, one for each number of entries to be popped on the way."""

    def __init__(self) -> None:
        self._labels: dict[int, Label] = {}

    def at(self, depth: int) -> Label:
        """The label for a stack with `depth` entries above the anchor's own."""
        return self._labels.setdefault(depth, Label())

    @property
    def are_used(self) -> bool:
        """Whether any test can fail."""
        return bool(self._labels)

    def write(self, assembly: Assembly) -> None:
        """Write the pops; control goes on behind them with the anchor's own stack."""
        for depth in range(max(self._labels, default=-1), -1, -1):
            if depth in self._labels:
                assembly.place(self._labels[depth])
            if depth:
                assembly.emit(Op.POP_TOP)


def check_guard(assembly: Assembly, misses: Misses, guard: Guard) -> None:
    """Write one guard.  The stack is afterwards what it was before."""
    writer = _Writer(assembly, misses)
    origin = guard.origin
    match guard.check:
        case TypeIs(type=type_):
            writer.type_is(lambda: load_origin(assembly, origin), type_)
        case Is(value=value):
            load_origin(assembly, origin)
            writer.is_object(value)
        case Equals():
            _check_equals(assembly, writer, origin, guard.check)
        case Length(length=length):
            writer.call(_len, lambda: load_origin(assembly, origin))
            writer.equals(length)
        case KeysAre():
            _check_keys(assembly, writer, origin, guard.check)
        case KeyTypes():
            _check_key_types(assembly, writer, origin, guard.check)
        case ContainsKey(key=key, present=present):
            _check_contains(assembly, writer, origin, key, present)
        case Lacks(name=name):
            _check_lacks(assembly, writer, origin, name)
        case IsBoundMethod(function=function):
            load_origin(assembly, origin)
            writer.type_is_top(MethodType)
            assembly.emit(Op.LOAD_ATTR, name="__func__")
            writer.is_object(function)
        case IsBoundBuiltin(function=function):
            load_origin(assembly, origin)
            _check_bound(assembly, writer, function)
        case SameAs(other=other, same=same):
            load_origin(assembly, origin)
            load_origin(assembly, other)
            writer.identical(same)
        case Present():
            load_origin(assembly, origin)
            assembly.pop_top()
        case CellIsEmpty():
            load_origin(assembly, origin)
            assembly.load_held(EMPTY_CELL)
            writer.compare()
        case HasBits(mask=mask, bits=bits):
            _check_bits(assembly, writer, origin, mask, bits)
        case Gives(value=value):
            assembly.begin_call(lambda: load_origin(assembly, origin))
            assembly.call(0)
            writer.equals(value)


def _check_contains(assembly: Assembly, writer: _Writer, origin: Origin, key: Hashable, present: bool) -> None:
    load_key(assembly, key)
    load_origin(assembly, origin)
    assembly.emit(Op.CONTAINS_OP, 0 if present else 1)
    assembly.drop()
    writer.test()


def _check_bits(assembly: Assembly, writer: _Writer, origin: Origin, mask: int, bits: int) -> None:
    load_origin(assembly, origin)
    assembly.load_constant(mask)
    assembly.emit(Op.BINARY_OP, AND)
    assembly.drop()
    writer.equals(bits)


def _check_bound(assembly: Assembly, writer: _Writer, function: object) -> None:
    """Pop an entry; a miss unless it is the C function bound to an object."""
    writer.type_is_top(MethodWrapperType if type(function) is WrapperDescriptorType else BuiltinFunctionType)
    assembly.load_object(function)
    assembly.emit(Op.LOAD_METHOD, name="__get__")
    assembly.push()
    assembly.emit(Op.COPY, 3)
    assembly.push()
    assembly.emit(Op.LOAD_ATTR, name="__self__")
    assembly.call(1)
    writer.compare()


def _check_equals(assembly: Assembly, writer: _Writer, origin: Origin, check: Equals) -> None:
    value = check.value
    load_origin(assembly, origin)
    if value is None or value is True or value is False or value is ... or value is NotImplemented:
        writer.is_object(value)
        return
    if check.typed:
        if type(value) not in (int, float, complex, str, bytes):
            raise InternalError(f"no guard can say that something equals {value!r}")
        writer.type_is_top(type(value))
    if type(value) is complex or (type(value) is float and (value == 0.0 or value != value)):
        writer.call_top(_repr)
        writer.equals(repr(value))
    else:
        writer.equals(value)


def _check_lacks(assembly: Assembly, writer: _Writer, origin: Origin, name: str) -> None:
    assembly.begin_call(lambda: assembly.load_object(_getattr))
    load_origin(assembly, origin)
    assembly.load_constant(name)
    assembly.load_bare(MISSING)
    assembly.call(3)
    assembly.load_bare(MISSING)
    writer.identical()


def _check_keys(assembly: Assembly, writer: _Writer, origin: Origin, check: KeysAre) -> None:
    """The types of the keys first: what is compared then is of exact builtin types, or by identity: no user code."""
    keys = check.keys
    found = [existing_key(key) for key in keys]
    tuples = [key for key in found if type(key) is tuple]
    if tuples or check.types is not None or any(isinstance(key, ObjectKey) for key in keys):
        writer.call(_tuple, lambda: _push_type_ids(assembly, lambda: load_origin(assembly, origin)))
        writer.equals(tuple(map(id, check.types or map(type, found))))
        if tuples:
            _check_parts(assembly, writer, origin, tuples)
        writer.call(_tuple, lambda: load_origin(assembly, origin))
        load_keys(assembly, keys)
        writer.compare()
        return
    _check_each_key(assembly, writer, origin, _type, tuple(type(key) for key in keys))
    if any(_is_zero_with_sign(key) for key in keys):
        _check_each_key(assembly, writer, origin, _repr, tuple(repr(key) for key in keys))
    else:
        writer.call(_tuple, lambda: load_origin(assembly, origin))
        writer.equals(keys)


def _check_each_key(
    assembly: Assembly, writer: _Writer, origin: Origin, function: object, results: tuple[object, ...]
) -> None:
    """Write a test of what the builtin gives for each key, in order."""
    assembly.begin_call(lambda: assembly.load_object(_tuple))
    assembly.begin_call(lambda: assembly.load_object(_map))
    assembly.load_object(function)
    load_origin(assembly, origin)
    assembly.call(2)
    assembly.call(1)
    writer.equals(results)


def _check_parts(
    assembly: Assembly, writer: _Writer, origin: Origin, keys: Sequence[tuple[object, ...]]
) -> None:
    """Of a dict all of whose keys are tuples: how long they are, and the types of what is in them."""

    def push_parts() -> None:
        assembly.begin_call(lambda: assembly.load_object(_chain))
        load_origin(assembly, origin)
        assembly.call(1)

    _check_each_key(assembly, writer, origin, _len, tuple(map(len, keys)))
    writer.call(_tuple, lambda: _push_type_ids(assembly, push_parts))
    writer.equals(tuple(id(type(part)) for key in keys for part in key))


def _push_type_ids(assembly: Assembly, load: _Load) -> None:
    """Push an iterator over the identities of the types of a container's items."""
    assembly.begin_call(lambda: assembly.load_object(_map))
    assembly.load_object(_id)
    assembly.begin_call(lambda: assembly.load_object(_map))
    assembly.load_object(_type)
    load()
    assembly.call(2)
    assembly.call(2)


def _check_key_types(assembly: Assembly, writer: _Writer, origin: Origin, check: KeyTypes) -> None:
    """By the identities of the types: hashing or comparing a type could run its metaclass's code."""
    writer.call(_len, lambda: load_origin(assembly, origin))
    assembly.load_constant(check.limit)
    writer.compare(AT_MOST)
    writer.call(_set, lambda: _push_type_ids(assembly, lambda: load_origin(assembly, origin)))
    assembly.load_constant(frozenset(map(id, check.types)))
    writer.compare(AT_MOST)


def _is_zero_with_sign(value: object) -> bool:
    """Whether another value equals this one that differs in the sign of a zero."""
    if type(value) is complex:
        return 0.0 in (value.real, value.imag)
    return type(value) is float and value == 0.0


class _Writer:
    """Tests on the top of the stack."""

    def __init__(self, assembly: Assembly, misses: Misses) -> None:
        self._assembly = assembly
        self._misses = misses

    def test(self) -> None:
        """Pop a boolean; a miss if it is false."""
        self._assembly.drop()
        label = self._misses.at(len(self._assembly.entries))
        self._assembly.emit(Op.POP_JUMP_IF_FALSE, target=label)

    def identical(self, same: bool = True) -> None:
        """Pop two entries; a miss unless they are (not) the same object."""
        self._assembly.emit(Op.IS_OP, 0 if same else 1)
        self._assembly.drop()
        self.test()

    def is_object(self, value: object) -> None:
        """Pop an entry; a miss unless it is this object, which may be gone by then: its holder gives `None`."""
        assembly = self._assembly
        assembly.load_object(value)
        if not is_loaded_bare(value):
            assembly.emit(Op.COPY, 1)
            assembly.emit(Op.POP_JUMP_IF_NONE, target=self._misses.at(len(assembly.entries)))
        self.identical()

    def equals(self, value: object) -> None:
        """Pop an entry of a builtin type; a miss unless it equals the constant."""
        self._assembly.load_constant(value)
        self.compare()

    def compare(self, comparison: int = EQUAL) -> None:
        """Pop two entries of builtin types; a miss unless they are equal, or compare as is said."""
        self._assembly.emit(Op.COMPARE_OP, comparison)
        self._assembly.drop()
        self._assembly.emit(Op.TO_BOOL)
        self.test()

    def call(self, function: object, load: _Load) -> None:
        """Push what the builtin gives for one argument."""
        self._assembly.begin_call(lambda: self._assembly.load_object(function))
        load()
        self._assembly.call(1)

    def call_top(self, function: object) -> None:
        """Replace the top by what the builtin gives for it."""
        self._copied_call(function)
        self._assembly.emit(Op.SWAP, 2)
        self._assembly.pop_top()

    def type_is(self, load: _Load, type_: type) -> None:
        """A miss unless what `load` pushes is of exactly the type."""
        self.call(_type, load)
        self.is_object(type_)

    def type_is_top(self, type_: type) -> None:
        """A miss unless the top, which stays, is of exactly the type."""
        self._copied_call(_type)
        self.is_object(type_)

    def _copied_call(self, function: object) -> None:
        self._assembly.begin_call(lambda: self._assembly.load_object(function))
        self._assembly.emit(Op.COPY, 3)
        self._assembly.push()
        self._assembly.call(1)
