"""The texts of objects that format themselves: `__str__`, `__repr__` and `__format__` written in Python.

Follows `PyObject_Str`, `PyObject_Repr`, `PyObject_Format` (Objects/object.c, Objects/abstract.c) and the `repr` of
builtin containers.  What is made of constants alone is not asked for here.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine, is_static_type
from symexec.interpreter.made_types import has_plain_keys
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import SIZE_LIMIT, constant_of, dict_content, list_content, tuple_items
from symexec.interpreter.protocol.folding import copied, fold, is_plain, too_large
from symexec.interpreter.protocol.inlining import function_record
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, is_function, special_method
from symexec.values.guard import Length, TypeIs
from symexec.values.heap import Absent, DictContent, ListContent
from symexec.values.model import Constant, Known, Made, Value
from symexec.values.origin import Attribute, Contents, Item

_closure_of: Final = FunctionType.__dict__["__closure__"].__get__
_code_of: Final = FunctionType.__dict__["__code__"].__get__


def _wrapper_codes() -> Iterator[CodeType]:
    """The codes of the functions that the standard library wraps around a `__repr__`, so that it does not recur."""
    makers: tuple[object, ...] = (getattr(dataclasses, "_recursive_repr", None), reprlib.recursive_repr())
    for maker in makers:
        if callable(maker):
            wrapper: object = maker(_plain_repr)
            if isinstance(wrapper, FunctionType) and "user_function" in wrapper.__code__.co_freevars:
                yield wrapper.__code__


def _plain_repr(value: object) -> str:
    return ""


_WRAPPERS: Final = frozenset(map(id, _wrapper_codes()))
_KEPT: Final = tuple(_wrapper_codes())  # the codes live as long as their identities are asked for


def has_own_text(machine: Machine, value: Value) -> bool:
    """Whether the object's class is one of the user's, or it is a container of the trace that may hold such.

    Of a container that existed before, the text may be being made just now, and then it is another one.
    """
    if not isinstance(value, (Known, Made)):
        return False
    type_ = machine.type_of(value)
    return not is_static_type(type_) or (isinstance(value, Made) and (type_ is list or type_ is tuple or type_ is dict))


def own_text(machine: Machine, value: Value, function: Callable[[object], str]) -> Reply:
    """What `str`, `repr` or `ascii` gives for such an object."""
    if function is str:
        return _text(machine, value, "__str__")
    reply = _text(machine, value, "__repr__")
    if function is repr or isinstance(reply, STOPS):
        return reply
    text = constant_of(machine, reply)
    return Constant(str(text).encode("ascii", "backslashreplace").decode("ascii"))


def own_format(machine: Machine, value: Value, spec: Value) -> Reply:
    """What `format(value, spec)` gives for such an object."""
    type_ = machine.type_of(value)
    if is_static_type(type_):
        plain = constant_of(machine, spec) == ""
        return _text(machine, value, "__str__") if plain else _unknown(machine, type_)
    method = special_method(machine, value, "__format__")
    if method is None or isinstance(method, STOPS):
        return _unknown(machine, type_) if method is None else method
    if is_function(method, object.__dict__["__format__"]):
        text = constant_of(machine, spec)
        return _text(machine, value, "__str__") if text == "" else _unknown(machine, type_)
    if is_builtin(method):
        return _unknown(machine, type_)
    return _checked(machine, call_special(machine, method, value, spec), type_)


def _text(machine: Machine, value: Value, name: str) -> Reply:
    type_ = machine.type_of(value)
    if is_static_type(type_):
        return _guarded(machine, value, _container_text)
    method = special_method(machine, value, name)
    if method is None or isinstance(method, STOPS):
        return _unknown(machine, type_) if method is None else method
    if name == "__str__" and is_function(method, object.__dict__["__str__"]):
        return _text(machine, value, "__repr__")
    if not isinstance(method, Known) or is_builtin(method):
        return _unknown(machine, type_)
    wrapped = _unwrapped(machine, method)
    if isinstance(wrapped, Break):
        return wrapped
    if wrapped is None:
        return _checked(machine, call_special(machine, method, value), type_)

    def ask(machine: Machine, value: Value) -> Reply:
        return _checked(machine, call_special(machine, wrapped, value), type_)

    return _guarded(machine, value, ask)


def _unknown(machine: Machine, type_: type) -> Break:
    return machine.stop("SX2110", f"the text of an object of type {class_name(type_)} is left to Python")


def _checked(machine: Machine, reply: Reply, type_: type) -> Reply:
    """The string that a method gave."""
    if isinstance(reply, STOPS):
        return reply
    text = constant_of(machine, reply)
    return Constant(text) if type(text) is str else _unknown(machine, type_)


def _guarded(machine: Machine, value: Value, text: Callable[[Machine, Value], Reply]) -> Reply:
    """The text of an object, unless it is asked for within itself: that is left to Python."""
    key = value.object_id if isinstance(value, Made) else id(value.value) if isinstance(value, Known) else 0
    if key in machine.texts:
        return machine.stop("SX2110", "the text of an object that contains itself is left to Python")
    machine.texts.append(key)
    reply = text(machine, value)
    machine.texts.pop()
    return reply


def _container_text(machine: Machine, value: Value) -> Reply:
    """The `repr` of a list, tuple or dict whose items format themselves."""
    type_ = machine.type_of(value)
    if type_ is dict:
        entries = dict_content(machine, value, complete=True)
        return entries if isinstance(entries, Break) else _dict_text(machine, entries)
    items = list_content(machine, value) if type_ is list else tuple_items(machine, value)
    if isinstance(items, Break):
        return items
    parts: list[str] = []
    while len(parts) < len(found := items.items if isinstance(items, ListContent) else items):
        part = _item_text(machine, found[len(parts)])
        if isinstance(part, STOPS):
            return part
        parts.append(str(part.value))
    inside = ", ".join(parts)
    if type_ is tuple:
        return _limited(machine, f"({inside},)" if len(parts) == 1 else f"({inside})")
    return _limited(machine, f"[{inside}]")


def _dict_text(machine: Machine, content: DictContent) -> Reply:
    parts: list[str] = []
    for key, entry in tuple(content.entries.items()):
        if isinstance(entry, Absent) or not is_plain(key) or not has_plain_keys(machine.heap, content):
            return _unknown(machine, dict)
        part = _item_text(machine, entry)
        if isinstance(part, STOPS):
            return part
        if content.entries.get(key) is not entry:
            return machine.stop("SX2110", "the dict changes while its text is made")
        parts.append(f"{key!r}: {part.value}")
    return _limited(machine, "{" + ", ".join(parts) + "}")


def _item_text(machine: Machine, item: Value) -> Constant | Raise | Break:
    found = copied(machine, item)
    if found is not NOT_CONCRETE:
        reply = fold(machine, repr, (found,))
    elif has_own_text(machine, item):
        reply = own_text(machine, item, repr)
    else:
        reply = _unknown(machine, machine.type_of(item))
    if isinstance(reply, STOPS):
        return reply
    return reply if isinstance(reply, Constant) else _unknown(machine, machine.type_of(item))


def _limited(machine: Machine, text: str) -> Reply:
    return too_large(machine, len(text)) if len(text) > SIZE_LIMIT else Constant(text)


def _unwrapped(machine: Machine, method: Known) -> Known | Break | None:
    """The `__repr__` inside a wrapper against recursion, which is guarded not to be at work; `None` for any other."""
    function = method.value
    if type(function) is not FunctionType or id(_code_of(function)) not in _WRAPPERS:
        return None
    record = function_record(machine, method, function)
    if isinstance(record, Break):
        return record
    found: dict[str, Known] = {}
    cells: tuple[CellType, ...] = _closure_of(function)
    for index, (name, cell) in enumerate(zip(_code_of(function).co_freevars, cells, strict=True)):
        place = Contents(Item(Attribute(method.origin, "__closure__"), index))
        found[name] = Known(cell.cell_contents, place)
    running = found["repr_running"]
    if type(running.value) is not set or len(running.value):
        return machine.stop("SX2110", "the text of an object is made within that of another")
    machine.guards.add(running.origin, TypeIs(set))
    machine.guards.add(running.origin, Length(0))
    return found["user_function"]
