"""The types and functions of `itertools`: equivalents stand behind them, once their arguments were checked."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit, named, positional
from symexec.interpreter.equivalents.combinatorics import (
    Combinations,
    CombinationsWithReplacement,
    Permutations,
    Product,
)
from symexec.interpreter.equivalents.groups import Group, GroupBy, Shared, Tee
from symexec.interpreter.equivalents.iterators import (
    Accumulate,
    Batched,
    Chain,
    Compress,
    Count,
    Cycle,
    DropWhile,
    FilterFalse,
    Pairwise,
    Repeat,
    Slice,
    StarMap,
    TakeWhile,
    ZipLongest,
)
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Raise, Reply
from symexec.interpreter.protocol.contents import constant_of
from symexec.interpreter.protocol.equivalents import fits, make_equivalent, method_of
from symexec.interpreter.protocol.folding import fold
from symexec.interpreter.protocol.iterate import get_iterator
from symexec.interpreter.protocol.sequences import make_tuple
from symexec.values.heap import IteratorContent, ObjectContent
from symexec.values.model import NONE, Constant, Known, Made, Value

_TEE: Final[type] = type(itertools.tee(())[0])
_BATCHED: Final = vars(itertools).get("batched")  # from 3.12 on
_LARGEST: Final = sys.maxsize
_NUMBERS: Final = (int, float, complex)


def _rule(class_: type) -> Rule:
    """Make an object of the equivalent from the arguments as they are."""
    start = method_of(class_, "__init__")

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not fits(start, [NONE, *args], kwargs):
            return misfit(machine)
        return make_equivalent(machine, class_, args, kwargs)

    return rule


def _chain(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    return misfit(machine) if kwargs else make_equivalent(machine, Chain, [make_tuple(machine, tuple(args))])


def _chain_from_iterable(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    whose = args[0] if positional(args, kwargs, 2, 2) else None
    if not isinstance(whose, Known) or whose.value is not itertools.chain:
        return misfit(machine)
    return make_equivalent(machine, Chain, args[1:])


def _count(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = named(args, kwargs, ("start", "step"))
    numbers = None if given is None else copies(machine, list(given.values()))
    if numbers is None or any(type(number) not in _NUMBERS for number in numbers):
        return misfit(machine)
    return make_equivalent(machine, Count, args, kwargs)


def _repeat(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    given = named(args, kwargs, ("object", "times"))
    if given is None or "object" not in given:
        return misfit(machine)
    times = constant_of(machine, given["times"]) if "times" in given else None
    if "times" not in given:
        return make_equivalent(machine, Repeat, [given["object"], Constant(-1)])
    if type(times) is not int or abs(times) > _LARGEST:
        return misfit(machine)
    return make_equivalent(machine, Repeat, [given["object"], Constant(max(times, 0))])


def _slice(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not positional(args, kwargs, 2, 4):
        return misfit(machine)
    given = [constant_of(machine, arg) for arg in args[1:]]
    if any(number is not None and type(number) is not int for number in given):
        return misfit(machine)
    refused = fold(machine, itertools.islice, ((), *given))
    if isinstance(refused, Raise):
        return refused
    start, stop, step = (None, given[0], None) if len(given) == 1 else (*given, None)[:3]
    numbers = [Constant(start or 0), Constant(stop), Constant(1 if step is None else step)]
    return make_equivalent(machine, Slice, [args[0], *numbers])


def _product(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if any(name != "repeat" for name, _ in kwargs):
        return misfit(machine)
    repeat = constant_of(machine, kwargs[0][1]) if kwargs else 1
    if type(repeat) is not int or not 0 <= repeat <= _LARGEST:
        return misfit(machine)
    return make_equivalent(machine, Product, args, kwargs)


def _choosing(class_: type, optional: bool) -> Rule:
    """Arrangements or choices of a number of items, which comes second."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        given = named(args, kwargs, ("iterable", "r"))
        if given is None or "iterable" not in given or ("r" not in given and not optional):
            return misfit(machine)
        number = constant_of(machine, given.get("r", NONE))
        if type(number) is not int and not (number is None and optional):
            return misfit(machine)
        if isinstance(number, int) and not 0 <= number <= _LARGEST:
            return misfit(machine)
        return make_equivalent(machine, class_, [given["iterable"], Constant(number)])

    return rule


def _batched(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    if not fits(method_of(Batched, "__init__"), [NONE, *args], kwargs) or len(args) < 1:
        return misfit(machine)
    given = {"n": args[1]} if len(args) > 1 else {}
    given.update(kwargs)
    size = constant_of(machine, given["n"])
    strict = constant_of(machine, given["strict"]) if "strict" in given else False
    if type(size) is not int or abs(size) > _LARGEST or type(strict) is not bool or not callable(_BATCHED):
        return misfit(machine)
    options = {"strict": strict} if "strict" in given else {}
    refused = fold(machine, _BATCHED, ((), size), options)  # before 3.13 it is never strict
    return refused if isinstance(refused, Raise) else make_equivalent(machine, Batched, args, kwargs)


def _tee(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    number = constant_of(machine, args[1]) if len(args) == 2 else 2
    if not positional(args, kwargs, 1, 2) or type(number) is not int or not 0 < number <= _LARGEST:
        return misfit(machine)
    iterator = get_iterator(machine, args[0])
    if isinstance(iterator, STOPS):
        return iterator
    if _may_copy(machine, iterator):
        return machine.stop("SX2116", "tee() of an iterator that may copy itself is not interpreted")
    shared = make_equivalent(machine, Shared, [iterator])
    if isinstance(shared, STOPS):
        return shared
    made: list[Value] = []
    for _ in range(number):
        reply = make_equivalent(machine, Tee, [shared])
        if isinstance(reply, STOPS):
            return reply
        made.append(reply)
    return make_tuple(machine, tuple(made))


def _may_copy(machine: Machine, iterator: Value) -> bool:
    content = machine.heap.content(iterator) if isinstance(iterator, Made) else None
    if content is None or isinstance(content, ObjectContent):
        return True
    return isinstance(content, IteratorContent) and content.kind is _TEE


PURE_ITERATOR_RULES: Final[dict[object, Rule]] = {
    itertools.accumulate: _rule(Accumulate),
    itertools.chain: _chain,
    vars(itertools.chain)["from_iterable"]: _chain_from_iterable,
    itertools.combinations: _choosing(Combinations, optional=False),
    itertools.combinations_with_replacement: _choosing(CombinationsWithReplacement, optional=False),
    itertools.compress: _rule(Compress),
    itertools.count: _count,
    itertools.cycle: _rule(Cycle),
    itertools.dropwhile: _rule(DropWhile),
    itertools.filterfalse: _rule(FilterFalse),
    itertools.groupby: _rule(GroupBy),
    itertools.islice: _slice,
    itertools.pairwise: _rule(Pairwise),
    itertools.permutations: _choosing(Permutations, optional=True),
    itertools.product: _product,
    itertools.repeat: _repeat,
    itertools.starmap: _rule(StarMap),
    itertools.takewhile: _rule(TakeWhile),
    itertools.tee: _tee,
    itertools.zip_longest: _rule(ZipLongest),
    Group: _rule(Group),  # called by an equivalent
    **({} if _BATCHED is None else {_BATCHED: _batched}),
}
