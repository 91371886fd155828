"""`str % object` and `str.format`, field by field, where what is formatted has a text of its own.

Follows Objects/unicodeobject.c and Objects/stringlib/unicode_format.h.  What is wrong with a format is left to Python.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

from symexec.interpreter.machine import NOT_CONCRETE, Machine
from symexec.interpreter.outcomes import STOPS, Break, Raise, Reply
from symexec.interpreter.protocol.bases import builtin_base
from symexec.interpreter.protocol.contents import constant_of, dict_content, tuple_items
from symexec.interpreter.protocol.folding import copied, fold
from symexec.interpreter.protocol.formatting import build_string, convert_value, format_value
from symexec.interpreter.protocol.sizes import format_size_stop
from symexec.values.heap import Absent
from symexec.values.model import Constant, Value

_FIELD: Final = re.compile(r"%(?:\(([^()]*)\))?([#0\-+ ]*\d*(?:\.\d+)?)([a-zA-Z%])")
_KINDS: Final = {"s": 1, "r": 2, "a": 3}
_PATH: Final = re.compile(r"(\w*)((?:\.[^.\[\]]+)*)")


def _unknown(machine: Machine) -> Break:
    return machine.stop("SX2110", "a format that Python has to read")


def percent_format(machine: Machine, template: str, argument: Value) -> Reply:
    """What `template % argument` gives."""
    fields = list(_FIELD.finditer(template))
    if "%" in _FIELD.sub("", template):
        return _unknown(machine)
    plain = [field for field in fields if field[3] != "%"]
    keys = [field[1] for field in plain if field[1] is not None]
    if any(field[3] == "%" and len(field[0]) > 2 for field in fields) or len(keys) not in (0, len(plain)):
        return _unknown(machine)
    values = _by_key(machine, argument, keys) if keys else _in_order(machine, argument)
    if isinstance(values, Break):
        return values
    if len(values) != len(plain):
        return _unknown(machine)
    rest = iter(values)
    pieces: list[Value] = []
    start = 0
    for field in fields:
        pieces.append(Constant(template[start : field.start()]))
        start = field.end()
        piece = Constant("%") if field[3] == "%" else _percent_field(machine, field[2], field[3], next(rest))
        if isinstance(piece, STOPS):
            return piece
        pieces.append(piece)
    return build_string(machine, [*pieces, Constant(template[start:])])


def _in_order(machine: Machine, argument: Value) -> Sequence[Value] | Break:
    type_ = machine.type_of(argument)
    return tuple_items(machine, argument) if type_ is tuple or builtin_base(type_) is tuple else [argument]


def _by_key(machine: Machine, argument: Value, keys: Sequence[str]) -> Sequence[Value] | Break:
    if machine.type_of(argument) is not dict:
        return _unknown(machine)
    content = dict_content(machine, argument, complete=True)
    if isinstance(content, Break):
        return content
    found: list[Value] = []
    for key in keys:
        entry = content.entries.get(key)
        if entry is None or isinstance(entry, Absent):
            return _unknown(machine)
        found.append(entry)
    return found


def _percent_field(machine: Machine, options: str, kind: str, value: Value) -> Reply:
    stop = format_size_stop(machine, options, ())
    if stop is not None:
        return stop
    if kind in _KINDS:
        text = convert_value(machine, _KINDS[kind], value)
        found = text if isinstance(text, STOPS) else constant_of(machine, text)
        kind = "s"
    else:
        found = copied(machine, value)
    if isinstance(found, (Raise, Break)):
        return found
    if found is NOT_CONCRETE or (kind != "s" and kind not in "diouxXeEfFgGc"):
        return _unknown(machine)
    reply = fold(machine, operator.mod, (f"%{options}{kind}", (found,)))
    return _unknown(machine) if isinstance(reply, Raise) else reply


def format_fields(machine: Machine, template: str, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Reply:
    """What `template.format(*args, **kwargs)` gives."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return _unknown(machine)
    names = [name for _, name, _, _ in parts if name is not None]
    numbered = [name for name in names if re.match(r"\d", name)]
    if numbered and any(re.match(r"[.\[]|$", name) for name in names):
        return _unknown(machine)  # both ways of numbering
    pieces: list[Value] = []
    automatic = 0
    for literal, name, spec, conversion in parts:
        pieces.append(Constant(literal))
        if name is None:
            continue
        if not re.match(r"\w", name):
            name, automatic = f"{automatic}{name}", automatic + 1
        value = _field_value(machine, name, args, kwargs)
        piece = value if isinstance(value, STOPS) else _formatted(machine, value, spec or "", conversion)
        if isinstance(piece, STOPS):
            return piece
        pieces.append(piece)
    return build_string(machine, pieces)


def _field_value(machine: Machine, name: str, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Reply:
    match = _PATH.fullmatch(name)
    if match is None:
        return _unknown(machine)
    first = match[1]
    index = int(first) if first.isdecimal() and first.isascii() and len(first) < 6 else None
    value = kwargs.get(first) if index is None else args[index] if index < len(args) else None
    if value is None:
        return _unknown(machine)
    for attribute in match[2].split(".")[1:]:
        reply = machine.get_attribute(machine, value, attribute)
        if isinstance(reply, STOPS):
            return reply
        value = reply
    return value


def _formatted(machine: Machine, value: Value, spec: str, conversion: str | None) -> Reply:
    if "{" in spec or (conversion is not None and conversion not in _KINDS):
        return _unknown(machine)
    converted = value if conversion is None else convert_value(machine, _KINDS[conversion], value)
    return converted if isinstance(converted, STOPS) else format_value(machine, converted, Constant(spec))
