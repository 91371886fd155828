"""The neutral instruction set: one `Op` for what CPython 3.11 to 3.14 spell in 135 ways and more.

Each member's value is its `Effect`.  What a version does differently is expanded away by its dialect:

- conditional jumps always have an explicit `TO_BOOL` before them;
- `LOAD_FAST` may find its slot unbound (and then raises); on a slot that holds a cell it pushes the cell itself;
- of the two entries under a call's arguments, if one is NULL the other is the callable, else the lower is the
  function and the upper is self: versions differ in where they put the NULL, and it is not moved;
- an exhausted `FOR_ITER` pops its iterator and lands on an `END_FOR`, which does nothing (3.11 has none);
- a finished `SEND` leaves receiver and result, and lands on an `END_SEND`, which drops the receiver.
"""

from __future__ import annotations

from enum import Enum

from symexec.bytecode.effects import Effect, Operand, SlotUse, effect

NUMBER, SLOT, NAME, CONSTANT, LABEL = Operand.NUMBER, Operand.SLOT, Operand.NAME, Operand.CONSTANT, Operand.LABEL


class Operation(Enum):
    """What members of `Op` have."""

    effect: Effect
    index: int

    def __init__(self, value: Effect) -> None:
        self.effect = value
        self.index = len(type(self).__members__)


class Op(Operation):
    """A neutral operation; `op.effect` says what it does to stack and slots, `op.index` numbers them from 0."""

    # the prefix
    MAKE_CELL = effect("--", SLOT, slot=SlotUse.MAKE_CELL)
    COPY_FREE_VARS = effect("--", NUMBER)
    RETURN_GENERATOR = effect("-- generator")
    RESUME = effect("--", NUMBER)
    # stack
    NOP = effect("--")
    LOAD_CONST = effect("-- value", CONSTANT)
    PUSH_NULL = effect("-- null")
    POP_TOP = effect("value --")
    COPY = effect("bottom, unused[oparg-1] -- bottom, unused[oparg-1], top", NUMBER)
    SWAP = effect("bottom, unused[oparg-2], top -- top, unused[oparg-2], bottom", NUMBER)
    # slots
    LOAD_FAST = effect("-- value", SLOT, slot=SlotUse.READ)
    LOAD_FAST_AND_CLEAR = effect("-- value", SLOT, slot=SlotUse.CLEAR)
    STORE_FAST = effect("value --", SLOT, slot=SlotUse.WRITE)
    DELETE_FAST = effect("--", SLOT, slot=SlotUse.DELETE)
    LOAD_DEREF = effect("-- value", SLOT, slot=SlotUse.READ_CELL)
    STORE_DEREF = effect("value --", SLOT, slot=SlotUse.READ_CELL)
    DELETE_DEREF = effect("--", SLOT, slot=SlotUse.READ_CELL)
    LOAD_FROM_DICT_OR_DEREF = effect("mapping -- value", SLOT, slot=SlotUse.READ_CELL)
    # names
    LOAD_GLOBAL = effect("-- value", NAME)
    STORE_GLOBAL = effect("value --", NAME)
    DELETE_GLOBAL = effect("--", NAME)
    LOAD_NAME = effect("-- value", NAME)
    STORE_NAME = effect("value --", NAME)
    DELETE_NAME = effect("--", NAME)
    LOAD_LOCALS = effect("-- locals")
    LOAD_FROM_DICT_OR_GLOBALS = effect("mapping -- value", NAME)
    LOAD_BUILD_CLASS = effect("-- build_class")
    SETUP_ANNOTATIONS = effect("--")
    IMPORT_NAME = effect("level, fromlist -- module", NAME)
    IMPORT_FROM = effect("module -- module, value", NAME)
    # attributes and items
    LOAD_ATTR = effect("owner -- value", NAME)
    LOAD_METHOD = effect("owner -- lower, upper", NAME)  # (NULL and attribute) or (function, self)
    LOAD_SUPER_ATTR = effect("super, class, self -- value", NAME)  # arg: 2 if called with two arguments
    LOAD_SUPER_METHOD = effect("super, class, self -- lower, upper", NAME)
    LOAD_SPECIAL = effect("owner -- lower, upper", NAME)  # looked up on the type, as `with` does
    STORE_ATTR = effect("value, owner --", NAME)
    DELETE_ATTR = effect("owner --", NAME)
    BINARY_SUBSCR = effect("container, key -- value")
    STORE_SUBSCR = effect("value, container, key --")
    DELETE_SUBSCR = effect("container, key --")
    # operators
    BINARY_OP = effect("left, right -- result", NUMBER)  # arg: index into CPython's _nb_ops
    UNARY_NEGATIVE = effect("value -- result")
    UNARY_INVERT = effect("value -- result")
    UNARY_NOT = effect("boolean -- result")
    TO_BOOL = effect("value -- boolean")
    COMPARE_OP = effect("left, right -- result", NUMBER)  # arg: index into dis.cmp_op
    IS_OP = effect("left, right -- result", NUMBER)  # arg: 1 to invert
    CONTAINS_OP = effect("value, container -- result", NUMBER)  # arg: 1 to invert
    # building
    BUILD_TUPLE = effect("values[oparg] -- tuple", NUMBER)
    BUILD_LIST = effect("values[oparg] -- list", NUMBER)
    BUILD_SET = effect("values[oparg] -- set", NUMBER)
    BUILD_MAP = effect("pairs[oparg*2] -- dict", NUMBER)
    BUILD_CONST_KEY_MAP = effect("values[oparg], keys -- dict", NUMBER)
    BUILD_STRING = effect("pieces[oparg] -- str", NUMBER)
    BUILD_SLICE = effect("values[oparg] -- slice", NUMBER)
    BUILD_TEMPLATE = effect("strings, interpolations -- template")
    BUILD_INTERPOLATION = effect("value, str -- interpolation", NUMBER)
    BUILD_INTERPOLATION_SPEC = effect("value, str, spec -- interpolation", NUMBER)
    LIST_APPEND = effect("list, unused[oparg-1], value -- list, unused[oparg-1]", NUMBER)
    SET_ADD = effect("set, unused[oparg-1], value -- set, unused[oparg-1]", NUMBER)
    MAP_ADD = effect("dict, unused[oparg-1], key, value -- dict, unused[oparg-1]", NUMBER)
    LIST_EXTEND = effect("list, unused[oparg-1], iterable -- list, unused[oparg-1]", NUMBER)
    SET_UPDATE = effect("set, unused[oparg-1], iterable -- set, unused[oparg-1]", NUMBER)
    DICT_UPDATE = effect("dict, unused[oparg-1], mapping -- dict, unused[oparg-1]", NUMBER)
    DICT_MERGE = effect(
        "lower, upper, positional, dict, unused[oparg-1], mapping -- lower, upper, positional, dict, unused[oparg-1]",
        NUMBER,
    )
    UNPACK_SEQUENCE = effect("sequence -- values[oparg]", NUMBER)
    UNPACK_EX = effect("sequence -- after[oparg>>8], rest, before[oparg&255]", NUMBER)
    # formatting
    CONVERT_VALUE = effect("value -- converted", NUMBER)  # arg: 1 str, 2 repr, 3 ascii
    FORMAT_SIMPLE = effect("value -- str")
    FORMAT_WITH_SPEC = effect("value, spec -- str")
    # functions
    MAKE_FUNCTION = effect("code -- function")
    SET_FUNCTION_ATTRIBUTE = effect("attribute, function -- function", NUMBER)  # arg: 1, 2, 4, 8, 16
    CALL = effect("lower, upper, arguments[oparg] -- result", NUMBER)
    CALL_KW = effect("lower, upper, arguments[oparg], names -- result", NUMBER)
    CALL_FUNCTION_EX = effect("lower, upper, positional, keywords -- result")  # keywords may be NULL
    CALL_INTRINSIC_1 = effect("value -- result", NAME)
    CALL_INTRINSIC_2 = effect("first, second -- result", NAME)
    RETURN_VALUE = effect("value --", terminal=True)
    # jumps
    JUMP = effect("--", LABEL, terminal=True)  # polls for interrupts when it goes backward
    JUMP_NO_INTERRUPT = effect("--", LABEL, terminal=True)
    POP_JUMP_IF_TRUE = effect("boolean --", LABEL)
    POP_JUMP_IF_FALSE = effect("boolean --", LABEL)
    POP_JUMP_IF_NONE = effect("value --", LABEL)
    POP_JUMP_IF_NOT_NONE = effect("value --", LABEL)
    # iteration
    GET_ITER = effect("iterable -- iterator")
    FOR_ITER = effect("iterator -- iterator, value /", LABEL)
    END_FOR = effect("--")
    GET_LEN = effect("value -- value, length")
    # exceptions
    RAISE_VARARGS = effect("values[oparg] --", NUMBER, terminal=True)
    RERAISE = effect("values[oparg], exception -- values[oparg]", NUMBER, terminal=True)
    PUSH_EXC_INFO = effect("exception -- previous, exception")
    POP_EXCEPT = effect("previous --")
    CHECK_EXC_MATCH = effect("exception, type -- exception, matches")
    CHECK_EG_MATCH = effect("group, type -- rest, matching")
    # with
    BEFORE_WITH = effect("manager -- exit, entered")
    WITH_EXCEPT_START = effect(
        "exit, unused[oparg-3], lasti, previous, error -- exit, unused[oparg-3], lasti, previous, error, result", NUMBER
    )  # arg: 4, or 5 where exit takes two entries
    BEFORE_ASYNC_WITH = effect("manager -- exit, awaitable")
    # matching
    MATCH_MAPPING = effect("subject -- subject, matches")
    MATCH_SEQUENCE = effect("subject -- subject, matches")
    MATCH_KEYS = effect("subject, keys -- subject, keys, values")
    MATCH_CLASS = effect("subject, type, names -- attributes", NUMBER)
    # generators and coroutines
    YIELD_VALUE = effect("value -- sent", NUMBER)
    SEND = effect("receiver, value -- receiver, yielded", LABEL)
    END_SEND = effect("receiver, value -- value")
    CLEANUP_THROW = effect("receiver, value, exception -- none, value")
    GET_YIELD_FROM_ITER = effect("iterable -- iterator")
    GET_AWAITABLE = effect("iterable -- iterator", NUMBER)
    GET_AITER = effect("iterable -- iterator")
    GET_ANEXT = effect("iterator -- iterator, awaitable")
    END_ASYNC_FOR = effect("iterator, exception --")


JUMPS = frozenset(op for op in Op if op.effect.operand is Operand.LABEL)
"""Ops that carry a label."""

PREFIX_OPS = frozenset({Op.MAKE_CELL, Op.COPY_FREE_VARS, Op.RETURN_GENERATOR, Op.RESUME})
"""Ops of the prefix; only `MAKE_CELL`, and a `RESUME` with a location other than 0, occur after it as well."""
