"""Names: locals, globals, builtins, cells, `del`, and names that are not bound."""

from __future__ import annotations

import builtins

import pytest

from tests.ladder.both import captured, same

counter = 0
table: dict[str, object] = {"a": 1}
doomed = "there"


@same((1,), (5,))
def test_global_is_written(step):
    global counter
    before = counter
    counter += step
    counter = counter * 2
    return before, counter


@captured((1,), (5,))
def test_global_is_written_and_put_back(step):
    global counter
    before = counter
    counter += step
    after = counter
    counter = before
    return before, after


@same((1,), (0,), (2,))
def test_global_is_written_before_an_error(x):
    global counter
    counter += 10
    result = 1 // x
    counter += 1
    return result


@same((True,), (False,), (True,))
def test_global_is_deleted_and_comes_back(delete):
    global doomed
    if delete:
        del doomed
    try:
        return doomed
    except NameError as error:
        doomed = "again"
        return error


@same((1,), (2,))
def test_new_global(x):
    global made_by_test
    try:
        seen = made_by_test
    except NameError:
        seen = None
    made_by_test = [x]
    return seen, made_by_test


@same((3,), (4,))
def test_global_shadows_a_builtin(x):
    global len
    first = len("abc")
    len = lambda value: ("mine", x)
    try:
        second = len("abc")
    finally:
        del len
    return first, second, len("abcd")


@same((1,), (-1,))
def test_builtin_replaced_between(x):
    before = abs(x)
    old = builtins.abs
    builtins.abs = lambda value: "replaced"
    try:
        within = abs(x)
    finally:
        builtins.abs = old
    return before, within, abs(x)


@same((True,), (False,))
def test_unbound_local(bind):
    log = []
    if bind:
        value = 1
    log.append("before")
    try:
        log.append(value)
    except UnboundLocalError as error:
        log.append(error.args)
    return log


@same((True,), (False,), (True,))
def test_unbound_local_leaves(bind):
    print("before")
    if bind:
        value = 1
    return value


@same((1,), (0,))
def test_delete_local(x):
    value = [x]
    alias = value
    del value
    if x:
        value = x
    try:
        del value
    except UnboundLocalError as error:
        return alias, str(error)
    return alias, "deleted"


@captured((1,), (10,))
def test_nonlocal_counts(start):
    count = start

    def up(by=1):
        nonlocal count
        count += by
        return count

    return up(), up(5), count, up() + count


@same((1,), (2,))
def test_nonlocal_through_three_levels(x):
    a = x

    def middle():
        b = a + 1

        def inner():
            nonlocal a, b
            a, b = b, a
            return a, b

        return inner(), a, b

    return middle(), middle(), a


@same((True,), (False,))
def test_free_variable_not_bound_yet(early):
    def use():
        return later

    log = []
    if early:
        try:
            use()
        except NameError as error:
            log.append((type(error), error.args, error.name))
    later = "bound"
    log.append(use())
    del later
    try:
        use()
    except NameError as error:
        log.append(error.args)
    later = "again"
    return log, use()


@same((1,), (2,))
def test_closures_share_one_cell(x):
    value = [x]

    def write(new):
        nonlocal value
        value = new

    def read():
        return value

    first = read()
    write("new")
    return first, read(), value, write, read


@same((3,), (0,))
def test_closures_in_a_loop_see_the_last_value(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)
    bound = [lambda i=i: i for i in range(n)]
    return [f() for f in functions], [f() for f in bound], functions


@same(("abs",), ("nothing_of_that_name",))
def test_missing_name(name):
    log = [name]
    if name == "abs":
        return abs(-1), log
    log.append(1)
    return nothing_of_that_name, log


@same((1,), (2,))
def test_name_of_class_body_is_not_seen_by_methods(x):
    size = "outer"

    class Box:
        size = x
        doubled = size * 2

        def get(self):
            return size

        listed = [size for _ in range(1)]

    return Box().get(), Box.size, Box.doubled, Box.listed


@same((1,), (2,))
def test_arguments_are_rebound(x, y=10):
    def inner():
        nonlocal x
        x += y
        return x

    x = x * 2
    first = inner()
    y = first
    return inner(), x, y


@same((1,), ("k",))
def test_globals_function_is_live(key):
    globals()["table"] = {key: key}
    first = table
    table["more"] = 1
    return first is table, table, "table" in globals(), globals() is globals()


@pytest.mark.parametrize("name", ["counter", "table"])
def test_function_reads_what_another_wrote(name):
    def program(x):
        def write():
            global counter, table
            counter = x
            table = [counter]

        before = counter, table
        write()
        return before, counter, table, globals()[name]

    same((1,), (2,))(program)()


@captured(([1, 2],), ([],), ([5, 6, 7],))
def test_loop_variable_stays(items):
    last = None
    for last in items:
        pass
    return last


@same((["x", "y"],))
def test_comprehension_variable_does_not(items):
    i = "outer"
    made = [i for i in items]
    return i, made, {i for i in items} == set(items), i
