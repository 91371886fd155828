"""A function for every shape of prologue: with and without cells and free variables, plain and generator-like.

`SHAPES` maps names to makers of (function, arguments): each function can be called, or begun, with the arguments.
Functions of one row do the same arithmetic, so that outputs made from them can be called and compared.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping

Shape = tuple[types.FunctionType, tuple[float, ...]]


def make_plain() -> Shape:
    def plain(x, y):
        return x * y + 1.0

    return plain, (3.0, 4.0)


def make_cells() -> Shape:
    def cells(x, y):
        total = x * y

        def add(more):
            nonlocal total
            total = total + more + y

        add(1.0)
        return total

    return cells, (3.0, 4.0)


def make_free() -> Shape:
    factor, shift = 2.5, 1.0

    def free(x, y):
        return x * factor + y * shift

    return free, (3.0, 4.0)


def make_cells_and_free() -> Shape:
    factor, shift = 2.5, 1.0

    def cells_and_free(x, y):
        total = x * factor

        def add(more):
            nonlocal total
            total = total + more * shift + y

        add(y)
        return total

    return cells_and_free, (3.0, 4.0)


def make_generator() -> Shape:
    def generator(x, y):
        yield x * y
        yield x + y

    return generator, (3.0, 4.0)


def make_generator_with_cells() -> Shape:
    def generator_with_cells(x, y):
        total = x

        def add(more):
            nonlocal total
            total = total + more

        add(y)
        yield total
        add(x)
        yield total

    return generator_with_cells, (3.0, 4.0)


def make_generator_with_free() -> Shape:
    factor = 2.5

    def generator_with_free(x, y):
        yield x * factor
        yield y * factor

    return generator_with_free, (3.0, 4.0)


def make_generator_with_both() -> Shape:
    factor = 2.5

    def generator_with_both(x, y):
        total = x * factor

        def add(more):
            nonlocal total
            total = total + more * factor

        add(y)
        yield total
        yield total * 2.0

    return generator_with_both, (3.0, 4.0)


def make_coroutine() -> Shape:
    factor = 2.5

    async def coroutine(x, y):
        async def inner():
            return x * factor

        return await inner() + y

    return coroutine, (3.0, 4.0)


def make_asynchronous_generator() -> Shape:
    async def asynchronous_generator(x, y):
        yield x * y

    return asynchronous_generator, (3.0, 4.0)


EIGHT: Mapping[str, Callable[[], Shape]] = {
    "plain": make_plain,
    "cells": make_cells,
    "free": make_free,
    "cells and free": make_cells_and_free,
    "generator": make_generator,
    "generator, cells": make_generator_with_cells,
    "generator, free": make_generator_with_free,
    "generator, cells and free": make_generator_with_both,
}
ORDINARY = {name: make for name, make in EIGHT.items() if not name.startswith("generator")}
SHAPES = {**EIGHT, "coroutine, cells and free": make_coroutine, "asynchronous generator": make_asynchronous_generator}
