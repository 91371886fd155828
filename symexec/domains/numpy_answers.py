"""Looks operations up in the vocabulary and remembers the answers: the same operation on the same specs is asked often.

Imports NumPy (through the rules), so it is itself imported on demand only.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from symexec.domains.numpy_facts import answer_about_dtypes, answer_about_part
from symexec.domains.numpy_keys import kind_key, value_key
from symexec.domains.numpy_singletons import with_singletons, without_singletons
from symexec.domains.numpy_specs import ArraySpec, LimitsSpec, NumPySpec, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import describe, dtype_argument, is_claimed_type, type_of
from symexec.domains.numpy_vocabulary import Entry, vocabulary
from symexec.values.domain import Answer, Declined, Request
from symexec.values.graph import Argument, Kind
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType

_REMEMBERED: Final = 4096
"""Answers kept before memory is given back."""

_UNKNOWN_OPERAND: Final = Declined("an operand is neither an array, a NumPy scalar nor a constant that NumPy takes")


_DTYPE: Final = Entry(answer_about_dtypes)
_PART: Final = Entry(answer_about_part)


def _operation(request: Request) -> Operation:
    return Operation(request.kind, request.target, request.args, request.kwargs)


def _is_conversion(request: Request) -> bool:
    """Whether it is `x.astype(dtype)`, of which the result always has the very dtype object."""
    return request.kind is Kind.METHOD and request.target == "astype" and len(request.args) == 2 and not request.kwargs


class Answers:
    """The answers of one domain."""

    def __init__(self) -> None:
        self._vocabulary = vocabulary()
        self._remembered: dict[Hashable, Answer] = {}
        self._all_singletons = True  # whether every array seen has a dtype object of NumPy's own

    def dtype(self, value: object) -> DType | None:
        """The claimed dtype that `value` names."""
        return dtype_argument(value)

    def described(self, value: object) -> NumPySpec | None:
        """The spec of an array or scalar, `None` of anything else."""
        found = describe(value) if is_claimed_type(type(value)) else None
        if isinstance(found, ArraySpec) and not found.singleton:
            self._all_singletons = False
        return found

    def type_of(self, spec: NumPySpec) -> type:
        """The exact type of what `spec` describes."""
        return type_of(spec)

    def knows(self, target: object) -> bool:
        """Whether `target` is a word of the vocabulary."""
        return id(target) in self._vocabulary.words

    def answer(self, request: Request) -> Answer:
        """The answer to `request`."""
        if self._all_singletons:
            return self._remembered_answer(request)
        plain = with_singletons(request)
        found = self._remembered_answer(plain)
        if plain is request or _is_conversion(request):
            return found
        return without_singletons(found)

    def _remembered_answer(self, request: Request) -> Answer:
        """The answer from the last time, if it was asked before."""
        entry, name = self._entry(request)
        if entry is None:
            return Declined(f"{name} is not in the vocabulary of the domain")
        key = self._key(request, entry)
        if key is None:
            fact = answer_about_dtypes(_operation(request))
            return _UNKNOWN_OPERAND if isinstance(fact, Declined) else fact
        remembered = self._remembered.get(key)
        if remembered is not None:
            return remembered
        answer = entry.rule(_operation(request))
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = answer
        return answer

    def _entry(self, request: Request) -> tuple[Entry | None, str]:
        target = request.target
        if request.kind is Kind.CALL:
            return self._vocabulary.calls.get(id(target)), "the function"
        if type(target) is not str or not request.args:
            return None, "the operation"
        owner = request.args[0]
        if not isinstance(owner, Traced):
            return _DTYPE, ""
        if isinstance(owner.spec, (LimitsSpec, TupleSpec)):
            return _PART, ""
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
