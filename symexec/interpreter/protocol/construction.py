"""Calling plain classes of the user's: CPython's `type.__call__`, `object.__new__` and `object.__init__`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from symexec.errors import InternalError
from symexec.interpreter.machine import Machine, is_class, is_static_type
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.attribute_writes import discard, rely_on_writes, store
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.class_attributes import class_attribute
from symexec.interpreter.protocol.classes import (
    class_name,
    class_record,
    identify_class,
    look_up,
    rely_on_metaclass,
    rely_on_name,
    rely_on_namespace,
    remember,
    writes_plainly,
)
from symexec.interpreter.protocol.descriptors import generic_attribute, is_unbound
from symexec.interpreter.protocol.exception_calls import create_any
from symexec.interpreter.protocol.exceptions import (
    initialise_exception,
    is_builtin_exception_method,
    layout_of,
)
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.special import is_among, mro_of, names_of
from symexec.interpreter.protocol.subclasses import held_at_first, is_initialiser, made_by, make_and_drop
from symexec.interpreter.records import ClassRecord, FoundKind
from symexec.values.guard import ContainsKey, Is, Length, TypeIs
from symexec.values.heap import Content, MethodContent, ObjectContent
from symexec.values.model import NONE, Constant, Known, Made, Null, Value
from symexec.values.origin import Attribute, Fixed, Held

_NEW: Final = object.__dict__["__new__"]
_INIT: Final = object.__dict__["__init__"]
_CALL: Final = names_of(type)["__call__"]
_CREATION: Final = "(creation)"  # a fact that is no attribute name
_ABSTRACT: Final = 1 << 20  # Py_TPFLAGS_IS_ABSTRACT
_type_flags: Final = type.__dict__["__flags__"].__get__


def construct(
    machine: Machine, known: Known, type_: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """Call the class `type_`, which `known` is."""
    record = class_record(machine, type_)
    if record.fixed:
        return machine.stop("SX2021", f"{class_name(type_)} is not called by the trace with such arguments")
    stop = identify_class(machine, record, known)
    if stop is not None:
        return stop
    metaclass = class_record(machine, type(type_))
    own = look_up(metaclass, "__call__")
    if own.kind is not FoundKind.FUNCTION:
        return construct_plainly(machine, record, args, kwargs)
    stop = rely_on_metaclass(machine, record) or rely_on_name(machine, metaclass, "__call__")
    stop = stop or rely_on_namespace(machine, metaclass, "__call__")
    if stop is not None:
        return stop
    function = Known(own.raw, Held(own.raw))
    return machine.call(machine, function, [Known(type_, record.origin), *args], kwargs)


def call_type_call(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`type.__call__(cls, ...)` called by name."""
    known = args[0] if args else None
    if not isinstance(known, Known) or not is_class(known.value) or is_static_type(known.value):
        return machine.stop("SX2022", "type.__call__ is called without a class")
    record = class_record(machine, known.value)
    stop = identify_class(machine, record, known)
    return stop or construct_plainly(machine, record, args[1:], kwargs)


def construct_plainly(
    machine: Machine, record: ClassRecord, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """What `type.__call__` does with a class that was identified."""
    type_ = record.type
    stop = _rely_on_call(machine, record)
    if stop is not None:
        return stop
    created = _create(machine, record, args, kwargs)
    if isinstance(created, STOPS) or not _is_instance(machine, created, type_):
        return created
    return _initialise(machine, record, created, args, kwargs)


def _rely_on_call(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that calling the class is `type.__call__`."""
    metaclass = class_record(machine, type(record.type))
    found = look_up(metaclass, "__call__")
    if found.raw is not _CALL and found.kind is not FoundKind.FUNCTION:
        return machine.stop("SX2022", f"calls of {class_name(record.type)} are made by its metaclass")
    stop = rely_on_name(machine, record, "__new__") or rely_on_name(machine, record, "__init__")
    if stop is None and not metaclass.fixed:
        machine.guards.add(Attribute(metaclass.origin, "__call__"), Is(found.raw))
    return stop


def _create(machine: Machine, record: ClassRecord, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    found = look_up(record, "__new__")
    class_value = Known(record.type, record.origin)
    if found.raw is _NEW:
        if (args or kwargs) and look_up(record, "__init__").raw is _INIT:
            return raise_naming(machine, record.type, lambda name: TypeError(f"{name}() takes no arguments"))
        return new_object(machine, record)
    base = made_by(found.raw)
    if base is not None:
        return create_like(machine, record, base, args, kwargs)
    if is_builtin_exception_method(found.raw, "__new__"):
        return create_any(machine, record, args)
    if found.kind is not FoundKind.STATIC:
        return machine.stop("SX2022", f"objects of {class_name(record.type)} are created by C code")
    pair = class_attribute(machine, class_value, record.type, "__new__")
    return pair if isinstance(pair, STOPS) else machine.call(machine, pair[1], [class_value, *args], kwargs)


def _is_instance(machine: Machine, value: Value, type_: type) -> bool:
    """Whether `type(value)` is a subclass of `type_`, by its method resolution order alone."""
    return not isinstance(value, Null) and any(base is type_ for base in mro_of(machine.type_of(value)))


def _initialise(
    machine: Machine, record: ClassRecord, created: Value, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    if machine.type_of(created) is not record.type:
        return machine.stop("SX2022", f"{class_name(record.type)}.__new__ gave an object of a subclass")
    found = look_up(record, "__init__")
    if found.raw is _INIT:
        return created
    if is_initialiser(found.raw):
        reply = machine.call(machine, Known(found.raw, Fixed(found.raw)), [created, *args], kwargs)
        return reply if isinstance(reply, STOPS) else created
    if is_builtin_exception_method(found.raw, "__init__") and isinstance(created, Made):
        return initialise_exception(machine, created, layout_of(record.type), args, kwargs) or created
    if found.kind is not FoundKind.FUNCTION:
        return machine.stop("SX2022", f"objects of {class_name(record.type)} are initialised by C code")
    reply = machine.call(machine, Known(found.raw, Held(found.raw)), [created, *args], kwargs)
    if isinstance(reply, STOPS):
        return reply
    result = machine.resolve(reply)
    if isinstance(result, Constant) and result.value is None:
        return created
    kind = machine.type_of(result)
    return raise_naming(machine, kind, lambda name: TypeError(f"__init__() should return None, not '{name}'"))


def create_like(
    machine: Machine, record: ClassRecord, base: type, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]
) -> Reply:
    """What `base.__new__(cls, *args, **kwargs)` makes, of a builtin type and a subclass that was identified."""
    if builtin_base(record.type) is not base:
        return machine.stop("SX2022", f"objects of {class_name(record.type)} are created by C code")
    held = held_at_first(machine, base, args, kwargs)
    return held if isinstance(held, STOPS) else new_object(machine, record, held)


def new_object(machine: Machine, record: ClassRecord, base: Content | None = None) -> Made | Break:
    """What `object.__new__` makes of a class that was identified; `base` is what it holds as an object of a base."""
    if _CREATION not in record.facts:
        stop = _rely_on_creation(machine, record)
        if stop is not None:
            return stop
        remember(machine, record, _CREATION)
    return machine.heap.make(ObjectContent(record.type, {}, base))


def _rely_on_creation(machine: Machine, record: ClassRecord) -> Break | None:
    """Guard that an object of the class can be made later, attribute by attribute, and dropped unnoticed."""
    name = class_name(record.type)
    if look_up(record, "__del__").kind is not FoundKind.ABSENT:
        return machine.stop("SX5002", f"objects of {name} have a finalizer", "Python makes and drops them")
    stop = rely_on_name(machine, record, "__del__")
    if stop is None and writes_plainly(record.type):  # others are built past their own `__setattr__`
        stop = rely_on_writes(machine, record)
    return stop or _rely_on_concreteness(machine, record)


def _rely_on_concreteness(machine: Machine, record: ClassRecord) -> Break | None:
    if _type_flags(record.type) & _ABSTRACT:
        return machine.stop("SX2022", f"{class_name(record.type)} is abstract, and Python says so")
    if type(record.type) is not type:
        origin = Attribute(record.origin, "__abstractmethods__")
        if "__abstractmethods__" in names_of(record.type):
            machine.guards.add(origin, TypeIs(frozenset))
            machine.guards.add(origin, Length(0))
        else:
            machine.guards.add(Attribute(record.origin, "__dict__"), ContainsKey("__abstractmethods__", False))
    try:
        make_and_drop(record.type)  # runs no user code: there is no finalizer
    except TypeError:
        return machine.stop("SX2022", f"objects of {class_name(record.type)} are created by C code")
    return None


def call_object_new(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`object.__new__(cls, ...)` called by name."""
    known = args[0] if args else None
    if not isinstance(known, Known) or not is_class(known.value):
        return machine.stop("SX2022", "object.__new__ is called without a class")
    record = class_record(machine, known.value)
    stop = identify_class(machine, record, known)
    if stop is not None:
        return stop
    if len(args) > 1 or kwargs:
        return machine.stop("SX2022", "object.__new__ is called with arguments that it may refuse")
    return new_object(machine, record)


def call_base_new(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]], base: type) -> Reply:
    """`base.__new__(cls, ...)` of a builtin type called by name."""
    known = args[0] if args else None
    if not isinstance(known, Known) or not is_class(known.value):
        return machine.stop("SX2022", f"{base.__name__}.__new__ is called without a class")
    record = class_record(machine, known.value)
    if record.fixed:
        return machine.stop("SX2022", f"{base.__name__}.__new__ is called for a builtin type")
    stop = identify_class(machine, record, known)
    return create_like(machine, record, base, args[1:], kwargs) if stop is None else stop


def call_object_setattr(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`object.__setattr__(self, name, value)` called by name."""
    found = _instance_and_name(machine, args, kwargs, 3, "__setattr__")
    if isinstance(found, Break):
        return found
    owner, record, name = found
    reply = store(machine, owner, record, name, args[2])
    return NONE if reply is None else reply


def call_object_delattr(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`object.__delattr__(self, name)` called by name."""
    found = _instance_and_name(machine, args, kwargs, 2, "__delattr__")
    if isinstance(found, Break):
        return found
    owner, record, name = found
    reply = discard(machine, owner, record, name)
    return NONE if reply is None else reply


def call_object_getattribute(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`object.__getattribute__(self, name)` called by name."""
    found = _instance_and_name(machine, args, kwargs, 2, "__getattribute__")
    if isinstance(found, Break):
        return found
    owner, record, name = found
    pair = generic_attribute(machine, owner, record, name)
    if isinstance(pair, STOPS):
        return pair
    return machine.heap.make(MethodContent(pair[0], pair[1])) if is_unbound(pair) else pair[1]


def _instance_and_name(
    machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]], count: int, method: str
) -> tuple[Known | Made, ClassRecord, str] | Break:
    """An instance of a class of the user's, its class, and a name, where the arguments are those."""
    name = machine.concrete(args[1]) if len(args) == count else None
    if type(name) is not str or kwargs:
        return machine.stop("SX2015", f"object.{method} is called with arguments that it may refuse")
    owner = machine.resolve(args[0])
    if isinstance(owner, Null):
        raise InternalError("NULL has no attributes")
    record = class_record(machine, machine.type_of(owner))
    instance = isinstance(owner, Known) or (
        isinstance(owner, Made) and isinstance(machine.heap.content(owner), ObjectContent)
    )
    if not isinstance(owner, (Known, Made)) or not instance or record.fixed or is_among(type, mro_of(record.type)):
        return machine.stop("SX2015", f"object.{method} is called with an object of {class_name(record.type)}")
    return owner, record, name


def call_object_init(machine: Machine, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]]) -> Reply:
    """`object.__init__(self)` called by name, without arguments."""
    if len(args) != 1 or kwargs:
        return machine.stop("SX2022", "object.__init__ is called with arguments that it may refuse")
    return NONE
