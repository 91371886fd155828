"""What abstract classes say of their instances and subclasses: `ABCMeta.__instancecheck__` and `__subclasscheck__`.

CPython's Modules/_abc.c keeps its answers: that a class is a subclass for good, that it is none until something is
registered with any abstract class, which the cache token tells.  What was registered itself is not kept, but stays
registered.  What is not kept yet is asked, where only hooks of the standard library are asked on the way.
"""

from __future__ import annotations

import _collections_abc
import abc
import contextlib
import os
from abc import ABCMeta, get_cache_token
from types import FunctionType
from typing import Final

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.classes import (
    ORDER,
    TYPE_LOAD,
    class_function,
    class_record,
    find_in_class,
    rely_on_gaps,
)
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.values.guard import Gives
from symexec.values.heap import ABSENT
from symexec.values.origin import Fixed

_dump: Final[object] = vars(abc).get("_get_dump")
_subclasses: Final = names_of(type)["__subclasses__"]
_subclass_check: Final = names_of(ABCMeta)["__subclasscheck__"]
_CHECKS: Final = (_subclass_check, names_of(type)["__subclasscheck__"])
_NO_HOOK: Final = names_of(object)["__subclasshook__"]
_LIBRARY: Final = tuple(map(vars, (_collections_abc, contextlib, os)))
_LIMIT: Final = 500  # classes that are looked at


def abstract_answer(machine: Machine, type_: type, base: type) -> bool | None:
    """Whether the abstract class `base` has `type_` for a subclass; `None` if asking could run code of the user's.

    That `base` answers as abstract classes do is the caller's to guard.
    """
    if not _is_hashed_plainly(type_) or any(record.written for record in machine.classes.values()):
        return None
    answer = _kept(type_, base)
    if answer is None and _is_registered(type_, base):
        return None if _rely_on_hook(machine, base) is not None else True
    if answer is None and _is_quiet(type_) and _asks_only_library(base) and callable(_subclass_check):
        answer = bool(_subclass_check(base, type_))
    token = get_cache_token()
    if answer is False and isinstance(token, int):
        machine.guards.add(Fixed(get_cache_token), Gives(token))
        return False
    return answer or None


def _kept(type_: type, base: type) -> bool | None:
    """The answer that is kept, if one is."""
    if not callable(_dump) or not _is_quiet(base):
        return None
    _, positive, negative, version = _dump(base)
    if any(reference() is type_ for reference in positive):
        return True
    if version == get_cache_token() and any(reference() is type_ for reference in negative):
        return False
    return None


def _is_registered(type_: type, base: type) -> bool:
    """Whether it is registered itself, and the hook, which is asked before, has no opinion on that."""
    if not callable(_dump) or not _is_quiet(base) or not _is_of_library(find_in_class(base, "__subclasshook__")):
        return False
    return any(reference() is type_ for reference in _dump(base)[0])


def _rely_on_hook(machine: Machine, base: type) -> Break | None:
    """Guard that a class of the user's has no hook: it is asked each time."""
    if find_in_class(base, "__subclasshook__") is not _NO_HOOK:
        return None
    return rely_on_gaps(machine, [class_record(machine, each) for each in mro_of(base)[:-1]], "__subclasshook__")


def _is_quiet(type_: type) -> bool:
    """Whether loads through the class run no code of its metaclass."""
    metaclass = type(type_)
    loads = find_in_class(metaclass, "__getattribute__"), find_in_class(metaclass, "__mro__")
    return loads[0] is TYPE_LOAD and loads[1] is ORDER and find_in_class(metaclass, "__getattr__") is ABSENT


def _is_hashed_plainly(type_: type) -> bool:
    """Whether the metaclass leaves it to `object` how classes are hashed and compared: so answers are looked up."""
    return all(find_in_class(type(type_), name) is names_of(object)[name] for name in ("__hash__", "__eq__"))


def _asks_only_library(base: type) -> bool:
    """Whether nothing but C code and hooks of the standard library is asked: of the class, and of all under it."""
    todo, seen = [base], set[int]()
    while todo:
        each = todo.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        plain = any(find_in_class(type(each), "__subclasscheck__") is check for check in _CHECKS) and _is_quiet(each)
        if not plain or not _is_of_library(find_in_class(each, "__subclasshook__")) or len(seen) > _LIMIT:
            return False
        if find_in_class(type(each), "__subclasses__") is not _subclasses or not callable(_subclasses):
            return False
        todo.extend(_subclasses(each))
    return True


def _is_of_library(hook: object) -> bool:
    if hook is _NO_HOOK:
        return True
    function = class_function(hook) if type(hook) is classmethod else None
    return type(function) is FunctionType and any(function.__globals__ is names for names in _LIBRARY)
