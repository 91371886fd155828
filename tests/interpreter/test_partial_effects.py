"""What C functions have done by the time that what they call raises."""

from __future__ import annotations

import functools

import pytest

from tests.interpreter.programs import check_same, check_whole

LOG = []


def items_then_error(n, log):
    for i in range(n):
        log.append(("item", i))
        yield i
    raise ValueError(n)


def pairs_then_one(n, log):
    for i in range(n):
        log.append(i)
        yield (i, i * 2)
    yield (1,)


class Number:
    def __init__(self, v, log):
        self.v = v
        self.log = log

    def __add__(self, o):
        self.log.append(("add", self.v))
        return Number(self.v + (o.v if isinstance(o, Number) else o), self.log)

    def __radd__(self, o):
        self.log.append(("radd", self.v))
        return Number(self.v + o, self.log)

    def __lt__(self, o):
        self.log.append(("lt", self.v, o.v))
        return self.v < o.v

    def __gt__(self, o):
        self.log.append(("gt", self.v, o.v))
        return self.v > o.v

    def __eq__(self, o):
        self.log.append(("eq", self.v))
        return self.v == o.v


def numbers(log):
    for i in (3, 1, 2):
        log.append(("give", i))
        yield Number(i, log)


def guarded(f):
    try:
        return f()
    except Exception as e:
        return (type(e).__name__, e.args)


def set_update(s):
    log = []
    r = guarded(lambda: s.update(items_then_error(3, log)))
    return r, s, log


def list_extend(l):
    log = []
    r = guarded(lambda: l.extend(items_then_error(3, log)))
    return r, l, log


def dict_update_from_pairs(d):
    log = []
    r = guarded(lambda: d.update(pairs_then_one(3, log)))
    return r, d, log


def sum_of_objects():
    log = []
    r = guarded(lambda: sum(numbers(log)).v)
    return r, log


def max_of_objects():
    log = []
    r = guarded(lambda: max(numbers(log)).v)
    return r, log


def min_with_key():
    log = []
    r = guarded(lambda: min(numbers(log), key=lambda x: log.append(("key", x.v)) or x.v).v)
    return r, log


def sum_of_a_raising_generator():
    log = []
    g = items_then_error(3, log)
    r = guarded(lambda: sum([1, 2]) + sum(g))
    return r, log, next(g, "end")


def sum_of_a_mixture():
    log = []

    def mixed():
        for x in (1, "a", 2):
            log.append(x)
            yield x

    g = mixed()
    r = guarded(lambda: sum(g))
    return r, log, list(g)


def max_of_a_mixture():
    log = []

    def mixed():
        for x in (1, "a", 2):
            log.append(x)
            yield x

    g = mixed()
    r = guarded(lambda: max(g))
    return r, log, list(g)


def sort_by_a_raising_key(l):
    def key(x):
        if x == 2:
            raise KeyError(x)
        return -x

    return guarded(lambda: l.sort(key=key)), l


def dict_from_keys():
    log = []
    g = items_then_error(2, log)
    return guarded(lambda: dict.fromkeys(g, 0)), log


def join():
    log = []
    g = items_then_error(2, log)
    return guarded(lambda: ",".join(str(x) for x in g)), log


def slice_stored(l):
    log = []

    def put():
        l[1:2] = items_then_error(2, log)

    return guarded(put), l, log


def unpacked_too_few():
    log = []
    g = items_then_error(1, log)

    def un():
        a, b = g

    return guarded(un), log, next(g, "e")


def unpacked_too_many():
    log = []
    g = iter([1, 2, 3, 4])

    def un():
        a, b = g

    return guarded(un), next(g, "e")


def set_update_by_several(s):
    log = []
    return guarded(lambda: s.update([1, 2], items_then_error(1, log), [9])), sorted(s)


def list_extended_in_place(l):
    def add():
        nonlocal l
        l += items_then_error(2, [])

    return guarded(add), l


def index_and_remove(l):
    a = [Number(1, LOG)]
    return guarded(lambda: l.index(5)), guarded(lambda: l.remove(5)), l


def reduce():
    log = []
    return guarded(lambda: functools.reduce(lambda a, b: log.append((a, b)) or a + b, items_then_error(3, log))), log


def sorted_objects():
    log = []
    return guarded(lambda: sorted(numbers(log), reverse=True)[0].v), log


def zip_of_generators():
    log = []
    return guarded(lambda: list(zip(items_then_error(2, log), items_then_error(1, log)))), log


def dict_update_from_a_wrong_pair(d):
    return guarded(lambda: d.update([(1, 2), (3,)])), d


def dict_update_with_keywords(d):
    return guarded(lambda: d.update({1: 2}, **{"a": 1})), d


def membership():
    log = []
    g = numbers(log)
    return guarded(lambda: 2 in [1, 3]), guarded(lambda: Number(1, log) in g), log


WHOLE = [
    (set_update, [({7},)]),
    (list_extend, [([7],)]),
    (sum_of_objects, [()]),
    (max_of_objects, [()]),
    (min_with_key, [()]),
    (sum_of_a_raising_generator, [()]),
    (sum_of_a_mixture, [()]),
    (max_of_a_mixture, [()]),
    (sort_by_a_raising_key, [([3, 2, 1],)]),
    (dict_from_keys, [()]),
    (join, [()]),
    (slice_stored, [([1, 2, 3],)]),
    (unpacked_too_few, [()]),
    (unpacked_too_many, [()]),
    (set_update_by_several, [({7},)]),
    (list_extended_in_place, [([7],)]),
    (index_and_remove, [([1],)]),
    (reduce, [()]),
    (zip_of_generators, [()]),
    (dict_update_with_keywords, [({},)]),
    (membership, [()]),
]
PARTLY = [
    (dict_update_from_pairs, [({0: 5},)]),
    (sorted_objects, [()]),
    (dict_update_from_a_wrong_pair, [({},)]),
]


@pytest.mark.parametrize(("program", "calls"), WHOLE, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_are_traced_whole(program, calls):
    check_same(program, calls)
    check_whole(program, calls)


@pytest.mark.parametrize(("program", "calls"), PARTLY, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_that_are_partly_left_to_python(program, calls):
    check_same(program, calls)
