"""What the NumPy domain knows: the allow-list of functions, methods and attributes, each with the rule that types it.

Not in it: what takes callbacks, writes into an argument, draws random numbers, or gives a shape or type that depends on
data.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from symexec.domains import numpy_arranging, numpy_linear, numpy_making, numpy_reductions, numpy_shapes
from symexec.domains.numpy_elementwise import operand, operators, ufuncs
from symexec.domains.numpy_facts import limits
from symexec.domains.numpy_indexing import get_item
from symexec.domains.numpy_rules import Bound, Refused, Rule, Shaped, Told, Viewed, signature
from symexec.domains.numpy_specs import ArraySpec, TupleSpec
from symexec.domains.numpy_stand_in import Operation
from symexec.domains.numpy_values import ABSTRACT_TYPES, CANONICAL, SCALAR_TYPES, canonical, dtype_argument
from symexec.values.domain import Answer, Declined, Static
from symexec.values.graph import Argument
from symexec.values.model import Traced

if TYPE_CHECKING:
    from symexec.domains.numpy_specs import DType


@attrs.frozen(eq=False)
class Entry:
    """The rule of one operation.  `by_kind`: it asks for kinds of Python numbers only, not for their values."""

    rule: Rule
    by_kind: bool = False


@attrs.frozen(eq=False)
class Vocabulary:
    """Rules by the identity of the callable, by method name and by attribute name.

    `words` are the objects, by identity, that may stand in constants: functions, scalar types, dtypes.  `constants`
    are those and the builtin types that name dtypes.
    """

    calls: Mapping[int, Entry]
    methods: Mapping[str, Entry]
    attributes: Mapping[str, Entry]
    words: Mapping[int, object]
    constants: Mapping[int, object]


_SELF: Final = signature("self*")


def _length(bound: Bound) -> Argument:
    """`len(x)`."""
    spec = bound.first.spec if isinstance(bound.first, Traced) else None
    if isinstance(spec, TupleSpec):
        return len(spec.items)
    return spec.shape[0] if isinstance(spec, ArraySpec) and spec.shape else None


def _nbytes(bound: Bound) -> Argument:
    dtype, shape = bound.dtype(), bound.shape()
    return None if dtype is None or shape is None else dtype.itemsize * math.prod(shape)


_LAYOUT: Final = Refused("it shows how the array lies in memory, which is not followed")
_ATTRIBUTES: Final[dict[str, Rule]] = {
    "shape": Told(_SELF, Bound.shape),
    "ndim": Told(_SELF, lambda bound: None if (shape := bound.shape()) is None else len(shape)),
    "size": Told(_SELF, lambda bound: None if (shape := bound.shape()) is None else math.prod(shape)),
    "dtype": Told(_SELF, Bound.dtype),
    "itemsize": Told(_SELF, lambda bound: None if (dtype := bound.dtype()) is None else dtype.itemsize),
    "nbytes": Told(_SELF, _nbytes),
    "T": Viewed(_SELF, foreign=False),
    "mT": Viewed(_SELF, foreign=False),
    "real": Viewed(_SELF, foreign=False),
    "imag": Shaped(_SELF, Bound.shape),
    **dict.fromkeys(("strides", "flags", "base", "data", "ctypes", "flat"), _LAYOUT),
}


# -- answers that follow from specs alone ----------------------------------------------------------------------


def _sizes(bound: Bound) -> Argument:
    """`numpy.size(x, axis)`."""
    shape, axis = bound.shape(), bound.get("axis")
    if shape is None or axis is None:
        return None if shape is None else math.prod(shape)
    found = numpy_shapes.axis_index(axis, len(shape))
    return None if found is None else shape[found]


def _kind_is(kinds: str) -> Callable[[Bound], Argument]:
    return lambda bound: None if (dtype := bound.dtype()) is None else dtype.kind in kinds


def _is_scalar(bound: Bound) -> Argument:
    """`numpy.isscalar(x)`."""
    return not isinstance(bound.first.spec, (ArraySpec, TupleSpec)) if isinstance(bound.first, Traced) else None


def _result_type(operation: Operation) -> Answer:
    """`numpy.result_type(...)`, of arrays, scalars, numbers and dtypes."""
    found: list[DType | int | float | complex] = []
    for argument in operation.args:
        dtype = dtype_argument(argument)
        known = operand(argument) if dtype is None else None
        if dtype is None and known is None:
            return Declined("it is asked of something whose dtype is not followed")
        if known is not None:
            found.append(known.dtype(1) if isinstance(known.dtype, type) else known.dtype)
        elif dtype is not None:
            found.append(dtype)
    common = canonical(np.result_type(*found)) if found and not operation.kwargs else None
    return Declined("the dtypes have none in common") if common is None else Static(common)


def _promoted(bound: Bound) -> Argument:
    left, right = dtype_argument(bound.first), dtype_argument(bound.get("type2"))
    return None if left is None or right is None else canonical(np.promote_types(left, right))


def _can_cast(bound: Bound) -> Argument:
    """`numpy.can_cast(from_, to)`, with the default casting rule only."""
    source, target = bound.dtype() or dtype_argument(bound.first), dtype_argument(bound.get("to"))
    return None if source is None or target is None else np.can_cast(source, target)


def _is_subtype(bound: Bound) -> Argument:
    """`numpy.issubdtype(dtype, kind)`."""
    dtype, kind = dtype_argument(bound.first), bound.get("arg2")
    if dtype is None:
        return None
    if isinstance(kind, type) and type(kind) is type and (kind in ABSTRACT_TYPES or kind in SCALAR_TYPES):
        return issubclass(dtype.type, kind)
    wanted = dtype_argument(kind)
    return None if wanted is None else issubclass(dtype.type, wanted.type)


def _common_shape(operation: Operation) -> Answer:
    """`numpy.broadcast_shapes(...)`."""
    shapes = [shape for argument in operation.args if (shape := numpy_shapes.as_shape(argument)) is not None]
    found = numpy_shapes.broadcast(*shapes) if len(shapes) == len(operation.args) and not operation.kwargs else None
    return Declined("the shapes do not fit") if found is None else Static(found)


_TOLD: Final[dict[str, Rule]] = {
    "shape": Told(signature("a*"), Bound.shape),
    "ndim": Told(signature("a*"), lambda bound: None if (shape := bound.shape()) is None else len(shape)),
    "size": Told(signature("a* axis"), _sizes),
    "iscomplexobj": Told(signature("x*"), _kind_is("c")),
    "isrealobj": Told(signature("x*"), _kind_is("biuf")),
    "isscalar": Told(signature("element*"), _is_scalar),
    "result_type": _result_type,
    "promote_types": Told(signature("type1 type2"), _promoted),
    "can_cast": Told(signature("from_* to !casting"), _can_cast),
    "issubdtype": Told(signature("arg1 arg2"), _is_subtype),
    "broadcast_shapes": _common_shape,
    "dtype": Told(signature("dtype"), lambda bound: dtype_argument(bound.first)),
    "finfo": limits,
    "iinfo": limits,
}


# -- what is known and never answered --------------------------------------------------------------------------

_DATA: Final = Refused(
    "its result depends on the array's data", "it runs as written, and the rest of the function is traced after it"
)
_SIZE: Final = Refused("the shape of its result depends on the array's data", "numpy.where(mask, x, y) has a fixed one")
_WRITES: Final = Refused("it changes an array in place", "numpy.sort(x) and its like give a new array")
_ERRATIC: Final = Refused("it gives memory as it happens to be", "use numpy.zeros")

_REFUSED_FUNCTIONS: Final[dict[str, Rule]] = {
    **dict.fromkeys(("allclose", "array_equal", "array_equiv", "may_share_memory", "shares_memory"), _DATA),
    **dict.fromkeys(("linalg.eig", "linalg.eigvals", "linalg.lstsq", "real_if_close"), _DATA),
    **dict.fromkeys(
        ("nonzero", "flatnonzero", "argwhere", "unique", "extract", "compress", "bincount", "histogram", "trim_zeros"),
        _SIZE,
    ),
    **dict.fromkeys(("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"), _WRITES),
    **dict.fromkeys(("empty", "empty_like"), _ERRATIC),
}
_REFUSED_METHODS: Final[dict[str, Rule]] = {
    **dict.fromkeys(("item", "tolist", "tobytes", "is_integer", "as_integer_ratio", "hex"), _DATA),
    **dict.fromkeys(("nonzero", "compress"), _SIZE),
    **dict.fromkeys(("sort", "partition", "fill", "put", "resize", "setfield", "setflags"), _WRITES),
}
_REFUSED_BUILTINS: Final = (bool, int, float, complex, str, repr, round, hash, any, all, operator.index, operator.truth)


# -- all of it -------------------------------------------------------------------------------------------------


def _resolve(name: str) -> object:
    """What is found under a dotted name in NumPy, `None` if this release has it not."""
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _functions() -> dict[object, Rule]:
    """The rules of NumPy's functions that are not ufuncs, those of this release."""
    tables = {
        **numpy_reductions.FUNCTIONS,
        **numpy_arranging.FUNCTIONS,
        **numpy_making.FUNCTIONS,
        **numpy_linear.FUNCTIONS,
        **_TOLD,
        **_REFUSED_FUNCTIONS,
    }
    named = {name: found for name in tables if (found := _resolve(name)) is not None and type(found) is not np.ufunc}
    return {found: tables[name] for name, found in named.items()}


def vocabulary() -> Vocabulary:
    """The whole of it, for the NumPy that is installed."""
    by_kind = {**operators(), **ufuncs()}
    functions = _functions()
    functions.update(dict.fromkeys(SCALAR_TYPES, numpy_making.CONVERSION))
    builtins: dict[object, Rule] = {
        operator.getitem: get_item,
        len: Told(_SELF, _length),
        **numpy_reductions.BUILTINS,
        **dict.fromkeys(_REFUSED_BUILTINS, _DATA),
    }
    calls = {id(target): Entry(rule) for target, rule in {**functions, **builtins}.items()}
    calls.update({id(target): Entry(rule, by_kind=True) for target, rule in by_kind.items()})
    words = {id(word): word for word in (*ufuncs(), *functions, *CANONICAL.values(), *ABSTRACT_TYPES)}
    methods = {**numpy_reductions.METHODS, **numpy_arranging.METHODS, **numpy_linear.METHODS, **_REFUSED_METHODS}
    return Vocabulary(
        calls,
        {name: Entry(rule) for name, rule in methods.items()},
        {name: Entry(rule) for name, rule in _ATTRIBUTES.items()},
        words,
        {**words, **{id(kind): kind for kind in (bool, int, float, complex)}},
    )
