"""What objects contain, as far as the trace knows: those it made, and those that existed once read or written.

Keyed by identity, so that aliasing is settled once.  Contents are mutable; whoever changes them records how to undo
it, so that `rollback(mark)` costs what is undone.  Knows nothing of bytecode or Python's protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from types import CodeType
from typing import TypeAlias

import attrs
from typing_extensions import override

from symexec.errors import InternalError
from symexec.values.base_contents import DequeContent as DequeContent
from symexec.values.base_contents import ScalarContent as ScalarContent
from symexec.values.effect import Effect
from symexec.values.keys import held_by
from symexec.values.model import NONE, Known, Made, Value


class Absent:
    """Marks an attribute, key or cell content known not to be there."""

    @override
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


@attrs.define(eq=False, repr=False)
class ListContent:
    """A list: all its items; of an existing one that is not `complete` only those that the trace appended."""

    items: list[Value]
    complete: bool = True


@attrs.define(eq=False, repr=False)
class TupleContent:
    """A tuple: all its items."""

    items: tuple[Value, ...]


@attrs.define(eq=False, repr=False)
class DictContent:
    """A dict: what is known of its entries.

    `entries` maps concrete keys to values, in the dict's order where `complete`; a key mapped to `ABSENT` is known
    not to be there (only where not complete).  An existing dict is complete once its keys were guarded or read.
    `removals` counts the entries that the trace removed.  `keys` has, by key, the objects that it stored as keys;
    other keys are constants, or were keys of the dict already.  `owner` is the made
    instance whose attributes a made dict holds.  `order` is that of the dict under an ordered one in which keys were
    moved; keys that are not in it came later.
    """

    entries: dict[Hashable, Value | Absent]
    complete: bool
    removals: int = 0
    keys: dict[Hashable, Known | Made] = attrs.Factory(dict)
    owner: Made | None = None
    order: list[Hashable] | None = None


@attrs.define(eq=False, repr=False)
class SetContent:
    """A set or frozenset of constants and `ObjectKey`s.

    `history` tells how it came to be from an empty set: `("add", element)`, `("discard", element)` and
    `("update", frozenset)`.  Then `items` has the real order, and the same can be had again.  It is `None` where the
    order is not known.  `removals` counts the elements that the trace removed.  Of an existing set that is not
    `complete` nothing but what was asked for is guarded.
    """

    _items: set[Hashable] | frozenset[Hashable] = attrs.field(alias="items")
    history: list[tuple[str, Hashable]] | None = attrs.Factory(list)
    removals: int = 0
    complete: bool = True
    removed: frozenset[Hashable] = frozenset()  # by the trace, from an existing one; it may have added some again
    _stale: bool = attrs.field(default=False, init=False)  # whether the items are those of another history

    @property
    def items(self) -> set[Hashable] | frozenset[Hashable]:
        """The elements; going back through many changes makes them anew once, when they are asked for."""
        if self._stale and self.history is not None:
            self.items = _relive(self.history)
        return self._items

    @items.setter
    def items(self, items: set[Hashable] | frozenset[Hashable]) -> None:
        self._items = items
        self._stale = False

    def go_back(self, history: list[tuple[str, Hashable]], count: int) -> None:
        """Be as after the first `count` steps of `history`."""
        self.history = history
        del history[count:]
        self._stale = True


def _relive(history: Sequence[tuple[str, Hashable]]) -> set[Hashable]:
    """A set that comes to be in the same way, and so has the same order."""
    result: set[Hashable] = set()
    for step, argument in history:
        if step == "add":
            result.add(argument)
        elif step == "discard":
            result.discard(argument)
        elif isinstance(argument, frozenset):
            result.update(argument)
    return result


@attrs.define(eq=False, repr=False)
class CellContent:
    """A closure cell.  `home` is the slot of the traced frame that holds it from the prefix on, if one does."""

    value: Value | Absent
    home: int | None = None


@attrs.define(eq=False, repr=False)
class ObjectContent:
    """An instance, class or module: the attributes read or written so far, by name.

    For a made one all that are not there are absent.  `base` is what an instance of a subclass of a builtin type holds
    as such, beside its attributes.  Once the dict that holds its attributes was asked for it is `namespace`, and
    `attributes` has those in slots only.
    """

    type: type
    attributes: dict[str, Value | Absent]
    base: Content | None = None
    namespace: Known | Made | None = None


@attrs.define(eq=False, repr=False)
class ExceptionContent:
    """What an exception made by the trace holds beside its attributes.

    `args` is a tuple, `None` where it is not known; `members` are other fields of its C structure, as far as known.
    `obstacle` says why it cannot be made real: once it was raised, its traceback is Python's to write.
    """

    args: Value | None
    members: dict[str, Value] = attrs.Factory(dict)
    cause: Value = NONE
    context: Value = NONE
    suppress_context: bool = False
    traceback: Value = NONE
    obstacle: str | None = None


@attrs.define(eq=False, repr=False)
class GeneratorContent:
    """A generator or coroutine made by the trace, of exact type `kind`; its suspended frame is the machine's."""

    kind: type


@attrs.define(eq=False, repr=False)
class FunctionContent:
    """A Python function made by the trace."""

    code: CodeType
    globals: Value
    name: str
    qualified_name: str
    closure: tuple[Value, ...] = ()
    defaults: tuple[Value, ...] | None = None
    keyword_defaults: dict[str, Value] | None = None
    annotations: Value | None = None
    annotate: Value | None = None  # 3.14: the function that computes annotations
    attributes: dict[str, Value | Absent] = attrs.Factory(dict)


@attrs.define(eq=False, repr=False)
class MethodContent:
    """A method bound by the trace: `function` is any callable value, of a Python or C function."""

    function: Value
    owner: Value


@attrs.define(eq=False, repr=False)
class SuperContent:
    """A `super` object: what is behind a class in the method resolution order of `start`, bound to `owner`.

    In class mode the owner is a class, `start` itself; else `start` is the owner's type.
    """

    class_value: Value  # the class, as a value
    owner: Value
    class_: type
    start: type
    is_class_mode: bool


@attrs.define(eq=False, repr=False)
class TemplateContent:
    """A template string: a tuple of strings, and one of the interpolations between them."""

    kind: type
    strings: Value
    interpolations: Value


@attrs.define(eq=False, repr=False)
class InterpolationContent:
    """An interpolation of a template string."""

    kind: type
    value: Value
    expression: Value
    conversion: str | None
    spec: Value


@attrs.define(eq=False, repr=False)
class SliceContent:
    """A slice with traced or known parts (one of constants is a `Constant`)."""

    start: Value
    stop: Value
    step: Value


@attrs.define(eq=False, repr=False)
class ViewContent:
    """A dict view: `kind` is "keys", "values" or "items"; `ordered` tells one of an ordered dict."""

    kind: str
    mapping: Value
    ordered: bool = False


@attrs.define(eq=False, repr=False)
class IteratorContent:
    """A builtin iterator over `source` that will give item number `index` next.

    `kind` is the exact type of the iterator (`type(iter([]))`, ...).  Once exhausted `source` is `None`.
    Of a dict, a view or a set, `keys` are those when it was made and `removals` its removals then.  A reversed one
    counts `index` down.  Of an `enumerate`, `source` is the iterator that it advances and `index` its next number;
    of a `zip`, a made tuple of iterators (`index` is 1 if it is strict); of a `map` or `filter`, one of the function
    and the iterators.
    """

    kind: type
    source: Value | None
    index: int
    keys: tuple[Hashable, ...] | None = None
    removals: int = 0


@attrs.define(eq=False, repr=False)
class CalledContent:
    """An object of a type written in C: what calling `function` with these arguments gives, and `state` set after it.

    `names` are those of the last arguments, which are given by name.  `function` is fixed, or of symexec's own.
    """

    type: type
    function: object
    args: tuple[Value, ...]
    names: tuple[str, ...] = ()
    state: int | None = None


Content: TypeAlias = (
    ListContent
    | TupleContent
    | DictContent
    | SetContent
    | CellContent
    | ObjectContent
    | ScalarContent
    | DequeContent
    | FunctionContent
    | MethodContent
    | SuperContent
    | TemplateContent
    | InterpolationContent
    | SliceContent
    | ViewContent
    | IteratorContent
    | CalledContent
    | ExceptionContent
    | GeneratorContent
)


def parts(content: Content) -> Iterator[Value]:
    """The values that an object with this content refers to."""
    match content:
        case ListContent(items=items) | TupleContent(items=items) | DequeContent(items=items):
            yield from items
        case DictContent(entries=entries, keys=keys, owner=owner):
            yield from keys.values()
            yield from () if owner is None else (owner,)
            yield from (item for item in entries.values() if not isinstance(item, Absent))
        case CellContent(value=value):
            if not isinstance(value, Absent):
                yield value
        case ObjectContent(attributes=attributes, base=base, namespace=namespace):
            yield from () if base is None else parts(base)
            yield from (namespace,) if isinstance(namespace, Made) else ()
            yield from (item for item in attributes.values() if not isinstance(item, Absent))
        case ExceptionContent(args=args, members=members):
            yield from () if args is None else (args,)
            yield from members.values()
            yield from (content.cause, content.context, content.traceback)
        case FunctionContent():
            yield from content.closure
            yield from content.defaults or ()
            yield from (content.keyword_defaults or {}).values()
            yield from (item for item in (content.annotations, content.annotate) if item is not None)
            yield from (item for item in content.attributes.values() if not isinstance(item, Absent))
        case MethodContent(function=function, owner=owner):
            yield from (function, owner)
        case TemplateContent(strings=strings, interpolations=interpolations):
            yield from (strings, interpolations)
        case InterpolationContent(value=value, expression=expression, spec=spec):
            yield from (value, expression, spec)
        case SuperContent(class_value=class_, owner=owner):
            yield from (class_, owner)
        case SliceContent(start=start, stop=stop, step=step):
            yield from (start, stop, step)
        case ViewContent(mapping=mapping):
            yield mapping
        case IteratorContent(source=source):
            if source is not None:
                yield source
        case CalledContent(args=arguments):
            yield from arguments
        case SetContent():
            yield from held_by(content.items if content.history is None else [each for _, each in content.history])
        case GeneratorContent() | ScalarContent():
            return


@attrs.frozen
class HeapMark:
    """A place in the heap's history."""

    trail: int
    effects: int


class Heap:
    """The contents of made and of existing objects, the trail of changes, and the effects in program order."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self._contents: dict[int, Content] = {}
        self._existing: dict[int, Known] = {}
        self._trail: list[Callable[[], object]] = []
        self._made = 0

    def make(self, content: Content) -> Made:
        """A new object with this content."""
        self._made += 1
        self._contents[-self._made] = content
        return Made(-self._made)

    def content(self, value: Made) -> Content:
        """What a made object contains."""
        return self._contents[value.object_id]

    def replace(self, made: Made, content: Content) -> None:
        """Let a made object have another content."""
        before = self._contents[made.object_id]
        self._contents[made.object_id] = content
        self._trail.append(lambda: self._contents.update({made.object_id: before}))

    def existing(self, known: Known) -> Content | None:
        """What is known of an existing object, `None` if it was never looked into."""
        return self._contents.get(id(known.value))

    def adopt(self, known: Known, content: Content) -> None:
        """From now on the existing object is known to have this content."""
        key = id(known.value)
        if key in self._contents:
            raise InternalError(f"{known.origin} was looked into already")
        self._contents[key] = content
        self._existing[key] = known
        self._trail.append(lambda: (self._contents.pop(key), self._existing.pop(key)))

    def first_known(self, known: Known) -> Known | None:
        """The value under which this very object was first looked into, `None` if it never was."""
        return self._existing.get(id(known.value))

    def looked_into(self) -> tuple[Known, ...]:
        """Every existing object that was looked into, in order."""
        return tuple(self._existing.values())

    def reachable(self, values: Sequence[Value]) -> Iterator[Value]:
        """The values, and all that made objects among them refer to; each made object once."""
        todo, seen = list(reversed(values)), set[int]()
        while todo:
            value = todo.pop()
            if isinstance(value, Made):
                if value.object_id in seen:
                    continue
                seen.add(value.object_id)
                todo.extend(reversed(list(parts(self._contents[value.object_id]))))
            yield value

    def record(self, undo: Callable[[], object]) -> None:
        """Tell how to undo a change that was just made to a content (called on rollback, latest first)."""
        self._trail.append(undo)

    def emit(self, effect: Effect) -> None:
        """Append to the effects that the trace will commit."""
        self.effects.append(effect)

    def close(self) -> None:
        """Give up rolling back: the undoings refer to what they would undo, and keep it alive."""
        self._trail.clear()

    def mark(self) -> HeapMark:
        """A place to roll back to."""
        return HeapMark(len(self._trail), len(self.effects))

    def rollback(self, mark: HeapMark) -> None:
        """Undo everything since `mark`."""
        while len(self._trail) > mark.trail:
            self._trail.pop()()
        del self.effects[mark.effects :]
