"""Shapes of results, by NumPy's rules: pure functions of integers.

Each gives `None` where NumPy would refuse, or where this file does not know.  Knows nothing of dtypes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import EllipsisType
from typing import TypeAlias

import attrs

from symexec.domains.numpy_specs import Shape


@attrs.frozen
class IndexArray:
    """An integer array in the place of an index."""

    shape: Shape


IndexPart: TypeAlias = "int | slice[object, object, object] | EllipsisType | IndexArray | None"


def broadcast(*shapes: Shape) -> Shape | None:
    """The common shape of all operands."""
    if len(shapes) == 2 and (shapes[0] == shapes[1] or not shapes[1]):
        return shapes[0]
    result = [1] * max(map(len, shapes), default=0)
    for shape in shapes:
        for position, size in enumerate(shape, len(result) - len(shape)):
            if result[position] == 1:
                result[position] = size
            elif size not in (1, result[position]):
                return None
    return tuple(result)


def axis_index(axis: object, ndim: int) -> int | None:
    """`axis` counted from the front, where it is an exact int in range."""
    if type(axis) is not int or not -ndim <= axis < ndim:
        return None
    return axis % ndim


def axis_set(axis: object, ndim: int) -> frozenset[int] | None:
    """The axes that a reduction's `axis` names: all, one, or a tuple of distinct ones."""
    if axis is None or (ndim == 0 and axis in (0, -1)):  # NumPy lets a single number have an axis
        return frozenset(range(ndim))
    found = [axis_index(item, ndim) for item in (axis if type(axis) is tuple else (axis,))]
    axes = frozenset(item for item in found if item is not None)
    return axes if len(axes) == len(found) else None


def reduced(shape: Shape, axis: object, keepdims: bool) -> Shape | None:
    """What is left of `shape` when `axis` is reduced."""
    axes = axis_set(axis, len(shape))
    if axes is None:
        return None
    if keepdims:
        return tuple(1 if position in axes else size for position, size in enumerate(shape))
    return tuple(size for position, size in enumerate(shape) if position not in axes)


def flattened(shape: Shape) -> Shape:
    """One dimension with every element."""
    return (math.prod(shape),)


def integers(value: object) -> list[int] | None:
    """An exact int, or a tuple or list of such, as a list."""
    items = value if isinstance(value, (tuple, list)) else [value]
    found = [item for item in items if type(item) is int]
    return found if len(found) == len(items) else None


def as_shape(value: object) -> Shape | None:
    """A shape argument: an int or a tuple or list of ints, none negative."""
    sizes = integers(value)
    return None if sizes is None or any(size < 0 for size in sizes) else tuple(sizes)


def reshaped(shape: Shape, wanted: object) -> Shape | None:
    """`shape` laid out as `wanted`, which may hold one -1."""
    sizes = integers(wanted)
    if sizes is None or sizes.count(-1) > 1 or any(size < -1 for size in sizes):
        return None
    known = math.prod(size for size in sizes if size != -1)
    total = math.prod(shape)
    if -1 in sizes:
        if not known or total % known:
            return None
        sizes[sizes.index(-1)] = total // known
    return tuple(sizes) if math.prod(sizes) == total else None


def multiplied(left: Shape, right: Shape) -> Shape | None:
    """`left @ right`."""
    if not left or not right:
        return None
    inner = right[-2] if len(right) > 1 else right[0]
    if left[-1] != inner:
        return None
    stacked = broadcast(left[:-2], right[:-2])
    if stacked is None:
        return None
    return stacked + left[-2:-1] + (right[-1:] if len(right) > 1 else ())


def dotted(left: Shape, right: Shape) -> Shape | None:
    """`numpy.dot(left, right)`."""
    if not left or not right:
        return left or right
    position = max(len(right) - 2, 0)
    if left[-1] != right[position]:
        return None
    return left[:-1] + right[:position] + right[position + 1 :]


def contracted(left: Shape, right: Shape, axes: object) -> Shape | None:
    """`numpy.tensordot(left, right, axes)`."""
    if type(axes) is int:
        if not 0 <= axes <= min(len(left), len(right)):
            return None
        pairs = list(zip(range(len(left) - axes, len(left)), range(axes), strict=True))
    else:
        found = _axis_pairs(axes, len(left), len(right))
        if found is None:
            return None
        pairs = found
    if any(left[first] != right[second] for first, second in pairs):
        return None
    gone_left = {first for first, _ in pairs}
    gone_right = {second for _, second in pairs}
    kept = [size for position, size in enumerate(left) if position not in gone_left]
    return tuple(kept) + tuple(size for position, size in enumerate(right) if position not in gone_right)


def _axis_pairs(axes: object, left: int, right: int) -> list[tuple[int, int]] | None:
    if type(axes) not in (tuple, list) or not isinstance(axes, (tuple, list)) or len(axes) != 2:
        return None
    sides = [list(side) if isinstance(side, (tuple, list)) else [side] for side in axes]
    firsts = [axis_index(axis, left) for axis in sides[0]]
    seconds = [axis_index(axis, right) for axis in sides[1]]
    pairs = [(a, b) for a, b in zip(firsts, seconds, strict=False) if a is not None and b is not None]
    whole = len(pairs) == len(firsts) == len(seconds)
    distinct = len(set(firsts)) == len(firsts) and len(set(seconds)) == len(seconds)
    return pairs if whole and distinct else None


def concatenated(shapes: Sequence[Shape], axis: object) -> Shape | None:
    """The shapes joined along an existing axis; `None` for `axis` flattens them first."""
    if axis is None:
        shapes, axis = [flattened(shape) for shape in shapes], 0
    if not shapes or any(len(shape) != len(shapes[0]) for shape in shapes):
        return None
    at = axis_index(axis, len(shapes[0]))
    if at is None or any(shape[:at] + shape[at + 1 :] != shapes[0][:at] + shapes[0][at + 1 :] for shape in shapes):
        return None
    return (*shapes[0][:at], sum(shape[at] for shape in shapes), *shapes[0][at + 1 :])


def stacked(shapes: Sequence[Shape], axis: object) -> Shape | None:
    """The equal shapes joined along a new axis."""
    if not shapes or any(shape != shapes[0] for shape in shapes):
        return None
    at = axis_index(axis, len(shapes[0]) + 1)
    return None if at is None else (*shapes[0][:at], len(shapes), *shapes[0][at:])


def indexed(shape: Shape, key: Sequence[IndexPart]) -> Shape | None:
    """`x[key]` for integers, slices, new axes, an ellipsis and integer arrays."""
    parts = _expand(len(shape), key)
    if parts is None:
        return None
    advanced = any(isinstance(part, IndexArray) for part in parts)
    kept: list[int] = []
    arrays: list[Shape] = []
    places: list[tuple[int, int]] = []  # of integers and arrays: position in the key, dimensions kept before it
    axis = 0
    for position, part in enumerate(parts):
        if part is None:
            kept.append(1)
            continue
        if part is ...:  # a mark that stands for no dimension
            continue
        size = shape[axis]
        axis += 1
        if isinstance(part, slice):
            length = _slice_length(part, size)
            if length is None:
                return None
            kept.append(length)
        else:
            if isinstance(part, int) and not -size <= part < size:
                return None
            places.append((position, len(kept)))
            arrays.append(part.shape if isinstance(part, IndexArray) else ())
    kept.extend(shape[axis:])
    if not advanced:
        return tuple(kept)
    common = broadcast(*arrays)
    if common is None:
        return None
    together = places[-1][0] - places[0][0] == len(places) - 1
    at = places[0][1] if together else 0
    return tuple(kept[:at]) + common + tuple(kept[at:])


def _expand(ndim: int, key: Sequence[IndexPart]) -> list[IndexPart] | None:
    """The key with full slices for its ellipsis, which is kept in front of them as a mark."""
    consumed = sum(part is not None and part is not ... for part in key)
    marks = [position for position, part in enumerate(key) if part is ...]
    if consumed > ndim or len(marks) > 1:
        return None
    parts = list(key)
    if marks:
        parts[marks[0] + 1 : marks[0] + 1] = [slice(None)] * (ndim - consumed)
    return parts


def _slice_length(part: slice[object, object, object], size: int) -> int | None:
    bounds = [bound for bound in (part.start, part.stop, part.step) if bound is None or isinstance(bound, int)]
    if len(bounds) < 3 or part.step == 0:
        return None
    return len(range(size)[slice(*bounds)])


def generalized(core: Sequence[Sequence[str]], shapes: Sequence[Shape]) -> Shape | None:
    """The one output of a generalized ufunc with these names of core dimensions, those of the output last."""
    sizes: dict[str, int] = {}
    loops: list[Shape] = []
    for names, shape in zip(core[:-1], shapes, strict=True):
        if len(shape) < len(names):
            return None
        split = len(shape) - len(names)
        loops.append(shape[:split])
        for name, size in zip(names, shape[split:], strict=True):
            if sizes.setdefault(name, size) != size:
                return None
    loop = broadcast(*loops)
    return None if loop is None else loop + tuple(sizes[name] for name in core[-1])
