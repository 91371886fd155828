"""Imports inside functions: every form, cached and missing modules, star names through packages, circular state."""

from __future__ import annotations

import sys
import types

from tests.ladder.both import captured, same

journal: list[object] = []


@captured((2.0,), (9.0,))
def test_import_and_use(x):
    import math

    return math.sqrt(x), math.pi > 3


@captured((3,), (5,))
def test_from_import(n):
    from math import factorial as f
    from math import gcd

    return f(n), gcd(n, 15)


@same(("a/b", "c"), ("", "x"))
def test_dotted(first, second):
    import os.path
    import os.path as p
    from os import path

    return os.path.join(first, second), p is path, p.basename(second), os.path is p


@same((1,), (2,))
def test_missing_module(x):
    log = []
    try:
        import no_module_of_this_name
    except ModuleNotFoundError as error:
        log.append(error)
    try:
        import os.no_such_part
    except ModuleNotFoundError as error:
        log.append((error.args, error.name))
    try:
        from math import no_name_of_this_kind
    except ImportError as error:
        log.append((str(error).partition(" (")[0], error.name))
    return log, x


@same((1,), (2,))
def test_missing_module_leaves(x):
    journal.append(x)
    import no_module_of_this_name

    return no_module_of_this_name


@same((1,), (0,))
def test_conditional_import(x):
    if x:
        import json
    log = []
    try:
        log.append(json.dumps({"x": [x, None]}))
    except UnboundLocalError as error:
        log.append(error.args)
    return log


@same((1,), (2,))
def test_import_of_a_made_module(x):
    made = types.ModuleType("made_by_ladder")
    made.value = [x]
    made.__getattr__ = lambda name: journal.append(name) or name.upper()
    sys.modules["made_by_ladder"] = made
    try:
        import made_by_ladder
        from made_by_ladder import dynamic, value

        value.append("changed")
        return made_by_ladder is made, value is made.value, dynamic, made_by_ladder.value
    finally:
        del sys.modules["made_by_ladder"]


@same((1,), (2,))
def test_none_in_sys_modules(x):
    sys.modules["forbidden_by_ladder"] = None
    try:
        import forbidden_by_ladder
    except ImportError as error:
        return error
    finally:
        sys.modules.pop("forbidden_by_ladder")


@same((1,), (2,))
def test_package_parts(x):
    import collections.abc as abc
    from collections import OrderedDict, abc as again
    from importlib import import_module

    return abc is again, issubclass(OrderedDict, abc.Mapping), import_module("collections.abc") is abc, OrderedDict(x=x)


@same((1,), (2,))
def test_relative_import(x):
    from . import both
    from .both import ROUNDS

    return both.ROUNDS + x, ROUNDS


@same((1,), (2,))
def test_import_hook_replaced(x):
    import builtins

    real = builtins.__import__

    def hooked(name, *rest, **options):
        journal.append((name, rest[2] if len(rest) > 2 else None))
        return real(name, *rest, **options)

    builtins.__import__ = hooked
    try:
        import math
        from json import dumps, loads
    finally:
        builtins.__import__ = real
    return math.floor(x + 0.5), loads(dumps([x])), journal


@same(("math",), ("json",), ("nothing_here",))
def test_by_function(name):
    try:
        found = __import__(name)
        return found.__name__, found is sys.modules[name]
    except ImportError as error:
        return error.args


@same((3,), (4,))
def test_import_as_global(x):
    global imported_by_ladder
    import math as imported_by_ladder

    return imported_by_ladder.floor(x + 0.5), "imported_by_ladder" in globals()


@same((2,), (7,))
def test_imports_in_inner_functions_and_loops(n):
    total = 0
    for i in range(n):
        from operator import add

        total = add(total, i)

    def inner():
        import math

        return math.isqrt(total)

    return total, inner()
