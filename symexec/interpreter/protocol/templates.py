"""Template strings (`t"..."`, Python 3.14): templates and interpolations that the trace made."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Final

from symexec.bytecode.features import HAS_TEMPLATES
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import Break, Reply
from symexec.interpreter.protocol.contents import tuple_items
from symexec.values.heap import InterpolationContent, IteratorContent, TemplateContent, TupleContent
from symexec.values.model import NONE, Constant, Made, Value

_LIBRARY: Final = vars(importlib.import_module("string.templatelib")) if HAS_TEMPLATES else {}
_TEMPLATE: Final[type] = _LIBRARY.get("Template", tuple)  # where there are none, nothing is of these types
_INTERPOLATION: Final[type] = _LIBRARY.get("Interpolation", tuple)
_ITERATOR: Final[type] = type(iter(_TEMPLATE()))
_CONVERSIONS: Final = (None, "s", "r", "a")


def make_interpolation(machine: Machine, value: Value, expression: Value, conversion: int, spec: Value | None) -> Made:
    """What `{expression!conversion:spec}` makes; `conversion` is as in `CONVERT_VALUE`, 0 for none."""
    letter = _CONVERSIONS[conversion]
    content = InterpolationContent(_INTERPOLATION, value, expression, letter, Constant("") if spec is None else spec)
    return machine.heap.make(content)


def make_template(machine: Machine, strings: Value, interpolations: Value) -> Made:
    """A template of a tuple of strings and a tuple of the interpolations between them."""
    return machine.heap.make(TemplateContent(_TEMPLATE, strings, interpolations))


def template_attribute(machine: Machine, content: TemplateContent | InterpolationContent, name: str) -> Reply | None:
    """What a new template or interpolation has under the name; `None` where its type knows."""
    if isinstance(content, InterpolationContent):
        match name:
            case "value":
                return content.value
            case "expression":
                return content.expression
            case "conversion":
                return NONE if content.conversion is None else Constant(content.conversion)
            case "format_spec":
                return content.spec
            case _:
                return None
    match name:
        case "strings":
            return content.strings
        case "interpolations":
            return content.interpolations
        case "values":
            return _values(machine, content)
        case _:
            return None


def template_iterator(machine: Machine, content: TemplateContent) -> Reply:
    """An iterator over the strings that are not empty and the interpolations, in their order."""
    strings, interpolations = tuple_items(machine, content.strings), tuple_items(machine, content.interpolations)
    if isinstance(strings, Break):
        return strings
    if isinstance(interpolations, Break):
        return interpolations
    items = _interleave(strings, interpolations)
    return machine.heap.make(IteratorContent(_ITERATOR, machine.heap.make(TupleContent(items)), 0))


def _interleave(strings: Sequence[Value], interpolations: Sequence[Value]) -> tuple[Value, ...]:
    found: list[Value] = []
    for index, string in enumerate(strings):
        if not (isinstance(string, Constant) and string.value == ""):
            found.append(string)
        found.extend(interpolations[index : index + 1])
    return tuple(found)


def _values(machine: Machine, content: TemplateContent) -> Reply:
    interpolations = tuple_items(machine, content.interpolations)
    if isinstance(interpolations, Break):
        return interpolations
    values: list[Value] = []
    for each in interpolations:
        inside = machine.heap.content(each) if isinstance(each, Made) else None
        if not isinstance(inside, InterpolationContent):
            return machine.stop("SX2014", "an interpolation that was there before is not looked into")
        values.append(inside.value)
    return machine.heap.make(TupleContent(tuple(values))) if values else Constant(())
