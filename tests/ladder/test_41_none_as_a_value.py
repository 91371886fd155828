"""`None`, true and false that come as arguments, globals and attributes to where Python treats them specially."""

from __future__ import annotations

import collections
import functools
import itertools

import pytest

from tests.ladder.both import check

nothing = None
yes = True
no = False


class Manager:
    def __init__(self, answer):
        self.answer = answer

    def __enter__(self):
        return self.answer

    def __exit__(self, *details):
        return self.answer


class Init:
    def __init__(self, answer):
        self.answer = answer

    def initialise(self):
        return self.answer


def receiver(log):
    log.append((yield 1))
    log.append((yield 2))


def raise_from(error, cause):
    raise error from cause


def thrown(*details):
    made = receiver([])
    next(made)
    return made.throw(*details)


def make_with_init(answer):
    class Made:
        def __init__(self):
            return answer

    return Made()


def use_manager(answer, log):
    with Manager(answer) as got:
        log.append(got)
        raise KeyError("inside")
    return "swallowed"


def traceback_of(error, trace):
    try:
        raise error.with_traceback(trace)
    except ValueError as caught:
        return caught.args


def set_links(value):
    error = ValueError("e")
    error.__cause__ = value
    error.__context__ = value
    error.__suppress_context__ = value
    return error


def send_first(value):
    log = []
    made = receiver(log)
    return made.send(value), made.send(value), log


def with_default(items, key=None, default=None, reverse=False):
    return sorted(items, key=key, reverse=reverse), max(items, key=key, default=default)


def counted(value):
    table = collections.defaultdict(value)
    return table["k"]


USES = {
    "sorted": lambda v, log: sorted([2, 1], key=v),
    "sorted_reverse": lambda v, log: sorted([2, 1], reverse=v),
    "sort": lambda v, log: log.sort(key=v),
    "with_default": lambda v, log: with_default([1, 2]),
    "with_argument": lambda v, log: with_default([1, 2], v, v),
    "max": lambda v, log: (max([1, 2], key=v), max([], default=v), min(1, 2, key=v)),
    "filter": lambda v, log: list(filter(v, [0, 1, ""])),
    "filterfalse": lambda v, log: list(itertools.filterfalse(v, [0, 1])),
    "groupby": lambda v, log: [k for k, g in itertools.groupby([1, 1, 2], v)],
    "accumulate": lambda v, log: list(itertools.accumulate([1, 2], v)),
    "accumulate_initial": lambda v, log: list(itertools.accumulate([1, 2], initial=v)),
    "islice": lambda v, log: list(itertools.islice([1, 2, 3], v, v, v)),
    "zip_longest": lambda v, log: list(itertools.zip_longest([1], [], fillvalue=v)),
    "zip_strict": lambda v, log: list(zip([1], [1, 2], strict=v)),
    "next": lambda v, log: (next(iter([]), v), {}.get("k", v), {}.pop("k", v), {}.setdefault("k", v)),
    "sentinel": lambda v, log: list(iter([3, None, True, False].pop, v)),
    "slices": lambda v, log: ([1, 2, 3][v:], [1, 2, 3][:v], "abc"[v:v], (1, 2)[v::v], range(3)[v:]),
    "split": lambda v, log: ("a b".split(v), " a ".strip(v), b" a ".strip(v)),
    "print": lambda v, log: print("a", "b", sep=v, end=v, flush=v),
    "round": lambda v, log: (round(2.5, v), round(7, v)),
    "raise_from": lambda v, log: raise_from(ValueError("x"), v),
    "throw": lambda v, log: thrown(ValueError, v, v),
    "throw_value": lambda v, log: thrown(v),
    "send": lambda v, log: send_first(v),
    "init": lambda v, log: make_with_init(v),
    "init_method": lambda v, log: Init(v).initialise(),
    "exit": lambda v, log: use_manager(v, log),
    "with_traceback": lambda v, log: traceback_of(ValueError("t"), v),
    "links": lambda v, log: set_links(v),
    "defaultdict": lambda v, log: counted(v),
    "deque": lambda v, log: collections.deque([1, 2], v),
    "deque_maxlen": lambda v, log: collections.deque([1, 2], maxlen=v).maxlen,
    "popitem": lambda v, log: collections.OrderedDict(a=1, b=2).popitem(v),
    "most_common": lambda v, log: collections.Counter("aab").most_common(v),
    "reduce": lambda v, log: functools.reduce(lambda a, b: (a, b), [1], v),
    "pow": lambda v, log: pow(2, 3, v),
    "sum": lambda v, log: sum([], v),
    "int": lambda v, log: int(v),
    "stars": lambda v, log: [*v],
    "double_stars": lambda v, log: {**v},
    "iter": lambda v, log: [i for i in v],
    "call": lambda v, log: v(),
    "property": lambda v, log: property(v).fget,
    "isinstance": lambda v, log: isinstance(1, v),
    "is": lambda v, log: (v is None, v is True, v is False, v is nothing, v is yes, v == no, v in (None, True)),
    "match": lambda v, log: matched(v),
    "type": lambda v, log: (type(v) is type(None), type(v) is bool, bool(v), repr(v), hash(v) == hash(no)),
    "update": lambda v, log: (log.extend([v]), {v: 1}, {v}, [v].index(nothing)),
    "format": lambda v, log: (f"{v}", "%s" % v, format(v, ""), f"{v:>6}"),
    "enumerate": lambda v, log: list(enumerate("ab", v)),
    "range": lambda v, log: list(range(v)),
    "dict_fromkeys": lambda v, log: dict.fromkeys("a", v),
    "super_init": lambda v, log: type("T", (), {"__slots__": ()}).__init__(v),
}


def matched(value):
    match value:
        case None:
            return "none"
        case True:
            return "true"
        case False:
            return "false"
    return "other"


@pytest.mark.parametrize("name", USES)
def test_as_argument(name):
    use = USES[name]

    def program(value):
        log = []
        try:
            log.append(use(value, []))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            log.append((type(error), error.args))
        return log

    check(program, (None,), (True,), (False,), graph_numbers=False)


@pytest.mark.parametrize("name", USES)
def test_as_global_and_attribute(name):
    use = USES[name]

    def program(x):
        log = []
        box = Init(nothing if x else yes)
        for value in (nothing, box.answer, no):
            try:
                log.append(use(value, []))
            except (TypeError, ValueError, KeyError, AttributeError) as error:
                log.append(error.args)
        return log

    check(program, (1,), (0,), graph_numbers=False)
