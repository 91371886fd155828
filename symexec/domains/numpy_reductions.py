"""Sums, extremes, statistics, running totals, sorting, and functions that keep the shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from symexec.domains import numpy_shapes
from symexec.domains.numpy_rules import Bound, Rule, Shaped, signature
from symexec.domains.numpy_specs import Shape
from symexec.values.model import Traced

_TIMES: Final = 64
"""How often `diff` may be repeated: it is tried at trace time."""


def _reduced(bound: Bound) -> Shape | None:
    shape = bound.shape()
    return None if shape is None else numpy_shapes.reduced(shape, bound.get("axis"), bound.flag("keepdims"))


def _deviation(bound: Bound) -> Shape | None:
    """As others, but a `ddof` that would warn on small stand-ins is not followed."""
    ddof, shape = bound.get("ddof", 0), bound.shape()
    if type(ddof) is not int or shape is None:
        return None
    enough = ddof < 1 or (ddof == 1 and shape and bound.get("axis") != ())
    return _reduced(bound) if enough else None


def _quantile(bound: Bound) -> Shape | None:
    wanted, rest = bound.shape("q"), _reduced(bound)
    return None if wanted is None or rest is None else wanted + rest


def _integral(bound: Bound) -> Shape | None:
    shape = bound.shape()
    axis = bound.get("axis", -1)
    return None if shape is None or axis is None else numpy_shapes.reduced(shape, axis, keepdims=False)


def _running(bound: Bound) -> Shape | None:
    """The shape itself, or flat where `axis` is `None`."""
    shape = bound.shape()
    if shape is None or bound.get("axis") is None:
        return None if shape is None else numpy_shapes.flattened(shape)
    return shape


def _sorted(bound: Bound) -> Shape | None:
    """Likewise, but the last axis is the default."""
    return _running(bound) if bound.has("axis") else bound.shape()


def _difference(bound: Bound) -> Shape | None:
    shape, times = bound.shape(), bound.get("n", 1)
    if shape is None or type(times) is not int or not 0 <= times <= _TIMES:
        return None
    axis = numpy_shapes.axis_index(bound.get("axis", -1), len(shape))
    if axis is None:
        return None
    return (*shape[:axis], max(shape[axis] - times, 0), *shape[axis + 1 :])


def _limited(bound: Bound) -> Shape | None:
    names = [name for name in ("a", "a_min", "a_max", "min", "max") if bound.get(name) is not None]
    shapes = [shape for name in names if (shape := bound.shape(name)) is not None]
    return numpy_shapes.broadcast(*shapes) if len(shapes) == len(names) else None


def _chosen(bound: Bound) -> Shape | None:
    shapes = [shape for name in ("condition", "x", "y") if (shape := bound.shape(name)) is not None]
    return numpy_shapes.broadcast(*shapes) if len(shapes) == 3 else None


def _compared(bound: Bound) -> Shape | None:
    left, right = bound.shape("a"), bound.shape("b")
    return None if left is None or right is None else numpy_shapes.broadcast(left, right)


def _convolved(default: str) -> Callable[[Bound], Shape | None]:
    def shape(bound: Bound) -> Shape | None:
        left, right = bound.shape("a"), bound.shape("v")
        if left is None or right is None or len(left) != 1 or len(right) != 1 or not left[0] or not right[0]:
            return None
        most, least = max(left[0], right[0]), min(left[0], right[0])
        sizes = {"full": most + least - 1, "same": most, "valid": most - least + 1}
        mode = bound.get("mode", default)
        return (sizes[mode],) if isinstance(mode, str) and mode in sizes else None

    return shape


def _like(name: str) -> Callable[[Bound], Shape | None]:
    """The shape of the operand `name`."""
    return lambda bound: bound.shape(name)


def _table(rule: Callable[[Bound], Shape | None], signatures: Mapping[str, str]) -> dict[str, Rule]:
    """The functions named, comma-separated, before each signature; all with the same shape rule."""
    return {name: Shaped(signature(text), rule) for names, text in signatures.items() for name in names.split(",")}


_REDUCTIONS: Final = {
    "sum,prod": "a* axis dtype !out keepdims initial !where",
    "mean": "a* axis dtype !out keepdims !where",
    "max,min": "a* axis !out keepdims initial !where",
    "any,all": "a* axis !out keepdims !where",
}
_MORE_REDUCTIONS: Final = {
    "amax,amin,nanmax,nanmin": "a* axis !out keepdims initial !where",
    "nansum,nanprod": "a* axis dtype !out keepdims initial !where",
    "nanmean": "a* axis dtype !out keepdims !where",
    "argmax,argmin,nanargmax,nanargmin": "a* axis !out keepdims",
    "ptp": "a* axis !out keepdims",
    "median,nanmedian": "a* axis !out !overwrite_input keepdims",
    "average": "a* axis !weights !returned keepdims",
    "count_nonzero": "a* axis keepdims",
    "linalg.norm": "x* ord axis keepdims",
    "linalg.vector_norm": "x* axis keepdims ord",
}
_DEVIATIONS: Final = {"std,var": "a* axis dtype !out ddof keepdims !where !mean !correction"}
_SAME: Final = {
    "round,around": "a* decimals !out",
    "nan_to_num": "x* !copy nan posinf neginf",
    "isposinf,isneginf": "x* !out",
    "real,imag": "val*",
    "angle": "z* deg",
    "sinc,i0,isreal,iscomplex": "x*",
    "copy": "a* order !subok",
    "roll": "a* shift axis",
    "interp": "x* xp* fp* left right !period",
    "digitize": "x* bins* right",
    "fft.fftshift,fft.ifftshift": "x* axes",
}

FUNCTIONS: Final[dict[str, Rule]] = {
    **_table(_reduced, {**_REDUCTIONS, **_MORE_REDUCTIONS}),
    **_table(_deviation, {**_DEVIATIONS, "nanstd,nanvar": _DEVIATIONS["std,var"]}),
    **_table(_quantile, {"quantile,percentile": "a* q* axis !out !overwrite_input method keepdims !weights"}),
    **_table(_integral, {"trapezoid": "y* x* dx axis"}),
    **_table(_running, {"cumsum,cumprod,nancumsum,nancumprod": "a* axis dtype !out"}),
    **_table(
        _sorted, {"sort,argsort": "a* axis kind !order !stable", "partition,argpartition": "a* kth axis kind !order"}
    ),
    **_table(_difference, {"diff": "a* n axis !prepend !append"}),
    **_table(_convolved("full"), {"convolve": "a* v* mode"}),
    **_table(_convolved("valid"), {"correlate": "a* v* mode"}),
    **_table(_like("v"), {"searchsorted": "a* v* side !sorter"}),
    **_table(_like("x"), {"polyval": "p* x*"}),
    **_table(Bound.shape, _SAME),
    "clip": Shaped(signature("a* a_min* a_max* !out min* max*"), _limited, numbers=True),
    "where": Shaped(signature("condition* x* y*"), _chosen, numbers=True),
    "isclose": Shaped(signature("a* b* rtol atol equal_nan"), _compared, numbers=True),
}
"""By name in NumPy's namespace."""


def _summed(bound: Bound) -> Shape | None:
    """Python's `sum` of an array, one number or row after the other."""
    shape = bound.shape() if isinstance(bound.first, Traced) else None
    return shape[1:] if shape and shape[0] else None


def _extreme(bound: Bound) -> Shape | None:
    """Python's `min` or `max` of the numbers in a vector, or of several scalars of one dtype."""
    names = bound.names()
    if len(names) == 1:
        shape = bound.shape()
        return () if shape is not None and len(shape) == 1 and shape[0] else None
    operands = [bound.get(name) for name in names]
    specs = {operand.spec for operand in operands if isinstance(operand, Traced)}
    alike = len(specs) == 1 and all(isinstance(operand, Traced) for operand in operands)  # one of them itself comes out
    return () if alike and bound.shape() == () else None


BUILTINS: Final[dict[object, Rule]] = {
    sum: Shaped(signature("a*"), _summed),
    min: Shaped(signature("a* b* c* d*"), _extreme),
    max: Shaped(signature("a* b* c* d*"), _extreme),
}
"""Functions of Python's that NumPy values are given to."""

METHODS: Final[dict[str, Rule]] = {
    **_table(_reduced, {**_REDUCTIONS, "argmax,argmin": "a* axis !out keepdims", "ptp": "a* axis !out keepdims"}),
    **_table(_deviation, _DEVIATIONS),
    **_table(_running, {"cumsum,cumprod": "a* axis dtype !out"}),
    **_table(_sorted, {"argsort": "a* axis kind !order !stable", "argpartition": "a* kth axis kind !order"}),
    **_table(_like("v"), {"searchsorted": "a* v* side !sorter"}),
    **_table(Bound.shape, {"round": "a* decimals !out", "copy": "a* order", "conj,conjugate": "a* !out"}),
    "clip": Shaped(signature("a* a_min* a_max* !out min* max*"), _limited, numbers=True),
}
"""By name, with the array as the first operand."""
