"""Functions that are pure on exact builtin constants: they are called at trace time, with the constants themselves."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Final

from symexec.interpreter.builtins.arguments import Keywords, Rule, copies, misfit
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Reply
from symexec.interpreter.protocol.bases import scalar_of
from symexec.interpreter.protocol.contents import SIZE_LIMIT, constant_of
from symexec.interpreter.protocol.folding import fold, too_large
from symexec.interpreter.protocol.iterate import get_iterator
from symexec.interpreter.protocol.length_hints import items_for_list
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.sizes import format_size_stop
from symexec.interpreter.protocol.text_formats import format_fields
from symexec.values.graph import Kind
from symexec.values.model import Constant, Known, Traced, Value

_TYPES: Final = (str, bytes, int, float, complex, bool, range, slice)
_LARGE: Final = ("__mul__", "__rmul__", "__pow__", "__rpow__", "__lshift__", "__rlshift__", "__mod__", "__rmod__")
_OTHER: Final = (
    "__getattribute__", "__init__", "__iter__", "__new__", "__delattr__", "__setattr__", "__reduce__", "__reduce_ex__",
    "__getnewargs__", "__sizeof__", "__dir__", "__init_subclass__", "__subclasshook__", "__invert__", "__class__",
    "__getstate__", "__buffer__", "__release_buffer__", "__str__", "__repr__", "__format__", "format", "join",
    "format_map", "replace", "encode", "decode",
)  # fmt: skip
_POSITIONS: Final = (
    "find",
    "rfind",
    "index",
    "rindex",
    "count",
    "startswith",
    "endswith",
    "split",
    "rsplit",
    "indices",
)
_ENCODINGS: Final = ("utf-8", "utf8", "ascii", "latin-1", "latin1")
_GROWING: Final = (math.factorial, math.comb, math.perm)
_GROWTH_LIMIT: Final = 2_000


def _foldable(function: object, limited: bool) -> Rule:
    """Call the function, unless it may be asked for a huge result by a huge integer."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        values = [machine.resolve(arg) for arg in args]
        named = [(name, machine.resolve(value)) for name, value in kwargs]
        if any(isinstance(value, Traced) for value in (*values, *(value for _, value in named))):
            return machine.operate(Kind.CALL, function, values, named)
        found, given = copies(machine, values), copies(machine, [value for _, value in named])
        if found is None or given is None:
            return machine.stop("SX2119", "a builtin function is called with an object that may run code of its own")
        for each in (*found[1:], *given) if limited else ():
            if isinstance(each, int) and abs(each) > SIZE_LIMIT:
                return too_large(machine, abs(each))
        return fold(machine, function, found, {name: each for (name, _), each in zip(named, given, strict=True)})

    return rule


def _text(machine: Machine, value: Value) -> str | bytes | Break:
    found = constant_of(machine, value)
    if isinstance(found, (str, bytes)):
        return found
    return machine.stop("SX2119", "a method of strings is called with another object")


def _join(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    text = _text(machine, args[0]) if len(args) == 2 and not kwargs else None
    if text is None or isinstance(text, Break):
        return text or machine.stop("SX2116", "the arguments of join() do not fit")
    iterator = get_iterator(machine, args[1])
    if is_raised(machine, iterator, TypeError):
        return fold(machine, type(text).join, (text, None))
    items = iterator if isinstance(iterator, STOPS) else items_for_list(machine, iterator)
    if isinstance(items, STOPS):
        return items
    found = copies(machine, items)
    if found is None:
        return machine.stop("SX2119", "what is joined is not wholly made of constants")
    size = sum(len(each) if isinstance(each, (str, bytes)) else 1 for each in found) + len(text) * len(found)
    return too_large(machine, size) if size > SIZE_LIMIT else fold(machine, type(text).join, (text, found))


def _replace(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    found = copies(machine, args)
    if found is None or kwargs or len(found) < 3:
        return machine.stop("SX2116", "the arguments of replace() do not fit")
    sizes = [len(each) for each in found[:3] if isinstance(each, (str, bytes))]
    if len(sizes) == 3 and (sizes[0] + 1) * max(sizes[2], 1) > SIZE_LIMIT * 10:
        return too_large(machine, sizes[0] * sizes[2])
    return fold(machine, str.replace if isinstance(found[0], str) else bytes.replace, found)


def _format(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
    text = _text(machine, args[0]) if args else ""
    found, given = copies(machine, args[1:]), copies(machine, [value for _, value in kwargs])
    if (found is None or given is None) and isinstance(text, str):
        return format_fields(machine, text, args[1:], dict(kwargs))
    if found is None or given is None or not isinstance(text, str):
        return text if isinstance(text, Break) else machine.stop("SX2110", "formatting an object runs its own code")
    if "n}" in text:
        return machine.stop("SX2110", "the format n depends on the locale")
    stop = format_size_stop(machine, text, (*found, *given))
    names = [name for name, _ in kwargs]
    return stop or fold(machine, str.format, (text, *found), dict(zip(names, given, strict=True)))


def _coded(function: object) -> Rule:
    """`encode` or `decode`, with the encodings that nobody can replace."""

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        found = copies(machine, args)
        if found is None or kwargs or len(found) > 2 or any(each not in _ENCODINGS for each in found[1:]):
            return machine.stop("SX2119", "this encoding is left to Python")
        return fold(machine, function, found)

    return rule


def _of_self(function: object, limited: bool) -> Rule:
    """A method of a number or string, which takes an instance of a subclass for what it is as such."""
    inner = _foldable(function, limited)

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        plain = scalar_of(machine, args[0]) if args else misfit(machine)
        return plain if isinstance(plain, Break) else inner(machine, [plain, *args[1:]], kwargs)

    return rule


def _methods() -> dict[object, Rule]:
    found: dict[object, Rule] = {}
    for type_ in _TYPES:
        for name, attribute in vars(type_).items():
            kinds = (MethodDescriptorType, WrapperDescriptorType)
            if isinstance(attribute, kinds) and name not in _LARGE and name not in _OTHER:
                found[attribute] = _of_self(attribute, limited=name not in _POSITIONS)
    return found


def _class_method(function: object, type_: type) -> Rule:
    """A class method of the builtin type itself, which comes as the first argument."""
    inner = _foldable(function, limited=True)

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        if not args or not isinstance(args[0], Known) or args[0].value is not type_:
            return machine.stop("SX2116", "a class method of a builtin type is called on a subclass")
        return inner(machine, args[1:], kwargs)

    return rule


def _growing(function: object) -> Rule:
    inner = _foldable(function, limited=True)

    def rule(machine: Machine, args: Sequence[Value], kwargs: Keywords) -> Reply:
        for arg in args:
            value = machine.resolve(arg)
            if isinstance(value, Constant) and isinstance(value.value, int) and value.value > _GROWTH_LIMIT:
                return too_large(machine, value.value)
        return inner(machine, args, kwargs)

    return rule


def _mathematics() -> dict[object, Rule]:
    functions = [value for value in vars(math).values() if isinstance(value, BuiltinFunctionType)]
    return {
        function: _growing(function) if function in _GROWING else _foldable(function, limited=False)
        for function in functions
    }


_CLASS_METHODS: Final = ((int, "from_bytes"), (float, "fromhex"), (bytes, "fromhex"))

PURE_RULES: Final[dict[object, Rule]] = {
    **_methods(),
    **_mathematics(),
    **{type_.__dict__[name]: _class_method(getattr(type_, name), type_) for type_, name in _CLASS_METHODS},
    **{function: _foldable(function, limited=False) for function in (chr, ord, hex, oct, bin, operator.index)},
    str.maketrans: _foldable(str.maketrans, limited=False),
    str.join: _join,
    bytes.join: _join,
    str.replace: _replace,
    bytes.replace: _replace,
    str.format: _format,
    str.encode: _coded(str.encode),
    bytes.decode: _coded(bytes.decode),
}
