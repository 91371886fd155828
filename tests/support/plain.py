"""Text for values that are immutable all the way down and of exact builtin types.

Such values have no identity worth comparing: CPython itself shares or copies them as it likes.  The text tells apart
what `==` does not: `1` and `True`, `0.0` and `-0.0`, one NaN and another.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping


def plain_text(value: object) -> str | None:
    """The text of `value`, or `None` if it is, or contains, anything else."""
    describe_exactly = PLAIN_TYPES.get(type(value))
    return None if describe_exactly is None else describe_exactly(value)


def text_of_float(value: float) -> str:
    return f"{value!r} ({struct.pack('>d', value).hex()})"


def text_of_number(value: object) -> str:
    match value:
        case bool() | None:
            return repr(value)
        case int():
            return f"int {value}" if -(10**30) < value < 10**30 else f"int {value:#x}"
        case float():
            return f"float {text_of_float(value)}"
        case complex():
            return f"complex {text_of_float(value.real)}, {text_of_float(value.imag)}"
    return repr(value)


def text_of_string(value: object) -> str:
    return f"{type(value).__name__} {value!r}"


def text_of_range(value: object) -> str | None:
    assert isinstance(value, range)
    ends = [plain_text(end) for end in (value.start, value.stop, value.step)]
    return None if None in ends else f"range {ends}"


def text_of_tuple(value: object) -> str | None:
    assert isinstance(value, tuple)
    texts = []
    for element in value:
        text = plain_text(element)
        if text is None:
            return None
        texts.append(text)
    return f"tuple ({', '.join(texts)})"


def text_of_frozenset(value: object) -> str | None:
    assert isinstance(value, frozenset)
    texts = []
    for element in value:
        text = plain_text(element)
        if text is None:
            return None
        texts.append(text)
    return f"frozenset {{{', '.join(sorted(texts))}}}"


PLAIN_TYPES: Mapping[type, Callable[[object], str | None]] = {
    type(None): text_of_number,
    type(...): text_of_number,
    type(NotImplemented): text_of_number,
    bool: text_of_number,
    int: text_of_number,
    float: text_of_number,
    complex: text_of_number,
    str: text_of_string,
    bytes: text_of_string,
    range: text_of_range,
    tuple: text_of_tuple,
    frozenset: text_of_frozenset,
}
