"""Making real, in emitted code, what values stand for: before the commit, as ordinary builds and calls of builtins.

An object made by the trace is built once, from its final contents; what can be part of a cycle is built empty and
filled afterwards.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly, Key, is_bare
from symexec.capture.compute import Computation
from symexec.capture.cycles import find_cyclic
from symexec.capture.makers import call_by_name
from symexec.capture.paths import is_call_free, load_origin
from symexec.capture.rebuild_bases import can_be_empty, fill_base, immutable_parts, push_new
from symexec.errors import InternalError
from symexec.interpreter.protocol.classes import writes_plainly
from symexec.interpreter.protocol.exceptions import exception_fields
from symexec.interpreter.protocol.keys import element_value
from symexec.values.heap import (
    Absent,
    CalledContent,
    CellContent,
    Content,
    DictContent,
    ExceptionContent,
    FunctionContent,
    Heap,
    InterpolationContent,
    IteratorContent,
    ListContent,
    MethodContent,
    ObjectContent,
    SetContent,
    SliceContent,
    SuperContent,
    TemplateContent,
    TupleContent,
    ViewContent,
    parts,
)
from symexec.values.model import Constant, Known, Made, Null, Traced, Value

_store: Final = object.__setattr__
_load: Final = object.__getattribute__
_set: Final = builtins.set
_super: Final = builtins.super
_cell_type: Final = types.CellType
_function_type: Final = types.FunctionType
_method_type: Final = types.MethodType
NO_KEYS: Final[Mapping[Hashable, Value]] = types.MappingProxyType({})
_C_METHODS: Final = (types.MethodDescriptorType, types.WrapperDescriptorType)

_CONVERSIONS: Final = (None, "s", "r", "a")
_FLAGS: Final = {"defaults": 1, "keyword_defaults": 2, "annotations": 4, "closure": 8, "annotate": 16}


def _is_joined(content: Content) -> bool:
    """Whether it is an instance, or the dict of its attributes, where the dict was asked for."""
    if isinstance(content, DictContent):
        return content.owner is not None
    return isinstance(content, ObjectContent) and content.namespace is not None


class Rebuilder:
    """Builds made objects as named entries, keeps loaded what later effects could change, and pushes values."""

    def __init__(self, assembly: Assembly, heap: Heap, computation: Computation) -> None:
        self._assembly = assembly
        self._heap = heap
        self._computation = computation
        self._building: set[int] = set()
        self._hollow: list[Made] = []
        self._cyclic: set[int] = set()

    def prepare(self, values: list[Value]) -> None:
        """Make every value ready to be pushed without a call and without reading what effects may change."""
        self._cyclic |= find_cyclic(self._heap, values)
        for value in values:
            self._ready(value)
        while self._hollow:
            self._fill(self._hollow.pop())

    def key(self, value: Value) -> Key | None:
        """The entry that holds the value, if one does."""
        if isinstance(value, Traced):
            return self._computation.key(value.node)
        return ("made", value.object_id) if isinstance(value, Made) else None

    def push(self, value: Value) -> None:
        """Push a value that is ready."""
        assembly = self._assembly
        match value:
            case Constant(value=constant):
                if not is_bare(constant) and assembly.has(("constant", id(constant))):
                    assembly.uses["constant", id(constant)] += 1
                    assembly.copy(("constant", id(constant)))
                else:
                    assembly.load_constant(constant)
            case Known(origin=origin):
                load_origin(assembly, origin)
            case Traced(node=node):
                kept = self._computation.key(node)
                if kept is not None:
                    assembly.uses[kept] += 1
                self._computation.push(node)
            case Made(object_id=object_id):
                content = self._heap.content(value)
                if isinstance(content, CellContent) and content.home is not None:
                    assembly.emit(Op.LOAD_FAST, content.home)
                    assembly.push()
                    return
                assembly.uses["made", object_id] += 1
                assembly.copy(("made", object_id))
            case Null():
                raise InternalError("NULL is not a value to be pushed")

    def _ready(self, value: Value) -> None:
        if isinstance(value, Known):
            if self._assembly.has(value.origin):
                self._assembly.uses[value.origin] += 1
            elif not is_call_free(value.origin):
                load_origin(self._assembly, value.origin)
                self._name(value.origin)
        elif isinstance(value, Constant):
            held: Key = ("constant", id(value.value))
            if not is_bare(value.value) and not self._assembly.has(held):
                self._assembly.load_constant(value.value)
                self._name(held)
        elif isinstance(value, Made):
            self._ready_made(value)

    def _name(self, key: Key) -> None:
        self._assembly.name_top(key)
        self._assembly.uses[key] = 1  # kept to the end

    def _ready_made(self, made: Made) -> None:
        content = self._heap.content(made)
        key: Key = ("made", made.object_id)
        if self._assembly.has(key) or (isinstance(content, CellContent) and content.home is not None):
            return
        if made.object_id in self._building:
            raise InternalError("an object that cannot be built empty contains itself")
        hollow = (
            isinstance(content, CellContent)
            or _is_joined(content)
            or (made.object_id in self._cyclic and can_be_empty(content))
        )
        if hollow:
            self._build_hollow(content)
            self._name(key)
            self._hollow.append(made)
            return
        self._building.add(made.object_id)
        for part in parts(content):
            self._ready(part)
        self._build(content)
        self._name(key)
        self._building.discard(made.object_id)

    def _build_hollow(self, content: Content) -> None:
        assembly = self._assembly
        match content:
            case ListContent():
                assembly.emit(Op.BUILD_LIST, 0)
                assembly.push()
            case DictContent(owner=Made() as owner):
                self._ready(owner)
                assembly.begin_call(lambda: assembly.load_object(_load))
                assembly.uses["made", owner.object_id] += 1
                self._assembly.copy(("made", owner.object_id))
                assembly.load_constant("__dict__")
                assembly.call(2)
            case DictContent():
                assembly.emit(Op.BUILD_MAP, 0)
                assembly.push()
            case CellContent():
                assembly.begin_call(lambda: assembly.load_object(_cell_type))
                assembly.call(0)
            case ObjectContent():
                for part in immutable_parts(content):
                    self._ready(part)
                push_new(self._assembly, content, self.push)
            case _:
                raise InternalError(f"{content} cannot be built empty")

    def _fill(self, made: Made) -> None:
        content = self._heap.content(made)
        for part in parts(content):
            self._ready(part)
        self._assembly.uses["made", made.object_id] += 1
        self._assembly.copy(("made", made.object_id))
        match content:
            case ListContent(items=items):
                for item in items:
                    self.push(item)
                    self._assembly.emit(Op.LIST_APPEND, 1)
                    self._assembly.drop()
            case DictContent(entries=entries, keys=keys):
                for key, entry in entries.items():
                    if not isinstance(entry, Absent):
                        self._push_key(key, keys)
                        self.push(entry)
                        self._assembly.emit(Op.MAP_ADD, 1)
                        self._assembly.drop(2)
            case CellContent(value=value):
                if not isinstance(value, Absent):
                    self._set_attribute("cell_contents", value)
            case ObjectContent():
                fill_base(self._assembly, content, self.push, self._push_key)
                self._set_attributes(content)
            case _:
                raise InternalError(f"{content} is never filled")
        self._assembly.pop_top()

    def _set_attributes(self, content: ObjectContent) -> None:
        plain = writes_plainly(content.type)
        fields = exception_fields(content.base) if isinstance(content.base, ExceptionContent) else {}
        for name, item in (fields | content.attributes).items():
            if not isinstance(item, Absent):
                if plain:
                    self._set_attribute(name, item)
                else:
                    self._set_past_class(name, item)

    def _set_attribute(self, name: str, value: Value) -> None:
        """Set an attribute of the object on top, which stays."""
        assembly = self._assembly
        self.push(value)
        assembly.emit(Op.COPY, 2)
        assembly.push()
        assembly.emit(Op.STORE_ATTR, name=name)
        assembly.drop(2)

    def _set_past_class(self, name: str, value: Value) -> None:
        """Set an attribute of the object on top, which stays, past the `__setattr__` of its class."""
        assembly = self._assembly
        assembly.begin_call(lambda: assembly.load_object(_store))
        assembly.emit(Op.COPY, 3)
        assembly.push()
        assembly.load_constant(name)
        self.push(value)
        assembly.call(3)
        assembly.pop_top()

    def _push_all(self, values: list[Value] | tuple[Value, ...], op: Op) -> None:
        for value in values:
            self.push(value)
        self._assembly.emit(op, len(values))
        self._assembly.drop(len(values))
        self._assembly.push()

    def _build(self, content: Content) -> None:
        assembly = self._assembly
        match content:
            case ListContent(items=items):
                self._push_all(items, Op.BUILD_LIST)
            case TupleContent(items=tuple_items):
                self._push_all(tuple_items, Op.BUILD_TUPLE)
            case DictContent(entries=entries, keys=keys):
                self._build_dict({k: v for k, v in entries.items() if not isinstance(v, Absent)}, keys)
            case SetContent(items=members, history=history):
                self._build_set([("add", member) for member in members] if history is None else history)
            case ObjectContent():
                push_new(assembly, content, self.push)
                fill_base(assembly, content, self.push, self._push_key)
                self._set_attributes(content)
            case FunctionContent():
                self._build_function(content)
            case MethodContent(function=Known(value=known) as function, owner=owner) if type(known) in _C_METHODS:
                self.push(function)
                assembly.emit(Op.LOAD_METHOD, name="__get__")
                assembly.push()
                self.push(owner)
                assembly.call(1)
            case MethodContent(function=function, owner=owner):
                self._call_with(_method_type, function, owner)
            case TemplateContent(strings=strings, interpolations=interpolations):
                self._push_all([strings, interpolations], Op.BUILD_TEMPLATE)
            case InterpolationContent(value=value, expression=expression, conversion=conversion, spec=spec):
                for part in (value, expression, spec):
                    self.push(part)
                assembly.emit(Op.BUILD_INTERPOLATION_SPEC, _CONVERSIONS.index(conversion))
                assembly.drop(2)
            case SuperContent(class_value=class_, owner=owner):
                self._call_with(_super, class_, owner)
            case SliceContent(start=start, stop=stop, step=step):
                self._push_all([start, stop, step], Op.BUILD_SLICE)
            case ViewContent(kind=kind, mapping=mapping):
                self.push(mapping)
                assembly.emit(Op.LOAD_METHOD, name=kind)
                assembly.push()
                assembly.call(0)
            case CalledContent():
                self._build_called(content)
            case IteratorContent(source=Constant() | Known() | Made() | Traced() as source, index=index):
                self._build_iterator(source, index)
            case _:
                raise InternalError(f"{content} cannot be built")

    def _call_with(self, function: object, *arguments: Value) -> None:
        """Push what the builtin gives for these arguments."""
        self._assembly.begin_call(lambda: self._assembly.load_object(function))
        for argument in arguments:
            self.push(argument)
        self._assembly.call(len(arguments))

    def _build_called(self, content: CalledContent) -> None:
        assembly = self._assembly
        if content.names:
            assembly.begin_call(lambda: assembly.load_object(call_by_name))
            assembly.load_object(content.function)
            assembly.load_constant(content.names)
        else:
            assembly.begin_call(lambda: assembly.load_object(content.function))
        for argument in content.args:
            self.push(argument)
        assembly.call(len(content.args) + (2 if content.names else 0))
        if content.state is not None:
            self._set_state(content.state)

    def _push_key(self, key: Hashable, keys: Mapping[Hashable, Value]) -> None:
        """Push a dict's key: the object that it was stored as, where that existed before."""
        self.push(keys.get(key) or element_value(key))

    def _build_dict(
        self, entries: Mapping[str, Value] | Mapping[Hashable, Value], keys: Mapping[Hashable, Value] = NO_KEYS
    ) -> None:
        for key, item in entries.items():
            self._push_key(key, keys)
            self.push(item)
        self._assembly.emit(Op.BUILD_MAP, len(entries))
        self._assembly.drop(2 * len(entries))
        self._assembly.push()

    def _build_set(self, history: Sequence[tuple[str, Hashable]]) -> None:
        """A set that comes to be as the program's did, so that it has the same order."""
        assembly = self._assembly
        first = next((at for at, (step, _) in enumerate(history) if step != "add"), len(history))
        for _, member in history[:first]:
            self.push(element_value(member))
        assembly.emit(Op.BUILD_SET, first)
        assembly.drop(first)
        assembly.push()
        for step, argument in history[first:]:
            if step == "discard":
                assembly.emit(Op.COPY, 1)
                assembly.push()
                assembly.emit(Op.LOAD_METHOD, name=step)
                assembly.push()
                self.push(element_value(argument))
                assembly.call(1)
                assembly.pop_top()
            else:
                self.push(element_value(argument))
                assembly.emit(Op.SET_ADD if step == "add" else Op.SET_UPDATE, 1)
                assembly.drop()

    def _build_iterator(self, source: Value, index: int) -> None:
        self.push(source)
        self._assembly.emit(Op.GET_ITER)
        if index:
            self._set_state(index)

    def _set_state(self, state: int) -> None:
        """Tell the iterator on top, which stays, where it stands."""
        assembly = self._assembly
        assembly.emit(Op.COPY, 1)
        assembly.push()
        assembly.emit(Op.LOAD_METHOD, name="__setstate__")
        assembly.push()
        assembly.load_constant(state)
        assembly.call(1)
        assembly.pop_top()

    def _build_function(self, content: FunctionContent) -> None:
        assembly = self._assembly
        attributes: list[tuple[int, Value | tuple[Value, ...] | Mapping[str, Value]]] = []
        if content.closure:
            attributes.append((_FLAGS["closure"], content.closure))
        if content.annotations is not None:
            attributes.append((_FLAGS["annotations"], content.annotations))
        if content.annotate is not None:
            attributes.append((_FLAGS["annotate"], content.annotate))
        if content.keyword_defaults is not None:
            attributes.append((_FLAGS["keyword_defaults"], {**content.keyword_defaults}))
        if content.defaults is not None:
            attributes.append((_FLAGS["defaults"], content.defaults))
        for _, value in reversed(attributes):
            if isinstance(value, tuple):
                self._push_all(value, Op.BUILD_TUPLE)
            elif isinstance(value, Mapping):
                self._build_dict(value)
            else:
                self.push(value)
        assembly.load_bare(content.code)
        assembly.emit(Op.MAKE_FUNCTION)
        for flag, _ in attributes:
            assembly.emit(Op.SET_FUNCTION_ATTRIBUTE, flag)
            assembly.drop(2)
            assembly.push()
