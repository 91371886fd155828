"""Splices made by hand: the traces of the crux's functions, instruction by instruction, without any emitter.

`make` has the shape that `checks` asks for. `Faults` leaves one rule of emission out at a time, to show that the
checks notice.
"""

from __future__ import annotations

import enum
import linecache
import sys
import types
import weakref
from collections.abc import Callable, Sequence

from . import subjects
from .assembly import NOWHERE, VERSION, Instruction, Position, assemble, decode, depths

Examples = Sequence[Callable[[], tuple[object, ...]]]


class Fault(enum.Enum):
    """One rule left out."""

    NO_TRACER_TEST = enum.auto()
    NO_VALIDATION = enum.auto()
    POLL_IN_VALIDATION = enum.auto()
    CALL_IN_COMMIT = enum.auto()
    NO_OUTER_REGIONS = enum.auto()
    PUSHED_EXCEPTION = enum.auto()
    FOREIGN_SWALLOWED = enum.auto()
    LIBRARY_FRAMES_FOREIGN = enum.auto()
    NO_FALL_BACK = enum.auto()
    COMMIT_IN_REGION = enum.auto()
    STRONG_CONSTANTS = enum.auto()
    TEMPORARY_SLOT = enum.auto()
    NO_POSITIONS = enum.auto()
    STUB_WITHOUT_LINE = enum.auto()
    LOCAL_NOT_SET = enum.auto()
    LINES_GO_BACK = enum.auto()
    LASTI_OFF = enum.auto()
    ANY_EXCEPTION_OWN = enum.auto()


class Holder(weakref.ref):
    """A weak reference that code objects can hash; `~holder` reads it without a call, so without a poll."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__
    __invert__ = weakref.ref.__call__


class TypeOf:
    """`type_of[value]` is `type(value)`, read without a call."""

    __getitem__ = type


TYPE_OF = TypeOf()
GET_TRACEBACK = BaseException.__dict__["__traceback__"].__get__
OWN_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    BufferError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)
LIBRARY = subjects.ARRAY_TYPE.__module__


def frames_are_the_librarys(exception: BaseException) -> bool:
    """Whether every frame under the first one of its traceback runs the library's own code."""
    entry = GET_TRACEBACK(exception).tb_next
    while entry is not None:
        name = entry.tb_frame.f_globals.get("__name__", "")
        if name != LIBRARY and not name.startswith(LIBRARY + "."):
            return False
        entry = entry.tb_next
    return True


class Splicer:
    """One function's instructions with one anchor and its trace."""

    def __init__(self, function: types.FunctionType, faults: frozenset[Fault]) -> None:
        self.function, self.code, self.faults = function, function.__code__, faults
        self.instructions = decode(self.code)
        for each in self.instructions:  # changed code uses strong loads only
            each.name = each.name.replace("_BORROW", "")
        self.depths = depths(self.instructions)
        self.constants = list(self.code.co_consts)
        self.tail: list[Instruction] = []
        self.out = self.tail
        self.position: Position = NOWHERE
        self.region: tuple[Instruction, int, bool] | None = None

    def emit(self, name: str, arg: int = 0, target: Instruction | None = None) -> Instruction:
        added = Instruction(name, arg, target, self.position, self.region)
        self.out.append(added)
        return added

    def constant(self, value: object) -> None:
        for number, known in enumerate(self.constants):
            if known is value:
                break
        else:
            number = len(self.constants)
            self.constants.append(value)
        self.emit("LOAD_CONST", number)

    def callee(self, value: object) -> None:
        if VERSION >= (3, 13):
            self.constant(value)
            self.emit("PUSH_NULL")
        else:
            self.emit("PUSH_NULL")
            self.constant(value)

    def call(self, count: int) -> None:
        if VERSION == (3, 11):
            self.emit("PRECALL", count)
        self.emit("CALL", count)

    def slot(self, name: str) -> int:
        return self.code.co_varnames.index(name)

    def load(self, name: str) -> None:
        checked = "LOAD_FAST" if VERSION == (3, 11) else "LOAD_FAST_CHECK"
        self.emit(checked, self.slot(name))

    def store(self, name: str) -> None:
        self.emit("STORE_FAST", self.slot(name))

    def attribute(self, name: str, op: str = "LOAD_ATTR") -> None:
        number = self.code.co_names.index(name) if name in self.code.co_names else self.add_name(name)
        self.emit(op, number << 1 if op == "LOAD_ATTR" and VERSION >= (3, 12) else number)

    def method(self, name: str) -> None:
        number = self.code.co_names.index(name)
        if VERSION == (3, 11):
            self.emit("LOAD_METHOD", number)
        else:
            self.emit("LOAD_ATTR", number << 1 | 1)

    def add_name(self, name: str) -> int:
        self.code = self.code.replace(co_names=(*self.code.co_names, name))
        return len(self.code.co_names) - 1

    def equal(self) -> None:
        self.emit("COMPARE_OP", {(3, 11): 2, (3, 12): 2 << 4}.get(VERSION, 2 << 5 | 16))

    def unless_identical(self, miss: Instruction) -> None:
        self.emit("IS_OP", 0)
        self.emit("POP_JUMP_IF_FALSE", 0, miss)

    def type_is(self, name: str, kind: object, miss: Instruction) -> None:
        self.callee(type)
        self.load(name)
        self.call(1)
        self.constant(kind)
        self.unless_identical(miss)

    def holder(self, value: object) -> object:
        return value if Fault.STRONG_CONSTANTS in self.faults else Holder(value)

    def read_holder(self, held: object) -> None:
        """Through a call: for guards."""
        if Fault.STRONG_CONSTANTS in self.faults:
            self.constant(held)
        else:
            self.callee(held)
            self.call(0)

    def positioned(self, original: Instruction) -> Splicer:
        self.position = NOWHERE if Fault.NO_POSITIONS in self.faults else original.position
        return self

    def onward(self, original: Instruction) -> None:
        """Take the original's position unless that would go back a line: tools would see the line run twice."""
        now, then = self.position[0], original.position[0]
        if now is None or then is None or then >= now or Fault.LINES_GO_BACK in self.faults:
            self.positioned(original)

    # -- the parts of an anchor ------------------------------------------------------------
    def stub(self, anchor: Instruction, chain: Instruction) -> list[Instruction]:
        """In line, in front of the anchor: with a tracer set go on, else go to the chain behind the original code."""
        self.out, self.region = [], anchor.region
        self.position = NOWHERE if Fault.STUB_WITHOUT_LINE in self.faults else anchor.position
        if Fault.NO_TRACER_TEST in self.faults:
            self.emit("JUMP", 0, chain)
        else:
            self.callee(sys.gettrace)
            self.call(0)
            self.emit("POP_JUMP_IF_NONE", 0, chain)
        stub, self.out = self.out, self.tail
        anchor.landing = stub[0]
        return stub

    def handler(self, anchor: Instruction, outer: tuple[Instruction, int, bool] | None) -> list[Instruction]:
        """An error of the trace's own: drop it and run the original; any other: raise it on, as if raised in place.

        The region pushes lasti, so that the frame's line stays that of the operation when the exception leaves it.
        """
        self.out, self.region, self.position = [], outer, anchor.position
        again, own = (
            Instruction("RERAISE", 1, None, anchor.position, outer),
            Instruction("POP_TOP", 0, None, anchor.position, outer),
        )
        if Fault.LASTI_OFF in self.faults:
            again.arg, own.name = 0, "NOP"
        if Fault.PUSHED_EXCEPTION in self.faults:
            return self.handler_with_pushed_exception(anchor)
        self.constant(Exception if self.faults & {Fault.FOREIGN_SWALLOWED, Fault.ANY_EXCEPTION_OWN} else OWN_ERRORS)
        self.emit("CHECK_EXC_MATCH")
        self.emit("POP_JUMP_IF_FALSE", 0, again)
        if Fault.NO_FALL_BACK in self.faults:
            self.emit("JUMP", 0, again)
        if Fault.FOREIGN_SWALLOWED not in self.faults:
            self.callee(GET_TRACEBACK)
            self.emit("COPY", 3)
            self.call(1)
            self.attribute("tb_next")
            if Fault.LIBRARY_FRAMES_FOREIGN in self.faults:
                self.emit("POP_JUMP_IF_NOT_NONE", 0, again)
            else:
                self.emit("POP_JUMP_IF_NONE", 0, own)
                self.callee(frames_are_the_librarys)
                self.emit("COPY", 3)
                self.call(1)
                self.emit("POP_JUMP_IF_FALSE", 0, again)
        self.out.append(own)
        self.emit("POP_TOP")
        self.emit("JUMP_NO_INTERRUPT", 0, anchor)
        self.out.append(again)
        made, self.out = self.out, self.tail
        return made

    def handler_with_pushed_exception(self, anchor: Instruction) -> list[Instruction]:
        """The wrong one: jumps to the original with the exception still being handled."""
        self.emit("PUSH_EXC_INFO")
        self.emit("POP_TOP")
        self.emit("POP_TOP")
        self.emit("JUMP_NO_INTERRUPT", 0, anchor)
        made, self.out = self.out, self.tail
        return made

    def finish(self, stub: list[Instruction], anchor: Instruction) -> types.FunctionType:
        at = self.instructions.index(anchor)
        listing = self.instructions[:at] + stub + self.instructions[at:] + self.tail
        code = assemble(self.code, listing, tuple(self.constants), 10)
        old = self.function
        made = types.FunctionType(code, old.__globals__, old.__name__, old.__defaults__, old.__closure__)
        made.__kwdefaults__, made.__qualname__, made.__module__ = old.__kwdefaults__, old.__qualname__, old.__module__
        return made


class Plan:
    """What a hand-made trace does: `y = x @ x + item` or `return x @ x`, and `owner.counted += 1`, perhaps
    `owner.last = item`.
    """

    def __init__(
        self, splicer: Splicer, example: tuple[object, ...], anchor: Instruction, end: Instruction | None
    ) -> None:
        self.splicer, self.anchor, self.end = splicer, anchor, end
        named = dict(zip(splicer.code.co_varnames, example, strict=False))
        self.owner, self.counted = ("self", "n") if "self" in named else ("manager", "total")
        self.owner_type, self.shape = type(named[self.owner]), named["x"].shape
        listing = splicer.instructions
        self.span = listing[listing.index(anchor) : listing.index(end) if end else None]

    def original(self, name: str, arg: int | None = None) -> Instruction:
        """The original instruction of this op in the traced stretch (first in order)."""
        return next(each for each in self.span if each.name == name and arg in (None, each.arg))

    def stored(self, attribute: str) -> Instruction | None:
        number = self.splicer.code.co_names.index(attribute) if attribute in self.splicer.code.co_names else None
        return next((each for each in self.span if each.name == "STORE_ATTR" and each.arg == number), None)

    def build(self) -> types.FunctionType:
        splicer, anchor, faults = self.splicer, self.anchor, self.splicer.faults
        depth = splicer.depths[id(anchor)]
        outer = None if Fault.NO_OUTER_REGIONS in faults else anchor.region
        chain = Instruction("NOP", 0, None, anchor.position)
        stub = splicer.stub(anchor, chain)
        handler = splicer.handler(anchor, outer)
        own = (handler[0], depth, not faults & {Fault.PUSHED_EXCEPTION, Fault.LASTI_OFF})
        chain.region = splicer.region = own
        splicer.tail.append(chain)
        misses = {drop: Instruction("POP_TOP" if drop else "NOP", 0, None, anchor.position, outer) for drop in range(4)}
        self.guards(misses)
        self.compute()
        self.validate(misses)
        splicer.region = own if Fault.COMMIT_IN_REGION in faults else outer
        self.commit()
        splicer.region = outer
        self.exit()
        splicer.position = anchor.position
        for drop in (3, 2, 1):
            splicer.tail.append(misses[drop])
        splicer.tail.append(misses[0])
        splicer.emit("JUMP_NO_INTERRUPT", 0, anchor)
        splicer.tail += handler
        return splicer.finish(stub, anchor)

    def guards(self, misses: dict[int, Instruction]) -> None:
        """Leaves the counted value on the stack: what validation compares with."""
        splicer, miss = self.splicer, misses[0]
        splicer.position = self.anchor.position
        splicer.type_is("x", subjects.ARRAY_TYPE, miss)
        splicer.load("x")
        splicer.attribute("dtype")
        splicer.constant(subjects.ELEMENT_TYPE)
        splicer.unless_identical(miss)
        splicer.load("x")
        splicer.attribute("shape")
        splicer.constant(self.shape)
        splicer.equal()
        splicer.emit("POP_JUMP_IF_FALSE", 0, miss)
        if self.end is not None:
            splicer.type_is("item", self.item_type(), miss)
        held = self.held = splicer.holder(self.owner_type)
        splicer.callee(type)
        splicer.load(self.owner)
        splicer.call(1)
        splicer.read_holder(held)
        splicer.unless_identical(miss)
        self.class_facts(held, miss)
        splicer.load(self.owner)
        splicer.attribute(self.counted)
        splicer.callee(type)
        splicer.emit("COPY", 3)
        splicer.call(1)
        splicer.constant(int)
        splicer.unless_identical(misses[1])

    def item_type(self) -> type:
        return int if self.splicer.function.__name__ in ("loop", "middle_of_a_line") else subjects.ARRAY_TYPE

    def class_facts(self, held: object, miss: Instruction) -> None:
        """Reads and writes of the owner's attributes run no user code."""
        splicer = self.splicer
        splicer.callee(type)
        splicer.read_holder(held)
        splicer.call(1)
        splicer.constant(type)
        splicer.unless_identical(miss)
        for name, value in (("__getattribute__", object.__getattribute__), ("__setattr__", object.__setattr__)):
            splicer.read_holder(held)
            splicer.attribute(name)
            splicer.constant(value)
            splicer.unless_identical(miss)
        splicer.callee(getattr)
        splicer.read_holder(held)
        splicer.constant("__getattr__")
        splicer.constant(None)
        splicer.call(3)
        splicer.emit("POP_JUMP_IF_NOT_NONE", 0, miss)
        if self.counted == "n":  # has a class-level default, a plain int
            splicer.read_holder(held)
            splicer.attribute("n")
            splicer.constant(0)
            splicer.unless_identical(miss)

    def compute(self) -> None:
        """[old] -> [old, new, result], operations in program order; new is an exact int."""
        splicer, listing = self.splicer, self.splicer.instructions
        add = self.original("BINARY_OP", 13)
        operation = self.original("CALL") if "axis" in splicer.code.co_varnames else self.original("BINARY_OP", 4)
        if listing.index(add) < listing.index(operation):
            self.compute_new(add, 1)
            self.compute_result(operation)
        else:
            self.compute_result(operation)
            self.compute_new(add, 2)
            splicer.emit("SWAP", 2)

    def compute_new(self, add: Instruction, depth: int) -> None:
        splicer = self.splicer.positioned(add)
        splicer.emit("COPY", depth)
        splicer.constant(1)
        splicer.emit("BINARY_OP", 13)

    def compute_result(self, operation: Instruction) -> None:
        splicer = self.splicer.positioned(operation)
        splicer.load("x")
        if operation.name == "CALL":
            splicer.method("sum")
            splicer.load("axis")
            splicer.call(1)
            return
        splicer.load("x")
        splicer.emit("BINARY_OP", 4)
        if self.end is not None:
            splicer.positioned(self.original("BINARY_OP", 0))
            splicer.load("item")
            splicer.emit("BINARY_OP", 0)

    def validate(self, misses: dict[int, Instruction]) -> None:
        """[old, new, result]: nothing here polls; so from the first read to the last store nothing comes between."""
        splicer = self.splicer
        if Fault.NO_VALIDATION in splicer.faults:
            return
        splicer.constant(TYPE_OF)
        splicer.load(self.owner)
        splicer.emit(*(("BINARY_OP", 26) if VERSION >= (3, 14) else ("BINARY_SUBSCR", 0)))
        splicer.constant(self.held)
        if Fault.STRONG_CONSTANTS not in splicer.faults:
            splicer.emit("UNARY_INVERT")
        splicer.unless_identical(misses[3])
        splicer.load(self.owner)
        splicer.attribute(self.counted)
        splicer.emit("COPY", 4)
        splicer.unless_identical(misses[3])
        if Fault.POLL_IN_VALIDATION in splicer.faults:
            splicer.callee(sys.gettrace)
            splicer.call(0)
            splicer.emit("POP_TOP")

    def commit(self) -> None:
        """[old, new, result] -> [old] or [old, result]: stores only. The old value is kept until nothing is left to
        do.
        """
        splicer = self.splicer
        stored = self.stored(self.counted)
        assert stored is not None
        splicer.onward(stored)
        splicer.emit("SWAP", 2)
        splicer.load(self.owner)
        splicer.attribute(self.counted, "STORE_ATTR")
        if Fault.CALL_IN_COMMIT in splicer.faults:
            splicer.callee(sys.gettrace)
            splicer.call(0)
            splicer.emit("POP_TOP")
        last = self.stored("last")
        if last is not None:
            splicer.onward(last)
            splicer.load("item")
            splicer.load(self.owner)
            splicer.attribute("last", "STORE_ATTR")
        if self.end is not None:
            splicer.onward(self.end)
            splicer.emit("COPY", 1)
            splicer.store("x")
            if Fault.LOCAL_NOT_SET in splicer.faults:
                splicer.emit("POP_TOP")
            else:
                splicer.store("y")
            if Fault.TEMPORARY_SLOT in splicer.faults:
                splicer.code = splicer.code.replace(
                    co_varnames=(*splicer.code.co_varnames, ".t"), co_nlocals=splicer.code.co_nlocals + 1
                )
                splicer.emit("COPY", 1)
                splicer.store(".t")

    def exit(self) -> None:
        splicer = self.splicer
        if self.end is None:
            splicer.onward(self.original("RETURN_VALUE"))
            splicer.emit("SWAP", 2)
            splicer.emit("POP_TOP")
            splicer.emit("RETURN_VALUE")
        else:
            splicer.onward(self.end)
            for _ in range(1 + splicer.depths[id(self.anchor)] - splicer.depths[id(self.end)]):
                splicer.emit("POP_TOP")
            splicer.emit("JUMP_NO_INTERRUPT", 0, self.end)


def _after_break(splicer: Splicer) -> Instruction:
    """The instruction after the marked call's result was dropped or, in the middle of a line, taken."""
    file = splicer.code.co_filename
    marked = next(
        line
        for line in range(splicer.code.co_firstlineno, splicer.code.co_firstlineno + 99)
        if linecache.getline(file, line).rstrip().endswith("# break")
    )
    listing = splicer.instructions
    call = next(number for number, each in enumerate(listing) if each.name == "CALL" and each.position[0] == marked)
    return listing[call + 1 if splicer.function.__name__ == "middle_of_a_line" else call + 2]


def splice(function: types.FunctionType, example: tuple[object, ...], *faults: Fault) -> types.FunctionType:
    """`function` with its trace, specialised on these arguments as a tracer would."""
    splicer = Splicer(function, frozenset(faults))
    if function.__code__.co_varnames[0] == "self":
        begun = next(number for number, each in enumerate(splicer.instructions) if each.name == "RESUME")
        return Plan(splicer, example, splicer.instructions[begun + 1], None).build()
    anchor = _after_break(splicer)
    number = splicer.instructions.index(anchor)
    end = next(each for each in splicer.instructions[number:] if each.name == "JUMP_BACKWARD")
    return Plan(splicer, example, anchor, end).build()


def maker(*faults: Fault) -> Callable[[types.FunctionType, Examples], types.FunctionType]:
    """What `checks` asks for."""

    def make(function: types.FunctionType, examples: Examples) -> types.FunctionType:
        made = splice(function, examples[0](), *faults)
        for example in examples:
            made(*example())
        return made

    return make
