"""Iteration, unpacking and indexing: builtin iterators see what happens to their source, the user's own are called."""

from __future__ import annotations

import pytest

from symexec.interpreter.protocol.builtin_calls import call_builtin
from symexec.interpreter.protocol.dicts import drop_entry, store_entry
from symexec.interpreter.protocol.items import get_item, set_item
from symexec.interpreter.protocol.iterate import get_iterator, iterate_all, known_length, next_item
from symexec.interpreter.protocol.lists import list_append
from symexec.interpreter.protocol.sets import set_add, set_discard
from symexec.interpreter.protocol.unpacking import unpack, unpack_with_rest
from symexec.values.guard import Equals, KeysAre, TypeIs
from symexec.values.heap import DictContent, ListContent, SetContent
from symexec.values.model import NONE, Constant, Known
from symexec.values.origin import DictKey
from tests.interpreter.machines import failing_guard, fresh_machine, known, outcome_in_python, outcome_of, python

ITERABLES = [
    "[1, 2]", "(1, 'a')", "'ab'", "''", "b'ab'", "range(3)", "range(10**30, 10**30 + 2)", "{'a': 1, 2: 3}", "5", "None",
    "[[1], (2,)]", "{7}", "{1, 2}", "frozenset()", "int", "len",
]  # fmt: skip
LEFT_TO_PYTHON = ["{'a': 1}.items()", "iter([1])", "bytearray(b'a')"]


@pytest.mark.parametrize("source", ITERABLES)
def test_items_are_pythons(source):
    machine = fresh_machine()
    (value,) = known(machine, eval(source))
    assert outcome_of(machine, iterate_all(machine, value)) == outcome_in_python(list, eval(source))
    assert failing_guard(machine, eval(source)) is None


@pytest.mark.parametrize("source", LEFT_TO_PYTHON)
def test_what_cannot_be_guarded_or_repeated_is_left_to_python(source):
    machine = fresh_machine()
    (value,) = known(machine, eval(source))
    assert outcome_of(machine, iterate_all(machine, value))[0] == "breaks"


def test_a_list_iterator_sees_items_that_are_appended_and_stays_exhausted():
    machine = fresh_machine()
    made = machine.heap.make(ListContent([Constant(1)]))
    iterator = get_iterator(machine, made)
    assert known_length(machine, iterator) == 1
    assert python(machine, next_item(machine, iterator)) == 1
    list_append(machine, made, Constant(2))
    assert known_length(machine, iterator) == 1
    assert python(machine, next_item(machine, iterator)) == 2
    assert next_item(machine, iterator) is None
    list_append(machine, made, Constant(3))
    assert next_item(machine, iterator) is None
    assert known_length(machine, iterator) == 0


def test_an_iterator_is_its_own_iterator():
    machine = fresh_machine()
    iterator = get_iterator(machine, Constant((1, 2)))
    assert get_iterator(machine, iterator) is iterator


def test_positions_are_rolled_back():
    machine = fresh_machine()
    iterator = get_iterator(machine, Constant((1, 2)))
    mark = machine.mark()
    assert len(iterate_all(machine, iterator)) == 2
    machine.rollback(mark)
    assert len(iterate_all(machine, iterator)) == 2


def test_a_dict_that_changes_its_size_is_noticed():
    machine = fresh_machine()
    made = machine.heap.make(DictContent({"a": NONE, "b": NONE}, complete=True))
    iterator = get_iterator(machine, made)
    next_item(machine, iterator)
    store_entry(machine, made, "a", Constant(1))
    assert outcome_of(machine, next_item(machine, iterator)) == ("gives", "b")
    store_entry(machine, made, "c", NONE)
    expected = ("raises", (RuntimeError, ("dictionary changed size during iteration",)))
    assert outcome_of(machine, next_item(machine, iterator)) == expected


def test_a_dict_whose_keys_are_replaced_is_left_to_python():
    machine = fresh_machine()
    made = machine.heap.make(DictContent({"a": NONE, "b": NONE}, complete=True))
    iterator = get_iterator(machine, made)
    drop_entry(machine, made, "a", Constant("a"))
    store_entry(machine, made, "c", NONE)
    assert outcome_of(machine, next_item(machine, iterator)) == ("breaks", "SX2113")


def test_a_set_that_changes_is_noticed():
    machine = fresh_machine()
    made = machine.heap.make(SetContent(set()))
    for element in (1, 2):
        set_add(machine, made, Constant(element))
    first, second = get_iterator(machine, made), get_iterator(machine, made)
    set_discard(machine, made, 1)
    assert outcome_of(machine, next_item(machine, first))[1][0] is RuntimeError
    set_add(machine, made, Constant(3))
    assert outcome_of(machine, next_item(machine, second)) == ("breaks", "SX2113")


def test_the_keys_of_an_existing_dict_are_its_own_objects_and_guarded_once():
    machine = fresh_machine()
    key = "a key that is not interned"
    (value,) = known(machine, {key: 1, "b": 2})
    items = iterate_all(machine, value)
    assert isinstance(items, list)
    assert [item.origin for item in items if isinstance(item, Known)] == [
        DictKey(value.origin, 0),
        DictKey(value.origin, 1),
    ]
    assert [machine.concrete(item) for item in items] == [key, "b"]
    assert [guard.check for guard in machine.guards.guards] == [TypeIs(dict), KeysAre((key, "b"))]


def test_writes_before_the_keys_are_read_come_after_them():
    machine = fresh_machine()
    (value,) = known(machine, {"a": 1, "b": 2, "c": 3})
    store_entry(machine, value, "d", NONE)
    drop_entry(machine, value, "a", Constant("a"))
    store_entry(machine, value, "a", NONE)
    drop_entry(machine, value, "c", Constant("c"))
    assert outcome_of(machine, iterate_all(machine, value)) == ("gives", ["b", "d", "a"])
    assert failing_guard(machine, {"a": 1, "b": 2, "c": 3}) is None
    assert failing_guard(machine, {"b": 2, "a": 1, "c": 3}) is not None


def test_zips_and_enumerations_go_on_step_by_step():
    machine = fresh_machine()
    made = machine.heap.make(ListContent([Constant(1), Constant(2)]))
    numbered = call_builtin(machine, enumerate, [made], ())
    zipped = call_builtin(machine, zip, [made, Constant("abc")], ())
    assert python(machine, next_item(machine, numbered)) == (0, 1)
    set_item(machine, made, Constant(1), Constant(9))
    assert known_length(machine, numbered) == 1
    assert known_length(machine, zipped) == 2
    assert outcome_of(machine, iterate_all(machine, numbered)) == ("gives", [(1, 9)])
    assert outcome_of(machine, iterate_all(machine, zipped)) == ("gives", [(1, "a"), (9, "b")])


def test_a_zip_advances_its_first_iterator_before_it_finds_the_second_exhausted():
    machine = fresh_machine()
    first = get_iterator(machine, Constant((1, 2, 3)))
    zipped = call_builtin(machine, zip, [first, Constant("a")], ())
    assert outcome_of(machine, iterate_all(machine, zipped)) == ("gives", [(1, "a")])
    assert outcome_of(machine, iterate_all(machine, first)) == ("gives", [3])


def test_a_reversed_list_sees_what_happens_to_the_list():
    machine = fresh_machine()
    made = machine.heap.make(ListContent([Constant(1), Constant(2), Constant(3)]))
    iterator = call_builtin(machine, reversed, [made], ())
    call_builtin(machine, list.pop, [made], ())
    call_builtin(machine, list.pop, [made], ())
    assert outcome_of(machine, iterate_all(machine, iterator)) == ("gives", [])  # as CPython has it


class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return self

    def __next__(self):
        self.start -= 1
        return self.start

    def __getitem__(self, key):
        return self.start, key

    def __setitem__(self, key, value):
        self.start = key, value


def test_the_programs_own_iterators_are_called():
    machine = fresh_machine()
    (value,) = known(machine, Countdown(3))
    iterator = get_iterator(machine, value)
    assert outcome_of(machine, next_item(machine, iterator)) == ("gives", 2)
    assert outcome_of(machine, next_item(machine, iterator)) == ("gives", 1)
    assert outcome_of(machine, get_item(machine, value, Constant("k"))) == ("gives", (1, "k"))
    set_item(machine, value, Constant("k"), Constant(5))
    assert outcome_of(machine, get_item(machine, value, Constant(0))) == ("gives", (("k", 5), 0))
    assert value.value.start == 3


def unpacker(count):
    """A function that unpacks into so many names."""
    names = [f"a{number}" for number in range(count)]
    namespace = {}
    exec(f"def unpacked(it):\n    [{', '.join(names)}] = it\n    return [{', '.join(names)}]", namespace)
    return namespace["unpacked"]


@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("source", ITERABLES)
def test_unpacking_is_pythons(source, count):
    machine = fresh_machine()
    found = outcome_of(machine, unpack(machine, known(machine, eval(source))[0], count))
    expected = outcome_in_python(unpacker(count), eval(source))
    assert found == expected


def with_rest(iterable):
    first, *rest, last = iterable
    return [first, rest, last]


@pytest.mark.parametrize("source", ITERABLES)
def test_unpacking_with_a_rest_is_pythons(source):
    machine = fresh_machine()
    found = outcome_of(machine, unpack_with_rest(machine, known(machine, eval(source))[0], 1, 1))
    assert found == outcome_in_python(with_rest, eval(source))


def test_an_index_consults_the_length_and_not_the_items():
    machine = fresh_machine()
    container, index = known(machine, [1, 2, 3], -1)
    item = get_item(machine, container, index)
    assert isinstance(item, Known)
    assert item.value == 3
    assert failing_guard(machine, [4, 5, 6], -1) is None
    assert failing_guard(machine, [4, 5], -1) is not None
    assert failing_guard(machine, [4, 5, 6], 0) is not None
    machine.resolve(item)
    assert machine.guards.guards[-1].check == Equals(3)
