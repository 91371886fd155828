"""What all frames of one trace share: graph, guards, heap, domains, budgets; and the ways to consult a value.

Handlers and protocol functions take the machine first.  It records; it never runs user code.  What is recorded can
be rolled back to a mark.
"""

from __future__ import annotations

import collections
import functools
import itertools
import operator
import sys
from collections.abc import Callable, Hashable, Sequence
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Final, TypeGuard

import attrs

from symexec.bytecode.decode import decode
from symexec.bytecode.model import Instruction, Position, Routine
from symexec.config import Config
from symexec.errors import BreakReason, InternalError, Place
from symexec.interpreter.frame import Frame
from symexec.interpreter.made_types import has_plain_keys, made_type
from symexec.interpreter.outcomes import Break, Outcome, Reply
from symexec.interpreter.records import ClassRecord, FunctionRecord
from symexec.interpreter.requests import describe_request, to_nodes, traced_in
from symexec.interpreter.suspended import Suspended
from symexec.interpreter.unattached import as_written, cannot_call, cannot_get, not_running
from symexec.values.domain import Declined, Domain, Drawn, Request, Result, Static
from symexec.values.graph import Argument, Kind, Node
from symexec.values.guard import Equals, GuardList, Is, TypeIs
from symexec.values.heap import Absent, DictContent, Heap, HeapMark, ListContent, SliceContent, TupleContent
from symexec.values.model import Constant, Known, Made, Null, Traced, Value
from symexec.values.origin import Handled, Origin

SCALARS: Final = frozenset({int, float, complex, str, bytes, bool, type(None), type(...), type(NotImplemented)})
"""Exact types whose values a trace is specialised on by an equality guard."""

# By identity: hashing or comparing a type of the user's could run its metaclass's code.
_SCALAR_IDS: Final = frozenset(map(id, SCALARS))
_SINGLETON_IDS: Final = frozenset(map(id, (type(None), type(...), type(NotImplemented), bool)))
_FIXED_IDS: Final = frozenset(
    map(
        id,
        (
            ClassMethodDescriptorType,
            GetSetDescriptorType,
            MemberDescriptorType,
            MethodDescriptorType,
            WrapperDescriptorType,
        ),
    )
)
_HEAP_TYPE: Final = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_IMMUTABLE_TYPE: Final = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_TYPE_SUBCLASS: Final = 1 << 31  # Py_TPFLAGS_TYPE_SUBCLASS
_type_flags: Final = type.__dict__["__flags__"].__get__


_LASTING: Final = tuple(
    found
    for module in (itertools, functools, operator, collections)
    for found in vars(module).values()
    if type(found) is type and _type_flags(found) & _IMMUTABLE_TYPE
)
"""Types written in C that are no static ones on every Python: held here, they live as long as the process."""
_LASTING_IDS: Final = frozenset(map(id, _LASTING))


class NotConcrete:
    """What `Machine.concrete` gives where a value is not wholly known at trace time."""


NOT_CONCRETE: Final = NotConcrete()


def is_class(value: object) -> TypeGuard[type]:
    """Whether `value` is a class; unlike `isinstance` it runs no user code (a `__class__` property)."""
    return bool(_type_flags(type(value)) & _TYPE_SUBCLASS)


def is_static_type(value: object) -> bool:
    """Whether `value` is a type that lives as long as the process (not made by a class statement)."""
    return type(value) is type and (not _type_flags(value) & _HEAP_TYPE or id(value) in _LASTING_IDS)


def is_process_wide(value: object) -> bool:
    """Whether `value` lives as long as the process and so may stand in constants without a holder."""
    if is_class(value):
        return is_static_type(value)
    if type(value) is BuiltinFunctionType:
        return value.__self__ is None or type(value.__self__) is ModuleType or is_static_type(value.__self__)
    if id(type(value)) in _FIXED_IDS:
        return is_static_type(getattr(value, "__objclass__", None))
    return id(type(value)) in _SINGLETON_IDS


@attrs.frozen
class MachineMark:
    """A place in the recording to roll back to."""

    nodes: int
    guards: int
    inputs: int
    heap: HeapMark
    handled: tuple[Value, ...]


class Machine:
    """The recording of one trace, and what it takes to make one."""

    def __init__(self, domains: Sequence[Domain], config: Config, *, allow_draws: bool = False) -> None:
        self.domains = tuple(domains)
        self.config = config
        self.allow_draws = allow_draws
        self.nodes: list[Node] = []
        self.positions: list[Position | None] = []  # by node: where the outermost frame was
        self.guards = GuardList()
        self.heap = Heap()
        self.inputs: list[tuple[Known, Traced]] = []  # lifted values, in order
        self.frames: list[Frame] = []
        self.classes: dict[int, ClassRecord] = {}  # by identity, like the functions
        self.functions: dict[int, FunctionRecord] = {}
        self.generators: dict[int, Suspended] = {}  # by the identity of the made object
        self.ambient = Known(sys.exception(), Handled())  # what is being handled where the trace starts
        self.handled: list[Value] = [self.ambient]  # the same, and what each generator that runs is handling itself
        self.original_code: Callable[[FunctionType], CodeType | None] = as_written  # of compiled functions
        self.written_attributes: dict[str, dict[int, Known]] = {}  # existing instances, by the name of what was written
        self.written_items: dict[str, dict[int, Known]] = {}  # existing dicts, likewise
        self.key_objects: dict[int, dict[int, Known]] = {}  # by identity of their type, then of the object
        self.texts: list[int] = []  # the objects whose texts are being made, by identity
        self.steps = 0
        self.items = 0  # that were gone through while tracing
        self.foreign = False  # whether any operation may run foreign code or switch threads
        self.covered = False  # whether any operation is where a handler of the program's would see it raise
        self.execute: Callable[[Frame], Outcome] = not_running  # set by the translator, like the two below
        self.call: Callable[[Machine, Value, Sequence[Value], Sequence[tuple[str, Value]]], Reply] = cannot_call
        self.get_attribute: Callable[[Machine, Value, str], Reply] = cannot_get
        self._lifted: dict[Origin, Traced] = {}
        self._origins: dict[int, Origin] = {}  # by node index, of inputs
        self._routines: dict[int, tuple[CodeType, Routine]] = {}
        self._indexes: dict[int, dict[Instruction, int]] = {}

    # -- recording ---------------------------------------------------------------------------------------------

    def mark(self) -> MachineMark:
        """A place to roll back to."""
        return MachineMark(len(self.nodes), self.guards.mark(), len(self.inputs), self.heap.mark(), tuple(self.handled))

    def rollback(self, mark: MachineMark) -> None:
        """Forget everything recorded since `mark`."""
        del self.nodes[mark.nodes :]
        del self.positions[mark.nodes :]
        while len(self.inputs) > mark.inputs:
            known, _ = self.inputs.pop()
            del self._lifted[known.origin]
        self.guards.rollback(mark.guards)
        self.heap.rollback(mark.heap)
        self.handled[:] = mark.handled

    @property
    def is_handling(self) -> bool:
        """Whether an exception of the trace's own is being handled: Python could not go on from here."""
        return self.handled[0] is not self.ambient

    def close(self) -> None:
        """Cut what refers back to the machine: the user's objects in it have to die with it, not at some collection."""
        self.heap.close()
        self.generators.clear()
        self.execute, self.call, self.get_attribute = not_running, cannot_call, cannot_get

    def place(self) -> Place:
        """Where the innermost frame of the user's is in its source."""
        frame = next(frame for frame in reversed(self.frames) if not frame.is_equivalent)
        routine = frame.routine
        instructions = routine.instructions
        position = None
        if frame.state.position < len(instructions):
            position = instructions[frame.state.position].position
        if position is None:
            return Place(routine.filename, routine.qualified_name, routine.first_line)
        column = position.column if position.column >= 0 else None
        end_column = position.end_column if position.end_column >= 0 else None
        return Place(routine.filename, routine.qualified_name, position.line, column, position.end_line, end_column)

    def stop(self, code: str, why: str, hint: str = "") -> Break:
        """A break at the current place."""
        return Break(BreakReason(code, self.place(), why, hint))

    def routine(self, code: CodeType) -> Routine:
        """The decoded routine of `code`, decoded once a trace."""
        found = self._routines.get(id(code))
        if found is None:
            found = self._routines[id(code)] = (code, decode(code))
        return found[1]

    def index(self, routine: Routine) -> dict[Instruction, int]:
        """The index of each instruction of `routine`."""
        found = self._indexes.get(id(routine))
        if found is None:
            found = {instruction: index for index, instruction in enumerate(routine.instructions)}
            self._indexes[id(routine)] = found
        return found

    # -- consulting values -------------------------------------------------------------------------------------

    def is_fixed(self, value: object) -> bool:
        """Whether `value` lives as long as the process: a builtin, or a word of a domain's vocabulary."""
        return is_process_wide(value) or any(domain.handles(value) for domain in self.domains)

    def identify(self, known: Known) -> bool:
        """Rely on `known` being this very object; `False` if no guard can say so (then break)."""
        value = known.value
        if not self.is_fixed(value) and not is_weakly_referencable(value):
            return False
        self.guards.add(known.origin, Is(value))
        return True

    def resolve(self, value: Value) -> Value:
        """The most telling form of a value: a known scalar as a guarded `Constant`, a claimed object as `Traced`.

        Anything else is returned as it is, with nothing recorded.
        """
        if type(value) is not Known:
            return value
        lifted = self._lifted.get(value.origin)
        if lifted is not None:
            return lifted
        for domain in self.domains:
            if domain.claims(value.value):
                return self._lift(value, domain)
        return self.specialise(value)

    def specialise(self, value: Value) -> Value:
        """A known scalar, or a scalar input of the graph, as a constant under an equality guard; others unchanged."""
        if type(value) is Traced and value.node.kind is Kind.INPUT:
            for known, traced in self.inputs:
                if traced.node is value.node and type(known.value) in SCALARS:
                    self.guards.add(known.origin, Equals(known.value))
                    return Constant(known.value)
        if type(value) is Known and id(type(value.value)) in _SCALAR_IDS:
            self.guards.add(value.origin, Equals(value.value))
            return Constant(value.value)
        return value

    def type_of(self, value: Value) -> type:
        """The exact type of what `value` stands for, guarded if it existed before the trace."""
        match value:
            case Constant(value=constant):
                return type(constant)
            case Known(value=known, origin=origin):
                self.guards.add(origin, TypeIs(type(known)))
                return type(known)
            case Traced(type=type_):
                return type_
            case Made():
                return self.made_type(value)
            case Null():
                raise InternalError("NULL has no type")

    def made_type(self, value: Made) -> type:
        """The exact type of an object made by the trace."""
        return made_type(self.heap.content(value))

    def concrete(self, value: Value) -> object:
        """The Python object that `value` surely is: a scalar, a tuple or slice of such, a function or type guarded by
        identity; `NOT_CONCRETE` otherwise.  Never a mutable object.
        """
        value = self.resolve(value)
        match value:
            case Constant(value=constant):
                return constant
            case Made():
                content = self.heap.content(value)
                if isinstance(content, TupleContent):
                    items = [self.concrete(item) for item in content.items]
                    return NOT_CONCRETE if any(item is NOT_CONCRETE for item in items) else tuple(items)
                if isinstance(content, SliceContent):
                    parts = [self.concrete(part) for part in (content.start, content.stop, content.step)]
                    return NOT_CONCRETE if any(part is NOT_CONCRETE for part in parts) else slice(*parts)
                return NOT_CONCRETE
            case Known(value=known):
                if self.is_fixed(known):
                    self.guards.add(value.origin, Is(known))
                    return known
                return NOT_CONCRETE
            case Traced() | Null():
                return NOT_CONCRETE

    # -- the graph ---------------------------------------------------------------------------------------------

    def operate(
        self, kind: Kind, target: object, args: Sequence[Value], kwargs: Sequence[tuple[str, Value]] = ()
    ) -> Reply:
        """Ask the domains for an operation; the result is a new node's, a constant, or a break."""
        plain = [self._argument(arg) for arg in args]
        named = [(name, self._argument(arg)) for name, arg in kwargs]
        for reply in [*plain, *(argument for _, argument in named)]:
            if isinstance(reply, Break):
                return reply
        request = Request(kind, target, tuple(plain), tuple(named))
        declined = Declined("no domain knows this operation")
        for domain in self._relevant(request):
            answer = domain.apply(request)
            match answer:
                case Result():
                    self.foreign = self.foreign or answer.foreign
                    return self._append(request, answer.type, answer.spec, answer.domain or domain.name)
                case Static(value=value):
                    return Constant(value)
                case Drawn():
                    return self._draw(request, answer, domain)
                case Declined():
                    declined = answer
        return self.stop("SX3001", f"{describe_request(request)} is not captured: {declined.why}", declined.hint)

    def symbol(self, name: str, spec: Hashable, domain: Domain) -> Traced:
        """A traced input with no concrete value behind it."""
        return self._new(Kind.INPUT, name, (), (), domain.type_of(spec), spec, domain.name)

    def _lift(self, known: Known, domain: Domain) -> Traced:
        spec = domain.describe(known.value)
        for origin, check in domain.guards(known.origin, spec):
            self.guards.add(origin, check)
        traced = self._new(Kind.INPUT, str(known.origin), (), (), type(known.value), spec, domain.name)
        self._lifted[known.origin] = traced
        self.inputs.append((known, traced))
        return traced

    def _append(self, request: Request, type_: type, spec: Hashable, domain: str) -> Reply:
        if len(self.nodes) >= self.config.nodes:
            return self.stop("SX9002", f"the graph has {len(self.nodes)} nodes, the limit of Config.nodes")
        args = tuple(to_nodes(argument) for argument in request.args)
        kwargs = tuple((name, to_nodes(argument)) for name, argument in request.kwargs)
        return self._new(request.kind, request.target, args, kwargs, type_, spec, domain)

    def _draw(self, request: Request, drawn: Drawn, domain: Domain) -> Reply:
        if not self.allow_draws or request.args or request.kwargs or request.kind is not Kind.CALL:
            return self.stop("SX3002", f"{describe_request(request)} gives another value each time it is called")
        return self._new(Kind.DRAW, request.target, (), (), drawn.type, drawn.spec, domain.name)

    def _new(
        self,
        kind: Kind,
        target: object,
        args: tuple[Argument, ...],
        kwargs: tuple[tuple[str, Argument], ...],
        type_: type,
        spec: Hashable,
        domain: str,
    ) -> Traced:
        place = self.place() if self.frames else None
        self.covered = self.covered or any(frame.is_covered for frame in self.frames)
        node = Node(len(self.nodes), kind, target, args, kwargs, type_, spec, place)
        self.nodes.append(node)
        self.positions.append(self._outermost_position())
        return Traced(node, type_, spec, domain)

    def _outermost_position(self) -> Position | None:
        if not self.frames:
            return None
        frame = self.frames[0]
        instructions = frame.routine.instructions
        at = frame.state.position
        return instructions[at].position if at < len(instructions) else None

    def _argument(self, value: Value) -> Argument | Break:
        """`value` as an argument of a `Request`, or a break where it cannot be one."""
        value = self.resolve(value)
        if isinstance(value, (Traced, Null)):
            return value
        if isinstance(value, Made):
            return self._made_argument(value)
        found = self.concrete(value)
        if found is NOT_CONCRETE:
            kind = type(value.value).__qualname__
            return self.stop("SX3003", f"an object of type {kind} is not an operand that a domain knows")
        return found

    def _made_argument(self, value: Made) -> Argument | Break:
        content = self.heap.content(value)
        match content:
            case TupleContent(items=items) | ListContent(items=items):
                parts = [self._argument(item) for item in items]
            case SliceContent(start=start, stop=stop, step=step):
                parts = [self._argument(item) for item in (start, stop, step)]
            case DictContent(entries=entries, complete=True) if has_plain_keys(self.heap, content):
                named = {key: self._argument(item) for key, item in entries.items() if not isinstance(item, Absent)}
                failed = next((item for item in named.values() if isinstance(item, Break)), None)
                return failed or named
            case _:
                name = self.made_type(value).__qualname__
                return self.stop("SX3003", f"an object of type {name} is not an operand that a domain knows")
        for part in parts:
            if isinstance(part, Break):
                return part
        if isinstance(content, SliceContent):
            return slice(*parts)
        return tuple(parts) if isinstance(content, TupleContent) else parts

    def _relevant(self, request: Request) -> list[Domain]:
        names = {traced.domain for traced in traced_in((request.args, [value for _, value in request.kwargs]))}
        return [
            domain
            for domain in self.domains
            if domain.name in names or (request.kind is Kind.CALL and domain.handles(request.target))
        ]


def is_weakly_referencable(value: object) -> bool:
    """Whether weak references can be made to `value`, so that a trace may hold it."""
    return type(value).__weakrefoffset__ != 0
