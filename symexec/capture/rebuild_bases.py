"""Making real instances of subclasses of builtin types: created and filled by the builtin types' own methods.

What their classes override is never called.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import SimpleNamespace
from typing import Final, TypeAlias

from symexec.bytecode.ops import Op
from symexec.capture.assembly import Assembly
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.dicts import physical_order
from symexec.interpreter.protocol.exceptions import layout_of
from symexec.interpreter.protocol.keys import element_value
from symexec.interpreter.protocol.special import is_among, mro_of
from symexec.values.heap import (
    Absent,
    Content,
    DequeContent,
    DictContent,
    ExceptionContent,
    ListContent,
    ObjectContent,
    ScalarContent,
    SetContent,
    TupleContent,
)
from symexec.values.model import Value

Push: TypeAlias = Callable[[Value], None]
PushKey: TypeAlias = Callable[[Hashable, Mapping[Hashable, Value]], None]

_new: Final = object.__new__
_makers: Final[Mapping[int, object]] = {
    id(type_): type_.__new__ for type_ in (list, tuple, dict, set, deque, int, float, complex, str, bytes)
}
_fill_list: Final = list.extend
_fill_dict: Final = dict.update
_fill_ordered: Final = OrderedDict.__setitem__
_move_to_end: Final = OrderedDict.move_to_end
_fill_deque: Final = deque.extend
_limit_deque: Final = deque.__init__
_discard: Final = set.discard


def can_be_empty(content: Content) -> bool:
    """Whether an object with this content can be built first and filled later, but for what is immutable in it."""
    return isinstance(content, (ListContent, DictContent, ObjectContent))


def immutable_parts(content: ObjectContent) -> Sequence[Value]:
    """What an instance must be made of: it is older than the instance, so no cycle goes through it alone."""
    return content.base.items if isinstance(content.base, TupleContent) else ()


def push_new(assembly: Assembly, content: ObjectContent, push: Push) -> None:
    """Push a new instance: empty, but for what is immutable in it."""
    base = content.base
    made_like = None if base is None else builtin_base(content.type)
    maker: object = _new if made_like is None else _makers[id(made_like)]
    if isinstance(base, ExceptionContent):
        maker = layout_of(content.type).__new__
    elif content.type is SimpleNamespace:
        maker = SimpleNamespace.__new__
    assembly.begin_call(lambda: assembly.load_object(maker))
    assembly.load_object(content.type)
    if isinstance(base, TupleContent):
        _push_all(assembly, base.items, push, Op.BUILD_TUPLE)
    elif isinstance(base, ScalarContent):
        push(base.value)
    assembly.call(2 if isinstance(base, (TupleContent, ScalarContent)) else 1)
    if isinstance(base, DequeContent):
        _begin(assembly, _limit_deque)
        _push_all(assembly, (), push, Op.BUILD_TUPLE)
        assembly.load_constant(base.limit)
        _end(assembly, 3)


def fill_base(assembly: Assembly, content: ObjectContent, push: Push, push_key: PushKey) -> None:
    """Fill the instance on top, which stays, with what it holds as an object of a builtin type."""
    base = content.base
    match base:
        case ListContent(items=items) | DequeContent(items=items) if items:
            _begin(assembly, _fill_list if isinstance(base, ListContent) else _fill_deque)
            _push_all(assembly, items, push, Op.BUILD_LIST)
            _end(assembly, 2)
        case DictContent(entries=entries, keys=keys) as base:
            present = {key: item for key, item in entries.items() if not isinstance(item, Absent)}
            if is_among(OrderedDict, mro_of(content.type)):
                order = physical_order(base)
                for key in order:
                    _begin(assembly, _fill_ordered)
                    push_key(key, keys)
                    push(present[key])
                    _end(assembly, 3)
                for key in present if order != [*present] else ():
                    _begin(assembly, _move_to_end)
                    push_key(key, keys)
                    _end(assembly, 2)
            elif present:
                _begin(assembly, _fill_dict)
                for key, item in present.items():
                    push_key(key, keys)
                    push(item)
                assembly.emit(Op.BUILD_MAP, len(present))
                assembly.drop(2 * len(present))
                assembly.push()
                _end(assembly, 2)
        case SetContent(items=members, history=history):
            _fill_set(assembly, [("add", member) for member in members] if history is None else history, push)
        case _:
            pass


def _fill_set(assembly: Assembly, history: Sequence[tuple[str, Hashable]], push: Push) -> None:
    for step, argument in history:
        if step == "discard":
            _begin(assembly, _discard)
            push(element_value(argument))
            _end(assembly, 2)
        else:
            push(element_value(argument))
            assembly.emit(Op.SET_ADD if step == "add" else Op.SET_UPDATE, 1)
            assembly.drop()


def _push_all(assembly: Assembly, values: Sequence[Value], push: Push, op: Op) -> None:
    for value in values:
        push(value)
    assembly.emit(op, len(values))
    assembly.drop(len(values))
    assembly.push()


def _begin(assembly: Assembly, function: object) -> None:
    """Begin a call of the function for the object on top, which stays."""
    assembly.begin_call(lambda: assembly.load_object(function))
    assembly.emit(Op.COPY, 3)
    assembly.push()


def _end(assembly: Assembly, count: int) -> None:
    assembly.call(count)
    assembly.pop_top()
