"""Values of the machine as Python-like text: what a trace builds, writes and hands over.

Objects that the trace makes get names, `new1`, `new2` ..., and a line that builds each; what contains itself is built
empty and filled.  Runs no user code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from symexec.capture.commit import home_slot
from symexec.interpreter.protocol.operator_table import COUNT, OPERATORS
from symexec.values.effect import (
    AddToSet,
    Append,
    CombineSet,
    DeleteAttribute,
    DeleteItem,
    Effect,
    SetAttribute,
    SetContents,
    SetItem,
    SetSlice,
)
from symexec.values.graph import Node, format_argument, target_name
from symexec.values.guard import class_name, object_name
from symexec.values.heap import (
    Absent,
    CalledContent,
    CellContent,
    Content,
    DequeContent,
    DictContent,
    ExceptionContent,
    FunctionContent,
    GeneratorContent,
    Heap,
    InterpolationContent,
    IteratorContent,
    ListContent,
    MethodContent,
    ObjectContent,
    ScalarContent,
    SetContent,
    SliceContent,
    SuperContent,
    TemplateContent,
    TupleContent,
    ViewContent,
    parts,
)
from symexec.values.model import Constant, Known, Made, Null, Traced, Value
from symexec.values.origin import Contents, Globals

_CONSTANTS: Final = frozenset(
    {int, float, complex, str, bytes, bool, type(None), type(...), range, tuple, slice, set, frozenset}
)


class ValueText:
    """Names for the values of one recording; `nodes` are its nodes by index, with the names to be used."""

    def __init__(self, heap: Heap, nodes: Mapping[int, Node], slots: Sequence[str]) -> None:
        self._heap = heap
        self._nodes = nodes
        self._slots = slots
        self._made: dict[int, str] = {}

    def __call__(self, value: Value) -> str:
        """The value's text; of an object made by the trace, its name once `build_lines` has named it."""
        match value:
            case Null():
                return "NULL"
            case Constant(value=constant):
                return constant_text(constant)
            case Known(origin=origin):
                return str(origin)
            case Traced(node=node):
                return repr(self._nodes.get(node.index, node))
            case Made(object_id=object_id):
                return self._made.get(object_id) or self._nameless(value)

    def describe(self, made: Made) -> str:
        """What a made object is, in one line."""
        return self._content(self._heap.content(made))

    def build_lines(self, values: Sequence[Value]) -> list[str]:
        """The lines that build every made object that `values` need, parts first."""
        lines: list[str] = []
        hollow: list[Made] = []
        for made, is_cyclic in self._in_order(values):
            content = self._heap.content(made)
            name = self._made.setdefault(made.object_id, f"new{len(self._made) + 1}")
            if is_cyclic:
                hollow.append(made)
                lines.append(f"{name} = {_empty(content)}")
            else:
                lines.append(f"{name} = {self._content(content)}")
        lines += [f"{self(made)} is filled: {self._content(self._heap.content(made))}" for made in hollow]
        return lines

    def effect(self, effect: Effect) -> str:
        """The effect as a statement."""
        text = self
        match effect:
            case SetItem(container=Known(origin=Globals()), key=key, value=value):
                return f"global {key}; {key} = {text(value)}"
            case DeleteItem(container=Known(origin=Globals()), key=key):
                return f"global {key}; del {key}"
            case SetItem(container=container, key=key, value=value):
                return f"{text(container)}[{key!r}] = {text(value)}"
            case DeleteItem(container=container, key=key):
                return f"del {text(container)}[{key!r}]"
            case Append(container=container, value=value):
                return f"{text(container)}.append({text(value)})"
            case SetSlice(container=container, start=start, stop=stop, values=values):
                return f"{text(container)}[{start}:{stop}] = [{', '.join(map(text, values))}]"
            case SetAttribute(owner=owner, name=name, value=value):
                return f"{text(owner)}.{name} = {text(value)}"
            case DeleteAttribute(owner=owner, name=name):
                return f"del {text(owner)}.{name}"
            case SetContents(cell=cell, value=value):
                name = str(Contents(cell.origin)) if isinstance(cell, Known) else text(cell)
                return f"del {name}" if value is None else f"{name} = {text(value)}"
            case AddToSet(container=container, value=value):
                return f"{text(container)}.add({value!r})"
            case CombineSet(container=container, operator=code, other=other):
                return f"{text(container)} {OPERATORS[code - COUNT].symbol}= {text(other)}"

    def _nameless(self, made: Made) -> str:
        slot = home_slot(self._heap, made)
        return f"object {-made.object_id}" if slot is None else f"cell of {self._slots[slot]}"

    def _in_order(self, values: Sequence[Value]) -> Iterator[tuple[Made, bool]]:
        """The made objects that need a line, parts before wholes, and whether each is part of itself."""
        done, open_, cyclic = set[int](), set[int](), set[int]()
        for root in values:
            if not self._needs_line(root) or root.object_id in done:
                continue
            stack = [(root, parts(self._heap.content(root)))]
            open_.add(root.object_id)
            while stack:
                made, rest = stack[-1]
                part = next(rest, None)
                if part is None:
                    stack.pop()
                    open_.discard(made.object_id)
                    done.add(made.object_id)
                    yield made, made.object_id in cyclic
                elif self._needs_line(part) and part.object_id not in done:
                    if part.object_id in open_:
                        cyclic.add(part.object_id)
                        self._made.setdefault(part.object_id, f"new{len(self._made) + 1}")
                    else:
                        open_.add(part.object_id)
                        stack.append((part, parts(self._heap.content(part))))

    def _needs_line(self, value: Value) -> TypeGuard[Made]:
        return isinstance(value, Made) and home_slot(self._heap, value) is None

    def _list(self, values: Sequence[Value]) -> str:
        return ", ".join(self(value) for value in values)

    def _named(self, entries: Mapping[str, Value | Absent]) -> str:
        return ", ".join(f"{name} = {self(item)}" for name, item in entries.items() if not isinstance(item, Absent))

    def _content(self, content: Content) -> str:
        match content:
            case ListContent(items=items):
                return f"[{self._list(items)}]"
            case TupleContent(items=members):
                return f"({self._list(members)}{',' if len(members) == 1 else ''})"
            case DictContent(entries=entries):
                present = {key: item for key, item in entries.items() if not isinstance(item, Absent)}
                shown = "{" + ", ".join(f"{key!r}: {self(item)}" for key, item in present.items()) + "}"
                return shown if content.owner is None else f"the attributes of {self(content.owner)}: {shown}"
            case SetContent(items=elements):
                return constant_text(elements)
            case CellContent(value=value):
                return "a cell, empty" if isinstance(value, Absent) else f"a cell of {self(value)}"
            case ObjectContent(type=type_, attributes=attributes, base=base):
                given = self._named(attributes)
                held = "" if base is None else f" of {self._content(base)}"
                return f"object.__new__({class_name(type_)}){held}{' with ' + given if given else ''}"
            case DequeContent(items=items):
                return f"deque([{self._list(items)}])"
            case ScalarContent(value=scalar):
                return self(scalar)
            case FunctionContent(qualified_name=name, closure=closure):
                return f"function {name}{' over ' + self._list(closure) if closure else ''}"
            case MethodContent(function=function, owner=owner):
                return f"method {self(function)} of {self(owner)}"
            case TemplateContent(strings=strings, interpolations=interpolations):
                return f"Template({self(strings)}, {self(interpolations)})"
            case InterpolationContent(value=value, expression=expression, conversion=conversion, spec=spec):
                return f"Interpolation({self._list((value, expression))}, {conversion!r}, {self(spec)})"
            case SuperContent(class_value=class_, owner=owner):
                return f"super({self(class_)}, {self(owner)})"
            case SliceContent(start=start, stop=stop, step=step):
                return f"slice({self._list((start, stop, step))})"
            case ViewContent(kind=kind, mapping=mapping):
                return f"{self(mapping)}.{kind}()"
            case IteratorContent(source=source, index=index):
                return f"iter({'' if source is None else self(source)}){f' from item {index} on' if index else ''}"
            case ExceptionContent(args=args):
                return "" if args is None else self(args)
            case CalledContent(function=function, args=arguments, names=names):
                split = len(arguments) - len(names)
                named = [f"{name}={self(each)}" for name, each in zip(names, arguments[split:], strict=True)]
                return f"{target_name(function)}({', '.join([*map(self, arguments[:split]), *named])})"
            case GeneratorContent(kind=kind):
                return f"an unfinished {kind.__name__}"


def _empty(content: Content) -> str:
    match content:
        case ListContent():
            return "[]"
        case DictContent():
            return "{}"
        case CellContent():
            return "a cell, empty"
        case ObjectContent(type=type_):
            return f"object.__new__({class_name(type_)})"
        case _:
            return "..."


def constant_text(value: object) -> str:
    """A constant as source would have it, an object of another type by its name."""
    return format_argument(value) if type(value) in _CONSTANTS else object_name(value)
