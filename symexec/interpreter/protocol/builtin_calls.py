"""Calls of builtin functions, types and methods: a table from the C callable to what it does with values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from types import BuiltinFunctionType, ClassMethodDescriptorType, MethodDescriptorType, WrapperDescriptorType
from typing import Final

from symexec.interpreter.builtins.arguments import Rule
from symexec.interpreter.builtins.constructors import CONSTRUCTOR_RULES
from symexec.interpreter.builtins.containers import CONTAINER_RULES
from symexec.interpreter.builtins.deques import DEQUE_RULES
from symexec.interpreter.builtins.dicts import DICT_RULES
from symexec.interpreter.builtins.exceptions import EXCEPTION_RULES
from symexec.interpreter.builtins.functions import FUNCTION_RULES
from symexec.interpreter.builtins.generators import SUSPENSION_RULES
from symexec.interpreter.builtins.getters import GETTER_RULES
from symexec.interpreter.builtins.iterators import ITERATOR_RULES
from symexec.interpreter.builtins.lists import LIST_RULES
from symexec.interpreter.builtins.mappings import MAPPING_RULES
from symexec.interpreter.builtins.numbers import number_rules
from symexec.interpreter.builtins.operator_functions import OPERATOR_RULES
from symexec.interpreter.builtins.ordered import ORDERED_RULES
from symexec.interpreter.builtins.plain_objects import PLAIN_OBJECT_RULES
from symexec.interpreter.builtins.pure import PURE_RULES
from symexec.interpreter.builtins.pure_iterators import PURE_ITERATOR_RULES
from symexec.interpreter.builtins.reductions import REDUCTION_RULES
from symexec.interpreter.builtins.sets import SET_RULES
from symexec.interpreter.builtins.sorting import SORTING_RULES
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import Reply
from symexec.interpreter.protocol.special import is_among, mro_of, names_of
from symexec.values.model import Known, Value
from symexec.values.origin import Fixed

_CONSTANT_RULES: Final[Mapping[object, Rule]] = {
    **PURE_RULES,
    **OPERATOR_RULES,
    **CONSTRUCTOR_RULES,
    **CONTAINER_RULES,
    **LIST_RULES,
    **DICT_RULES,
    **SET_RULES,
    **DEQUE_RULES,
    **MAPPING_RULES,
    **FUNCTION_RULES,
    **REDUCTION_RULES,
    **SORTING_RULES,
    **SUSPENSION_RULES,
    **EXCEPTION_RULES,
    **ITERATOR_RULES,
    **GETTER_RULES,
    **ORDERED_RULES,
    **PURE_ITERATOR_RULES,
    **PLAIN_OBJECT_RULES,
}
RULES: Final[Mapping[object, Rule]] = {**_CONSTANT_RULES, **number_rules(_CONSTANT_RULES)}
_BY_IDENTITY: Final[Mapping[int, Rule]] = {id(function): rule for function, rule in RULES.items()}
_PAST_ORDER: Final = frozenset(
    id(function)
    for name, function in names_of(dict).items()
    if name in names_of(OrderedDict) and type(function) in (MethodDescriptorType, WrapperDescriptorType)
)
"""Methods of `dict`, by identity, that know nothing of the order that an `OrderedDict` keeps by its own."""


def call_builtin(
    machine: Machine, function: object, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply | None:
    """What the C function, builtin type or unbound method gives; `None` if it is not known here.

    The function was identified by the caller.  A method gets its object as the first argument.
    """
    rule = _BY_IDENTITY.get(id(function))
    if rule is not None:
        if id(function) in _PAST_ORDER and args and is_among(OrderedDict, mro_of(machine.type_of(args[0]))):
            return machine.stop("SX2116", "a method of dict is called on an OrderedDict, past what keeps its order")
        return rule(machine, args, kwargs)
    if type(function) is not BuiltinFunctionType:
        return None
    owner = function.__self__
    if not isinstance(owner, type) or not is_static_type(owner):
        return None
    attribute = names_of(owner).get(function.__name__)
    rule = _BY_IDENTITY.get(id(attribute))
    if rule is None or not isinstance(attribute, ClassMethodDescriptorType):
        return None
    return rule(machine, [Known(owner, Fixed(owner)), *args], kwargs)
