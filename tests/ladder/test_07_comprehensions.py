"""Comprehensions and generator expressions: order, scoping, conditions, errors, cells."""

from __future__ import annotations

from tests.ladder.both import captured, same


@captured(([1, 2, 3, 4],), ([],))
def test_every_kind(items):
    return (
        [i * 2 for i in items if i % 2],
        {i % 3 for i in items},
        {i: str(i) for i in items if i > 1},
        tuple(i for i in items),
        dict((i, -i) for i in items),
    )


@captured(([[1, 2], [], [3]],), ([],))
def test_nested(rows):
    flat = [cell for row in rows for cell in row]
    return flat, [[cell + 1 for cell in row] for row in rows], [(r, c) for r in rows if r for c in r if c != 2]


@same(([3, 0, 1],), ([2],), ([0],))
def test_error_inside(items):
    log = []
    try:
        log.append([6 // i for i in items if not log.append(i)])
    except ZeroDivisionError:
        log.append("caught")
    print(log)
    return {i: 6 // i for i in items}


@same((2,), (3,))
def test_first_iterable_is_evaluated_outside(n):
    log = []

    def see(name, value):
        log.append(name)
        return value

    made = (see("item", i) for i in see("outer", range(n)) for j in see("inner", range(1)) if see("if", i))
    log.append("made")
    return list(made), log


@same((3,), (0,))
def test_closures_capture_the_variable(n):
    functions = [lambda: i for i in range(n)]
    sets = {(lambda: j) for j in range(n)}
    late = [f() for f in functions]
    i = j = "outer"
    return late, sorted(f() for f in sets), functions, i, j


@same((3,), (2,))
def test_walrus_writes_to_the_function(n):
    total = 0
    partial = [total := total + i for i in range(n)]
    return partial, total, [last := i for i in range(n) if (seen := i) < 2], last, seen


@same((["a", "b"],), ([],))
def test_names_are_separate(items):
    x = "outer"
    inner = [x for x in items]
    again = [[x for x in row] for row in [items, items]]
    try:
        return x, inner, again, y
    except NameError:
        return x, inner, again, [y for y in items]


@same((1,), (2,))
def test_unbound_inside(x):
    if x == 1:
        value = "bound"
    log = []
    try:
        log.extend([value for _ in range(2)])
    except NameError as error:
        log.append((type(error), error.args))
    return log


@same(([1, 2, 3],), ([],))
def test_generator_expression_is_lazy(items):
    log = []
    lazy = (log.append(i) or i for i in items)
    first = next(lazy, None)
    items.append(9)
    log.append("between")
    return first, list(lazy), log, next(lazy, "end")


@same(([1, 2, 3],), ([5],))
def test_generator_expression_escapes(items):
    factor = 10
    lazy = (i * factor for i in items)
    factor = 100
    return lazy, next(lazy), factor


@captured(([3, 1, 2],), ([7],))
def test_given_to_builtins(items):
    return (
        sum(i * i for i in items), max(i for i in items), sorted(-i for i in items), any(i > 2 for i in items),
        all(i for i in items), ",".join(str(i) for i in items), set(i % 2 for i in items), min((i, -i) for i in items),
    )  # fmt: skip


@same(([1, 2, 0, 4],), ([1],))
def test_builtin_stops_early(items):
    log = []
    found = any(log.append(i) or i == 2 for i in items)
    return found, all(log.append(-i) or i for i in items), log


@same((3,), (1,))
def test_inside_a_class_body(n):
    class Table:
        size = n
        rows = [i for i in range(size)]
        keyed = {i: n for i in rows}
        try:
            broken = [size for i in rows]
        except NameError as error:
            broken = type(error)

    return Table.rows, Table.keyed, Table.broken


@same((2,), (3,))
def test_arguments_and_cells_of_the_same_name(n):
    def read():
        return i

    i = "cell"
    made = [(i, read()) for i in range(n)]
    nested = [[i for i in range(i)] for i in range(n)]
    return made, nested, read(), i


@same(([(1, 2), (3, 4)],), ([(1, 2), 3],), ([(1, 2, 3)],))
def test_targets_unpack(pairs):
    log = []
    try:
        log.append([a + b for a, b in pairs])
        log.append({a: rest for a, *rest in pairs})
    except (TypeError, ValueError) as error:
        log.append(error.args)
    return log


@same((["b", "a", "b"],), ([],))
def test_order_and_duplicates(items):
    return {key: i for i, key in enumerate(items)}, list({k: 0 for k in items}), sorted({k for k in items})


@same(([1, 2, 3],), ([0],))
def test_changing_what_is_iterated(items):
    made = [items.append(i) or len(items) for i in items if len(items) < 6]
    return made, items


@same((2,), (0,))
def test_try_around_and_exception_within(n):
    def check(i):
        if i == 1:
            raise LookupError(i)
        return i

    log = []
    for size in (1, n + 1):
        try:
            log.append([check(i) for i in range(size)])
        except LookupError as error:
            log.append(error)
        finally:
            log.append(size)
    return log


@same((3,), (5,))
def test_conditions_and_nested_conditional_expressions(n):
    return [("big" if i > 3 else "small") if i else "zero" for i in range(n) if i != 2 if i < 10]


@same((2,), (4,))
def test_locals_inside(n):
    before = sorted(locals())
    inside = [sorted(k for k in locals() if not k.startswith(".") and k != "before") for i in range(1)]
    return before, "i" in inside[0], n
