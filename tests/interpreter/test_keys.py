"""Objects as keys of dicts and elements of sets: as written and compiled, side by side, and what is captured."""

from __future__ import annotations

import collections
import enum
import gc
import weakref
from collections.abc import Callable
from typing import NamedTuple

import attrs
import pytest

import symexec
from tests.interpreter.captures import assert_captured, compiled
from tests.support import assert_same
from tests.support.same import arguments


class Node:
    def __init__(self, value: int = 0) -> None:
        self.value = value


class Leaf(Node):
    pass


class Slotted:
    __slots__ = ("value",)


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


class Number(enum.IntEnum):
    ONE = 1
    TWO = 2


class Word(enum.StrEnum):
    X = "x"
    Y = "y"


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    pass


class Point(NamedTuple):
    x: int
    y: int


A, B, C = Node(1), Node(2), Leaf(3)
SENTINEL = object()
HANDLERS = {Node: "node", Leaf: "leaf", int: "int", WithMeta: "meta"}
NAMES = {Color.RED: "red", Color.GREEN: "green"}
NUMBERS = {Number.ONE: "one", Number.TWO: "two"}
REGISTRY = {A: 1, B: 2, C: 3}
SEEN = {A, B}
TUPLES = {(1, 2): "a", (1, "x"): "b", (Color.RED, 1): "c", (A, 1): "d"}


def function() -> None:
    pass


def _dict(x: object, y: object) -> object:
    made = {x: 1, y: 2}
    made[x] += 5
    return made[x], made[y], len(made), x in made, list(made), made, made.get(y), {**made, 0: 1}, dict(made)


def _set(x: object, y: object) -> object:
    made = {x}
    made.add(y)
    found = len(made), x in made, y in made
    made.discard(x)
    return found, len(made), x in made, made == {y}, {x}.isdisjoint({y}), {x} <= {x, y}


def _several(x: object) -> object:
    nodes = [Node(i) for i in range(6)]
    index = {node: i for i, node in enumerate(nodes)}
    index[x] = 9
    return [index[node] for node in nodes], index[x], len(index), [k.value for k in index if type(k) is Node]


def _memo(x: object) -> object:
    memo: dict[object, object] = {}
    memo[x, 1] = 2
    memo[(x, (x, 3))] = 4
    return memo[x, 1], (x, 2) in memo, memo[x, (x, 3)], memo, [k[0] is x for k in memo]


def _default(x: object) -> object:
    made = collections.defaultdict(list)
    made[x].append(1)
    made[x].append(2)
    return made[x], made, len(made)


def _popped(x: object, y: object) -> object:
    made = {x: 1, y: 2}
    first = made.pop(x)
    made.setdefault(x, 7)
    last = made.popitem()
    made.pop(y, None)
    return first, last, last[0] is x, made, made.pop(y, 3)


def _missed(x: object) -> object:
    try:
        return {}[x]
    except KeyError as error:
        return error.args[0] is x, len(error.args)


def _not_removed(x: object) -> object:
    try:
        set().remove(x)
    except KeyError as error:
        return error.args[0] is x


PAIRS = [(A, B), (A, A), (A, C), (Color.RED, Color.GREEN), (Node, Leaf), (function, len), (SENTINEL, A), (gc, enum)]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("program", [_dict, _set, _popped])
def test_two_keys(program: Callable[..., object], pair: tuple[object, object]) -> None:
    assert_captured(
        program, lambda: arguments(*pair), lambda: arguments(*pair[::-1]), lambda: arguments(pair[0], pair[0])
    )


@pytest.mark.parametrize("key", [A, Color.RED, Mode.READ, Node, function, SENTINEL, WithMeta, gc], ids=str)
@pytest.mark.parametrize("program", [_several, _memo, _default, _missed, _not_removed])
def test_one_key(program: Callable[..., object], key: object) -> None:
    assert_captured(program, lambda: arguments(key))


def test_objects_of_each_call_share_a_trace() -> None:
    compiled_dict = compiled(_dict)
    for _ in range(4):
        x, y = Node(), Node()
        found = compiled_dict(x, y)
        assert found[:4] == (6, 2, 2, True) and found[4] == [x, y] and found[5] == {x: 6, y: 2}
    assert symexec.stats(compiled_dict).traces == 1
    x = Node()
    assert compiled_dict(x, x)[:3] == (7, 7, 1)


def test_objects_of_the_trace() -> None:
    def program() -> object:
        one, two = Node(1), Node(1)
        made = {one: 1, two: 2}
        made[one] = 3
        elements = {one, Node}
        return made, one in elements, two in elements, two in REGISTRY, one in SEEN, made[two], elements

    assert_captured(program)


def test_functions_of_the_trace() -> None:
    def program() -> object:
        found = {}
        for name in ("a", "b"):

            def inside() -> str:
                return name

            found[inside] = name
        return [key() for key in found], len(found)

    assert_captured(program)


def test_a_set_that_is_rebuilt() -> None:
    def program(x: object, y: object) -> object:
        made = {x, y, Node}
        made.discard(y)
        return made, len(made)

    assert_captured(program, lambda: arguments(A, B), lambda: arguments(A, A))


def test_the_order_of_objects_in_a_set_is_pythons() -> None:
    def program(x: object, y: object) -> object:
        return [each.value for each in {x, y}], [each.value for each in {x}]

    figures = symexec.stats(assert_same(program, lambda: arguments(A, B), transform=compiled))
    assert "SX2103" in {reason.code for reason in figures.breaks}


# -- containers that existed before ------------------------------------------------------------------------------------


def test_dispatch_on_types() -> None:
    def program(value: object) -> object:
        kind = type(value)
        return HANDLERS.get(kind, "other"), HANDLERS[kind] if kind in HANDLERS else None, len(HANDLERS)

    assert_captured(program, *[lambda value=value: arguments(value) for value in (1, A, C, "s", WithMeta(), A)])


def test_members_of_enumerations() -> None:
    def program(color: Color) -> object:
        return NAMES[color], {Color.RED: 1, Color.GREEN: 2}[color], color in NAMES, NAMES.get(Mode.READ), color in SEEN

    assert_captured(program, lambda: arguments(Color.RED), lambda: arguments(Color.GREEN))


def test_members_that_are_numbers_or_strings() -> None:
    def program(number: Number, word: Word) -> object:
        made = {number: 1, word: 2}
        return NUMBERS[number], made, [*made], made["x"], {1: 5}[number], number in {1: 2}, word in ("x",), made[1]

    assert_captured(program, lambda: arguments(Number.ONE, Word.X))


def test_texts_show_the_keys_themselves() -> None:
    def program(number: Number) -> object:
        made = {number: 1}
        return repr(made), f"{made}", {**made}, str({A.value: number})

    assert_same(program, lambda: arguments(Number.ONE))


def test_a_set_of_numbers_with_names_keeps_its_elements() -> None:
    def program(number: Number) -> object:
        return [*{number}], {number} | {3}, frozenset([number]), {number, 1}, set({number: 1}), {1}.union([number])

    assert_same(program, lambda: arguments(Number.ONE))


def test_named_tuples() -> None:
    def program(point: object) -> object:
        made = {point: 1, (3, 4): 2}
        return made[1, 2], TUPLES[point], made, [type(key) for key in made], point in TUPLES

    assert_captured(program, lambda: arguments(Point(1, 2)))


def test_tuples_in_existing_containers() -> None:
    def program(x: object, pair: tuple[object, ...]) -> object:
        return TUPLES[1, x], TUPLES.get((x, 1)), (x, 2) in TUPLES, TUPLES[pair], (pair, 1) in TUPLES

    calls = [("x", (Color.RED, 1)), ("x", (1, 2)), (2, (A, 1))]
    assert_captured(program, *[lambda call=call: arguments(*call) for call in calls])


def test_iteration_over_existing_dicts() -> None:
    def program() -> object:
        found = [(key.value, value) for key, value in REGISTRY.items()]
        names = {key: key.name for key in NAMES}
        return (
            found,
            names,
            [*HANDLERS],
            dict(REGISTRY),
            {**NAMES},
            REGISTRY[A],
            A in SEEN,
            B in REGISTRY,
            max(REGISTRY.values()),
        )

    assert_captured(program)


GRID = {(x, y): x * y for x in range(3) for y in range(3)}
MIXED = {(A, 1): "a", (Color.RED, "x" * 3): "b", (Node, None, True): "c", (): "d"}


def test_iteration_over_members_that_are_numbers_or_strings() -> None:
    def program(table: dict[object, object]) -> object:
        found = {key: value for key, value in NUMBERS.items()}
        table["new"] = [key.name for key in NUMBERS]
        return found, [*NUMBERS], table["x"], [*table], NUMBERS[1], {**NUMBERS}, table.popitem(), table.pop(Word.X)

    assert_captured(program, lambda: arguments({Word.X: 1, Word.Y: 2}), lambda: arguments({"x": 1, Word.Y: 2}))


def test_a_member_that_gives_way_to_an_equal_string() -> None:
    def program(table: dict[object, object]) -> object:
        del table["x"]
        table["x"] = 5
        return [*table], {**table}

    assert_captured(program, lambda: arguments({Word.X: 1, Word.Y: 2}), lambda: arguments({"x": 1, Word.Y: 2}))


def test_iteration_over_keys_that_are_tuples() -> None:
    def program(table: dict[tuple[object, ...], object]) -> object:
        found = [(x, y) for (x, y), value in GRID.items() if value > 1]
        kept = {key: value for key, value in table.items()}
        parts = [part for key in table for part in key]
        table.pop((A, 1), None)
        return found, kept, parts, [*table], [len(key) for key in MIXED], {**GRID}, MIXED[A, 1]

    assert_captured(program, lambda: arguments(dict(MIXED)), lambda: arguments(dict(GRID)))


def test_tuples_whose_parts_only_compare_alike() -> None:
    def program(table: dict[tuple[object, ...], object]) -> object:
        return [key[0] for key in table], [*table], [f"{key}" for key in table]

    keys = [(1, 2), (True, 2), (1.0, 2), (1, 2, 3), (0.0,), (-0.0,), "ab", ((1, 2), 3), (float("nan"),)]
    assert_same(program, *[lambda key=key: arguments({key: 0}) for key in keys], transform=compiled)


def test_sets_as_a_whole() -> None:
    def program(x: object) -> object:
        return SEEN == {x, B}, SEEN <= {A, B, C}, len(SEEN), x in SEEN, SEEN.isdisjoint({C})

    assert_captured(program, lambda: arguments(A), lambda: arguments(C))


def _count(counts: dict[object, int], key: object) -> object:
    counts[key] = counts.get(key, 0) + 1
    return counts[key], len(counts), key in counts


@pytest.mark.parametrize(
    "key", [A, Color.RED, Node, SENTINEL, (A, 1), (1, 2), (Color.RED, 2), Number.ONE, function], ids=str
)
def test_writing_existing_dicts(key: object) -> None:
    def fresh() -> object:
        return arguments({}, key)

    assert_captured(_count, fresh, lambda: arguments({key: 1, B: 2}, key), lambda: arguments({B: 2, key: 3}, key))


def test_writing_an_existing_defaultdict() -> None:
    def program(groups: dict[object, list[int]], key: object) -> object:
        groups[key].append(1)
        groups[key].append(2)
        return len(groups), groups[key]

    for key in (A, Color.RED, Node):
        assert_captured(program, lambda key=key: arguments(collections.defaultdict(list), key))


def test_an_existing_ordered_dict_under_members() -> None:
    def program(made: dict[object, int], key: object) -> object:
        made[key] = 1
        return [*made]

    assert_same(program, lambda: arguments(collections.OrderedDict({Color.GREEN: 2}), Color.RED))


def test_removing_from_existing_dicts() -> None:
    def program(made: dict[object, int], key: object) -> object:
        gone = made.pop(key)
        made[key] = gone + 1
        del made[B]
        return made.pop(C, None), len(made), [*made]

    assert_captured(
        program, lambda: arguments({A: 1, B: 2, Node: 3}, A), lambda: arguments({Node: 1, B: 2, C: 3}, Node)
    )


def test_clearing_and_updating_existing_dicts() -> None:
    def program(made: dict[object, int], other: dict[object, int]) -> object:
        made.update(other)
        made |= {Node: 5}
        copied = made.copy()
        other.clear()
        return copied, len(other), made.popitem()

    assert_captured(program, lambda: arguments({A: 1}, {B: 2, A: 3}))


def test_adding_to_existing_sets() -> None:
    def program(made: set[object], key: object) -> object:
        before = key in made
        made.add(key)
        made.add(key)
        return before, key in made, len(made)

    assert_captured(program, lambda: arguments(set(), A), lambda: arguments({A}, A), lambda: arguments({A}, Node))
    assert_same(program, lambda: arguments({A}, Color.RED))


def test_effects_and_members_together() -> None:
    def program(node: Node, color: Color) -> object:
        node.value += 1
        found = NAMES[color]
        node.seen = found
        return found, [*NAMES]

    assert_captured(program, lambda: arguments(Node(), Color.RED), lambda: arguments(Node(), Color.GREEN))


def test_a_key_through_an_attribute_that_is_written() -> None:
    def program(owner: Node, counts: dict[object, int]) -> object:
        counts[owner.value] = 1
        owner.value = Node()
        counts[owner.value] = 2
        return len(counts)

    def fresh() -> object:
        return arguments(Node(A), {A: 0})

    assert_same(program, fresh, lambda: arguments(Node(B), {A: 0}), transform=compiled)


# -- what changes between calls ----------------------------------------------------------------------------------------


@attrs.define(eq=False)
class Case:
    """A function compiled, and as written."""

    function: Callable[..., object]
    compiled: Callable[..., object] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.compiled = compiled(self.function)

    def check(self, *args: object) -> object:
        expected = self.function(*args)
        assert self.compiled(*args) == expected
        return expected


def test_another_object_of_the_class() -> None:
    one, two = Node(), Node()
    table = {one: 1}
    case = Case(lambda key: (table.get(key), key in table))
    assert case.check(one) == (1, True)
    assert case.check(two) == (None, False)
    table[two] = 2
    assert case.check(two) == (2, True)
    del table[one]
    assert case.check(one) == (None, False)


def test_equality_comes_to_the_class() -> None:
    class Late:
        pass

    one, two = Late(), Late()
    case = Case(lambda x, y: (len({x: 1, y: 2}), {x: 1}.get(y), x in {y}))
    assert case.check(one, two) == (2, None, False)
    Late.__hash__ = lambda self: 5
    assert case.check(one, two) == (2, None, False)
    Late.__eq__ = lambda self, other: True
    assert case.check(one, two) == (1, 1, True)


def test_equality_comes_to_a_base_and_a_metaclass() -> None:
    class Base:
        pass

    class Derived(Base):
        pass

    one, two = Derived(), Derived()
    case = Case(lambda x, y: len({x: 1, y: 2}))
    assert case.check(one, two) == 2
    Base.__eq__ = lambda self, other: True
    Base.__hash__ = lambda self: 1
    assert case.check(one, two) == 1

    class Kind(type):
        pass

    first, second = Kind("First", (), {}), Kind("Second", (), {})
    assert case.check(first, second) == 2
    Kind.__hash__ = lambda self: 1
    Kind.__eq__ = lambda self, other: True
    assert case.check(first, second) == 1


def test_the_hash_of_an_enumeration_changes() -> None:
    class Late(enum.Enum):
        ONE = 1
        TWO = 2

    table = {Late.ONE: "one"}
    case = Case(lambda key: table.get(key))
    assert case.check(Late.ONE) == "one"
    for value in range(12340, 12350):  # a dict may find the very object all the same, where it happens to look
        Late.__hash__ = lambda self, value=value: value
        case.check(Late.ONE)


def test_a_key_with_an_equality_of_its_own_comes_into_the_dict() -> None:
    asked: list[str] = []

    class Evil:
        def __init__(self, like: object) -> None:
            self.like = like

        def __hash__(self) -> int:
            return hash(self.like)

        def __eq__(self, other: object) -> bool:
            asked.append("evil")
            return True

    one = Node()
    for container in ({Node(): 1}, {Node()}):
        program = compiled(lambda key, container=container: key in container)
        assert program(one) is False
        if isinstance(container, dict):
            container[Evil(one)] = 2
        else:
            container.add(Evil(one))
        assert program(one) is True
        assert asked == ["evil"]
        asked.clear()


def test_equality_comes_to_the_class_of_another_key() -> None:
    asked: list[str] = []

    class Other:
        __hash__ = Node.__hash__

    one, other = Node(), Other()
    Other.__hash__ = lambda self: hash(one)
    table = {other: 1}
    program = compiled(lambda key: key in table)
    assert program(one) is False

    def equality(self: object, other: object) -> bool:
        asked.append("other")
        return True

    Other.__eq__ = equality
    assert program(one) is True
    assert asked == ["other"]


def test_an_object_where_another_one_was() -> None:
    held: list[Node] = [Node(1)]
    table: dict[object, int] = {held[0]: 1}
    case = Case(lambda: (table.get(held[0]), [key.value for key in table], held[0] in table))
    for value in range(2, 8):
        case.check()
        table.clear()
        held[0] = Node(value)
        gc.collect()
        case.check()
        table[held[0]] = value


def test_keys_are_not_kept_alive() -> None:
    program = compiled(lambda table, key: (table[key], [*table], {key: 1}, (key, 2) in table))
    key = Node()
    table = {key: 1, (key, 1): 2}
    program(table, key)
    program(table, key)
    gone = weakref.ref(key)
    del key, table
    gc.collect()
    assert gone() is None


def test_aliases_between_calls() -> None:
    def program(table: dict[object, int], x: object, y: object) -> object:
        return table.setdefault(x, 1), table.setdefault(y, 2), len(table), table.pop(x), table.pop(y, 0)

    one, two = Node(1), Node(2)
    calls = [({}, one, two), ({}, one, one), ({two: 5}, one, two), ({one: 3}, two, two), ({}, two, one)]
    assert_captured(program, *[lambda call=call: arguments(dict(call[0]), *call[1:]) for call in calls])


def test_a_dict_that_grows_large() -> None:
    table: dict[object, int] = {Node(): 0}
    case = Case(lambda key: (table.get(key), key in table))
    key = Node()
    case.check(key)
    table.update({Node(): 1 for _ in range(200)})
    table[key] = 7
    assert case.check(key) == (7, True)


def test_a_finalizer_sees_the_dict_without_its_key() -> None:
    seen: list[int] = []

    class Final:
        def __del__(self) -> None:
            seen.append(len(table))

    table: dict[object, int] = {}

    def program(table: dict[object, int]) -> int:
        for key in list(table):
            del table[key]
        table[A] = 1
        return len(table)

    transformed = compiled(program)
    for call in (program, transformed, transformed, transformed):
        table.update({Final(): 1, B: 2})
        call(table)
        table.clear()
        gc.collect()
    assert len(seen) == 4


def test_keys_that_run_code_are_left_to_python() -> None:
    asked: list[str] = []

    class Own:
        def __init__(self, value: int) -> None:
            self.value = value

        def __hash__(self) -> int:
            asked.append("hash")
            return self.value

        def __eq__(self, other: object) -> bool:
            asked.append("eq")
            return isinstance(other, Own) and self.value == other.value

    def program(x: Own, y: Own) -> object:
        made = {x: 1}
        made[y] = 2
        return len(made), (x, 1) in {(y, 1)}

    transformed = compiled(program)
    for call in (program, transformed, transformed):
        asked.clear()
        assert call(Own(1), Own(1)) == (1, True)
        assert asked == ["hash", "hash", "eq", "hash", "hash", "eq"]


def test_explanations_name_keys() -> None:
    def program(table: dict[object, int], key: object) -> object:
        return table[key], (key, 1) in table, [*table]

    text = str(symexec.explain(program)({A: 1, Color.RED: 2}, A))
    assert "key" in text
