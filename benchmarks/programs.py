"""Functions of any size, generated: to see how costs grow.  Every one is made anew, with code of its own."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

Arguments = tuple[object, ...]


def define(source: str, name: str, **names: object) -> FunctionType:
    """The function `name` that `source` defines, with `names` as its globals."""
    filename = f"<generated {name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), names)
    function = names[name]
    assert isinstance(function, FunctionType)
    return function


def block(lines: list[str], name: str, parameters: str) -> str:
    return "\n".join([f"def {name}({parameters}):", *(f"    {line}" for line in lines)]) + "\n"


MIXED = """
total = total + {n}
for item in items:
    if item > {n} and total:
        total += item * 2
    elif item in seen:
        continue
try:
    seen[{n}] = [total, *items][0]
except KeyError as error:
    total = handle(error, total, key={n})
with lock as held:
    total = held.add(total, "{n}")
"""


def mixed(blocks: int) -> FunctionType:
    """Loops, branches, calls, `try` and `with`, again and again: for looking at bytecode, not for running."""
    lines = [line for n in range(blocks) for line in MIXED.format(n=n).strip().splitlines()]
    return define(block([*lines, "return total"], "mixed", "total, items, seen, lock"), "mixed")


# -- to be traced: `units(n)` gives a function that does something n times, and what to call it with ------------------


def statements(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """Operations on an array, in a row."""
    lines = [f"a = a {'+-'[n % 2]} {n}.0" for n in range(count)]
    return define(block([*lines, "return a"], "statements", "a"), "statements"), (array,)


def python_steps(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """A loop over plain numbers."""
    lines = ["s = 3", f"for n in range({count}):", "    s = (s * 5 + n) % 977", "return a * s"]
    return define(block(lines, "python_steps", "a"), "python_steps"), (array,)


def attributes(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """Attributes of an object, each guarded."""
    names = [f"field_{n}" for n in range(count)]
    lines = ["s = 0", *(f"s = s + o.{name}" for name in names), "return a * s"]
    owner = SimpleFields(dict.fromkeys(names, 1))
    return define(block(lines, "attributes", "a, o"), "attributes"), (array, owner)


def calls(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """Calls of a function, inlined."""
    helper = define("def helper(a, n):\n    return a if n % 16 else a + n\n", "helper")
    lines = [f"for n in range({count}):", "    a = helper(a, n)", "return a"]
    return define(block(lines, "calls", "a"), "calls", helper=helper), (array,)


def writes(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """Writes to a list that existed before."""
    lines = [*(f"r[{n}] = a" for n in range(count)), "return a * 2.0"]
    return define(block(lines, "writes", "a, r"), "writes"), (array, [array] * count)


UNITS: dict[str, Callable[[int, object], tuple[FunctionType, Arguments]]] = {
    function.__name__: function for function in (statements, python_steps, attributes, calls, writes)
}


class SimpleFields:
    """An object with attributes of any name."""

    def __init__(self, fields: dict[str, object]) -> None:
        self.__dict__.update(fields)


# -- one kind of guard each: `guards(n)` gives a function that relies on n facts, and what to call it with ------------


def no_facts(count: int, array: object) -> tuple[FunctionType, Arguments]:
    return define("def no_facts(a):\n    return a + 1.0\n", "no_facts"), (array,)


def global_numbers(count: int, array: object) -> tuple[FunctionType, Arguments]:
    names: dict[str, object] = {f"G{n}": n for n in range(count)}
    source = f"def global_numbers(a):\n    return a + ({' + '.join(names)})\n"
    return define(source, "global_numbers", **names), (array,)


def global_functions(count: int, array: object) -> tuple[FunctionType, Arguments]:
    names: dict[str, object] = {f"f{n}": define("def f():\n    return 1\n", "f") for n in range(count)}
    source = f"def global_functions(a):\n    return a + ({' + '.join(f'{name}()' for name in names)})\n"
    return define(source, "global_functions", **names), (array,)


def object_attributes(count: int, array: object) -> tuple[FunctionType, Arguments]:
    names = [f"x{n}" for n in range(count)]
    source = f"def object_attributes(a, o):\n    return a + ({' + '.join(f'o.{name}' for name in names)})\n"
    return define(source, "object_attributes"), (array, SimpleFields(dict.fromkeys(names, 1)))


def list_items(count: int, array: object) -> tuple[FunctionType, Arguments]:
    source = f"def list_items(a, r):\n    return a + ({' + '.join(f'r[{n}]' for n in range(count))})\n"
    return define(source, "list_items"), (array, [1] * count)


def dict_items(count: int, array: object) -> tuple[FunctionType, Arguments]:
    source = f"def dict_items(a, d):\n    return a + ({' + '.join(f'd[{str(n)!r}]' for n in range(count))})\n"
    return define(source, "dict_items"), (array, {str(n): 1 for n in range(count)})


def methods(count: int, array: object) -> tuple[FunctionType, Arguments]:
    """Each method is read through its object, so class, instance and function are all relied on."""
    kinds = [type(f"K{n}", (), {"get": define("def get(self):\n    return 1\n", "get")}) for n in range(count)]
    source = f"def methods(a, r):\n    return a + ({' + '.join(f'r.o{n}.get()' for n in range(count))})\n"
    return define(source, "methods"), (array, SimpleFields({f"o{n}": kind() for n, kind in enumerate(kinds)}))


def array_specs(count: int, array: Any) -> tuple[FunctionType, Arguments]:
    source = f"def array_specs(a, r):\n    return a + ({' + '.join(f'r[{n}].ndim' for n in range(count))})\n"
    return define(source, "array_specs"), (array, [array * n for n in range(count)])


FACTS: dict[str, Callable[[int, object], tuple[FunctionType, Arguments]]] = {
    function.__name__: function
    for function in (
        no_facts,
        global_numbers,
        global_functions,
        object_attributes,
        list_items,
        dict_items,
        methods,
        array_specs,
    )
}
