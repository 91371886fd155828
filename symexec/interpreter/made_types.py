"""The exact Python type that an object made by the trace will have."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Final

from symexec.errors import InternalError
from symexec.values.heap import (
    CalledContent,
    CellContent,
    Content,
    DequeContent,
    DictContent,
    ExceptionContent,
    FunctionContent,
    GeneratorContent,
    Heap,
    InterpolationContent,
    IteratorContent,
    ListContent,
    MethodContent,
    ObjectContent,
    ScalarContent,
    SetContent,
    SliceContent,
    SuperContent,
    TemplateContent,
    TupleContent,
    ViewContent,
)
from symexec.values.keys import ObjectKey
from symexec.values.model import Known, Value

_METHOD_TYPES: Final[Mapping[int, type]] = {
    id(MethodDescriptorType): BuiltinFunctionType,
    id(WrapperDescriptorType): MethodWrapperType,
}
"""What binding a C function gives, by the identity of the function's type."""

_ORDERED_VIEW_TYPES: Final[Mapping[str, type]] = {
    "keys": type(OrderedDict().keys()),
    "values": type(OrderedDict().values()),
    "items": type(OrderedDict().items()),
}
VIEW_TYPES: dict[str, type] = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}


def made_type(content: Content) -> type:
    """`type(it)`, for what a made object contains."""
    match content:
        case ListContent():
            return list
        case TupleContent():
            return tuple
        case DictContent():
            return dict
        case SetContent(items=items):
            return type(items)
        case CellContent():
            return CellType
        case ObjectContent(type=type_):
            return type_
        case FunctionContent():
            return FunctionType
        case MethodContent(function=function):
            return _bound_type(function)
        case SuperContent():
            return super
        case TemplateContent(kind=type_) | InterpolationContent(kind=type_):
            return type_
        case SliceContent():
            return slice
        case ViewContent(kind=kind, ordered=ordered):
            return _ORDERED_VIEW_TYPES[kind] if ordered else VIEW_TYPES[kind]
        case IteratorContent(kind=type_) | CalledContent(type=type_) | GeneratorContent(kind=type_):
            return type_
        case ExceptionContent():
            raise InternalError("an exception's own fields are no object")
        case DequeContent():
            return deque
        case ScalarContent(value=value):
            return type(value.value)


def _bound_type(function: Value) -> type:
    return _METHOD_TYPES.get(id(type(function.value)), MethodType) if isinstance(function, Known) else MethodType


def has_plain_keys(heap: Heap, content: DictContent) -> bool:
    """Whether every key of a dict that is wholly known is the constant that stands for it."""
    return are_exact(heap, content) and not any(isinstance(key, ObjectKey) for key in content.entries)


def are_exact(heap: Heap, content: DictContent) -> bool:
    """Whether every key but objects is the constant that stands for it: no instance of a subclass."""
    return all(
        isinstance(key, ObjectKey)
        or type(key) is (type(stored.value) if isinstance(stored, Known) else made_type(heap.content(stored)))
        for key, stored in content.keys.items()
    )
