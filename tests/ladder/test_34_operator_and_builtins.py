"""The `operator` module and the builtin functions, over many operands, with callbacks and errors."""

from __future__ import annotations

import operator

import pytest

from tests.ladder.both import captured, check, same

journal: list[object] = []


class Box:
    def __init__(self, value):
        self.value = value
        self.items = [value, {"k": value}]

    def scaled(self, factor, plus=0):
        journal.append(factor)
        return self.value * factor + plus


GETTERS = {
    "item": lambda box: operator.itemgetter(0)(box.items),
    "items": lambda box: operator.itemgetter(1, 0, -1)(box.items),
    "item_far": lambda box: operator.itemgetter(9)(box.items),
    "item_slice": lambda box: operator.itemgetter(slice(1))(box.items),
    "key": lambda box: operator.itemgetter("k")(box.items[1]),
    "attribute": lambda box: operator.attrgetter("value")(box),
    "dotted": lambda box: operator.attrgetter("value.real", "items")(box),
    "attribute_missing": lambda box: operator.attrgetter("value.nothing")(box),
    "method": lambda box: operator.methodcaller("scaled", 2, plus=box.value)(box),
    "method_missing": lambda box: operator.methodcaller("nothing")(box),
    "sorting": lambda box: sorted([box, Box(2)], key=operator.attrgetter("value"))[0].value,
    "mapping": lambda box: list(map(operator.itemgetter(0), [box.items, "ab"])),
    "call": lambda box: getattr(operator, "call", lambda f, *a: f(*a))(box.scaled, 3),
    "wrong": lambda box: operator.itemgetter(),
    "wrong_name": lambda box: operator.attrgetter(1),
}


@pytest.mark.parametrize("name", GETTERS)
def test_getters(name):
    get = GETTERS[name]

    def program(x):
        box = Box(x)
        log = []
        try:
            log.append(get(box))
        except (TypeError, IndexError, AttributeError) as error:
            log.append(error)
        print(len(log))
        return log, get(box)

    check(program, (1,), (3,))


@pytest.mark.parametrize(
    "name", "add sub mul truediv floordiv mod pow and_ or_ xor lshift lt le eq ne is_ contains concat getitem".split()
)
def test_binary_functions(name):
    function = getattr(operator, name)

    def program(a, b):
        log = []
        try:
            log.append(function(a, b))
            log.append(list(map(function, [a], [b])))
        except (TypeError, ZeroDivisionError, IndexError, ValueError) as error:
            log.append(error.args)
        return log

    check(program, (7, 2), ("ab", "a"), ([1, 2], 1), (0, 0), ({"a": 1}, "a"), graph_numbers=False)


@same(([1, 2],), ([],), ((1,),))
def test_in_place_functions(items):
    alias = items
    log = []
    try:
        items = operator.iadd(items, [5])
        log.append(operator.setitem(items, 0, "set"))
        log.append(operator.delitem(items, -1))
        log.append((operator.indexOf(items, "set"), operator.countOf(items, "set"), operator.length_hint(items)))
    except (TypeError, IndexError, ValueError) as error:
        log.append(error.args)
    return items is alias, items, log, operator.not_(items), operator.truth(items), operator.index(True)


BUILTINS = {
    "abs": lambda x: abs(x),
    "all_any": lambda x: (all([x, 1]), any([x, 0]), all(()), any(())),
    "bin_hex": lambda x: (bin(x), hex(x), oct(x)),
    "bool": lambda x: (bool(x), bool(), int(x), float(x)),
    "bytes": lambda x: (bytes(3), bytearray(b"ab"), bytes([x])),
    "callable": lambda x: (callable(x), callable(abs), callable(Box)),
    "chr_ord": lambda x: (chr(x), ord(chr(x))),
    "complex": lambda x: (complex(x, 2), complex("1+2j")),
    "dict_list": lambda x: (dict(a=x), list((x,)), tuple([x]), set([x]), frozenset([x])),
    "divmod": lambda x: (divmod(17, x), divmod(-17.5, x)),
    "enumerate": lambda x: list(enumerate("ab", x)),
    "filter_map": lambda x: (list(filter(None, [x, 0])), list(map(pow, [x, 2], [2, x]))),
    "getattr": lambda x: (getattr(x, "real", "none"), getattr(x, "nothing", "none"), hasattr(x, "upper")),
    "hash": lambda x: (hash(x) == hash(x), hash((x, 1)) == hash((x, 1))),
    "id": lambda x: id(x) == id(x),
    "int": lambda x: (int("12"), int("ff", 16), int(" 5 "), int(x), int("1_0")),
    "int_bad": lambda x: int("nothing"),
    "isinstance": lambda x: (
        isinstance(x, int),
        isinstance(x, (str, float)),
        issubclass(type(x), object),
        isinstance(x, int | str),
    ),
    "isinstance_bad": lambda x: isinstance(x, 5),
    "len": lambda x: (len([x]), len("ab"), len({x: 1})),
    "len_bad": lambda x: len(x),
    "max_min": lambda x: (max(x, 2), min([x, 5]), max("ab", key=ord), max([], default=x), min((x, 1), (x, 0))),
    "max_empty": lambda x: max([]),
    "max_bad": lambda x: max(x, default=1),
    "next": lambda x: (next(iter([x])), next(iter([]), x)),
    "pow": lambda x: (pow(x, 2), pow(2, x, 7), pow(x, -1)),
    "range": lambda x: (list(range(x)), range(x)[-1]),
    "repr": lambda x: (repr(x), ascii(x), str(x), format(x, "")),
    "reversed": lambda x: (list(reversed([x, 1])), list(reversed(range(3)))),
    "round": lambda x: (round(x), round(x, 1), round(2.5), round(3.5), round(-0.5), round(1234, -2)),
    "slice": lambda x: (slice(x), slice(1, x, 2).indices(5), [1, 2, 3][slice(x)]),
    "sorted": lambda x: (sorted([x, 1, 2]), sorted("ba", reverse=True), sorted([3, x], key=lambda v: -v)),
    "str": lambda x: (str(x), str(b"ab", "ascii"), str([x]), str()),
    "sum": lambda x: (sum([x, 1]), sum([[1], [x]], []), sum([0.1] * 3), sum([x], start=5)),
    "sum_bad": lambda x: sum(["a", "b"], ""),
    "type": lambda x: (type(x), type(type(x)), type(x)(), type(None)),
    "vars": lambda x: vars(Box(x))["value"],
    "vars_bad": lambda x: vars(x),
    "zip": lambda x: list(zip([x, 1], "ab", (None,))),
    "iter_bad": lambda x: iter(x),
    "wrong_count": lambda x: (abs(x, x),),
    "wrong_keyword": lambda x: sorted([x], wrong=1),
}


@pytest.mark.parametrize("name", BUILTINS)
def test_builtins(name):
    use = BUILTINS[name]

    def program(x):
        log = []
        try:
            log.append(use(x))
        except (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError) as error:
            log.append(error)
        return log

    check(program, (2,), (True,), (-3.5,), ("a",), (None,), graph_numbers=False)


@captured(([3, 1, 2],), ([1],), ([],))
def test_builtins_together(items):
    return (
        sum(items),
        max(items, default=0),
        sorted(items),
        list(map(abs, items)),
        any(items),
        len(items),
        tuple(reversed(items)),
        dict(enumerate(items)),
        set(zip(items, items)) == {(i, i) for i in items},
        min(map(str, items), default="none"),
    )


@same((1,), (0,))
def test_print(x):
    print()
    print("a", x, [x], sep="-", end="!\n")
    print(*range(3), x, sep="")
    try:
        print(x, sep=5)
    except TypeError as error:
        return error.args
    finally:
        print(1 // x, end="")


@same(([2, 1],), ([1, "a"],), ([],))
def test_callbacks_that_fail(items):
    log = []

    def key(item):
        log.append(item)
        return 1 // (item - 1)

    for use in (lambda: sorted(items, key=key), lambda: max(items, key=key), lambda: list(map(key, items))):
        try:
            log.append(use())
        except (ZeroDivisionError, TypeError, ValueError) as error:
            log.append(error.args)
    return log, items
