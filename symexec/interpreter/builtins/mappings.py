"""`collections.defaultdict` and `collections.OrderedDict`, and the C helper of `collections.Counter`."""

from __future__ import annotations

import collections
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, misfit, named, positional
from symexec.interpreter.builtins.dicts import DICT_RULES
from symexec.interpreter.builtins.functions import is_callable
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base, has_own
from symexec.interpreter.protocol.comparisons import compare_base
from symexec.interpreter.protocol.contents import dict_content, dict_entry
from symexec.interpreter.protocol.dicts import dict_update, physical_order, store_entry, take_entry
from symexec.interpreter.protocol.items import delete_base_item, set_base_item, set_item
from symexec.interpreter.protocol.iterate import get_iterator, next_item
from symexec.interpreter.protocol.iterators import base_iterator
from symexec.interpreter.protocol.keys import element_value, raise_key_error, usable_key
from symexec.interpreter.protocol.nothing import turns_out_none
from symexec.interpreter.protocol.operators import binary_operation
from symexec.interpreter.protocol.special import is_among, mro_of
from symexec.interpreter.protocol.truth import truth
from symexec.values.heap import Absent, DictContent, ObjectContent, TupleContent, ViewContent
from symexec.values.model import FALSE, NONE, TRUE, Constant, Made, Value

_ADD: Final = 0  # of _nb_ops
_FACTORY: Final = "default_factory"


def _new(kind: type, machine: Machine) -> Made:
    return machine.heap.make(ObjectContent(kind, {}, DictContent({}, complete=True)))


def _fill(machine: Machine, container: Value, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if len(args) > 1:
        return misfit(machine)
    stop = dict_update(machine, container, args[0]) if args else None
    for name, value in kwargs:
        stop = stop or store_entry(machine, container, name, value)
    return stop or NONE


def _default(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _new(defaultdict, machine)
    reply = _initialise_default(machine, [made, *args], kwargs)
    return reply if isinstance(reply, STOPS) else made


def _initialise_default(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = args[0] if args else NONE
    content = machine.heap.content(made) if isinstance(made, Made) else None
    if not isinstance(content, ObjectContent) or _FACTORY in content.attributes:
        return misfit(machine)
    factory = args[1] if len(args) > 1 else NONE
    usable = True if turns_out_none(machine, factory) else is_callable(machine, factory)
    if isinstance(usable, Break):
        return usable
    if not usable:
        return Raise(TypeError("first argument must be callable or None"))
    content.attributes[_FACTORY] = factory
    machine.heap.record(lambda: content.attributes.pop(_FACTORY))
    return _fill(machine, made, args[2:], kwargs)


def _missing(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`defaultdict.__missing__`."""
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    factory = machine.get_attribute(machine, args[0], _FACTORY)
    if isinstance(factory, STOPS):
        return factory
    factory = machine.resolve(factory)
    if isinstance(factory, Constant) and factory.value is None:
        key = usable_key(machine, args[1])
        return key if isinstance(key, Break) else raise_key_error(machine, args[1], key)
    value = machine.call(machine, factory, (), ())
    if isinstance(value, STOPS):
        return value
    return set_item(machine, args[0], args[1], value) or value


def _ordered(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    made = _new(OrderedDict, machine)
    reply = _fill(machine, made, args, kwargs)
    return reply if isinstance(reply, STOPS) else made


def _initialise_ordered(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not args:
        return misfit(machine)
    stop = has_own(machine, machine.type_of(args[0]), "__setitem__")
    return stop or _fill(machine, args[0], args[1:], kwargs)


def _exactly(kind: type, rule: Rule) -> Rule:
    """The rule, for an object of exactly the type: for subclasses CPython asks their own methods."""

    def exact(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        return rule(machine, args, kwargs) if args and machine.type_of(args[0]) is kind else misfit(machine)

    return exact


def _flag(machine: Machine, value: Value | None) -> bool | Raise | Break:
    return True if value is None else truth(machine, value)


def _ends(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`OrderedDict.popitem(last=True)`."""
    given = named(args, kwargs, ("self", "last"))
    content = dict_content(machine, args[0], complete=True)
    last = misfit(machine) if given is None else _flag(machine, given.get("last"))
    if isinstance(content, Break) or isinstance(last, STOPS):
        return content if isinstance(content, Break) else misfit(machine)
    if not content.entries:
        return Raise(KeyError("dictionary is empty"))
    key = next(reversed(content.entries)) if last else next(iter(content.entries))
    if not isinstance(args[0], Made):
        return machine.stop("SX2101", "an ordered dict that existed before is taken from by Python")
    stored = content.keys.get(key) or element_value(key)
    entry = take_entry(machine, args[0], key)
    if isinstance(entry, (Absent, Break)):
        return misfit(machine) if isinstance(entry, Absent) else entry
    return machine.heap.make(TupleContent((stored, entry)))


def _move(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`OrderedDict.move_to_end(key, last=True)`."""
    given = named(args, kwargs, ("self", "key", "last"))
    if given is None or "key" not in given:
        return misfit(machine)
    content, last = dict_content(machine, args[0], complete=True), _flag(machine, given.get("last"))
    key = usable_key(machine, given["key"])
    if isinstance(content, Break) or isinstance(last, STOPS) or isinstance(key, Break):
        return content if isinstance(content, Break) else misfit(machine)
    if not isinstance(args[0], Made):
        return machine.stop("SX2101", "an ordered dict that existed before is put in order by Python")
    if key not in content.entries:
        return raise_key_error(machine, given["key"], key)
    before = content.entries
    stored = next(each for each in before if each == key)
    others: dict[Hashable, Value | Absent] = {each: entry for each, entry in before.items() if each != key}
    moved: dict[Hashable, Value | Absent] = {stored: before[key]}
    order = content.order
    content.order = physical_order(content)
    content.entries = {**others, **moved} if last else {**moved, **others}
    content.removals += 1

    def undo() -> None:
        content.order = order
        content.entries = before
        content.removals -= 1

    machine.heap.record(undo)
    return NONE


def _compare(index: int) -> Rule:
    """Ordered dicts are equal if they are as dicts and, among themselves, in order."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 2, 2):
            return misfit(machine)
        if builtin_base(machine.type_of(args[1])) is not dict:
            return Constant(NotImplemented)
        if is_among(OrderedDict, mro_of(machine.type_of(args[1]))):
            orders = [dict_content(machine, arg, complete=True) for arg in args]
            keys = [[*order.entries] for order in orders if isinstance(order, DictContent)]
            if len(keys) != len(orders):
                return misfit(machine)
            if len(keys[0]) == len(keys[1]) and keys[0] != keys[1]:
                reply = compare_base(machine, 2, args[0], args[1])  # the items are compared all the same
                return reply if isinstance(reply, STOPS) else FALSE if index == 2 else TRUE
        return compare_base(machine, index, args[0], args[1])

    return rule


def _count_elements(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    """`collections._count_elements(mapping, iterable)`."""
    if not positional(args, kwargs, 2, 2) or builtin_base(machine.type_of(args[0])) is not dict:
        return misfit(machine)
    stop = has_own(machine, machine.type_of(args[0]), "__setitem__", "get")
    iterator = stop or get_iterator(machine, args[1])
    if isinstance(iterator, STOPS):
        return iterator
    while True:
        key = next_item(machine, iterator)
        if key is None or isinstance(key, STOPS):
            return NONE if key is None else key
        found = usable_key(machine, key)
        entry = found if isinstance(found, Break) else dict_entry(machine, args[0], found)
        if isinstance(entry, Break):
            return entry
        count = binary_operation(machine, _ADD, Constant(0) if isinstance(entry, Absent) else entry, Constant(1))
        stopped = count if isinstance(count, STOPS) else set_base_item(machine, dict, args[0], key, count)
        if stopped is not None:
            return stopped


def _copy_default(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    factory = machine.get_attribute(machine, args[0], _FACTORY)
    return factory if isinstance(factory, STOPS) else _default(machine, [factory, args[0]], kwargs)


def _fixed_function(name: str) -> object:
    return vars(collections)[name]


def _stored(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 3, 3):
        return misfit(machine)
    return set_base_item(machine, dict, args[0], args[1], args[2]) or NONE


def _deleted(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 2):
        return misfit(machine)
    return delete_base_item(machine, dict, args[0], args[1]) or NONE


def _view(kind: str) -> Rule:
    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not positional(args, kwargs, 1, 1):
            return misfit(machine)
        return machine.heap.make(ViewContent(kind, args[0], ordered=True))

    return rule


def _iterated(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return base_iterator(machine, dict, args[0]) if positional(args, kwargs, 1, 1) else misfit(machine)


MAPPING_RULES: Final[dict[object, Rule]] = {
    defaultdict: _default,
    defaultdict.__init__: _initialise_default,
    defaultdict.__missing__: _missing,
    defaultdict.copy: _exactly(defaultdict, _copy_default),
    defaultdict.__copy__: _exactly(defaultdict, _copy_default),
    OrderedDict: _ordered,
    OrderedDict.__init__: _initialise_ordered,
    OrderedDict.__setitem__: _stored,
    OrderedDict.__delitem__: _deleted,
    OrderedDict.__iter__: _iterated,
    OrderedDict.popitem: _exactly(OrderedDict, _ends),
    OrderedDict.move_to_end: _move,
    OrderedDict.__eq__: _compare(2),
    OrderedDict.__ne__: _compare(3),
    **{
        vars(OrderedDict)[name]: _exactly(OrderedDict, DICT_RULES[vars(dict)[name]])
        for name in ("pop", "setdefault", "update", "clear")
    },
    OrderedDict.copy: _exactly(OrderedDict, _ordered),
    **{vars(OrderedDict)[kind]: _view(kind) for kind in ("keys", "values", "items")},
    _fixed_function("_count_elements"): _count_elements,
}
