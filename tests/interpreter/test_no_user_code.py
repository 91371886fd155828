"""While tracing, nothing of the program's own runs: no special method of an object or its metaclass, no `__class__`."""

from __future__ import annotations

import operator

import pytest

from symexec.bytecode.ops import Op
from symexec.interpreter.protocol.builtin_calls import RULES, call_builtin
from symexec.interpreter.protocol.comparisons import compare, identical
from symexec.interpreter.protocol.formatting import convert_value, format_value
from symexec.interpreter.protocol.items import delete_item, get_item, set_item
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.membership import contains
from symexec.interpreter.protocol.operators import binary_operation, unary_operation
from symexec.interpreter.protocol.truth import get_length, truth
from symexec.interpreter.protocol.unpacking import unpack
from symexec.values.model import Constant
from tests.interpreter.machines import fresh_machine, known

CALLS: list[str] = []


def loud(name):
    """A method that should not be called here: every call of it is noted."""

    def method(*args, **kwargs):
        CALLS.append(name)
        return NotImplemented

    return method


SPECIAL = [
    "eq", "ne", "lt", "hash", "bool", "len", "iter", "next", "getitem", "setitem", "delitem", "contains", "add", "radd",
    "iadd", "mul", "rmul", "mod", "rmod", "neg", "invert", "int", "float", "index", "str", "repr", "format", "call",
    "getattribute", "getattr", "instancecheck", "subclasscheck", "abs", "round", "reversed", "length_hint", "or", "and",
    "divmod", "pow", "get", "set", "enter", "exit", "missing", "bytes", "complex", "dir", "sizeof",
]  # fmt: skip

Meta = type("Meta", (type,), {f"__{name}__": loud(f"Meta.{name}") for name in SPECIAL if name != "call"})


def make_class(name, bases, loud_class):
    """A class whose metaclass, and whose instances unless their methods may be inlined, are loud."""
    namespace = {"__class__": property(loud("__class__"))} if loud_class else {}
    namespace.update({f"__{each}__": loud(each) for each in SPECIAL} if loud_class else {})
    made = type.__new__(Meta, name, bases, namespace)
    type.__setattr__(made, "__hash__", loud("hash"))
    return made


LOUD = [(base, True) for base in (object, int, str, list, dict, tuple, set)]
QUIET = [(base, False) for base in (object, list, dict, int)]  # but for their metaclass
PARTNERS = [1, "a%s", [1], (1,), {"a": 1}, {1}, None]


def everything(machine, value, partner):
    """Every protocol function on the two values; what they answer does not matter."""
    for left, right in ((value, partner), (partner, value)):
        for code in range(26):
            binary_operation(machine, code, left, right)
        for index in range(6):
            compare(machine, index, left, right)
        identical(machine, left, right)
        contains(machine, left, right)
        get_item(machine, left, right)
        set_item(machine, left, Constant(0), right)
        delete_item(machine, left, right)
        call_builtin(machine, isinstance, [left, right], ())
        call_builtin(machine, issubclass, [left, right], ())
    for op in (Op.UNARY_NEGATIVE, Op.UNARY_INVERT):
        unary_operation(machine, op, value)
    for ask in (truth, get_length, iterate_all):
        ask(machine, value)
    unpack(machine, value, 2)
    format_value(machine, value, None)
    convert_value(machine, 2, value)
    for function in RULES:
        call_builtin(machine, function, [value], ())
        call_builtin(machine, function, [partner, value], ())
        call_builtin(machine, function, [value, partner], ())


@pytest.fixture
def silent_calls(monkeypatch):
    """Python functions of the program are inlined by calls; here they are not followed."""
    machine = fresh_machine()
    machine.call = lambda machine, function, args, kwargs: machine.stop("SX0000", "not followed")
    machine.get_attribute = lambda machine, owner, name: machine.stop("SX0000", "not followed")
    return machine


@pytest.mark.parametrize(("base", "is_loud"), LOUD + QUIET)
def test_no_protocol_runs_code_of_an_object(silent_calls, base, is_loud):
    class_ = make_class("Subject", (base,), is_loud)
    subject = base.__new__(class_)
    for partner in (*PARTNERS, class_, subject):
        value, other = known(silent_calls, subject, partner)
        CALLS.clear()
        everything(silent_calls, value, other)
        assert CALLS == []
        held, other = known(silent_calls, [subject], partner)
        everything(silent_calls, held, other)
        assert CALLS == []


def test_the_objects_are_loud():
    CALLS.clear()
    subject = object.__new__(make_class("Subject", (object,), True))
    operator.eq(subject, 1)
    assert CALLS != []
