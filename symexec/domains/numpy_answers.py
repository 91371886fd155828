"""Looks operations up in the vocabulary and remembers the answers: the same operation on the same specs is asked often.

Imports NumPy (through the rules), so it is itself imported on demand only.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from symexec.domains.numpy_keys import kind_key, value_key
from symexec.domains.numpy_specs import NumPySpec, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import describe, dtype_argument, type_of
from symexec.domains.numpy_vocabulary import Entry, vocabulary
from symexec.values.domain import Answer, Declined, Request
from symexec.values.graph import Argument, Kind

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

_REMEMBERED: Final = 4096
"""Answers kept before memory is given back."""

_UNKNOWN_OPERAND: Final = Declined("an operand is neither an array, a NumPy scalar nor a constant that NumPy takes")


class Answers:
    """The answers of one domain."""

    def __init__(self) -> None:
        self._vocabulary = vocabulary()
        self._remembered: dict[Hashable, Answer] = {}

    def dtype(self, value: object) -> DType | None:
        """The claimed dtype that `value` names."""
        return dtype_argument(value)

    def described(self, value: object) -> NumPySpec | None:
        """The spec of an array or scalar, `None` of anything else."""
        spec = describe(value) if type(value) is not tuple else None
        return None if isinstance(spec, TupleSpec) else spec

    def type_of(self, spec: NumPySpec) -> type:
        """The exact type of what `spec` describes."""
        return type_of(spec)

    def knows(self, target: object) -> bool:
        """Whether `target` is a word of the vocabulary."""
        return id(target) in self._vocabulary.words

    def answer(self, request: Request) -> Answer:
        """The answer to `request`, remembered from the last time if it was asked before."""
        entry, name = self._entry(request)
        if entry is None:
            return Declined(f"{name} is not in the vocabulary of the domain")
        key = self._key(request, entry)
        if key is None:
            return _UNKNOWN_OPERAND
        found = self._remembered.get(key)
        if found is None:
            found = entry.rule(Operation(request.kind, request.target, request.args, request.kwargs))
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = found
        return found

    def _entry(self, request: Request) -> tuple[Entry | None, str]:
        target = request.target
        if request.kind is Kind.CALL:
            return self._vocabulary.calls.get(id(target)), "the function"
        if type(target) is not str:
            return None, "the operation"
        if request.kind is Kind.METHOD:
            return self._vocabulary.methods.get(target), f"the method {target}"
        return self._vocabulary.attributes.get(target), f"the attribute {target}"

    def _key(self, request: Request, entry: Entry) -> Hashable | None:
        """What the answer depends on, `None` if an operand is of no kind that the domain knows."""
        target = request.target
        key: list[Hashable] = [entry.by_kind, id(target) if request.kind is Kind.CALL else (request.kind, target)]
        for argument in request.args:
            part = self._operand_key(argument, entry)
            if part is None:
                return None
            key.append(part)
        for name, argument in request.kwargs:
            part = value_key(argument, self._vocabulary.constants)
            if part is None:
                return None
            key.append((name, part))
        return tuple(key)

    def _operand_key(self, argument: Argument, entry: Entry) -> Hashable | None:
        return kind_key(argument) if entry.by_kind else value_key(argument, self._vocabulary.constants)
