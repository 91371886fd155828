"""The exact Python type that an object made by the trace will have."""

from __future__ import annotations

from types import CellType, FunctionType, MethodType

from symexec.values.heap import (
    CellContent,
    Content,
    DictContent,
    FunctionContent,
    IteratorContent,
    ListContent,
    MethodContent,
    ObjectContent,
    SetContent,
    SliceContent,
    StagedContent,
    TupleContent,
    ViewContent,
)

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
        case MethodContent():
            return MethodType
        case SliceContent():
            return slice
        case ViewContent(kind=kind):
            return VIEW_TYPES[kind]
        case IteratorContent(kind=type_) | StagedContent(kind=type_):
            return type_
