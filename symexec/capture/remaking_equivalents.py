"""How iterators of `itertools` are made again, from what the equivalents that stand behind them hold."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import attrs

from symexec.capture.makers import make_chain
from symexec.errors import InternalError
from symexec.interpreter.equivalents.combinatorics import (
    Combinations,
    CombinationsWithReplacement,
    Permutations,
    Product,
)
from symexec.interpreter.equivalents.groups import GroupBy
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
from symexec.interpreter.protocol.fixed import is_end
from symexec.values.heap import Absent, Heap, ListContent, ObjectContent
from symexec.values.model import Constant, Made, Value


@attrs.frozen(eq=False, repr=False)
class Call:
    """A call that makes an iterator: the last arguments are given by `names`, `iterators` must be iterators."""

    function: object
    args: tuple[Value, ...]
    names: tuple[str, ...] = ()
    iterators: tuple[Value, ...] = ()


@attrs.frozen(eq=False, repr=False)
class State:
    """What an equivalent holds, by the names of its attributes."""

    heap: Heap
    attributes: Mapping[str, Value | Absent]

    def __getitem__(self, name: str) -> Value:
        found = self.attributes[name]
        if isinstance(found, Absent):
            raise InternalError(f"an equivalent has no {name}")
        return found

    def is_none(self, name: str) -> bool:
        """Whether it is `None`."""
        value = self[name]
        return isinstance(value, Constant) and value.value is None

    def is_true(self, name: str) -> bool:
        """Whether it is `True`."""
        value = self[name]
        return isinstance(value, Constant) and value.value is True

    def number(self, name: str) -> int | None:
        """The integer that it is."""
        value = self[name]
        return value.value if isinstance(value, Constant) and isinstance(value.value, int) else None

    def items(self, name: str) -> list[Value]:
        """The items of the list that it is."""
        value = self[name]
        content = self.heap.content(value) if isinstance(value, Made) else None
        if not isinstance(content, ListContent):
            raise InternalError(f"{name} of an equivalent is no list")
        return content.items


_Remake: TypeAlias = Callable[[State], Call | None]


def remake_equivalent(heap: Heap, class_: type, source: Value) -> Call | None:
    """The call that makes the original in the state of the equivalent; `None` if none does."""
    content = heap.content(source) if isinstance(source, Made) else None
    remake = _REMAKES.get(class_)
    if remake is None or not isinstance(content, ObjectContent):
        return None
    return remake(State(heap, content.attributes))


def _call(function: object, *args: Value, over: tuple[Value, ...]) -> Call:
    return Call(function, args, (), over)


def _chain(state: State) -> Call | None:
    if state.is_none("sources"):
        return None
    sources, active = state["sources"], state["active"]
    if state.is_none("active"):
        return _call(make_chain, sources, over=(sources,))
    return _call(make_chain, active, sources, over=(active, sources))


def _accumulate(state: State) -> Call | None:
    if not is_end(state["total"]):
        return None
    iterator = state["iterator"]
    return Call(itertools.accumulate, (iterator, state["function"], state["initial"]), ("initial",), (iterator,))


def _cycle(state: State) -> Call | None:
    if state.is_none("iterator") or state.items("saved"):
        return None
    return _call(itertools.cycle, state["iterator"], over=(state["iterator"],))


def _until(function: object, name: str, passed: str) -> _Remake:
    """Of a function and an iterator, as long as the state is not `passed`."""

    def remake(state: State) -> Call | None:
        if passed and state.is_true(passed):
            return None
        return _call(function, state[name], state["iterator"], over=(state["iterator"],))

    return remake


def _slice(state: State) -> Call | None:
    count, wanted, stop = state.number("count"), state.number("wanted"), state.number("stop")
    if count is None or wanted is None or state.is_none("iterator"):
        return None
    numbers = (Constant(wanted - count), Constant(None if stop is None else stop - count), state["step"])
    return _call(itertools.islice, state["iterator"], *numbers, over=(state["iterator"],))


def _repeat(state: State) -> Call | None:
    times = state.number("times")
    if times is None:
        return None
    return Call(itertools.repeat, (state["item"],) if times < 0 else (state["item"], state["times"]))


def _pairwise(state: State) -> Call | None:
    if state.is_none("iterator") or not is_end(state["before"]):
        return None
    return _call(itertools.pairwise, state["iterator"], over=(state["iterator"],))


def _zip_longest(state: State) -> Call | None:
    iterators = tuple(state.items("iterators"))
    if state.number("active") != len(iterators) or not iterators:
        return None
    return Call(itertools.zip_longest, (*iterators, state["fill"]), ("fillvalue",), iterators)


def _batched(state: State) -> Call | None:
    if state.is_none("iterator"):
        return None
    named = ((state["strict"],), ("strict",)) if state.is_true("strict") else ((), ())
    return Call(
        vars(itertools).get("batched"), (state["iterator"], state["size"], *named[0]), named[1], (state["iterator"],)
    )


def _group_by(state: State) -> Call | None:
    if state.number("number") != 0:
        return None
    return _call(itertools.groupby, state["iterator"], state["function"], over=(state["iterator"],))


def _product(state: State) -> Call | None:
    return None if state.is_true("started") else Call(itertools.product, tuple(state.items("pools")))


def _choosing(function: object) -> _Remake:
    def remake(state: State) -> Call | None:
        return None if state.is_true("started") else Call(function, (state["pool"], state["length"]))

    return remake


_REMAKES: Final[Mapping[type, _Remake]] = {
    Accumulate: _accumulate,
    Batched: _batched,
    Chain: _chain,
    Combinations: _choosing(itertools.combinations),
    CombinationsWithReplacement: _choosing(itertools.combinations_with_replacement),
    Compress: lambda state: _call(
        itertools.compress, state["data"], state["selectors"], over=(state["data"], state["selectors"])
    ),
    Count: lambda state: Call(itertools.count, (state["value"], state["step"])),
    Cycle: _cycle,
    DropWhile: _until(itertools.dropwhile, "predicate", "started"),
    FilterFalse: _until(itertools.filterfalse, "function", ""),
    GroupBy: _group_by,
    Pairwise: _pairwise,
    Permutations: _choosing(itertools.permutations),
    Product: _product,
    Repeat: _repeat,
    Slice: _slice,
    StarMap: _until(itertools.starmap, "function", ""),
    TakeWhile: _until(itertools.takewhile, "predicate", "stopped"),
    ZipLongest: _zip_longest,
}
