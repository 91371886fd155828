"""What a recording gives back, as a structure with graph nodes in place of traced values: for translators."""

from __future__ import annotations

from collections.abc import Hashable

import attrs
from typing_extensions import override

from symexec.capture.texts import ValueText
from symexec.values.graph import Argument
from symexec.values.heap import Absent, DictContent, Heap, ListContent, SetContent, SliceContent, TupleContent
from symexec.values.keys import ObjectKey
from symexec.values.model import Constant, Made, Traced, Value


@attrs.frozen(eq=False, repr=False)
class Other:
    """A result, or a part of one, that is neither traced, constant nor a plain container: `text` describes it."""

    text: str

    @override
    def __repr__(self) -> str:
        return self.text


def result_structure(heap: Heap, value: Value, text: ValueText, depth: int = 100) -> Argument:
    """The value with a `Node` for each traced part: a constant, a list, tuple, dict, set or slice of such, or `Other`.

    What existed before the trace, and what is nested deeper than `depth` (in itself, perhaps), is `Other`.
    """
    match value:
        case Traced(node=node):
            return node
        case Constant(value=constant):
            return constant
        case Made() if depth > 0:
            return _made_structure(heap, value, text, depth - 1)
        case _:
            return Other(text(value))


def _made_structure(heap: Heap, made: Made, text: ValueText, depth: int) -> Argument:
    content = heap.content(made)
    match content:
        case ListContent(items=items):
            return [result_structure(heap, item, text, depth) for item in items]
        case TupleContent(items=members):
            return tuple(result_structure(heap, item, text, depth) for item in members)
        case DictContent(entries=entries, complete=True):
            present = {_shown(key, text): item for key, item in entries.items() if not isinstance(item, Absent)}
            return {key: result_structure(heap, item, text, depth) for key, item in present.items()}
        case SetContent(items=elements):
            return {_shown(each, text) for each in elements}
        case SliceContent(start=start, stop=stop, step=step):
            return slice(*(result_structure(heap, part, text, depth) for part in (start, stop, step)))
        case _:
            return Other(text.describe(made))


def _shown(key: Hashable, text: ValueText) -> Hashable:
    return Other(text(key.value)) if isinstance(key, ObjectKey) else key
