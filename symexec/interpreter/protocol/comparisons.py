"""Identity, equality, order and membership, by CPython's rules (`Objects/object.c`: `do_richcompare`)."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from types import FunctionType, MethodType
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, SCALARS, Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base, is_exact, scalar_of
from symexec.interpreter.protocol.classes import class_name
from symexec.interpreter.protocol.contents import dict_content, list_content, set_items, tuple_items
from symexec.interpreter.protocol.fixed import is_end
from symexec.interpreter.protocol.folding import copied, fold, holds_nan, is_plain, refusal
from symexec.interpreter.protocol.getters import compared_keys
from symexec.interpreter.protocol.special import find_on_type, is_among, mro_of, names_of, type_ids
from symexec.interpreter.protocol.special_methods import call_special, is_builtin, is_function, special_method
from symexec.interpreter.protocol.truth import truth
from symexec.values.graph import Kind
from symexec.values.guard import Is, SameAs
from symexec.values.heap import Absent
from symexec.values.model import FALSE, TRUE, Constant, Known, Made, Traced, Value, boolean
from symexec.values.origin import Fixed, Held

COMPARISONS: Final[tuple[object, ...]] = (
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
)
"""By the index that `COMPARE_OP` carries."""

LESS: Final = 0
EQUAL: Final = 2
NOT_EQUAL: Final = 3
_NAMES: Final = ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")
_SWAPPED: Final = (4, 5, 2, 3, 0, 1)
_SINGLETONS: Final = (type(None), bool, type(...), type(NotImplemented))
_UNSURE_TYPES: Final = SCALARS | {tuple, frozenset, range, slice}
_SCALAR_IDS: Final = type_ids(SCALARS)
_UNSURE_IDS: Final = type_ids(_UNSURE_TYPES)
_CONTAINERS: Final = (list, tuple, dict, set, frozenset)
_SETS: Final = (set, frozenset)
_DEPTH_LIMIT: Final = 50
NOT_IMPLEMENTED: Final = Constant(NotImplemented)


def identical(machine: Machine, left: Value, right: Value) -> bool | Raise | Break:
    """What `left is right` gives, what was consulted for it guarded."""
    if left is right:
        return True
    if is_end(left) or is_end(right):
        return is_end(left) and is_end(right)
    if isinstance(left, Known) and isinstance(right, Known):
        return _identical_known(machine, left, right)
    if isinstance(left, Made) and isinstance(right, Made) and left.object_id == right.object_id:
        return True
    left, right = _as_known(machine, left, right), _as_known(machine, right, left)
    if isinstance(left, Known) and isinstance(right, Known):
        return _identical_known(machine, left, right)
    if isinstance(left, Traced) and isinstance(right, Traced) and left.node is right.node:
        return True
    type_ = machine.type_of(left)
    if type_ is not machine.type_of(right):
        return False
    if is_among(type_, _SINGLETONS):
        first, second = machine.resolve(left), machine.resolve(right)
        if isinstance(first, Constant) and isinstance(second, Constant):
            return first.value is second.value
    if isinstance(left, Constant) and isinstance(right, Constant) and id(type_) not in _UNSURE_IDS:
        if machine.is_fixed(left.value) and machine.is_fixed(right.value):
            return left.value is right.value
    if id(type_) in _UNSURE_IDS and _differ(machine, left, right):
        return False
    if _is_new(machine, left, type_) and _is_new(machine, right, type_):
        return False
    return machine.stop("SX2107", f"whether two values of type {class_name(type_)} are one object is not known here")


def _is_new(machine: Machine, value: Value, type_: type) -> bool:
    """Whether `value` is surely another object than any that the trace knows under another name."""
    if isinstance(value, Made):
        return id(type_) not in _UNSURE_IDS or (type_ is tuple and tuple_items(machine, value) != ())
    return isinstance(value, Known)


def _as_known(machine: Machine, value: Value, other: Value) -> Value:
    """The existing object that a traced input is, if it is one; beside an existing object also what a constant is that
    lives as long as the process: from 3.14 on the compiler puts `any(... for ...)` behind such a question.
    """
    if isinstance(value, Constant) and isinstance(other, Known):
        is_sure = id(type(value.value)) not in _UNSURE_IDS and machine.is_fixed(value.value)
        return Known(value.value, Fixed(value.value)) if is_sure else value
    if isinstance(value, Traced):
        for known, traced in machine.inputs:
            if traced.node is value.node:
                return known
    return value


def _identical_known(machine: Machine, left: Known, right: Known) -> bool:
    same = left.value is right.value
    if left.origin == right.origin:
        return same
    if isinstance(left.origin, (Fixed, Held)):
        left, right = right, left
    if isinstance(left.origin, (Fixed, Held)):
        return same
    if isinstance(right.origin, (Fixed, Held)) and same:
        machine.guards.add(left.origin, Is(right.value))
    elif type(left.value) is not type(right.value):
        machine.type_of(left)
        machine.type_of(right)
    elif is_among(type(left.value), _SINGLETONS):
        machine.resolve(left)
        machine.resolve(right)
    else:
        machine.guards.add(left.origin, SameAs(right.origin, same))
    return same


def compare(machine: Machine, index: int, left: Value, right: Value, depth: int = 0) -> Reply:
    """What `left op right` gives, for the operator of that index in `COMPARISONS`; `depth` counts nesting."""
    if depth > _DEPTH_LIMIT:
        return machine.stop("SX9103", f"containers nested deeper than {_DEPTH_LIMIT} are not compared")
    left, right = machine.resolve(left), machine.resolve(right)
    if type(left) is Constant and type(right) is Constant:
        if id(type(left.value)) in _SCALAR_IDS and id(type(right.value)) in _SCALAR_IDS:
            return fold(machine, COMPARISONS[index], (left.value, right.value))
        if is_plain(left.value) and is_plain(right.value):
            return _compare_plain(machine, index, left, right)
    if isinstance(left, Traced) or isinstance(right, Traced):
        return machine.operate(Kind.CALL, COMPARISONS[index], [left, right])
    compared = compared_keys(machine, left, right)
    if compared is not None:
        return compared if isinstance(compared, STOPS) else compare(machine, index, compared, Constant(0))
    left_type, right_type = machine.type_of(left), machine.type_of(right)
    if is_exact(left_type) and is_exact(right_type):
        return _compare_builtin(machine, index, left, right, depth)
    words = _words(machine, left, right)
    if words is not None:
        return fold(machine, COMPARISONS[index], words)
    return _compare_rich(machine, index, left, right, depth)


def _differ(machine: Machine, left: Value, right: Value) -> bool:
    """Whether two scalars of one type are unequal, and so two objects."""
    first, second = machine.specialise(left), machine.specialise(right)
    if not isinstance(first, Constant) or not isinstance(second, Constant) or holds_nan(first.value):
        return False
    return is_plain(first.value) and is_plain(second.value) and first.value != second.value


def _words(machine: Machine, left: Value, right: Value) -> tuple[object, object] | None:
    """Both operands, where they are words of a domain's vocabulary or plain: comparing those runs no user code."""
    first, second = machine.concrete(left), machine.concrete(right)
    for word in (first, second):
        if word is NOT_CONCRETE or not (is_plain(word) or machine.is_fixed(word)):
            return None
    return first, second


def _compare_plain(machine: Machine, index: int, left: Constant, right: Constant) -> Reply:
    if holds_nan(left.value) and holds_nan(right.value):
        return machine.stop("SX2107", "whether two NaNs in containers are one object is not known here")
    return fold(machine, COMPARISONS[index], (left.value, right.value))


def equal_items(machine: Machine, item: Value, wanted: Value, depth: int = 0) -> bool | Raise | Break:
    """What containers ask of two items: the same object, or else `item == wanted`."""
    if item is wanted:
        return True
    first, second = (machine.resolve(machine.specialise(value)) for value in (item, wanted))
    if type(first) is Constant and type(second) is Constant and is_plain(first.value) and is_plain(second.value):
        if holds_nan(first.value) and holds_nan(second.value):
            return identical(machine, item, wanted)
        return bool(first.value == second.value)
    if isinstance(first, Traced) and isinstance(second, Traced) and first.node is second.node:
        return True
    type_ = machine.type_of(item)
    if type_ is machine.type_of(wanted) and not is_among(type_, _CONTAINERS):  # those are equal to themselves anyway
        same = identical(machine, item, wanted)
        if same is not False:
            return same
    reply = compare(machine, EQUAL, first, second, depth + 1)
    return reply if isinstance(reply, STOPS) else truth(machine, reply)


def compare_base(machine: Machine, index: int, left: Value, right: Value, depth: int = 0) -> Reply:
    """What the special method of the builtin type that `left` is made like gives; `NotImplemented` for others."""
    bases = builtin_base(machine.type_of(left)), builtin_base(machine.type_of(right))
    if bases[0] is bases[1] and (bases[0] is list or bases[0] is tuple):
        return _compare_builtin(machine, index, left, right, depth)
    if bases[0] is bases[1] is dict and index in (EQUAL, NOT_EQUAL):
        return _compare_dicts(machine, index, left, right, depth)
    if bases[0] in _SETS and bases[1] in _SETS:
        return _compare_builtin(machine, index, left, right, depth)
    if bases[0] is None or id(bases[0]) not in _SCALAR_IDS:
        return NOT_IMPLEMENTED
    plain, other = scalar_of(machine, left), scalar_of(machine, right)
    if not isinstance(plain, Constant):
        return plain if isinstance(plain, Break) else NOT_IMPLEMENTED
    if isinstance(other, Break):
        return other
    second = machine.resolve(other)
    if not isinstance(second, Constant):
        return NOT_IMPLEMENTED
    return fold(machine, getattr(type(plain.value), _NAMES[index]), (plain.value, second.value))


def _compare_builtin(machine: Machine, index: int, left: Value, right: Value, depth: int) -> Reply:
    left_type, right_type = builtin_base(machine.type_of(left)), builtin_base(machine.type_of(right))
    if left_type is right_type:
        if left_type is list:
            first, second = list_content(machine, left), list_content(machine, right)
            if isinstance(first, Break):
                return first
            if isinstance(second, Break):
                return second
            return _compare_sequences(machine, index, first.items, second.items, depth)
        if left_type is tuple:
            mine, others = tuple_items(machine, left), tuple_items(machine, right)
            if isinstance(mine, Break):
                return mine
            if isinstance(others, Break):
                return others
            return _compare_sequences(machine, index, mine, others, depth)
        if left_type is dict and index in (EQUAL, NOT_EQUAL):
            return _compare_dicts(machine, index, left, right, depth)
    if {left_type, right_type} <= {*_SETS}:
        elements, other_elements = set_items(machine, left), set_items(machine, right)
        if isinstance(elements, Break):
            return elements
        if isinstance(other_elements, Break):
            return other_elements
        return fold(machine, COMPARISONS[index], (elements, other_elements))
    if index in (EQUAL, NOT_EQUAL):
        return _compare_unlike(machine, index, left, right)
    return refusal(machine, COMPARISONS[index], (left, right))


_COMPARABLE: Final = _UNSURE_TYPES | {list, dict, set}


def _compare_unlike(machine: Machine, index: int, left: Value, right: Value) -> Reply:
    """Equality of builtin objects that are of unlike types or compare by identity."""
    left_type, right_type = machine.type_of(left), machine.type_of(right)
    object_equality = find_on_type(object, "__eq__")
    plain = [find_on_type(type_, "__eq__") == object_equality for type_ in (left_type, right_type)]
    if all(plain):
        same = identical(machine, left, right)
        return same if isinstance(same, STOPS) else boolean(same is (index == EQUAL))
    if left_type is MethodType and right_type is MethodType:
        return _compare_methods(machine, index, left, right)
    known = [type_ in _COMPARABLE or plain[at] for at, type_ in enumerate((left_type, right_type))]
    if left_type is not right_type and all(known):
        return boolean(index == NOT_EQUAL)
    first, second = copied(machine, left), copied(machine, right)
    if first is NOT_CONCRETE or second is NOT_CONCRETE:
        return machine.stop(
            "SX2108", f"comparing {class_name(left_type)} and {class_name(right_type)} is not interpreted"
        )
    return fold(machine, COMPARISONS[index], (first, second))


def compare_items(machine: Machine, index: int, left: Sequence[Value], right: Sequence[Value]) -> Reply:
    """What comparing two sequences of items gives, as a bool."""
    reply = _compare_sequences(machine, index, left, right, 0)
    answer = reply if isinstance(reply, STOPS) else truth(machine, reply)
    return answer if isinstance(answer, STOPS) else boolean(answer)


def _compare_methods(machine: Machine, index: int, left: Value, right: Value) -> Reply:
    """`method_richcompare`: the same object, and equal functions, which go by identity if they are plain."""
    answers: list[bool] = []
    for name in ("__func__", "__self__"):
        first, second = machine.get_attribute(machine, left, name), machine.get_attribute(machine, right, name)
        if isinstance(first, STOPS):
            return first
        if isinstance(second, STOPS):
            return second
        if name == "__func__" and not all(machine.type_of(each) is FunctionType for each in (first, second)):
            return machine.stop("SX2108", "comparing methods of other than plain functions is not interpreted")
        same = identical(machine, first, second)
        if isinstance(same, STOPS):
            return same
        answers.append(same)
    return boolean(all(answers) is (index == EQUAL))


def _compare_sequences(
    machine: Machine, index: int, left: Sequence[Value], right: Sequence[Value], depth: int
) -> Reply:
    if len(left) != len(right) and index in (EQUAL, NOT_EQUAL):
        return boolean(index == NOT_EQUAL)
    for first, second in zip(tuple(left), tuple(right), strict=False):
        same = equal_items(machine, first, second, depth)
        if isinstance(same, STOPS):
            return same
        if not same:
            if index in (EQUAL, NOT_EQUAL):
                return boolean(index == NOT_EQUAL)
            return compare(machine, index, first, second, depth + 1)
    return fold(machine, COMPARISONS[index], (len(left), len(right)))


def _compare_dicts(machine: Machine, index: int, left: Value, right: Value, depth: int) -> Reply:
    first, second = dict_content(machine, left, complete=True), dict_content(machine, right, complete=True)
    if isinstance(first, Break):
        return first
    if isinstance(second, Break):
        return second
    if len(first.entries) != len(second.entries):
        return boolean(index == NOT_EQUAL)
    for key, item in tuple(first.entries.items()):
        other = second.entries.get(key)
        if other is None or isinstance(other, Absent) or isinstance(item, Absent):
            return boolean(index == NOT_EQUAL)
        same = equal_items(machine, item, other, depth)
        if isinstance(same, STOPS):
            return same
        if not same:
            return boolean(index == NOT_EQUAL)
    return boolean(index == EQUAL)


def _compare_rich(machine: Machine, index: int, left: Value, right: Value, depth: int) -> Reply:
    """`do_richcompare`, where at least one is an instance of a class of the user's."""
    left_type, right_type = machine.type_of(left), machine.type_of(right)
    swapped_first = left_type is not right_type and is_among(left_type, mro_of(right_type))
    attempts = [(left, index, right), (right, _SWAPPED[index], left)]
    if swapped_first:
        attempts.reverse()
    for value, at, other in attempts:
        reply = _attempt(machine, value, at, other, depth)
        if isinstance(reply, STOPS):
            return reply
        if not _is_not_implemented(reply):
            return reply
    if index in (EQUAL, NOT_EQUAL):
        same = identical(machine, left, right)
        return same if isinstance(same, STOPS) else boolean(same is (index == EQUAL))
    return refusal(machine, COMPARISONS[index], (left, right))


def _is_not_implemented(reply: Reply) -> bool:
    return isinstance(reply, Constant) and reply.value is NotImplemented


def _attempt(machine: Machine, value: Value, index: int, other: Value, depth: int) -> Reply:
    """One side's answer, `NotImplemented` included."""
    method = special_method(machine, value, _NAMES[index])
    if method is None or isinstance(method, STOPS):
        return NOT_IMPLEMENTED if method is None else method
    if is_function(method, object.__dict__[_NAMES[index]]):
        if index == EQUAL:
            same = identical(machine, value, other)
            return same if isinstance(same, STOPS) else TRUE if same else NOT_IMPLEMENTED
        return _inverted_equality(machine, value, other, depth) if index == NOT_EQUAL else NOT_IMPLEMENTED
    type_ = machine.type_of(value)
    base = builtin_base(type_)
    if is_builtin(method) and base is not None and is_among(base, _COMPARABLE):
        if is_function(method, names_of(base).get(_NAMES[index])):
            return compare_base(machine, index, value, other, depth)
    if is_static_type(type_) and type_ in _COMPARABLE:
        return NOT_IMPLEMENTED
    if is_builtin(method) and base is None:
        return machine.stop("SX2108", f"{class_name(type_)}.{_NAMES[index]} is not interpreted")
    reply = call_special(machine, method, value, other)
    return reply if isinstance(reply, STOPS) else machine.resolve(reply)


def _inverted_equality(machine: Machine, value: Value, other: Value, depth: int) -> Reply:
    """`object.__ne__`: what the type's `__eq__` says, inverted."""
    reply = _attempt(machine, value, EQUAL, other, depth)
    if isinstance(reply, STOPS) or _is_not_implemented(reply):
        return reply
    answer = truth(machine, reply)
    return answer if isinstance(answer, STOPS) else FALSE if answer else TRUE
