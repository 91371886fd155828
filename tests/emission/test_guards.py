"""Each kind of check, as instructions: it holds where it should, misses where it should, and never runs user code."""

from __future__ import annotations

import enum
import gc
import math
import types
import typing
import weakref
from collections import OrderedDict, UserDict
from collections.abc import Callable, Hashable

import pytest

from symexec.errors import InternalError
from symexec.values import guard as guards
from symexec.values.guard import (
    CellIsEmpty,
    Check,
    ContainsKey,
    Equals,
    Gives,
    Guard,
    HasBits,
    Is,
    IsBoundBuiltin,
    IsBoundMethod,
    KeysAre,
    KeyTypes,
    Lacks,
    Length,
    Present,
    SameAs,
    TypeIs,
)
from symexec.values.keys import ObjectKey
from symexec.values.model import Known, Made
from symexec.values.origin import (
    Attribute,
    Contents,
    DictKey,
    Fixed,
    Global,
    Globals,
    Held,
    Item,
    Origin,
    TypeOf,
)
from tests.emission.pieces import cell, holding, loading, local


def one(x):
    return x


def two(x, y):
    return x, y


X = local(one, "x")
HOSTILE_CALLS: list[str] = []


def complain(name: str) -> Callable[..., object]:
    def method(self, *args):
        HOSTILE_CALLS.append(name)
        raise AssertionError(f"{name} ran")

    return method


Hostile = type(
    "Hostile",
    (),
    {
        name: complain(name)
        for name in (
            "__eq__", "__ne__", "__hash__", "__len__", "__bool__", "__getitem__", "__iter__", "__contains__",
            "__repr__", "__lt__", "__getattribute__", "__getattr__", "__index__", "__int__", "__float__", "__call__",
        )
    },
)  # fmt: skip


def hostile_subclass(base: type) -> object:
    """An instance of a subclass of a builtin that lets nobody look at it."""
    own = {key: entry for key, entry in Hostile.__dict__.items() if callable(entry)}
    return type(f"Hostile{base.__name__}", (base,), own)()


@pytest.fixture(autouse=True)
def no_user_code_ran():
    HOSTILE_CALLS.clear()
    yield
    assert HOSTILE_CALLS == []


class Plain:
    shared = 1

    def method(self):
        return self

    def other(self):
        return self


class Slotted:
    __slots__ = ("a",)


def function():
    return 1


NAN = float("nan")
PLAIN = Plain()
PLAIN_KEY = ObjectKey(id(PLAIN), Known(PLAIN, Held(PLAIN)))
PAIR_KEY = ObjectKey((PLAIN_KEY, 1), Made(-1))


class Number(enum.IntEnum):
    ONE = 1


class Sham:
    """Compares and hashes as it likes."""

    def __hash__(self) -> int:
        return hash(PLAIN)

    def __eq__(self, other: object) -> bool:
        HOSTILE_CALLS.append("__eq__")
        return True


SHAM = Sham()

# Checks of what is in slot x: values for which each holds, and values for which it does not.
CASES: list[tuple[Check, list[object], list[object]]] = [
    (TypeIs(int), [0, 5, -(10**30)], [True, 1.0, "1", None, Hostile(), hostile_subclass(int)]),
    (TypeIs(Plain), [Plain()], [type("Plain", (Plain,), {})(), 1, Hostile()]),
    (TypeIs(types.FunctionType), [function, one], [len, Plain().method, Hostile()]),
    (Is(PLAIN), [PLAIN], [Plain(), None, Hostile()]),
    (Is(len), [len], [print, Hostile()]),
    (Is(Plain), [Plain], [Slotted, Hostile()]),
    (Is(function), [function], [one, Hostile()]),
    (Equals(1), [1, int("1")], [True, 1.0, 2, 1 + 0j, "1", Hostile(), hostile_subclass(int)]),
    (Equals(10**20), [10**20], [10**20 + 1, 1e20]),
    (Equals(True), [True], [1, 1.0, False, Hostile()]),
    (Equals(False), [False], [0, 0.0, None]),
    (Equals(None), [None], [0, False, Hostile()]),
    (Equals(...), [...], [None]),
    (Equals(NotImplemented), [NotImplemented], [None]),
    (Equals(0.0), [0.0], [-0.0, 0, False, 0j]),
    (Equals(-0.0), [-0.0], [0.0, 0]),
    (Equals(1.5), [1.5], [1.25, 1, hostile_subclass(float)]),
    (Equals(NAN), [NAN, float("nan"), math.nan], [0.0, 1.0, Hostile()]),
    (Equals(math.inf), [math.inf], [-math.inf, 1.0]),
    (Equals(0j), [0j], [-0j, complex(0.0, -0.0), 0, 0.0]),
    (Equals(1 + 2j), [1 + 2j], [1 - 2j, 1]),
    (Equals(complex(NAN, 1.0)), [complex(NAN, 1.0)], [complex(1.0, NAN)]),
    (Equals("abc"), ["abc", "".join(["a", "bc"])], ["abd", b"abc", "", hostile_subclass(str)]),
    (Equals(b"abc"), [b"abc", bytes([97, 98, 99])], [b"abd", "abc", bytearray(b"abc")]),
    (Equals((2, 3), typed=False), [(2, 3), tuple([2, 3])], [(3, 2), (2, 3, 4), ()]),
    (Length(2), [[1, 2], (1, 2), {1: 2, 3: 4}, {1, 2}, "ab", b"ab"], [[], (1,), "abc"]),
    (Length(0), [[], (), {}, ""], [[0]]),
    (KeysAre(()), [{}], [{1: 2}]),
    (KeysAre(("a", "b")), [{"a": 1, "b": 2}], [{"b": 2, "a": 1}, {"a": 1}, {"a": 1, "b": 2, "c": 3}, {"a": 1, 2: 2}]),
    (KeysAre((1, 2.5)), [{1: 0, 2.5: 0}], [{True: 0, 2.5: 0}, {1.0: 0, 2.5: 0}, {1: 0, 2.25: 0}, {Hostile: 0, 2.5: 0}]),
    (KeysAre((0.0, None)), [{0.0: 1, None: 2}], [{-0.0: 1, None: 2}, {0: 1, None: 2}]),
    (KeysAre((complex(0.0, -0.0),)), [{complex(0.0, -0.0): 1}], [{0j: 1}]),
    (KeysAre((True, b"x")), [{True: 1, b"x": 2}], [{1: 1, b"x": 2}]),
    (KeysAre((PLAIN_KEY, "a")), [{PLAIN: 1, "a": 2}], [{"a": 2, PLAIN: 1}, {PLAIN: 1}, {Plain(): 1, "a": 2}]),
    (KeysAre((1, "a"), (Number, str)), [{Number.ONE: 1, "a": 2}], [{1: 1, "a": 2}, {Number.ONE: 1, 2: 2}]),
    (KeysAre(((1, "a"), ())), [{(1, "a"): 1, (): 2}], [{(True, "a"): 1, (): 2}, {(SHAM, "a"): 1, (): 2}]),
    (KeysAre((PAIR_KEY,)), [{(PLAIN, 1): 1}], [{(Plain(), 1): 1}, {(PLAIN, 1.0): 1}, {(SHAM, 1): 1}, {PLAIN: 1}]),
    (KeysAre((PLAIN_KEY,)), [{PLAIN: 1}], [{}, {SHAM: 1}, {Hostile: 1}, {"a": 1}]),
    (KeyTypes((int, str), 3), [{}, {1: 2}, {"a"}, frozenset((1, "a"))], [{1.0: 1}, {True}, {1, 2, 3, 4}, {SHAM}]),
    (KeyTypes((Plain,), 2), [{PLAIN: 1}, {PLAIN, Plain()}], [{Plain: 1}, {SHAM: 1}, {PLAIN, 1}]),
    (ContainsKey(PLAIN_KEY, True), [{PLAIN: 1}, {PLAIN, 1}], [{}, {Plain(): 1}, {"a"}]),
    (ContainsKey(PLAIN_KEY, False), [{}, {Plain(): 1}], [{PLAIN: 1}, {PLAIN}]),
    (ContainsKey(PAIR_KEY, True), [{(PLAIN, 1): 1}, {(PLAIN, 1)}], [{PLAIN: 1}, {(PLAIN, 2)}]),
    (ContainsKey("a", True), [{"a": 1}, {"a"}, frozenset("ab")], [{}, {"b": 1}, set()]),
    (ContainsKey("a", False), [{}, {"b": 1}], [{"a": 1}]),
    (ContainsKey(0, True), [{0: 1}, {False: 1}, {0.0}], [{1: 1}]),
    (Lacks("missing"), [Plain(), Slotted(), 5], [types.SimpleNamespace(missing=1)]),
    (Lacks("a"), [Slotted(), Plain()], []),
    (IsBoundBuiltin(list.append), [[].append], [[].pop, list.append, Plain().method, 5, [].__len__, Hostile()]),
    (IsBoundBuiltin(list.__len__), [[].__len__], [[].append, [].__add__, 5, Hostile()]),
    (HasBits(6, 2), [2, 3, 10], [0, 6, 4, -1]),
    (Gives(3), [[1, 2, 3].__len__], [[].__len__, [1, 2].__len__]),
    (IsBoundMethod(Plain.method), [Plain().method], [Plain().other, Plain.method, [].append, 5, Hostile()]),
]


def case_name(case: tuple[Check, list[object], list[object]]) -> str:
    return f"{type(case[0]).__name__}-{guards.describe(Guard(X, case[0]))}"[:60]


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_a_check_holds_and_misses(case: tuple[Check, list[object], list[object]]) -> None:
    check, held, missed = case
    answer = holding(one, Guard(X, check))
    for index, value in enumerate(held):
        assert answer(value) is True, f"value {index} should be held"
    for index, value in enumerate(missed):
        assert answer(value) is False, f"value {index} should be missed"


def test_every_kind_of_check_is_tested() -> None:
    tested = {type(check) for check, _, _ in CASES} | {SameAs, Present, CellIsEmpty}
    assert tested == set(typing.get_args(Check))


def test_presence_is_checked_by_loading() -> None:
    answer = holding(one, Guard(Attribute(X, "a"), Present()))
    assert answer(types.SimpleNamespace(a=1)) is True
    with pytest.raises(AttributeError):  # in a trace, an exception in a guard is a miss
        answer(types.SimpleNamespace(b=1))


def test_a_slot_that_is_filled_later_is_lacked_no_more() -> None:
    answer = holding(one, Guard(X, Lacks("a")))
    owner = Slotted()
    assert answer(owner) is True
    owner.a = 1
    assert answer(owner) is False


@pytest.mark.parametrize("same", [True, False])
def test_same_as(same: bool) -> None:
    answer = holding(two, Guard(local(two, "x"), SameAs(local(two, "y"), same)))
    items = [1]
    assert answer(items, items) is same
    assert answer(items, [1]) is not same
    assert answer(Hostile(), Hostile()) is not same


def test_cell_is_empty() -> None:
    def template(x, bind):
        if bind:
            found = x

        def read():
            return found

        return read

    code_of_read = template(Hostile(), True)

    def empty_or_not():
        return code_of_read

    answer = holding(
        empty_or_not,
        Guard(Item(Attribute(Contents(cell(empty_or_not, "code_of_read")), "__closure__"), 0), CellIsEmpty()),
    )
    assert answer() is False
    code_of_read = template(Hostile(), False)
    assert answer() is True


def test_values_that_no_guard_can_describe_are_refused() -> None:
    with pytest.raises(InternalError, match="no guard can say"):
        holding(one, Guard(X, Equals((1, 2))))


def test_guards_are_checked_in_order_and_one_miss_is_enough() -> None:
    seen: list[str] = []

    class Watched:
        @property
        def size(self):
            seen.append("size")
            return 3

    answer = holding(one, Guard(X, TypeIs(Plain)), Guard(Attribute(X, "size"), Equals(3)))
    assert answer(Watched()) is False
    assert seen == []
    answer = holding(one, Guard(X, TypeIs(Watched)), Guard(Attribute(X, "size"), Equals(3)))
    assert answer(Watched()) is True
    assert seen == ["size"]


def test_a_guard_leaves_nothing_on_the_stack_when_it_misses_half_way() -> None:
    checks = [TypeIs(dict), Length(2), KeysAre(("a", "b")), ContainsKey("a", True)]
    answer = holding(one, *[Guard(X, check) for check in checks])
    for value in ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "c": 2}, [1, 2], None):
        assert answer(value) is (value == {"a": 1, "b": 2})


def test_an_object_that_is_gone_is_missed() -> None:
    for make in (Plain, lambda: type("Mortal", (), {}), lambda: lambda: 1):
        mortal = make()
        answer = holding(one, Guard(X, Is(mortal)))
        assert answer(mortal) is True
        reference = weakref.ref(mortal)
        mortal = None
        gc.collect()
        assert reference() is None
        assert answer(None) is False
        assert answer(PLAIN) is False


# -- where guards look ------------------------------------------------------------------------------------------------

LOOKED_AT = {"key": [10, 20]}


def free_template():
    return PLAIN


def test_every_way_to_an_object_can_be_loaded() -> None:
    owner = types.SimpleNamespace(items=[1, {"k": (7, 8)}], method=Plain().method)
    deep = Item(Item(Item(Attribute(X, "items"), 1), "k"), 0)
    ways: list[tuple[Origin, object]] = [
        (X, owner),
        (Attribute(X, "items"), owner.items),
        (deep, 7),
        (Item(Attribute(X, "items"), -2), 1),
        (DictKey(Item(Attribute(X, "items"), 1), 0), "k"),
        (TypeOf(X), types.SimpleNamespace),
        (TypeOf(TypeOf(deep)), type),
        (Global("LOOKED_AT"), LOOKED_AT),
        (Global("len"), len),
        (Item(Global("LOOKED_AT"), "key"), LOOKED_AT["key"]),
        (Globals(), globals()),
        (Item(Globals(), "LOOKED_AT"), LOOKED_AT),
        (Fixed(len), len),
        (Held(PLAIN), PLAIN),
        (Held(function), function),
        (Attribute(Held(function), "__code__"), function.__code__),
        (Attribute(Attribute(X, "method"), "__func__"), Plain.method),
    ]
    for origin, expected in ways:
        assert loading(one, origin)(owner) is expected or loading(one, origin)(owner) == expected, str(origin)


def test_cells_are_loaded_as_they_are_and_by_what_they_contain() -> None:
    captured = [1, 2]

    def free(x):
        return captured

    def own(x):
        return lambda: x

    found = loading(free, cell(free, "captured"))(0)
    assert type(found) is types.CellType
    assert found.cell_contents is captured
    assert loading(free, Contents(cell(free, "captured")))(0) is captured
    assert loading(free, Contents(Item(Attribute(Held(free), "__closure__"), 0)))(0) is captured
    assert loading(own, Contents(cell(own, "x")))(captured) is captured
    wrapped = loading(own, cell(own, "x"))(captured)
    assert type(wrapped) is types.CellType
    assert wrapped.cell_contents is captured


def test_a_held_object_that_is_gone_gives_none() -> None:
    def mortal():
        return 1

    load = loading(one, Held(mortal))
    assert load(0) is mortal
    del mortal
    assert load(0) is None


@pytest.mark.parametrize(("container", "key"), [([5], 0), ((5,), 0), ({1: 5}, 1), ({"a": 5}, "a"), ({None: 5}, None)])
def test_items_of_builtin_containers(container: object, key: Hashable) -> None:
    assert loading(one, Item(X, key))(container) == 5


def test_no_code_of_subclasses_runs_where_types_are_checked_first() -> None:
    """What guards rely on: the type first, then what is read through it."""
    for base, value in ((dict, {"a": 1}), (list, [1]), (OrderedDict, OrderedDict(a=1)), (UserDict, UserDict(a=1))):
        answer = holding(one, Guard(X, TypeIs(dict)), Guard(X, KeysAre(("a",))), Guard(Item(X, "a"), Equals(1)))
        assert answer(value) is (base is dict)
    assert answer(hostile_subclass(dict)) is False
