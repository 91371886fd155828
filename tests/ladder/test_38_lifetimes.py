"""Finalizers and weak references: when objects die, in which order, and what keeps them alive."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest

from tests.ladder.both import captured, same

NOT_YET = {
    "test_weak_reference": "SX2021: ReferenceType is not called by the trace with such arguments",
}
FAULTS = dict.fromkeys(
    [
        "test_rebinding_and_deleting",
        "test_loop_variables",
        "test_temporaries",
        "test_containers_drop",
        "test_finalizer_that_reads_what_changes",
    ],
    "what a slot or the stack lets go inside a trace is dropped at the end of the trace",
)

journal: list[object] = []
pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="objects die when they are dropped")


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        journal.append(("died", self.name))


class Plain:
    def __init__(self, value=None):
        self.value = value


@same((1,), ("s",))
def test_local_dies_at_return(x):
    loud = Loud(x)
    journal.append("alive")
    return loud.name


@same((1,), (2,))
def test_rebinding_and_deleting(x):
    loud = Loud("first")
    journal.append("bound")
    loud = Loud("second")
    journal.append("rebound")
    del loud
    journal.append("deleted")
    items = [Loud("a"), Loud("b")]
    items.pop(0)
    journal.append("popped")
    items.clear()
    journal.append("cleared")
    return list(journal)


@same((1,), (2,))
def test_temporaries(x):
    name = Loud("temporary").name
    journal.append(name)
    [Loud("in a list")][0].name
    journal.append("after")
    (Loud("left").name, Loud("right").name)
    journal.append("end")
    return list(journal)


@same((1,), (0,))
def test_finalizer_and_exception(x):
    loud = Loud("local")
    try:
        1 // x
    except ZeroDivisionError:
        journal.append("handling")
        other = Loud("in the handler")
        del other
    journal.append("after")
    return list(journal)


@same((1,), (0,))
def test_traceback_keeps_frames(x):
    def fail():
        loud = Loud("in the frame")
        return 1 // x

    kept = None
    try:
        fail()
    except ZeroDivisionError as error:
        kept = error
        journal.append("caught")
    journal.append("kept")
    kept = None
    journal.append("dropped")
    return list(journal)


@same((2,), (0,))
def test_loop_variables(n):
    for i in range(n):
        loud = Loud(i)
        journal.append(("turn", i))
    journal.append("end")
    loud = None
    return list(journal)


@same((1,), (2,))
def test_containers_drop(x):
    table = {"a": Loud("value"), "b": [Loud("nested")]}
    table["a"] = x
    journal.append("replaced")
    del table["b"]
    journal.append("deleted")
    table.update(c=Loud("c"))
    table.pop("c")
    journal.append("popped")
    box = Plain(Loud("attribute"))
    box.value = None
    journal.append("attribute gone")
    return list(journal)


@captured((1,), ([2],))
def test_weak_reference(x):
    plain = Plain(x)
    reference = weakref.ref(plain)
    return reference() is plain, reference().value


@same((1,), (2,))
def test_weak_references_die(x):
    plain = Plain(x)
    reference = weakref.ref(plain, lambda gone: journal.append("callback"))
    log = [reference() is plain, weakref.getweakrefcount(plain), reference == weakref.ref(plain)]
    del plain
    log.append((reference(), list(journal)))
    proxy_target = Plain([x])
    proxy = weakref.proxy(proxy_target)
    log.append((proxy.value, proxy_target.value is proxy.value))
    del proxy_target
    try:
        log.append(proxy.value)
    except ReferenceError as error:
        log.append(error.args)
    return log


@same((1,), (2,))
def test_weak_containers(x):
    first, second = Plain(1), Plain(2)
    values = weakref.WeakValueDictionary(a=first, b=second)
    keys = weakref.WeakKeyDictionary({first: "first", second: "second"})
    elements = weakref.WeakSet([first, second])
    log = [len(values), len(keys), len(elements), values["a"] is first]
    del first
    log.append((list(values), list(keys.values()), len(elements)))
    return log, values.get("a", "gone")


@same((1,), (2,))
def test_finalize(x):
    plain = Plain(x)
    finalizer = weakref.finalize(plain, journal.append, ["finalized", x])
    log = [finalizer.alive]
    del plain
    return log, finalizer.alive, finalizer(), list(journal)


@same((1,), (2,))
def test_arguments_are_not_kept(x):
    def take(value):
        journal.append("taken")

    take(Loud("argument"))
    journal.append("after the call")
    list(map(take, [Loud("mapped")]))
    journal.append("after map")
    return list(journal)


@same((1,), (2,))
def test_closures_keep_and_let_go(x):
    def make():
        loud = Loud("captured")
        return lambda: loud.name

    read = make()
    journal.append(read())
    del read
    journal.append("closure gone")
    return list(journal)


@same((1,), (2,))
def test_generator_dies_half_way(x):
    def numbers():
        try:
            loud = Loud("in the generator")
            yield x
            yield 2
        finally:
            journal.append("finally")

    made = numbers()
    next(made)
    journal.append("suspended")
    del made
    journal.append("gone")
    for _ in numbers():
        break
    journal.append("after the loop")
    return list(journal)


@same((1,), (2,))
def test_cycles_wait_for_the_collector(x):
    gc.collect()
    first, second = Loud("first"), Plain()
    first.other, second.other = second, first
    reference = weakref.ref(second)
    del first, second
    before = list(journal), reference() is None
    gc.collect()
    return before, list(journal), reference() is None


@same((1,), (2,))
def test_resurrection(x):
    class Phoenix:
        def __del__(self):
            journal.append(self)

    phoenix = Phoenix()
    phoenix.x = x
    del phoenix
    back = journal.pop()
    return back.x, len(journal)


@same((1,), (0,))
def test_finalizer_that_reads_what_changes(x):
    class Reader:
        def __del__(self):
            journal.append((list(state), counter))

    state, counter = [x], 0
    reader = Reader()
    state.append("changed")
    counter += 1
    del reader
    state.append("after")
    reader = Reader()
    counter += 1
    return state, counter, reader.__class__.__name__
