"""Arrays whose dtype object is one of their own: answered for as if it were NumPy's, but nothing shows the object."""

from __future__ import annotations

import attrs
import numpy as np

from symexec.domains.numpy_specs import ArraySpec, NumPySpec, TupleSpec
from symexec.values.domain import Answer, Declined, Request, Result, Static
from symexec.values.graph import Argument
from symexec.values.model import Traced


def with_singletons(request: Request) -> Request:
    """The request with ordinary specs in place of such; `request` itself if there are none."""
    args = tuple(_replaced(argument) for argument in request.args)
    kwargs = tuple((name, _replaced(argument)) for name, argument in request.kwargs)
    same = all(new is old for new, old in zip(args, request.args, strict=True))
    if same and all(new is old for (_, new), (_, old) in zip(kwargs, request.kwargs, strict=True)):
        return request
    return Request(request.kind, request.target, args, kwargs)


def without_singletons(answer: Answer) -> Answer:
    """The answer, with no claim that an array in it has a dtype object of NumPy's."""
    if isinstance(answer, Result) and isinstance(answer.spec, (ArraySpec, TupleSpec)):
        return attrs.evolve(answer, spec=_loosened(answer.spec))
    if isinstance(answer, Static) and isinstance(answer.value, np.dtype):
        return Declined(
            "the array has a dtype object of its own, as unpickled arrays do", "x.astype('float64') has NumPy's"
        )
    return answer


def _replaced(argument: Argument) -> Argument:
    if isinstance(argument, Traced):
        spec = argument.spec
        if isinstance(spec, ArraySpec) and not spec.singleton:
            return attrs.evolve(argument, spec=attrs.evolve(spec, singleton=True))
        return argument
    if isinstance(argument, (tuple, list)):
        items = [_replaced(item) for item in argument]
        if all(new is old for new, old in zip(items, argument, strict=True)):
            return argument
        return tuple(items) if isinstance(argument, tuple) else items
    return argument


def _loosened(spec: NumPySpec) -> NumPySpec:
    if isinstance(spec, ArraySpec):
        return attrs.evolve(spec, singleton=False)
    if isinstance(spec, TupleSpec):
        return attrs.evolve(spec, items=tuple(_loosened(item) for item in spec.items))
    return spec
