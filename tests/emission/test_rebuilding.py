"""Objects that a trace made, made real: contents of every kind, cycles, what is shared, cells without a home, iterators
that had begun.
"""

from __future__ import annotations

import dis
import types
import typing
from collections import OrderedDict, deque
from pathlib import Path

import pytest

from symexec.bytecode import features
from symexec.capture.obstacles import find_obstacle
from symexec.values.heap import (
    ABSENT,
    CalledContent,
    CellContent,
    Content,
    DequeContent,
    DictContent,
    ExceptionContent,
    FunctionContent,
    GeneratorContent,
    Heap,
    InterpolationContent,
    IteratorContent,
    ListContent,
    MethodContent,
    ObjectContent,
    ScalarContent,
    SetContent,
    SliceContent,
    SuperContent,
    TemplateContent,
    TupleContent,
    ViewContent,
)
from symexec.values.model import NONE, Constant, Known, Made, Value
from symexec.values.origin import Attribute, Fixed, Global, Globals, Held, Item
from tests.emission.pieces import committing, local


def two(x, y):
    return x, y


X, Y = Known(None, local(two, "x")), Known(None, local(two, "y"))
GLOBALS = Known(globals(), Globals())
PATTERN = {"deep": [1, 2]}


class Plain:
    def method(self):
        return self, "method"


class Slotted:
    __slots__ = ("a", "b")


class Guarding:
    def __setattr__(self, name, value):
        raise AssertionError("the program's own __setattr__ ran")


class Sealed(ValueError):
    def __setattr__(self, name, value):
        raise AssertionError("the program's own __setattr__ ran")

    def __init__(self):
        raise AssertionError("the program's own __init__ ran")


class Making:
    def __new__(cls):
        raise AssertionError("the program's own __new__ ran")

    def __init__(self):
        raise AssertionError("the program's own __init__ ran")


def build(heap: Heap, value: Value, x: object = "x", y: object = "y") -> object:
    """What the emitted code makes of the value, twice: each time something new."""
    assert find_obstacle(heap, [value]) is None
    function = committing(two, heap, value=value)
    first, second = function(x, y), function(x, y)
    if isinstance(value, Made) and not isinstance(heap.content(value), TupleContent):
        assert first is not second
    return second


def test_flat_contents() -> None:
    heap = Heap()
    contents: list[tuple[Content, object]] = [
        (ListContent([X, Constant(1), Y]), ["x", 1, "y"]),
        (ListContent([]), []),
        (TupleContent((X, NONE)), ("x", None)),
        (TupleContent(()), ()),
        (DictContent({"a": X, 2: Constant(3), None: Y}, True), {"a": "x", 2: 3, None: "y"}),
        (DictContent({"gone": ABSENT, "kept": X}, True), {"kept": "x"}),
        (SliceContent(X, NONE, Constant(2)), slice("x", None, 2)),
    ]
    for content, expected in contents:
        found = build(heap, heap.make(content))
        assert found == expected
        assert type(found) is type(expected)


def test_exceptions_that_were_never_raised() -> None:
    heap = Heap()
    fields = ExceptionContent(heap.make(TupleContent((X, Constant(1)))))
    found = build(heap, heap.make(ObjectContent(KeyError, {"extra": Y}, fields)))
    assert type(found) is KeyError and found.args == ("x", 1) and vars(found) == {"extra": "y"}
    assert found.__cause__ is found.__context__ is found.__traceback__ is None and not found.__suppress_context__

    cause = heap.make(ObjectContent(OverflowError, {}, ExceptionContent(Constant(("why",)))))
    for suppress in (False, True):
        fields = ExceptionContent(Constant(()), {"value": Y}, cause, cause, suppress_context=suppress)
        found = build(heap, heap.make(ObjectContent(StopIteration, {}, fields)))
        assert isinstance(found, StopIteration) and found.value == "y" and found.args == ()
        assert type(found.__cause__) is OverflowError and found.__cause__ is found.__context__
        assert found.__suppress_context__ is suppress

    fields = ExceptionContent(Constant(()))
    itself = heap.make(ObjectContent(Sealed, {}, fields))
    fields.context = itself
    found = build(heap, itself)
    assert type(found) is Sealed and found.__context__ is found


def test_template_strings() -> None:
    library = pytest.importorskip("string.templatelib", reason="there are no template strings before 3.14")
    heap = Heap()
    part = heap.make(InterpolationContent(library.Interpolation, X, Constant("x"), "r", Constant(".2")))
    parts = heap.make(TupleContent((part,)))
    found = build(heap, heap.make(TemplateContent(library.Template, Constant(("a", "b")), parts)))
    assert type(found) is library.Template and found.strings == ("a", "b")
    (shown,) = found.interpolations
    assert (shown.value, shown.expression, shown.conversion, shown.format_spec) == ("x", "x", "r", ".2")


def test_super_objects() -> None:
    heap = Heap()
    content = SuperContent(Constant(int), Constant(True), int, bool, is_class_mode=False)
    found = build(heap, heap.make(content))
    assert type(found) is super and found.__thisclass__ is int and found.__self__ is True


def test_the_order_of_dicts_and_the_types_of_keys() -> None:
    heap = Heap()
    keys = [3, "b", -0.0, b"x", None, 10**25]
    found = build(heap, heap.make(DictContent({key: Constant(index) for index, key in enumerate(keys)}, True)))
    assert [(type(key), repr(key), value) for key, value in found.items()] == [
        (type(key), repr(key), index) for index, key in enumerate(keys)
    ]


def test_sets_have_the_order_that_they_came_to_in_the_program() -> None:
    histories: list[list[tuple[str, object]]] = [
        [],
        [("add", value) for value in (64, 0, 8, 16, 1000, "a", 24, 32)],
        [("add", value) for value in range(40)] + [("discard", value) for value in range(5, 38)],
        [("update", frozenset(range(20))), ("discard", 3), ("add", 99), ("update", frozenset("abc"))],
    ]
    for history in histories:
        plain: set[object] = set()
        for step, argument in history:
            getattr(plain, step)(argument)
        heap = Heap()
        found = build(heap, heap.make(SetContent(plain, list(history))))
        assert list(found) == list(plain)
        assert type(found) is set


def test_instances_are_made_without_their_own_code() -> None:
    for kind in (Plain, Slotted, Guarding, Making):
        heap = Heap()
        made = heap.make(ObjectContent(kind, {"a": X, "b": Y, "gone": ABSENT} if kind is not Making else {}))
        found = build(heap, made)
        assert type(found) is kind
        if kind is not Making:
            assert (found.a, found.b) == ("x", "y")
            assert not hasattr(found, "gone")


def test_methods_views_and_bound_c_functions() -> None:
    heap = Heap()
    owner = Plain()
    method = build(heap, heap.make(MethodContent(Known(Plain.method, Held(Plain.method)), X)), owner)
    assert method() == (owner, "method")
    assert method.__self__ is owner
    append = build(heap, heap.make(MethodContent(Known(list.append, Fixed(list.append)), X)), items := [])
    append(5)
    assert items == [5]
    assert type(append) is types.BuiltinFunctionType
    book = {"a": 1}
    for kind in ("keys", "values", "items"):
        view = build(heap, heap.make(ViewContent(kind, X)), book)
        assert type(view) is type(getattr(book, kind)())
        assert list(view) == list(getattr(book, kind)())


def test_what_is_shared_is_shared_and_what_is_not_is_not() -> None:
    heap = Heap()
    shared = heap.make(ListContent([X]))
    equal = heap.make(ListContent([X]))
    root = heap.make(TupleContent((shared, shared, equal, heap.make(DictContent({"again": shared, "x": X}, True)))))
    one = [0]
    first, second, third, book = build(heap, root, one)
    assert first is second is book["again"]
    assert first == third
    assert first is not third
    assert first[0] is third[0] is book["x"] is one


# -- cycles -----------------------------------------------------------------------------------------------------------


def test_a_list_and_a_dict_that_contain_themselves() -> None:
    heap = Heap()
    content = ListContent([X])
    made = heap.make(content)
    content.items.append(made)
    found = build(heap, made)
    assert found[0] == "x"
    assert found[1] is found
    book = DictContent({"x": X}, True)
    made = heap.make(book)
    book.entries["self"] = made
    found = build(heap, made)
    assert found["self"] is found
    assert list(found) == ["x", "self"]


class Items(list):
    def extend(self, items):
        raise AssertionError("its own methods are not called")

    __init__ = __setitem__ = __iadd__ = append = extend


class Pair(tuple):
    def __new__(cls):
        raise AssertionError("its own methods are not called")


class Book(dict):
    def update(self, *args, **kwargs):
        raise AssertionError("its own methods are not called")

    __init__ = __setitem__ = setdefault = update


class Ordered(OrderedDict):
    def __setitem__(self, key, value):
        raise AssertionError("its own methods are not called")


class Text(str):
    __slots__ = ()

    def __new__(cls):
        raise AssertionError("its own methods are not called")


class Group(set):
    def add(self, element):
        raise AssertionError("its own methods are not called")

    discard = update = add


def test_instances_of_subclasses_of_builtin_types_hold_what_those_do() -> None:
    for kind, base, expected in (
        (Items, ListContent([X, Y]), ["x", "y"]),
        (Items, ListContent([]), []),
        (Pair, TupleContent((X, Y)), ("x", "y")),
        (Book, DictContent({"k": X, 1: Y, "gone": ABSENT}, complete=True), {"k": "x", 1: "y"}),
        (OrderedDict, DictContent({"k": X, 1: Y}, complete=True), OrderedDict([("k", "x"), (1, "y")])),
        (Ordered, DictContent({"k": X, 1: Y}, complete=True), OrderedDict([("k", "x"), (1, "y")])),
        (Group, SetContent({1, 3}, [("add", 1), ("update", frozenset({2, 3})), ("discard", 2)]), {1, 3}),
        (deque, DequeContent([X, Y], None), deque(["x", "y"])),
        (deque, DequeContent([X], 3), deque(["x"], 3)),
        (Text, ScalarContent(Constant("text")), "text"),
    ):
        heap = Heap()
        found = build(heap, heap.make(ObjectContent(kind, {}, base)))
        assert type(found) is kind
        assert found == expected
        if isinstance(found, deque):
            assert found.maxlen == expected.maxlen


def test_an_instance_of_a_subclass_that_holds_itself_and_has_attributes() -> None:
    heap = Heap()
    items, book = ListContent([X]), DictContent({}, complete=True)
    made = heap.make(ObjectContent(Items, {"name": Y}, items))
    items.items.extend([made, heap.make(ObjectContent(Book, {"of": made}, book))])
    book.entries["items"] = made
    found = build(heap, made)
    assert (found[0], found[1], found.name) == ("x", found, "y")
    assert found[2]["items"] is found[2].of is found


def test_objects_that_refer_to_each_other() -> None:
    heap = Heap()
    parent, child = ObjectContent(Plain, {"name": X}), ObjectContent(Slotted, {"b": Y})
    made_parent, made_child = heap.make(parent), heap.make(child)
    children = heap.make(ListContent([made_child, made_child]))
    parent.attributes["children"] = children
    child.attributes["a"] = made_parent
    found = build(heap, made_parent)
    assert found.children[0] is found.children[1]
    assert found.children[0].a is found
    assert (found.name, found.children[0].b) == ("x", "y")
    again = build(heap, made_child)
    assert again.a.children[1] is again


def test_a_tuple_in_a_cycle() -> None:
    heap = Heap()
    content = ListContent([])
    made = heap.make(content)
    pair = heap.make(TupleContent((made, X)))
    content.items += [pair, pair]
    found = build(heap, pair)
    assert found[0][0] is found[0][1] is found
    assert found[1] == "x"
    found = build(heap, made)
    assert found[0][0] is found


def test_a_method_of_an_object_that_holds_it() -> None:
    heap = Heap()
    content = ObjectContent(Plain, {})
    made = heap.make(content)
    content.attributes["method"] = heap.make(MethodContent(Known(Plain.method, Held(Plain.method)), made))
    found = build(heap, made)
    assert found.method() == (found, "method")


def test_long_chains_are_no_deep_recursion_of_cycles() -> None:
    heap = Heap()
    last = first = heap.make(content := ListContent([]))
    for _ in range(150):
        last = heap.make(ListContent([last]))
    content.items.append(last)
    found = build(heap, first)
    for _ in range(151):
        found = found[0]
    assert found[0] is not None


# -- functions and cells ----------------------------------------------------------------------------------------------


def code_named(function: types.FunctionType, name: str) -> types.CodeType:
    return next(c for c in function.__code__.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def outer(x, y):
    def recursive(n, by=1, *, plus=0):
        return y if n <= 0 else (plus, recursive(n - by, plus=plus))

    def counting():
        nonlocal x
        x += 1
        return x, PATTERN

    return recursive, counting


def test_a_function_with_defaults_annotations_and_a_cell_that_holds_it() -> None:
    heap = Heap()
    own, other = CellContent(ABSENT), CellContent(Y)
    recursive = code_named(outer, "recursive")
    cells = {"recursive": heap.make(own), "y": heap.make(other)}
    content = FunctionContent(
        recursive,
        GLOBALS,
        "recursive",
        recursive.co_qualname,
        closure=tuple(cells[name] for name in recursive.co_freevars),
        defaults=(Constant(2),),
        keyword_defaults={"plus": X},
    )
    own.value = made = heap.make(content)
    found = build(heap, made, "x", "end")
    assert found(3) == ("x", ("x", "end"))
    assert found(1, by=1, plus=0) == (0, "end")
    assert found.__defaults__ == (2,)
    assert found.__kwdefaults__ == {"plus": "x"}
    assert found.__globals__ is globals()
    assert found.__qualname__ == "outer.<locals>.recursive"
    assert found.__closure__[recursive.co_freevars.index("recursive")].cell_contents is found


def test_two_functions_that_share_a_cell_without_a_home() -> None:
    heap = Heap()
    counting = code_named(outer, "counting")
    cell = heap.make(CellContent(X))
    functions = [heap.make(FunctionContent(counting, GLOBALS, "counting", "q", closure=(cell,))) for _ in range(2)]
    first, second = build(heap, heap.make(TupleContent(tuple(functions))), 5)
    assert [first()[0], second()[0], first()[0]] == [6, 7, 8]
    assert first()[1] is PATTERN
    assert first.__closure__[0] is second.__closure__[0]


def test_an_empty_cell_stays_empty() -> None:
    heap = Heap()
    found = build(heap, heap.make(CellContent(ABSENT)))
    assert type(found) is types.CellType
    with pytest.raises(ValueError, match="empty"):
        found.cell_contents.real


def test_annotations() -> None:
    heap = Heap()
    counting = code_named(outer, "counting")
    cell = heap.make(CellContent(X))
    content = FunctionContent(counting, GLOBALS, "counting", "q", closure=(cell,))
    if features.HAS_LAZY_ANNOTATIONS:

        def annotate(format):
            return {"return": "lazy"}

        content.annotate = Known(annotate, Held(annotate))
        assert build(heap, heap.make(content)).__annotations__ == {"return": "lazy"}
    else:
        content.annotations = heap.make(TupleContent((Constant("return"), Constant("eager"))))
        assert build(heap, heap.make(content)).__annotations__ == {"return": "eager"}


# -- iterators --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [[1, 2, 3, 4], (1, 2, 3, 4), range(2, 6), "abcd", b"abcd"], ids=repr)
@pytest.mark.parametrize("index", [0, 1, 3, 4])
def test_an_iterator_goes_on_where_it_was(source: object, index: int) -> None:
    heap = Heap()
    made = heap.make(IteratorContent(type(iter(source)), Known(source, local(two, "x")), index))
    found = build(heap, made, source)
    assert type(found) is type(iter(source))
    assert list(found) == list(source)[index:]
    if isinstance(source, list):
        found = build(heap, made, source)
        source.append(5)
        assert list(found) == source[index:]


def test_an_iterator_over_what_was_made() -> None:
    heap = Heap()
    items = heap.make(ListContent([X, Y, X]))
    iterator = heap.make(IteratorContent(type(iter([])), items, 1))
    found, behind = build(heap, heap.make(TupleContent((items, iterator))))
    found.append("more")
    assert list(behind) == ["y", "x", "more"]


def test_what_a_call_gives() -> None:
    heap = Heap()
    under = heap.make(IteratorContent(type(iter([])), heap.make(ListContent([X, Y])), 1))
    made = heap.make(CalledContent(enumerate, enumerate, (under, Constant(5)), ("start",)))
    found = build(heap, made)
    assert isinstance(found, enumerate)
    assert list(found) == [(5, "y")]
    backward = build(heap, heap.make(CalledContent(reversed, reversed, (Constant("abc"),), state=1)))
    assert isinstance(backward, reversed)
    assert list(backward) == ["b", "a"]


def test_what_cannot_be_made_real_is_said_before() -> None:
    heap = Heap()
    obstacles: list[Content] = [
        IteratorContent(type(iter({})), X, 1, ("a",)),
        IteratorContent(type(iter([])), None, 3),
        IteratorContent(type(reversed([])), X, 1),
        IteratorContent(zip, X, 1),
        SetContent({1, 2}, None),
        FunctionContent(code_named(outer, "counting"), Known({}, Global("other")), "n", "q"),
        FunctionContent(code_named(outer, "counting"), GLOBALS, "n", "q", attributes={"a": X}),
        GeneratorContent(types.GeneratorType),
        ObjectContent(types.TracebackType, {}),
        ObjectContent(ValueError, {}, ExceptionContent(Constant(()), obstacle="it was raised")),
        ObjectContent(ValueError, {}, ExceptionContent(None)),
    ]
    for content in obstacles:
        made = heap.make(content)
        assert find_obstacle(heap, [made])
        assert find_obstacle(heap, [heap.make(ListContent([X, heap.make(TupleContent((made,)))]))])
    assert find_obstacle(heap, [X, Constant(1), heap.make(SetContent({1}, None))]) is None


def test_every_kind_of_content_is_tested() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    for kind in typing.get_args(Content):
        assert text.count(f"{kind.__name__}(") >= 1, kind


# -- what is kept on the stack, and cleaned from it -------------------------------------------------------------------


def test_what_is_on_a_long_way_is_loaded_once() -> None:
    heap = Heap()
    deep = Known(None, Item(Item(Global("PATTERN"), "deep"), 1))
    root = heap.make(ListContent([deep, deep, heap.make(TupleContent((deep, deep)))]))
    function = committing(two, heap, value=root)
    assert function(0, 0) == [2, 2, (2, 2)]
    names = [each.argval for each in dis.get_instructions(function) if each.opname == "LOAD_GLOBAL"]
    assert names == ["PATTERN"]


def test_the_stack_is_left_empty() -> None:
    """The frame returns one value however much was made ready; `verify` has looked at every depth."""
    heap = Heap()
    items = [heap.make(ListContent([X, Known(None, Attribute(local(two, "y"), "real"))])) for _ in range(40)]
    function = committing(two, heap, value=items[7])
    assert function("x", 5) == ["x", 5]
    root = heap.make(TupleContent(tuple(items)))
    found = committing(two, heap, value=root)("x", 5)
    assert len({id(item) for item in found}) == 40
    assert function.__code__.co_stacksize < 12
