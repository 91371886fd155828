"""Functions as values: closures that escape, decorators, recursion, attributes of functions."""

from __future__ import annotations

import functools

from tests.ladder.both import captured, same

registry: list[object] = []


def make_counter(start):
    count = start

    def up():
        nonlocal count
        count += 1
        return count

    def reset(to=start):
        nonlocal count
        old, count = count, to
        return old

    return up, reset


@same((1,), (10,))
def test_closures_escape(start):
    up, reset = make_counter(start)
    up()
    return up, reset, up() + 1, reset(), up()


@same((1,), (2,))
def test_closures_escape_into_a_global(x):
    total = x

    def add(y):
        nonlocal total
        total += y
        return total

    registry.append(add)
    add(5)
    print(len(registry), total)
    total *= 10
    return registry[0](1), total, len(registry)


@same(([1, 2],), ([],))
def test_closure_kept_after_the_call_sees_later_writes(items):
    def read():
        return value

    value = "first"
    kept = [read]
    value = list(items)
    kept.append(read())
    value.append("more")
    return kept, read() is value


@captured((5,), (1,), (0,))
def test_recursion(n):
    def factorial(k):
        return 1 if k < 2 else k * factorial(k - 1)

    def fibonacci(k):
        return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)

    return factorial(n), fibonacci(n)


@captured((6,), (3,))
def test_mutual_recursion(n):
    def even(k):
        return k == 0 or odd(k - 1)

    def odd(k):
        return k != 0 and even(k - 1)

    return even(n), odd(n)


@same(([1, [2, [3, []]]],), ([],), ([[[]]],))
def test_recursion_over_a_structure(tree):
    def flatten(node, depth=0):
        if isinstance(node, list):
            return [leaf for child in node for leaf in flatten(child, depth + 1)]
        return [(depth, node)]

    return flatten(tree)


@captured((3, 4), ("a", "b"))
def test_decorators(a, b):
    log = []

    def logged(function):
        log.append("decorate " + function.__name__)

        def wrapper(*args, **kwargs):
            log.append((args, kwargs))
            return [function(*args, **kwargs)]

        return wrapper

    def twice(times):
        def decorate(function):
            def wrapper(x):
                for _ in range(times):
                    x = function(x)
                return x

            return wrapper

        return decorate

    @logged
    @twice(2)
    def double(x):
        return x + x

    return double(a), double(b), log


@same((1,), (2,))
def test_wraps(x):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args) + 1

        return wrapper

    @decorate
    def inner(value: int) -> int:
        """Doc."""
        return value * 10

    inner.tag = x
    return inner(x), inner.__name__, inner.__doc__, inner.__wrapped__(x), inner.tag, inner


@same((2,), (5,))
def test_lambdas(n):
    adders = [lambda x, i=i: x + i for i in range(n)]
    compose = lambda *fs: lambda x: functools.reduce(lambda value, f: f(value), fs, x)
    return compose(*adders)(1), (lambda: (yield))().__name__, (lambda *, k=n: k)(), [f(0) for f in adders]


@same((1,), (2,), (3,))
def test_attributes_of_functions(x):
    def f():
        f.calls = getattr(f, "calls", 0) + 1
        return f.calls

    f()
    f.limit = [x]
    first = f(), f.limit
    del f.calls
    try:
        return first, hasattr(f, "limit"), f.calls
    except AttributeError as error:
        return first, error.args, error.name, vars(f)


def called_often(x):
    called_often.calls += 1
    return x


called_often.calls = 0


@same((1,), (2,))
def test_attributes_of_a_function_of_the_module(x):
    called_often(x)
    called_often(x)
    called_often.last = x
    return called_often.calls, called_often.last


@same((3,), (4,))
def test_code_of_a_function_replaced(x):
    def f():
        return "f"

    def g():
        return "g"

    first = f()
    f.__code__ = g.__code__
    return first, f(), f.__name__, f.__code__ is g.__code__


@captured(([3, 1, 2],), ([],))
def test_functions_given_to_builtins(items):
    key = lambda item: -item
    return (
        sorted(items, key=key), list(map(key, items)), list(filter(lambda i: i > 1, items)),
        max(items, key=key, default=None), any(map(lambda i: i > 2, items)), sum(map(key, items)),
    )  # fmt: skip


@same((1,), (2,))
def test_methods_are_made_anew(x):
    class Box:
        def get(self):
            return self.value

    box, other = Box(), Box()
    box.value, other.value = x, -x
    get = box.get
    box.value += 10
    return get(), box.get == get, box.get is box.get, other.get == get, get.__self__ is box, Box.get(other), get


@same((5,), (0,))
def test_exception_from_deep_inside(n):
    log = []

    def level(k):
        log.append(k)
        if k == 0:
            return 1 // len(log[n:])
        return level(k - 1)

    result = level(n)
    return result + level(0), log


@same((1,), (0,), (2,))
def test_exception_in_an_inner_function_leaves(x):
    def check(value):
        if not value:
            raise ValueError("zero", value)
        return value

    print("before", x)
    results = [check(x)]
    results.append(check(x - 2))
    return results


@same((3,), (4,))
def test_closure_over_parameters_and_default(x):
    def outer(a, b=[x]):
        def inner(c=b):
            c.append(a)
            return a, b, c

        a += 1
        return inner

    made = outer(x)
    made()
    return made(), outer(1)(), outer(1)


@same((7,), (8,))
def test_immediately_called(x):
    return (lambda y: (lambda z: (x, y, z))(y + 1))(x + 1), (lambda: x)(), (lambda: [x for _ in range(2)])()
