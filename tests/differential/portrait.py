"""Describes objects without running code of theirs: types, contents, order, and which objects are the same."""

from __future__ import annotations

import collections
import functools
import sys
import traceback
import types
from collections.abc import Callable, Iterable

import attrs

ATOMS = (int, float, bool, str, bytes, complex, type(None), type(...), type(NotImplemented), range, slice)
PRIVATE = frozenset({"__dict__", "__weakref__", "__module__", "__doc__", "__abstractmethods__", "__static_attributes__",
                     "__firstlineno__", "_abc_impl", "__annotations__", "__annotations_cache__"})  # fmt: skip

VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
EMPTY = (iter([]), reversed([]), iter(()), iter(""), iter(range(0)), iter(b""), enumerate(()), zip())
ITERATORS = tuple(map(type, EMPTY))
Describe = Callable[..., Iterable[str]]
Layout = tuple[types.GetSetDescriptorType | None, list[tuple[str, types.MemberDescriptorType]]]


@attrs.define
class Portrait:
    """Descriptions that share one numbering of objects.  Code of `file` is the program's."""

    file: str
    numbers: dict[int, int] = attrs.field(factory=dict)
    kept: list[object] = attrs.field(factory=list)
    known: dict[type, Describe] = attrs.field(factory=dict)
    layouts: dict[type, Layout] = attrs.field(factory=dict)

    def of(self, value: object) -> str:
        kind = type(value)
        if kind in ATOMS:
            return repr(value)
        if kind is tuple and is_immutable(value):
            return repr(value)
        number = self.numbers.get(id(value))
        if number is not None:
            return f"#{number}"
        self.kept.append(value)
        self.numbers[id(value)] = number = len(self.numbers)
        return f"#{number}:{name_of(kind)}{self.content(value)}"

    def content(self, value: object) -> str:
        parts = [*self.items(value), *self.attributes(value)]
        return "(" + ", ".join(parts) + ")"

    def items(self, value: object) -> Iterable[str]:
        """What it holds, asked by the types' own C code; of its class, never of what `__class__` says."""
        kind = type(value)
        if issubclass(kind, ITERATORS):
            yield self.of(value.__reduce__())
            return
        if kind not in self.known:
            found = [describe for base, describe in self.describers() if issubclass(kind, base)]
            self.known[kind] = found[0] if found else self.other
        yield from self.known[kind](value)

    def other(self, value: object) -> Iterable[str]:
        if type(value).__module__ == "numpy":
            yield self.array(value)

    def describers(self) -> Iterable[tuple[type | tuple[type, ...], Describe]]:
        yield list, lambda value: map(self.of, list.__iter__(value))
        yield tuple, lambda value: map(self.of, tuple.__iter__(value))
        yield collections.OrderedDict, self.ordered
        yield dict, self.dict_
        yield (set, frozenset), self.set_
        yield collections.deque, self.deque
        yield BaseException, self.exception
        yield types.FunctionType, self.function
        yield types.MethodType, lambda value: [f"{self.of(value.__func__)}, {self.of(value.__self__)}"]
        yield types.CellType, self.cell
        yield type, lambda value: [name_of(value)]
        yield int, lambda value: [int.__repr__(value)]
        yield str, lambda value: [str.__repr__(value)]
        yield bytearray, lambda value: [bytearray.__repr__(value)]
        yield functools.partial, lambda value: map(self.of, (value.func, value.args, value.keywords))
        yield types.BuiltinFunctionType, self.builtin
        yield VIEWS, lambda value: [self.of(list(value))]

    def set_(self, value: object) -> Iterable[str]:
        """In order, where that does not depend on where objects happen to lie."""
        elements = list(kind_of_set(value).__iter__(value))
        plain = all(type(each) in ATOMS or is_immutable(each) for each in elements)
        steady = plain and "nan" not in repr(elements)
        return map(self.of, elements if steady else sorted(elements, key=lambda each: name_of(type(each))))

    def dict_(self, value: dict[object, object]) -> Iterable[str]:
        for key, each in dict.items(value):
            yield f"{self.of(key)}: {self.of(each)}"

    def ordered(self, value: collections.OrderedDict[object, object]) -> Iterable[str]:
        for key in collections.OrderedDict.__iter__(value):
            yield f"{self.of(key)}: {self.of(dict.get(value, key))}"

    def deque(self, value: collections.deque[object]) -> Iterable[str]:
        yield from map(self.of, collections.deque.__iter__(value))
        yield f"maxlen {value.maxlen}"

    def cell(self, value: types.CellType) -> Iterable[str]:
        try:
            yield self.of(value.cell_contents)
        except ValueError:
            yield "empty"

    def builtin(self, value: types.BuiltinFunctionType) -> Iterable[str]:
        owner = value.__self__
        yield f"{value.__name__} {'' if type(owner) is types.ModuleType else self.of(owner)}"

    def attributes(self, value: object) -> Iterable[str]:
        kind = type(value)
        if issubclass(kind, type):
            if value.__module__ == "program":
                for name, each in list(type.__dict__["__dict__"].__get__(value).items()):
                    if name not in PRIVATE:
                        yield f"{name}={self.of(each)}"
        elif issubclass(kind, types.ModuleType):
            if value.__name__ == "tools":
                yield from (f"{name}={self.of(each)}" for name, each in vars(value).items())
        elif not issubclass(kind, types.FunctionType) or value.__dict__:
            if kind not in self.layouts:
                self.layouts[kind] = layout_of(kind)
            own, members = self.layouts[kind]
            if own is not None:
                yield from (f"{self.of(name)}={self.of(each)}" for name, each in own.__get__(value).items())
            for name, member in members:
                try:
                    yield f"{name}={self.of(member.__get__(value))}"
                except AttributeError:
                    yield f"{name} unset"

    def exception(self, error: BaseException) -> Iterable[str]:
        yield self.of(error.args)
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.file:
                yield f"{frame.f_code.co_name}:{'' if is_unsteady(error) else line}"
        tb = error.__traceback__
        while tb is not None:
            code = tb.tb_frame.f_code
            if code.co_filename == self.file and not is_unsteady(error):
                yield str(list(code.co_positions())[tb.tb_lasti // 2])
            tb = tb.tb_next
        yield f"cause {self.of(error.__cause__)} context {self.of(error.__context__)} {error.__suppress_context__}"

    def function(self, function: types.FunctionType) -> Iterable[str]:
        yield f"{function.__qualname__} {function.__code__.co_firstlineno}"
        yield self.of(function.__defaults__)
        yield self.of(function.__kwdefaults__)
        yield self.of(function.__closure__)

    def array(self, value: object) -> str:
        np = sys.modules["numpy"]
        if isinstance(value, np.ndarray):
            base = self.of(value.base) if value.base is not None else ""
            data = value.tobytes().hex() if value.dtype != object else ", ".join(map(self.of, value.ravel().tolist()))
            return f"{value.dtype} {value.shape} {value.strides} {value.flags.num} {data} {base}"
        if isinstance(value, np.generic):
            return f"{value.dtype} {value.tobytes().hex()}"
        return repr(value)


def is_unsteady(error: BaseException) -> bool:
    """Whether the place depends on how often the code has run: once warm, 3.11 has two steps in one instruction."""
    return sys.implementation.cache_tag == "cpython-311" and isinstance(error, UnboundLocalError)


def is_immutable(value: object) -> bool:
    """Whether it is nothing but numbers and strings: then its identity is Python's own business."""
    if type(value) is tuple:
        return all(type(each) in ATOMS or is_immutable(each) for each in value)
    return type(value) in ATOMS


def layout_of(kind: type) -> Layout:
    """Where its objects have their dict, and their slots if it is a class of the program."""
    dicts = (base.__dict__.get("__dict__") for base in kind.__mro__)
    own = next((entry for entry in dicts if type(entry) is types.GetSetDescriptorType), None)
    bases = kind.__mro__ if kind.__module__ == "program" else ()
    entries = [entry for base in bases for entry in base.__dict__.items()]
    return own, [(name, member) for name, member in entries if type(member) is types.MemberDescriptorType]


def kind_of_set(value: object) -> type[set[object] | frozenset[object]]:
    return set if issubclass(type(value), set) else frozenset


def name_of(kind: type) -> str:
    return str(type.__dict__["__qualname__"].__get__(kind))
