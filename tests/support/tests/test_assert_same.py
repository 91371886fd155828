"""`assert_same` accepts a faithful transformer and finds every kind of difference a wrong one can make.

Each pair below is a function and an unfaithful version of it; the two share this module's globals.
"""

from __future__ import annotations

import itertools
import random
import sys
import types
import warnings
from collections.abc import Callable

import attrs
import pytest

from tests.support import Conditions, arguments, assert_same

total = 0
history: list[object] = []
registry = {"first": [1]}
SHARED_TEXT = "".join(["some ", "text"])


class Point:
    count = 0

    def __init__(self, x: object) -> None:
        self.x = x


class Slotted:
    __slots__ = ("a", "b")


@attrs.frozen
class Pair:
    """`wrong` stands for what a wrong transformer makes of `right`; `hint` must be in the report."""

    right: Callable[..., object]
    wrong: Callable[..., object]
    call: Callable[[], tuple[tuple[object, ...], dict[str, object]]]
    hint: str
    conditions: Conditions


PAIRS: dict[str, Pair] = {}


def pair(call, hint, conditions=Conditions()):
    """Registers the two functions that a maker returns."""

    def register(maker):
        right, wrong = maker()
        PAIRS[maker.__name__] = Pair(right, wrong, call, hint, conditions)
        return maker

    return register


# ---------------------------------------------------------------- results


@pair(lambda: arguments(1), "call returned")
def type_of_number():
    return (lambda x: 1), (lambda x: True)


@pair(lambda: arguments(0.0), "call returned")
def sign_of_zero():
    return (lambda x: -x), (lambda x: x)


@pair(lambda: arguments(), "call returned")
def payload_of_nan():
    return (lambda: float("nan")), (lambda: -float("nan"))


@pair(lambda: arguments(1), "call returned")
def type_of_sequence():
    return (lambda x: [x, 2]), (lambda x: (x, 2))


@pair(lambda: arguments(1, 2), "call returned")
def order_of_dict():
    return (lambda a, b: {"a": a, "b": b}), (lambda a, b: {"b": b, "a": a})


@pair(lambda: arguments([1]), "call returned: same object as args[0]")
def copy_of_argument():
    return (lambda x: x), (lambda x: list(x))


@pair(lambda: arguments(([1],)), "call returned: same object as args[0]")
def copy_of_tuple():
    return (lambda x: x), (lambda x: (x[0],))


@pair(lambda: arguments([1]), "same object as args[0]")
def aliasing_inside_result():
    return (lambda x: {"a": x, "b": [x]}), (lambda x: {"a": x, "b": [list(x)]})


@pair(lambda: arguments(), "same object as call returned[0]")
def aliasing_within_result():
    def right():
        inner = []
        return inner, inner

    return right, (lambda: ([], []))


@pair(lambda: arguments(), "same object as global registry['first']")
def copy_of_global():
    return (lambda: registry["first"]), (lambda: list(registry["first"]))


@pair(lambda: arguments(), "what the calls share")
def result_kept_from_earlier_call():
    kept = []
    return (lambda: []), (lambda: kept)


@pair(lambda: arguments("".join(["a", "b"])), "same object as args[0]", Conditions(every_identity=True))
def identity_of_text():
    return (lambda text: text), (lambda text: "".join(list(text)))


@pair(lambda: arguments(3), "call returned.x")
def attribute_of_instance():
    return (lambda x: Point(x)), (lambda x: Point(x + 1))


@pair(lambda: arguments(3), "call returned.b")
def slot_of_instance():
    def fill(a, b):
        made = Slotted()
        made.a = a
        if b is not None:
            made.b = b
        return made

    return (lambda x: fill(x, 1)), (lambda x: fill(x, None))


@pair(lambda: arguments(3), "closure")
def cell_of_returned_function():
    def make(x):
        return lambda: x

    return (lambda x: make(x)), (lambda x: make(x + 1))


@pair(lambda: arguments([1, 2, 3]), "!state")
def position_of_returned_iterator():
    def advanced(values, steps):
        iterator = iter(values)
        for _ in range(steps):
            next(iterator)
        return iterator

    return (lambda values: advanced(values, 1)), (lambda values: advanced(values, 2))


@pair(lambda: arguments(3), "call returned", Conditions(drive=list))
def values_of_generator():
    def right(n):
        yield from range(n)

    def wrong(n):
        yield from range(n - 1)

    return right, wrong


def made_class(doc, line=0):
    return type("Made", (), {"__doc__": doc, "__module__": __name__, "__firstlineno__": line})


@pair(lambda: arguments(), ".__doc__")
def doc_of_class():
    return (lambda: made_class("a")), (lambda: made_class("b"))


@pair(lambda: arguments(), ".__firstlineno__")
def line_of_class():
    return (lambda: made_class("a", 1)), (lambda: made_class("a", 2))


@pair(lambda: arguments(), ".__annot")
def annotations_of_function():
    def right():
        def made(x: int): ...

        return made

    def wrong():
        def made(x): ...

        return made

    return right, wrong


# ---------------------------------------------------------------- exceptions


@pair(lambda: arguments(), "call raised")
def no_exception():
    def right():
        raise ValueError("no")

    return right, (lambda: None)


@pair(lambda: arguments({}), "KeyError")
def type_of_exception():
    return (lambda x: x["a"]), (lambda x: [].pop())


def raising(error_maker, cause_maker=None):
    def raise_it():
        if cause_maker is None:
            raise error_maker()
        raise error_maker() from cause_maker()

    return raise_it


def with_note(note):
    error = ValueError("x")
    error.add_note(note)
    return error


@pair(lambda: arguments(), ".args")
def arguments_of_exception():
    return raising(lambda: ValueError("a", 1)), raising(lambda: ValueError("a", 2))


@pair(lambda: arguments(), ".__notes__")
def notes_of_exception():
    return raising(lambda: with_note("a")), raising(lambda: with_note("b"))


@pair(lambda: arguments(), ".name")
def fields_of_exception():
    return raising(lambda: NameError("x", name="a")), raising(lambda: NameError("x", name="b"))


@pair(lambda: arguments(), ".__cause__")
def cause_of_exception():
    return raising(ValueError, KeyError), raising(ValueError, IndexError)


@pair(lambda: arguments(), ".__suppress_context__")
def suppression_of_context():
    return raising(ValueError, lambda: None), raising(ValueError)


@pair(lambda: arguments(), ".__context__")
def context_of_exception():
    def right():
        try:
            raise KeyError
        except KeyError:
            raise ValueError from None

    def wrong():
        raise ValueError from None

    return right, wrong


@pair(lambda: arguments(), "call raised.__context__", Conditions(handling=lambda: KeyError("outer")))
def context_from_caller():
    def wrong():
        error = ValueError()
        try:
            raise error
        finally:
            error.__context__ = None

    return raising(ValueError), wrong


@pair(lambda: arguments(0), ".traceback[0]")
def line_of_exception():
    def divide(x, late):
        if late:
            return 1 / x
        return 1 / x

    return (lambda x: divide(x, late=True)), (lambda x: divide(x, late=False))


@pair(lambda: arguments(0), ".traceback[0]")
def columns_of_exception():
    def divide(x, right):
        return (1 / x) if right else (2 / x)

    return (lambda x: divide(x, True)), (lambda x: divide(x, False))


@pair(lambda: arguments(0), ".traceback[1]")
def extra_frame_in_traceback():
    def fail(x):
        return 1 / x

    return fail, (lambda x: fail(x))


@pair(lambda: arguments(), "SystemExit")
def exit_request():
    return (lambda: sys.exit(3)), (lambda: None)


# ---------------------------------------------------------------- changes


@pair(lambda: arguments([1]), "args[0]")
def change_of_argument():
    return (lambda x: x.append(2)), (lambda x: x.append(3))


@pair(lambda: arguments(x=Point(1)), "kwargs['x'].x")
def change_of_keyword_argument():
    return (lambda x: setattr(x, "x", 2)), (lambda x: setattr(x, "x", 3))


@pair(lambda: arguments(Point(1)), "args[0].y")
def order_of_attributes():
    def set_attributes(point, names):
        for name in names:
            setattr(point, name, 0)

    return (lambda point: set_attributes(point, "yz")), (lambda point: set_attributes(point, "zy"))


@pair(lambda: arguments(), "global total")
def change_of_global():
    def right():
        global total
        total += 1

    def wrong():
        global total
        total += 2

    return right, wrong


@pair(lambda: arguments(), "global new_name")
def new_global():
    def right():
        global new_name
        new_name = 1

    return right, (lambda: None)


@pair(lambda: arguments(), "global history")
def effect_done_twice():
    def wrong():
        history.append(1)
        history.append(1)

    return (lambda: history.append(1)), wrong


@pair(lambda: arguments(), ".count")
def change_of_class():
    return (lambda: setattr(Point, "count", 5)), (lambda: None)


@pair(lambda: arguments(), "closure['counter']")
def change_of_cell():
    counter = 0

    def right():
        nonlocal counter
        counter += 1

    def wrong():
        nonlocal counter
        counter += 2

    return right, wrong


@pair(lambda: arguments(), "__defaults__")
def change_of_default():
    def right(kept=[]):
        kept.append(1)

    return right, (lambda: None)


@pair(lambda: arguments(), "random state")
def draw_done_twice():
    def wrong():
        random.random()
        random.random()

    return (lambda: random.random() and None), wrong


# ---------------------------------------------------------------- effects and their order


@pair(lambda: arguments(), "stdout write")
def text_of_output():
    return (lambda: print("a")), (lambda: print("b"))


@pair(lambda: arguments(), "stderr write")
def stream_of_output():
    return (lambda: print("a", file=sys.stderr)), (lambda: print("a"))


@pair(lambda: arguments([]), "state then")
def output_before_change():
    def right(x):
        x.append(1)
        print("done")

    def wrong(x):
        print("done")
        x.append(1)

    return right, wrong


@pair(lambda: arguments(), "state then")
def output_before_change_of_global():
    def right():
        history.append(1)
        print("done")

    def wrong():
        print("done")
        history.append(1)

    return right, wrong


@pair(lambda: arguments(), "warning: UserWarning")
def text_of_warning():
    return (lambda: warnings.warn("a", stacklevel=1)), (lambda: warnings.warn("b", stacklevel=1))


# ---------------------------------------------------------------- the tests


@pytest.mark.parametrize("name", PAIRS)
def test_difference_is_found(name: str) -> None:
    case = PAIRS[name]
    with pytest.raises(AssertionError) as caught:
        assert_same(case.right, case.call, transform=lambda function: case.wrong, conditions=case.conditions)
    assert case.hint in str(caught.value)
    assert "does not agree with itself" not in str(caught.value)


@pytest.mark.parametrize("name", PAIRS)
def test_same_function_is_accepted(name: str) -> None:
    case = PAIRS[name]
    twin = types.FunctionType(
        case.right.__code__, case.right.__globals__, "twin", case.right.__defaults__, case.right.__closure__
    )
    assert assert_same(case.right, case.call, transform=lambda function: twin, conditions=case.conditions) is twin


@pytest.mark.parametrize("name", PAIRS)
def test_state_is_put_back(name: str) -> None:
    case = PAIRS[name]
    assert_same(case.right, case.call, transform=lambda function: case.right, conditions=case.conditions)
    assert (total, history, registry, Point.count) == (0, [], {"first": [1]}, 0)
    assert "new_name" not in globals()


def test_difference_in_a_later_call_is_found() -> None:
    calls = [lambda: arguments(1), lambda: arguments(2), lambda: arguments(-3)]
    assert_same(lambda x: abs(x), *calls[:2], transform=lambda function: lambda x: x)
    with pytest.raises(AssertionError, match="differs in call 2"):
        assert_same(lambda x: abs(x), *calls, transform=lambda function: lambda x: x)


def test_a_single_call_is_made_twice() -> None:
    seen = []

    def stops_being_right(x):
        seen.append(x)
        return x if len(seen) < 2 else None

    with pytest.raises(AssertionError, match="differs in call 1"):
        assert_same(lambda x: x, lambda: arguments(1), transform=lambda function: stops_being_right)


def test_transformer_with_effects_is_found() -> None:
    def transform(function):
        history.append(function)
        return function

    with pytest.raises(AssertionError, match="the transformer itself"):
        assert_same(lambda: len(history), transform=transform)
    assert history == []


def test_state_that_cannot_be_put_back_is_reported() -> None:
    iterator = iter(range(10))
    with pytest.raises(AssertionError, match="could not be put back"):
        assert_same(lambda: next(iterator), transform=lambda function: function)


def test_arguments_shared_by_calls_are_put_back() -> None:
    shared = []
    assert_same(lambda x: x.append(1), lambda: arguments(shared), transform=lambda function: function)
    assert shared == []


def test_factories_whose_arguments_differ_are_reported() -> None:
    numbers = itertools.count()
    with pytest.raises(AssertionError, match=r"before, args\[0\]"):
        assert_same(lambda x: None, lambda: arguments(next(numbers)), transform=lambda function: function)


def test_function_that_does_not_agree_with_itself_is_reported() -> None:
    with pytest.raises(AssertionError, match="does not agree with itself"):
        assert_same(lambda: id(object()) and random.SystemRandom().random(), transform=lambda function: function)


def test_watched_objects_count() -> None:
    module = types.ModuleType("somewhere_else")
    module.found = []
    watching = Conditions(watch=[module.found])
    assert_same(lambda: module.found.append(1), transform=lambda function: function, conditions=watching)
    assert module.found == []
    with pytest.raises(AssertionError, match="root 1"):
        assert_same(lambda: module.found.append(1), transform=lambda function: lambda: None, conditions=watching)


def test_globals_that_no_code_mentions_are_left_alone() -> None:
    def transform(function):
        def pollute():
            globals()["compiled_function_0"] = function

        return pollute

    with pytest.raises(AssertionError, match=r"unmentioned globals.*compiled_function_0"):
        assert_same(lambda: None, transform=transform)
    assert "compiled_function_0" not in globals()


def test_globals_changed_by_methods_of_arguments_count() -> None:
    class Adder:
        def add(self):
            history.append(1)

    with pytest.raises(AssertionError, match="global history"):
        assert_same(lambda x: x.add(), lambda: arguments(Adder()), transform=lambda function: lambda x: None)
    assert history == []


def test_bound_methods_and_callable_objects() -> None:
    class Counter:
        def __init__(self):
            self.count = 0

        def add(self, n):
            self.count += n
            return self.count

        def __call__(self, n):
            return self.add(n)

    counter = Counter()
    for function in (counter.add, counter):
        assert_same(function, lambda: arguments(2), transform=lambda function: lambda n: counter.add(n))
        assert counter.count == 0
        with pytest.raises(AssertionError, match="count"):
            assert_same(function, lambda: arguments(2), transform=lambda function: lambda n: counter.add(3) - 1)


def test_hidden_folders_do_not_count_in_tracebacks() -> None:
    namespace: dict[str, object] = {}
    exec(compile("def wrap(f):\n    return lambda x: f(x)", "/elsewhere/library/wrap.py", "exec"), namespace)
    wrap = namespace["wrap"]

    def fail(x):
        return 1 / x

    with pytest.raises(AssertionError, match="traceback"):
        assert_same(fail, lambda: arguments(0), transform=wrap)
    assert_same(fail, lambda: arguments(0), transform=wrap, conditions=Conditions(hidden_folders=("/elsewhere",)))


def test_context_variables_of_one_side_do_not_reach_the_other() -> None:
    import contextvars

    variable = contextvars.ContextVar("variable", default=0)

    def count():
        variable.set(variable.get() + 1)
        return variable.get()

    assert_same(count, transform=lambda function: function)
    assert variable.get() == 0


def test_builtin_is_refused() -> None:
    with pytest.raises(TypeError, match="no Python function"):
        assert_same(len, lambda: arguments([]), transform=lambda function: function)
