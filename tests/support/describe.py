"""Turns values into lines of text that say everything a program could find out about them.

Two descriptions are equal exactly if their values have the same types, contents, order and identity relations: an
object met again is described as the place where it was met first.  Looking runs none of the test's own methods
(no `__eq__`, `__repr__`, `__getattribute__`).  It does not know who compares the lines, nor why.
"""

from __future__ import annotations

from tests.support.arrays import look_into_numpy
from tests.support.look import Look, Part, Scope
from tests.support.objects import look_into_object
from tests.support.plain import plain_text


class Describer:
    """Describes values one after the other; identity relations hold over all that one describer has described.

    Values that are immutable all the way down are compared as values, without identity, unless `every_identity` is
    true: CPython itself shares and copies them as it likes.
    """

    def __init__(self, scope: Scope, *, every_identity: bool = False) -> None:
        self.scope = scope
        self.every_identity = every_identity
        self.lines: list[str] = []
        self.first_places: dict[int, str] = {}
        self.described: list[object] = []  # keeps their identities from being used again

    def add(self, place: str, value: object) -> None:
        """Describe `value`, met at `place`, and all that can be reached from it."""
        waiting: list[Part] = [(place, value)]
        while waiting:
            here, found = waiting.pop()
            text, parts = self.describe_once(here, found)
            self.lines.append(f"{here}: {text}")
            waiting.extend((here + suffix, part) for suffix, part in reversed(parts))

    def describe_once(self, place: str, value: object) -> tuple[str, list[Part]]:
        plain = plain_text(value)
        if plain is not None and not (self.every_identity and has_identity(value)):
            return plain, []
        first = self.first_places.get(id(value))
        if first is not None:
            return f"same object as {first}", []
        self.first_places[id(value)] = place
        self.described.append(value)
        if plain is not None:
            return plain, []
        look = look_into(value, self.scope)
        return look.text, self.parts_in_order(look)

    def parts_in_order(self, look: Look) -> list[Part]:
        """The parts of `look`; those of a set, whose order may depend on addresses, in an order that does not."""
        if not look.is_unordered:
            return look.parts
        alone = [(describe(self.scope, element=part), part) for _, part in look.parts]
        alone.sort(key=lambda entry: entry[0])
        return [(f"{{{index}}}", part) for index, (_, part) in enumerate(alone)]


def has_identity(value: object) -> bool:
    return not (value is None or value is ... or value is NotImplemented or value is True or value is False)


def describe(scope: Scope, **values: object) -> tuple[str, ...]:
    """Lines for each of `values`, described together under their names."""
    describer = Describer(scope)
    for name, value in values.items():
        describer.add(name, value)
    return tuple(describer.lines)


def look_into(value: object, scope: Scope) -> Look:
    """What one object shows of itself, and its parts."""
    return look_into_numpy(value) or look_into_object(value, scope)
