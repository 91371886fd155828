"""Runs what a trace recorded, in plain Python: its guards, its graph, its effects and its result.

An oracle that needs no emitted code: where the guards hold, a replay must do what the function does.  It evaluates
guards one by one in the order recorded, as emitted code would.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from types import CellType, FunctionType, MethodType

from symexec.config import Config
from symexec.errors import BreakReason
from symexec.interpreter.frame import FrameState, SlotState
from symexec.interpreter.machine import Machine
from symexec.interpreter.translator import Ending, InstructionTranslator
from symexec.values.domain import Domain
from symexec.values.effect import DeleteAttribute, DeleteItem, SetAttribute, SetContents, SetItem
from symexec.values.graph import Kind, map_nodes, run_node
from symexec.values.guard import (
    CellIsEmpty,
    ContainsKey,
    Equals,
    Guard,
    HasBits,
    Is,
    IsBoundBuiltin,
    IsBoundMethod,
    KeysAre,
    Lacks,
    Length,
    Present,
    SameAs,
    TypeIs,
)
from symexec.values.heap import (
    Absent,
    CellContent,
    DictContent,
    FunctionContent,
    ListContent,
    MethodContent,
    ObjectContent,
    TupleContent,
)
from symexec.values.model import Constant, Known, Made, Traced, Value
from symexec.values.origin import (
    Attribute,
    Cell,
    Contents,
    DictKey,
    Fixed,
    Global,
    Globals,
    Held,
    Item,
    Local,
    Origin,
    Past,
    TypeOf,
)
from tests.support.describe import describe
from tests.support.look import Scope


class Trace:
    """The recording of one call of `function`."""

    def __init__(self, function: FunctionType, machine: Machine, ending: Ending) -> None:
        self.function = function
        self.machine = machine
        self.ending = ending

    @property
    def reason(self) -> BreakReason | None:
        """Why it ended early, if it did."""
        return self.ending.reason

    def failing(self, args: Sequence[object]) -> Guard | None:
        """The first guard that does not hold for a call with `args`."""
        for guard in self.machine.guards.guards:
            try:
                held = self._holds(guard, args)
            except Exception:
                held = False
            if not held:
                return guard
        return None

    def replay(self, args: Sequence[object]) -> object:
        """Compute, commit, and give what the call returns."""
        assert self.ending.value is not None
        world = _World(self, args)
        result = world.build(self.ending.value)
        world.commit()
        return result

    def reach(self, origin: Origin, args: Sequence[object]) -> object:
        """What the origin reaches in a call with `args`."""
        function = self.function
        match origin:
            case Local(slot=slot):
                return args[slot]
            case Cell(slot=slot):
                free = slot - self.machine.routine(function.__code__).first_free_slot
                return function.__closure__[free] if free >= 0 else CellType(args[slot])
            case Contents(cell=cell):
                return self.reach(cell, args).cell_contents
            case Global(name=name):
                found = function.__globals__
                return found[name] if name in found else getattr(builtins, name)
            case Globals():
                return function.__globals__
            case Attribute(base=base, name=name):
                return getattr(self.reach(base, args), name)
            case Past(base=base, name=name):
                return object.__getattribute__(self.reach(base, args), name)
            case Item(base=base, key=key):
                return self.reach(base, args)[key]
            case DictKey(base=base, index=index):
                return list(self.reach(base, args))[index]
            case TypeOf(base=base):
                return type(self.reach(base, args))
            case Fixed(value=value) | Held(value=value):
                return value
        raise AssertionError(origin)

    def _holds(self, guard: Guard, args: Sequence[object]) -> bool:
        it = self.reach(guard.origin, args)
        match guard.check:
            case TypeIs(type=type_):
                return type(it) is type_
            case Is(value=value):
                return it is value
            case Equals(value=value, typed=typed):
                return (type(it) is type(value) or not typed) and repr(it) == repr(value)
            case Length(length=length):
                return len(it) == length
            case KeysAre(keys=keys):
                return tuple(it) == keys and [type(key) for key in it] == [type(key) for key in keys]
            case ContainsKey(key=key, present=present):
                return (key in it) is present
            case Lacks(name=name):
                return not hasattr(it, name)
            case IsBoundMethod(function=function):
                return type(it) is MethodType and it.__func__ is function
            case IsBoundBuiltin(function=function):
                return it == function.__get__(it.__self__)
            case SameAs(other=other, same=same):
                return (it is self.reach(other, args)) is same
            case Present():
                return True
            case CellIsEmpty():
                return it == CellType()
            case HasBits(mask=mask, bits=bits):
                return it & mask == bits
        raise AssertionError(guard)


class _World:
    """One replay: every existing object that it needs is reached before anything is written."""

    def __init__(self, trace: Trace, args: Sequence[object]) -> None:
        self.trace = trace
        self.args = args
        self.made: dict[int, object] = {}
        self.nodes: dict[int, object] = {}
        self._compute()

    def _compute(self) -> None:
        machine = self.trace.machine
        inputs = {traced.node.index: known.origin for known, traced in machine.inputs}
        for node in machine.nodes:
            if node.kind is Kind.INPUT:
                self.nodes[node.index] = self.trace.reach(inputs[node.index], self.args)
            else:
                args = [map_nodes(argument, lambda found: self.nodes[found.index]) for argument in node.args]
                kwargs = {k: map_nodes(v, lambda found: self.nodes[found.index]) for k, v in node.kwargs}
                self.nodes[node.index] = run_node(node, args, kwargs)

    def build(self, value: Value) -> object:
        """The object that the value stands for."""
        match value:
            case Constant(value=constant):
                return constant
            case Known(origin=origin):
                return self.trace.reach(origin, self.args)
            case Traced(node=node):
                return self.nodes[node.index]
            case Made(object_id=object_id):
                if object_id not in self.made:
                    self._make(value)
                return self.made[object_id]
        raise AssertionError(value)

    def _make(self, value: Made) -> None:
        content, key = self.trace.machine.heap.content(value), value.object_id
        match content:
            case ListContent(items=items):
                built = self.made[key] = []
                built.extend(self.build(item) for item in items)
            case TupleContent(items=items):
                self.made[key] = tuple(self.build(item) for item in items)
            case DictContent(entries=entries, owner=Made() as owner):
                built = self.made[key] = object.__getattribute__(self.build(owner), "__dict__")
                built.update({k: self.build(v) for k, v in entries.items() if not isinstance(v, Absent)})
            case DictContent(entries=entries):
                built = self.made[key] = {}
                built.update({k: self.build(v) for k, v in entries.items() if not isinstance(v, Absent)})
            case CellContent(value=inside):
                built = self.made[key] = CellType()
                if not isinstance(inside, Absent):
                    built.cell_contents = self.build(inside)
            case ObjectContent(type=type_, attributes=attributes):
                built = self.made[key] = object.__new__(type_)
                for name, item in attributes.items():
                    if not isinstance(item, Absent):
                        object.__setattr__(built, name, self.build(item))
                if isinstance(content.namespace, Made):
                    self.build(content.namespace)
            case MethodContent(function=function, owner=owner):
                self.made[key] = MethodType(self.build(function), self.build(owner))
            case FunctionContent():
                closure = tuple(self.build(cell) for cell in content.closure)
                defaults = None if content.defaults is None else tuple(self.build(item) for item in content.defaults)
                namespace = self.build(content.globals)
                self.made[key] = FunctionType(content.code, namespace, content.name, defaults, closure)
            case _:
                raise AssertionError(content)

    def commit(self) -> None:
        """Do the effects, in order; everything they need is reached first."""
        steps = [self._step(effect) for effect in self.trace.machine.heap.effects]
        for step in steps:
            step()

    def _step(self, effect: object) -> Callable[[], object]:
        match effect:
            case SetAttribute(owner=owner, name=name, value=value):
                target, new = self.build(owner), self.build(value)
                return lambda: setattr(target, name, new)
            case DeleteAttribute(owner=owner, name=name):
                target = self.build(owner)
                return lambda: delattr(target, name)
            case SetItem(container=container, key=key, value=value):
                target, new = self.build(container), self.build(value)
                return lambda: target.__setitem__(key, new)
            case DeleteItem(container=container, key=key):
                target = self.build(container)
                return lambda: target.__delitem__(key)
            case SetContents(cell=cell, value=value):
                target, new = self.build(cell), None if value is None else self.build(value)
                return lambda: setattr(target, "cell_contents", new)
        raise AssertionError(effect)


def trace(function: FunctionType, *args: object, domains: Sequence[Domain] = (), config: Config | None = None) -> Trace:
    """Trace one call; the arguments are the parameters, in order."""
    machine = Machine(domains, config or Config())
    routine = machine.routine(function.__code__)
    slots: list[SlotState | Value] = [SlotState.UNBOUND] * len(routine.slots)
    slots[: len(args)] = [Known(arg, Local(slot)) for slot, arg in enumerate(args)]
    translator = InstructionTranslator(
        routine, FrameState(-1, slots, []), machine, Known(function.__globals__, Globals())
    )
    cells = function.__closure__ or ()
    first = routine.first_free_slot
    ending = translator.run([Known(cell, Cell(first + index)) for index, cell in enumerate(cells)])
    return Trace(function, machine, ending)


def outcome(call: Callable[[], object]) -> tuple[str, object]:
    """What a call returns or raises."""
    try:
        return "returned", call()
    except Exception as error:
        return "raised", (type(error), error.args)


SCOPE = Scope()


def assert_replays(function: FunctionType, make: Callable[[], Sequence[object]] = tuple) -> Trace:
    """Trace the function on one set of arguments; on another, equal one the guards hold and a replay does the same."""
    traced = trace(function, *make())
    assert traced.reason is None, traced.reason
    args = make()
    plain = describe(SCOPE, args=args, outcome=outcome(lambda: function(*args)))
    again = make()
    failing = traced.failing(again)
    assert failing is None, failing
    replayed = outcome(lambda: traced.replay(again))
    assert describe(SCOPE, args=again, outcome=replayed) == plain
    return traced


def follows(function: FunctionType, args: Sequence[object], change: Callable[[], object]) -> bool:
    """Trace a function that changes nothing, then change its world: the guards miss (False), or a replay is right."""
    traced = trace(function, *args)
    assert traced.reason is None, traced.reason
    assert traced.failing(args) is None, traced.failing(args)
    change()
    if traced.failing(args) is not None:
        return False
    replayed, plain = outcome(lambda: traced.replay(args)), outcome(lambda: function(*args))
    assert describe(SCOPE, outcome=replayed) == describe(SCOPE, outcome=plain)
    return True


def breaks(function: FunctionType, *args: object) -> str:
    """The code of the break that ends the trace of a call."""
    reason = trace(function, *args).reason
    assert reason is not None
    return reason.code
