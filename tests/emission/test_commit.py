"""Effects as instructions: each kind done, all of them in their order, from values read before the first of them, and
nothing between them that could call, raise of its own accord or be interrupted.
"""

from __future__ import annotations

import dis
import types
import typing
from pathlib import Path

import pytest

from symexec.capture.commit import home_slot
from symexec.errors import GuardError
from symexec.interpreter.protocol.operator_table import COUNT, SYMBOLS
from symexec.values.effect import (
    AddToSet,
    Append,
    CombineSet,
    DeleteAttribute,
    DeleteItem,
    Effect,
    SetAttribute,
    SetContents,
    SetItem,
    SetSlice,
)
from symexec.values.guard import Equals, Guard, TypeIs
from symexec.values.heap import ABSENT, CellContent, Heap, ListContent, TupleContent
from symexec.values.model import NONE, Constant, Known
from symexec.values.origin import Attribute, Contents, Global, Globals, Item, Origin
from tests.emission.pieces import cell, committing, local


def one(x):
    return x


def two(x, y):
    return x, y


X, Y = local(two, "x"), local(two, "y")


def at(origin: Origin, value: object = None) -> Known:
    """An existing object; what it was while tracing does not matter to what is emitted."""
    return Known(value, origin)


GLOBAL_TO_SET = GLOBAL_TO_SWAP = "before"
GLOBAL_OTHER = "other"
QUIET = frozenset(
    """
    NOP COPY SWAP POP_TOP LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_BORROW LOAD_CONST LOAD_SMALL_INT LOAD_CONST_IMMORTAL
    LOAD_DEREF LOAD_CLOSURE STORE_SUBSCR STORE_SLICE DELETE_SUBSCR STORE_ATTR DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL
    STORE_DEREF DELETE_DEREF BUILD_LIST BUILD_SLICE BUILD_SET SET_ADD LIST_APPEND STORE_FAST EXTENDED_ARG BINARY_OP
    """.split()
)
WRITES = ("STORE_SUBSCR", "STORE_SLICE", "DELETE_", "STORE_ATTR", "STORE_GLOBAL", "STORE_DEREF")
WRITES += ("SET_ADD", "LIST_APPEND", "BINARY_OP")


def check_atomic(code: types.CodeType) -> None:
    """From the first write to the return there is nothing but stores, deletes, builds and loads of what is at hand."""
    names = [each.opname for each in dis.get_instructions(code)]
    writes = [index for index, name in enumerate(names) if name.startswith(WRITES)]
    assert writes
    end = next(index for index in range(writes[-1], len(names)) if names[index].startswith("RETURN"))
    assert set(names[writes[0] : end]) <= QUIET


def run(effects: list[Effect], x: object, y: object = None, heap: Heap | None = None) -> None:
    function = committing(two, heap or Heap(), effects)
    check_atomic(function.__code__)
    assert function(x, y) is None


class Owner:
    pass


class Slotted:
    __slots__ = ("a", "b")


def test_items_of_lists_and_dicts() -> None:
    items = [1, 2, 3]
    run([SetItem(at(X), 0, Constant("a")), SetItem(at(X), -1, at(Y)), DeleteItem(at(X), 1)], items, "y")
    assert items == ["a", "y"]
    book: dict[object, object] = {"a": 1, "b": 2}
    effects: list[Effect] = [DeleteItem(at(X), "a"), SetItem(at(X), "a", at(Y)), SetItem(at(X), None, Constant(2.5))]
    run(effects, book, "y")
    assert list(book.items()) == [("b", 2), ("a", "y"), (None, 2.5)]


def test_keys_keep_their_types_and_signs() -> None:
    book: dict[object, object] = {}
    keys = [1, 2.5, "s", b"b", None, -0.0, 10**30, 1j]
    run([SetItem(at(X), key, Constant(index)) for index, key in enumerate(keys)], book)
    assert [(type(key), repr(key), value) for key, value in book.items()] == [
        (type(key), repr(key), index) for index, key in enumerate(keys)
    ]


def test_slices() -> None:
    items = list(range(6))
    run([SetSlice(at(X), 1, 3, (Constant("a"), at(Y), Constant("b")))], items, "y")
    assert items == [0, "a", "y", "b", 3, 4, 5]
    run([SetSlice(at(X), 7, 7, (at(Y),)), SetSlice(at(X), 0, 4, ())], items, "end")
    assert items == [3, 4, 5, "end"]
    run([SetSlice(at(X), 0, 4, ())], items)
    assert items == []


def test_appending() -> None:
    items: list[object] = [1]
    run([Append(at(X), at(Y)), SetSlice(at(X), 0, 1, ()), Append(at(X), Constant(3))], items, "y")
    assert items == ["y", 3]


def test_attributes_of_instances_classes_and_slots() -> None:
    owner = Owner()
    owner.a, owner.gone = 1, 2
    run([SetAttribute(at(X), "a", at(Y)), DeleteAttribute(at(X), "gone"), SetAttribute(at(X), "b", NONE)], owner, "y")
    assert vars(owner) == {"a": "y", "b": None}
    slotted = Slotted()
    slotted.a = 1
    run([SetAttribute(at(X), "b", at(Y)), DeleteAttribute(at(X), "a")], slotted, "y")
    assert slotted.b == "y"
    assert not hasattr(slotted, "a")
    run([SetAttribute(at(X), "of_class", Constant(3))], type(owner))
    assert owner.of_class == 3
    del Owner.of_class
    module = types.ModuleType("module")
    run([SetAttribute(at(X), "name", at(Y))], module, "y")
    assert module.name == "y"


def test_globals() -> None:
    namespace = at(Globals(), globals())
    run([SetItem(namespace, "GLOBAL_TO_SET", at(X)), SetItem(namespace, "GLOBAL_MADE", at(Y))], "new", "made")
    assert (GLOBAL_TO_SET, globals()["GLOBAL_MADE"]) == ("new", "made")
    run([DeleteItem(namespace, "GLOBAL_MADE"), SetItem(namespace, "GLOBAL_TO_SET", Constant("before"))], None)
    assert GLOBAL_TO_SET == "before"
    assert "GLOBAL_MADE" not in globals()


def test_sets() -> None:
    members: set[object] = {1}
    run([AddToSet(at(X), value) for value in ("a", 2, 1, None)], members)
    assert members == {1, 2, "a", None}


def test_sets_combined_in_place() -> None:
    members: set[object] = {1, 2, 3, "a"}
    steps = [("^", {1}), ("|", {5, 6}), ("-", {2, 9}), ("&", {3, 5, "a", "b"})]
    run([CombineSet(at(X), SYMBOLS.index(op) + COUNT, Constant(frozenset(other))) for op, other in steps], members)
    assert members == {3, 5, "a"}


def test_emptying_leaves_the_table_of_a_new_set() -> None:
    members: set[object] = set(range(100))
    empty = CombineSet(at(X), SYMBOLS.index("&") + COUNT, Constant(frozenset()))
    run([empty, *(AddToSet(at(X), value) for value in (1000, 64, 3, 8))], members)
    expected: set[object] = set()
    for value in (1000, 64, 3, 8):
        expected.add(value)
    assert list(members) == list(expected)


def test_what_is_taken_out_leaves_the_others_in_their_places() -> None:
    members, expected = set(range(0, 64, 3)), set(range(0, 64, 3))
    for value in range(0, 60, 6):
        expected.discard(value)
    take = SYMBOLS.index("^") + COUNT
    run([CombineSet(at(X), take, Constant(frozenset({value}))) for value in range(0, 60, 6)], members)
    members.update(range(100, 120))
    expected.update(range(100, 120))
    assert list(members) == list(expected)


def test_a_set_grows_in_the_order_of_its_own_additions() -> None:
    values = [64, 0, 8, 16, 1000, "a", 24, 32]
    expected: set[object] = set()
    for value in values:
        expected.add(value)
    members: set[object] = set()
    run([AddToSet(at(X), value) for value in values], members)
    assert list(members) == list(expected)


def make_with_cells():
    free = other = "before"

    def with_cells(x, y):
        own = y

        def read():
            return own, free, other, x

        return read

    def look():
        try:
            return free, other
        except NameError:
            return "empty", other

    return with_cells, look


def test_cells_of_the_frame_and_cells_of_others() -> None:
    template, look = make_with_cells()
    free, other = at(cell(template, "free")), at(cell(template, "other"))
    function = committing(
        template, Heap(), [SetContents(free, Constant("new")), SetContents(other, at(cell(template, "x")))]
    )
    check_atomic(function.__code__)
    function("x", "y")
    assert look()[0] == "new"
    assert type(look()[1]) is types.CellType
    committing(template, Heap(), [SetContents(free, None)])("x", "y")
    assert look()[0] == "empty"
    elsewhere = types.CellType("before")
    run([SetContents(at(X), at(Y))], elsewhere, "after")
    assert elsewhere.cell_contents == "after"
    run([SetContents(at(X), None)], elsewhere)
    with pytest.raises(ValueError, match="empty"):
        elsewhere.cell_contents.real


def test_a_made_cell_of_the_prefix_lives_in_its_slot() -> None:
    template, _ = make_with_cells()
    heap = Heap()
    slot = cell(template, "own").slot
    own = heap.make(CellContent(Constant("kept"), home=slot))
    assert home_slot(heap, own) == slot
    assert home_slot(heap, heap.make(CellContent(ABSENT))) is None
    function = committing(template, heap, [SetContents(own, Constant("kept"))], own)
    found = function("x", "y")
    assert type(found) is types.CellType
    assert found.cell_contents == "kept"


def test_effects_are_done_in_their_order() -> None:
    log: list[object] = []

    class Logged:
        def __setattr__(self, name, value):
            log.append((name, value))

        def __delattr__(self, name):
            log.append(name)

    run(
        [
            SetAttribute(at(X), "a", Constant(1)),
            DeleteAttribute(at(X), "a"),
            SetAttribute(at(X), "b", at(Y)),
            SetAttribute(at(X), "a", Constant(3)),
        ],
        Logged(),
        2,
    )
    assert log == [("a", 1), "a", ("b", 2), ("a", 3)]


# Every way to a value, and the write that changes what the way leads to: the value is the one from before.


def test_a_swap_of_attributes_items_globals_and_cells() -> None:
    owner = Owner()
    owner.a, owner.b = "a", "b"
    a, b = at(Attribute(X, "a")), at(Attribute(X, "b"))
    run([SetAttribute(at(X), "a", b), SetAttribute(at(X), "b", a)], owner)
    assert (owner.a, owner.b) == ("b", "a")
    items = ["a", "b"]
    first, second = at(Item(X, 0)), at(Item(X, 1))
    run([SetItem(at(X), 0, second), SetItem(at(X), 1, first)], items)
    assert items == ["b", "a"]
    run([SetSlice(at(X), 0, 2, (second, first, second))], items)
    assert items == ["a", "b", "a"]
    book = {"k": "a", 2: "b"}
    run([DeleteItem(at(X), "k"), SetItem(at(X), "k", at(Item(X, 2))), SetItem(at(X), 2, at(Item(X, "k")))], book)
    assert book == {2: "a", "k": "b"}
    namespace = at(Globals(), globals())
    swap: list[Effect] = [
        SetItem(namespace, "GLOBAL_TO_SWAP", at(Global("GLOBAL_OTHER"))),
        SetItem(namespace, "GLOBAL_OTHER", at(Global("GLOBAL_TO_SWAP"))),
    ]
    run(swap, None)
    assert (GLOBAL_TO_SWAP, GLOBAL_OTHER) == ("other", "before")
    run(swap, None)
    assert (GLOBAL_TO_SWAP, GLOBAL_OTHER) == ("before", "other")


def test_a_swap_of_cells() -> None:
    template, look = make_with_cells()
    committing(template, Heap(), [SetContents(at(cell(template, "free")), Constant("first"))])(1, 2)
    free, other = cell(template, "free"), cell(template, "other")
    swap = [SetContents(at(free), at(Contents(other))), SetContents(at(other), at(Contents(free)))]
    function = committing(template, Heap(), swap)
    check_atomic(function.__code__)
    function("x", "y")
    assert look() == ("before", "first")


def test_the_result_is_what_was_reached_before_the_effects() -> None:
    heap = Heap()
    owner = Owner()
    owner.a = before = [1]
    pair = heap.make(TupleContent((at(Attribute(X, "a")), at(Y))))
    function = committing(two, heap, [SetAttribute(at(X), "a", heap.make(ListContent([at(Attribute(X, "a"))])))], pair)
    check_atomic(function.__code__)
    result = function(owner, "y")
    assert result[0] is before
    assert owner.a == [before]
    assert owner.a[0] is before


def test_nothing_is_written_when_a_guard_misses() -> None:
    items = [1]
    guards = [Guard(X, TypeIs(list)), Guard(Y, Equals("go"))]
    function = committing(two, Heap(), [SetItem(at(X), 0, Constant(2))], guards=guards)
    with pytest.raises(GuardError):
        function(items, "stop")
    assert items == [1]
    function(items, "go")
    assert items == [2]


def test_every_kind_of_effect_is_tested() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    for kind in typing.get_args(Effect):
        assert text.count(f"{kind.__name__}(") >= 2, kind
