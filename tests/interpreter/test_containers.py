"""Lists, dicts and sets under random sequences of operations: what they give, hold, guard, write, and undo."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Reply
from symexec.interpreter.protocol.builtin_calls import call_builtin
from symexec.interpreter.protocol.items import delete_item, get_item, set_item
from symexec.interpreter.protocol.iterate import iterate_all
from symexec.interpreter.protocol.unpacking import unpack_with_rest
from symexec.values.heap import DictContent, ListContent, SetContent
from symexec.values.model import NONE, Constant, Value
from tests.interpreter.machines import (
    failing_guard,
    fresh_machine,
    known,
    now,
    outcome_in_python,
    outcome_of,
    same,
)

Operation = tuple[Callable[..., object], tuple[object, ...]]
"""A function of a container and other arguments, which may be containers themselves."""

scalars = st.one_of(st.integers(-3, 6), st.sampled_from(["a", "b", "", None, True, 1.0, 2.5, b"a"]))
indices = st.integers(-5, 6)
bounds = st.one_of(st.none(), indices)
slices = st.builds(slice, bounds, bounds, st.sampled_from([None, None, 1, 2, -1, -2]))
items = st.lists(scalars, max_size=4)
keys = st.one_of(st.integers(0, 4), st.sampled_from(["a", "b", True, 1.0, None]))
dicts = st.dictionaries(keys, scalars, max_size=4)
sets = st.sets(keys, max_size=4)


def operations(*choices: tuple[Callable[..., object], tuple[st.SearchStrategy[object], ...]]):
    return st.one_of([st.tuples(st.just(function), st.tuples(*args)) for function, args in choices])


def head_and_rest(container: list[object]) -> list[object]:
    first, *rest = container
    return [first, rest]


list_operations = operations(
    (list.append, (scalars,)),
    (list.extend, (st.one_of(items, st.tuples(scalars), st.text("xy", max_size=2), dicts, st.integers()),)),
    (list.insert, (indices, scalars)),
    (list.pop, ()),
    (list.pop, (indices,)),
    (list.remove, (scalars,)),
    (list.index, (scalars,)),
    (list.index, (scalars, indices)),
    (list.count, (scalars,)),
    (list.reverse, ()),
    (list.sort, ()),
    (list.copy, ()),
    (list.clear, ()),
    (operator.getitem, (st.one_of(indices, slices, scalars),)),
    (operator.setitem, (indices, scalars)),
    (operator.setitem, (slices, st.one_of(items, scalars, st.tuples(scalars, scalars)))),
    (operator.delitem, (st.one_of(indices, slices, scalars),)),
    (operator.iadd, (items,)),
    (operator.imul, (st.integers(-1, 2),)),
    (operator.contains, (scalars,)),
    (operator.eq, (items,)),
    (operator.lt, (items,)),
    (len, ()),
    (list, ()),
    (tuple, ()),
    (set, ()),
    (sum, ()),
    (max, ()),
    (sorted, ()),
    (head_and_rest, ()),
)

dict_operations = operations(
    (operator.setitem, (keys, scalars)),
    (operator.getitem, (keys,)),
    (operator.delitem, (keys,)),
    (operator.contains, (keys,)),
    (dict.get, (keys,)),
    (dict.get, (keys, scalars)),
    (dict.pop, (keys,)),
    (dict.pop, (keys, scalars)),
    (dict.popitem, ()),
    (dict.setdefault, (keys, scalars)),
    (dict.update, (dicts,)),
    (dict.update, (st.lists(st.tuples(keys, scalars), max_size=3),)),
    (dict.clear, ()),
    (dict.copy, ()),
    (operator.ior, (dicts,)),
    (operator.or_, (dicts,)),
    (operator.eq, (dicts,)),
    (len, ()),
    (bool, ()),
    (list, ()),
    (dict, ()),
    (sorted, ()),
    (str, ()),
)

set_operations = operations(
    (set.add, (keys,)),
    (set.discard, (keys,)),
    (set.remove, (keys,)),
    (set.update, (st.one_of(items, sets, dicts),)),
    (set.union, (items,)),
    (set.issubset, (sets,)),
    (set.clear, ()),
    (operator.contains, (keys,)),
    (operator.ior, (sets,)),
    (operator.isub, (sets,)),
    (operator.iand, (sets,)),
    (operator.ixor, (sets,)),
    (operator.sub, (sets,)),
    (operator.and_, (sets,)),
    (operator.eq, (sets,)),
    (operator.le, (sets,)),
    (len, ()),
    (bool, ()),
    (sorted, ()),
    (list, ()),
)


def added_up(value: object) -> object:
    """A set made by adding its elements one by one, so that its order is that of a machine's made so."""
    if not isinstance(value, set):
        return value
    result = set()
    for each in value:
        result.add(each)
    return result


@attrs.define
class Pair:
    """A container of the machine's and the same in plain Python, with the states to go back to."""

    machine: Machine
    value: Value
    original: object
    plain: object
    marks: list[tuple[object, object]] = attrs.Factory(list)

    def argument(self, argument: object) -> Value:
        """An argument as a value: a new container, or a constant."""
        heap = self.machine.heap
        if isinstance(argument, list):
            return heap.make(ListContent([self.argument(each) for each in argument]))
        if isinstance(argument, dict):
            return heap.make(DictContent({key: Constant(item) for key, item in argument.items()}, complete=True))
        if isinstance(argument, set):
            made = heap.make(SetContent(set()))
            for each in argument:
                call_builtin(self.machine, set.add, [made, Constant(each)], ())
            return made
        return Constant(argument)

    def apply(self, function: Callable[..., object], args: Sequence[object]) -> Reply:
        """The operation on the machine's container."""
        machine, value, given_ = self.machine, self.value, [self.argument(arg) for arg in args]
        if function is head_and_rest:
            parts = unpack_with_rest(machine, value, 1, 0)
            return parts if isinstance(parts, STOPS) else machine.heap.make(ListContent(parts))
        if function is operator.getitem:
            return get_item(machine, value, *given_)
        if function is operator.setitem:
            return set_item(machine, value, *given_) or NONE
        if function is operator.delitem:
            return delete_item(machine, value, *given_) or NONE
        return call_builtin(machine, function, [value, *given_], ())

    def step(self, operation: Operation) -> None:
        """One operation on both; where the machine breaks, on neither."""
        function, args = operation
        mark, before = self.machine.mark(), self.plain.copy()
        reply = self.apply(function, args)
        found = outcome_of(self.machine, reply)
        if found[0] == "breaks":
            self.machine.rollback(mark)
            return
        expected = outcome_in_python(function, self.plain, *map(added_up, args))
        if found[0] == "gives":
            found = "gives", now(self.machine, reply)
        elif issubclass(found[1][0], (TypeError, ValueError)):
            found, expected = (found[0], found[1][0]), (expected[0], expected[1][0])
        assert found[0] == expected[0]
        assert same(found[1], expected[1]), (operation, before)
        assert same(now(self.machine, self.value), self.plain), (operation, before)

    def check(self) -> None:
        """The original is untouched, and everything that was guarded holds for it."""
        assert same(self.value.value if hasattr(self.value, "value") else self.original, self.original)
        assert failing_guard(self.machine, self.original) is None


def run(original: object, existing: bool, steps: list[Operation | str]) -> None:
    machine = fresh_machine()
    pair = Pair(machine, NONE, added_up(original.copy()), added_up(original.copy()))
    pair.value = known(machine, added_up(original.copy()))[0] if existing else pair.argument(original)
    for step in steps:
        if step == "mark":
            pair.marks.append((machine.mark(), pair.plain.copy()))
        elif step == "back" and pair.marks:
            mark, pair.plain = pair.marks.pop()
            machine.rollback(mark)
            assert same(now(machine, pair.value), pair.plain)
        elif not isinstance(step, str):
            pair.step(step)
            pair.check()
    while pair.marks:
        mark, pair.plain = pair.marks.pop()
        machine.rollback(mark)
        assert same(now(machine, pair.value), pair.plain)


def steps_of(choices: st.SearchStrategy[Operation]) -> st.SearchStrategy[list[Operation | str]]:
    return st.lists(st.one_of(choices, choices, choices, st.sampled_from(["mark", "back"])), max_size=12)


@settings(max_examples=300, deadline=None)
@given(items, st.booleans(), steps_of(list_operations))
def test_lists(original, existing, steps):
    run(original, existing, steps)


@settings(max_examples=300, deadline=None)
@given(dicts, st.booleans(), steps_of(dict_operations))
def test_dicts(original, existing, steps):
    run(original, existing, steps)


@settings(max_examples=300, deadline=None)
@given(sets, st.booleans(), steps_of(set_operations))
def test_sets(original, existing, steps):
    run(original, existing, steps)


@settings(max_examples=100, deadline=None)
@given(dicts, dicts)
def test_guards_fail_for_other_dicts(original, other):
    machine = fresh_machine()
    (value,) = known(machine, original)
    assert not isinstance(iterate_all(machine, value), STOPS)
    assert (failing_guard(machine, other) is None) is same(list(original), list(other))


def test_appending_is_linear():
    machine = fresh_machine()
    (existing,) = known(machine, [])
    for value in (existing, machine.heap.make(ListContent([]))):
        for number in range(20_000):
            call_builtin(machine, list.append, [value, Constant(number)], ())
    assert len(machine.heap.effects) == 20_000
    assert len(machine.guards.guards) == 1  # its type


def test_two_ways_to_one_list_are_one_list():
    machine, shared = fresh_machine(), [1]
    first, second = known(machine, shared, shared)
    call_builtin(machine, list.append, [first, Constant(2)], ())
    assert outcome_of(machine, call_builtin(machine, list.copy, [second], ())) == ("gives", [1, 2])
    assert failing_guard(machine, shared, shared) is None
    assert failing_guard(machine, shared, [1]) is not None


def test_a_dict_entry_that_is_never_used_is_guarded_to_be_there():
    machine = fresh_machine()
    (value,) = known(machine, {"a": 1})
    get_item(machine, value, Constant("a"))
    assert failing_guard(machine, {"a": 2, "b": 3}) is None
    assert failing_guard(machine, {"b": 3}) is not None


class Tricky(str):
    """A key whose comparison must not run while tracing."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("user code ran")


def test_dicts_and_sets_with_keys_that_run_code_are_left_to_python():
    machine = fresh_machine()
    mapping, elements = known(machine, {Tricky("a"): 1}, {Tricky("a")})
    for function, value in ((dict.get, mapping), (operator.contains, mapping), (operator.contains, elements)):
        reply = call_builtin(machine, function, [value, Constant("a")], ())
        assert outcome_of(machine, reply)[0] == "breaks"


class Finalized:
    """Dropping the last reference runs code."""

    def __del__(self) -> None:
        pass


def test_a_write_that_may_drop_an_object_with_a_finalizer_breaks():
    machine = fresh_machine()
    held, mapping = known(machine, [Finalized()], {"a": Finalized()})
    assert outcome_of(machine, set_item(machine, held, Constant(0), NONE)) == ("breaks", "SX5001")
    assert outcome_of(machine, delete_item(machine, mapping, Constant("a"))) == ("breaks", "SX5001")
    assert machine.heap.effects == []


def test_small_containers_of_harmless_values_may_be_dropped():
    machine = fresh_machine()
    mapping, new = known(machine, {"a": [1, (2.5, None)], "b": [Finalized()]}, [])
    assert set_item(machine, mapping, Constant("a"), new) is None
    assert failing_guard(machine, {"a": [3, (0.5, None)]}, []) is None
    assert failing_guard(machine, {"a": [3, (0.5, Finalized())]}, []) is not None
    assert outcome_of(machine, set_item(machine, mapping, Constant("b"), new)) == ("breaks", "SX5001")


def test_what_a_container_holds_now_is_what_is_dropped_with_it():
    machine = fresh_machine()
    mapping, held = known(machine, {"a": []}, Finalized())
    inner = get_item(machine, mapping, Constant("a"))
    call_builtin(machine, list.append, [inner, held], ())
    assert outcome_of(machine, set_item(machine, mapping, Constant("a"), NONE)) == ("breaks", "SX5001")
