"""Facts about classes: what stands under a name, and the guards that say so, each recorded once a trace.

Whatever the metaclass says, classes are read through `type`'s own descriptors: no user code runs.  Knows nothing of
instances.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping
from enum import EnumType
from functools import partial
from inspect import FullArgSpec
from types import (
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Final

from symexec.interpreter.equivalents.table import ITERATORS
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import Break
from symexec.interpreter.protocol.fixed import is_fixed_class
from symexec.interpreter.protocol.special import mro_of, names_of
from symexec.interpreter.records import ClassRecord, Found, FoundKind
from symexec.values.guard import ContainsKey, Is, IsBoundMethod, Lacks, Length, TypeIs
from symexec.values.heap import ABSENT, Absent, ObjectContent
from symexec.values.model import Known, Value
from symexec.values.origin import Attribute, Fixed, Held, Item, Origin, TypeOf

_instance_dict_offset: Final = type.__dict__["__dictoffset__"].__get__
_name_of: Final = type.__dict__["__name__"].__get__
_static_function: Final = staticmethod.__dict__["__func__"].__get__
_class_function: Final = classmethod.__dict__["__func__"].__get__

_FIELD: Final[type] = type(FullArgSpec.__dict__["args"])  # a field of a named tuple

_KINDS: Final[Mapping[int, FoundKind]] = {
    id(FunctionType): FoundKind.FUNCTION,
    id(staticmethod): FoundKind.STATIC,
    id(classmethod): FoundKind.CLASS,
    id(property): FoundKind.PROPERTY,
    id(MemberDescriptorType): FoundKind.SLOT,
    id(_FIELD): FoundKind.SLOT,
    id(GetSetDescriptorType): FoundKind.GETSET,
    id(MethodDescriptorType): FoundKind.C_METHOD,
    id(WrapperDescriptorType): FoundKind.C_METHOD,
    id(ClassMethodDescriptorType): FoundKind.C_CLASS_METHOD,
    id(MethodType): FoundKind.PLAIN,  # its __get__ gives itself
}

_ORDINARY: Final = (
    object, int, float, complex, str, bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, range, slice,
    BaseException, FunctionType, CodeType, CellType, property, staticmethod, classmethod, enumerate, zip, map, filter,
    reversed, partial, SimpleNamespace, deque, defaultdict, OrderedDict, GeneratorType, CoroutineType,
    *map(type, (None, ..., NotImplemented, len, list.append, object.__init__)),
    *map(type, ({}.keys(), {}.values(), {}.items(), iter([]), iter(()), iter({}), iter(set()), iter(""), iter(b""))),
    type(iter(range(0))), *ITERATORS.values(),
)  # fmt: skip
_GENERIC_LOADS: Final = frozenset(
    id(names_of(type_)["__getattribute__"]) for type_ in _ORDINARY if "__getattribute__" in names_of(type_)
)
"""The `__getattribute__`s, by identity, that are CPython's `PyObject_GenericGetAttr`."""

_GENERIC_WRITES: Final = frozenset(
    (name, id(names_of(type_)[name]))
    for type_ in (object, SimpleNamespace, BaseException)
    for name in ("__setattr__", "__delattr__")
    if name in names_of(type_)
)
"""The `__setattr__`s and `__delattr__`s, by identity, that are CPython's `PyObject_GenericSetAttr`."""

ORDER: Final = names_of(type)["__mro__"]
"""What every class has under `__mro__`, if its metaclass has nothing else."""

_METACLASS: Final = "(metaclass)"  # facts that are no attribute names
_LOADS: Final = "(loads)"
_FOUND: Final = "(loads of what is there)"

TYPE_LOAD: Final = names_of(type)["__getattribute__"]


_OF_ENUMS: Final = names_of(EnumType).get("__getattr__")
"""Up to 3.11 enumerations have a fallback of their own: it raises `AttributeError` for all that is not a member."""


def class_name(type_: type) -> str:
    """`type_.__name__`, whatever its metaclass says."""
    name: str = _name_of(type_)
    return name


def static_function(method: object) -> object:
    """What a `staticmethod` object wraps."""
    found: object = _static_function(method)
    return found


def class_function(method: object) -> object:
    """What a `classmethod` object wraps."""
    found: object = _class_function(method)
    return found


def find_in_class(type_: type, name: str) -> object:
    """What the first class of the method resolution order that has `name` has under it; `ABSENT` if none has."""
    for base in mro_of(type_):
        namespace = names_of(base)
        if name in namespace:
            return namespace[name]
    return ABSENT


def _has(type_: type, name: str) -> bool:
    return find_in_class(type_, name) is not ABSENT


def loads_plainly(type_: type) -> bool:
    """Whether attributes of the class's instances are looked up as `object` does."""
    return id(find_in_class(type_, "__getattribute__")) in _GENERIC_LOADS


def writes_plainly(type_: type, name: str = "__setattr__") -> bool:
    """Whether attributes of the class's instances are set (or deleted) as `object` does."""
    return (name, id(find_in_class(type_, name))) in _GENERIC_WRITES


def classify(raw: object) -> FoundKind:
    """What an attribute load does with an object found in a class's namespace."""
    kind = _KINDS.get(id(type(raw)))
    if kind is not None:
        return kind
    if raw is ABSENT:
        return FoundKind.ABSENT
    type_ = type(raw)
    if _has(type_, "__set__") or _has(type_, "__delete__"):
        return FoundKind.DATA
    return FoundKind.DESCRIPTOR if _has(type_, "__get__") else FoundKind.PLAIN


def class_record(machine: Machine, type_: type) -> ClassRecord:
    """What the trace knows of a class.  Nothing is guarded by this."""
    record = machine.classes.get(id(type_))
    if record is None:
        fixed = is_static_type(type_) or is_fixed_class(type_)
        origin = Fixed(type_) if fixed else Held(type_)
        has_dict = bool(_instance_dict_offset(type_))
        record = machine.classes[id(type_)] = ClassRecord(type_, origin, fixed, has_dict)
        if not fixed:
            bases = [machine.classes.get(id(base)) for base in mro_of(type_)]
            record.written.update(*[base.written for base in bases if base is not None])
    return record


def identify_class(machine: Machine, record: ClassRecord, known: Known) -> Break | None:
    """Rely on `known` being the class of the record."""
    origin = known.origin
    if origin in record.identified or origin == record.origin:
        return None
    if type(origin) is TypeOf:
        machine.guards.add(origin.base, TypeIs(record.type))
    elif not machine.identify(known):
        return machine.stop("SX2017", f"{class_name(record.type)} cannot be recognised again")
    record.identified.add(origin)
    machine.heap.record(lambda: record.identified.discard(origin))
    return None


def written_value(machine: Machine, record: ClassRecord, name: str) -> Value | Break | None:
    """What the trace gave the class, or the base that it inherits the name from; `None` if it gave neither anything.

    That no class in between has the name is guarded.
    """
    between: list[ClassRecord] = []
    for base in mro_of(record.type):
        content = machine.heap.existing(Known(base, Held(base)))
        if isinstance(content, ObjectContent) and name in content.attributes:
            value = content.attributes[name]
            return None if isinstance(value, Absent) else rely_on_gaps(machine, between, name) or value
        if name in names_of(base):
            return None
        between.append(class_record(machine, base))
    return None


def rely_on_namespace(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    """Guard in which class's namespace the name is found, and the type of what is there.

    Only so can a function be told from a static method of it where no instance is at hand, and a class method from a
    bound one.
    """
    fact = f"({name})"
    if record.fixed or fact in record.facts:
        return None
    between: list[ClassRecord] = []
    for base in mro_of(record.type):
        owner = class_record(machine, base)
        if name in names_of(base):
            stop = rely_on_gaps(machine, between, name) or rely_on_metaclass(machine, owner)
            if stop is not None:
                return stop
            if not owner.fixed:
                place = Item(Attribute(owner.origin, "__dict__"), name)
                machine.guards.add(place, TypeIs(type(names_of(base)[name])))
            break
        between.append(owner)
    remember(machine, record, fact)
    return None


def rely_on_gaps(machine: Machine, records: list[ClassRecord], name: str) -> Break | None:
    """Guard that none of the classes has the name in its own namespace."""
    for record in records:
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        if not record.fixed:
            machine.guards.add(Attribute(record.origin, "__dict__"), ContainsKey(name, False))
    return None


def look_up(record: ClassRecord, name: str) -> Found:
    """What the class has under a name.  Nothing is guarded by this."""
    found = record.names.get(name)
    if found is None:
        raw = find_in_class(record.type, name)
        kind = classify(raw)
        if kind is FoundKind.SLOT and not _fits(record.type, raw):
            kind = FoundKind.DATA
        found = record.names[name] = Found(kind, raw)
    return found


def _fits(type_: type, raw: object) -> bool:
    """Whether a member descriptor found in the class applies to its instances (it may stem from another class)."""
    layout: object = raw.__objclass__ if type(raw) is MemberDescriptorType else tuple
    return any(base is layout for base in mro_of(type_))


def remember(machine: Machine, record: ClassRecord, fact: str) -> None:
    """Note that the fact is guarded, until it is rolled back."""
    record.facts.add(fact)
    machine.heap.record(lambda: record.facts.discard(fact))


def rely_on_metaclass(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that ordinary loads through the class are those of `type`: a metaclass without lookups of its own."""
    if record.fixed or _METACLASS in record.facts:
        return None
    metaclass = type(record.type)
    if metaclass is type:
        return None  # the class of such a class cannot be changed
    fallback = find_in_class(metaclass, "__getattr__")
    plain = find_in_class(metaclass, "__getattribute__") is TYPE_LOAD and (fallback is ABSENT or fallback is _OF_ENUMS)
    if type(metaclass) is not type or not plain:
        name = class_name(metaclass)
        return machine.stop("SX2010", f"attributes of {class_name(record.type)} are looked up by {name}")
    machine.guards.add(record.origin, TypeIs(metaclass))
    _rely_on_plain_metaclass(machine, class_record(machine, metaclass), fallback)
    remember(machine, record, _METACLASS)
    return None


def _rely_on_plain_metaclass(machine: Machine, record: ClassRecord, fallback: object) -> None:
    if record.fixed or _METACLASS in record.facts:
        return
    machine.guards.add(Attribute(record.origin, "__getattribute__"), Is(TYPE_LOAD))
    if fallback is ABSENT:
        machine.guards.add(record.origin, Lacks("__getattr__"))
    else:
        machine.guards.add(Attribute(record.origin, "__getattr__"), Is(fallback))
    remember(machine, record, _METACLASS)


def is_generic(record: ClassRecord) -> bool:
    """Whether the class's `__getattribute__` is that of `object`.  Nothing is guarded by this."""
    return id(look_up(record, "__getattribute__").raw) in _GENERIC_LOADS


def is_quiet(record: ClassRecord) -> bool:
    """Whether loads of attributes that are missing run no code of the class's either.  Nothing is guarded by this."""
    return is_generic(record) and look_up(record, "__getattr__").kind is FoundKind.ABSENT


def rely_on_found(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that attributes of the class's instances which are there are looked up as `object` does."""
    if _FOUND in record.facts:
        return None
    if not is_generic(record):
        return machine.stop("SX2011", f"{class_name(record.type)} looks up attributes in a way of its own")
    if not record.fixed:
        stop = rely_on_metaclass(machine, record)
        if stop is not None:
            return stop
        load = look_up(record, "__getattribute__")
        machine.guards.add(Attribute(record.origin, "__getattribute__"), Is(load.raw))
    remember(machine, record, _FOUND)
    return None


def rely_on_loads(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that attributes of the class's instances are looked up as `object` does, with no `__getattr__`."""
    if _LOADS in record.facts:
        return None
    stop = rely_on_found(machine, record)
    if stop is None and look_up(record, "__getattr__").kind is not FoundKind.ABSENT:
        stop = machine.stop("SX2011", f"{class_name(record.type)} looks up attributes in a way of its own")
    if stop is not None:
        return stop
    stop = rely_on_no_fallback(machine, record)
    if stop is None:
        remember(machine, record, _LOADS)
    return stop


def rely_on_no_fallback(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that the class has no `__getattr__`; that its metaclass has one for the class itself does not matter."""
    if record.fixed:
        return None
    if find_in_class(type(record.type), "__getattr__") is ABSENT:
        return rely_on_name(machine, record, "__getattr__")
    return _rely_on_lack(machine, record, "__getattr__")


def _rely_on_lack(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    """Guard, class by class, that the instances of the class find nothing under the name."""
    order = mro_of(record.type)
    if find_in_class(type(record.type), "__mro__") is not ORDER:
        return machine.stop("SX2010", f"the metaclass of {class_name(record.type)} has an order of its own")
    origin = Attribute(record.origin, "__mro__")
    machine.guards.add(origin, Length(len(order)))
    for index, each in enumerate(order):
        machine.guards.add(Item(origin, index), Is(each))
    return rely_on_gaps(machine, [class_record(machine, each) for each in order], name)


def rely_on_name(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    """Guard what the class has under a name, as far as it decides what a load through it or an instance does.

    Afterwards an ordinary load of the name, through the class or an instance of it, runs no user code, but for the
    getter of a property.  The identity of functions is guarded, so that they can be held; that of plain values is not.
    """
    if record.fixed or name in record.facts:
        return None
    found = look_up(record, name)
    if found.kind is FoundKind.ABSENT and find_in_class(type(record.type), name) is not ABSENT:
        stop = _rely_on_lack(machine, record, name)  # a load through the class gives what the metaclass has
        if stop is None:
            remember(machine, record, name)
        return stop
    stop = rely_on_metaclass(machine, record) or _rely_on_metaclass_name(machine, record, name)
    if stop is None:
        stop = _guard_found(machine, record, name, look_up(record, name))
    if stop is None:
        remember(machine, record, name)
    return stop


def _guard_found(machine: Machine, record: ClassRecord, name: str, found: Found) -> Break | None:
    origin = Attribute(record.origin, name)
    match found.kind:
        case FoundKind.ABSENT:
            machine.guards.add(record.origin, Lacks(name))
        case FoundKind.FUNCTION:
            machine.guards.add(origin, Is(found.raw))
        case FoundKind.C_METHOD:
            if not machine.is_fixed(found.raw):
                return _opaque(machine, record, name)
            machine.guards.add(origin, Is(found.raw))
        case FoundKind.STATIC:
            return rely_on_plain(machine, origin, static_function(found.raw))
        case FoundKind.CLASS:
            function = class_function(found.raw)
            if type(function) is not FunctionType:
                return _opaque(machine, record, name)
            machine.guards.add(origin, IsBoundMethod(function))
            return rely_on_namespace(machine, record, name)  # a bound method could stand there, of another class
        case FoundKind.PROPERTY | FoundKind.SLOT | FoundKind.GETSET:
            machine.guards.add(origin, TypeIs(type(found.raw)))
        case FoundKind.PLAIN if type(found.raw) is BuiltinFunctionType and machine.is_fixed(found.raw):
            machine.guards.add(origin, Is(found.raw))
        case FoundKind.PLAIN:
            return rely_on_plain(machine, origin, found.raw)
        case FoundKind.DATA | FoundKind.DESCRIPTOR | FoundKind.C_CLASS_METHOD:
            return _opaque(machine, record, name)
    return None


def _opaque(machine: Machine, record: ClassRecord, name: str) -> Break:
    kind = look_up(record, name).kind.value
    return machine.stop("SX2012", f"{class_name(record.type)}.{name} is a {kind} that only Python can read")


def rely_on_plain(machine: Machine, origin: Origin, value: object) -> Break | None:
    """Guard that what `origin` reaches is of the type of `value`, which is no descriptor of a user's."""
    machine.guards.add(origin, TypeIs(type(value)))
    record = class_record(machine, type(value))
    for name in ("__get__", "__set__", "__delete__"):
        if record.fixed:
            break
        if look_up(record, name).kind is not FoundKind.ABSENT:
            return machine.stop("SX2012", f"an object of {class_name(record.type)} is a descriptor")
        stop = rely_on_name(machine, record, name)
        if stop is not None:
            return stop
    return None


def _rely_on_metaclass_name(machine: Machine, record: ClassRecord, name: str) -> Break | None:
    """Guard that the metaclass has nothing under the name that would come before, or instead of, the class's own."""
    metaclass = class_record(machine, type(record.type))
    found = look_up(metaclass, name)
    absent = look_up(record, name).kind is FoundKind.ABSENT
    match found.kind:
        case FoundKind.ABSENT:
            if not metaclass.fixed:
                machine.guards.add(metaclass.origin, Lacks(name))
            return None
        case FoundKind.FUNCTION | FoundKind.STATIC | FoundKind.C_METHOD if not absent:
            if not metaclass.fixed:
                return _guard_found(machine, metaclass, name, found)
            return None
        case FoundKind.PLAIN if not absent:
            return None if metaclass.fixed else rely_on_plain(machine, Attribute(metaclass.origin, name), found.raw)
        case _:
            kind, owner = class_name(metaclass.type), class_name(record.type)
            return machine.stop("SX2013", f"what {owner} has under {name!r} is hidden by what {kind} has")
