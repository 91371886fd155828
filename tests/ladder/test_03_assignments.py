"""Assignments: targets, order, unpacking, stars, augmented, deletion."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, same


class Logged:
    """Logs what is done to it, and can be told to fail."""

    def __init__(self, log, fail=None):
        object.__setattr__(self, "log", log)
        object.__setattr__(self, "fail", fail)

    def __setattr__(self, name, value):
        self.log.append(("set", name, value))
        if name == self.fail:
            raise AttributeError(name)

    def __setitem__(self, key, value):
        self.log.append(("store", key, value))
        if key == self.fail:
            raise KeyError(key)

    def __getitem__(self, key):
        self.log.append(("load", key))
        return 100

    def __delitem__(self, key):
        self.log.append(("del", key))


@captured((1, 2), ([], "x"))
def test_swap_and_rotate(a, b):
    a, b = b, a
    a, b, c = b, [a], a
    c, b = b, c
    return a, b, c, c[0] is b


@captured(([1, 2, 3],), ((4, 5, 6, 7),), ("abc",), ([1, 2],))
def test_stars(items):
    first, *middle, last = items
    *init, _ = items
    head, *tail = items
    return first, middle, last, init, head, tail


@same(([1, 2, 3],), ([1],), ((),), ("ab",), ({"a": 1, "b": 2},), (5,), (None,), (range(2),))
def test_unpacking_the_wrong_number(items):
    log = []
    try:
        a, b = items
        log.append((a, b))
    except (ValueError, TypeError) as error:
        log.append(error.args)
    try:
        a, *b, c, d = items
        log.append((a, b, c, d))
    except (ValueError, TypeError) as error:
        log.append(error.args)
    return log


@same(([1, 2, 3],), ([1],), (5,))
def test_unpacking_fails_uncaught(items):
    print("about to")
    a, b = items
    return a


@captured(([1, (2, [3, 4])],), ((1, ("x", "yz")),))
def test_nested_targets(pair):
    a, (b, (c, d)) = pair
    [e, [f, g]] = pair
    return a, b, c, d, e, f, g is pair[1][1]


@same(("x",), (None,), (2,), ("last",))
def test_targets_are_assigned_left_to_right(fail):
    log = []
    target = Logged(log, fail)
    try:
        target.x, target[1], target[2], target.last = "abcd"
    except (AttributeError, KeyError) as error:
        log.append(error)
    i = 0
    i, target[i] = 7, "seven"
    return log


@captured(([0, 0, 0],), ([5, 5, 5],))
def test_index_is_evaluated_after_earlier_targets(items):
    i = 1
    i, items[i] = 2, i
    items[i], i = i, 0
    items[i] = items
    return items[0] is items, items[1:], i


@same((1,), ([2],), ("s",))
def test_chained_targets_share(value):
    a = b = c = [value]
    a.append(b is c)
    d, e = f = a, b
    return a, b, c, d, e, f, f[0] is a


@captured(([1, 2],), ([],))
def test_augmented_keeps_the_list(items):
    alias = items
    items += [3]
    items *= 2
    copied = items + [4]
    items[0] += 10
    return alias is items, items, copied


@same(((1, 2),), ("ab",), (5,), ([1],))
def test_augmented_makes_anew(value):
    alias = value
    value += value
    return alias is value, alias, value


@same((([1], 2),), (([], 0),))
def test_augmented_item_of_tuple_half_succeeds(pair):
    try:
        pair[0] += ["added"]
    except TypeError as error:
        return pair, error.args
    return pair


@same((([1], 2),))
def test_augmented_item_of_tuple_uncaught(pair):
    pair[0] += ["added"]


@same((1,), ("k",))
def test_augmented_evaluates_target_once(key):
    log = []

    def container():
        log.append("container")
        return Logged(log)

    def index():
        log.append("index")
        return key

    container()[index()] += 5
    del container()[index()]
    return log


@captured(({"a": [1]}, "a"), ({"b": [2], "a": []}, "b"))
def test_augmented_through_dict(table, key):
    table[key] += ["x"]
    table[key][0:1] = [table[key][0], "y"]
    return table


@same(([1, 2, 3, 4], 1), ([1, 2, 3, 4], -1), ([1], 5))
def test_deletion(items, at):
    table = {"a": 1, "b": items}
    del table["a"], items[at], table["b"]
    try:
        del table["gone"]
    except KeyError as error:
        return table, items, error.args


@same((3,), (0,), (-1,))
def test_annotated_assignment(x):
    log = []
    y: log.append("never evaluated in a function") = x
    z: int
    (w): int = y
    try:
        return y, w, z, log
    except UnboundLocalError:
        return y, w, log


@same(([1, 2, 3],), ([],), ((1,),))
def test_unpacking_an_iterator_takes_what_it_needs(items):
    log = []

    def numbers():
        for item in items:
            log.append(item)
            yield item
        log.append("end")

    source = numbers()
    try:
        a, b = source
        log.append((a, b))
    except ValueError as error:
        log.append(error.args)
    return log, list(source)


@pytest.mark.parametrize("values", [[], [1], [1, 2], [1, 2, 3]], ids=len)
def test_star_in_the_middle_of_for(values):
    @captured(([values, [*values, 9], [0, *values]],))
    def program(rows):
        return [(first, rest) for first, *rest in rows if rest or True] if all(rows) else "short"

    program()


@same(([3, 1, 2], slice(0, 2)), ([3, 1, 2], slice(None, None, 2)), ([1], slice(5, 9)))
def test_slices_as_targets(items, where):
    alias = items
    log = []
    try:
        items[where] = [9, 9, 9]
        log.append(list(items))
        items[1:1] = items
        log.append(list(items))
        del items[::2]
    except ValueError as error:
        log.append(error.args)
    return alias is items, items, log
