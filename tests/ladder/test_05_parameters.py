"""Parameters and arguments: every kind, defaults, unpacking at calls, and the errors of binding."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, same
from tests.support import arguments


def every_kind(a, b=2, /, c=3, *rest, d, e=5, **more):
    return a, b, c, rest, d, e, more


def no_parameters():
    return "none"


def only_keywords(*, x, y=1):
    return x, y


def only_positions(x, y=[], /):
    y.append(x)
    return y


def swallows(*args, **kwargs):
    return args, kwargs


@captured((1, 2), ([], "x"))
def test_every_kind_of_parameter(x, y):
    return (
        every_kind(x, d=y),
        every_kind(x, y, d=1),
        every_kind(x, y, 3, 4, 5, d=6, e=7, f=8),
        every_kind(*[x, y, x], **{"d": 1, "z": y}),
        every_kind(x, *(), d=x, **{}),
        only_keywords(x=x),
        only_keywords(y=x, x=y),
        swallows(x, *[y], k=x, **{"l": y}),
    )


BAD_CALLS = {
    "missing": lambda x: every_kind(x),
    "missing_all": lambda x: every_kind(),
    "missing_keywords": lambda x: only_keywords(),
    "surplus": lambda x: no_parameters(x),
    "surplus_positions": lambda x: only_keywords(x, x, x=x),
    "unknown_keyword": lambda x: only_keywords(x=x, z=x),
    "misspelt_keyword": lambda x: only_keywords(xx=x),
    "position_by_name": lambda x: only_positions(x=x),
    "twice": lambda x: every_kind(x, x, x, c=x, d=x),
    "twice_in_mapping": lambda x: every_kind(x, d=x, **{"d": x}),
    "twice_in_mappings": lambda x: swallows(**{"k": x}, **{"k": x}),
    "keys_are_no_strings": lambda x: swallows(**{x: 1}),
    "star_on_number": lambda x: swallows(*5),
    "stars_on_list": lambda x: swallows(**[x]),
    "not_callable": lambda x: x(x),
    "none": lambda x: print(x)(),
    "lambda": lambda x: (lambda a, b: a)(x),
    "many_missing": lambda x: (lambda a, b, c, d, *, e, f: a)(),
    "class": lambda x: Point(x, x, x),
    "class_without_init": lambda x: Empty(x),
    "method": lambda x: Point(x).move(),
    "builtin": lambda x: len(x, x),
    "builtin_keyword": lambda x: sorted([x], nothing=x),
}


class Point:
    def __init__(self, x, y=0):
        self.x, self.y = x, y

    def move(self, dx, dy=0):
        self.x += dx
        self.y += dy
        return self


class Empty:
    pass


@pytest.mark.parametrize("name", BAD_CALLS)
def test_binding_fails(name):
    bad = BAD_CALLS[name]

    @same((1,), ("s",))
    def program(x):
        log = [x]
        try:
            log.append(bad(x))
        except TypeError as error:
            log.append(error.args)
        print(log)
        return bad(x)

    program()


@same((1, 2), (3, 4))
def test_own_arguments_are_wrong(a, b, c):
    return a, b, c


@same(
    lambda: arguments(1, b=2), lambda: arguments(a=1, b=2), lambda: arguments(b=5, a="x", c=[1]), lambda: arguments(1)
)
def test_called_with_keywords(a, b, **more):
    more["seen"] = a
    return a, b, more


@same(lambda: arguments(1, 2, 3, x=4), lambda: arguments(), lambda: arguments(*"ab", y=[1]))
def test_collected_arguments(*args, **kwargs):
    copied = {**kwargs, "args": args}
    kwargs["new"] = len(args)
    return args, kwargs, copied, kwargs is copied


@same((1,), ("x",))
def test_mutable_default_is_kept(x, seen=[]):
    seen.append(x)
    return seen, len(seen)


@same((1,), (2,), (3,))
def test_default_of_inner_function_is_evaluated_once(x):
    log = []

    def see(value):
        log.append(value)
        return [value]

    def inner(a=see("a"), *, b=see("b")):
        a.append(x)
        return a, b

    return inner(), inner(), inner(a=[]), log, inner.__defaults__, inner.__kwdefaults__


@same((1,), (2,))
def test_defaults_replaced(x):
    def inner(a=1, *, b=2):
        return a, b

    first = inner()
    inner.__defaults__ = (x,)
    inner.__kwdefaults__ = {"b": [x]}
    second = inner()
    inner.__defaults__ = None
    try:
        inner()
    except TypeError as error:
        return first, second, error.args


@same((1, 2), (2, 1))
def test_order_of_arguments(a, b):
    log = []

    def see(name, value=None):
        log.append(name)
        return value

    see("f", swallows)(see("1"), *see("2", [a]), see("3"), k=see("4"), **see("5", {"m": b}), n=see("6"))
    return log


@same((1,), ([],))
def test_argument_fails_before_the_call(x):
    log = []

    def called(*args):
        log.append("called")

    try:
        called(log.append("first"), x + 1, log.append("last"))
    except TypeError:
        log.append("failed")
    return log


@captured(([1, 2, 3], {"e": 5}), ([9], {}))
def test_star_arguments_are_copied(items, options):
    def change(*args, d=0, **kwargs):
        kwargs["changed"] = True
        return args, kwargs

    result = change(*items, **options)
    return result, items, options


class Mapping:
    def __init__(self, **entries):
        self.entries = entries
        self.log = []

    def keys(self):
        self.log.append("keys")
        return list(self.entries)

    def __getitem__(self, key):
        self.log.append(key)
        return self.entries[key]


@same((1,), (2,))
def test_double_star_of_a_mapping_object(x):
    mapping = Mapping(a=x, b=2)
    return swallows(**mapping), mapping.log, {**mapping}, mapping.log


@same((3,), (0,))
def test_star_of_an_iterator_that_fails(n):
    def numbers():
        yield 1
        yield 1 // n

    log = []
    try:
        log.append(swallows(*numbers()))
    except ZeroDivisionError:
        log.append("failed")
    return log, swallows(*numbers())


def annotated(a: int, b: "list[str]" = [], *args: float, **kwargs: "anything") -> None:
    """A doc."""


@same((1,), (2,))
def test_annotations_and_names(x):
    def inner(a: x, *, b: "str" = "d") -> [x]:
        """Inner."""

    inner.extra = x
    return annotated.__doc__, annotated.__name__, annotated.__qualname__, inner, inner.__doc__, inner.extra, vars(inner)


@same((2,), ("ab",))
def test_callables_of_every_kind(x):
    class Callable:
        def __call__(self, *args, **kwargs):
            return "instance", args, kwargs

        @classmethod
        def of_class(cls, a):
            return cls, a

        @staticmethod
        def of_nothing(a):
            return a

    point = Point(x)
    bound = point.move
    return (
        Callable()(x, k=x), Callable.of_class(x)[1], Callable().of_nothing(x), bound(x) is point, Point.move(point, x),
        [f(x) for f in (str, repr, type, lambda v: v)], (lambda *a: a)(*[x]), point,
    )  # fmt: skip
