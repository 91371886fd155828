"""Iteration protocols: user iterators, `__getitem__`, `iter` with a sentinel, builtin iterators, their errors."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

journal: list[object] = []


class Countdown:
    def __init__(self, start, log, fail_at=None):
        self.now, self.log, self.fail_at = start, log, fail_at

    def __iter__(self):
        self.log.append("iter")
        return self

    def __next__(self):
        self.log.append(("next", self.now))
        if self.now == self.fail_at:
            self.now -= 1
            raise KeyError("failed")
        if self.now <= 0:
            raise StopIteration("value", self.now)
        self.now -= 1
        return self.now + 1


class Sequence:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        journal.append(index)
        return self.items[index]


class Sized(Sequence):
    def __len__(self):
        return len(self.items)


class Bad:
    def __init__(self, result):
        self.result = result

    def __iter__(self):
        return self.result


class NotIterable:
    __iter__ = None

    def __getitem__(self, index):
        return index


@same((3,), (0,))
def test_user_iterator(n):
    log = []
    total = []
    for item in Countdown(n, log):
        total.append(item)
    first, *rest = Countdown(n + 1, log)
    return total, first, rest, log, list(Countdown(2, log)), 2 in Countdown(3, log), max(Countdown(n + 1, log))


@captured((3,), (1,))
def test_user_iterator_in_a_loop(n):
    log = []
    for item in Countdown(n, log):
        log.append(item)
    return log


@same((3, 2), (3, 9), (1, 1))
def test_user_iterator_fails(n, fail_at):
    log, seen = [], []
    iterator = Countdown(n, log, fail_at)
    try:
        for item in iterator:
            seen.append(item)
    except KeyError as error:
        seen.append(error)
    print(seen)
    for item in iterator:
        seen.append(item)
    return seen, log, [*Countdown(n, log, fail_at)]


@same(([1, 2],), ([],), ({"a": 1},), ("ab",))
def test_getitem_iteration(items):
    journal.clear()
    log = []
    try:
        for item in Sequence(items):
            log.append(item)
        log.append(list(Sized(items)))
        log.append(list(reversed(Sized(items))))
        log.append((5 in Sequence(items), tuple(Sequence(items)), [*Sequence(items)]))
        a, b = Sequence(items)
        log.append((a, b))
    except (KeyError, ValueError) as error:
        log.append(error)
    return log, journal


@same((1,), (2,))
def test_not_iterable(x):
    log = []
    for thing in (x, None, Bad(x), Bad([]), Bad(iter([x])), NotIterable(), Bad, 1.5, object):
        for use in (iter, list, lambda t: [i for i in t], lambda t: (*t,), lambda t: x in t, sum, enumerate, dict):
            try:
                log.append(use(thing))
            except TypeError as error:
                log.append(error.args)
    return [entry for entry in log if not hasattr(entry, "__next__")]


@same(([3, 1, 9, 4], 9), ([], 0), ([1], 5))
def test_iter_with_a_sentinel(items, stop):
    log = []

    def pull():
        log.append(len(items))
        return items.pop(0)

    try:
        for item in iter(pull, stop):
            log.append(("item", item))
        log.append("sentinel")
    except IndexError as error:
        log.append(error.args)
    return log, items


@same((1,), (0,))
def test_sentinel_and_stop_iteration(x):
    def pull():
        journal.append(x)
        if len(journal) > 2:
            raise StopIteration("ended")
        return len(journal) // x

    iterator = iter(pull, 5)
    return list(iterator), next(iterator, "still"), journal


@captured(([1, 2, 3], "ab"), ([], "xyz"), ([4], ""))
def test_zip_map_filter_enumerate(numbers, letters):
    return (
        list(zip(numbers, letters)),
        list(map(lambda n, c: (c, n), numbers, letters)),
        list(filter(None, numbers)),
        list(enumerate(letters, 5)),
        list(zip(numbers)),
        list(zip()),
        dict(zip(letters, numbers)),
        list(map(str, numbers)),
        list(filter(lambda n: n > 1, numbers)),
        [*reversed(numbers)],
        [*zip(numbers, reversed(numbers), letters)],
    )


@same(([1, 2, 3], "ab"), ([], "xyz"), ([4], "a"), ([1, 2], "abc"))
def test_strict_zip(numbers, letters):
    log = []
    try:
        for pair in zip(numbers, letters, strict=True):
            log.append(pair)
    except ValueError as error:
        log.append(error.args)
    try:
        log.append(list(zip(letters, numbers, numbers, strict=True)))
    except ValueError as error:
        log.append(error.args)
    return log


@same(([1, 2, 3],), ([],))
def test_zip_takes_one_too_many(items):
    left, right = iter(items), iter("ab")
    pairs = list(zip(left, right))
    more = list(zip(right, left))
    return pairs, more, list(left), list(right)


@same(([1, 0, 2],), ([],), ([0],))
def test_map_and_filter_fail_in_the_middle(items):
    log = []
    mapped = map(lambda item: log.append(item) or 6 // item, items)
    try:
        for value in mapped:
            log.append(("value", value))
    except ZeroDivisionError:
        log.append("zero")
    rest = list(mapped)
    return log, rest, list(filter(lambda item: 1 // (item - 5), items))


@same(([1, 2, 3, 4],), ([1],), ([],))
def test_next_with_and_without_default(items):
    iterator = iter(items)
    log = [next(iterator, None), next(iterator, "default")]
    try:
        while True:
            log.append(next(iterator))
    except StopIteration as stop:
        log.append((stop.value, stop.args))
    print(log)
    return next(iterator)


@same(([1, 2],), ([],))
def test_stop_iteration_out_of_a_plain_function(items):
    iterator = iter(items)
    journal.append(next(iterator))
    journal.append(next(iterator))
    journal.append(next(iterator))


ITERATORS = {
    "list": lambda: iter([1, 2, 3]),
    "tuple": lambda: iter((1, 2)),
    "text": lambda: iter("ab"),
    "bytes": lambda: iter(b"ab"),
    "range": lambda: iter(range(3)),
    "dict": lambda: iter({"a": 1}),
    "set": lambda: iter({5}),
    "zip": lambda: zip([1, 2], "ab"),
    "map": lambda: map(str, [1, 2]),
    "enumerate": lambda: enumerate("ab", 1),
    "reversed": lambda: reversed([1, 2]),
    "generator": lambda: (i for i in [1, 2]),
    "user": lambda: Countdown(2, []),
    "sentinel": lambda: iter(list, []),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_every_iterator(name):
    make = ITERATORS[name]

    def program(x):
        log = []
        iterator = make()
        again = iter(iterator)
        log.append(again is iterator)
        for item in iterator:
            log.append(item)
            if len(log) > x:
                break
        log.append(list(again))
        log.append(next(iterator, "end"))
        handed_over = make()
        next(handed_over, None)
        return log, [(a, b) for a, b in zip(make(), make())], [*make()], handed_over

    check(program, (1,), (5,))


@same(([1, 2, 3],), ([],))
def test_given_iterator_is_advanced(items):
    def take(iterator, count):
        return [item for _, item in zip(range(count), iterator)]

    iterator = iter(items)
    first = take(iterator, 1)
    return first, take(iterator, 5), iterator


@same((2,), (0,))
def test_unpacking_iterators(n):
    log = []
    try:
        a, b = Countdown(n, log)
        log.append((a, b))
        c, d, *e = enumerate("xyz"[: n + 1])
        log.append((c, d, e))
        (f,) = map(str, range(n))
    except ValueError as error:
        log.append(error.args)
    return log


@same(([[1, 2], (3,), "ab", {"k": 1}],), ([],))
def test_chained_by_hand(groups):
    flat = []
    for group in groups:
        for item in group:
            flat += [item]
    return (
        flat,
        sum(map(len, groups)),
        sorted(map(str, flat)),
        list(map(list, groups)),
        [x for g in groups for x in g] == flat,
    )


class Boolean:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        journal.append(self.value)
        return bool(1 // self.value) if self.value != "no bool" else self.value


@same(([1, 5, 0],), ([1, "no bool"],), ([],))
def test_any_and_all_ask_for_truth(values):
    log = []
    for ask in (any, all, lambda v: list(filter(None, v))):
        try:
            log.append(ask([Boolean(value) for value in values]))
        except (ZeroDivisionError, TypeError) as error:
            log.append(error.args)
    return log, journal
